//! The project's set-up in a slot, and what verification keeps of it from run to run.
//!
//! Invariant: what set-up made by a tree that never landed is used for that very tree only. Absent on purpose:
//! the copying of linked paths (`linked_files`), and what changed in what was made (`setup_artifacts`).

use super::running_reports::RunningReports;
use super::setup_artifacts::{self, SetupArtifacts};
use super::shell::{self, ShellCall};
use super::{Os, runtime};
use crate::git::GitPath;
use gatewalk_core::driver::ports::{SetUp, ShellEnd, SlotId};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::verification::LOCK_FILES;
use gatewalk_core::object_id::ObjectId;
use gatewalk_core::parallel::locked;
use gatewalk_core::path_names::file_name;
use gatewalk_core::scaffold;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Wall-clock limit of a project's `setup`.
const SETUP_TIMEOUT: Duration = Duration::from_secs(30 * 60);

/// The word for what landed work made.
const LANDED: &str = "landed";

impl Os<'_> {
    /// Says for which tree set-up ran, in its first line, and from what.
    pub(super) fn setup_stamp(&self, slot: SlotId) -> PathBuf {
        let slots = self.state().join("slots");
        slots.join(slot.to_string()).join("setup")
    }

    fn made_file(&self, slot: SlotId) -> PathBuf {
        self.setup_stamp(slot).with_extension("made")
    }

    /// Makes the set-up run again in a slot that was built anew.
    pub(super) fn discard_setup(&self, slot: SlotId) {
        let mut known = locked(&self.made);
        known.insert(slot, Arc::default());
        // A stamp that cannot be removed is caught by the set-up's own products being absent.
        drop(std::fs::remove_file(self.setup_stamp(slot)));
        drop(std::fs::remove_file(self.made_file(slot)));
    }

    /// Returns what was made in a slot; what this process knows itself counts before what the disk says.
    fn made_in(&self, slot: SlotId) -> Arc<SetupArtifacts> {
        let mut known = locked(&self.made);
        let read = || SetupArtifacts::load(&self.made_file(slot)).unwrap_or_default();
        Arc::clone(known.entry(slot).or_insert_with(|| Arc::new(read())))
    }

    /// Returns the ignored paths that verification's slot keeps: what the user listed, links, what set-up made.
    pub(super) fn kept_in(&self, slot: SlotId) -> Vec<String> {
        let mut kept = self.listed_caches();
        let made = self.made_in(slot);
        kept.extend(made.roots().iter().map(|path| anchored(path)));
        kept
    }

    fn listed_caches(&self) -> Vec<String> {
        let caches = locked(&self.caches);
        caches.clone()
    }

    /// Looks whether a verification slot, prepared anew, still holds what set-up made: what commands added goes, and
    /// what they changed is made again.
    pub(super) fn check_made(&self, slot: SlotId) -> Result<()> {
        let made = self.made_in(slot);
        let place = self.slot(slot)?;
        let tracked = self.tracked_by_now(slot, &made)?;
        if tracked.is_empty()
            && made.look_again(place.dir()) == setup_artifacts::ArtifactState::Whole
        {
            return Ok(());
        }
        made.remove(place.dir(), &tracked)
            .map_err(|e| Error::io("empty", place.dir(), &e))?;
        self.discard_setup(slot);
        self.note_once_per_run(
            "made",
            &format!(
                "commands of verification changed what set-up made ({}), so it is made again before the next ones; `cache:` in config.yml names paths they may change, and what is left there is then trusted",
                made.roots().join(", ")
            ),
        );
        Ok(())
    }

    /// Records what set-up and links made.
    fn note_made(&self, slot: SlotId, link: &[String]) -> Result<()> {
        let place = self.slot(slot)?;
        let ignored = self.git.ignored_in(&place)?;
        let left = self.git.unignored_in(&place)?;
        self.note_exposed(slot, !left.is_empty())?;
        let caches = self.listed_caches().join("\n");
        let mut roots: Vec<String> = ignored
            .iter()
            .chain(&left)
            .filter_map(GitPath::as_str)
            .map(|path| path.trim_end_matches('/').to_owned())
            .chain(link.iter().cloned())
            .filter(|path| !path.contains('\n') && !scaffold::initial_files::ignored(&caches, path))
            .collect();
        roots.sort();
        roots.dedup();
        let made = SetupArtifacts::take(place.dir(), roots);
        let file = self.made_file(slot);
        runtime::make_parent(&file)?;
        // Losing it only means that the set-up's products go and the set-up runs again.
        drop(made.save(&file));
        let mut known = locked(&self.made);
        known.insert(slot, Arc::new(made));
        Ok(())
    }

    /// Updates links and runs the set-up, unless that was done in this slot for the same inputs.
    pub(super) fn prepare_setup(
        &self,
        slot: SlotId,
        request: &SetUp<'_>,
    ) -> Result<Option<ShellEnd>> {
        let judged = !slot.is_session();
        let inputs = request
            .shell
            .map(|shell| self.setup_inputs(request.tree, shell));
        let inputs = inputs.transpose()?;
        let done = match &inputs {
            Some(inputs) => self.is_set_up(slot, request, inputs)?,
            None => true,
        };
        if judged && !done {
            // What another tree's code made goes first.
            let dir = self.slot(slot)?.dir().to_path_buf();
            let (made, stamp) = (self.made_in(slot), self.setup_stamp(slot));
            let landed = std::fs::read_to_string(&stamp).is_ok_and(|s| s.starts_with(LANDED));
            if !landed {
                let tracked = self.tracked_by_now(slot, &made)?;
                made.remove(&dir, &tracked)
                    .map_err(|e| Error::io("empty", &dir, &e))?;
                self.discard_setup(slot);
            }
        }
        if slot.is_session() {
            self.forget_leftovers(slot);
        }
        let linked = self.update_links(slot, request.link)?;
        let ran = match request.shell {
            Some(shell) if !done => Some(self.run_setup(slot, shell, request)?),
            _ => None,
        };
        let good = ran.as_ref().is_none_or(|end| end.ended.is_success());
        if judged && good && (linked || ran.is_some()) {
            self.note_made(slot, request.link)?;
        }
        if let (Some(inputs), true) = (inputs, good && ran.is_some()) {
            match slot.is_session() && self.note_leftovers(slot, request)? {
                true => drop(std::fs::remove_file(self.setup_stamp(slot))),
                false => self.note_set_up(slot, request, &inputs)?,
            }
        }
        Ok(ran)
    }

    /// Returns whether what is there was made from the same inputs, by landed work or by this very tree.
    fn is_set_up(&self, slot: SlotId, request: &SetUp<'_>, inputs: &str) -> Result<bool> {
        let stamp = self.setup_stamp(slot);
        let had = std::fs::read_to_string(&stamp).unwrap_or_default();
        let (by, from) = had.split_once('\n').unwrap_or_default();
        if from != inputs {
            return Ok(false);
        }
        if by == LANDED || slot.is_session() {
            return Ok(true);
        }
        let key = |tree: &ObjectId| self.git.product_key(*tree, request.state_dir);
        if by == key(request.base)? {
            // It landed meanwhile. A lost stamp only means that the set-up runs again.
            drop(std::fs::write(&stamp, format!("{LANDED}\n{from}")));
            return Ok(true);
        }
        Ok(request.tree != request.base && by == key(request.tree)?)
    }

    fn run_setup(&self, slot: SlotId, shell: &str, request: &SetUp<'_>) -> Result<ShellEnd> {
        let place = self.slot(slot)?;
        let log = self.state().join("logs").join("setup.log");
        runtime::make_parent(&log)?;
        let env = self.env(&[], "", None);
        let run = format!("setup-{slot}");
        let mut reports = RunningReports::of_set_up(SETUP_TIMEOUT, self.watcher);
        let sh = || {
            self.sh(ShellCall {
                running: &mut |elapsed| reports.tick(elapsed),
                slot,
                shell,
                cwd: place.dir(),
                env,
                run: &run,
                timeout: SETUP_TIMEOUT,
                network: true,
                feature_dir: None,
                log: &log,
            })
        };
        if request.tree == request.base {
            return Ok(shell::end_of(&self.unwatched(sh), SETUP_TIMEOUT, None));
        }
        // It runs what an attempt left.
        let (ran, tampering) = self.watched_command("the set-up of an attempt", sh)?;
        Ok(shell::end_of(&ran, SETUP_TIMEOUT, tampering))
    }

    /// Records from what set-up made what is there; written last, so that nothing half made is trusted.
    fn note_set_up(&self, slot: SlotId, request: &SetUp<'_>, inputs: &str) -> Result<()> {
        let stamp = self.setup_stamp(slot);
        runtime::make_parent(&stamp)?;
        let by = match slot.is_session() || request.tree == request.base {
            true => LANDED.to_owned(),
            false => self.git.product_key(*request.tree, request.state_dir)?,
        };
        // A lost stamp only means that the set-up runs again.
        drop(std::fs::write(&stamp, format!("{by}\n{inputs}")));
        Ok(())
    }

    fn setup_inputs(&self, tree: &ObjectId, setup: &str) -> Result<String> {
        let mut inputs = format!("{setup}\n");
        for entry in self.git.list_tree(*tree, &GitPath::new(Vec::new()))? {
            let path = entry.path.to_text();
            if LOCK_FILES.contains(&file_name(&path)) {
                inputs.push_str(&format!("{} {path}\n", entry.oid));
            }
        }
        Ok(inputs)
    }

    /// Takes a note as reported.
    pub(super) fn leave_unsaid(&self, key: &str) {
        let mut reported = locked(&self.reported);
        reported.insert(key.to_owned());
    }

    pub(super) fn note_once_per_run(&self, key: &str, text: &str) {
        let mut reported = locked(&self.reported);
        if reported.insert(key.to_owned()) {
            drop(reported);
            self.note(text.to_owned());
        }
    }
}

/// Returns the pattern that means just this path.
fn anchored(path: &str) -> String {
    let mut pattern = "/".to_owned();
    for letter in path.chars() {
        if matches!(letter, '\\' | '*' | '?' | '[' | ' ') {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_a_pattern_that_means_only_itself() {
        for (path, pattern) in [
            ("node_modules", "/node_modules"),
            ("app/[id]/made", "/app/\\[id]/made"),
            ("a*b ", "/a\\*b\\ "),
        ] {
            assert_eq!(anchored(path), pattern);
        }
    }
}
