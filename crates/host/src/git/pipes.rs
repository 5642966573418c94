//! Pipes to and from one git process: fed, drained and watched against a deadline in one thread.

use super::GitPath;
use super::complaint::Complaint;
use gatewalk_core::error::{Error, Result};
use rustix::event::{PollFd, PollFlags};
use std::io::{ErrorKind as IoKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How much of git's standard output is kept; more is an error, never a silent cut.
pub(crate) const OUTPUT_LIMIT: usize = 48 * 1024 * 1024;
/// How much of git's standard error is kept.
pub(super) const STDERR_LIMIT: usize = 16 * 1024;

/// How long the output pipes may stay open after git itself has ended.
const PIPE_GRACE: Duration = Duration::from_secs(2);

/// How a git process ended, and what it printed.
#[derive(Debug)]
pub(super) struct Output {
    pub(crate) code: i32,
    pub(crate) stdout: Vec<u8>,
    pub(crate) complaint: Complaint,
}

impl Output {
    /// Returns the error for a call of `git NAME` that git refused.
    pub(super) fn to_error(&self, name: &str) -> Error {
        self.complaint.to_error(name, self.code)
    }

    /// Returns the paths of an answer to `-z`.
    pub(super) fn paths(&self) -> impl Iterator<Item = GitPath> {
        let paths = self.stdout.split(|byte| *byte == 0);
        paths.filter(|path| !path.is_empty()).map(GitPath::new)
    }
}

/// Starts a command in its own process group, so that a Ctrl-C for the driver does not interrupt git in the middle.
pub(super) fn spawn(command: &mut Command, name: &str) -> Result<Child> {
    command
        .process_group(0)
        .spawn()
        .map_err(|e| Error::environment(format!("cannot start `git {name}`")).with_source(e))
}

/// Runs a command to its end, feeding and draining its pipes.
pub(super) fn run_command(
    command: &mut Command,
    name: &str,
    exchange: &Exchange<'_>,
) -> Result<Output> {
    command.stdin(if exchange.input.is_empty() {
        Stdio::null()
    } else {
        Stdio::piped()
    });
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = spawn(command, name)?;
    let result = converse(&mut child, name, exchange);
    if result.is_err() {
        end(&mut child);
    }
    result
}

/// What a process is sent, and how much may come back.
pub(super) struct Exchange<'a> {
    pub(crate) input: &'a [u8],
    /// How long the whole may take.
    pub(crate) deadline: Duration,
    /// Stop the process after this much output, instead of failing at the general limit.
    pub(crate) cut: Option<usize>,
}

impl Exchange<'_> {
    /// Returns an exchange that gives nothing and takes all that is said in time.
    pub(super) fn output_only(deadline: Duration) -> Exchange<'static> {
        Exchange {
            input: b"",
            deadline,
            cut: None,
        }
    }
}

/// Kills a git process and what it started, and collects it.
pub(super) fn end(child: &mut Child) {
    if let Ok(None) = child.try_wait() {
        if let Some(pid) = i32::try_from(child.id())
            .ok()
            .and_then(rustix::process::Pid::from_raw)
        {
            // The group exists as long as its leader is not collected; a failure leaves the direct kill below.
            let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}

fn too_much(name: &str) -> Error {
    Error::environment(format!(
        "`git {name}` printed more than {OUTPUT_LIMIT} bytes"
    ))
}

fn converse(child: &mut Child, name: &str, exchange: &Exchange<'_>) -> Result<Output> {
    let (mut input, deadline) = (exchange.input, Instant::now() + exchange.deadline);
    let mut stdin = child.stdin.take();
    let mut stdout = child.stdout.take();
    let mut stderr = child.stderr.take();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut ended: Option<Instant> = None;
    if let Some(pipe) = &stdin {
        nonblocking(pipe, name)?;
    }
    while stdout.is_some() || stderr.is_some() || (stdin.is_some() && !input.is_empty()) {
        if input.is_empty() {
            stdin = None;
        }
        let ready = wait_ready(stdin.as_ref(), stdout.as_ref(), stderr.as_ref(), name)?;
        if ready[0] && !feed(stdin.as_mut(), &mut input, name)? {
            stdin = None;
            input = b"";
        }
        if ready[1] && !drain(stdout.as_mut(), &mut out, usize::MAX, name)? {
            stdout = None;
        }
        if ready[2] && !drain(stderr.as_mut(), &mut err, STDERR_LIMIT, name)? {
            stderr = None;
        }
        if exchange.cut.is_some_and(|cut| out.len() > cut) {
            end(child);
            return Ok(Output {
                code: 0,
                stdout: out,
                complaint: Complaint::default(),
            });
        }
        if out.len() > OUTPUT_LIMIT {
            return Err(too_much(name));
        }
        if ready == [false; 3] && ended_long_ago(child, &mut ended) {
            break;
        }
        if Instant::now() > deadline {
            return Err(too_slow(name));
        }
    }
    let status = wait(child, name, deadline)?;
    Ok(Output {
        code: status.code().unwrap_or(-1),
        stdout: out,
        complaint: Complaint::read(&err),
    })
}

/// Returns whether the process ended more than a moment ago, although its pipes are still open.
fn ended_long_ago(child: &mut Child, ended: &mut Option<Instant>) -> bool {
    if ended.is_none() && matches!(child.try_wait(), Ok(Some(_))) {
        *ended = Some(Instant::now());
    }
    ended.is_some_and(|at| at.elapsed() > PIPE_GRACE)
}

/// Waits for the end of a process whose pipes are closed, which is at hand.
pub(super) fn wait(child: &mut Child, name: &str, deadline: Instant) -> Result<ExitStatus> {
    let mut pause = Duration::from_micros(50);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status),
            Ok(None) if Instant::now() > deadline => return Err(too_slow(name)),
            Ok(None) => std::thread::sleep(pause),
            Err(e) => {
                return Err(
                    Error::environment(format!("cannot wait for `git {name}`")).with_source(e)
                );
            }
        }
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Returns the error of a call that exceeded its time.
pub(super) fn too_slow(name: &str) -> Error {
    Error::environment(format!("`git {name}` did not end within its time and was stopped"))
        .hint("is the disk or network file system responding? `git fsck` shows whether the repository is sound")
}

/// Makes our end of a pipe non-blocking.
pub(super) fn nonblocking(pipe: impl AsFd, name: &str) -> Result<()> {
    rustix::fs::fcntl_getfl(&pipe)
        .and_then(|flags| rustix::fs::fcntl_setfl(&pipe, flags | rustix::fs::OFlags::NONBLOCK))
        .map_err(|e| {
            Error::environment(format!("cannot set up a pipe to `git {name}`")).with_source(e)
        })
}

/// Waits until one of the pipes can be used, at most a twentieth of a second.
pub(super) fn wait_ready(
    stdin: Option<impl AsFd>,
    stdout: Option<impl AsFd>,
    stderr: Option<impl AsFd>,
    name: &str,
) -> Result<[bool; 3]> {
    let slice = rustix::event::Timespec {
        tv_sec: 0,
        tv_nsec: 50_000_000,
    };
    let mut polled = Vec::with_capacity(3);
    let mut places = Vec::with_capacity(3);
    if let Some(fd) = &stdin {
        polled.push(PollFd::new(fd, PollFlags::OUT));
        places.push(0);
    }
    if let Some(fd) = &stdout {
        polled.push(PollFd::new(fd, PollFlags::IN));
        places.push(1);
    }
    if let Some(fd) = &stderr {
        polled.push(PollFd::new(fd, PollFlags::IN));
        places.push(2);
    }
    let mut ready = [false; 3];
    match rustix::event::poll(&mut polled, Some(&slice)) {
        Ok(_) | Err(rustix::io::Errno::INTR) => {}
        Err(e) => {
            return Err(Error::environment(format!("cannot wait for `git {name}`")).with_source(e));
        }
    }
    for (fd, place) in polled.iter().zip(places) {
        ready[place] = !fd.revents().is_empty();
    }
    Ok(ready)
}

/// Writes what fits; false when git no longer reads. Any other failure ends the call: git would take
/// the part it got for the whole.
pub(super) fn feed(pipe: Option<&mut impl Write>, input: &mut &[u8], name: &str) -> Result<bool> {
    let Some(pipe) = pipe else { return Ok(false) };
    match pipe.write(input) {
        Ok(count) => {
            *input = &input[count..];
            Ok(true)
        }
        Err(e) if e.kind() == IoKind::BrokenPipe => Ok(false),
        Err(e) if matches!(e.kind(), IoKind::WouldBlock | IoKind::Interrupted) => Ok(true),
        Err(e) => Err(Error::environment(format!("cannot write to `git {name}`")).with_source(e)),
    }
}

/// Reads what is there, keeping at most `limit` bytes; false at the end.
pub(super) fn drain(
    pipe: Option<&mut impl Read>,
    into: &mut Vec<u8>,
    limit: usize,
    name: &str,
) -> Result<bool> {
    let Some(pipe) = pipe else { return Ok(false) };
    let mut buffer = [0; 64 * 1024];
    match pipe.read(&mut buffer) {
        Ok(0) => Ok(false),
        Ok(count) => {
            let room = limit.saturating_sub(into.len()).min(count);
            into.extend_from_slice(&buffer[..room]);
            Ok(true)
        }
        Err(e) if matches!(e.kind(), IoKind::WouldBlock | IoKind::Interrupted) => Ok(true),
        Err(e) => Err(Error::environment(format!("cannot read from `git {name}`")).with_source(e)),
    }
}
