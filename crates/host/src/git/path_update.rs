//! What becomes of one path when the user's checkout follows a branch.

use super::Change;
use super::checkout_update_rules::{PathAction, WorkTreeState};
use std::path::PathBuf;

/// One changed path of the checkout.
pub(super) struct PathUpdate<'a> {
    pub(super) change: &'a Change,
    pub(super) found: WorkTreeState,
    pub(super) step: PathAction,
    /// What the user's version becomes, where it is one of a plan file that takes the changes.
    pub(super) plan_edit: Option<PlanEdit>,
}

/// The user's version of a plan file with what a run wrote into it.
pub(super) struct PlanEdit {
    pub(super) target: PathBuf,
    pub(super) before: WorkTreeState,
    pub(super) text: String,
}
