//! What this program keeps on the disk and can do without: slots, logs, and what a kill left.
//!
//! Invariant: nothing here holds work. What sessions left is in git, under refs; the slot of an interrupted session, which
//! is not captured yet, is in use until a run captures it.

use super::{Host, log_root, owner, read_in_flight, slots_root, temporary};
use crate::git::Git;
use crate::lock::{DriverLock, ProcessTreeLock, RECHECK_LOCK};
use crate::{crash, files, removal};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::layout::{self, Layout};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How much all logs of a repository may take before the oldest go.
const MOST_LOGS: u64 = 1 << 30;

/// How long a slot that no run uses stays.
const SLOT_KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// How long ago a directory of a feature may have changed for what a kill left to be looked for in it.
const LEFT_LATELY: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// How deep below a directory of ours a file that a kill left can be.
const DEPTH: usize = 4;

/// What something is that can be done without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DisposableKind {
    /// A file or directory that a killed run left.
    Leftover,
    /// The private directory of sessions or of verification; the next run fills it again.
    Slot,
    /// What an attempt's session and commands printed.
    Log,
}

impl DisposableKind {
    /// Returns the word for it.
    pub const fn word(self) -> &'static str {
        match self {
            DisposableKind::Leftover => "leftover",
            DisposableKind::Slot => "slot",
            DisposableKind::Log => "log",
        }
    }
}

/// Something that can be done without.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disposable {
    /// What kind of thing it is.
    pub kind: DisposableKind,
    /// The directory that can be removed as a whole.
    pub path: PathBuf,
    /// How long nothing used it.
    pub idle: Duration,
    /// Whether it may not go: a session that was interrupted is still in it.
    pub in_use: bool,
}

impl Disposable {
    fn at(kind: DisposableKind, path: PathBuf, used: &Path) -> Disposable {
        Disposable {
            kind,
            path,
            idle: idle(used),
            in_use: false,
        }
    }

    /// Returns how many bytes it takes on the disk.
    pub fn bytes(&self) -> u64 {
        let entries = walkdir::WalkDir::new(&self.path).same_file_system(true);
        let sizes = entries.into_iter().flatten();
        let sizes = sizes.filter_map(|entry| Some(entry.metadata().ok()?.blocks() * 512));
        sizes.sum()
    }

    /// Removes it. The caller holds the driver's lock.
    pub fn remove(&self, git: &Git) -> Result<()> {
        if let (DisposableKind::Slot, Some(name)) = (self.kind, self.path.file_name()) {
            // What is known of its files goes first: it says nothing of a slot that is half gone.
            discard(&slot_state(git, name))?;
        }
        discard(&self.path)
    }
}

/// Returns how long ago something changed; a time that is in the future, or unknown, is no age.
fn idle(path: &Path) -> Duration {
    let changed = fs::symlink_metadata(path).and_then(|meta| meta.modified());
    let age = changed
        .ok()
        .and_then(|at| SystemTime::now().duration_since(at).ok());
    age.unwrap_or_default()
}

fn discard(path: &Path) -> Result<()> {
    crash::around("clean", || removal::remove(path)).map_err(|e| Error::io("remove", path, &e))
}

fn slot_state(git: &Git, name: &OsStr) -> PathBuf {
    git.state_dir().join("slots").join(name)
}

fn directories(of: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(of).into_iter().flatten().flatten();
    let directories = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let mut paths: Vec<PathBuf> = directories.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// Returns the slots of a repository.
pub fn slots(git: &Git, host: &Host) -> Result<Vec<Disposable>> {
    let root = slots_root(git, host)?;
    let notes = read_in_flight(&git.state_dir())?;
    let held: BTreeSet<String> = notes.iter().map(|note| note.slot.to_string()).collect();
    let slots = directories(&root).into_iter().filter_map(|path| {
        let name = path.file_name()?.to_owned();
        let state = slot_state(git, &name);
        // A killed run had it in memory.
        let index = Some(state.join("index")).filter(|index| index.exists());
        let slot = Disposable::at(DisposableKind::Slot, path, &index.unwrap_or(state));
        let in_use = name.to_str().is_some_and(|name| held.contains(name));
        Some(Disposable { in_use, ..slot })
    });
    Ok(slots.collect())
}

/// Returns the logs of a repository, one for each attempt, the oldest first.
pub fn logs(git: &Git) -> Vec<Disposable> {
    let units = directories(&log_root(&git.state_dir()));
    let attempts = units.iter().flat_map(|unit| directories(unit));
    let log = |path: PathBuf| Disposable::at(DisposableKind::Log, path.clone(), &path);
    let mut logs: Vec<Disposable> = attempts.map(log).collect();
    logs.sort_by_key(|log| std::cmp::Reverse(log.idle));
    logs
}

/// Returns what killed runs left: files that were about to take their names, and directories for temporary files.
/// Nothing while something of this program may still use it.
pub fn leftovers(git: &Git, host: &Host) -> Vec<Disposable> {
    let state = git.state_dir();
    let mut found = Vec::new();
    below(&state, DEPTH, &is_runtime_leftover, &mut found);
    below(git.work_tree(), 1, &is_unfinished, &mut found);
    for layout in Layout::ALL {
        let features = git.work_tree().join(layout.path(layout::FEATURES));
        below(
            &git.work_tree().join(layout.dir()),
            2,
            &is_unfinished,
            &mut found,
        );
        for feature in directories(&features) {
            // What a kill left changed its directory then.
            if idle(&feature) < LEFT_LATELY {
                below(&feature, 1, &is_unfinished, &mut found);
            }
        }
    }
    let family = state.join("family.lock");
    let rechecked = DriverLock::holder(&state.join(RECHECK_LOCK)).is_some();
    if !rechecked && !ProcessTreeLock::still_alive(&family) {
        let below = host.var("TMPDIR").map(PathBuf::from);
        found.extend(temporary::left_behind(below, &owner(git)));
    }
    found.sort();
    found.dedup();
    let leftover = |path: PathBuf| Disposable::at(DisposableKind::Leftover, path.clone(), &path);
    found.into_iter().map(leftover).collect()
}

/// Finds what killed runs left, by name, so far below a directory.
fn below(root: &Path, depth: usize, is_left: &dyn Fn(&Path) -> bool, found: &mut Vec<PathBuf>) {
    let entries = walkdir::WalkDir::new(root).min_depth(1).max_depth(depth);
    let mut entries = entries.into_iter();
    while let Some(entry) = entries.next() {
        let Ok(entry) = entry else { continue };
        let left = is_left(entry.path());
        if left {
            found.push(entry.path().to_path_buf());
        }
        if entry.file_type().is_dir() && (left || entry.file_name() == "logs") {
            entries.skip_current_dir();
        }
    }
}

/// Returns whether a path was about to take another name, for a process that is gone.
fn is_unfinished(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str);
    name.is_some_and(files::is_left_behind)
}

/// Returns whether a path of the runtime state belonged to a process that is gone.
fn is_runtime_leftover(path: &Path) -> bool {
    let (Some(name), Some(parent)) = (path.file_name().and_then(OsStr::to_str), path.parent())
    else {
        return false;
    };
    let is_dead = |pid: &str| pid.bytes().all(|b| b.is_ascii_digit()) && !files::is_alive(pid);
    let staged = name
        .strip_suffix(".new")
        .and_then(|rest| rest.rsplit_once('.'));
    let scratch = name.rsplit_once('-').filter(|_| parent.ends_with("tmp"));
    is_unfinished(path)
        || staged.is_some_and(|(_, pid)| is_dead(pid))
        || scratch.is_some_and(|(_, pid)| is_dead(pid))
        // Of a git that was killed; the driver's own locks stay for good.
        || name == "index.lock"
}

/// Removes what killed runs left, slots that no run used for long, and the oldest logs beyond what logs may take. For the
/// holder of the driver's lock, before it starts anything; what cannot be removed stays for the next time.
pub fn tidy(git: &Git, host: &Host) {
    for leftover in leftovers(git, host) {
        drop(leftover.remove(git));
    }
    for slot in slots(git, host).unwrap_or_default() {
        if !slot.in_use && slot.idle > SLOT_KEPT {
            drop(slot.remove(git));
        }
    }
    let logs = logs(git);
    let sizes: Vec<u64> = logs.iter().map(Disposable::bytes).collect();
    for log in logs.iter().take(surplus(&sizes, MOST_LOGS)) {
        drop(log.remove(git));
    }
}

/// Returns how many of these, the first ones, have to go so that the rest takes no more than `most`; the last one stays.
fn surplus(sizes: &[u64], most: u64) -> usize {
    let mut left: u64 = sizes.iter().sum();
    let mut gone = 0;
    for size in sizes.iter().take(sizes.len().saturating_sub(1)) {
        if left <= most {
            break;
        }
        left -= size;
        gone += 1;
    }
    gone
}

/// Gives slots back until there is room, those first that were used longest ago; none of `kept`, and no interrupted
/// session's.
pub(super) fn give_back_slots(
    (git, host): (&Git, &Host),
    kept: &BTreeSet<String>,
    is_room: &dyn Fn() -> bool,
) -> Result<()> {
    let mut idle = slots(git, host)?;
    idle.sort_by_key(|slot| std::cmp::Reverse(slot.idle));
    for slot in idle {
        let name = slot.path.file_name().and_then(OsStr::to_str);
        if is_room() {
            break;
        }
        if !slot.in_use && name.is_some_and(|name| !kept.contains(name)) {
            slot.remove(git)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_logs_go_until_the_rest_fits_and_the_newest_stays() {
        for (sizes, most, gone) in [
            (&[][..], 10, 0),
            (&[5, 5], 10, 0),
            (&[5, 5, 1], 10, 1),
            (&[1, 9, 5, 5], 10, 2),
            (&[50, 50, 50], 10, 2),
            (&[50], 10, 0),
        ] {
            assert_eq!(surplus(sizes, most), gone, "{sizes:?}");
        }
    }

    #[test]
    fn slots_are_given_back_from_the_longest_unused_until_there_is_room() {
        let dir = tempfile::tempdir().unwrap();
        let repository = dir.path().join("repository");
        let init = std::process::Command::new("git")
            .args(["init", "-q"])
            .arg(&repository)
            .status();
        assert!(init.unwrap().success());
        let git = Git::discover(&repository).unwrap();
        let cache = dir.path().join("cache");
        let host = Host {
            env: vec![("XDG_CACHE_HOME".into(), cache.into())],
            ..Host::default()
        };
        let root = slots_root(&git, &host).unwrap();
        for (age, name) in ["newest", "used", "older", "oldest"].iter().enumerate() {
            fs::create_dir_all(root.join(name)).unwrap();
            let state = slot_state(&git, OsStr::new(name));
            fs::create_dir_all(&state).unwrap();
            let index = fs::File::create(state.join("index")).unwrap();
            let days = Duration::from_secs(age as u64 * 86_400);
            index.set_modified(SystemTime::now() - days).unwrap();
        }
        let there = |name: &str| root.join(name).exists();
        let kept = BTreeSet::from(["used".to_owned()]);
        give_back_slots((&git, &host), &kept, &|| !there("older")).unwrap();
        assert!(there("newest") && !there("oldest"));
        give_back_slots((&git, &host), &kept, &|| false).unwrap();
        assert!(there("used") && !there("newest"));
        assert!(!slot_state(&git, OsStr::new("newest")).exists());
    }
}
