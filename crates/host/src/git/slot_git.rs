//! The throwaway git directory of a slot: enough for an agent to read history and diff, and nothing of the repository's
//! refs, configuration, hooks or remotes. Written with plain file operations, because git would read what it finds there.

use super::file_times::{as_system_time, set_modified};
use super::slot::Slot;
use super::{Git, worktree};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::{ObjectFormat, ObjectId};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Returns the smallest configuration git accepts for the format.
pub(super) fn bare_config(format: ObjectFormat, bare: bool) -> String {
    match format {
        ObjectFormat::Sha1 => format!("[core]\n\trepositoryformatversion = 0\n\tbare = {bare}\n"),
        ObjectFormat::Sha256 => format!(
            "[core]\n\trepositoryformatversion = 1\n\tbare = {bare}\n[extensions]\n\tobjectformat = sha256\n"
        ),
    }
}

impl Git {
    /// Writes the slot's git directory afresh: `HEAD` on `branch` (a full ref name) at `commit`, and a clean index.
    ///
    /// Whatever was there before is gone, agent-made commits included: their trees were captured.
    pub(crate) fn refresh_git(&self, slot: &Slot, commit: ObjectId, branch: &str) -> Result<()> {
        let dir = slot.dir().join(".git");
        let index = dir.join("index");
        let spare = slot.state().join("shown");
        let is_spared = is_plain(&dir, &index) && fs::rename(&index, &spare).is_ok();
        worktree::remove(&dir)?;
        crate::crash::point("write the slot's git directory");
        let branch = branch.strip_prefix("refs/heads/").unwrap_or(branch);
        let mut config = bare_config(self.object_format(), false);
        config.push_str("[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n");
        config.push_str(&self.lfs_section());
        let objects = self.shared.common_dir.join("objects");
        let mut alternates = quote(objects.as_os_str().as_bytes());
        alternates.push(b'\n');
        for part in [
            "objects/info",
            "objects/pack",
            "refs/heads",
            "refs/tags",
            "info",
            "hooks",
        ] {
            create_dir(&dir.join(part))?;
        }
        let tip = format!("{commit}\n");
        let head = dir.join("refs/heads").join(branch);
        create_dir(head.parent().unwrap_or(&dir))?;
        write(&head, tip.as_bytes())?;
        write(
            &dir.join("HEAD"),
            format!("ref: refs/heads/{branch}\n").as_bytes(),
        )?;
        write(&dir.join("config"), config.as_bytes())?;
        write(&dir.join("objects/info/alternates"), &alternates)?;
        write(&dir.join("info/exclude"), &self.user_excludes())?;
        if self.is_shallow() {
            let from = self.common_dir().join("shallow");
            fs::copy(&from, dir.join("shallow")).map_err(|e| Error::io("copy", &from, &e))?;
        }
        let known = self.index_of(slot)?;
        if is_spared {
            worktree::write_over(&spare, known.raw())?;
            fs::rename(&spare, &index).map_err(|e| Error::io("replace", &index, &e))?;
        } else {
            write(&index, known.raw())?;
        }
        set_modified(&index, as_system_time(slot.index().written()?))
    }
}

/// Returns whether a git directory and the index in it are what they seem, and no links to others. A large index is written over the
/// old one: the disk has neither new room to find for it nor old room to take back.
fn is_plain(dir: &Path, index: &Path) -> bool {
    fs::symlink_metadata(dir).is_ok_and(|dir| dir.is_dir())
        && fs::symlink_metadata(index).is_ok_and(|index| index.is_file())
}

fn create_dir(path: &Path) -> Result<()> {
    fs::create_dir_all(path).map_err(|e| Error::io("create", path, &e))
}

fn write(path: &Path, content: &[u8]) -> Result<()> {
    fs::write(path, content).map_err(|e| Error::io("write", path, &e))
}

/// Quotes a path as git's C-style quoting, if it needs it.
pub(super) fn quote(path: &[u8]) -> Vec<u8> {
    if !path
        .iter()
        .any(|byte| *byte < 0x20 || matches!(byte, b'"' | b'\\' | 0x7f))
    {
        return path.to_vec();
    }
    let mut quoted = b"\"".to_vec();
    for byte in path {
        match byte {
            b'"' | b'\\' => quoted.extend_from_slice(&[b'\\', *byte]),
            0x20..=0x7e | 0x80.. => quoted.push(*byte),
            _ => quoted.extend_from_slice(format!("\\{byte:03o}").as_bytes()),
        }
    }
    quoted.push(b'"');
    quoted
}
