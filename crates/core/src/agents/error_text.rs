//! Reads what a program says of a fault where it gives no typed fields: error events that hold a
//! sentence, and the end of standard error.
//!
//! Only text that the program itself marks as an error comes here, never what the model said. An
//! unknown sentence stays unknown: a wrong class would wait for hours or spend an attempt.

use super::{ApiError, Reset};

/// Words that tell a kind, the most telling first; the kinds are those `class_of_error` knows.
const KINDS: &[(&str, &[&str])] = &[
    (
        INSUFFICIENT_QUOTA,
        &[
            "insufficient_quota",
            "insufficient quota",
            "insufficient credit",
            "insufficient balance",
            "insufficient funds",
            "credit balance",
            "out of credits",
            "no credits",
            "not enough credits",
            "add credits",
            "payment required",
            "payment method",
            "spending limit",
            "spend limit",
            "billing_error",
            "billing hard limit",
            "billing_hard_limit",
        ],
    ),
    // A quota that comes back by itself.
    (
        RATE_LIMIT,
        &[
            "daily quota",
            "daily limit",
            "weekly limit",
            "monthly limit",
            "session limit",
            "exhausted your capacity",
            "per day",
            "perday",
            "quota will reset",
            "per minute",
            "perminute",
        ],
    ),
    (
        INSUFFICIENT_QUOTA,
        &["exceeded your current quota", "quota exceeded", "billing"],
    ),
    (
        RATE_LIMIT,
        &[
            "rate limit",
            "ratelimit",
            "rate_limit",
            "rate-limit",
            "too many requests",
            "usage limit",
            "request limit",
            "limit reached",
            "resource_exhausted",
            "hit your limit",
            "reached your limit",
            "premium requests",
            "throttl",
        ],
    ),
    (
        "authentication",
        &[
            "unauthorized",
            "unauthenticated",
            "authenticat",
            "invalid api key",
            "invalid key",
            "invalid x-api-key",
            "invalid_api_key",
            "api_key_invalid",
            "incorrect api key",
            "api key not",
            "api key is",
            "api key expired",
            "valid api key",
            "no api key",
            "missing api key",
            "missing environment variable",
            "not logged in",
            "logged out",
            "auth method",
            "auth type",
            "/login",
            "please log in",
            "please login",
            "log in again",
            "login required",
            "sign in",
            "signed in",
            "refresh token",
            "token has expired",
            "token expired",
            "session expired",
            "no credentials",
            "invalid credentials",
            "not configured any provider",
            "no provider configured",
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
            "server error",
            "server_error",
            "bad gateway",
            "gateway timeout",
            // An answer that is none.
            "json parsing failed",
            "not valid json",
            "invalid json",
            "failed to parse",
            "unexpected token",
        ],
    ),
    (
        "invalid_request",
        &[
            "context length",
            "context_length",
            "context window",
            "contextwindow",
            "prompt is too long",
            "prompt as too long",
            "input is too long",
            "too large",
            "maximum length",
            "invalid request",
            "invalid_request",
            "badrequest",
            "bad request",
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
            "connection failed",
            "connectionerror",
            "cannot connect",
            "unable to connect",
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
            "und_err",
            "timed out",
            "timeout",
            "api error: terminated",
            "dns error",
            "getaddrinfo",
            "request failed and the interceptors",
            "without a finish reason",
            "stream ended",
            "empty response",
            "failed to get response",
        ],
    ),
];

pub(super) const INSUFFICIENT_QUOTA: &str = "insufficient_quota";
const RATE_LIMIT: &str = "rate_limit";
/// The model that was asked for is not there, or not for this account.
pub(super) const MODEL_NOT_FOUND: &str = "model_not_found";

impl ApiError {
    /// Returns an error of which only the sentence may be known; typed fields win over its words, except
    /// where those tell what the fields leave open.
    pub(crate) fn reported(status: Option<u16>, kind: Option<String>, message: &str) -> ApiError {
        let text = message.to_lowercase();
        let status = status.or_else(|| status_in(&text));
        let reset = Reset::in_text(&text);
        let kind = kind.filter(|kind| !is_vague(kind));
        let read = kind_in(&text).map(|read| match read {
            // What comes back by itself at a stated time is no empty account.
            INSUFFICIENT_QUOTA if reset.is_some() && !text.contains(INSUFFICIENT_QUOTA) => {
                RATE_LIMIT
            }
            read => read,
        });
        let tells_more = |read: &str| match read {
            INSUFFICIENT_QUOTA => true,
            RATE_LIMIT | MODEL_NOT_FOUND | "authentication" => {
                kind.as_deref().is_none_or(is_open)
                    && status.is_none_or(|status| matches!(status, 400 | 404))
            }
            _ => kind.is_none(),
        };
        let kind = match read {
            Some(read) if tells_more(read) => Some(read.to_owned()),
            _ => kind.or_else(|| read.map(str::to_owned)),
        };
        ApiError {
            status,
            kind,
            message: message.chars().take(2000).collect(),
            reset,
        }
    }

    /// Returns whether the model that was asked for is not there, or not for this account.
    pub(crate) fn is_unknown_model(&self) -> bool {
        self.kind.as_deref() == Some(MODEL_NOT_FOUND)
    }
}

/// Returns whether a program's own word for a kind says nothing.
fn is_vague(kind: &str) -> bool {
    matches!(
        kind.to_ascii_lowercase().as_str(),
        "" | "error" | "unknown" | "query" | "apierror" | "unknownerror" | "error_during_execution"
    )
}

/// Returns whether a kind leaves open what was wrong with the request.
fn is_open(kind: &str) -> bool {
    let kind = kind.to_ascii_lowercase();
    [
        "invalid_request",
        "invalid_argument",
        "bad_request",
        "badrequest",
        "not_found",
        "notfound",
    ]
    .iter()
    .any(|word| kind.contains(word))
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
    let typed = ["model_not_found", "modelnotfound"]
        .iter()
        .any(|word| text.contains(word));
    if typed || lacks_model(text) {
        return Some(MODEL_NOT_FOUND);
    }
    KINDS
        .iter()
        .find(|(_, words)| words.iter().any(|word| text.contains(word)))
        .map(|(kind, _)| *kind)
}

/// Returns whether a sentence says that a model is not there: `The model "x" does not exist`.
fn lacks_model(text: &str) -> bool {
    const LACKS: &[&str] = &[
        "not found",
        "not exist",
        "is not supported",
        "not available",
        "is not a valid",
        "no access to",
        "not have access",
        "unknown model",
        "invalid model",
        "unsupported model",
        "no such model",
    ];
    const PASSES: &[&str] = &["overload", "demand", "capacity", "temporar", "limit"];
    if PASSES.iter().any(|word| text.contains(word)) {
        return false;
    }
    if text.trim_start().starts_with("model: ") {
        return true;
    }
    let after = text.find("model").map(|at| {
        // The sentence that names the model, not all that follows.
        let from = at.saturating_sub(20);
        let from = (from..=at)
            .find(|at| text.is_char_boundary(*at))
            .unwrap_or(at);
        text[from..].split(['\n', ';']).next().unwrap_or_default()
    });
    after.is_some_and(|after| LACKS.iter().any(|word| after.contains(word)))
}

/// Returns the status that a fault begins with, as some programs put it: `401 invalid key`.
pub(super) fn leading_status(text: &str) -> Option<u16> {
    let status = text.split_whitespace().next()?.parse().ok()?;
    (400..600).contains(&status).then_some(status)
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

#[cfg(test)]
mod tests;
