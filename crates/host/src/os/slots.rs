//! The slots of the real machine: opened once, and what each is known to hold, so that a slot nothing ran in is not
//! read again.

use super::{Os, disposable, full, setup_leftovers};
use crate::git::{self, GitPath, KnownTree, Slot};
use crate::isolation::Layer;
use crate::{crash, installed_programs};
use gatewalk_core::driver::ports::{CapturedTree, SlotContent, SlotId};
use gatewalk_core::error::{Error, ErrorCause, Result};
use gatewalk_core::object_id::ObjectId;
use gatewalk_core::parallel::locked;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::Ordering;

/// What a slot holds, once its tree was written to it or read from it.
pub(super) fn known(tree: gatewalk_core::object_id::ObjectId, swept: bool) -> KnownTree {
    KnownTree {
        tree,
        swept,
        untrusted: false,
    }
}

/// Free space under which no slot is filled.
const LEAST_SPACE: u64 = 64 << 20;

/// Returns the error for a place with less than [`LEAST_SPACE`] free.
fn too_full(place: &Path) -> Option<Error> {
    let free = crash::free_space(installed_programs::free_space(place)?);
    (free < LEAST_SPACE).then(|| {
        Error::environment(format!(
            "only {} MiB are free at `{}`, and a run needs {} MiB",
            free >> 20,
            place.display(),
            LEAST_SPACE >> 20
        ))
        .because(ErrorCause::NoSpace)
    })
}

/// Names the note on submodules whose files no slot can have.
const SUBMODULES: &str = "submodules";

impl Os<'_> {
    /// Returns a slot, opened once.
    pub(super) fn slot(&self, slot: SlotId) -> Result<Slot> {
        let mut opened = locked(&self.opened);
        if let Some(opened) = opened.get(&slot) {
            return Ok(opened.clone());
        }
        let name = slot.to_string();
        let new = self.git.slot(&name, &self.slots.join(&name))?;
        opened.insert(slot, new.clone());
        Ok(new)
    }

    /// Does something with the commits this run made itself, while no other of its threads makes one.
    pub(super) fn own_commits<T>(
        &self,
        with: impl FnOnce(&mut BTreeSet<gatewalk_core::object_id::ObjectId>) -> Result<T>,
    ) -> Result<T> {
        let mut own = locked(&self.landed);
        with(&mut own)
    }

    /// Records what a slot holds; none once anything runs in it.
    pub(super) fn note_holds(&self, slot: SlotId, held: Option<KnownTree>) {
        let mut holds = locked(&self.holds);
        match held {
            Some(held) => holds.insert(slot, held),
            None => holds.remove(&slot),
        };
    }

    /// Distrusts what every slot holds, and what is kept from run to run: something that nothing confines runs.
    pub(super) fn distrust_slots(&self) {
        self.exposed.store(true, Ordering::SeqCst);
        self.unseal_slots();
        let mut holds = locked(&self.holds);
        for held in holds.values_mut() {
            held.swept = false;
            held.untrusted = true;
        }
    }

    fn held(&self, slot: SlotId) -> Option<KnownTree> {
        let holds = locked(&self.holds);
        holds.get(&slot).copied()
    }

    /// Makes a slot hold a tree, by the shortest way that is sure.
    pub(super) fn fill_slot(&self, content: &SlotContent<'_>) -> Result<()> {
        let (slot, tree) = (content.slot, content.tree);
        self.refuse_lost_locks()?;
        self.refuse_full_disk()?;
        self.note_driven(content.branch);
        let mut opened = self.slot(slot)?;
        let branch = full(content.branch);
        let held = self.held(slot);
        let quiet = held.as_ref().is_some_and(|held| held.swept);
        // Whatever happens from here on, what was known is not known any more.
        self.note_holds(slot, None);
        let mounted =
            matches!(self.layer(), Layer::Bubblewrap(_)) && !self.exposed.load(Ordering::SeqCst);
        self.standbys
            .emptying(opened.dir(), |points| {
                self.temporary
                    .empty(opened.dir(), mounted.then_some(points))
            })
            .map_err(|e| Error::io("empty the temporary directory of", opened.dir(), &e))?;
        if !slot.is_session() {
            opened = opened.keeping_only(self.kept_in(slot));
        }
        let target = git::SlotTarget {
            tree,
            commit: content.commit,
            branch: &branch,
        };
        let prepared = match held {
            Some(held) => self.git.advance(&opened, held, target)?,
            None => self.git.prepare_tree(&opened, target)?,
        };
        self.note_absent(&opened);
        if prepared == git::SlotPreparation::Fresh {
            self.discard_setup(slot);
        } else if !slot.is_session() && !quiet {
            self.check_made(slot)?;
        }
        self.note_holds(slot, Some(known(tree, true)));
        Ok(())
    }

    /// Says nothing about files of submodules: where this is a far end, home knows what it does not send.
    pub(crate) fn without_submodules(&self) {
        self.leave_unsaid(SUBMODULES);
    }

    /// Names the submodules whose files no slot can have, once a run.
    fn note_absent(&self, slot: &Slot) {
        let absent = slot.absent_submodules();
        if !absent.is_empty() {
            let places: Vec<String> = absent.iter().map(GitPath::to_shown).collect();
            self.note_once_per_run(
                SUBMODULES,
                &format!(
                    "your checkout does not have the commit of {}, so its place is empty for sessions and checks; to have it there: git submodule update --init --recursive",
                    places.join(", ")
                ),
            );
        }
    }

    pub(super) fn note_driven(&self, branch: &str) {
        let mut driven = locked(&self.driven);
        if !driven.contains(branch) {
            driven.insert(branch.to_owned());
        }
    }

    /// Returns the full names of the branches this run drives.
    pub(super) fn driven_refs(&self) -> BTreeSet<String> {
        let driven = locked(&self.driven);
        driven.iter().map(|branch| full(branch)).collect()
    }

    /// Refuses to fill a slot where there is hardly any space: what stops in the middle costs a session. Slots that this
    /// run has not used are given back first.
    fn refuse_full_disk(&self) -> Result<()> {
        let places = [self.git.common_dir(), &*self.slots];
        let full = || places.into_iter().find_map(too_full);
        if full().is_none() {
            return Ok(());
        }
        let opened = locked(&self.opened);
        let used: BTreeSet<String> = opened.keys().map(SlotId::to_string).collect();
        disposable::give_back_slots((&self.git, &self.host), &used, &|| full().is_none())?;
        match full() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Captures what a slot holds.
    pub(super) fn capture_slot(&self, slot: SlotId, base: &ObjectId) -> Result<CapturedTree> {
        let mut captured = self.git.capture(&self.slot(slot)?, *base)?;
        let left = self.without_leftovers(slot, *base, &mut captured)?;
        let mut notes = captured.notes;
        if !captured.nested_repositories.is_empty() {
            notes.push(format!(
                "repositories inside the work, taken as plain files: {}",
                setup_leftovers::named(&captured.nested_repositories)
            ));
        }
        if !captured.skipped.is_empty() {
            notes.push(format!(
                "not regular files, left out: {}",
                setup_leftovers::named(&captured.skipped)
            ));
        }
        if !captured.newly_ignored.is_empty() {
            notes.push(format!(
                "ignored by a `.gitignore` that changed, so no part of the work: {}",
                setup_leftovers::named(&captured.newly_ignored)
            ));
        }
        if !left.is_empty() {
            notes.push(format!(
                "left as `setup` made them, so no part of the work: {}",
                setup_leftovers::named(&left)
            ));
        }
        // What was left out of the tree is still in the slot.
        let whole = captured.skipped.is_empty()
            && left.is_empty()
            && captured.nested_repositories.is_empty()
            && !captured.filtered;
        let swept = !captured.ignore_rules_changed;
        self.note_holds(slot, whole.then(|| known(captured.tree, swept)));
        // A slot whose git directory is gone proves nothing about the history; the tree still counts.
        Ok(CapturedTree {
            tree: captured.tree,
            history_ok: captured.history != git::SlotHistory::Diverged,
            notes,
        })
    }
}
