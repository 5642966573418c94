//! Files of git-lfs in a slot: written whole and stored as pointers there, as in a checkout of the user's.
//!
//! Of all filters only this one runs over what a session wrote, as a command of this program that git starts once
//! (`large_file_filter`): no server is asked, and what this machine does not have stays a pointer.

use super::lfs_pointers::LFS;
use super::lfs_pointers::{POINTER_LIMIT, lfs_content};
use super::slot::Slot;
use super::{Git, GitPath, Version, worktree};
use crate::installed_programs;
use gatewalk_core::engine::large_files::is_pointer;
use gatewalk_core::engine::oracle::shell_quote;
use gatewalk_core::error::Result;
use gatewalk_core::object_id::ObjectId;
use std::collections::BTreeSet;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What `git lfs install` says stores a file.
const PLAIN_CLEAN: &str = "git-lfs clean -- %f";

/// What it says writes a file out.
const PLAIN_SMUDGE: &str = "git-lfs smudge -- %f";

/// The command of this program that is the filter.
pub(crate) const FILTER: &str = "large-file";

/// How large a pointer of git-lfs is that has no further lines, in bytes.
const POINTER_SIZES: RangeInclusive<u32> = 120..=160;

impl Git {
    /// Gives a call of git over a slot the filter of git-lfs, where the user's git has it and its program is there.
    pub(super) fn apply_lfs(&self, command: &mut Command) {
        for setting in self.lfs_settings() {
            command.arg("-c").arg(setting);
        }
    }

    /// Gives a call of git over the user's checkout the same filter where theirs does nothing else: nothing is fetched,
    /// and a file that is not here is no failure.
    pub(super) fn apply_lfs_to_checkout(&self, command: &mut Command) {
        let is = |key: &str, plain: &str| self.settings().get(key) == Some(plain);
        if self.keeps_sent_files()
            || is("filter.lfs.clean", PLAIN_CLEAN) && is("filter.lfs.smudge", PLAIN_SMUDGE)
        {
            self.apply_lfs(command);
        }
    }

    /// Returns whether files of git-lfs are those that somebody sent, whatever is set up here.
    pub(super) fn keeps_sent_files(&self) -> bool {
        self.shared.known.sent_large_files.get().is_some()
    }

    /// Returns what the configuration of a slot's own repository says of git-lfs: what the user's says.
    pub(super) fn lfs_section(&self) -> String {
        if !self.fills_lfs() {
            return String::new();
        }
        if self.keeps_sent_files() {
            // A session stores in its own slot; what it left is stored when it is captured.
            let process = own_filter(Path::new(".git/lfs"), None).unwrap_or_default();
            let process = quoted(&process);
            return format!("[filter \"{LFS}\"]\n\tprocess = \"{process}\"\n");
        }
        let mut section = format!("[filter \"{LFS}\"]\n");
        for field in ["clean", "smudge", "process", "required"] {
            if let Some(value) = self.settings().get(&format!("filter.{LFS}.{field}")) {
                section.push_str(&format!("\t{field} = \"{}\"\n", quoted(value)));
            }
        }
        section
    }

    /// Returns whether files of git-lfs are whole in slots, as far as this machine has them.
    pub(super) fn fills_lfs(&self) -> bool {
        !self.lfs_settings().is_empty()
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
            .filter(|(_, text)| text.as_deref().is_some_and(is_pointer));
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
        let index = self.index_of(slot)?;
        let mut found = false;
        for record in index.records() {
            let [.., size] = record.marks();
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

    /// Returns the `-c` arguments that give a call of git the filter; none where the filter cannot run.
    fn lfs_settings(&self) -> &[String] {
        let settings = &self.shared.known.lfs_settings;
        settings.get_or_init(|| self.find_lfs().unwrap_or_default())
    }

    fn find_lfs(&self) -> Option<Vec<String>> {
        let storage = self.lfs_storage();
        let process = match self.shared.known.sent_large_files.get() {
            Some(sent) => own_filter(sent, None)?,
            None => {
                let clean = self.settings().get("filter.lfs.clean")?;
                let own = (!self.is_plain_lfs(clean)).then_some(clean);
                let process = own_filter(&storage, own)?;
                self.starts_installed(clean).then_some(process)?
            }
        };
        Some(vec![
            format!("filter.{LFS}.process={process}"),
            format!("filter.{LFS}.required=true"),
            format!("lfs.storage={}", storage.display()),
        ])
    }

    /// Returns whether a command line is what git-lfs installs, and git-lfs has no extension that changes what it stores
    /// (git-lfs-ext(5)).
    fn is_plain_lfs(&self, clean: &str) -> bool {
        clean == PLAIN_CLEAN && !self.settings().has_lfs_extension()
    }

    /// Has the files of git-lfs that somebody sends kept in a directory, and slots filled from there.
    pub(crate) fn keep_large_files_in(&self, directory: PathBuf) {
        // Whoever says it says it once, before any slot.
        drop(self.shared.known.sent_large_files.set(directory));
    }

    /// Returns whether another machine can store files of git-lfs as this one does: by their content, and by nothing else.
    pub(crate) fn shares_large_files(&self) -> bool {
        let clean = self.settings().get("filter.lfs.clean").unwrap_or_default();
        self.fills_lfs() && clean.ends_with(PLAIN_CLEAN) && !self.settings().has_lfs_extension()
    }

    /// Returns the directory where git-lfs keeps the files of this repository.
    pub(super) fn lfs_storage(&self) -> PathBuf {
        if let Some(sent) = self.shared.known.sent_large_files.get() {
            return sent.clone();
        }
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
        let of_a_slot = word.contains('/') && !Path::new(word).is_absolute();
        let env = &self.shared.environment;
        !of_a_slot && installed_programs::find(word, env, Path::new("/")).is_some()
    }
}

/// Returns the command line of this program's own filter; none where it cannot be started again.
fn own_filter(storage: &Path, clean: Option<&str>) -> Option<String> {
    let program = std::env::current_exe().ok().filter(|path| path.is_file())?;
    let words = [program.to_str()?, FILTER, storage.to_str()?];
    let words: Vec<String> = words.into_iter().chain(clean).map(shell_quote).collect();
    Some(words.join(" "))
}

/// Returns a value as it stands between quotation marks in a file of git's configuration.
fn quoted(value: &str) -> String {
    value
        .replace('\\', r"\\")
        .replace('"', "\\\"")
        .replace('\n', r"\n")
}
