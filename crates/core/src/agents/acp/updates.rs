//! What the program reports of its turn: words, tool calls, figures, faults.

use super::acp_wire::{AcpResponse, Envelope, Piece, Update};
use super::{CANCELLED, EFFORT, INITIALIZE, MODE, MODEL, PROMPT, SESSION};
use crate::agents::error_text::leading_status;
use crate::agents::lenient_json::{Field, ManyNames, detail};
use crate::agents::{ApiError, Session, Usage};
use std::collections::BTreeMap;

/// The protocol's code for a client that must log in first.
const AUTH_REQUIRED: i64 = -32000;
/// The codes of JSON-RPC for a request that is not taken.
const REFUSED: std::ops::RangeInclusive<i64> = -32602..=-32600;

const STATUS: &[&str] = &["status", "statusCode", "httpStatus"];
const KIND: &[&str] = &[
    "type",
    "errorType",
    "errorKind",
    "codexErrorInfo",
    "codex_error_info",
];
const RETRY_AFTER: &[&str] = &["retryAfter", "retry_after"];

/// Folds one message; returns whether it was one.
pub(super) fn fold(json: &str, seen: &mut Session) -> bool {
    let Ok(message) = serde_json::from_str::<Envelope<'_>>(json) else {
        return false;
    };
    let params = message.params.one();
    let method = message.method.text();
    let id = || message.id.count();
    match (method.as_deref(), method.is_none().then(id).flatten()) {
        (Some("session/update"), _) => {
            let reported = params.and_then(|params| params.update.one());
            reported
                .into_iter()
                .for_each(|reported| update(reported, seen));
        }
        // Some programs name a call here first.
        (Some("session/request_permission"), _) => {
            let call = params.and_then(|params| params.tool_call.one());
            call.into_iter().for_each(|call| start(call, seen));
        }
        (Some(_), _) => seen.unknown_events += 1,
        (None, Some(id @ INITIALIZE..=MODEL)) if message.error.is_some() => {
            seen.fail_for_good(fault(message.error));
            seen.terminal_reason = Some(if id == MODEL { "model" } else { "error" }.to_owned());
            seen.finished = true;
        }
        // The session goes on as it began.
        (None, Some(MODE | EFFORT)) => {}
        (None, Some(id)) if message.result.is_some() => answer(id, message.result, seen),
        _ => return crate::agents::lenient_json::unknown(seen),
    }
    true
}

/// Folds the answer to one of our requests.
fn answer(id: u64, result: Field<'_>, seen: &mut Session) {
    let reported: AcpResponse<'_> = result.read().unwrap_or_default();
    match id {
        INITIALIZE => {
            let agent: AcpResponse<'_> = reported.agent.read().unwrap_or_default();
            seen.version = agent.version.short(100);
        }
        SESSION => seen.session_id = reported.session.short(200),
        PROMPT => {
            let meta: AcpResponse<'_> = reported.meta.read().unwrap_or_default();
            let quota: AcpResponse<'_> = meta.quota.read().unwrap_or_default();
            let figures = [reported.usage, quota.token_count];
            if let Some(figures) = figures.into_iter().find(|figures| figures.is_some()) {
                seen.usage = tokens(figures);
            }
            seen.terminal_reason = reported.stop.short(100);
            // Nobody here cancels: the program gave up, and does not say why.
            seen.is_error = Some(seen.terminal_reason.as_deref() == Some(CANCELLED));
            seen.finished = true;
            seen.open.clear();
        }
        _ => {}
    }
}

pub(super) fn update(update: &Update<'_>, seen: &mut Session) {
    match update.kind.text().as_deref() {
        Some("agent_message_chunk") => {
            if let Some(text) = update.content.one().and_then(|piece| piece.text.text()) {
                seen.push_text(&text);
            }
            let meta = update.meta.one();
            if let Some(meta) = meta.filter(|meta| meta.usage.is_some()) {
                seen.messages.add(tokens(meta.usage));
                seen.usage = seen.messages.total();
            }
        }
        Some("tool_call") => start(update, seen),
        Some("tool_call_update") => match update.status.text().as_deref() {
            Some("completed" | "failed") => {
                let id = update.call.id();
                if !seen.open.iter().any(|call| call.id == id) {
                    start(update, seen);
                }
                seen.end_tool(&id);
                seen.pause();
            }
            _ => start(update, seen),
        },
        Some("usage_update") => {
            let of_dollars = |cost: &&Piece<'_>| cost.currency.text().is_some_and(|c| c == "USD");
            let cost = update.cost.one().filter(of_dollars);
            let amount = cost.and_then(|cost| cost.amount.number());
            seen.cost_usd = amount.or(seen.cost_usd);
        }
        Some(
            "user_message_chunk"
            | "agent_thought_chunk"
            | "plan"
            | "available_commands_update"
            | "current_mode_update"
            | "config_option_update"
            | "session_info_update",
        ) => {}
        _ => seen.unknown_events += 1,
    }
}

/// Notes a tool call that begins, or what has become known of it since.
fn start(call: &Update<'_>, seen: &mut Session) {
    let id = call.call.id();
    if id.is_empty() {
        return;
    }
    let place = || call.locations.many().next()?.path.short(1000);
    let what = Some(detail(call.input))
        .filter(|text| !text.is_empty())
        .or_else(place)
        .or_else(|| call.title.short(1000))
        .unwrap_or_default();
    if let Some(open) = seen.open.iter_mut().find(|open| open.id == id) {
        if what.len() > open.detail.len() {
            open.detail = what
                .lines()
                .next()
                .unwrap_or_default()
                .chars()
                .take(200)
                .collect();
        }
        return;
    }
    seen.pause();
    let kind = call.tool.short(80);
    let tool = kind.or_else(|| call.title.short(80)).unwrap_or_default();
    seen.start_tool(&id, &tool, &what);
}

fn tokens(figures: Field<'_>) -> Usage {
    let tokens: ManyNames<'_> = figures.read().unwrap_or_default();
    let count = |names: &[&str]| tokens.field(names).count();
    let usage = Usage {
        input_tokens: count(&["inputTokens", "input_tokens"]),
        output_tokens: count(&["outputTokens", "output_tokens"]),
        cache_read: count(&["cachedReadTokens", "cached_read_tokens"]),
        cache_write: count(&["cachedWriteTokens", "cached_write_tokens"]),
    };
    let thoughts = count(&["thoughtTokens", "thought_tokens"]).unwrap_or(0);
    let sum = |figures: [Option<u64>; 2]| figures.into_iter().flatten().sum::<u64>();
    let said = sum([usage.input_tokens, usage.output_tokens]);
    let cached = sum([usage.cache_read, usage.cache_write]);
    // Some count cached tokens among the input and thoughts among the output, some apart: the total tells which.
    let total = count(&["totalTokens", "total_tokens"]);
    let is_total = |sums: [u64; 2]| total.is_some_and(|total| sums.contains(&total));
    let thought_apart = thoughts > 0 && is_total([said + thoughts, said + thoughts + cached]);
    let usage = Usage {
        output_tokens: usage
            .output_tokens
            .map(|output| output + if thought_apart { thoughts } else { 0 }),
        ..usage
    };
    match is_total([said, said + thoughts]) {
        true => usage.without_cached(),
        false => usage,
    }
}

/// Reads the error of a response: its typed fields, then its words, without those of JSON-RPC itself:
/// "Internal error" says nothing about the model's server.
fn fault(error: Field<'_>) -> ApiError {
    let fault: ManyNames<'_> = error.read().unwrap_or_default();
    let all = fault.field(&["data"]);
    let data: ManyNames<'_> = all.read().unwrap_or_default();
    let inner: ManyNames<'_> = data.field(&["error"]).read().unwrap_or_default();
    let message = fault.field(&["message"]).message();
    let own = message
        .strip_prefix("Internal error")
        .map_or(message.as_str(), |rest| rest.trim_start_matches(':').trim());
    let more = [
        data.field(&["details"]),
        data.field(&["message"]),
        inner.field(&["message"]),
        data.field(&["error"]),
        all,
    ];
    let text = match more.into_iter().find_map(|field| field.short(2000)) {
        Some(more) if !own.contains(&more) => format!("{own} {more}"),
        _ => own.to_owned(),
    };
    let text = text.trim();
    let own_code = fault.field(&["code"]);
    let codes = [&data, &inner].map(|at| [at.field(STATUS), at.field(&["code"])]);
    let codes = codes.into_iter().flatten().chain([own_code]);
    let mut status = codes.filter_map(Field::read::<u16>);
    let code = own_code.read().unwrap_or_default();
    let kinds = [&data, &inner].map(|at| at.field(KIND));
    let reported = kinds.into_iter().find_map(named_kind);
    let error = ApiError::reported(
        status
            .find(|status| (400..600).contains(status))
            .or_else(|| leading_status(text)),
        reported.or_else(|| kind(code, text).map(str::to_owned)),
        text,
    );
    let waits = [&data, &inner].map(|at| at.field(RETRY_AFTER));
    let wait = waits.into_iter().find_map(Field::moment);
    ApiError {
        kind: error.kind.or_else(|| {
            REFUSED
                .contains(&code)
                .then(|| "invalid_request".to_owned())
        }),
        reset: wait.or(error.reset),
        ..error
    }
}

/// Returns the kind that a field names: as a word, or as the one key of what is known about it.
fn named_kind(field: Field<'_>) -> Option<String> {
    field.short(200).or_else(|| {
        let about: BTreeMap<String, Field<'_>> = field.read()?;
        about.into_keys().next()
    })
}

/// Returns the kind of a fault that its code tells, or what Node says of a connection that broke off.
pub(super) fn kind(code: i64, text: &str) -> Option<&'static str> {
    match code {
        AUTH_REQUIRED => Some("authentication"),
        _ if text == "terminated" => Some("network"),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
