//! A slot for a user's own session on a unit: what an attempt would find, and what the user left in it.

use super::ports::{CommitRequest, SlotContent, SlotId};
use super::run_loop::Driver;
use crate::error::Result;
use crate::model::layout;
use crate::object_id::ObjectId;

/// A slot that is ready for a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandSlot {
    /// The slot's directory on this machine.
    pub dir: String,
    /// The commit it stands on.
    pub tip: ObjectId,
    /// What a session of the unit would be given, what was tried among it.
    pub prompt: String,
}

impl Driver<'_> {
    /// Prepares a slot with the files of the branch's tip, set up.
    ///
    /// Fails where the unit is unknown or its commands would prove nothing.
    pub fn open_hand_slot(&self, unit: &str, slot: SlotId) -> Result<HandSlot> {
        let tip = self.tip()?;
        let plan = self.plan_at(&tip)?;
        self.machine.prepare_slot(&SlotContent {
            slot,
            commit: tip,
            tree: plan.tree,
            branch: &self.branch,
        })?;
        self.set_up(&plan, slot, &plan.tree)?;
        Ok(HandSlot {
            dir: self.machine.slot_root(slot)?,
            tip,
            prompt: self.prompt_at(&tip, unit)?.text(),
        })
    }

    /// Takes what is in such a slot, as a session's work is taken, and pins it; returns the tree and the ref.
    pub fn take_hand_slot(
        &self,
        opened: &HandSlot,
        (unit, slot): (&str, SlotId),
    ) -> Result<(ObjectId, String)> {
        let tree = self.machine.capture(slot, &opened.tip)?.tree;
        let kept = format!("{}attached/{unit}", layout::REFS);
        let pin = CommitRequest {
            tree,
            parent: opened.tip,
            message: &format!("What was done by hand on {unit}, attached\n"),
        };
        self.machine.pin(&kept, &pin)?;
        Ok((tree, kept))
    }
}
