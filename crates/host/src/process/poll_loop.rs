//! The poll loop of one run: bytes in, facts to the supervisor, its steps carried out.

use super::descendants::Member;
use super::liveness::Life;
use super::output::{CappedLog, HeadTail};
use super::output_pipes::{Pipe, Taps};
use super::process_tree::ProcessTree;
use super::readers::{Reader, Stream};
use super::start::{Started, start};
use super::supervise::{ActiveClock, Facts, Supervisor, SupervisorStep};
use super::wrapper_status::CONFINED_STARTS;
use super::{CommandSpec, Limits, ProcessEnd, ProcessOutcome, ProgramRun};
use crate::crash;
use crate::stop_flag::{StopFlag, timespec};
use rustix::event::{PollFd, PollFlags, poll};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::time::{Duration, Instant};

/// Bytes read at once.
const CHUNK: usize = 64 * 1024;
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

/// Runs the program, once more where the one that confines it failed before it started the command.
pub(super) fn supervise(program: &ProgramRun<'_>, reader: &mut dyn Reader) -> ProcessOutcome {
    let mut outcome = run_once(program, reader);
    for _ in 1..CONFINED_STARTS {
        if wrapper_error(program.spec, &outcome).is_none() {
            return outcome;
        }
        outcome = run_once(program, reader);
    }
    if let Some(error) = wrapper_error(program.spec, &outcome) {
        outcome.ended = error;
    }
    outcome
}

/// Starts the program and stays with it until nothing of it is left.
fn run_once(program: &ProgramRun<'_>, reader: &mut dyn Reader) -> ProcessOutcome {
    let limits = program.limits;
    if program.stop.is_raised() {
        return not_started(ProcessEnd::Cancelled);
    }
    let mut log_error = None;
    let log = program.log.and_then(|path| {
        CappedLog::create(path, limits.log_head, limits.log_tail)
            .map_err(|e| log_error = Some(format!("cannot create `{}`: {e}", path.display())))
            .ok()
    });
    // A program may have run for a while before we do again.
    let clock = ActiveClock::new(Instant::now());
    let started = match crash::around("start a program", || start(program.spec, limits.resources)) {
        Ok(started) => started,
        Err(ended) => return not_started(ended),
    };
    let taps = Taps {
        reader,
        log,
        stderr_tail: HeadTail::new(0, 8 * 1024),
        buffer: vec![0; CHUNK],
        stop: None,
    };
    let mut outcome = Loop::new((started, clock), limits, taps, program.stop).run();
    outcome.log_error = log_error.or(outcome.log_error);
    outcome
}

/// Returns how a run ended whose confining program failed before it started the command: the exit code is its own.
fn wrapper_error(spec: &CommandSpec, outcome: &ProcessOutcome) -> Option<ProcessEnd> {
    let status = spec.wrapper.as_ref()?;
    if !matches!(outcome.ended, ProcessEnd::Exited(code) if code != 0)
        || status.started_its_command()
    {
        return None;
    }
    let stderr = String::from_utf8_lossy(&outcome.stderr_tail);
    let last = stderr.lines().map(str::trim).rfind(|line| !line.is_empty());
    Some(ProcessEnd::SpawnFailed {
        missing: false,
        message: format!(
            "the sandbox cannot be set up: {}",
            last.unwrap_or("no reason given")
        ),
    })
}

fn not_started(ended: ProcessEnd) -> ProcessOutcome {
    ProcessOutcome {
        ended,
        duration: Duration::ZERO,
        stdout_bytes: 0,
        stderr_bytes: 0,
        stderr_tail: Vec::new(),
        strays: 0,
        survivors: 0,
        log_error: None,
    }
}

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

struct Loop<'a> {
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
}

impl<'a> Loop<'a> {
    fn new(
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
        }
    }

    fn run(mut self) -> ProcessOutcome {
        let mut supervisor = Supervisor::new(self.limits);
        let mut ticked = Duration::ZERO;
        loop {
            if supervisor.reason.is_none() && self.taps.reader.spares_daemons() {
                self.tree.spare_daemons();
            }
            let (facts, members) = self.look(supervisor.is_ending());
            let wait = match supervisor.next(&facts) {
                SupervisorStep::Done => {
                    self.survivors =
                        members.len() + usize::from(!facts.leader_exited && members.is_empty());
                    break;
                }
                SupervisorStep::Wait(wait) => wait,
                SupervisorStep::Terminate => {
                    let ended_by_itself = supervisor.reason.is_none();
                    if ended_by_itself {
                        self.strays = self.strays_among(&members);
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
        let members = if leader_exited || ending {
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
        let status = crash::around("end a process tree", || self.tree.finish());
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
