//! Whether submodules of a slot are as they were filled.

use super::git_command::GitCommand;
use super::slot::{FilledSubmodule, Slot};
use super::{GitPath, worktree};
use gatewalk_core::engine::oracle::hex;
use gatewalk_core::error::{Error, ErrorCause, Result};
use gatewalk_core::object_id::ObjectId;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

/// Puts the files of the submodules of a slot back, where commands changed any, as `Git::restore` does.
pub(super) fn restore_submodules(slot: &Slot, changed: bool) -> Result<()> {
    for part in slot.submodules() {
        if real_directory(slot, &part.place)?.is_none() {
            continue;
        }
        part.git.restore(&part.slot, part.commit, changed)?;
        if changed {
            part.git
                .refresh_git(&part.slot, part.commit, &part.branch)?;
        }
    }
    Ok(())
}

/// Returns the files of submodules of a slot that are not as they were prepared.
pub(super) fn changed_in_submodules(slot: &Slot) -> Result<Vec<GitPath>> {
    let mut found = Vec::new();
    for part in slot.submodules() {
        let there = worktree::inside(slot.dir(), &part.place)
            .is_some_and(|dir| fs::symlink_metadata(dir).is_ok_and(|meta| meta.is_dir()));
        if !there {
            found.push(part.place);
            continue;
        }
        let changed = part.git.changed_since_prepared(&part.slot)?;
        found.extend(changed.iter().map(|path| part.place.join(path.as_bytes())));
    }
    Ok(found)
}

/// Returns whether a filled submodule has exactly its commit's files. Its `.git` goes first, and those inside: nothing
/// that a session wrote there is asked.
pub(super) fn is_as_filled(slot: &Slot, part: &FilledSubmodule) -> Result<bool> {
    let Some(dir) = worktree::inside(slot.dir(), &part.place) else {
        return Ok(false);
    };
    if !fs::symlink_metadata(&dir).is_ok_and(|meta| meta.is_dir()) {
        return Ok(false);
    }
    worktree::remove(&dir.join(".git"))?;
    for inner in part.slot.submodules() {
        if !is_as_filled(&part.slot, &inner)? {
            return Ok(false);
        }
    }
    if !part.slot.index().is_ours() {
        return Ok(false);
    }
    let scope = part.slot.scope()?;
    // What cannot be compared counts as changed: then nothing of it is left out.
    let compared = GitCommand::new(&part.git, scope, "add").args(["-A", "-n", "."]);
    Ok(compared.run().is_ok_and(|output| output.stdout.is_empty()))
}

/// Returns the directory of a submodule's place, made where something else is there.
pub(super) fn real_directory(slot: &Slot, place: &GitPath) -> Result<Option<PathBuf>> {
    let Some(dir) = worktree::inside(slot.dir(), place) else {
        return Ok(None);
    };
    if !fs::symlink_metadata(&dir).is_ok_and(|meta| meta.is_dir()) {
        worktree::remove(&dir)?;
        fs::create_dir(&dir).map_err(|e| Error::io("create", &dir, &e))?;
    }
    Ok(Some(dir))
}

/// Returns the git directory that a `.git` of the user's checkout is, or names.
pub(super) fn pointed_at(own: &Path) -> Option<PathBuf> {
    let meta = fs::symlink_metadata(own).ok()?;
    if meta.is_dir() {
        return Some(own.to_path_buf());
    }
    let text = fs::read_to_string(own).ok()?;
    let place = own.parent()?;
    place
        .join(text.strip_prefix("gitdir:")?.trim())
        .canonicalize()
        .ok()
}

/// Returns whether an error is about this machine, and would be the same for any submodule.
pub(super) fn is_machines(error: &Error) -> bool {
    matches!(
        error.cause,
        Some(ErrorCause::NoSpace | ErrorCause::Permission)
    )
}

/// Returns a short name for a directory.
pub(super) fn key(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))[..16].to_owned()
}

/// Returns the submodule as this process filled it already, at the same commit.
pub(super) fn known_fill(
    slot: &Slot,
    place: &GitPath,
    commit: ObjectId,
) -> Option<FilledSubmodule> {
    let mut filled = slot.submodules().into_iter();
    filled.find(|known| known.place == *place && known.commit == commit)
}
