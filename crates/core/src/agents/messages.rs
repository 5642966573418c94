//! The event stream of Claude Code and of the programs that speak it: one JSON object a line,
//! messages in the vendor's form.
//!
//! Also read: the single envelope, an array of all events, bare text. Keys come in any order,
//! unknown types are counted, a line that is no event is plain text. A message is repeated once for
//! each of its blocks, with the same figures each time.

mod asked_user;
mod stream_faults;

use super::lenient_json::{Field, ManyNames, detail, fold_line};
use super::nested_objects::Nested;
use super::reported_outcome::{OWN_BUDGET, OWN_LIMIT};
use super::{ApiError, Session, Usage};
use serde::Deserialize;
use std::collections::BTreeMap;
pub(super) use stream_faults::sentence;
use stream_faults::{bare_fault, final_fault, rate_limit, refused_login, synthetic_fault};

/// Folds one line: an event, an array of events, or plain text.
pub(super) fn read(line: &[u8], seen: &mut Session) {
    // With `--verbose` the `json` format is one array of all events.
    let text = String::from_utf8_lossy(line);
    let list = Some(text.trim()).filter(|text| text.starts_with('['));
    let list = list.and_then(|list| serde_json::from_str::<Vec<StreamEvent<'_>>>(list).ok());
    let known = list.map(|events| events.iter().filter(|event| fold(event, seen)).count());
    if known.is_none_or(|known| known == 0) {
        fold_line(line, seen, |json, seen| {
            serde_json::from_str(json).is_ok_and(|event| fold(&event, seen))
        });
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct StreamEvent<'a> {
    #[serde(borrow, rename = "type")]
    kind: Field<'a>,
    subtype: Field<'a>,
    session_id: Field<'a>,
    model: Field<'a>,
    claude_code_version: Field<'a>,
    qwen_code_version: Field<'a>,
    parent_tool_use_id: Field<'a>,
    message: Nested<Message<'a>>,
    is_api_error_message: Field<'a>,
    is_error: Field<'a>,
    api_error_status: Field<'a>,
    api_error_type: Field<'a>,
    terminal_reason: Field<'a>,
    result: Field<'a>,
    errors: Field<'a>,
    total_cost_usd: Field<'a>,
    usage: Nested<ManyNames<'a>>,
    #[serde(rename = "modelUsage")]
    model_usage: Field<'a>,
    permission_denials: Field<'a>,
    error: Field<'a>,
    error_status: Field<'a>,
    rate_limit_info: Field<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Message<'a> {
    #[serde(borrow)]
    id: Field<'a>,
    model: Field<'a>,
    content: Field<'a>,
    usage: Nested<ManyNames<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Block<'a> {
    #[serde(borrow, rename = "type")]
    kind: Field<'a>,
    id: Field<'a>,
    tool_use_id: Field<'a>,
    name: Field<'a>,
    text: Field<'a>,
    input: Field<'a>,
}

/// Folds one event; returns whether it was one.
fn fold(event: &StreamEvent<'_>, seen: &mut Session) -> bool {
    let kind = event.kind.text();
    let envelope = kind.is_none() && event.result.text().is_some() && is_envelope(event);
    match kind.as_deref() {
        Some("system") => system(event, seen),
        Some("assistant") => assistant(event, seen),
        Some("user") => answers(event, seen),
        Some("result") => result(event, seen),
        Some("rate_limit_event") => rate_limit(event, seen),
        Some("error") if event.error.is_some() => bare_fault(event, seen),
        Some("auth_status") if event.error.is_some() => refused_login(event, seen),
        // A program that is not this one may print objects of its own; only a stream of events has
        // unknown events.
        Some(_) if seen.structured => seen.unknown_events += 1,
        None if envelope => result(event, seen),
        _ => return false,
    }
    seen.structured = true;
    seen.know_id(event.session_id);
    true
}

fn is_envelope(event: &StreamEvent<'_>) -> bool {
    let fields = [
        event.is_error,
        event.session_id,
        event.total_cost_usd,
        event.subtype,
    ];
    event.usage.one().is_some() || fields.iter().any(|f| f.is_some())
}

fn system(event: &StreamEvent<'_>, seen: &mut Session) {
    match event.subtype.text().as_deref() {
        Some("init") => {
            seen.model = event.model.short(200);
            let version = event.claude_code_version.short(60);
            seen.version = version.or_else(|| event.qwen_code_version.short(60));
        }
        Some("api_retry") => seen.retry(ApiError {
            status: event.error_status.read(),
            kind: event.error.short(200),
            ..ApiError::default()
        }),
        Some("retry") => seen.retry(ApiError::default()),
        Some("permission_denied") => seen.denials += 1,
        _ => seen.unknown_events += 1,
    }
}

fn assistant(event: &StreamEvent<'_>, seen: &mut Session) {
    let Some(message) = event.message.one() else {
        return;
    };
    // A message the program wrote itself, e.g. for an API error, is no work of the model's.
    let synthetic = event.is_api_error_message.read() == Some(true)
        || message.model.text().as_deref() == Some("<synthetic>");
    if synthetic {
        return synthetic_fault(event, message, seen);
    }
    if let Some(usage) = tokens(&message.usage) {
        match message.id.text() {
            Some(id) => seen.messages.record(&id, usage),
            None => seen.messages.add(usage),
        }
        if !seen.finished {
            seen.usage = seen.messages.total();
        }
    }
    let main = !event.parent_tool_use_id.is_some();
    if main {
        seen.go_on();
    }
    if let (true, Some(text)) = (main, message.content.text()) {
        seen.say(&text);
    }
    for block in message.content.objects::<Block<'_>>().many() {
        match (block.kind.text().as_deref(), block.text.text()) {
            (Some("text"), Some(text)) if main => seen.say(&text),
            (Some("tool_use" | "server_tool_use"), _) => {
                let (id, tool) = (block.id.id(), block.name.short(80).unwrap_or_default());
                let asked = main.then(|| asked_user::words(&tool, block.input));
                if let Some(words) = asked.flatten() {
                    seen.say(&format!("\n{words}"));
                }
                seen.start_tool(&id, &tool, &detail(block.input));
            }
            _ => {}
        }
    }
}

fn answers(event: &StreamEvent<'_>, seen: &mut Session) {
    let Some(message) = event.message.one() else {
        return;
    };
    for block in message.content.objects::<Block<'_>>().many() {
        if let Some(id) = block.tool_use_id.text() {
            seen.end_tool(&id);
        }
    }
}

fn result(event: &StreamEvent<'_>, seen: &mut Session) {
    // A session that takes up queued work prints one result per part; the figures are the part's,
    // the cost the whole's.
    if let Some(usage) = tokens(&event.usage) {
        seen.parts = seen.parts.plus(usage);
        seen.usage = seen.parts;
    }
    // Only these count the sessions that this one started, and what an end by budget had used.
    let whole = model_usage(event.model_usage).max(seen.messages.total());
    seen.usage = seen.usage.max(whole);
    seen.cost_usd = event.total_cost_usd.number().or(seen.cost_usd);
    seen.denials = seen
        .denials
        .max(event.permission_denials.list().len() as u64);
    let subtype = event.subtype.text();
    let failed = subtype
        .as_deref()
        .is_some_and(|word| word.starts_with("error"));
    seen.is_error = Some(event.is_error.read() == Some(true) || failed);
    seen.terminal_reason = event
        .terminal_reason
        .short(80)
        .or_else(|| match subtype.as_deref() {
            Some("error_max_turns") => Some(OWN_LIMIT.into()),
            Some("error_max_budget_usd") => Some(OWN_BUDGET.into()),
            _ => None,
        });
    seen.finish();
    let text = event.result.text().unwrap_or_default();
    if seen.is_error == Some(true) {
        let error = final_fault(event, subtype.as_deref(), &text, seen);
        seen.fail(error);
    } else if !seen.text.as_str().trim_end().ends_with(text.trim_end()) {
        seen.say(&text);
    }
}

/// Returns the sum over the models a session used, those of the sessions it started included.
fn model_usage(models: Field<'_>) -> Usage {
    let models: BTreeMap<String, ManyNames<'_>> = models.read().unwrap_or_default();
    let figures = models.values().map(counted);
    figures.fold(Usage::default(), Usage::plus)
}

fn tokens(usage: &Nested<ManyNames<'_>>) -> Option<Usage> {
    usage.one().map(counted).filter(|usage| !usage.is_unknown())
}

/// Returns figures by the names of the vendor's server, of `modelUsage`, or of Cursor.
fn counted(tokens: &ManyNames<'_>) -> Usage {
    let count = |names: &[&str]| tokens.field(names).count();
    Usage {
        input_tokens: count(&["input_tokens", "inputTokens"]),
        output_tokens: count(&["output_tokens", "outputTokens"]),
        cache_read: count(&[
            "cache_read_input_tokens",
            "cacheReadInputTokens",
            "cacheReadTokens",
        ]),
        cache_write: count(&[
            "cache_creation_input_tokens",
            "cacheCreationInputTokens",
            "cacheWriteTokens",
        ]),
    }
}
