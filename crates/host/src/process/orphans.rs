//! What a killed driver left running: found by its marks, ended exactly.
//!
//! A process is an orphan of ours when it is the same user's and its environment names a run of this
//! owner, or it carries the owner's tag, or it holds the owner's process tree lock. Call only while
//! holding the driver lock and before starting anything: then no living driver can own what is found. A re-check may
//! run beside a driver; it and what it started are no orphans while it lives.
//! Without `/proc` (macOS) nothing is found; the lock still shows that something is alive.

use super::supervise::Killing;
use super::{MARKER_VARIABLE, Marker, descendants};
use crate::lock::{DriverLock, RECHECK_LOCK};
use crate::procfs;
use crate::stop_flag::timespec;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::Signal;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, Instant};

/// A process of a dead driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Orphan {
    /// The process id when it was found.
    pub pid: i32,
    start: u64,
}

/// What a sweep did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sweep {
    /// Processes found at first.
    pub found: usize,
    /// Processes that are still alive: stuck in the kernel.
    pub(crate) survivors: usize,
}

/// Finds the living processes of an owner's runs; `lock` is the process tree lock, when there is one.
pub fn find(owner: &str, lock: Option<&Path>) -> Vec<Orphan> {
    let marker = Marker::new(owner, "");
    let held = lock
        .and_then(|path| std::fs::metadata(path).ok())
        .map(|meta| (meta.dev(), meta.ino()));
    let user = rustix::process::geteuid().as_raw();
    let spared = ancestors();
    let recheck = lock.and_then(|path| DriverLock::holder(&path.with_file_name(RECHECK_LOCK)));
    let recheck = recheck.and_then(|holder| i32::try_from(holder.pid).ok());
    let candidates = procfs::all()
        .into_iter()
        .filter(|pid| *pid > 1 && !spared.contains(pid));
    candidates
        .filter(|&pid| procfs::user(pid) == Some(user))
        .filter_map(procfs::stat)
        .filter(|stat| stat.is_alive() && !recheck.is_some_and(|pid| came_from(stat.pid, pid)))
        .filter(|stat| {
            is_marked(stat.pid, &marker) || held.is_some_and(|held| procfs::holds(stat.pid, held))
        })
        .map(|stat| Orphan {
            pid: stat.pid,
            start: stat.start,
        })
        .collect()
}

/// Ends them: asks, waits at most `grace`, kills, in rounds until none is found or it is time to give up.
pub fn end(owner: &str, lock: Option<&Path>, grace: Duration) -> Sweep {
    let mut orphans = find(owner, lock);
    let found = orphans.len();
    if found > 0 {
        signal(&orphans, &[Signal::TERM, Signal::CONT], grace);
        orphans = find(owner, lock);
    }
    let began = Instant::now();
    let mut killing = Killing::from(Duration::ZERO);
    while !orphans.is_empty()
        && let Some(wait) = killing.round(began.elapsed())
    {
        signal(&orphans, &[Signal::KILL], wait);
        orphans = find(owner, lock);
    }
    Sweep {
        found,
        survivors: orphans.len(),
    }
}

/// Sends each of them the signals, and waits until all have ended, or the time is up.
fn signal(orphans: &[Orphan], signals: &[Signal], longest: Duration) {
    let handles: Vec<OwnedFd> = orphans
        .iter()
        .filter_map(|orphan| descendants::open_verified(orphan.pid, orphan.start))
        .collect();
    for handle in &handles {
        for signal in signals {
            descendants::send(handle, *signal);
        }
    }
    wait_for(&handles, longest);
}

/// Waits until every one has ended, or the time is up.
fn wait_for(handles: &[OwnedFd], longest: Duration) {
    let deadline = Instant::now() + longest;
    for handle in handles {
        let left = deadline.saturating_duration_since(Instant::now());
        let mut fds = [PollFd::new(handle, PollFlags::IN)];
        // Interrupted or failed: the caller looks again anyway.
        let _ = poll(&mut fds, Some(&timespec(left)));
    }
}

fn is_marked(pid: i32, owner: &Marker) -> bool {
    if let Some(value) = procfs::variable(pid, MARKER_VARIABLE)
        && value
            .split(|&b| b == b',')
            .any(|one| one.starts_with(owner.value().as_bytes()))
    {
        return true;
    }
    procfs::tag(pid).is_some_and(|tag| owner.owns_tag(tag))
}

/// Returns whether a process is another, or came from it.
fn came_from(pid: i32, other: i32) -> bool {
    lineage(pid).contains(&other)
}

/// Returns this process and its ancestors: a driver started inside an attempt must not end its parents.
fn ancestors() -> Vec<i32> {
    lineage(rustix::process::getpid().as_raw_pid())
}

/// Returns a process and its ancestors.
fn lineage(pid: i32) -> Vec<i32> {
    let mut pids = vec![pid];
    while let Some(stat) = pids.last().and_then(|&pid| procfs::stat(pid)) {
        if stat.parent <= 1 || pids.contains(&stat.parent) {
            break;
        }
        pids.push(stat.parent);
    }
    pids
}
