//! Commands by which a user decides, which no session may run.

use super::Command;

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
}
