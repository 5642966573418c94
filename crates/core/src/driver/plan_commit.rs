//! Commits of the driver on the feature's branch: a tree with plan files replaced, placed by one compare-and-swap.

use super::committed_plan::CommittedPlan;
use super::driver_event::DriverEvent;
use super::ports::{CheckoutUpdate, CommitRequest, History, TreeWrite};
use super::run_loop::Driver;
use crate::error::Result;
use crate::model::edit::FileEdits;
use crate::object_id::ObjectId;

/// Commits plan files alone, on the plan they were edited from.
pub(super) fn place_edit(
    driver: &Driver<'_>,
    plan: &CommittedPlan,
    edits: FileEdits,
    message: &str,
) -> Result<Option<(ObjectId, CheckoutUpdate)>> {
    let commit = CommitRequest {
        tree: plan.tree,
        parent: plan.commit,
        message,
    };
    place(driver, &commit, edits)
}

pub(super) fn place(
    driver: &Driver<'_>,
    commit: &CommitRequest<'_>,
    mut edits: FileEdits,
) -> Result<Option<(ObjectId, CheckoutUpdate)>> {
    let unwritten = driver.carry_witnesses(&mut edits);
    let placed = place_edits(driver.machine, &driver.branch, commit, edits);
    if !matches!(placed, Ok(Some(_))) {
        driver.cache().backlog.unwritten.splice(..0, unwritten);
    }
    let placed = placed?;
    if let Some((landed, followed)) = &placed {
        driver.trust(&commit.parent, landed);
        report_checkout_update(driver, followed);
    }
    Ok(placed)
}

/// Commits a tree with plan files replaced and moves the branch, if it still is at the commit's parent.
///
/// Returns nothing when the branch moved meanwhile: the caller looks again.
pub fn place_edits(
    history: &dyn History,
    branch: &str,
    commit: &CommitRequest<'_>,
    edits: FileEdits,
) -> Result<Option<(ObjectId, CheckoutUpdate)>> {
    place_writes(history, branch, commit, &tree_writes(edits))
}

/// Returns edits as what is written into a tree.
pub fn tree_writes(edits: FileEdits) -> Vec<TreeWrite> {
    edits
        .into_iter()
        .map(|(path, text)| (path, Some(text.into_bytes().into())))
        .collect()
}

/// The same, where files may also be taken out.
pub fn place_writes(
    history: &dyn History,
    branch: &str,
    commit: &CommitRequest<'_>,
    writes: &[TreeWrite],
) -> Result<Option<(ObjectId, CheckoutUpdate)>> {
    let tree = history.edit_tree(&commit.tree, writes)?;
    history.land(branch, &CommitRequest { tree, ..*commit })
}

fn report_checkout_update(driver: &Driver<'_>, followed: &CheckoutUpdate) {
    for text in followed.said() {
        driver.report(DriverEvent::Note { text });
    }
    driver.cache().behind |= followed.not_followed.is_some();
}
