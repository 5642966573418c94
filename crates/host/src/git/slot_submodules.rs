//! What a session did in a submodule's place of a slot.

use super::checkout_objects::id_of;
use super::git_command::{CommandScope, GitCommand};
use super::slot::Slot;
use super::{Git, GitPath, filled_submodule, worktree};
use gatewalk_core::error::Result;
use gatewalk_core::object_id::ObjectId;
use std::fs;
use std::path::{Path, PathBuf};

impl Git {
    /// Returns the submodules whose place holds files that are not those of the commit the index names.
    ///
    /// Where this machine has none of it, a project's set-up may have fetched it, and that is no change.
    pub(super) fn changed_submodules(&self, slot: &Slot) -> Result<Vec<GitPath>> {
        let index = self.index_of(slot)?;
        let links = index.links();
        let filled = slot.submodules();
        let mut changed = Vec::new();
        for link in links {
            let (at, commit) = (GitPath::new(link.path), link.version().oid);
            let place = worktree::inside(slot.dir(), &at);
            if !place.is_some_and(|place| holds_files(&place)) {
                continue;
            }
            let known = filled.iter().find(|known| known.place == at);
            let as_pinned = match known.filter(|known| known.commit == commit) {
                Some(known) => filled_submodule::is_as_filled(slot, known)?,
                None => self.is_as_pinned(slot, &at, commit),
            };
            if !as_pinned {
                changed.push(at);
            }
        }
        Ok(changed)
    }

    /// Returns whether a fetched submodule has exactly the files of a commit. Its objects are read, nothing of it runs.
    fn is_as_pinned(&self, slot: &Slot, place: &GitPath, commit: ObjectId) -> bool {
        let full = slot.dir().join(place.as_path());
        // Kept from capture to capture: the repository that was fetched there is set aside with the first one.
        let name = id_of("blob", place.as_bytes(), self.object_format());
        let index = slot.state().join(format!("submodule-{name}-{commit}"));
        let call = |name: &str| GitCommand::new(self, CommandScope::Slot(&full, &index), name);
        if !index.exists() {
            let Some(git_dir) = git_dir_of(&full, slot.dir()) else {
                return false;
            };
            let read = call("read-tree").env("GIT_OBJECT_DIRECTORY", git_dir.join("objects"));
            if read.arg(commit.hex()).run().is_err() {
                return false;
            }
        }
        // What cannot be compared counts as changed: then nothing of it is left out.
        let compared = call("add").args(["-A", "-n", "."]).run();
        compared.is_ok_and(|output| output.stdout.is_empty())
    }
}

fn holds_files(place: &Path) -> bool {
    let is_dir = fs::symlink_metadata(place).is_ok_and(|meta| meta.is_dir());
    let mut entries = fs::read_dir(place).into_iter().flatten().flatten();
    is_dir && entries.any(|entry| entry.file_name() != ".git")
}

/// Returns the git directory of a repository in a slot, unless it leads out of the slot.
fn git_dir_of(place: &Path, slot: &Path) -> Option<PathBuf> {
    let own = place.join(".git");
    let meta = fs::symlink_metadata(&own).ok()?;
    let dir = match meta.is_dir() {
        true => own,
        false if meta.is_file() && meta.len() < 8192 => {
            let text = fs::read_to_string(&own).ok()?;
            place.join(text.strip_prefix("gitdir:")?.trim())
        }
        false => return None,
    };
    let dir = dir.canonicalize().ok()?;
    dir.starts_with(slot.canonicalize().ok()?).then_some(dir)
}
