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
    /// Whether it only waits for what it is to become: nothing else is of it.
    pub(super) waits: bool,
}

impl Run {
    /// Returns the run of a marker that a program leads, or will once it `waits` no more.
    pub(super) fn new(leader: Pid, marker: &Marker, waits: bool) -> Run {
        Run {
            leader,
            marker: marker.value(),
            tag: marker.tag(),
            waits,
        }
    }
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
    let Some(own) = procfs::own() else {
        return Vec::new();
    };
    let mut last = None;
    for _ in 0..MOST_WALKS {
        let children = children_of(&own);
        let (members, heads) = walk(run, runs, &children, own.session);
        // The dead of a tree that keeps forking would make each walk longer than the one before.
        let nobody_went = reap(runs, &children) == 0;
        // Who exits while we look hands its children to us behind our back: nothing is left once nobody came or went.
        if !members.is_empty() || nobody_went && last.as_ref() == Some(&heads) {
            return members;
        }
        last = Some(heads);
    }
    Vec::new()
}

/// A child of ours: its pid, and what is known of it unless it is gone.
type OwnChild = (i32, Option<procfs::Stat>);

/// Returns our children that are not of our own session, where another thread waits for them.
fn children_of(own: &procfs::Stat) -> Vec<OwnChild> {
    let children = procfs::children(own.pid).into_iter();
    let known = children.map(|pid| (pid, procfs::stat(pid)));
    let is_foreign = |stat: &procfs::Stat| stat.session != own.session && stat.parent == own.pid;
    known
        .filter(|(_, stat)| stat.as_ref().is_none_or(is_foreign))
        .collect()
}

/// Returns the living members, and the children of ours that are or may have been of this run, dead ones included.
fn walk(
    run: &Run,
    runs: &[Run],
    children: &[OwnChild],
    own_session: i32,
) -> (Vec<Member>, Vec<i32>) {
    let mut members = Vec::new();
    let mut parents = Vec::new();
    let mut heads = Vec::new();
    for (pid, stat) in children {
        let Some(stat) = stat else {
            heads.push(*pid);
            continue;
        };
        if owns(run, runs, stat) {
            parents.push(*pid);
            members.push(Member::of(stat, true));
        }
        if !runs
            .iter()
            .any(|other| leads(other, stat) && !leads(run, stat))
        {
            heads.push(*pid);
        }
    }
    members.extend(descendants(parents, own_session));
    members.retain(|member| {
        procfs::stat(member.pid).is_some_and(|s| s.start == member.start && s.is_alive())
    });
    (members, heads)
}

/// Returns what came from some processes and is in a session of ours no more.
fn descendants(mut parents: Vec<i32>, own_session: i32) -> Vec<Member> {
    let mut found = Vec::new();
    // Pids seen, so that one that is recycled during the walk cannot send it round in circles.
    let mut seen = parents.clone();
    while let Some(parent) = parents.pop() {
        for pid in procfs::children(parent) {
            let Some(stat) = procfs::stat(pid) else {
                continue;
            };
            if !seen.contains(&pid) && stat.session != own_session {
                seen.push(pid);
                parents.push(pid);
                found.push(Member::of(&stat, false));
            }
        }
    }
    found
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
    !run.waits && runs.iter().filter(|other| !other.waits).count() == 1
}

/// Reaps what died as an orphan: zombies of ours, in a foreign session, that nobody waits for.
pub(super) fn reap_orphans(runs: &[Run]) {
    if let Some(own) = procfs::own() {
        reap(runs, &children_of(&own));
    }
}

/// Likewise those among these children; returns how many.
fn reap(runs: &[Run], children: &[OwnChild]) -> usize {
    let is_led = |pid: i32| runs.iter().any(|run| run.leader.as_raw_pid() == pid);
    let dead = children
        .iter()
        .filter(|(pid, stat)| stat.as_ref().is_some_and(|stat| !stat.is_alive()) && !is_led(*pid));
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
    let reaped = dead
        .filter_map(|(pid, _)| Pid::from_raw(*pid))
        .filter(|pid| {
            let status = rustix::process::waitid(WaitId::Pid(*pid), options);
            matches!(status, Ok(Some(_)))
        });
    reaped.count()
}
