//! Cline: `cline --json`.
//!
//! It does not read standard input: the prompt is an argument, and one too long for that is named
//! as a file to read. On an abort it first says that all is well and then that it was stopped.

use super::descriptor::{
    AgentProgram, Descriptor, EffortVia, PromptArguments, Remedies, SessionOutput, Silence,
};
use super::lenient_json::{Field, detail, unknown};
use super::payment::{AccountSource, SourcePlace, cline_logins};
use super::readiness::{AccountFile, Needs};
use super::reported_outcome::OWN_LIMIT;
use super::{ApiError, Session, Usage};
use serde::Deserialize;

pub(super) static CLINE: Descriptor = Descriptor {
    name: "cline",
    program: AgentProgram::Named("cline"),
    state: &[".cline"],
    accounts: &[
        logins(SourcePlace::File {
            root: Some("CLINE_DIR"),
            otherwise: ".cline",
            path: "data/settings/providers.json",
        }),
        logins(SourcePlace::File {
            root: Some("CLINE_DATA_DIR"),
            otherwise: ".cline/data",
            path: "settings/providers.json",
        }),
        logins(SourcePlace::Named("CLINE_PROVIDER_SETTINGS_PATH")),
    ],
    needs: Needs {
        account_files: Some(&[
            AccountFile::telling(
                ".cline/data/settings/providers.json",
                &[
                    "oken\":", "piKey", "aseUrl", "ollama", "lmstudio", "bedrock", "vertex",
                    "claude", "codex",
                ],
            ),
            AccountFile::any(".cline/data/secrets.json"),
            AccountFile::any(".cline/data/globalState.json"),
        ]),
        account_variables: &[
            "CLINE_API_KEY",
            "ANTHROPIC_API_KEY",
            "OPENAI_API_KEY",
            "OPENROUTER_API_KEY",
            "CLINE_DIR",
            "CLINE_DATA_DIR",
            "CLINE_PROVIDER_SETTINGS_PATH",
            "CLINE_SANDBOX_DATA_DIR",
        ],
        // Before it printed other events.
        since: Some("3.0.0"),
        ..Needs::BASE
    },
    args: &["--json", "--auto-approve", "true"],
    effort: EffortVia::SwitchToXhigh("--thinking"),
    prompt: PromptArguments::Last,
    // Otherwise it hands the work to a process that the user's own use left running: outside the session, its sandbox and its
    // environment. Where there is none it starts one, for two seconds of a processor.
    env: &[("CLINE_SESSION_BACKEND_MODE", "local")],
    keep_env: &[
        "CLINE_*",
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_BASE_URL",
        "OPENAI_API_KEY",
        "OPENAI_BASE_URL",
        "OPENROUTER_API_KEY",
        "OPENROUTER_BASE_URL",
    ],
    output: SessionOutput::Events(fold),
    remedies: Some(Remedies {
        missing: "install Cline (`npm install -g cline`)",
        auth: "run `cline auth`",
        quota: "add credit at the provider, or name another agent",
    }),
    silence: Silence::BetweenCalls,
    ..Descriptor::BASE
};

const fn logins(place: SourcePlace) -> AccountSource {
    AccountSource {
        place,
        read: cline_logins,
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct ClineEvent<'a> {
    #[serde(borrow, rename = "type")]
    kind: Field<'a>,
    #[serde(rename = "taskId")]
    task_id: Field<'a>,
    event: Field<'a>,
    #[serde(rename = "finishReason")]
    finish_reason: Field<'a>,
    usage: Field<'a>,
    #[serde(rename = "aggregateUsage")]
    aggregate: Field<'a>,
    model: Field<'a>,
    message: Field<'a>,
    reason: Field<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct ClineAgentEvent<'a> {
    #[serde(borrow, rename = "type")]
    kind: Field<'a>,
    #[serde(rename = "contentType")]
    content: Field<'a>,
    text: Field<'a>,
    #[serde(rename = "toolName")]
    tool: Field<'a>,
    #[serde(rename = "toolCallId")]
    call_id: Field<'a>,
    input: Field<'a>,
    error: Field<'a>,
    #[serde(rename = "errorClass")]
    error_class: Field<'a>,
    #[serde(rename = "totalInputTokens")]
    input_tokens: Field<'a>,
    #[serde(rename = "totalOutputTokens")]
    output_tokens: Field<'a>,
    #[serde(rename = "totalCacheReadTokens")]
    cache_read: Field<'a>,
    #[serde(rename = "totalCacheWriteTokens")]
    cache_write: Field<'a>,
    #[serde(rename = "totalCost")]
    cost: Field<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct ClineTokens<'a> {
    #[serde(borrow, rename = "inputTokens")]
    input: Field<'a>,
    #[serde(rename = "outputTokens")]
    output: Field<'a>,
    #[serde(rename = "cacheReadTokens")]
    cache_read: Field<'a>,
    #[serde(rename = "cacheWriteTokens")]
    cache_write: Field<'a>,
    #[serde(rename = "totalCost")]
    cost: Field<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct ClineObject<'a> {
    #[serde(borrow)]
    id: Field<'a>,
    message: Field<'a>,
}

fn fold(json: &str, seen: &mut Session) -> bool {
    let Ok(event) = serde_json::from_str::<ClineEvent<'_>>(json) else {
        return false;
    };
    match event.kind.text().as_deref() {
        Some("hook_event") => seen.session_id = event.task_id.short(200),
        Some("agent_event") => progress(&event.event.read().unwrap_or_default(), seen),
        Some("run_result") => result(&event, seen),
        Some("error") if event.message.is_some() => {
            let message = event.message.message();
            seen.fail_for_good(ApiError::reported(None, None, &message));
        }
        Some("run_aborted") => {
            seen.terminal_reason = event.reason.short(80);
            seen.fail_for_good(ApiError {
                kind: Some("aborted".into()),
                message: event.message.message(),
                ..ApiError::default()
            });
        }
        _ => return unknown(seen),
    }
    true
}

fn progress(event: &ClineAgentEvent<'_>, seen: &mut Session) {
    let id = event.call_id.id();
    let is_tool = event.content.text().as_deref() == Some("tool");
    match event.kind.text().as_deref() {
        Some("content_start") if is_tool => {
            let tool = event.tool.short(80).unwrap_or_default();
            seen.start_tool(&id, &tool, &detail(event.input));
        }
        Some("content_end") if is_tool => seen.end_tool(&id),
        // Its pieces came before, one event each.
        Some("content_end") => seen.say(&event.text.text().unwrap_or_default()),
        Some("usage") => {
            seen.usage = Usage {
                input_tokens: event.input_tokens.count(),
                output_tokens: event.output_tokens.count(),
                cache_read: event.cache_read.count(),
                cache_write: event.cache_write.count(),
            }
            .without_cached();
            seen.cost_usd = known_cost(event.cost).or(seen.cost_usd);
        }
        Some("error") => {
            let error: ClineObject<'_> = event.error.read().unwrap_or_default();
            let message = error.message.message();
            let kind = event.error_class.short(200);
            seen.retry(ApiError::reported(None, kind, &message));
        }
        Some("content_start" | "content_update" | "iteration_start" | "iteration_end" | "done") => {
        }
        _ => seen.unknown_events += 1,
    }
}

/// Returns a stated cost; for a model without a price it says 0, which is not known.
fn known_cost(cost: Field<'_>) -> Option<f64> {
    cost.number().filter(|cost| *cost > 0.0)
}

fn result(event: &ClineEvent<'_>, seen: &mut Session) {
    let sum = event.aggregate.read().or_else(|| event.usage.read());
    let sum: ClineTokens<'_> = sum.unwrap_or_default();
    seen.usage = Usage {
        input_tokens: sum.input.count(),
        output_tokens: sum.output.count(),
        cache_read: sum.cache_read.count(),
        cache_write: sum.cache_write.count(),
    }
    .without_cached();
    seen.cost_usd = known_cost(sum.cost).or(seen.cost_usd);
    let model: ClineObject<'_> = event.model.read().unwrap_or_default();
    seen.model = model.id.short(200);
    let reason = event.finish_reason.short(80);
    seen.is_error = Some(reason.as_deref() != Some("completed"));
    // Too many turns, or too many calls that the model got wrong.
    let own_limit = matches!(reason.as_deref(), Some("max_iterations" | "mistake_limit"));
    seen.terminal_reason = if own_limit {
        Some(OWN_LIMIT.into())
    } else {
        reason
    };
    seen.finished = true;
    seen.open.clear();
    // The fault that it did not get over is the reason.
    if let (Some(true), Some(fault)) = (seen.is_error, seen.retrying.take()) {
        seen.fail(fault);
    }
}
