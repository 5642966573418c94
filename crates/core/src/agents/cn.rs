//! Continue: `cn -p --format json`.
//!
//! It does not read standard input: the prompt is an argument, and one too long for that is named as
//! a file to read. It prints one object when all is over, and a fault as one on standard error; no
//! tokens, no cost, no tool calls.

use super::lenient_json::{Field, fold_line, unknown};
use super::{Agent, AgentCommand, ApiError, Outcome, PromptVia, Request, Session, error_text};
use crate::error::Result;
use serde::Deserialize;

/// The adapter.
pub(super) struct Continue;

impl Agent for Continue {
    fn name(&self) -> &'static str {
        "continue"
    }

    fn probe(&self) -> Option<(&'static str, &'static [&'static str])> {
        Some(("cn", &["--version"]))
    }

    fn state(&self) -> &'static [&'static str] {
        &[".continue"]
    }

    fn command(&self, request: &Request<'_>) -> Result<AgentCommand> {
        let mut args: Vec<String> = ["--print", "--format", "json", "--auto"]
            .map(String::from)
            .into();
        if let Some(model) = request.model {
            args.extend(["--model".into(), model.into()]);
        }
        args.push(request.prompt_argument());
        Ok(AgentCommand {
            args,
            env: vec![("CONTINUE_TELEMETRY_ENABLED".into(), "0".into())],
            keep_env: ["CONTINUE_*", "ANTHROPIC_API_KEY", "OPENAI_API_KEY"]
                .map(String::from)
                .into(),
            ..AgentCommand::of("cn", PromptVia::Argument)
        })
    }

    fn read(&self, line: &[u8], seen: &mut Session) {
        fold_line(line, seen, |json, seen| {
            serde_json::from_str(json).is_ok_and(|event| fold(&event, seen))
        });
    }

    fn end(&self, seen: &mut Session) {
        let stderr = seen.stderr.as_str().lines().rev();
        let mut told =
            stderr.filter_map(|line| serde_json::from_str::<ContinueEvent<'_>>(line).ok());
        let failed = told.find(|event| event.status.text().as_deref() == Some("error"));
        if let Some(message) = failed.and_then(|event| event.message.short(2000)) {
            let status = error_text::leading_status(&message);
            seen.fail_for_good(ApiError::told(status, None, &message));
        }
    }

    fn remedy(&self, outcome: &Outcome) -> Option<&'static str> {
        match outcome {
            Outcome::Missing => Some("install Continue (`npm install -g @continuedev/cli`)"),
            Outcome::Auth => Some("run `cn login`, or put the key into ~/.continue/config.yaml"),
            Outcome::Quota => Some("add credit at the provider, or name another agent"),
            _ => None,
        }
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct ContinueEvent<'a> {
    #[serde(borrow)]
    response: Field<'a>,
    status: Field<'a>,
    message: Field<'a>,
}

fn fold(event: &ContinueEvent<'_>, seen: &mut Session) -> bool {
    let (Some(response), Some(status)) = (event.response.text(), event.status.text()) else {
        return unknown(seen);
    };
    seen.say(&response);
    seen.is_error = Some(status != "success");
    seen.finished = true;
    true
}
