//! Slots on runners: what they are to hold, and the session that fills the order. Nothing of them is on this machine's disk
//! but what came back.

use super::{Host, Os};
use crate::runner::{LeftTree, SetupRequest};
use crate::runner_definition::RunnerDefinition;
use gatewalk_core::driver::ports::{CapturedTree, SetUp, SlotContent, SlotId};
use gatewalk_core::engine::runner_slots::{self, RunnerSlots};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::config::SandboxPolicy;
use gatewalk_core::model::frontmatter::nearest;
use gatewalk_core::object_id::ObjectId;
use gatewalk_core::parallel::locked;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, OnceLock};

/// The slots of a run that are on runners.
#[derive(Default)]
pub(super) struct FarSlots {
    orders: Mutex<BTreeMap<SlotId, FarOrder>>,
    /// How strictly this run is confined.
    pub(super) policy: OnceLock<SandboxPolicy>,
}

/// What a slot on a runner is to hold, and what came back of it.
#[derive(Debug, Clone)]
pub(super) struct FarOrder {
    pub(super) commit: ObjectId,
    pub(super) tree: ObjectId,
    pub(super) branch: String,
    pub(super) setup: Option<SetupRequest>,
    pub(super) left: Option<LeftTree>,
}

/// What a session on a runner left, written down before anybody learns how it ended.
#[derive(Serialize, Deserialize)]
pub(super) struct FarNote {
    pub(super) unit: String,
    pub(super) number: u32,
    pub(super) left: LeftTree,
}

impl FarSlots {
    pub(super) fn orders(&self) -> MutexGuard<'_, BTreeMap<SlotId, FarOrder>> {
        locked(&self.orders)
    }
}

impl Os<'_> {
    /// Returns the slots of this run that are on runners.
    pub fn far(&self) -> &[RunnerSlots] {
        &self.host.far
    }

    /// Returns the runner that a slot of this run is on.
    pub(super) fn runner_of(&self, slot: SlotId) -> Option<&str> {
        match slot {
            SlotId::Session(number) => runner_slots::runner_of(&self.host.far, number),
            SlotId::Verification(_) | SlotId::Recheck => None,
        }
    }

    /// Notes what a slot on a runner is to hold.
    pub(super) fn fill_far_slot(&self, content: &SlotContent<'_>) -> Result<()> {
        self.refuse_lost_locks()?;
        if self.git.is_shallow() {
            return Err(Error::environment(
                "this repository is a shallow clone, and a runner cannot be sent half a history",
            )
            .hint("get the rest: git fetch --unshallow"));
        }
        if let Some(unsent) = self.git.unsent(content.tree)? {
            self.note_once_per_run(
                "far submodules",
                &format!("{unsent}; sessions there find their places empty"),
            );
        }
        self.note_driven(content.branch);
        let order = FarOrder {
            commit: content.commit,
            tree: content.tree,
            branch: content.branch.to_owned(),
            setup: None,
            left: None,
        };
        self.far.orders().insert(content.slot, order);
        Ok(())
    }

    /// Notes the set-up that is to run there.
    pub(super) fn note_far_setup(&self, slot: SlotId, request: &SetUp<'_>) {
        if !request.link.is_empty() {
            let links = request.link.join(", ");
            self.note_once_per_run(
                "far links",
                &format!(
                    "what `link` names is not sent to runners, and is not in their slots: {links}"
                ),
            );
        }
        let setup = request.shell.map(|shell| SetupRequest {
            base: *request.base,
            shell: shell.to_owned(),
            state_dir: request.state_dir.to_owned(),
        });
        if let Some(order) = self.far.orders().get_mut(&slot) {
            order.setup = setup;
        }
    }

    /// Returns what a slot on a runner holds as far as home knows; nothing for a slot that was never on one.
    pub(super) fn far_captured(&self, slot: SlotId) -> Result<Option<CapturedTree>> {
        let order = self.far.orders().get(&slot).cloned();
        let (tree, left) = match order {
            Some(order) => (order.tree, order.left),
            None => match self.interrupted_far_session(slot)? {
                Some(found) => found,
                None => return Ok(None),
            },
        };
        Ok(Some(match left {
            Some(left) => CapturedTree {
                tree: left.tree,
                history_ok: left.history_ok,
                notes: left.notes,
            },
            None => CapturedTree {
                tree,
                history_ok: true,
                notes: vec![],
            },
        }))
    }

    /// Returns what is known of a session on a runner that was under way when a driver died.
    fn interrupted_far_session(
        &self,
        slot: SlotId,
    ) -> Result<Option<(ObjectId, Option<LeftTree>)>> {
        let notes = super::read_in_flight(&self.state())?;
        let of_slot = |note: &&gatewalk_core::driver::ports::InFlight| {
            note.slot == slot && note.runner.is_some()
        };
        let Some(note) = notes.iter().find(of_slot) else {
            return Ok(None);
        };
        let bytes = std::fs::read(self.far_note(slot)).unwrap_or_default();
        let left = serde_json::from_slice::<FarNote>(&bytes).ok();
        let left = left.filter(|left| left.unit == note.unit && left.number == note.number);
        Ok(Some((note.tree, left.map(|left| left.left))))
    }

    pub(super) fn far_note(&self, slot: SlotId) -> PathBuf {
        self.state().join("far-left").join(format!("{slot}.json"))
    }
}

impl Host {
    /// Returns a runner of the user's.
    pub fn runner(&self, name: &str) -> Result<&RunnerDefinition> {
        let found = self.runners.iter().find(|runner| runner.name == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = self.runners.iter().map(|r| r.name.as_str()).collect();
            let known = match (nearest(name, names.iter().copied()), names.is_empty()) {
                (Some(near), _) => format!("did you mean `{near}`?"),
                (None, true) => "it defines none".to_owned(),
                (None, false) => format!("it has {}", names.join(", ")),
            };
            Error::usage(format!(
                "your configuration has no runner `{name}`; {known}"
            ))
            .hint("a runner is an entry of `runners:` in your own config.yml; docs/runners.md has one for each engine")
        })
    }
}
