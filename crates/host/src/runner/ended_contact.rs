//! How a contact's command ended, and why it did before its work was done.

use super::contact_messages::shown;
use super::engine_end::EngineWord;
use super::home_contact::HomeEar;
use super::lost_contact::{Lost, telling_line};
use super::start_fault::FailedStart;
use crate::process::{ProcessEnd, ProcessOutcome};
use crate::runner_definition::RunnerDefinition;

/// How a contact's command ended, and what was heard of it.
pub(super) struct EndedContact<'a> {
    ended: &'a ProcessEnd,
    has_begun: bool,
    stderr: String,
    noise: String,
    /// What an engine said about taking back what it ran, once that ran.
    pub(super) engine: Option<EngineWord>,
}

impl EndedContact<'_> {
    pub(super) fn of<'a>(ran: &'a ProcessOutcome, ear: &HomeEar) -> EndedContact<'a> {
        // `wsl` writes two bytes a letter.
        let stderr = String::from_utf8_lossy(&ran.stderr_tail).replace('\0', "");
        let said = EngineWord::in_text(&stderr);
        EndedContact {
            ended: &ran.ended,
            has_begun: ear.has_begun(),
            noise: ear.noise().replace('\0', ""),
            engine: said.filter(|_| ear.has_begun()),
            stderr,
        }
    }

    /// Returns why it ended before its work did: what was noted while it was held, or else how its command ended.
    pub(super) fn why(&self, noted: Option<Lost>, runner: &RunnerDefinition) -> Lost {
        match noted {
            Some(lost) if lost.in_vain => lost.with_printed(runner, (&self.stderr, &self.noise)),
            Some(lost) => lost,
            None => self.why_ended(runner),
        }
    }

    fn why_ended(&self, runner: &RunnerDefinition) -> Lost {
        let ended = match self.ended {
            ProcessEnd::SpawnFailed { message, .. } => message.clone(),
            ProcessEnd::Exited(code) if self.has_begun => {
                format!("the connection ended (its command exited with {code})")
            }
            ProcessEnd::Exited(code) => format!("its command exited with {code} before it started"),
            ProcessEnd::Signaled(signal) => format!("its command was ended by signal {signal}"),
            _ => "its command was ended".to_owned(),
        };
        let word = self.engine.as_ref();
        let why = word.map(|word| word.line.as_str());
        let why = why.or_else(|| telling_line(&self.stderr).or_else(|| telling_line(&self.noise)));
        let why = why.map(|line| format!(": {}", shown(line)));
        let remedy = match self.ended {
            ProcessEnd::SpawnFailed { missing: true, .. } => {
                Some("install it here, or mend `command`".to_owned())
            }
            ProcessEnd::Exited(exit) if !self.has_begun => FailedStart {
                runner,
                exit: *exit,
                printed: &format!("{}\n{}", self.stderr, self.noise),
            }
            .remedy(),
            _ => word.and_then(EngineWord::remedy),
        };
        Lost::lasting(format!("{ended}{}", why.unwrap_or_default()), remedy)
    }
}
