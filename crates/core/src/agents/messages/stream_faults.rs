//! The faults in the event stream of Claude Code: in its last event, in the assistant's mouth, in an envelope of the
//! server's, in a sentence.

use super::{Block, Message, StreamEvent};
use crate::agents::fault_kind::FaultKind;
use crate::agents::lenient_json::Field;
use crate::agents::{ApiError, Reset, Session};
use serde::Deserialize;

#[derive(Deserialize, Default)]
#[serde(default)]
struct RateLimit<'a> {
    #[serde(borrow)]
    status: Field<'a>,
    #[serde(rename = "resetsAt")]
    resets_at: Field<'a>,
}

/// Records the fault that the program put into the assistant's mouth, with the kind it gives it.
pub(super) fn synthetic_fault(event: &StreamEvent<'_>, message: &Message<'_>, seen: &mut Session) {
    let kind = event.error.short(200);
    if kind.is_none() && event.is_api_error_message.read() != Some(true) {
        return;
    }
    let content = message.content.objects::<Block<'_>>();
    let text = content.many().find_map(|block| block.text.short(2000));
    let status = event.api_error_status.read();
    let kind = kind.or_else(|| event.api_error_type.short(200));
    let error = ApiError::reported(status, kind, &text.unwrap_or_default());
    // The event before it has typed when the limit ends.
    let typed = seen.errors.back().and_then(|error| error.reset.clone());
    let reset = error.reset.or(typed);
    seen.fail(ApiError { reset, ..error });
}

/// Returns the fault that ended the session: what the last event types, else what a synthetic message
/// before it typed, else what its sentence says.
pub(super) fn final_fault(
    event: &StreamEvent<'_>,
    subtype: Option<&str>,
    text: &str,
    seen: &Session,
) -> ApiError {
    let stated = stated_errors(event.errors).or_else(|| error_message(event.error));
    let last = seen.errors.back();
    // The program's own word for it tells more than the server's.
    let typed = last.filter(|error| error.kind.is_some());
    let status: Option<u16> = event.api_error_status.read();
    let status = status.or(typed.and_then(|error| error.status));
    let kind = typed.and_then(|error| error.kind.clone());
    let kind = kind.or_else(|| event.api_error_type.short(200));
    let kind = kind.or_else(|| kind_of_end(event.terminal_reason).map(str::to_owned));
    let subtype = subtype.filter(|word| *word != "success").map(str::to_owned);
    let by_api = event.terminal_reason.text().as_deref() == Some("api_error");
    let reset = legacy_reset(text).or(last.and_then(|error| error.reset.clone()));
    // What the model has said tells nothing.
    let of_model = seen.text.as_str().trim_end().ends_with(text.trim_end());
    let prefixed = ["API Error", "[API Error"]
        .iter()
        .any(|own| text.starts_with(own));
    let own =
        stated.is_some() || by_api || status.is_some() || kind.is_some() || prefixed || !of_model;
    let message = stated.unwrap_or_else(|| text.chars().take(2000).collect());
    let error = match own {
        true => ApiError::reported(status, kind.or(subtype), &message),
        false => ApiError {
            kind: subtype,
            message,
            ..ApiError::default()
        },
    };
    ApiError {
        reset: reset.or(error.reset),
        ..error
    }
}

/// Returns the sentences of a list of errors, without the program's notes to its own authors.
fn stated_errors(errors: Field<'_>) -> Option<String> {
    const NOTE: &str = "[ede_diagnostic]";
    let errors = errors.list().into_iter();
    let sentences = errors.filter_map(|error| error.short(2000).or_else(|| error_message(error)));
    let told: Vec<String> = sentences.filter(|text| !text.starts_with(NOTE)).collect();
    (!told.is_empty()).then(|| told.join("\n"))
}

/// Records that the account was not let in.
pub(super) fn refused_login(event: &StreamEvent<'_>, seen: &mut Session) {
    let kind = FaultKind::NoAccess.word().to_owned();
    let message = error_message(event.error).unwrap_or_default();
    seen.fail(ApiError::reported(None, Some(kind), &message));
}

/// Returns the kind of fault that the word for a session's end names.
fn kind_of_end(reason: Field<'_>) -> Option<&'static str> {
    Some(match reason.text()?.as_ref() {
        "blocking_limit" | "prompt_too_long" | "rapid_refill_breaker" => FaultKind::TooLarge.word(),
        "image_error" => FaultKind::Request.word(),
        // The model's answer was none, twice.
        "malformed_tool_use_exhausted" => FaultKind::Server.word(),
        _ => return None,
    })
}

/// Returns the sentence of an error object, or of an error that is one.
fn error_message(error: Field<'_>) -> Option<String> {
    #[derive(Deserialize, Default)]
    #[serde(default)]
    struct Stated<'a> {
        #[serde(borrow)]
        message: Field<'a>,
    }
    let stated: Stated<'_> = error.read().unwrap_or_default();
    stated.message.short(2000).or_else(|| error.short(2000))
}

/// Returns the fault that a sentence of the program's own tells.
pub(in crate::agents) fn sentence(text: &str) -> ApiError {
    let error = ApiError::reported(None, None, text);
    ApiError {
        reset: legacy_reset(text).or(error.reset),
        ..error
    }
}

/// Records a fault that the server put into an envelope and the program passed on as it came.
pub(super) fn bare_fault(event: &StreamEvent<'_>, seen: &mut Session) {
    #[derive(Deserialize, Default)]
    #[serde(default)]
    struct Typed<'a> {
        #[serde(borrow, rename = "type")]
        kind: Field<'a>,
    }
    let typed: Typed<'_> = event.error.read().unwrap_or_default();
    let message = error_message(event.error).unwrap_or_default();
    seen.fail_for_good(ApiError::reported(None, typed.kind.short(200), &message));
}

/// Returns the moment that older versions append to their limit message, as `…|seconds`.
fn legacy_reset(message: &str) -> Option<Reset> {
    let (_, seconds) = message.rsplit_once('|')?;
    seconds
        .trim()
        .parse()
        .ok()
        .filter(|seconds| *seconds > 1_000_000_000)
        .map(Reset::At)
}

pub(super) fn rate_limit(event: &StreamEvent<'_>, seen: &mut Session) {
    let info: RateLimit<'_> = event.rate_limit_info.read().unwrap_or_default();
    if info.status.text().as_deref() == Some("rejected") {
        seen.fail(ApiError {
            status: Some(429),
            kind: Some("rate_limit".into()),
            message: "the usage limit is reached".into(),
            reset: info.resets_at.moment(),
        });
    }
}
