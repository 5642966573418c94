//! Codex: `codex exec --json`.
//!
//! Its own sandbox is off: where it cannot start it fails every command without an event and exits
//! 0, and builds need the network. The slot, the driver's guards and the oracle stand in.
//!
//! It gives no cost and, for faults, sentences: the status stands in them.

use super::lenient_json::{Field, Nested, fold_line, unknown};
use super::{Agent, AgentCommand, ApiError, Login, Outcome, PromptVia, Request, Session, Usage};
use crate::error::Result;
use serde::Deserialize;

/// The adapter.
pub(super) struct Codex;

impl Agent for Codex {
    fn name(&self) -> &'static str {
        "codex"
    }

    fn probe(&self) -> Option<(&'static str, &'static [&'static str])> {
        Some(("codex", &["--version"]))
    }

    fn state(&self) -> &'static [&'static str] {
        &[".codex"]
    }

    fn login(&self) -> Option<Login> {
        Some(Login {
            home: Some("CODEX_HOME"),
            files: &[".codex/auth.json"],
            keys: &["OPENAI_API_KEY", "CODEX_API_KEY"],
        })
    }

    fn command(&self, request: &Request<'_>) -> Result<AgentCommand> {
        let mut args: Vec<String> = [
            "exec",
            "--json",
            "--skip-git-repo-check",
            "--dangerously-bypass-approvals-and-sandbox",
        ]
        .map(String::from)
        .into();
        if let Some(model) = request.model {
            args.extend(["--model".into(), model.into()]);
        }
        if let Some(effort) = request.effort {
            // Its scale ends at `xhigh`.
            let effort = if effort == "max" { "xhigh" } else { effort };
            args.extend(["-c".into(), format!("model_reasoning_effort=\"{effort}\"")]);
        }
        // Without the dash and with an open stdin it waits for ever.
        args.push("-".into());
        Ok(AgentCommand {
            args,
            keep_env: ["CODEX_*", "OPENAI_*", "AZURE_OPENAI_*"]
                .map(String::from)
                .into(),
            drop_env: &[
                "CODEX_SANDBOX",
                "CODEX_SANDBOX_NETWORK_DISABLED",
                "CODEX_THREAD_ID",
            ],
            ..AgentCommand::of("codex", PromptVia::Stdin)
        })
    }

    fn read(&self, line: &[u8], seen: &mut Session) {
        fold_line(line, seen, |json, seen| {
            serde_json::from_str(json).is_ok_and(|event| fold(&event, seen))
        });
    }

    fn remedy(&self, outcome: &Outcome) -> Option<&'static str> {
        match outcome {
            Outcome::Missing => Some("install Codex (`npm install -g @openai/codex`)"),
            Outcome::Auth => Some("run `codex login`, or set CODEX_API_KEY"),
            Outcome::Quota => Some("add credit to the account, or name another agent"),
            _ => None,
        }
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct CodexEvent<'a> {
    #[serde(borrow, rename = "type")]
    kind: Field<'a>,
    thread_id: Field<'a>,
    item: Nested<Item<'a>>,
    usage: Nested<CodexTokens<'a>>,
    message: Field<'a>,
    error: Field<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Item<'a> {
    #[serde(borrow, rename = "type")]
    kind: Field<'a>,
    id: Field<'a>,
    text: Field<'a>,
    command: Field<'a>,
    server: Field<'a>,
    tool: Field<'a>,
    query: Field<'a>,
    changes: Field<'a>,
    status: Field<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct CodexTokens<'a> {
    #[serde(borrow)]
    input_tokens: Field<'a>,
    cached_input_tokens: Field<'a>,
    cache_write_input_tokens: Field<'a>,
    output_tokens: Field<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct CodexError<'a> {
    #[serde(borrow)]
    message: Field<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct FileChange<'a> {
    #[serde(borrow)]
    path: Field<'a>,
}

fn fold(event: &CodexEvent<'_>, seen: &mut Session) -> bool {
    match event.kind.text().as_deref() {
        Some("thread.started") => seen.session_id = event.thread_id.short(200),
        Some("turn.started" | "item.updated") => {}
        Some("item.started") => event
            .item
            .one()
            .into_iter()
            .for_each(|item| begin(item, seen)),
        Some("item.completed") => event
            .item
            .one()
            .into_iter()
            .for_each(|item| complete(item, seen)),
        Some("turn.completed") => {
            seen.usage = seen
                .usage
                .plus(event.usage.one().map(tokens).unwrap_or_default());
            seen.finished = true;
            seen.is_error = Some(false);
            seen.retrying = None;
            seen.open.clear();
        }
        Some("turn.failed") => {
            let told: CodexError<'_> = event.error.read().unwrap_or_default();
            let message = told.message.short(2000).unwrap_or_default();
            seen.fail_for_good(ApiError::told(None, None, &message));
            seen.finished = true;
            seen.retrying = None;
        }
        Some("error") => {
            let message = event.message.short(2000).unwrap_or_default();
            seen.retry(ApiError::told(None, None, &message));
        }
        _ => return unknown(seen),
    }
    true
}

/// Returns the tool of an item and what it works on; other items are words or notes.
fn tool(item: &Item<'_>) -> Option<(String, String)> {
    let short = |field: Field<'_>| field.short(1000).unwrap_or_default();
    Some(match item.kind.text().as_deref()? {
        "command_execution" => ("shell".into(), short(item.command)),
        "mcp_tool_call" => (
            format!("{}.{}", short(item.server), short(item.tool)),
            String::new(),
        ),
        "web_search" => ("web_search".into(), short(item.query)),
        "file_change" => {
            let first = item.changes.list().first().copied().unwrap_or_default();
            let change: FileChange<'_> = first.read().unwrap_or_default();
            ("edit".into(), short(change.path))
        }
        _ => return None,
    })
}

fn begin(item: &Item<'_>, seen: &mut Session) {
    if let Some((tool, detail)) = tool(item) {
        seen.start_tool(&item.id.short(200).unwrap_or_default(), &tool, &detail);
    }
}

fn complete(item: &Item<'_>, seen: &mut Session) {
    let kind = item.kind.text();
    if kind.as_deref() == Some("agent_message") {
        return seen.say(&item.text.text().unwrap_or_default());
    }
    let id = item.id.short(200).unwrap_or_default();
    let known = seen.open.iter().any(|call| call.id == id);
    match (kind.as_deref(), tool(item)) {
        (_, Some((tool, detail))) => {
            // Some items come only when they are done.
            if !known {
                seen.start_tool(&id, &tool, &detail);
            }
            seen.end_tool(&id);
            seen.denials += u64::from(item.status.text().as_deref() == Some("declined"));
        }
        // An `error` item is a warning: the turn goes on.
        (Some("error" | "reasoning" | "todo_list"), _) => {}
        _ => seen.unknown_events += 1,
    }
}

fn tokens(tokens: &CodexTokens<'_>) -> Usage {
    Usage {
        input_tokens: tokens.input_tokens.count(),
        output_tokens: tokens.output_tokens.count(),
        cache_read: tokens.cached_input_tokens.count(),
        cache_write: tokens.cache_write_input_tokens.count(),
    }
    .without_cached()
}
