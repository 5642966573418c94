//! Codex: `codex exec --json`.
//!
//! Its own sandbox is off: where it cannot start it fails every command without an event and exits
//! 0, and builds need the network. The slot, the driver's guards and the oracle stand in.
//!
//! It gives no cost and, for faults, sentences: the status stands in them.

use super::descriptor::{
    AgentProgram, Descriptor, EffortVia, PromptArguments, Remedies, SessionOutput, Silence,
};
use super::lenient_json::{Field, unknown};
use super::nested_objects::Nested;
use super::payment::{Login, SettingsFile, codex_settings};
use super::readiness::Needs;
use super::tool_servers::ToolServersVia;
use super::{ApiError, Session, Usage};
use serde::Deserialize;

pub(super) static CODEX: Descriptor = Descriptor {
    name: "codex",
    program: AgentProgram::Named("codex"),
    state: &[".codex"],
    login: Some(Login {
        home: Some("CODEX_HOME"),
        files: &[".codex/auth.json"],
        tokens: &["CODEX_ACCESS_TOKEN"],
        keys: &["CODEX_API_KEY"],
        weak_keys: &["OPENAI_API_KEY"],
        addresses: &["OPENAI_BASE_URL"],
        settings: Some(SettingsFile {
            path: ".codex/config.toml",
            read: codex_settings,
        }),
        file_only: true,
        ..Login::BASE
    }),
    needs: Needs {
        since: Some("0.44.0"),
        login_in_file: "put `cli_auth_credentials_store = \"file\"` into ~/.codex/config.toml and log in again",
        ..Needs::BASE
    },
    args: &[
        "exec",
        "--json",
        "--skip-git-repo-check",
        "--dangerously-bypass-approvals-and-sandbox",
    ],
    effort: EffortVia::Setting("model_reasoning_effort"),
    // Without the dash and with an open stdin it waits for ever.
    prompt: PromptArguments::Stdin(&["-"]),
    keep_env: &["CODEX_*", "OPENAI_*", "AZURE_OPENAI_*"],
    drop_env: &[
        "CODEX_SANDBOX",
        "CODEX_SANDBOX_NETWORK_DISABLED",
        "CODEX_THREAD_ID",
    ],
    output: SessionOutput::Events(fold),
    remedies: Some(Remedies {
        missing: "install Codex (`npm install -g @openai/codex`)",
        auth: "run `codex login`, or set CODEX_API_KEY",
        quota: "add credit to the account, or name another agent",
    }),
    tool_servers: ToolServersVia::Settings,
    silence: Silence::BetweenCalls,
    ..Descriptor::BASE
};

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

fn fold(json: &str, seen: &mut Session) -> bool {
    let Ok(event) = serde_json::from_str::<CodexEvent<'_>>(json) else {
        return false;
    };
    match event.kind.text().as_deref() {
        Some("thread.started") => seen.session_id = event.thread_id.short(200),
        Some("turn.started") => {
            seen.finished = false;
            seen.go_on();
        }
        Some("item.updated") => {}
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
            // Each turn tells the sum of the thread so far.
            seen.usage = seen
                .usage
                .max(event.usage.one().map(tokens).unwrap_or_default());
            seen.finish();
            seen.is_error = Some(false);
        }
        Some("turn.failed") => {
            let reported: CodexError<'_> = event.error.read().unwrap_or_default();
            let message = reported.message.message();
            seen.fail_for_good(ApiError::reported(None, None, &message));
            seen.finished = true;
            seen.retrying = None;
        }
        Some("error") => {
            let message = event.message.message();
            seen.retry(ApiError::reported(None, None, &message));
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
        seen.start_tool(&item.id.id(), &tool, &detail);
    }
}

fn complete(item: &Item<'_>, seen: &mut Session) {
    let kind = item.kind.text();
    if kind.as_deref() == Some("agent_message") {
        return seen.say(&item.text.text().unwrap_or_default());
    }
    let id = item.id.id();
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
