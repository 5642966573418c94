//! Adding a few plain files to a slot's index without git, which takes longer to start than to add them.
//!
//! Invariant: what is added is what git would add. Whatever may be ignored, is stored otherwise than it is, has a name that git
//! may refuse, or is no regular file is left to git.

use super::ignore_rules::may_ignore;
use super::index::IndexFile;
use super::index_writer::{self, Replacement};
use super::plain_file::PlainFile;
use super::slot::Slot;
use super::{Git, GitPath, Version, worktree};
use gatewalk_core::error::Result;
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use walkdir::WalkDir;

/// More files than this git adds faster.
const MOST_ADDED: usize = 8;

/// The most that is looked at in a new directory.
const MOST_LOOKED_AT: usize = 100;

/// The largest file that is added here, in bytes.
const LARGEST_ADDED: u64 = 1 << 20;

/// What the entries at some paths become.
pub(super) type Replacements = BTreeMap<GitPath, Replacement>;

impl Git {
    /// Returns what git would make of the entries at these paths and below; `None` where git has to say.
    pub(super) fn added_plainly(
        &self,
        slot: &Slot,
        index: &IndexFile,
        paths: &[GitPath],
    ) -> Result<Option<Replacements>> {
        if self.attributes_convert(index)? {
            return Ok(None);
        }
        let excludes = fs::read(self.trusted_git_dir().join("info/exclude")).unwrap_or_default();
        let mut search = PlainSearch {
            root: slot.dir(),
            index,
            excludes,
            found: Vec::new(),
            gone: Vec::new(),
        };
        if paths.iter().any(|path| search.take(path).is_none()) {
            return Ok(None);
        }
        // Ends of lines are what attributes may yet convert.
        let keeps_ends = index.attribute_files().next().is_none();
        let mut files = Vec::new();
        for path in search.found {
            match PlainFile::read(&slot.dir().join(path.as_path()), LARGEST_ADDED) {
                Some(file) if keeps_ends || !file.content.contains(&b'\r') => {
                    files.push((path, file));
                }
                _ => return Ok(None),
            }
        }
        let mut added: Replacements = search.gone.into_iter().map(|path| (path, None)).collect();
        for (path, file) in files {
            let mode = file.mode();
            let oid = self.write_blob(&file.content)?;
            let version = Version { mode, oid };
            let entry = index_writer::entry(path.as_bytes(), version, Some(&file.stat));
            added.insert(path, Some(entry));
        }
        Ok(Some(added))
    }
}

/// The plain files at some paths of a slot. Every question is answered by nothing where git has to be asked.
struct PlainSearch<'a> {
    root: &'a Path,
    index: &'a IndexFile,
    /// The rules of the user's own that say what is ignored.
    excludes: Vec<u8>,
    found: Vec<GitPath>,
    gone: Vec<GitPath>,
}

impl PlainSearch<'_> {
    /// Takes in what is at a path, or below it, or that nothing is there any more.
    fn take(&mut self, path: &GitPath) -> Option<()> {
        let full = worktree::inside(self.root, path)?;
        let is_known = self.index.record_of(path.as_bytes()).is_some();
        let has_known = self.index.below(path.as_bytes()).next().is_some();
        match fs::symlink_metadata(full) {
            Ok(meta) if meta.is_file() && !has_known => self.take_file(path, is_known),
            Ok(meta) if meta.is_dir() && !is_known && !has_known => self.take_directory(path),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let below = self.index.below(path.as_bytes());
                let gone = below.chain(self.index.record_of(path.as_bytes()));
                let gone = gone.map(|record| GitPath::new(record.path));
                self.gone.extend(gone);
                self.gone.iter().all(is_plain_path).then_some(())
            }
            _ => None,
        }
    }

    fn take_directory(&mut self, directory: &GitPath) -> Option<()> {
        let below = WalkDir::new(self.root.join(directory.as_path())).min_depth(1);
        for (number, entry) in below.into_iter().enumerate() {
            let entry = entry.ok().filter(|_| number < MOST_LOOKED_AT)?;
            if entry.file_type().is_dir() {
                continue;
            }
            let path = entry.path().strip_prefix(self.root).ok()?;
            let is_file = entry.file_type().is_file();
            let path = GitPath::new(path.as_os_str().as_bytes());
            is_file.then(|| self.take_file(&path, false))??;
        }
        Some(())
    }

    fn take_file(&mut self, path: &GitPath, is_known: bool) -> Option<()> {
        let is_in_a_file = path
            .parents()
            .any(|parent| self.index.record_of(parent).is_some());
        if !is_plain_path(path) || is_in_a_file || self.found.len() == MOST_ADDED {
            return None;
        }
        if !is_known && self.may_be_ignored(path)? {
            return None;
        }
        self.found.push(path.clone());
        Some(())
    }

    /// Returns whether rules may have git ignore a path: the user's own, and those of each directory that it is in.
    fn may_be_ignored(&self, path: &GitPath) -> Option<bool> {
        if may_ignore(&self.excludes, path.as_bytes()) {
            return Some(true);
        }
        let slashes = memchr::memchr_iter(b'/', path.as_bytes());
        for start in std::iter::once(0).chain(slashes.map(|slash| slash + 1)) {
            let (directory, below) = path.as_bytes().split_at(start);
            let rules = GitPath::new([directory, b".gitignore"].concat());
            let rules = self.root.join(rules.as_path());
            match fs::symlink_metadata(&rules) {
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                _ => {
                    let rules = PlainFile::read(&rules, LARGEST_ADDED)?;
                    if may_ignore(&rules.content, below) {
                        return Some(true);
                    }
                }
            }
        }
        Some(false)
    }
}

fn is_plain_path(path: &GitPath) -> bool {
    path.as_bytes().split(|b| *b == b'/').all(is_plain_name)
}

/// Returns whether git takes a name as it is on every system, and it is not one by which git is steered.
fn is_plain_name(name: &[u8]) -> bool {
    let begins =
        |word: &[u8]| name.len() >= word.len() && name[..word.len()].eq_ignore_ascii_case(word);
    let is_usual = |byte: &u8| (b' '..=b'~').contains(byte) && !matches!(byte, b'\\' | b':' | b'"');
    name.iter().all(is_usual)
        && !begins(b".git")
        && !begins(b"git~")
        && !matches!(name, b"" | b"." | b"..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_git_may_refuse_or_be_steered_by_are_not_plain() {
        for (path, plain) in [
            ("src/main.rs", true),
            ("with space/x-1.txt", true),
            ("a/.github", false),
            ("new/.GIT/x", false),
            ("GIT~1/x", false),
            (".gitignore", false),
            ("a/.gitattributes", false),
            ("a\\b", false),
            ("a:b", false),
            ("gr\u{f6}\u{df}e", false),
            ("a\nb", false),
            ("a//b", false),
            ("a/../b", false),
        ] {
            assert_eq!(is_plain_path(&GitPath::from(path)), plain, "{path}");
        }
    }
}
