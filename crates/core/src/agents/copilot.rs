//! GitHub Copilot CLI: `copilot --output-format json`.
//!
//! It gives no cost. Tokens stand, by version and account, in an event of each call, in the last event, in one at the
//! session's end, in each message (what was produced alone), or nowhere.

use super::descriptor::{AgentProgram, Descriptor, EffortVia, Remedies, SessionOutput, Silence};
use super::lenient_json::{Field, ManyNames, detail, unknown};
use super::nested_objects::Nested;
use super::payment::{AccountSource, SourcePlace, copilot_provider};
use super::readiness::{AccountFile, KeyRingWords, Needs};
use super::session::MessageUsage;
use super::tool_servers::ToolServersVia;
use super::{ApiError, Session, Usage};
use serde::Deserialize;
use std::collections::BTreeMap;

/// What a file with a token of its own holds: a field's name, or how tokens begin.
const TOKENS: &[&str] = &["oken", "gho_", "ghu_", "ghp_", "github_pat_"];

pub(super) static COPILOT: Descriptor = Descriptor {
    name: "copilot",
    program: AgentProgram::Named("copilot"),
    state: &[".copilot", ".config/github-copilot"],
    makes: &[".cache/copilot"],
    needs: Needs {
        since: Some("0.0.422"),
        before: None,
        account_files: Some(&[
            AccountFile::telling(".copilot/config.json", TOKENS)
                .or_key_ring(KeyRingWords::WithoutAccount(&["\"login\""])),
            AccountFile::telling(".copilot/settings.json", &["rovider", "oken"]),
            AccountFile::any(".config/github-copilot/apps.json"),
            AccountFile::any(".config/github-copilot/hosts.json"),
            AccountFile::any(".config/gh/hosts.yml"),
        ]),
        account_variables: &[
            "COPILOT_GITHUB_TOKEN",
            "GH_TOKEN",
            "GITHUB_TOKEN",
            "COPILOT_PROVIDER_BASE_URL",
            "COPILOT_HOME",
        ],
        login_in_file: "log in again with `DBUS_SESSION_BUS_ADDRESS= copilot login` and let it keep the token in its file",
    },
    args: &[
        // Without paths and addresses it denies every command that names a file outside the slot, `/dev/null` and `/usr` included.
        "--allow-all",
        "--output-format",
        "json",
        "--disable-builtin-mcps",
        "--no-auto-update",
    ],
    effort: EffortVia::Switch("--reasoning-effort"),
    keep_env: &["COPILOT_*", "GH_HOST", "GH_TOKEN", "GITHUB_TOKEN"],
    accounts: &[AccountSource {
        place: SourcePlace::Value("COPILOT_PROVIDER_BASE_URL"),
        read: copilot_provider,
    }],
    // The last would be sent whatever token GitHub gave.
    drop_env: &["COPILOT_CLI", "COPILOT_LOADER_PID", "COPILOT_API_URL"],
    output: SessionOutput::Events(fold),
    remedies: Some(Remedies {
        missing: "install GitHub Copilot CLI (`npm install -g @github/copilot`)",
        auth: "run `copilot` once and use `/login`, or set GH_TOKEN",
        quota: "wait for the month's requests, or name another agent",
    }),
    tool_servers: ToolServersVia::Json("--additional-mcp-config"),
    silence: Silence::BetweenCalls,
    ..Descriptor::BASE
};

#[derive(Deserialize, Default)]
#[serde(default)]
struct CopilotEvent<'a> {
    #[serde(borrow, rename = "type")]
    kind: Field<'a>,
    data: Field<'a>,
    #[serde(rename = "sessionId")]
    session_id: Field<'a>,
    #[serde(rename = "exitCode")]
    exit_code: Field<'a>,
    usage: Nested<ManyNames<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Data<'a> {
    #[serde(borrow)]
    model: Field<'a>,
    content: Field<'a>,
    #[serde(rename = "toolCallId")]
    call_id: Field<'a>,
    #[serde(rename = "toolName")]
    tool: Field<'a>,
    arguments: Field<'a>,
    #[serde(rename = "errorType")]
    error_type: Field<'a>,
    #[serde(rename = "errorMessage")]
    error_message: Field<'a>,
    #[serde(rename = "statusCode")]
    status: Field<'a>,
    message: Field<'a>,
    reason: Field<'a>,
    #[serde(rename = "outputTokens")]
    output_tokens: Field<'a>,
    #[serde(rename = "modelMetrics")]
    metrics: Field<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct ModelMetrics<'a> {
    #[serde(borrow)]
    usage: Nested<ManyNames<'a>>,
}

/// Adds what one call used.
fn add_call(figures: &ManyNames<'_>, seen: &mut Session) {
    if !counts_calls(seen) {
        seen.messages = MessageUsage::default();
    }
    seen.messages.add(tokens(figures));
    seen.usage = seen.messages.total();
}

/// Returns what a session that shuts down used with every model.
fn of_all_models(data: &Data<'_>) -> Usage {
    let used = data.metrics.read::<BTreeMap<String, ModelMetrics<'_>>>();
    let used = used.unwrap_or_default();
    let used = used.values().filter_map(|model| model.usage.one());
    used.map(tokens).fold(Usage::default(), Usage::plus)
}

/// The program's last word: the session's id, all that it used, how it exited.
fn end_by_result(event: &CopilotEvent<'_>, seen: &mut Session) {
    seen.session_id = event.session_id.short(200);
    seen.finish();
    let whole = event.usage.one().map(tokens).unwrap_or_default();
    seen.usage = seen.usage.max(whole);
    let failed = event.exit_code.read::<i64>().is_some_and(|code| code != 0);
    seen.is_error = Some(failed || seen.is_error == Some(true));
}

fn fold(json: &str, seen: &mut Session) -> bool {
    let Ok(event) = serde_json::from_str::<CopilotEvent<'_>>(json) else {
        return false;
    };
    let Some(kind) = event.kind.text() else {
        return unknown(seen);
    };
    let data = || event.data.read::<Data<'_>>().unwrap_or_default();
    let id = |data: &Data<'_>| data.call_id.id();
    match kind.as_ref() {
        "session.tools_updated" => seen.model = data().model.short(200),
        "assistant.message" => {
            seen.go_on();
            said(&data(), seen);
        }
        "assistant.usage" => add_call(&event.data.read().unwrap_or_default(), seen),
        "session.shutdown" => {
            seen.usage = seen.usage.max(of_all_models(&data()));
        }
        "tool.execution_start" => {
            let data = data();
            let tool = data.tool.short(80).unwrap_or_default();
            seen.start_tool(&id(&data), &tool, &detail(data.arguments));
        }
        "tool.execution_complete" => seen.end_tool(&id(&data())),
        "model.call_failure" => {
            let data = data();
            let message = data.error_message.message();
            seen.retry(ApiError::reported(data.status.read(), None, &message));
        }
        "session.error" => {
            let data = data();
            let message = data.message.message();
            let kind = data.error_type.short(200);
            seen.fail_for_good(ApiError::reported(data.status.read(), kind, &message));
        }
        "abort" => seen.terminal_reason = data().reason.short(80),
        "result" if event.session_id.is_some() => {
            end_by_result(&event, seen);
        }
        // Progress that says nothing the other events do not.
        kind if ["assistant.", "model.", "session.", "tool.", "user."]
            .iter()
            .any(|family| kind.starts_with(family)) => {}
        _ => return unknown(seen),
    }
    true
}

/// Returns whether events of calls were seen, which count more than messages do.
fn counts_calls(seen: &Session) -> bool {
    seen.messages.total().input_tokens.is_some()
}

fn said(message: &Data<'_>, seen: &mut Session) {
    seen.say(&message.content.text().unwrap_or_default());
    if !counts_calls(seen) {
        seen.messages.add(Usage {
            output_tokens: message.output_tokens.count(),
            ..Usage::default()
        });
        seen.usage = seen.messages.total();
    }
}

fn tokens(tokens: &ManyNames<'_>) -> Usage {
    let count = |name: &str| tokens.field(&[name]).count();
    Usage {
        input_tokens: count("inputTokens"),
        output_tokens: count("outputTokens"),
        cache_read: count("cacheReadTokens"),
        cache_write: count("cacheWriteTokens"),
    }
    .without_cached()
}
