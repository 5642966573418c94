//! OpenCode: `opencode run --format json`.
//!
//! It prints no last event: a session has ended well when its last step did, which only the end of
//! the output tells. Tokens and cost come per step and are added up.

use super::error_text::reset_named;
use super::lenient_json::{Field, detail, fold_line, unknown};
use super::{Agent, AgentCommand, ApiError, Outcome, PromptVia, Request, Session, Usage};
use crate::error::Result;
use serde::Deserialize;

/// The adapter.
pub(super) struct OpenCode;

const ENV: &[(&str, &str)] = &[
    ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
    ("OPENCODE_DISABLE_LSP_DOWNLOAD", "1"),
];

/// Where providers find their keys; OpenCode speaks to most of them.
const KEEP: &[&str] = &[
    "ANTHROPIC_*",
    "AWS_*",
    "AZURE_*",
    "DEEPSEEK_API_KEY",
    "GEMINI_API_KEY",
    "GITHUB_TOKEN",
    "GOOGLE_API_KEY",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "GOOGLE_GENERATIVE_AI_API_KEY",
    "GROQ_API_KEY",
    "MISTRAL_API_KEY",
    "OPENAI_*",
    "OPENCODE_*",
    "OPENROUTER_API_KEY",
    "XAI_API_KEY",
];

impl Agent for OpenCode {
    fn name(&self) -> &'static str {
        "opencode"
    }

    fn probe(&self) -> Option<(&'static str, &'static [&'static str])> {
        Some(("opencode", &["--version"]))
    }

    fn state(&self) -> &'static [&'static str] {
        &[".local/share/opencode", ".local/state/opencode"]
    }

    fn command(&self, request: &Request<'_>) -> Result<AgentCommand> {
        // `--pure`: none of the user's own plugins.
        let mut args: Vec<String> = ["run", "--format", "json", "--auto", "--pure"]
            .map(String::from)
            .into();
        if let Some(model) = request.model {
            args.extend(["--model".into(), model.into()]);
        }
        if let Some(effort) = request.effort {
            args.extend(["--variant".into(), effort.into()]);
        }
        Ok(AgentCommand {
            args,
            env: ENV
                .iter()
                .map(|(k, v)| ((*k).into(), (*v).into()))
                .collect(),
            keep_env: KEEP.iter().map(|name| (*name).into()).collect(),
            drop_env: &["OPENCODE", "OPENCODE_PID", "OPENCODE_SERVER_PASSWORD"],
            ..AgentCommand::of("opencode", PromptVia::Stdin)
        })
    }

    fn read(&self, line: &[u8], seen: &mut Session) {
        fold_line(line, seen, |json, seen| {
            serde_json::from_str(json).is_ok_and(|event| fold(&event, seen))
        });
    }

    fn end(&self, seen: &mut Session) {
        let whole = matches!(seen.terminal_reason.as_deref(), Some(word) if word != "tool-calls");
        seen.finished = seen.is_error == Some(true) || whole;
    }

    fn remedy(&self, outcome: &Outcome) -> Option<&'static str> {
        match outcome {
            Outcome::Missing => Some("install OpenCode (`npm install -g opencode-ai`)"),
            Outcome::Auth => Some("run `opencode auth login`, or set the provider's key"),
            Outcome::Quota => Some("add credit at the provider, or name another agent"),
            _ => None,
        }
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct OpenCodeEvent<'a> {
    #[serde(borrow, rename = "type")]
    kind: Field<'a>,
    #[serde(rename = "sessionID")]
    session_id: Field<'a>,
    part: Field<'a>,
    error: Field<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Part<'a> {
    #[serde(borrow)]
    text: Field<'a>,
    tool: Field<'a>,
    #[serde(rename = "callID")]
    call_id: Field<'a>,
    state: Field<'a>,
    reason: Field<'a>,
    tokens: Field<'a>,
    cost: Field<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct ToolState<'a> {
    #[serde(borrow)]
    status: Field<'a>,
    input: Field<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct OpenCodeTokens<'a> {
    #[serde(borrow)]
    input: Field<'a>,
    output: Field<'a>,
    reasoning: Field<'a>,
    cache: Field<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct CacheTokens<'a> {
    #[serde(borrow)]
    read: Field<'a>,
    write: Field<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct OpenCodeError<'a> {
    #[serde(borrow)]
    name: Field<'a>,
    data: Field<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct FaultData<'a> {
    #[serde(borrow)]
    message: Field<'a>,
    #[serde(rename = "statusCode")]
    status: Field<'a>,
    #[serde(rename = "responseHeaders")]
    headers: Field<'a>,
    #[serde(rename = "responseBody")]
    body: Field<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Headers<'a> {
    #[serde(borrow, rename = "retry-after")]
    retry_after: Field<'a>,
}

fn fold(event: &OpenCodeEvent<'_>, seen: &mut Session) -> bool {
    // Every event names its session; an object without is none.
    let Some(id) = event.session_id.short(200) else {
        return unknown(seen);
    };
    let part: Part<'_> = event.part.read().unwrap_or_default();
    match event.kind.text().as_deref() {
        Some("step_start") => seen.terminal_reason = None,
        Some("text") => seen.say(&part.text.text().unwrap_or_default()),
        Some("reasoning") => {}
        Some("tool_use") => tool(&part, seen),
        Some("step_finish") => {
            seen.usage = seen.usage.plus(tokens(part.tokens));
            if let Some(cost) = part.cost.number() {
                seen.cost_usd = Some(seen.cost_usd.unwrap_or(0.0) + cost);
            }
            seen.terminal_reason = part.reason.short(80);
            seen.retrying = None;
        }
        Some("error") => fail(event.error, seen),
        _ => seen.unknown_events += 1,
    }
    seen.session_id = Some(id);
    true
}

/// Folds a tool call, which is printed when it is over.
fn tool(part: &Part<'_>, seen: &mut Session) {
    let state: ToolState<'_> = part.state.read().unwrap_or_default();
    let id = part.call_id.short(200).unwrap_or_default();
    seen.start_tool(
        &id,
        &part.tool.short(80).unwrap_or_default(),
        &detail(state.input),
    );
    if matches!(
        state.status.text().as_deref(),
        Some("completed" | "error") | None
    ) {
        seen.end_tool(&id);
    }
}

fn tokens(tokens: Field<'_>) -> Usage {
    let tokens: OpenCodeTokens<'_> = tokens.read().unwrap_or_default();
    let cache: CacheTokens<'_> = tokens.cache.read().unwrap_or_default();
    // Thinking is counted apart here, and is output everywhere else.
    let thinking = tokens.reasoning.count().unwrap_or(0);
    Usage {
        input_tokens: tokens.input.count(),
        output_tokens: tokens.output.count().map(|output| output + thinking),
        cache_read: cache.read.count(),
        cache_write: cache.write.count(),
    }
}

fn fail(error: Field<'_>, seen: &mut Session) {
    let fault: OpenCodeError<'_> = error.read().unwrap_or_default();
    let data: FaultData<'_> = fault.data.read().unwrap_or_default();
    let headers: Headers<'_> = data.headers.read().unwrap_or_default();
    let message = data.message.short(2000).unwrap_or_default();
    // The provider's own body tells a used-up account from a limit.
    let body = data.body.short(2000).unwrap_or_default();
    let told = ApiError::told(
        data.status.read(),
        fault.name.short(200),
        &format!("{message} {body}"),
    );
    let after = headers
        .retry_after
        .text()
        .and_then(|text| reset_named(&text));
    seen.fail_for_good(ApiError {
        message,
        reset: after.or(told.reset),
        ..told
    });
}
