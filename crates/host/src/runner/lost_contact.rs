//! Why there is no far end, or no longer, in words for whoever set the runner up.

use super::contact_messages::{self, FarFailure, shown};
use super::frame_fault::FrameFault;
use super::start_fault::FailedStart;
use crate::process::{Flow, SinkStop};
use crate::runner_definition::RunnerDefinition;
use gatewalk_core::error::Error;
use std::time::Duration;

/// What a command that was still waited for ended with.
const UNENDED: i32 = -1;

/// Why there is no far end, or no longer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lost {
    pub(crate) why: String,
    /// What only the user can do about it; nothing where it may pass by itself.
    pub(crate) remedy: Option<String>,
    /// Whether it was waited for in vain: what its command printed may tell why.
    pub(super) in_vain: bool,
}

impl Lost {
    /// Returns what may pass by itself.
    pub(crate) fn new(why: impl Into<String>) -> Lost {
        Lost {
            why: why.into(),
            remedy: None,
            in_vain: false,
        }
    }

    /// Returns what only the user can mend.
    pub(super) fn lasting(why: impl Into<String>, remedy: Option<String>) -> Lost {
        Lost {
            remedy,
            ..Lost::new(why)
        }
    }

    /// Returns what bytes that are no frames mean, beside what came before any.
    pub(super) fn by_fault(fault: FrameFault, noise: &[u8]) -> Lost {
        let noise = String::from_utf8_lossy(noise);
        let first = noise.lines().map(str::trim).find(|line| !line.is_empty());
        // A program's own bytes tell nobody anything.
        let is_text = |line: &&str| !line.contains(['\0', char::REPLACEMENT_CHARACTER]);
        let first = first
            .filter(|_| fault == FrameFault::NoFarEnd)
            .filter(is_text);
        let first = first.map(|line| format!(", as `{}`", shown(line)));
        let why = format!("{fault}{}", first.unwrap_or_default());
        Lost::lasting(why, fault.remedy().map(str::to_owned))
    }

    /// Returns that a far end was waited for in vain.
    pub(super) fn by_waiting(waited: Duration) -> Lost {
        Lost {
            in_vain: true,
            ..Lost::new(format!("it did not start within {} s", waited.as_secs()))
        }
    }

    /// Adds what was printed meanwhile: it may be a question, or why nothing starts.
    pub(super) fn with_printed(
        self,
        runner: &RunnerDefinition,
        (stderr, noise): (&str, &str),
    ) -> Lost {
        let line = telling_line(stderr).or_else(|| telling_line(noise));
        let printed = line.map(|line| format!("; it printed `{}`", shown(line)));
        let start = FailedStart {
            runner,
            exit: UNENDED,
            printed: &format!("{stderr}\n{noise}"),
        };
        Lost {
            why: format!("{}{}", self.why, printed.unwrap_or_default()),
            remedy: start.remedy(),
            ..self
        }
    }

    /// Goes on, or stops and notes why; the first reason counts.
    pub(super) fn flow(taken: std::result::Result<(), Lost>, noted: &mut Option<Lost>) -> Flow {
        match taken {
            Ok(()) => Flow::Continue,
            Err(lost) => {
                noted.get_or_insert(lost);
                Flow::Stop(SinkStop::Done)
            }
        }
    }
}

impl From<FrameFault> for Lost {
    fn from(fault: FrameFault) -> Lost {
        Lost::by_fault(fault, b"")
    }
}

impl From<Error> for Lost {
    fn from(error: Error) -> Lost {
        Lost::new(error.to_string())
    }
}

impl From<FarFailure> for Lost {
    fn from(failure: FarFailure) -> Lost {
        let hints = contact_messages::bounded_text(&failure.hints.join("; "));
        let message = contact_messages::bounded_text(&failure.message);
        let why = format!("it reports: {message}");
        match failure.lasting {
            true if hints.is_empty() => {
                Lost::lasting(why, Some("mend that on its machine".to_owned()))
            }
            true => Lost::lasting(why, Some(hints)),
            false if hints.is_empty() => Lost::new(why),
            false => Lost::new(format!("{why}; {hints}")),
        }
    }
}

/// Returns the line that says what went wrong: the first that calls itself an error, else the last one that says more than
/// where to read on.
pub(super) fn telling_line(printed: &str) -> Option<&str> {
    // A program's own bytes tell nobody anything.
    let tells = |line: &&str| !line.is_empty() && !line.contains(char::REPLACEMENT_CHARACTER);
    let lines = || printed.lines().map(str::trim).filter(tells);
    let is_error = |line: &&str| {
        let line = line.to_ascii_lowercase();
        let starts = ["error:", "fatal:", "could not resolve hostname"];
        let begins = |line: &str| starts.iter().any(|start| line.starts_with(start));
        // As `srun: error: …`, and its summary tells less.
        let behind = line.split_once(": ");
        let behind = behind.is_some_and(|(who, what)| !who.contains(' ') && begins(what));
        (begins(&line) || behind) && !line.contains("exited with exit code")
    };
    let reads_on = |line: &&str| {
        let starts = ["Run '", "See '", "Try '", "For more", "Usage:"];
        starts.iter().any(|start| line.starts_with(start))
    };
    // What stands behind a usage is more of it.
    let usage = |line: &&str| line.starts_with("Usage:") || line.starts_with("usage:");
    let told = lines().take_while(|line| !usage(line));
    let last = told.filter(|line| !reads_on(line)).last();
    lines()
        .find(is_error)
        .or(last)
        .or_else(|| lines().next_back())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_that_says_what_went_wrong_is_shown() {
        let rows = [
            ("", None),
            ("\n \n", None),
            ("\u{1f}\u{fffd}\u{8}", None),
            (
                "Permission denied\n\u{1f}\u{fffd}",
                Some("Permission denied"),
            ),
            (
                "warning: x\nPermission denied\n\n",
                Some("Permission denied"),
            ),
            (
                "error: unrecognized subcommand\n\nFor more, try --help.\n",
                Some("error: unrecognized subcommand"),
            ),
            ("Error: no image\nError: again\n", Some("Error: no image")),
            ("fatal: a\nb\n", Some("fatal: a")),
            ("an error: a\nb\n", Some("b")),
            (
                "docker: Cannot connect to the daemon.\n\nRun 'docker run --help' for more information\n",
                Some("docker: Cannot connect to the daemon."),
            ),
            ("Usage: x\n", Some("Usage: x")),
            (
                "ssh: Could not resolve hostname hop: Name or service not known\nConnection closed by UNKNOWN port 65535\n",
                Some("ssh: Could not resolve hostname hop: Name or service not known"),
            ),
            (
                "A driver\n\nUsage: gatewalk [OPTIONS]\n\n  -V, --version   Print version\n",
                Some("A driver"),
            ),
            (
                "srun: error: invalid partition specified: x\nsrun: error: Unable to allocate resources\n",
                Some("srun: error: invalid partition specified: x"),
            ),
            (
                "srun: error: vm: task 0: Exited with exit code 2\nslurmstepd-vm: error: execve(): gatewalk: No such file\n",
                Some("slurmstepd-vm: error: execve(): gatewalk: No such file"),
            ),
        ];
        for (printed, want) in rows {
            assert_eq!(telling_line(printed), want, "{printed}");
        }
    }

    #[test]
    fn what_was_waited_for_in_vain_shows_the_question_it_asked() {
        let runner = RunnerDefinition::named("big");
        for (stderr, noise, why, remedy) in [
            ("", "", "it did not start within 8 s", None),
            (
                "",
                "hello\nCreate it now? [Y/n]",
                "it did not start within 8 s; it printed `Create it now? [Y/n]`",
                None,
            ),
            (
                "srun: Requested partition configuration not available now\nsrun: job 36 queued and waiting for resources\n",
                "hello",
                "it did not start within 8 s; it printed `srun: job 36 queued and waiting for resources`",
                Some("ask for less than the partition grants, or name another partition"),
            ),
        ] {
            let lost = Lost::by_waiting(Duration::from_secs(8));
            let lost = lost.with_printed(&runner, (stderr, noise));
            assert_eq!(lost.why, why);
            assert_eq!(lost.remedy.as_deref(), remedy, "{why}");
        }
    }

    #[test]
    fn what_failed_there_comes_with_what_to_do_about_it() {
        let mut failure = FarFailure {
            message: "no directory".to_owned(),
            hints: vec!["set HOME".to_owned()],
            lasting: false,
        };
        let passing = Lost::from(failure.clone());
        assert_eq!(passing.why, "it reports: no directory; set HOME");
        assert_eq!(passing.remedy, None);
        failure.lasting = true;
        let lasting = Lost::from(failure);
        assert_eq!(lasting.why, "it reports: no directory");
        assert_eq!(lasting.remedy.as_deref(), Some("set HOME"));
    }

    #[test]
    fn what_is_printed_in_place_of_a_far_end_is_shown() {
        let lost = Lost::by_fault(FrameFault::NoFarEnd, b"\n  1\x1b[1m\n2\n");
        assert!(lost.why.ends_with("as `1\\u{1b}[1m`"), "{lost:?}");
        assert!(lost.remedy.is_some());
        let of_bytes = Lost::by_fault(FrameFault::NoFarEnd, b"\x7fELF\0\n2\n");
        assert!(of_bytes.why.ends_with("something else"), "{of_bytes:?}");
    }
}
