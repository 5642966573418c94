//! Writes our side of a conversation to a program, and never waits for it: what its pipe does not take
//! is kept, up to a cap, and offered again.

use gatewalk_core::agents::Conversation;
use gatewalk_core::error::{Error, Result};
use rustix::fs::OFlags;
use std::fs::File;
use std::os::fd::OwnedFd;
use std::sync::Arc;

/// The most that is kept for a program that does not read: a prompt and many answers.
const CAP: usize = 16 << 20;

/// Our side, and the writing end of the program's standard input.
pub(super) struct AgentStdin {
    talk: Box<dyn Conversation>,
    pipe: OwnedFd,
    waiting: Vec<u8>,
}

impl AgentStdin {
    /// Opens a conversation; returns it, and what becomes the program's standard input.
    pub(super) fn new(talk: Box<dyn Conversation>) -> Result<(AgentStdin, Arc<File>)> {
        let failed = |e| Error::environment("cannot make a pipe").with_source(e);
        let (theirs, pipe) = std::io::pipe().map_err(failed)?;
        rustix::fs::fcntl_setfl(&pipe, OFlags::NONBLOCK).map_err(|e| failed(e.into()))?;
        // A whole prompt at once; smaller where the system does not allow it.
        #[cfg(target_os = "linux")]
        let _ = rustix::pipe::fcntl_setpipe_size(&pipe, 1 << 20);
        let mut stdin = AgentStdin {
            talk,
            pipe: pipe.into(),
            waiting: Vec::new(),
        };
        stdin.waiting = stdin.talk.open();
        stdin.flush();
        Ok((stdin, Arc::new(File::from(OwnedFd::from(theirs)))))
    }

    /// Answers a line the program printed.
    pub(super) fn answer(&mut self, line: &[u8]) {
        let answer = self.talk.answer(line);
        // A program that asks and asks and never reads gets no more answers.
        if self.waiting.len() + answer.len() <= CAP {
            self.waiting.extend(answer);
        }
        self.flush();
    }

    /// Returns whether the session offers no such effort as it was asked for.
    pub(super) fn leaves_out_effort(&self) -> bool {
        self.talk.leaves_out_effort()
    }

    /// Writes as much as the pipe takes now.
    pub(super) fn flush(&mut self) {
        while !self.waiting.is_empty() {
            match rustix::io::write(&self.pipe, &self.waiting) {
                Ok(written) => drop(self.waiting.drain(..written)),
                Err(rustix::io::Errno::INTR) => {}
                // Full, or nobody reads any more: the end of the session says which.
                Err(_) => break,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    /// Says a lot at first, then repeats what it hears.
    struct Echo(usize);

    impl Conversation for Echo {
        fn open(&mut self) -> Vec<u8> {
            vec![b'x'; self.0]
        }

        fn answer(&mut self, line: &[u8]) -> Vec<u8> {
            line.to_vec()
        }
    }

    #[test]
    fn a_program_that_does_not_read_is_not_waited_for_and_loses_nothing() {
        let (mut stdin, theirs) = AgentStdin::new(Box::new(Echo(3 << 20))).unwrap();
        stdin.answer(b"last\n");
        assert!(!stdin.waiting.is_empty(), "no pipe holds that much");
        let reader = std::thread::spawn(move || {
            let mut all = Vec::new();
            theirs.as_ref().read_to_end(&mut all).unwrap();
            all
        });
        while !stdin.waiting.is_empty() {
            stdin.flush();
            std::thread::yield_now();
        }
        drop(stdin);
        let all = reader.join().unwrap();
        assert_eq!(all.len(), (3 << 20) + 5);
        assert!(all.ends_with(b"xlast\n"));
    }

    #[test]
    fn answers_nobody_reads_are_bounded() {
        let (mut stdin, _theirs) = AgentStdin::new(Box::new(Echo(0))).unwrap();
        for _ in 0..40 {
            stdin.answer(&vec![b'y'; 1 << 20]);
        }
        assert!(stdin.waiting.len() <= CAP, "{}", stdin.waiting.len());
    }
}
