//! Commands by which a user decides, which no session may run.

use super::{Command, Out};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;

impl Command {
    /// Returns the name of a command by which a user decides, or that runs sessions of its own.
    pub(super) fn decision(&self) -> Option<&'static str> {
        Some(match self {
            Command::Arm(_) => "arm",
            Command::Answer(_) => "answer",
            Command::Loop(_) => "loop",
            Command::Unblock(_) => "unblock",
            Command::Done(_) => "done",
            Command::Abandon(_) => "abandon",
            Command::Activate(_) => "activate",
            Command::Block(_) => "block",
            Command::Defer(_) => "defer",
            Command::Reopen(_) => "reopen",
            Command::Draft(_) => "draft",
            Command::Fix(_) => "fix",
            Command::Wrap(_) => "wrap",
            Command::Upgrade(_) => "upgrade",
            Command::Migrate(_) => "migrate",
            Command::Serve(_) => "serve",
            Command::Comment(_) => "comment",
            Command::Stop(_) => "stop",
            Command::Sync(_) => "sync",
            Command::Attach(_) => "attach",
            Command::Why(args) if args.ask.is_some() => "why --ask",
            Command::Review(args) if args.ask.is_some() => "review --ask",
            _ => return None,
        })
    }

    /// Refuses to call a look a success whose result could not be written. What a decision did is done, whoever hears of it.
    pub(super) fn refuse_lost_result(&self, exit: Exit, out: &Out) -> Result<Exit> {
        let is_look = self.decision().is_none() && matches!(exit, Exit::Success | Exit::Findings);
        match out.lost_result() {
            Some(why) if is_look => Err(Error::environment(format!(
                "the result could not be written: {why}"
            ))
            .hint("what was written of it is not all")),
            _ => Ok(exit),
        }
    }
}
