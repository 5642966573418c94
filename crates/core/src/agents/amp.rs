//! Amp: `amp --execute --stream-json`, which prints Claude Code's events.

use super::{Agent, AgentCommand, Outcome, PromptVia, Request, Session, messages};
use crate::error::Result;

/// The adapter.
pub(super) struct Amp;

impl Agent for Amp {
    fn name(&self) -> &'static str {
        "amp"
    }

    fn probe(&self) -> Option<(&'static str, &'static [&'static str])> {
        Some(("amp", &["--version"]))
    }

    fn state(&self) -> &'static [&'static str] {
        &[".local/share/amp", ".config/amp"]
    }

    fn command(&self, request: &Request<'_>) -> Result<AgentCommand> {
        let mut args: Vec<String> = ["--execute", "--stream-json", "--dangerously-allow-all"]
            .map(String::from)
            .into();
        if let Some(mode) = request.model {
            // It picks models by mode: `smart`, `rush` …
            args.extend(["--mode".into(), mode.into()]);
        }
        Ok(AgentCommand {
            args,
            env: vec![("AMP_SKIP_UPDATE_CHECK".into(), "1".into())],
            keep_env: vec!["AMP_*".into()],
            drop_env: &["AMP_THREAD_ID", "AMP_CURRENT_THREAD_ID"],
            ..AgentCommand::of("amp", PromptVia::Stdin)
        })
    }

    fn read(&self, line: &[u8], seen: &mut Session) {
        messages::read(line, seen);
    }

    fn end(&self, seen: &mut Session) {
        messages::end(seen);
    }

    fn remedy(&self, outcome: &Outcome) -> Option<&'static str> {
        match outcome {
            Outcome::Missing => Some("install Amp (`npm install -g @sourcegraph/amp`)"),
            Outcome::Auth => Some("run `amp login`, or set AMP_API_KEY"),
            Outcome::Quota => Some("add credit to the account, or name another agent"),
            _ => None,
        }
    }
}
