//! Reads what a program says of a fault where it gives no typed fields: error events that hold a
//! sentence, and the end of standard error.
//!
//! Only text that the program itself marks as an error comes here, never what the model said. An
//! unknown sentence stays unknown: a wrong class would wait for hours or spend an attempt.

mod sentence_words;

use super::{ApiError, Reset};
use sentence_words::{
    BUSY, KEYS, KINDS, LACKING, LACKS_MODEL, LIMIT_VERBS, MONEY, OVER, PASSING, PLANS, SERVERS,
    USED_UP,
};

pub(super) const INSUFFICIENT_QUOTA: &str = "insufficient_quota";
const RATE_LIMIT: &str = "rate_limit";
const AUTHENTICATION: &str = "authentication";
/// The model that was asked for is not there, or not for this account.
pub(super) const MODEL_NOT_FOUND: &str = "model_not_found";
/// The request will never fit, however long one waits.
pub(super) const REQUEST_TOO_LARGE: &str = "request_too_large";

impl ApiError {
    /// Returns an error of which only the sentence may be known; typed fields win over its words, except
    /// where those tell what the fields leave open.
    pub(crate) fn reported(status: Option<u16>, kind: Option<String>, message: &str) -> ApiError {
        let text = message.to_lowercase();
        let status = status.or_else(|| leading_status(&text));
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
        let named = ["limit", "quota", "usage"].iter().any(|w| text.contains(w));
        let read = read.or_else(|| (reset.is_some() && named).then_some(RATE_LIMIT));
        let tells_more = |read: &str| match read {
            INSUFFICIENT_QUOTA | REQUEST_TOO_LARGE => true,
            RATE_LIMIT | MODEL_NOT_FOUND | AUTHENTICATION => {
                kind.as_deref()
                    .is_none_or(|kind| is_open(kind) || read == RATE_LIMIT && is_some_quota(kind))
                    && status.is_none_or(|status| matches!(status, 400 | 404))
            }
            "overloaded" => kind.as_deref().is_none_or(is_some_quota),
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

/// Returns whether a kind names a quota and leaves open whether it comes back: `TerminalQuotaError`.
fn is_some_quota(kind: &str) -> bool {
    let kind = kind.to_ascii_lowercase();
    kind.contains("quota") && !kind.contains("insufficient")
}

/// Returns the last line of standard error that tells a class, as an error.
pub(super) fn in_stderr(stderr: &str) -> Option<ApiError> {
    // A number that a line begins with is a status only where the program marks the line as a fault.
    let unnumbered = |line: &str| {
        line.trim_start_matches(|c: char| c.is_ascii_digit())
            .to_owned()
    };
    stderr
        .lines()
        .rev()
        .filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with("at "))
        .take(20)
        .map(|line| ApiError::reported(None, None, &unnumbered(line.trim())))
        .find(|error| error.status.is_some() || error.kind.is_some())
}

fn kind_in(text: &str) -> Option<&'static str> {
    let typed = ["model_not_found", "modelnotfound", "is not available with"]
        .iter()
        .any(|word| text.contains(word));
    if typed || lacks_model(text) {
        return Some(MODEL_NOT_FOUND);
    }
    let listed = KINDS
        .iter()
        .find(|(_, words)| words.iter().any(|word| text.contains(word)))
        .map(|(kind, _)| *kind);
    match listed {
        Some(REQUEST_TOO_LARGE) => listed,
        _ if is_said_of(text, MONEY, USED_UP) || is_said_of(text, PLANS, OVER) => {
            Some(INSUFFICIENT_QUOTA)
        }
        Some(INSUFFICIENT_QUOTA | RATE_LIMIT) => listed,
        _ if is_said_of(text, KEYS, LACKING) => Some(AUTHENTICATION),
        Some(_) => listed,
        None if is_said_of(text, SERVERS, BUSY) => Some("overloaded"),
        None if meets_limit(text) => Some(RATE_LIMIT),
        None => text.ends_with("terminated").then_some("network"),
    }
}

/// Returns whether a sentence names one of these things, and one of these words about it.
fn is_said_of(text: &str, things: &[&str], words: &[&str]) -> bool {
    let mut own = text.split(|c: char| !c.is_ascii_alphabetic());
    things.iter().any(|thing| text.contains(thing)) && own.any(|word| words.contains(&word))
}

/// Returns whether a sentence says that a limit was met, whatever its name: `You've hit your Opus limit`.
fn meets_limit(text: &str) -> bool {
    const REACH: usize = 40;
    LIMIT_VERBS.iter().any(|verb| {
        text.match_indices(verb).any(|(at, _)| {
            let near: String = text[at..].chars().take(REACH).collect();
            ["limit", "usage", "quota"].iter().any(|w| near.contains(w))
        })
    })
}

/// Returns whether a sentence says that a model is not there: `The model "x" does not exist`.
fn lacks_model(text: &str) -> bool {
    if PASSING.iter().any(|word| text.contains(word)) {
        return false;
    }
    if text.trim_start().starts_with("model: ") {
        return true;
    }
    let after = text.find("model").map(|at| {
        // The sentence that names the model, not all that follows.
        let from = at.saturating_sub(30);
        let from = (from..=at)
            .find(|at| text.is_char_boundary(*at))
            .unwrap_or(at);
        text[from..].split(['\n', ';']).next().unwrap_or_default()
    });
    after.is_some_and(|after| LACKS_MODEL.iter().any(|word| after.contains(word)))
}

/// Returns the status that a fault begins with, as some programs put it: `401 invalid key`.
pub(super) fn leading_status(text: &str) -> Option<u16> {
    let status = text.split_whitespace().next()?.parse().ok()?;
    (400..600).contains(&status).then_some(status)
}

/// Returns the status that a sentence names: three digits in brackets, or after a word that announces one.
fn status_in(text: &str) -> Option<u16> {
    let bracketed = text.split('(').skip(1).find_map(|rest| {
        let status = rest.split(')').next()?.parse().ok()?;
        (400..600).contains(&status).then_some(status)
    });
    bracketed.or_else(|| announced_status(text))
}

fn announced_status(text: &str) -> Option<u16> {
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
