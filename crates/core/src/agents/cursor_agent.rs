//! Cursor: `cursor-agent --print --output-format stream-json`.
//!
//! Written from its documentation, <https://cursor.com/docs/cli/reference/output-format>, and not yet tried on the
//! program. Its events are Claude Code's, but for tool calls, which are events of their own, and for faults: it prints
//! them on standard error and no last event. It counts no tokens.

use super::descriptor::{
    AgentProgram, Descriptor, PromptArguments, Remedies, SessionOutput, Silence,
};
use super::lenient_json::{Field, detail};
use super::payment::Login;
use super::readiness::{AccountFile, Needs};
use super::{Session, messages};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

pub(super) static CURSOR: Descriptor = Descriptor {
    name: "cursor",
    program: AgentProgram::Named("cursor-agent"),
    state: &[".cursor", ".config/cursor"],
    login: Some(Login {
        files: &[".config/cursor/auth.json"],
        keys: &["CURSOR_API_KEY"],
        ..Login::BASE
    }),
    needs: Needs {
        account_files: Some(&[
            AccountFile::any(".config/cursor/auth.json"),
            AccountFile::telling(".cursor/cli-config.json", &["authInfo"]),
        ]),
        account_variables: &["CURSOR_API_KEY"],
        ..Needs::BASE
    },
    args: &["--print", "--output-format", "stream-json", "--force"],
    prompt: PromptArguments::Last,
    keep_env: &["CURSOR_API_KEY"],
    drop_env: &["CURSOR_AGENT", "CURSOR_TRACE_ID"],
    silence: Silence::BetweenCalls,
    output: SessionOutput::Lines(read),
    remedies: Some(Remedies {
        missing: "install Cursor's command line (`curl https://cursor.com/install -fsS | bash`)",
        auth: "run `cursor-agent login`, or set CURSOR_API_KEY",
        quota: "raise the account's limit, or name another agent",
    }),
    ..Descriptor::BASE
};

#[derive(Deserialize, Default)]
#[serde(default)]
struct CursorCall<'a> {
    #[serde(borrow, rename = "type")]
    kind: Field<'a>,
    subtype: Field<'a>,
    call_id: Field<'a>,
    tool_call: Field<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct CursorTool<'a> {
    #[serde(borrow)]
    args: Field<'a>,
}

fn read(line: &[u8], seen: &mut Session) {
    let text = String::from_utf8_lossy(line);
    let call: CursorCall<'_> = serde_json::from_str(&text).unwrap_or_default();
    if call.kind.text().as_deref() != Some("tool_call") {
        return messages::read(line, seen);
    }
    let id = call.call_id.id();
    match call.subtype.text().as_deref() {
        Some("started") => {
            // One key names the tool: `{"shellToolCall": {"args": …}}`.
            let tools: BTreeMap<String, &RawValue> = call.tool_call.read().unwrap_or_default();
            let (name, about) = tools.iter().next().map_or(("tool", None), |(name, tool)| {
                let tool: Option<CursorTool<'_>> = serde_json::from_str(tool.get()).ok();
                (name.as_str(), tool.map(|tool| detail(tool.args)))
            });
            let name = name.trim_end_matches("ToolCall");
            seen.start_tool(&id, name, &about.unwrap_or_default());
        }
        _ => seen.end_tool(&id),
    }
    seen.structured = true;
}
