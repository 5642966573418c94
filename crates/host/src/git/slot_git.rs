//! The throwaway git directory of a slot: enough for an agent to read history and diff, and nothing of the repository's
//! refs, configuration, hooks or remotes. Written with plain file operations, because git would read what it finds there.

use super::plain_file::PlainFile;
use super::slot::Slot;
use super::{Git, worktree};
use crate::removal::is_as_made;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::{ObjectFormat, ObjectId};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::iter;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Returns the smallest configuration git accepts for the format.
pub(super) fn bare_config(format: ObjectFormat, bare: bool) -> String {
    match format {
        ObjectFormat::Sha1 => format!("[core]\n\trepositoryformatversion = 0\n\tbare = {bare}\n"),
        ObjectFormat::Sha256 => format!(
            "[core]\n\trepositoryformatversion = 1\n\tbare = {bare}\n[extensions]\n\tobjectformat = sha256\n"
        ),
    }
}

/// What a slot's git directory holds beside its index, by path in it.
struct SlotGitDirectory {
    directories: BTreeSet<PathBuf>,
    files: BTreeMap<PathBuf, Vec<u8>>,
}

impl Git {
    /// Makes the slot's git directory what it is for a new session or verification: `HEAD` on `branch` (a full ref name) at
    /// `commit`, and a clean index.
    ///
    /// Whatever else was there is gone, agent-made commits included: their trees were captured.
    pub(crate) fn refresh_git(&self, slot: &Slot, commit: ObjectId, branch: &str) -> Result<()> {
        let dir = slot.dir().join(".git");
        let index = dir.join("index");
        let wanted = self.slot_git_directory(commit, branch)?;
        let known = self.index_of(slot)?;
        if wanted.is_there(&dir, slot.state()) {
            crate::crash::point("write the slot's git directory");
            wanted.update(&dir)?;
            slot.show(&index, &known)?;
        } else {
            let spare = slot.state().join("shown");
            let is_spared = is_plain(&dir, &index) && fs::rename(&index, &spare).is_ok();
            worktree::remove(&dir)?;
            crate::crash::point("write the slot's git directory");
            wanted.write(&dir)?;
            if is_spared {
                slot.show(&spare, &known)?;
                fs::rename(&spare, &index).map_err(|e| Error::io("replace", &index, &e))?;
            } else {
                slot.show(&index, &known)?;
            }
        }
        Ok(())
    }

    fn slot_git_directory(&self, commit: ObjectId, branch: &str) -> Result<SlotGitDirectory> {
        let branch = branch.strip_prefix("refs/heads/").unwrap_or(branch);
        let mut config = bare_config(self.object_format(), false);
        config.push_str("[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n");
        config.push_str(&self.lfs_section());
        let objects = self.shared.common_dir.join("objects");
        let mut alternates = quote(objects.as_os_str().as_bytes());
        alternates.push(b'\n');
        let tip = Path::new("refs/heads").join(branch);
        let empty = ["objects/pack", "refs/tags", "hooks"].map(PathBuf::from);
        let mut files = BTreeMap::from([
            (tip, format!("{commit}\n").into_bytes()),
            ("HEAD".into(), format!("ref: refs/heads/{branch}\n").into()),
            ("config".into(), config.into_bytes()),
            ("objects/info/alternates".into(), alternates),
            ("info/exclude".into(), self.user_excludes()),
        ]);
        if self.is_shallow() {
            let from = self.common_dir().join("shallow");
            let commits = fs::read(&from).map_err(|e| Error::io("read", &from, &e))?;
            files.insert("shallow".into(), commits);
        }
        let above = |path: &Path| -> Vec<PathBuf> {
            let above = path.ancestors().skip(1);
            above.map(Path::to_path_buf).collect()
        };
        let of_files = files.keys().flat_map(|path| above(path));
        let of_empty = empty.iter().flat_map(|path| above(path));
        let directories = of_files.chain(of_empty).chain(empty.clone()).collect();
        Ok(SlotGitDirectory { directories, files })
    }
}

impl SlotGitDirectory {
    /// Returns whether a directory holds exactly these files and an index, each as it would be made now beside `ours`, whatever
    /// their content. A disk takes longer to give room back and find new room than to be written over.
    fn is_there(&self, dir: &Path, ours: &Path) -> bool {
        let Ok(ours) = fs::symlink_metadata(ours) else {
            return false;
        };
        let found = self.directories.iter();
        let found = found.map(|directory| self.files_in(dir, directory, ours.mode()));
        found.sum::<Option<usize>>() == Some(self.files.len() + 1)
    }

    /// Returns how many files are in one of the directories, where all that is in it belongs there, and is as it would be made
    /// beside directories of this mode.
    fn files_in(&self, dir: &Path, directory: &Path, mode: u32) -> Option<usize> {
        // A path with a separator at its end would lead on through a link.
        let path = match directory.as_os_str().is_empty() {
            true => dir.to_path_buf(),
            false => dir.join(directory),
        };
        if !is_as_made(&path, mode) {
            return None;
        }
        let mut files = 0;
        for entry in fs::read_dir(&path).ok()? {
            let entry = entry.ok()?;
            let path = directory.join(entry.file_name());
            let kind = entry.file_type().ok()?;
            let belongs = if kind.is_dir() {
                self.directories.contains(&path)
            } else {
                files += 1;
                let is_named = self.files.contains_key(&path) || path == Path::new("index");
                is_named && kind.is_file() && {
                    let meta = entry.metadata().ok()?;
                    meta.nlink() == 1 && meta.mode() & 0o7777 == mode & 0o666
                }
            };
            if !belongs {
                return None;
            }
        }
        Some(files)
    }

    /// Writes the files of a directory that has others in their places.
    fn update(&self, dir: &Path) -> Result<()> {
        for (path, content) in &self.files {
            let path = dir.join(path);
            let held = PlainFile::read(&path, content.len() as u64);
            if held.is_none_or(|held| held.content != *content) {
                worktree::write_over(&path, iter::once(content.as_slice()))?;
            }
        }
        Ok(())
    }

    fn write(&self, dir: &Path) -> Result<()> {
        for directory in &self.directories {
            let path = dir.join(directory);
            fs::create_dir_all(&path).map_err(|e| Error::io("create", &path, &e))?;
        }
        for (path, content) in &self.files {
            write(&dir.join(path), content)?;
        }
        Ok(())
    }
}

/// Returns whether a git directory and the index in it are what they seem, and no links to others. A large index is written over the
/// old one: the disk has neither new room to find for it nor old room to take back.
fn is_plain(dir: &Path, index: &Path) -> bool {
    fs::symlink_metadata(dir).is_ok_and(|dir| dir.is_dir())
        && fs::symlink_metadata(index).is_ok_and(|index| index.is_file())
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
