//! Refs as files (gitrepository-layout(5)), read around every unconfined session, where asking git starts two processes.
//!
//! Invariant: whatever is not plain (a symbolic ref, a broken file) is left to git; nothing is ever written here.

use crate::inode_state::InodeState;
use gatewalk_core::object_id::ObjectId;
use gatewalk_core::parallel::locked;
use gatewalk_core::path_names::is_at_or_below;
use rustix::fs::FileType;
use rustix::io::Errno;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Where branches are.
const BRANCHES: &str = "refs/heads/";

/// What directories of refs held when they were last read: a long walk pins every attempt in a directory of its own, and
/// they are asked for four times a unit.
#[derive(Debug, Default)]
pub(super) struct RefFiles {
    known: Mutex<RefDirectories>,
    /// What branches held when git last found the commit, by full name.
    branches: Mutex<HashMap<String, ObjectId>>,
}

/// Directories of refs, by path.
type RefDirectories = HashMap<PathBuf, RefDirectory>;

/// The names in one directory.
#[derive(Debug, Default)]
struct RefDirectory {
    /// What tells whether names came or went since; none where it may not.
    state: Option<InodeState>,
    directories: Vec<String>,
    /// Each with what it held, as long as its state tells that it still does.
    files: BTreeMap<String, Option<(InodeState, ObjectId)>>,
}

impl RefFiles {
    /// Notes what git says that a ref holds.
    pub(super) fn note(&self, name: &str, oid: ObjectId) {
        if name.starts_with(BRANCHES) {
            locked(&self.branches).insert(name.to_owned(), oid);
        }
    }

    /// Returns what a branch holds if its file says what was noted of it; else git is to be asked.
    pub(super) fn noted(&self, common_dir: &Path, name: &str) -> Option<ObjectId> {
        let noted = *locked(&self.branches).get(name)?;
        let held = ref_file(&common_dir.join(name))?;
        (held == noted).then_some(held)
    }

    /// Returns the refs below some directories of `refs/` with their values; `None` when one is not plain.
    pub(super) fn read(
        &self,
        common_dir: &Path,
        directories: &[&str],
    ) -> Option<BTreeMap<String, ObjectId>> {
        let mut known = locked(&self.known);
        let mut look = RefLook {
            known: std::mem::take(&mut *known),
            ..RefLook::default()
        };
        // The files first: one that is packed meanwhile is then found there.
        for directory in directories {
            look.visit(common_dir.join(directory), directory)?;
        }
        *known = look.seen;
        let mut refs = look.refs;
        let packed = packed(common_dir)?;
        for (name, oid) in packed.split(|byte| *byte == b'\n').filter_map(line) {
            if directories.iter().any(|f| is_at_or_below(&name, f)) {
                refs.entry(name).or_insert(oid);
            }
        }
        Some(refs)
    }
}

/// One look at ref files.
#[derive(Default)]
struct RefLook {
    known: RefDirectories,
    seen: RefDirectories,
    refs: BTreeMap<String, ObjectId>,
}

impl RefLook {
    /// Reads the refs below a directory, which a name leads to; `None` when one is not plain.
    fn visit(&mut self, path: PathBuf, name: &str) -> Option<()> {
        // Before it is listed: what comes meanwhile is found by the next look.
        let stat = match rustix::fs::stat(&path) {
            Ok(stat) => stat,
            Err(Errno::NOENT) => return Some(()),
            Err(_) => return None,
        };
        // Such as the stash.
        if FileType::from_raw_mode(stat.st_mode) != FileType::Directory {
            self.refs.insert(name.to_owned(), ref_file(&path)?);
            return Some(());
        }
        let state = InodeState::of(&stat);
        let mut had = self.known.remove(&path).unwrap_or_default();
        if had.state != Some(state) {
            had = had.listed_anew(&path)?;
        }
        for directory in &had.directories {
            self.visit(path.join(directory), &format!("{name}/{directory}"))?;
        }
        for (file, held) in &mut had.files {
            let at = path.join(file);
            // Before it is read: what is written meanwhile is read again.
            let state = InodeState::of(&rustix::fs::stat(&at).ok()?);
            let oid = match held {
                Some((same, oid)) if *same == state => *oid,
                _ => ref_file(&at)?,
            };
            self.refs.insert(format!("{name}/{file}"), oid);
            *held = state.is_settled().then_some((state, oid));
        }
        had.state = state.is_settled().then_some(state);
        self.seen.insert(path, had);
        Some(())
    }
}

/// Returns what a ref's file holds; none where it is not plain.
fn ref_file(path: &Path) -> Option<ObjectId> {
    ObjectId::parse(std::fs::read(path).ok()?.trim_ascii_end())
}

impl RefDirectory {
    /// Returns the directory with the names that are there now; `None` when one is not plain.
    fn listed_anew(mut self, path: &Path) -> Option<RefDirectory> {
        let mut now = RefDirectory::default();
        let entries = match std::fs::read_dir(path) {
            Ok(entries) => entries,
            Err(e) if e.kind() == ErrorKind::NotFound => return Some(now),
            Err(_) => return None,
        };
        for entry in entries {
            let entry = entry.ok()?;
            let name = entry.file_name().into_string().ok()?;
            if entry.file_type().ok()?.is_dir() {
                now.directories.push(name);
            } else if Path::new(&name).extension().is_none_or(|e| e != "lock") {
                let held = self.files.remove(&name).flatten();
                now.files.insert(name, held);
            }
        }
        Some(now)
    }
}

/// Drops the names that are no ref's: without a file and without a packed line. What cannot be known stays.
pub(super) fn keep_existing(common_dir: &Path, names: &mut Vec<(usize, String)>) {
    let is_loose = |name: &str| match std::fs::symlink_metadata(common_dir.join(name)) {
        Ok(_) => true,
        Err(e) => !matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
    };
    // The files first: one that is packed meanwhile is then found there.
    let loose: Vec<bool> = names.iter().map(|(_, name)| is_loose(name)).collect();
    let Some(packed) = packed(common_dir) else {
        return;
    };
    let packed: HashSet<&[u8]> = packed.split(|b| *b == b'\n').filter_map(name_of).collect();
    let mut loose = loose.into_iter();
    names.retain(|(_, name)| loose.next().unwrap_or(true) || packed.contains(name.as_bytes()));
}

/// Returns whether there is no ref at a place such as `refs/gatewalk`, nor below it. Where that cannot be known, there may be.
pub(super) fn none_at(common_dir: &Path, place: &str) -> bool {
    // The files first: one that is packed meanwhile is then found there.
    let is_empty = |entry: walkdir::Result<walkdir::DirEntry>| match entry {
        Ok(entry) => entry.file_type().is_dir(),
        Err(e) => e
            .io_error()
            .is_some_and(|e| e.kind() == ErrorKind::NotFound),
    };
    walkdir::WalkDir::new(common_dir.join(place))
        .into_iter()
        .all(is_empty)
        && packed(common_dir).is_some_and(|packed| {
            let mut names = packed.split(|byte| *byte == b'\n').filter_map(name_of);
            !names.any(|name| is_at_or_below(&String::from_utf8_lossy(name), place))
        })
}

/// Returns the name in a line of packed refs.
fn name_of(line: &[u8]) -> Option<&[u8]> {
    parts(line).map(|(_, name)| name.trim_ascii_end())
}

/// Reads `<oid> <name>`; comments and peeled tags are no such line.
pub(super) fn line(line: &[u8]) -> Option<(String, ObjectId)> {
    let (oid, name) = parts(line)?;
    let name = String::from_utf8_lossy(name).into_owned();
    Some((name, ObjectId::parse(oid)?))
}

fn parts(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = line.iter().position(|byte| *byte == b' ')?;
    Some((&line[..at], &line[at + 1..]))
}

fn packed(common_dir: &Path) -> Option<Vec<u8>> {
    match std::fs::read(common_dir.join("packed-refs")) {
        Ok(bytes) => Some(bytes),
        Err(e) if e.kind() == ErrorKind::NotFound => Some(Vec::new()),
        Err(_) => None,
    }
}
