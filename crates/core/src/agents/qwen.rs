//! Qwen Code: `qwen --output-format stream-json`. It speaks Claude Code's events, with cached tokens
//! counted among the input and faults told as a sentence.

use super::{Agent, AgentCommand, Login, Outcome, PromptVia, Request, Session, messages};
use crate::error::Result;

/// The adapter.
pub(super) struct Qwen;

impl Agent for Qwen {
    fn name(&self) -> &'static str {
        "qwen"
    }

    fn probe(&self) -> Option<(&'static str, &'static [&'static str])> {
        Some(("qwen", &["--version"]))
    }

    fn state(&self) -> &'static [&'static str] {
        &[".qwen"]
    }

    fn login(&self) -> Option<Login> {
        Some(Login {
            home: None,
            files: &[".qwen/oauth_creds.json"],
            keys: &["OPENAI_API_KEY", "DASHSCOPE_API_KEY"],
        })
    }

    fn command(&self, request: &Request<'_>) -> Result<AgentCommand> {
        let mut args: Vec<String> = [
            "--output-format",
            "stream-json",
            "--approval-mode",
            "yolo",
            "--extensions",
            "none",
        ]
        .map(String::from)
        .into();
        if let Some(model) = request.model {
            args.extend(["--model".into(), model.into()]);
        }
        Ok(AgentCommand {
            args,
            env: vec![("QWEN_CODE_SUPPRESS_YOLO_WARNING".into(), "1".into())],
            keep_env: ["QWEN_*", "OPENAI_*", "DASHSCOPE_*"]
                .map(String::from)
                .into(),
            drop_env: &["QWEN_CODE", "QWEN_CODE_NO_RELAUNCH"],
            ..AgentCommand::of("qwen", PromptVia::Stdin)
        })
    }

    fn read(&self, line: &[u8], seen: &mut Session) {
        messages::read(line, seen);
    }

    fn end(&self, seen: &mut Session) {
        messages::end(seen);
        seen.usage = seen.usage.without_cached();
    }

    fn remedy(&self, outcome: &Outcome) -> Option<&'static str> {
        match outcome {
            Outcome::Missing => Some("install Qwen Code (`npm install -g @qwen-code/qwen-code`)"),
            Outcome::Auth => {
                Some("run `qwen` once and log in, or set OPENAI_API_KEY and OPENAI_BASE_URL")
            }
            Outcome::Quota => Some("add credit to the account, or name another agent"),
            _ => None,
        }
    }
}
