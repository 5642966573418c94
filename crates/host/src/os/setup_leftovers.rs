//! What set-up leaves that git does not ignore. In a session's slot: no session made it, so none lands it, and the slot loses it
//! when it is prepared anew, so set-up runs again there. In a verification slot it stays, as what is ignored does.
//!
//! Invariant: what a session changed of it is the session's work.

use super::setup_artifacts::SetupArtifacts;
use super::{Os, runtime};
use crate::git::{Change, GitPath, SlotCapture};
use gatewalk_core::driver::ports::{SetUp, SlotId};
use gatewalk_core::engine::evidence::first_named;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

/// How many paths are named.
const NAMED: usize = 3;

impl Os<'_> {
    /// There where set-up left what git does not ignore; of a session's slot it holds the tree as set-up left it.
    fn left_file(&self, slot: SlotId) -> PathBuf {
        self.setup_stamp(slot).with_extension("left")
    }

    /// Forgets what set-up left in a slot that was prepared anew.
    pub(super) fn forget_leftovers(&self, slot: SlotId) {
        drop(fs::remove_file(self.left_file(slot)));
    }

    /// Keeps of a verification slot whether set-up left what git does not ignore: a tree may have files there, too.
    pub(super) fn note_exposed(&self, slot: SlotId, exposed: bool) -> Result<()> {
        let file = self.left_file(slot);
        if !exposed {
            self.forget_leftovers(slot);
            return Ok(());
        }
        runtime::make_parent(&file)?;
        fs::write(&file, "").map_err(|e| Error::io("write", &file, &e))
    }

    /// Returns what of the things that set-up made in a verification slot is tracked there by now.
    pub(super) fn tracked_by_now(
        &self,
        slot: SlotId,
        made: &SetupArtifacts,
    ) -> Result<Vec<String>> {
        match self.left_file(slot).exists() {
            true => self.git.tracked_among(&self.slot(slot)?, made.roots()),
            false => Ok(vec![]),
        }
    }

    /// Returns whether set-up, which has just run in a session's slot, left anything that a capture would take; what that is
    /// is kept.
    pub(super) fn note_leftovers(&self, slot: SlotId, request: &SetUp<'_>) -> Result<bool> {
        let place = self.slot(slot)?;
        let captured = self.git.capture(&place, *request.tree)?;
        self.note_holds(slot, None);
        if captured.changes.is_empty() {
            return Ok(false);
        }
        let file = self.left_file(slot);
        runtime::make_parent(&file)?;
        fs::write(&file, captured.tree.hex()).map_err(|e| Error::io("write", &file, &e))?;
        let link = |path: &str| {
            request
                .link
                .iter()
                .any(|link| link.trim_end_matches('/') == path)
        };
        let new = captured
            .changes
            .iter()
            .filter(|change| change.old.is_none());
        let new: Vec<GitPath> = new
            .map(|change| change.path.clone())
            .filter(|path| !link(&path.to_text()))
            .collect();
        if !new.is_empty() {
            self.note_once_per_run(
                "setup leaves",
                &format!(
                    "`setup` leaves files that git does not ignore ({}): they are no part of the work, and cost a set-up for each session; name them in `.gitignore`",
                    named(&new)
                ),
            );
        }
        Ok(true)
    }

    /// Takes out of a capture what set-up left and the session did not change; returns what that is.
    pub(super) fn without_leftovers(
        &self,
        slot: SlotId,
        base: ObjectId,
        captured: &mut SlotCapture,
    ) -> Result<Vec<GitPath>> {
        let file = self.left_file(slot);
        let tree = fs::read_to_string(file).ok();
        let Some(tree) = tree.and_then(|hex| ObjectId::parse(hex.trim().as_bytes())) else {
            return Ok(vec![]);
        };
        let left = self.git.diff(base, tree)?;
        let left: HashMap<&GitPath, &Change> = left.iter().map(|c| (&c.path, c)).collect();
        let by_setup = |change: &Change| {
            left.get(&change.path)
                .is_some_and(|left| left.new == change.new)
        };
        let out: Vec<Change> = captured
            .changes
            .iter()
            .filter(|c| by_setup(c))
            .cloned()
            .collect();
        let versions: Vec<_> = out
            .iter()
            .map(|change| (&change.path, change.old))
            .collect();
        captured.tree = self.git.edit_versions(captured.tree, &versions)?;
        captured.changes.retain(|change| !by_setup(change));
        Ok(out.into_iter().map(|change| change.path).collect())
    }
}

/// Returns the first of some paths, and how many more there are.
pub(super) fn named(paths: &[GitPath]) -> String {
    let texts: Vec<_> = paths.iter().map(GitPath::to_text).collect();
    first_named(&texts, NAMED)
}
