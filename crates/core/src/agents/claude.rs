//! Claude Code: `claude -p`. What it prints is read in `messages`.
//!
//! Unattended work needs every tool, so permission prompts are skipped: the slot is a private
//! directory with a throwaway git directory, and the driver judges what comes out. A denied tool
//! would end the session as a success that did nothing.
//!
//! Success is never read from `subtype`: it is `success` on API errors too. `is_error` and the exit
//! decide.

use super::{
    Agent, AgentCommand, Login, Outcome, ProcessExit, PromptVia, Request, Session, messages,
};
use crate::error::Result;

/// The adapter.
pub(super) struct Claude;

const ENV: &[(&str, &str)] = &[
    ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
    // The driver waits and retries by its own clock; ten retries inside hide three minutes of a
    // 401.
    ("CLAUDE_CODE_MAX_RETRIES", "2"),
    ("DISABLE_AUTOUPDATER", "1"),
    ("DISABLE_ERROR_REPORTING", "1"),
    ("DISABLE_TELEMETRY", "1"),
];

/// Where the account, the provider and its region are found.
const KEEP: &[&str] = &[
    "ANTHROPIC_*",
    "AWS_*",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "CLAUDE_CODE_SKIP_*",
    "CLAUDE_CODE_USE_*",
    "CLAUDE_CONFIG_DIR",
    "CLOUD_ML_REGION",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "GOOGLE_CLOUD_PROJECT",
    "VERTEX_*",
];

/// A session must not believe that it runs inside another one.
const DROP: &[&str] = &[
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_CODE_SSE_PORT",
];

impl Agent for Claude {
    fn name(&self) -> &'static str {
        "claude"
    }

    fn probe(&self) -> Option<(&'static str, &'static [&'static str])> {
        Some(("claude", &["--version"]))
    }

    fn state(&self) -> &'static [&'static str] {
        &[".claude", ".claude.json"]
    }

    fn login(&self) -> Option<Login> {
        Some(Login {
            home: Some("CLAUDE_CONFIG_DIR"),
            files: &[".claude/.credentials.json"],
            keys: &["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
        })
    }

    fn command(&self, request: &Request<'_>) -> Result<AgentCommand> {
        let mut args: Vec<String> = [
            "-p",
            "--output-format",
            "stream-json",
            "--verbose",
            "--dangerously-skip-permissions",
            // None of the user's own tool servers.
            "--strict-mcp-config",
        ]
        .map(String::from)
        .into();
        let mut env: Vec<(String, String)> = ENV
            .iter()
            .map(|(k, v)| ((*k).into(), (*v).into()))
            .collect();
        if let Some(model) = request.model {
            args.extend(["--model".into(), model.into()]);
        }
        if let Some(effort) = request.effort {
            // The variable rather than `--effort`: versions without the switch would refuse to
            // start.
            env.push(("CLAUDE_CODE_EFFORT_LEVEL".into(), effort.into()));
        }
        if let Some(budget) = request.budget_usd {
            args.extend(["--max-budget-usd".into(), budget.to_string()]);
        }
        if request.root {
            // As user 0 the program skips permissions only when told that it is contained.
            env.push(("IS_SANDBOX".into(), "1".into()));
        }
        Ok(AgentCommand {
            program: "claude".into(),
            args,
            env,
            keep_env: KEEP.iter().map(|name| (*name).into()).collect(),
            drop_env: DROP,
            prompt: PromptVia::Stdin,
        })
    }

    fn read(&self, line: &[u8], seen: &mut Session) {
        messages::read(line, seen);
    }

    fn end(&self, seen: &mut Session) {
        messages::end(seen);
    }

    fn outcome(&self, exit: &ProcessExit, seen: &Session) -> Outcome {
        match seen.terminal_reason.as_deref() {
            Some("budget_exhausted") => Outcome::Budget,
            // It worked until its own limit of turns; what it left may well be whole.
            Some("max_turns") => super::fallback_outcome(
                exit,
                &Session {
                    is_error: Some(false),
                    ..seen.clone()
                },
            ),
            // Bare text, or none at all, is an answer too: what it left is judged, not what it said.
            _ => super::fallback_outcome(exit, seen),
        }
    }

    fn remedy(&self, outcome: &Outcome) -> Option<&'static str> {
        match outcome {
            Outcome::Missing => {
                Some("install Claude Code (`npm install -g @anthropic-ai/claude-code`)")
            }
            Outcome::Auth => {
                Some("run `claude` once and log in with `/login`, or set ANTHROPIC_API_KEY")
            }
            Outcome::Quota => Some("add credit to the account, or name another agent"),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
