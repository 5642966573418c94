//! Files of git-lfs in a slot: written whole and stored as pointers there, as in a checkout of the user's.
//!
//! Of all filters only this one runs over what a session wrote. A file is stored by the program that the user's
//! configuration names, found on `PATH`, and written by this program out of the store of git-lfs: no server is asked,
//! and what this machine does not have stays a pointer.

use super::clean_filters::{LFS, is_pointer_text};
use super::slot::Slot;
use super::{Git, GitPath, MODE_EXECUTABLE, MODE_FILE, Version, index, worktree};
use gatewalk_core::engine::oracle::shell_quote;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::Command;

/// More than a pointer of git-lfs has, in bytes (its specification, "must be less than 1024 bytes").
const POINTER_LIMIT: u64 = 1024;

/// How large a pointer of git-lfs is that has no further lines, in bytes.
const POINTER_SIZES: RangeInclusive<u32> = 120..=160;

/// The line of a pointer that names the file's content.
const POINTER_ID: &str = "oid sha256:";

/// The command of this program that writes a pointer's file.
pub(crate) const WRITE_OUT: &str = "large-file";

/// What the user's configuration says of the filter of git-lfs.
#[derive(Debug, Default)]
pub(super) struct LfsCommands {
    /// `-c` arguments that give a call of git the filter; none where the filter cannot run.
    pub(super) settings: Vec<String>,
}

impl Git {
    /// Gives a call of git over a slot the filter of git-lfs, where the user's git has it and its program is there.
    pub(super) fn apply_lfs(&self, command: &mut Command) {
        for setting in &self.lfs_commands().settings {
            command.arg("-c").arg(setting);
        }
    }

    /// Returns what the configuration of a slot's own repository says of git-lfs: what the user's says.
    pub(super) fn lfs_section(&self) -> String {
        if !self.fills_lfs() {
            return String::new();
        }
        let mut section = format!("[filter \"{LFS}\"]\n");
        for field in ["clean", "smudge", "process", "required"] {
            if let Some(value) = self.settings().get(&format!("filter.{LFS}.{field}")) {
                let value = value.replace('\\', r"\\").replace('"', "\\\"");
                section.push_str(&format!("\t{field} = \"{value}\"\n"));
            }
        }
        section
    }

    /// Returns whether files of git-lfs are whole in slots, as far as this machine has them.
    pub(super) fn fills_lfs(&self) -> bool {
        !self.lfs_commands().settings.is_empty()
    }

    /// Returns the changed files that are pointers in a slot's index already.
    pub(super) fn stored_as_pointers(
        &self,
        files: &[(&GitPath, Version)],
    ) -> Result<BTreeSet<GitPath>> {
        if !self.fills_lfs() {
            return Ok(BTreeSet::new());
        }
        let oids: Vec<ObjectId> = files.iter().map(|(_, version)| version.oid).collect();
        let texts = self.read_blobs(&oids, POINTER_LIMIT)?;
        let pointers = files
            .iter()
            .zip(texts)
            .filter(|(_, text)| text.as_deref().is_some_and(is_pointer_text));
        Ok(pointers.map(|((path, _), _)| (*path).clone()).collect())
    }

    /// Removes pointers from a slot that an earlier run left there and whose files this machine has by now, so that they
    /// are written anew; returns whether there were any.
    pub(super) fn remove_stale_pointers(&self, slot: &Slot) -> Result<bool> {
        // What this process wrote is as whole as it can be.
        if !self.fills_lfs() || slot.prepared().is_some() {
            return Ok(false);
        }
        let storage = self.lfs_storage();
        let raw = fs::read(slot.index()).map_err(|e| Error::io("read", slot.index(), &e))?;
        let records = index::records(&raw, self.object_format()).unwrap_or_default();
        let mut found = false;
        for record in records {
            let [.., size] = record.marks;
            if !POINTER_SIZES.contains(&size) {
                continue;
            }
            let path = worktree::inside(slot.dir(), &GitPath::new(record.path));
            let text = path.as_ref().and_then(|path| fs::read(path).ok());
            if let (Some(path), Some(text)) = (path, text)
                && lfs_content(&storage, &text).is_some()
            {
                worktree::remove(&path)?;
                found = true;
            }
        }
        Ok(found)
    }

    fn lfs_commands(&self) -> &LfsCommands {
        self.shared.lfs.get_or_init(|| LfsCommands {
            settings: self.lfs_settings().unwrap_or_default(),
        })
    }

    fn lfs_settings(&self) -> Option<Vec<String>> {
        let clean = self.settings().get("filter.lfs.clean")?;
        let program = std::env::current_exe().ok().filter(|path| path.is_file())?;
        if !self.starts_installed(clean) {
            return None;
        }
        let storage = self.lfs_storage();
        let words = [program.to_str()?, WRITE_OUT, storage.to_str()?];
        Some(vec![
            format!("filter.{LFS}.clean={clean}"),
            format!("filter.{LFS}.smudge={}", words.map(shell_quote).join(" ")),
            format!("filter.{LFS}.required=true"),
            format!("lfs.storage={}", storage.display()),
        ])
    }

    /// Returns the directory where git-lfs keeps the files of this repository.
    fn lfs_storage(&self) -> PathBuf {
        let chosen = self.settings().get("lfs.storage").unwrap_or(LFS);
        self.common_dir().join(chosen)
    }

    /// Returns whether a command line starts with a program on `PATH` or with a full path of one: nothing of a slot.
    fn starts_installed(&self, line: &str) -> bool {
        let quote = line
            .chars()
            .next()
            .filter(|first| matches!(first, '"' | '\''));
        let word = match quote {
            Some(quote) => line[1..].split(quote).next(),
            None => line.split_whitespace().next(),
        };
        let word = word.unwrap_or_default();
        if word.contains('/') {
            return Path::new(word).is_absolute() && Path::new(word).is_file();
        }
        let path = self
            .shared
            .environment
            .iter()
            .find(|(key, _)| key == "PATH");
        let dirs = path.into_iter().flat_map(|(_, v)| std::env::split_paths(v));
        let mut dirs = dirs.filter(|dir| dir.is_absolute());
        dirs.any(|dir| dir.join(word).is_file())
    }

    /// Returns the files of a tree that are pointers of git-lfs in a slot, because this machine lacks their content or
    /// the program.
    pub(crate) fn pointers_in_slots(&self, tree: ObjectId) -> Result<Vec<GitPath>> {
        let entries = self.list_tree(tree, &GitPath::new(""))?;
        let rules = entries
            .iter()
            .filter(|entry| entry.path.as_path().ends_with(".gitattributes"));
        let rules: Vec<ObjectId> = rules.map(|entry| entry.oid).collect();
        if !self.filters_named_in(&rules)?.contains(LFS) {
            return Ok(Vec::new());
        }
        let files = entries
            .into_iter()
            .filter(|entry| entry.mode == MODE_FILE || entry.mode == MODE_EXECUTABLE);
        let files: Vec<_> = files.collect();
        let filters = self.filters_of(tree, files.iter().map(|entry| &entry.path))?;
        let given = files.into_iter().zip(filters);
        let given = given.filter(|(_, filter)| filter.as_deref() == Some(LFS));
        let given: Vec<_> = given.map(|(entry, _)| entry).collect();
        let oids: Vec<ObjectId> = given.iter().map(|entry| entry.oid).collect();
        let texts = self.read_blobs(&oids, POINTER_LIMIT)?;
        let storage = self.lfs_storage();
        let absent = given.into_iter().zip(texts).filter(|(_, text)| {
            let text = text.as_deref().unwrap_or_default();
            let is_here = || self.fills_lfs() && lfs_content(&storage, text).is_some();
            is_pointer_text(text) && !is_here()
        });
        Ok(absent.map(|(entry, _)| entry.path).collect())
    }
}

/// Writes the file that a pointer stands for, out of git-lfs's store, or what was read as it is.
pub fn write_large_file(
    storage: &Path,
    input: &mut impl Read,
    output: &mut impl Write,
) -> io::Result<()> {
    let mut start = Vec::new();
    input.take(POINTER_LIMIT).read_to_end(&mut start)?;
    if let Some(mut file) = lfs_content(storage, &start).and_then(|path| File::open(path).ok()) {
        io::copy(&mut file, output)?;
        return output.flush();
    }
    output.write_all(&start)?;
    io::copy(input, output)?;
    output.flush()
}

/// Returns where git-lfs keeps the content that a pointer names, if it is there; `None` for what is no pointer.
fn lfs_content(storage: &Path, pointer: &[u8]) -> Option<PathBuf> {
    let text = std::str::from_utf8(pointer)
        .ok()
        .filter(|_| is_pointer_text(pointer))?;
    let id = text
        .lines()
        .find_map(|line| line.strip_prefix(POINTER_ID))?;
    let is_id = id.len() == 64 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    let place = Path::new("objects")
        .join(id.get(..2)?)
        .join(id.get(2..4)?)
        .join(id);
    let place = storage.join(place);
    (is_id && place.is_file()).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_becomes_its_file_where_the_store_has_it_and_all_else_stays() {
        let store = tempfile::tempdir().unwrap();
        let id = "5d334be92cded9d29ecaf9f23524037a2fb10f2d02f6a0d018bcdbf5c45bb1d6";
        let place = store.path().join("objects/5d/33");
        std::fs::create_dir_all(&place).unwrap();
        std::fs::write(place.join(id), "whole").unwrap();
        let version = "version https://git-lfs.github.com/spec/v1";
        let pointer = |id: &str| format!("{version}\noid sha256:{id}\nsize 5\n");
        let long = "x".repeat(3000);
        for (stored, written) in [
            (pointer(id), "whole".to_owned()),
            (
                pointer(&id.replace('5', "6")),
                pointer(&id.replace('5', "6")),
            ),
            (
                pointer("../../../../etc/passwd"),
                pointer("../../../../etc/passwd"),
            ),
            (pointer(""), pointer("")),
            (format!("# {}", pointer(id)), format!("# {}", pointer(id))),
            (String::new(), String::new()),
            (long.clone(), long),
        ] {
            let mut output = Vec::new();
            write_large_file(store.path(), &mut stored.as_bytes(), &mut output).unwrap();
            assert_eq!(String::from_utf8(output).unwrap(), written, "{stored}");
        }
    }
}
