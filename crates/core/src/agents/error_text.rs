//! Reads what a program says of a fault where it gives no typed fields: error events that hold a
//! sentence, and the end of standard error.
//!
//! Only text that the program itself marks as an error comes here, never what the model said. An
//! unknown sentence stays unknown: a wrong class would wait for hours or spend an attempt.

mod error_body;
mod machine_errors;
mod sentence_words;

use super::fault_kind::FaultKind;
use super::{ApiError, Reset};
use error_body::ErrorBody;
use sentence_words::{
    BUSY, KEYS, KINDS, LACKING, LACKS_MODEL, LIMIT_VERBS, MONEY, OTHERS, OVER, PASSING, PLANS,
    SERVERS, SHARES, SPENT, UNREACHED, USED_UP,
};

impl ApiError {
    /// Returns an error of which only the sentence may be known; typed fields, those of a server's answer within the
    /// sentence included, win over its words, except where those tell what the fields leave open.
    pub(crate) fn reported(status: Option<u16>, kind: Option<String>, message: &str) -> ApiError {
        let text = message.to_lowercase();
        let body = ErrorBody::within(message);
        let status = status.or_else(|| leading_status(&text));
        let status = status.or(body.status).or_else(|| status_in(&text));
        let reset = Reset::in_text(&text);
        let kind = kind.filter(|kind| !is_vague(kind));
        let typed = most_telling(kind.as_deref().into_iter().chain(body.words()));
        let read = kind_in(&text).map(|read| match read {
            // What comes back by itself at a stated time is no empty account.
            FaultKind::NoCredit if reset.is_some() && !text.contains(read.word()) => {
                FaultKind::Limit
            }
            read => read,
        });
        let named = ["limit", "límite", "quota", "kontingent", "usage", "used up"]
            .iter()
            .any(|w| text.contains(w));
        let read = read.or_else(|| (reset.is_some() && named).then_some(FaultKind::Limit));
        // Some name a connection that never stood a fault of the server.
        let unreached = status.is_none() && has_any(&text, UNREACHED);
        let read = read.filter(|read| {
            tells_more(*read, typed, status) || unreached && *read == FaultKind::Network
        });
        let kind = match (read, typed) {
            (Some(read), _) => Some(read.word().to_owned()),
            (None, Some((_, word))) => Some(word.to_owned()),
            (None, None) => kind,
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
        self.is_of(FaultKind::NoModel)
    }

    /// Returns whether this request will never fit; another may.
    pub(crate) fn is_too_large(&self) -> bool {
        self.is_of(FaultKind::TooLarge)
    }

    fn is_of(&self, kind: FaultKind) -> bool {
        self.kind.as_deref().and_then(FaultKind::of_word) == Some(kind)
    }
}

/// Returns whether what a sentence says goes beyond the typed fields beside it.
fn tells_more(read: FaultKind, typed: Option<(FaultKind, &str)>, status: Option<u16>) -> bool {
    let Some((typed, word)) = typed else {
        // Who was not let in cannot know whether the model is there.
        return read != FaultKind::NoModel || status != Some(401);
    };
    // A quota that leaves open whether it comes back: `TerminalQuotaError`.
    let word = word.to_ascii_lowercase();
    let closed = ["insufficient", "current"].iter().any(|w| word.contains(w));
    let some_quota = typed == FaultKind::NoCredit && word.contains("quota") && !closed;
    let open = typed == FaultKind::Request;
    let undecided = status.is_none_or(|status| matches!(status, 400 | 402 | 404));
    match read {
        FaultKind::NoCredit | FaultKind::TooLarge => true,
        FaultKind::Content => open || typed == FaultKind::Server && status.is_none(),
        FaultKind::Limit => (open || some_quota) && undecided,
        // Some name whatever a server of this machine answers after the connection.
        FaultKind::NoModel if typed == FaultKind::Network => undecided,
        FaultKind::NoModel | FaultKind::NoAccess => open && undecided,
        FaultKind::Server => some_quota || typed == FaultKind::Limit && status.is_none(),
        // Some name every fault so.
        FaultKind::Request => word == "api_error" && undecided,
        FaultKind::Network => false,
    }
}

/// Returns the kind of several typed words for one fault: who is to pay decides, and a word that leaves it open does not
/// where another tells.
fn most_telling<'a>(words: impl Iterator<Item = &'a str>) -> Option<(FaultKind, &'a str)> {
    let known = words.filter_map(|word| Some((FaultKind::of_word(word)?, word)));
    known.min_by_key(|(kind, _)| match kind {
        FaultKind::NoCredit => 0,
        FaultKind::TooLarge | FaultKind::NoModel | FaultKind::Content => 1,
        FaultKind::Request => 3,
        _ => 2,
    })
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
    // A number that a line begins with is a status only where the program marks the line as a fault.
    let unnumbered = |line: &str| {
        line.trim_start_matches(|c: char| c.is_ascii_digit())
            .to_owned()
    };
    stderr
        .lines()
        .rev()
        .filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with("at "))
        // A shell's word for a program that a signal ended; a connection's is written small.
        .filter(|line| line.trim() != "Terminated")
        .take(20)
        .filter(|line| !has_any(&line.to_lowercase(), OTHERS))
        .map(|line| ApiError::reported(None, None, &unnumbered(line.trim())))
        .find(|error| error.status.is_some() || error.kind.is_some())
}

fn kind_in(text: &str) -> Option<FaultKind> {
    if let Some(kind) = machine_errors::kind(text) {
        return kind;
    }
    let typed = ["model_not_found", "modelnotfound", "is not available with"]
        .iter()
        .any(|word| text.contains(word));
    if typed || lacks_model(text) {
        return Some(FaultKind::NoModel);
    }
    let listed = KINDS
        .iter()
        .find(|(_, words)| has_any(text, words))
        .map(|(kind, _)| *kind);
    match listed {
        Some(FaultKind::TooLarge) => listed,
        _ if is_said_of(text, MONEY, USED_UP) || is_said_of(text, PLANS, OVER) => {
            Some(FaultKind::NoCredit)
        }
        Some(FaultKind::NoCredit | FaultKind::Limit) => listed,
        _ if is_said_of(text, SHARES, SPENT) => Some(FaultKind::NoCredit),
        // How many tokens there are is no token.
        _ if is_said_of(&text.replace("_tokens", ""), KEYS, LACKING) => Some(FaultKind::NoAccess),
        Some(_) => listed,
        None if is_said_of(text, SERVERS, BUSY) => Some(FaultKind::Server),
        None if meets_limit(text) => Some(FaultKind::Limit),
        None if text.ends_with("terminated") => Some(FaultKind::Network),
        None => named_in(text),
    }
}

/// Returns the kind that a code of a remote call names, `[internal]`, or the name of an exception before its sentence.
fn named_in(text: &str) -> Option<FaultKind> {
    const CODES: &[&str] = &[
        "canceled",
        "deadline_exceeded",
        "internal",
        "invalid_argument",
        "permission_denied",
        "resource_exhausted",
        "unauthenticated",
        "unavailable",
    ];
    let bracketed = text
        .split('[')
        .skip(1)
        .filter_map(|rest| rest.split(']').next());
    let code = bracketed
        .filter(|code| CODES.contains(code))
        .find_map(FaultKind::of_word);
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let mut exceptions = words.filter_map(|word| word.strip_suffix("exception"));
    code.or_else(|| {
        exceptions.find_map(|name| match FaultKind::of_word(name) {
            // What was not found or not valid may be anything on this machine.
            Some(FaultKind::Request) if name != "validation" => None,
            kind => kind,
        })
    })
}

/// Returns whether a sentence names one of these things, and one of these words about it.
fn is_said_of(text: &str, things: &str, words: &str) -> bool {
    let mut own = text.split(|c: char| !c.is_ascii_alphabetic());
    has_any(text, things) && own.any(|own| words.split('|').any(|word| word == own))
}

fn has_any(text: &str, words: &str) -> bool {
    words.split('|').any(|word| text.contains(word))
}

/// Returns whether a sentence says that a limit was met, whatever its name: `You've hit your Opus limit`.
fn meets_limit(text: &str) -> bool {
    const REACH: usize = 40;
    LIMIT_VERBS.split('|').any(|verb| {
        text.match_indices(verb).any(|(at, _)| {
            let near: String = text[at..].chars().take(REACH).collect();
            ["limit", "usage", "quota"].iter().any(|w| near.contains(w))
        })
    })
}

/// Returns whether a sentence says that a model is not there: `The model "x" does not exist`.
fn lacks_model(text: &str) -> bool {
    if has_any(text, PASSING) {
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
    after.is_some_and(|after| has_any(after, LACKS_MODEL))
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
    // `API Error (us.model-x): 400 …` names the model first.
    let behind_model = || {
        let (_, named) = text.split_once("error (")?;
        leading_status(named.split_once("): ")?.1)
    };
    bracketed
        .or_else(behind_model)
        .or_else(|| announced_status(text))
}

fn announced_status(text: &str) -> Option<u16> {
    const ANNOUNCE: &[&str] = &["status", "code", "http", "statuscode"];
    let mut before = "";
    for word in text
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
    {
        let announced = ANNOUNCE.contains(&before) || before.ends_with("error");
        if announced
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
