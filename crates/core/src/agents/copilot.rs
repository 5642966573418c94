//! GitHub Copilot CLI: `copilot --output-format json`.
//!
//! It counts requests, not tokens, and gives no cost: both stay unknown.

use super::descriptor::{AgentProgram, Descriptor, EffortVia, Remedies, SessionOutput, Silence};
use super::lenient_json::{Field, detail, unknown};
use super::readiness::{AccountFile, Needs};
use super::tool_servers::ToolServersVia;
use super::{ApiError, Session};
use serde::Deserialize;

pub(super) static COPILOT: Descriptor = Descriptor {
    name: "copilot",
    program: AgentProgram::Named("copilot"),
    state: &[".copilot", ".config/github-copilot"],
    needs: Needs {
        since: Some("0.0.422"),
        account_files: Some(&[
            AccountFile::telling(".copilot/config.json", &["ogged", "oken"]),
            AccountFile::telling(".copilot/settings.json", &["rovider", "oken"]),
            AccountFile::any(".config/github-copilot/apps.json"),
            AccountFile::any(".config/github-copilot/hosts.json"),
            AccountFile::any(".config/gh/hosts.yml"),
        ]),
    },
    args: &[
        "--allow-all-tools",
        "--output-format",
        "json",
        "--disable-builtin-mcps",
        "--no-auto-update",
    ],
    effort: EffortVia::Switch("--reasoning-effort"),
    keep_env: &["COPILOT_*", "GH_HOST", "GH_TOKEN", "GITHUB_TOKEN"],
    drop_env: &["COPILOT_CLI", "COPILOT_LOADER_PID"],
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
            let text = data().content;
            seen.say(&text.text().unwrap_or_default());
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
            seen.session_id = event.session_id.short(200);
            seen.finish();
            let failed = event.exit_code.read::<i64>().is_some_and(|code| code != 0);
            seen.is_error = Some(failed || seen.is_error == Some(true));
        }
        // Progress that says nothing the other events do not.
        kind if ["assistant.", "model.", "session.", "tool.", "user."]
            .iter()
            .any(|family| kind.starts_with(family)) => {}
        _ => return unknown(seen),
    }
    true
}
