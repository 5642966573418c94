//! The poll loop of one run: bytes in, facts to the supervisor, its steps carried out.

use super::descendants::Member;
use super::liveness::Life;
use super::output::CappedLog;
use super::output_pipes::{Pipe, Taps};
use super::process_tree::ProcessTree;
use super::readers::Stream;
use super::start::Started;
use super::supervise::{ActiveClock, Facts, Supervisor, SupervisorStep};
use super::{Limits, ProcessEnd, ProcessOutcome};
use crate::crash;
use crate::stop_flag::{StopFlag, timespec};
use rustix::event::{PollFd, PollFlags, poll};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::time::{Duration, Instant};

/// Bytes read at once.
pub(super) const CHUNK: usize = 64 * 1024;
/// Bytes that the pipe of standard output holds: what Linux gives everyone.
#[cfg(target_os = "linux")]
const PIPE: usize = 1024 * 1024;
/// Chunks read from one stream before the clock is looked at again.
const CHUNKS_PER_TURN: usize = 16;
/// Bytes read after the process tree is gone: more than pipes hold, so an outsider with the other end cannot keep us.
const LEFTOVER: usize = 4 * 1024 * 1024;
/// How long between two calls of a sink's tick.
const TICK: Duration = Duration::from_millis(500);
/// How long a process may take that is just going, and how long one waits for it where no descriptor reports its end.
const GOING: Duration = Duration::from_millis(8);
const GOING_LOOK: Duration = Duration::from_millis(1);
/// How often to poll for an exit where no descriptor reports it.
const BLIND_POLL: Duration = Duration::from_millis(10);

/// Lets a pipe hold as much as anyone may ask for: some programs end without waiting until what they print is read, and
/// what the pipe has by then is not lost. Where the system has no more to give, it stays as it is.
fn widen(fd: &OwnedFd) {
    #[cfg(target_os = "linux")]
    let _ = rustix::pipe::fcntl_setpipe_size(fd, PIPE);
    #[cfg(not(target_os = "linux"))]
    let _ = fd;
}

/// Waits until the first of some processes has ended, at most so long.
fn wait_for_an_end(members: &[Member], longest: Duration) {
    match members.iter().find_map(Member::open) {
        Some(handle) => {
            let mut fds = [PollFd::new(&handle, PollFlags::IN)];
            // Interrupted or failed: whoever asked looks again.
            let _ = poll(&mut fds, Some(&timespec(longest)));
        }
        None => std::thread::sleep(GOING_LOOK.min(longest)),
    }
}

pub(super) struct Loop<'a> {
    tree: ProcessTree,
    limits: &'a Limits,
    taps: Taps<'a>,
    pipes: [Pipe; 2],
    stop: &'a StopFlag,
    clock: ActiveClock,
    life: Life,
    elapsed: Duration,
    strays: usize,
    survivors: usize,
    /// Whether the leader has ended and nothing that came from it is left: then nothing comes back.
    gone: bool,
}

impl<'a> Loop<'a> {
    pub(super) fn new(
        (started, clock): (Started, ActiveClock),
        limits: &'a Limits,
        taps: Taps<'a>,
        stop: &'a StopFlag,
    ) -> Self {
        let (tree, [out, err]) = started;
        let pipe = |stream, fd: OwnedFd| {
            // Our end only. Failing is impossible for a pipe, and would cost limits, not safety.
            let _ = rustix::io::ioctl_fionbio(&fd, true);
            if stream == Stream::Out {
                widen(&fd);
            }
            Pipe {
                stream,
                fd: Some(fd),
                total: 0,
            }
        };
        Loop {
            tree,
            limits,
            taps,
            pipes: [pipe(Stream::Out, out), pipe(Stream::Err, err)],
            stop,
            clock,
            life: Life::new(limits),
            elapsed: Duration::ZERO,
            strays: 0,
            survivors: 0,
            gone: false,
        }
    }

    pub(super) fn run(mut self) -> ProcessOutcome {
        let mut supervisor = Supervisor::new(self.limits);
        let mut ticked = Duration::ZERO;
        loop {
            if supervisor.reason.is_none() && self.taps.reader.spares_daemons() {
                self.tree.spare_daemons();
            }
            let (facts, members) = self.look(supervisor.is_ending());
            let wait = match supervisor.next(&facts) {
                SupervisorStep::Done => {
                    self.gone = facts.leader_exited && members.is_empty();
                    self.survivors =
                        members.len() + usize::from(!facts.leader_exited && members.is_empty());
                    break;
                }
                SupervisorStep::Wait(wait) => wait,
                SupervisorStep::Terminate => {
                    let ended_by_itself = supervisor.reason.is_none();
                    if ended_by_itself {
                        self.strays = self.strays_among(&members);
                        self.gone = self.strays == 0;
                    }
                    // Where only what was just going was left, nobody is there to be asked.
                    if !ended_by_itself || self.strays > 0 {
                        self.tree.terminate();
                    }
                    Duration::ZERO
                }
                SupervisorStep::Kill(wait) => {
                    self.tree.kill();
                    wait
                }
            };
            self.wait(wait, &facts, &members);
            if self.elapsed.saturating_sub(ticked) >= TICK {
                ticked = self.elapsed;
                let flow = self.taps.reader.tick(self.elapsed);
                self.taps.apply_flow(flow);
            }
        }
        self.conclude(supervisor.reason)
    }

    /// Counts what the leader left behind; what is just going, as the inner half of a sandbox is when
    /// the outer one has gone, was not left.
    fn strays_among(&self, found: &[Member]) -> usize {
        let begun = Instant::now();
        let mut found = found.to_vec();
        while !found.is_empty()
            && let Some(left) = GOING.checked_sub(begun.elapsed())
        {
            wait_for_an_end(&found, left);
            found = self.tree.members();
        }
        found.len()
    }

    /// Gathers the facts; the process tree is walked only when that can matter.
    fn look(&mut self, ending: bool) -> (Facts, Vec<Member>) {
        self.life
            .probe(self.elapsed, &self.tree, &mut *self.taps.reader);
        let leader_exited = self.tree.leader_exited();
        let members = if !self.gone && (leader_exited || ending) {
            self.tree.members()
        } else {
            Vec::new()
        };
        let facts = Facts {
            elapsed: self.elapsed,
            idle: self.elapsed.saturating_sub(self.life.last),
            leader_exited,
            tree_alive: !leader_exited || !members.is_empty(),
            stop: self.stop.level(),
            sink_stop: self.taps.stop,
        };
        (facts, members)
    }

    /// Sleeps until output, an exit, a stop request or the time; then reads what there is.
    fn wait(&mut self, mut longest: Duration, facts: &Facts, members: &[Member]) {
        let handles: Vec<OwnedFd> = members
            .iter()
            .take(32)
            .filter_map(|member| member.open())
            .collect();
        let mut fds: Vec<PollFd<'_>> = Vec::with_capacity(4 + handles.len());
        let leader = self.tree.leader_handle();
        let exits = leader
            .filter(|_| !facts.leader_exited)
            .into_iter()
            .chain(handles.iter().map(AsFd::as_fd));
        fds.extend(exits.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)));
        if leader.is_none() || handles.len() < members.len() {
            longest = longest.min(BLIND_POLL);
        }
        fds.extend(
            self.stop
                .wake_above(facts.stop)
                .map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)),
        );
        fds.extend(
            self.pipes
                .iter()
                .filter_map(|pipe| Some(PollFd::new(pipe.fd.as_ref()?, PollFlags::IN))),
        );
        // Interrupted or failed: the next look decides.
        let _ = poll(&mut fds, Some(&timespec(longest)));
        drop(fds);
        self.elapsed = self.clock.advance(Instant::now(), longest);
        for pipe in &mut self.pipes {
            if self.taps.drain(pipe, CHUNKS_PER_TURN) {
                self.life.last = self.elapsed;
            }
        }
    }

    fn conclude(mut self, reason: Option<ProcessEnd>) -> ProcessOutcome {
        for pipe in &mut self.pipes {
            self.taps.drain(pipe, LEFTOVER / CHUNK);
        }
        let status = crash::around("end a process tree", || self.tree.finish(self.gone));
        let by_itself = || match status {
            Some(status) => status.code().map_or_else(
                || ProcessEnd::Signaled(status.signal().unwrap_or(0)),
                ProcessEnd::Exited,
            ),
            None => ProcessEnd::Signaled(0),
        };
        let [out, err] = &self.pipes;
        ProcessOutcome {
            ended: reason.unwrap_or_else(by_itself),
            duration: self.elapsed,
            stdout_bytes: out.total,
            stderr_bytes: err.total,
            stderr_tail: self.taps.stderr_tail.to_tail(),
            strays: self.strays,
            survivors: self.survivors,
            log_error: self
                .taps
                .log
                .and_then(CappedLog::finish)
                .map(|e| format!("cannot write the log: {e}")),
        }
    }
}
