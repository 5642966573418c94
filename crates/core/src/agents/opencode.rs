//! OpenCode: `opencode run --format json`.
//!
//! It prints no last event: a session has ended well when its last step did, which only the end of
//! the output tells. Tokens and cost come per step and are added up.

use super::descriptor::{
    AgentProgram, Descriptor, EffortVia, RecordedFigures, Remedies, SessionOutput, Silence,
};
use super::futile_retry::RepeatedFault;
use super::lenient_json::{Field, detail, unknown};
use super::payment::{AccountSource, SourcePlace, opencode_logins, opencode_settings};
use super::readiness::Needs;
use super::{ApiError, Reset, Session, Usage};
use serde::Deserialize;
use std::collections::BTreeMap;

pub(super) static OPENCODE: Descriptor = Descriptor {
    name: "opencode",
    program: AgentProgram::Named("opencode"),
    state: &[".local/share/opencode", ".local/state/opencode"],
    makes: &[".config/opencode", ".cache/opencode"],
    accounts: ACCOUNTS,
    needs: Needs {
        before: Some((
            "2.0.0",
            "its sessions run in a service that all of them share, out of reach of what confines them",
        )),
        ..Needs::BASE
    },
    // `--pure`: none of the user's own plugins.
    // Its log is the only place where a retry shows: it obeys an hour's `retry-after` in silence.
    args: &[
        "run",
        "--format",
        "json",
        "--auto",
        "--pure",
        "--print-logs",
        "--log-level",
        "ERROR",
    ],
    effort: EffortVia::Switch("--variant"),
    env: &[
        ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
        ("OPENCODE_DISABLE_LSP_DOWNLOAD", "1"),
    ],
    // Where providers find their keys; OpenCode speaks to most of them.
    keep_env: &[
        "ANTHROPIC_*",
        "AWS_*",
        "AZURE_*",
        "DEEPSEEK_*",
        "GEMINI_API_KEY",
        "GITHUB_TOKEN",
        "GOOGLE_API_KEY",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "GOOGLE_GENERATIVE_AI_API_KEY",
        "GROQ_*",
        "MISTRAL_*",
        "OPENAI_*",
        "OPENCODE_*",
        "OPENROUTER_*",
        "XAI_*",
    ],
    drop_env: &["OPENCODE", "OPENCODE_PID", "OPENCODE_SERVER_PASSWORD"],
    output: SessionOutput::Events(fold),
    repeated_fault: |seen| RepeatedFault::of_log(seen, logged_faults(seen)),
    end,
    recorded: Some(RecordedFigures {
        ask: recorded::question,
        read: recorded::read,
    }),
    remedies: Some(Remedies {
        missing: "install OpenCode (`npm install -g opencode-ai`)",
        auth: "run `opencode auth login`, or set the provider's key",
        quota: "add credit at the provider, or name another agent",
    }),
    // Its commands have limits of their own, and are printed when they are over.
    silence: Silence::Always,
    ..Descriptor::BASE
};

/// The later win over the earlier; its logins win over keys of the environment.
const ACCOUNTS: &[AccountSource] = &[
    logins(SourcePlace::File {
        root: Some("XDG_DATA_HOME"),
        otherwise: ".local/share",
        path: "opencode/auth.json",
    }),
    logins(SourcePlace::Value("OPENCODE_AUTH_CONTENT")),
    settings(config("opencode/config.json")),
    settings(config("opencode/opencode.json")),
    settings(config("opencode/opencode.jsonc")),
    settings(SourcePlace::Named("OPENCODE_CONFIG")),
    settings(SourcePlace::Checkout("opencode.json")),
    settings(SourcePlace::Checkout("opencode.jsonc")),
    settings(own("opencode.json")),
    settings(own("opencode.jsonc")),
    settings(SourcePlace::Checkout(".opencode/opencode.json")),
    settings(SourcePlace::Checkout(".opencode/opencode.jsonc")),
    settings(SourcePlace::Value("OPENCODE_CONFIG_CONTENT")),
];

const fn logins(place: SourcePlace) -> AccountSource {
    AccountSource {
        place,
        read: opencode_logins,
    }
}

const fn settings(place: SourcePlace) -> AccountSource {
    AccountSource {
        place,
        read: opencode_settings,
    }
}

const fn config(path: &'static str) -> SourcePlace {
    SourcePlace::File {
        root: Some("XDG_CONFIG_HOME"),
        otherwise: ".config",
        path,
    }
}

const fn own(path: &'static str) -> SourcePlace {
    SourcePlace::File {
        root: Some("OPENCODE_CONFIG_DIR"),
        otherwise: ".opencode",
        path,
    }
}

fn end(seen: &mut Session) {
    // With a tool at work the server is not what it waits for.
    if seen.open.is_empty() && seen.errors.is_empty() {
        let fault = logged_faults(seen).last();
        fault.into_iter().for_each(|fault| seen.retry(fault));
    }
    let whole = matches!(seen.terminal_reason.as_deref(), Some(word) if word != "tool-calls");
    seen.finished = seen.is_error == Some(true) || whole;
}

fn logged_faults(seen: &Session) -> impl Iterator<Item = ApiError> {
    seen.stderr.as_str().lines().filter_map(logged_fault)
}

/// Returns the fault of the model's server that a line of the log tells: `error.error="…"`, or its fields,
/// `error.error.message=… error.error.type=…`; `ERROR … service=llm … error={…}` before version 1.18.
fn logged_fault(line: &str) -> Option<ApiError> {
    const FAULT: &str = "error.error";
    const SERVICES: &[&str] = &[" service=llm ", " service=session."];
    let main = !line.contains("small=true");
    let earlier =
        line.starts_with("ERROR ") && SERVICES.iter().any(|service| line.contains(service));
    let (_, fault) = match (earlier, line.contains("level=ERROR")) {
        (true, _) => line.split_once(" error="),
        (false, true) => line.split_once(FAULT),
        (false, false) => None,
    }
    .filter(|_| main)?;
    let kind = fault
        .split(FAULT)
        .find_map(|field| field.strip_prefix(".type="));
    let kind = kind.map(|kind| kind.trim().trim_matches('"').to_owned());
    let error = ApiError::reported(None, kind, &fault.replace(FAULT, ""));
    (error.status.is_some() || error.kind.is_some()).then_some(error)
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
    #[serde(rename = "providerID")]
    provider: Field<'a>,
    #[serde(rename = "modelID")]
    model: Field<'a>,
}

fn fold(json: &str, seen: &mut Session) -> bool {
    let Ok(event) = serde_json::from_str::<OpenCodeEvent<'_>>(json) else {
        return false;
    };
    // Every event names its session; an object without is none.
    let Some(id) = event.session_id.short(200) else {
        return unknown(seen);
    };
    let part: Part<'_> = event.part.read().unwrap_or_default();
    match event.kind.text().as_deref() {
        Some("step_start") => {
            seen.go_on();
            seen.terminal_reason = None;
        }
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
    let id = part.call_id.id();
    seen.delegated |= part.tool.text().as_deref() == Some("task");
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
    let name = fault.name.short(200);
    let message = match data.message.message() {
        // Some faults have a name and no sentence.
        message if message.is_empty() => {
            let about = [data.provider, data.model].map(|field| field.short(200));
            let named = name.iter().cloned().chain(about.into_iter().flatten());
            named.collect::<Vec<_>>().join(" ")
        }
        message => message,
    };
    // The provider's own body tells a used-up account from a limit.
    let body = data.body.message();
    let reported = ApiError::reported(data.status.read(), name, &format!("{message} {body}"));
    seen.fail_for_good(ApiError {
        message,
        reset: reset_in_headers(data.headers).or(reported.reset),
        ..reported
    });
}

/// Returns the end of a limit that the server's headers state.
fn reset_in_headers(headers: Field<'_>) -> Option<Reset> {
    let headers: BTreeMap<String, Field<'_>> = headers.read().unwrap_or_default();
    let headers: BTreeMap<String, Field<'_>> = headers
        .into_iter()
        .map(|(name, value)| (name.to_ascii_lowercase(), value))
        .collect();
    let text = |name: &str| headers.get(name).and_then(|field| field.text());
    let milliseconds = || -> Option<Reset> {
        let wait: f64 = text("retry-after-ms")?.parse().ok()?;
        Reset::named(&(wait / 1000.0).to_string())
    };
    let named = |name: &str| Reset::named(&text(name)?);
    // These tell when the window of each limit ends: only one that is used up counts.
    let window = |of: &str| {
        let left = text(&format!("x-ratelimit-remaining-{of}"))?;
        let end = text(&format!("x-ratelimit-reset-{of}")).filter(|_| left.trim() == "0")?;
        Reset::in_text(&format!("reset in {end}"))
    };
    milliseconds()
        .or_else(|| named("retry-after"))
        .or_else(|| named("anthropic-ratelimit-unified-reset"))
        .or_else(|| window("requests"))
        .or_else(|| window("tokens"))
}

mod recorded;
#[cfg(test)]
mod tests;
