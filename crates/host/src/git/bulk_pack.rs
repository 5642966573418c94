//! Many new files at once: stored in one pack instead of a file for each, so that they are flushed once and read without
//! opening each.
//!
//! A pack only goes ahead: `git add` still decides what each file becomes, and what it does not find in the pack it
//! writes as ever. So whatever fails here costs time and nothing else.

use super::durable::PACKED;
use super::git_command::{CommandScope, GitCommand};
use super::helper_process::HelperProcess;
use super::index::WorkTreeShape;
use super::modified_files::is_as_seen;
use super::nested_directories::{NamedEntry, NestedDirectories};
use super::plain_file::PlainFile;
use super::slot::Slot;
use super::slot_untracked::SlotLook;
use super::{Git, GitPath, worktree};
use crate::crash;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use rustix::fs::FileType;
use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::time::Instant;

/// With fewer new files a pack is not worth its process.
const MANY: usize = 256;

/// Of this many tracked files one is looked at, to know whether many changed.
const SAMPLED: usize = 16;

/// The largest file that is packed with the others.
const LARGEST: u64 = 8 * 1024 * 1024;

/// How much is handed to git in one piece.
const PIECE: usize = 1024 * 1024;

impl Git {
    /// Packs the contents of what is new or changed in a slot, where that is many files; returns the ids of what is in the
    /// pack, and on the disk. All of it is at or below these paths, if any are named.
    pub(super) fn pack_new_files(
        &self,
        slot: &Slot,
        look: &SlotLook,
        paths: Option<&[GitPath]>,
    ) -> HashSet<ObjectId> {
        let many = match paths {
            Some(paths) => hold_many(slot.dir(), paths),
            None => self.holds_many_new(slot, look),
        };
        if !many {
            return HashSet::new();
        }
        self.pack_listed(slot, paths.unwrap_or_default())
            .unwrap_or_default()
    }

    /// Returns whether there are many new or changed files, from what shows without asking git.
    fn holds_many_new(&self, slot: &Slot, look: &SlotLook) -> bool {
        let Some(index) = &look.index else {
            return false;
        };
        let mut tree = NestedDirectories::new(slot.dir());
        let sampled = index.records().step_by(SAMPLED);
        let changed = sampled.filter(|record| !is_as_seen(&mut tree, record));
        if changed.take(MANY / SAMPLED).count() == MANY / SAMPLED {
            return true;
        }
        let known = |path: &GitPath| index.find(path.as_bytes()).is_ok();
        let mut count = 0;
        for directory in &look.touched {
            let listed = tree.list(directory).unwrap_or_default();
            count += new_files((slot.dir(), directory), listed, index.shape(), &known);
            if count >= MANY {
                return true;
            }
        }
        false
    }

    fn pack_listed(&self, slot: &Slot, paths: &[GitPath]) -> Result<HashSet<ObjectId>> {
        let scope = slot.scope()?;
        let listed = GitCommand::new(self, scope, "ls-files")
            .args(["-o", "-m", "-z", "--exclude-standard", "--"])
            .args(paths.iter().map(GitPath::as_path))
            .run()?;
        let paths: Vec<GitPath> = listed.paths().collect();
        if paths.len() < MANY {
            return Ok(HashSet::new());
        }
        let marks = slot.state().join("marks");
        worktree::remove(&marks)?;
        crash::around("pack", || self.pack_files(slot, &paths, &marks))?;
        let text = fs::read_to_string(&marks).map_err(|e| Error::io("read", &marks, &e))?;
        worktree::remove(&marks)?;
        // Each line is a mark and an id.
        let ids = text.lines().filter_map(|line| line.split_once(' '));
        Ok(ids
            .filter_map(|(_, id)| ObjectId::parse(id.as_bytes()))
            .collect())
    }

    fn pack_files(&self, slot: &Slot, paths: &[GitPath], marks: &Path) -> Result<()> {
        let mut option = std::ffi::OsString::from("--export-marks=");
        option.push(marks);
        let mut call = GitCommand::new(self, CommandScope::Bare, "fast-import")
            .args(["--quiet", "--done", "--depth=0"])
            .arg(option);
        for (name, value) in PACKED {
            call = call.env(name, value);
        }
        let mut process = HelperProcess::start(call, "fast-import")?;
        let mut piece = Vec::with_capacity(PIECE + LARGEST as usize / 8);
        for (at, path) in paths.iter().enumerate() {
            let full = worktree::inside(slot.dir(), path);
            let Some(file) = full.and_then(|full| PlainFile::read(&full, LARGEST)) else {
                continue;
            };
            let header = format!("blob\nmark :{}\ndata {}\n", at + 1, file.content.len());
            piece.extend_from_slice(header.as_bytes());
            piece.extend_from_slice(&file.content);
            piece.push(b'\n');
            if piece.len() >= PIECE {
                process.send(&piece, Instant::now() + self.shared.deadline)?;
                piece.clear();
            }
        }
        piece.extend_from_slice(b"done\n");
        let deadline = Instant::now() + self.shared.deadline;
        process.send(&piece, deadline)?;
        process.finish(deadline)
    }
}

/// Counts the files of a directory that are not known, and those below its new directories, as far as it matters.
fn new_files(
    (root, directory): (&Path, &GitPath),
    listed: Vec<NamedEntry>,
    shape: &WorkTreeShape,
    known: &dyn Fn(&GitPath) -> bool,
) -> usize {
    let mut count = 0;
    for entry in listed {
        let path = directory.join(&entry.name);
        count += match entry.kind {
            _ if entry.name == b".git" => 0,
            FileType::Directory if shape.knows(&path) => 0,
            FileType::Directory => files_below(&root.join(path.as_path())),
            _ => usize::from(!known(&path)),
        };
        if count >= MANY {
            break;
        }
    }
    count
}

fn hold_many(root: &Path, paths: &[GitPath]) -> bool {
    let files = paths.iter().map(|path| {
        let full = root.join(path.as_path());
        match fs::symlink_metadata(&full) {
            Ok(meta) if meta.is_dir() => files_below(&full),
            _ => 1,
        }
    });
    files.sum::<usize>() >= MANY
}

fn files_below(directory: &Path) -> usize {
    let entries = walkdir::WalkDir::new(directory).into_iter().flatten();
    let files = entries.filter(|entry| !entry.file_type().is_dir());
    files.take(MANY).count()
}
