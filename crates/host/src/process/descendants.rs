//! Finding the living processes of a run among our descendants, and reaping the dead ones.

use super::{MARKER_VARIABLE, Marker};
use crate::procfs;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};
use std::os::fd::OwnedFd;

/// How often we look while processes that may be of a run keep coming and going.
const MOST_WALKS: usize = 100;

/// A run under way: its leader, and what its processes carry.
#[derive(Debug, Clone)]
pub(super) struct Run {
    pub(super) leader: Pid,
    pub(super) marker: String,
    pub(super) tag: u64,
}

/// A living process of a process tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Member {
    pub(super) pid: i32,
    start: u64,
    pub(super) group: i32,
    pub(super) session: i32,
    pub(super) cpu: u64,
    /// Whether it is our own child, which pins its process group.
    pub(super) direct: bool,
}

impl Member {
    fn of(stat: &procfs::Stat, direct: bool) -> Self {
        Member {
            pid: stat.pid,
            start: stat.start,
            group: stat.group,
            session: stat.session,
            cpu: stat.cpu,
            direct,
        }
    }

    /// Returns a handle on exactly this process; none when it is gone.
    pub(super) fn open(&self) -> Option<OwnedFd> {
        open_verified(self.pid, self.start)
    }
}

/// Opens a process and checks afterwards that the pid still meant the one with this start time.
pub(super) fn open_verified(pid: i32, start: u64) -> Option<OwnedFd> {
    let handle = pidfd(Pid::from_raw(pid).filter(|pid| !pid.is_init())?)?;
    (procfs::stat(pid)?.start == start).then_some(handle)
}

/// Opens a process by its pid, where the system has such handles.
#[cfg(target_os = "linux")]
pub(super) fn pidfd(pid: Pid) -> Option<OwnedFd> {
    rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn pidfd(_: Pid) -> Option<OwnedFd> {
    None
}

#[cfg(target_os = "linux")]
pub(super) fn send(handle: &OwnedFd, signal: Signal) {
    // It may end at any time; a signal that arrives too late is no error.
    let _ = rustix::process::pidfd_send_signal(handle, signal);
}

#[cfg(not(target_os = "linux"))]
pub(super) fn send(_: &OwnedFd, _: Signal) {}

/// Returns the processes of one of the runs that are alive.
pub(super) fn members(run: &Run, runs: &[Run]) -> Vec<Member> {
    let own = rustix::process::getpid().as_raw_pid();
    let Some(own) = procfs::stat(own) else {
        return Vec::new();
    };
    let mut last = None;
    for _ in 0..MOST_WALKS {
        let (members, heads) = walk(run, runs, &own);
        // The dead of a tree that keeps forking would make each walk longer than the one before.
        let nobody_went = reap_orphans(runs) == 0;
        // Who exits while we look hands its children to us behind our back: nothing is left once nobody came or went.
        if !members.is_empty() || nobody_went && last.as_ref() == Some(&heads) {
            return members;
        }
        last = Some(heads);
    }
    Vec::new()
}

/// Returns the living members, and the children of ours that are or may have been of this run, dead ones included.
fn walk(run: &Run, runs: &[Run], own: &procfs::Stat) -> (Vec<Member>, Vec<i32>) {
    let mut members = Vec::new();
    let mut parents = Vec::new();
    let mut heads = Vec::new();
    for pid in procfs::children(own.pid) {
        let Some(stat) = procfs::stat(pid) else {
            heads.push(pid);
            continue;
        };
        if stat.session == own.session || stat.parent != own.pid {
            continue;
        }
        if owns(run, runs, &stat) {
            parents.push(pid);
            members.push(Member::of(&stat, true));
        }
        if !runs
            .iter()
            .any(|other| leads(other, &stat) && !leads(run, &stat))
        {
            heads.push(pid);
        }
    }
    // Pids seen, so that one that is recycled during the walk cannot send it round in circles.
    let mut seen = parents.clone();
    while let Some(parent) = parents.pop() {
        for pid in procfs::children(parent) {
            let Some(stat) = procfs::stat(pid) else {
                continue;
            };
            if !seen.contains(&pid) && stat.session != own.session {
                seen.push(pid);
                parents.push(pid);
                members.push(Member::of(&stat, false));
            }
        }
    }
    members.retain(|member| {
        procfs::stat(member.pid).is_some_and(|s| s.start == member.start && s.is_alive())
    });
    (members, heads)
}

fn leads(run: &Run, stat: &procfs::Stat) -> bool {
    run.leader.as_raw_pid() == stat.session
}

/// Returns whether a child of ours in a foreign session came from this run.
fn owns(run: &Run, runs: &[Run], stat: &procfs::Stat) -> bool {
    if let Some(found) = runs.iter().find(|other| leads(other, stat)) {
        return found.leader == run.leader;
    }
    if let Some(value) = procfs::variable(stat.pid, MARKER_VARIABLE) {
        return Marker::names(&value, &run.marker);
    }
    if let Some(tag) = procfs::tag(stat.pid) {
        return tag == run.tag;
    }
    runs.len() == 1
}

/// Reaps what died as an orphan: zombies of ours, in a foreign session, that nobody waits for. Returns how many.
pub(super) fn reap_orphans(runs: &[Run]) -> usize {
    let own = rustix::process::getpid().as_raw_pid();
    let Some(own) = procfs::stat(own) else {
        return 0;
    };
    let is_orphan = |pid: &i32| {
        let Some(stat) = procfs::stat(*pid) else {
            return false;
        };
        let foreign = stat.session != own.session && stat.parent == own.pid && !stat.is_alive();
        foreign && !runs.iter().any(|run| run.leader.as_raw_pid() == *pid)
    };
    let orphans = procfs::children(own.pid).into_iter().filter(is_orphan);
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
    let reaped = orphans.filter_map(Pid::from_raw).filter(|pid| {
        let status = rustix::process::waitid(WaitId::Pid(*pid), options);
        matches!(status, Ok(Some(_)))
    });
    reaped.count()
}
