//! A conversation with one long-lived git process. Every exchange has a deadline.

use super::complaint::Complaint;
use super::git_command::GitCommand;
use super::pipes;
use gatewalk_core::error::{Error, Result};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use std::time::Instant;

/// A running git process and its pipes.
pub(super) struct HelperProcess {
    child: Child,
    name: &'static str,
    stdin: ChildStdin,
    stdout: ChildStdout,
    stderr: ChildStderr,
    unread: Vec<u8>,
    start: usize,
    complaint: Vec<u8>,
}

impl Drop for HelperProcess {
    fn drop(&mut self) {
        pipes::end(&mut self.child);
    }
}

impl HelperProcess {
    pub(super) fn start(call: GitCommand<'_>, name: &'static str) -> Result<HelperProcess> {
        let mut child = call.spawn()?;
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(Error::internal("a git helper has no pipes"));
        };
        pipes::nonblocking(&stdin, name)?;
        pipes::nonblocking(&stderr, name)?;
        Ok(HelperProcess {
            child,
            name,
            stdin,
            stdout,
            stderr,
            unread: Vec::new(),
            start: 0,
            complaint: Vec::new(),
        })
    }

    /// Writes to the process, reading its complaints meanwhile.
    pub(super) fn send(&mut self, mut input: &[u8], deadline: Instant) -> Result<()> {
        while !input.is_empty() {
            let ready = pipes::wait_ready(
                Some(&self.stdin),
                None::<&ChildStdout>,
                Some(&self.stderr),
                self.name,
            )?;
            if ready[2] {
                self.listen()?;
            }
            if ready[0] && !pipes::feed(Some(&mut self.stdin), &mut input, self.name)? {
                return Err(self.died());
            }
            self.check(deadline)?;
        }
        Ok(())
    }

    fn listen(&mut self) -> Result<bool> {
        pipes::drain(
            Some(&mut self.stderr),
            &mut self.complaint,
            pipes::STDERR_LIMIT,
            self.name,
        )
    }

    fn check(&self, deadline: Instant) -> Result<()> {
        if Instant::now() > deadline {
            Err(pipes::too_slow(self.name))
        } else {
            Ok(())
        }
    }

    /// Returns the error of a process that ended in the middle of an exchange.
    fn died(&mut self) -> Error {
        // It may only have closed one of its pipes; what it printed is in the other one even when it is killed.
        pipes::end(&mut self.child);
        for _ in 0..64 {
            match self.listen() {
                Ok(true) => {}
                Ok(false) | Err(_) => break,
            }
        }
        Complaint::read(&self.complaint).to_error(self.name, 128)
    }

    /// Returns the error of a process that answered what it cannot have meant, as one does that dies in mid-answer.
    pub(super) fn garbled(&mut self, answer: &str) -> Error {
        let died = self.died();
        if self.complaint.is_empty() {
            let start: String = answer.chars().take(60).collect();
            return Error::environment(format!("`git {}` answered `{start}`", self.name));
        }
        died
    }

    /// Waits a moment for output, reading complaints meanwhile; returns whether there is some, or its end.
    fn wait_for_output(&mut self) -> Result<bool> {
        let ready = pipes::wait_ready(
            None::<&ChildStdin>,
            Some(&self.stdout),
            Some(&self.stderr),
            self.name,
        )?;
        if ready[2] {
            self.listen()?;
        }
        Ok(ready[1])
    }

    /// Reads more output into the buffer.
    fn fill(&mut self, deadline: Instant) -> Result<()> {
        if self.start > 0 && self.start == self.unread.len() {
            self.unread.clear();
            self.start = 0;
        }
        loop {
            if self.wait_for_output()? {
                let more = pipes::drain(
                    Some(&mut self.stdout),
                    &mut self.unread,
                    usize::MAX,
                    self.name,
                )?;
                return if more { Ok(()) } else { Err(self.died()) };
            }
            self.check(deadline)?;
        }
    }

    /// Reads a line of the answer.
    pub(super) fn line(&mut self, deadline: Instant) -> Result<String> {
        loop {
            if let Some(at) = self.unread[self.start..]
                .iter()
                .position(|byte| *byte == b'\n')
            {
                let line =
                    String::from_utf8_lossy(&self.unread[self.start..self.start + at]).into_owned();
                self.start += at + 1;
                return Ok(line);
            }
            self.fill(deadline)?;
        }
    }

    /// Waits for the end of a process that was sent all it gets.
    pub(super) fn finish(mut self, deadline: Instant) -> Result<()> {
        loop {
            let ready = self.wait_for_output()?;
            let out = &mut self.unread;
            let limit = pipes::STDERR_LIMIT;
            if ready && !pipes::drain(Some(&mut self.stdout), out, limit, self.name)? {
                break;
            }
            self.check(deadline)?;
        }
        match pipes::wait(&mut self.child, self.name, deadline)?.success() {
            true => Ok(()),
            false => Err(self.died()),
        }
    }

    /// Reads exactly `count` bytes, keeping them unless there are more than `limit`.
    pub(super) fn bytes(
        &mut self,
        count: u64,
        limit: u64,
        deadline: Instant,
    ) -> Result<Option<Vec<u8>>> {
        let mut kept = Vec::new();
        let mut left = count;
        while left > 0 {
            if self.start == self.unread.len() {
                self.fill(deadline)?;
            }
            let available = self.unread.len() - self.start;
            let take = usize::try_from(left).unwrap_or(usize::MAX).min(available);
            if count <= limit {
                kept.extend_from_slice(&self.unread[self.start..self.start + take]);
            }
            self.start += take;
            left -= take as u64;
        }
        Ok((count <= limit).then_some(kept))
    }
}
