//! Reads what a program says of a fault where it gives no typed fields: error events that hold a
//! sentence, and the end of standard error.
//!
//! Only text that the program itself marks as an error comes here, never what the model said. An
//! unknown sentence stays unknown: a wrong class would wait for hours or spend an attempt.

use super::{ApiError, Reset};

/// Words that tell a kind, the most telling first; the kinds are those `class_of_error` knows.
const KINDS: &[(&str, &[&str])] = &[
    // A quota that comes back by itself.
    (
        "rate_limit",
        &[
            "daily quota",
            "exhausted your capacity",
            "per day",
            "perday",
            "quota will reset",
            "per minute",
            "perminute",
        ],
    ),
    (
        "insufficient_quota",
        &[
            "insufficient_quota",
            "insufficient quota",
            "insufficient credit",
            "insufficient balance",
            "insufficient funds",
            "exceeded your current quota",
            "quota exceeded",
            "credit balance",
            "out of credits",
            "billing",
        ],
    ),
    (
        "rate_limit",
        &[
            "rate limit",
            "ratelimit",
            "rate_limit",
            "too many requests",
            "usage limit",
            "resource_exhausted",
            "hit your limit",
        ],
    ),
    (
        "authentication",
        &[
            "unauthorized",
            "unauthenticated",
            "authenticat",
            "invalid api key",
            "invalid x-api-key",
            "invalid_api_key",
            "incorrect api key",
            "api key not",
            "no api key",
            "missing api key",
            "not logged in",
            "auth method",
            "auth type",
            "please run /login",
            "please log in",
            "not configured any provider",
        ],
    ),
    (
        "overloaded",
        &[
            "overloaded",
            "high demand",
            "at capacity",
            "internal server error",
            "internal error",
            "internalservererror",
            "serviceunavailable",
            "service unavailable",
            "bad gateway",
        ],
    ),
    (
        "invalid_request",
        &[
            "context length",
            "context window",
            "contextwindow",
            "prompt is too long",
            "too large",
            "maximum length",
            "invalid request",
            "badrequest",
            "model not found",
            "model_not_found",
            "notfounderror",
        ],
    ),
    (
        "network",
        &[
            "stream disconnected",
            "socket connection",
            "connection refused",
            "connection reset",
            "connection closed",
            "connection error",
            "connectionerror",
            "cannot connect",
            "peer closed",
            "premature close",
            "other side closed",
            "unexpected eof",
            "error decoding response body",
            "error sending request",
            "fetch failed",
            "network error",
            "econnrefused",
            "econnreset",
            "enotfound",
            "eai_again",
            "etimedout",
            "timed out",
            "timeout",
            "api error: terminated",
            "dns error",
        ],
    ),
];

impl ApiError {
    /// Returns an error of which only the sentence may be known; typed fields win over its words,
    /// except that words of credit tell a quota from a limit.
    pub(super) fn reported(status: Option<u16>, kind: Option<String>, message: &str) -> ApiError {
        let text = message.to_lowercase();
        let read = kind_in(&text);
        let kind = match (read, kind) {
            (Some("insufficient_quota"), _) => Some("insufficient_quota".to_owned()),
            (_, Some(kind)) if !is_vague(&kind) => Some(kind),
            (read, kind) => read.map(str::to_owned).or(kind),
        };
        ApiError {
            status: status.or_else(|| status_in(&text)),
            kind,
            message: message.chars().take(2000).collect(),
            reset: reset_in(&text),
        }
    }
}

/// Returns whether a program's own word for a kind says nothing.
fn is_vague(kind: &str) -> bool {
    matches!(
        kind.to_ascii_lowercase().as_str(),
        "" | "error" | "unknown" | "query" | "apierror" | "unknownerror" | "error_during_execution"
    )
}

/// Returns the last line of standard error that tells a class, as an error.
pub(super) fn in_stderr(stderr: &str) -> Option<ApiError> {
    stderr
        .lines()
        .rev()
        .filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with("at "))
        .take(20)
        .map(|line| ApiError::reported(None, None, line.trim()))
        .find(|error| error.status.is_some() || error.kind.is_some())
}

fn kind_in(text: &str) -> Option<&'static str> {
    KINDS
        .iter()
        .find(|(_, words)| words.iter().any(|word| text.contains(word)))
        .map(|(kind, _)| *kind)
}

/// Returns the status that a fault begins with, as some programs put it: `401 invalid key`.
pub(super) fn leading_status(text: &str) -> Option<u16> {
    let status = text.split_whitespace().next()?.parse().ok()?;
    (400..600).contains(&status).then_some(status)
}

/// Returns the moment that a `Retry-After` names, or a field like it: seconds, a date of HTTP or of
/// RFC 3339, or seconds or milliseconds since 1970.
pub(super) fn reset_named(text: &str) -> Option<Reset> {
    const LONG_AGO: f64 = 1e9;
    const MILLISECONDS: f64 = 1e11;
    let text = text.trim();
    match text.parse::<f64>() {
        Ok(number) if number >= MILLISECONDS => Some(Reset::At((number / 1000.0) as i64)),
        Ok(number) if number >= LONG_AGO => Some(Reset::At(number as i64)),
        Ok(number) => (number >= 0.0).then(|| Reset::After(number.ceil() as u64)),
        Err(_) => moment(text).or_else(|| {
            let date = jiff::fmt::rfc2822::parse(text).ok()?;
            Some(Reset::At(date.timestamp().as_second()))
        }),
    }
}

/// Returns a moment of RFC 3339, whose zone is named.
fn moment(text: &str) -> Option<Reset> {
    let moment: jiff::Timestamp = text.parse().ok()?;
    Some(Reset::At(moment.as_second()))
}

/// Returns the status that a sentence names: three digits after a word that announces one.
fn status_in(text: &str) -> Option<u16> {
    const ANNOUNCE: &[&str] = &["status", "code", "http", "error", "statuscode"];
    let mut before = "";
    for word in text
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
    {
        if ANNOUNCE.contains(&before)
            && word.len() == 3
            && let Ok(status @ 400..=599) = word.parse::<u16>()
        {
            return Some(status);
        }
        before = word;
    }
    None
}

/// Returns the time a sentence asks to wait: `try again in 1h 20m`, `retry after 30 seconds`.
fn reset_in(text: &str) -> Option<Reset> {
    const BEGIN: &[&str] = &[
        "try again in ",
        "retry in ",
        "retry after ",
        "retry-after: ",
        "reset after ",
        "resets in ",
        "reset in ",
    ];
    let rest = BEGIN
        .iter()
        .find_map(|begin| text.split_once(begin).map(|(_, rest)| rest));
    let Some(rest) = rest else {
        // Only a moment with its zone tells when: `resets 3pm` may be anywhere.
        let mut words = text.split(|c: char| c.is_whitespace() || "()[],;\"'".contains(c));
        return words.find_map(|word| moment(word.trim_end_matches('.')));
    };
    let mut seconds = 0f64;
    let mut known = false;
    let mut rest = rest.trim_start();
    loop {
        let digits = rest
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(rest.len());
        let Ok(number) = rest[..digits].trim_end_matches('.').parse::<f64>() else {
            break;
        };
        rest = rest[digits..].trim_start();
        let letters = rest
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(rest.len());
        let unit = match &rest[..letters] {
            "ms" | "milliseconds" => 0.001,
            "m" | "min" | "mins" | "minute" | "minutes" => 60.0,
            "h" | "hr" | "hrs" | "hour" | "hours" => 3600.0,
            "d" | "day" | "days" => 86_400.0,
            _ => 1.0,
        };
        seconds += number * unit;
        known = true;
        rest = rest[letters..].trim_start_matches([' ', ',']);
    }
    // A week is the longest window that is known; more is a misreading.
    (known && seconds <= 8.0 * 86_400.0).then(|| Reset::After(seconds.ceil() as u64))
}

#[cfg(test)]
mod tests;
