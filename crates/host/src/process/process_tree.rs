//! A process tree: one program we started and all its descendants, wherever they hid.
//!
//! Invariants:
//! - The driver is the subreaper, so whatever a program leaves behind stays our descendant.
//! - The leader is not reaped before the whole tree has ended: its pid, which is the group's, cannot be
//!   recycled while we signal it. Other processes are signalled through a pidfd, after their start time
//!   was checked. Never pid 1, never our own group.
//! - Only our own leaders and orphans in foreign sessions are waited for; a child another
//!   thread started and waits for (git) is in our session and never touched.
//!
//! Several runs may be under way. An orphan is recognised by its session, by the tag, and by the
//! marker variable. The tag is a number in the hard limit on real-time CPU time: without
//! effect on any program that is not scheduled in real time, inherited by every child, and still
//! there after `env -i`, `setsid` and closed descriptors.
//!
//! Without `/proc` (macOS) a tree is its process group: what left the group stays alive.

use super::Marker;
use super::descendants::{Member, Run, members, pidfd, reap_orphans, send};
use super::supervise::Killing;
use crate::procfs;
use crate::sys::{self, Program};
use gatewalk_core::parallel::locked;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitOptions};
use std::collections::HashMap;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::{Mutex, MutexGuard, Once};
use std::time::{Duration, Instant};

/// The runs under way in this process. Held for a moment only.
static RUNS: Mutex<Vec<Run>> = Mutex::new(Vec::new());

/// Held while a program starts, and while processes are looked for: a sweep could meet a leader that nobody has claimed yet.
static STARTS: Mutex<()> = Mutex::new(());

/// The runs under way, while none begins.
struct RunsAtRest {
    runs: Vec<Run>,
    _none_starts: MutexGuard<'static, ()>,
}

fn runs() -> RunsAtRest {
    let _none_starts = locked(&STARTS);
    RunsAtRest {
        runs: locked(&RUNS).clone(),
        _none_starts,
    }
}

/// What a process tree has had of the processors so far.
#[derive(Debug, Default)]
pub(super) struct Work {
    /// Time of its processes and of their ended children, in clock ticks.
    pub(super) cpu_ticks: u64,
    /// By thread: its time, and what it waited for a processor that others used.
    pub(super) wanted: HashMap<i32, Duration>,
}

/// A program we started, with all that came from it.
#[derive(Debug)]
pub(super) struct ProcessTree {
    run: Run,
    handle: Option<OwnedFd>,
    over: bool,
    spares_daemons: bool,
}

impl ProcessTree {
    /// Starts the program, which carries the marker.
    pub(super) fn start(program: &Program<'_>, marker: &Marker) -> io::Result<Self> {
        Self::start_as(program, marker, false)
    }

    /// Starts a program that waits for what it is to become.
    pub(super) fn start_waiting(program: &Program<'_>, marker: &Marker) -> io::Result<Self> {
        Self::start_as(program, marker, true)
    }

    fn start_as(program: &Program<'_>, marker: &Marker, waits: bool) -> io::Result<Self> {
        become_subreaper();
        let starts = locked(&STARTS);
        let leader = sys::spawn(program)?;
        let run = Run::new(leader, marker, waits);
        locked(&RUNS).push(run.clone());
        drop(starts);
        Ok(ProcessTree {
            run,
            handle: pidfd(leader),
            over: false,
            spares_daemons: false,
        })
    }

    /// Makes a tree that waited the one of a run.
    pub(super) fn claim(&mut self, marker: &Marker) {
        let leader = self.run.leader;
        self.run = Run::new(leader, marker, false);
        sys::set_tag(Some(leader), self.run.tag);
        for run in locked(&RUNS).iter_mut().filter(|run| run.leader == leader) {
            run.clone_from(&self.run);
        }
    }

    /// Returns the program that was started.
    #[cfg(test)]
    pub(super) fn leader(&self) -> Pid {
        self.run.leader
    }

    /// Returns what becomes readable when the leader exits, where the system has it.
    pub(super) fn leader_handle(&self) -> Option<BorrowedFd<'_>> {
        self.handle.as_ref().map(AsFd::as_fd)
    }

    /// Returns whether the leader has exited; it is not reaped.
    pub(super) fn leader_exited(&self) -> bool {
        let peek = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        match rustix::process::waitid(WaitId::Pid(self.run.leader), peek) {
            Ok(status) => status.is_some(),
            // No such child: somebody reaped it, which our callers never do; do not wait forever.
            Err(error) => error == rustix::io::Errno::CHILD,
        }
    }

    /// Leaves alone what is in a session of its own.
    pub(super) fn spare_daemons(&mut self) {
        self.spares_daemons = true;
    }

    /// Returns the processes that are alive, the leader included.
    pub(super) fn members(&self) -> Vec<Member> {
        self.members_among(&runs().runs)
    }

    fn members_among(&self, runs: &[Run]) -> Vec<Member> {
        let mut members = members(&self.run, runs);
        let leader = self.run.leader.as_raw_pid();
        members.retain(|member| !self.spares_daemons || member.session == leader);
        members
    }

    /// Returns what the tree has used of the processors, and what it would have liked to.
    pub(super) fn work(&self) -> Work {
        let members = self.members();
        Work {
            cpu_ticks: members.iter().map(|member| member.cpu).sum(),
            wanted: members
                .iter()
                .flat_map(|member| procfs::wanted(member.pid))
                .collect(),
        }
    }

    /// Asks everything to end.
    pub(super) fn terminate(&self) {
        let at_rest = runs();
        signal_all(&self.run, self.members_among(&at_rest.runs), Signal::TERM);
        // A stopped process would not even see the request.
        signal_all(&self.run, self.members_among(&at_rest.runs), Signal::CONT);
    }

    /// Kills everything there is now.
    pub(super) fn kill(&self) {
        let at_rest = runs();
        signal_all(&self.run, self.members_among(&at_rest.runs), Signal::KILL);
    }

    /// Reaps the leader and what is left of the tree, unless nothing is; `None` when even the leader cannot be ended.
    pub(super) fn finish(mut self, gone: bool) -> Option<ExitStatus> {
        self.end(gone)
    }

    fn end(&mut self, gone: bool) -> Option<ExitStatus> {
        let mut at_rest = runs();
        self.over = true;
        // Where there is no `/proc` this is the only sweep there is.
        let _ = rustix::process::kill_process_group(self.run.leader, Signal::KILL);
        let ended = rustix::process::waitpid(Some(self.run.leader), WaitOptions::NOHANG);
        let status = ended.ok().flatten();
        locked(&RUNS).retain(|run| run.leader != self.run.leader);
        at_rest.runs.retain(|run| run.leader != self.run.leader);
        if !gone {
            reap_orphans(&at_rest.runs);
        }
        status.map(|(_, status)| ExitStatus::from_raw(status.as_raw()))
    }
}

impl Drop for ProcessTree {
    /// A panic between spawn and finish leaves nothing alive either.
    fn drop(&mut self) {
        if self.over {
            return;
        }
        let begun = Instant::now();
        let mut killing = Killing::from(Duration::ZERO);
        while !(self.leader_exited() && self.members().is_empty())
            && let Some(wait) = killing.round(begun.elapsed())
        {
            self.kill();
            std::thread::sleep(wait);
        }
        self.end(false);
    }
}

/// Stops every process tree, for Ctrl-Z.
pub(crate) fn pause_all() {
    signal_every_run(Signal::STOP);
}

/// Resumes every process tree.
pub(crate) fn resume_all() {
    signal_every_run(Signal::CONT);
}

fn signal_every_run(signal: Signal) {
    let at_rest = runs();
    for run in &at_rest.runs {
        signal_all(run, members(run, &at_rest.runs), signal);
    }
}

fn signal_all(run: &Run, members: Vec<Member>, signal: Signal) {
    let own_group = procfs::own().map(|own| own.group);
    let _ = rustix::process::kill_process_group(run.leader, signal);
    let mut groups = vec![run.leader.as_raw_pid()];
    for member in members {
        // A whole group at once is the only race-free answer to a program that keeps forking.
        let is_own = Some(member.group) == own_group;
        let group = Pid::from_raw(member.group).filter(|group| !group.is_init() && !is_own);
        if let Some(group) = group.filter(|_| member.direct && !groups.contains(&member.group)) {
            groups.push(member.group);
            let _ = rustix::process::kill_process_group(group, signal);
        }
        if !groups.contains(&member.group)
            && let Some(handle) = member.open()
        {
            send(&handle, signal);
        }
    }
}

fn become_subreaper() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // A kernel that refuses leaves us with the group and the marker.
        #[cfg(target_os = "linux")]
        let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    });
}
