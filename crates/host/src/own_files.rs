//! The files of the state directory that the driver alone writes, where a checkout has them stale or cut short.

use super::git::GitPath;
use super::state_repository::{Repository, Selected, full};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::layout;

impl Repository {
    /// Puts the log back where the checkout has an earlier version, only the beginning of it, or none; returns its path.
    ///
    /// A log only grows, so that what is replaced is in what replaces it. The roadmap is yours too: it comes back only
    /// where it was cut short.
    pub fn restore_own_files(&self, selected: &Selected) -> Result<Vec<String>> {
        let mut restored = Vec::new();
        if !selected.exists || self.head.branch.as_deref() != Some(&*full(&selected.branch)) {
            return Ok(restored);
        }
        let log = format!("{}/{}", selected.dir, layout::EVENTS);
        for path in [log, self.layout.path(layout::ROADMAP)] {
            let git_path = GitPath::new(path.as_bytes());
            let Some(committed) = self.git.file_at(selected.commit, &git_path)? else {
                continue;
            };
            let full_path = self.git.work_tree().join(&path);
            let there = match std::fs::read(&full_path) {
                Ok(bytes) => Some(bytes),
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => None,
                Err(e) => return Err(Error::io("read", &full_path, &e)),
            };
            let is_log = path.ends_with(layout::EVENTS);
            let stale = match &there {
                Some(bytes) => *bytes != committed && committed.starts_with(bytes),
                // A sparse checkout may leave it out by design; git knows, and the plan is read from the commit.
                None => is_log && !self.git.is_sparse(),
            };
            let staged = || Ok::<_, Error>(!self.git.status(&git_path)?.entries.is_empty());
            if stale || is_log && there.as_ref() == Some(&committed) && staged()? {
                self.git.restore_file(selected.commit, &git_path)?;
                restored.push(path);
            }
        }
        Ok(restored)
    }
}
