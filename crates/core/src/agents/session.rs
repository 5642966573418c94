//! What is known about one running or ended session, folded line by line.
//!
//! Every collection here is bounded: a hostile or runaway program cannot make it grow.

use super::lenient_json::Field;
use super::reset::Reset;
use std::collections::VecDeque;

/// Text kept of a session: enough for any result block and the words before it.
const TEXT_CAP: usize = 256 * 1024;
/// Standard error kept: its end explains a failure.
const STDERR_CAP: usize = 16 * 1024;
/// Errors, open tool calls and messages in flight that are kept.
const LIST_CAP: usize = 32;

/// Tokens; `None` means unknown, which is not zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Tokens sent, without those read from or written to a cache.
    pub input_tokens: Option<u64>,
    /// Tokens produced, thinking included.
    pub output_tokens: Option<u64>,
    /// Tokens read from a cache.
    pub cache_read: Option<u64>,
    /// Tokens written to a cache.
    pub cache_write: Option<u64>,
}

impl Usage {
    /// Returns the field-wise sum; unknown plus known is known.
    #[must_use]
    pub(crate) fn plus(self, other: Usage) -> Usage {
        self.zip(other, u64::saturating_add)
    }

    /// Returns the field-wise maximum; unknown against known is known.
    #[must_use]
    pub(crate) fn max(self, other: Usage) -> Usage {
        self.zip(other, u64::max)
    }

    /// Returns whether no figure is known.
    pub fn is_unknown(&self) -> bool {
        *self == Usage::default()
    }

    /// Returns the figures of a program that counts cached tokens among the input as this program
    /// counts them: apart.
    #[must_use]
    pub(crate) fn without_cached(self) -> Usage {
        let cached = self.cache_read.unwrap_or(0) + self.cache_write.unwrap_or(0);
        Usage {
            input_tokens: self.input_tokens.map(|input| input.saturating_sub(cached)),
            ..self
        }
    }

    fn zip(self, other: Usage, join: fn(u64, u64) -> u64) -> Usage {
        let one = |a: Option<u64>, b: Option<u64>| match (a, b) {
            (Some(a), Some(b)) => Some(join(a, b)),
            (a, b) => a.or(b),
        };
        Usage {
            input_tokens: one(self.input_tokens, other.input_tokens),
            output_tokens: one(self.output_tokens, other.output_tokens),
            cache_read: one(self.cache_read, other.cache_read),
            cache_write: one(self.cache_write, other.cache_write),
        }
    }
}

/// Running usage where a program repeats a message's figures on several lines.
///
/// Per message the highest figure counts once; old messages are settled into a sum, so memory
/// stays flat over a long session.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MessageUsage {
    settled: Usage,
    open: VecDeque<(String, Usage)>,
}

impl MessageUsage {
    /// Records the figures of one line of the message `id`.
    pub(crate) fn record(&mut self, id: &str, usage: Usage) {
        // A message that is repeated is the newest as a rule.
        if let Some((_, known)) = self.open.iter_mut().rev().find(|(known, _)| known == id) {
            *known = known.max(usage);
            return;
        }
        if self.open.len() == LIST_CAP
            && let Some((_, oldest)) = self.open.pop_front()
        {
            self.settled = self.settled.plus(oldest);
        }
        self.open.push_back((id.to_owned(), usage));
    }

    /// Adds the figures of a message that comes once and has no id.
    pub(crate) fn add(&mut self, usage: Usage) {
        self.settled = self.settled.plus(usage);
    }

    /// Returns the sum over all messages.
    pub(crate) fn total(&self) -> Usage {
        self.open
            .iter()
            .fold(self.settled, |sum, (_, usage)| sum.plus(*usage))
    }
}

/// What the agent is doing now: one open tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Activity {
    /// The call's id; empty when the program has none.
    pub id: String,
    /// The tool, as the program names it.
    pub tool: String,
    /// The file, command or query it works on: one line, cut short.
    pub detail: String,
}

/// An error the program reported as such.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ApiError {
    /// The HTTP status of the model's server.
    pub status: Option<u16>,
    /// The typed kind, e.g. `rate_limit_error`.
    pub kind: Option<String>,
    /// What it says to a user.
    pub message: String,
    /// When it is worth trying again.
    pub reset: Option<Reset>,
}

/// The end of a text, at most a fixed number of bytes, cut at a character.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tail {
    text: String,
    cap: usize,
}

impl Tail {
    /// Returns an empty tail that keeps `cap` bytes.
    pub(crate) fn new(cap: usize) -> Self {
        Tail {
            text: String::new(),
            cap,
        }
    }

    /// Adds text, dropping the oldest beyond the cap.
    pub(crate) fn push(&mut self, text: &str) {
        let start = boundary_from(text, text.len().saturating_sub(self.cap));
        if start > 0 {
            self.text.clear();
        }
        self.text.push_str(&text[start..]);
        // Trimming only at twice the cap keeps pushing linear over a long session.
        if self.text.len() > self.cap * 2 {
            let start = boundary_from(&self.text, self.text.len() - self.cap);
            self.text.drain(..start);
        }
    }

    /// Adds text and a line end.
    pub(crate) fn push_line(&mut self, text: &str) {
        self.push(text);
        self.push("\n");
    }

    /// Returns the end of the text, at most the cap.
    pub fn as_str(&self) -> &str {
        &self.text[boundary_from(&self.text, self.text.len().saturating_sub(self.cap))..]
    }
}

/// Returns the first character boundary at or after `at`.
fn boundary_from(text: &str, at: usize) -> usize {
    (at..=text.len())
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(text.len())
}

/// What is known about one session.
#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    /// Tokens so far; exact once `finished`.
    pub usage: Usage,
    /// Cost as the program states it.
    pub cost_usd: Option<f64>,
    /// Whether the cost is by a list of prices instead.
    pub cost_estimated: bool,
    /// The program's own id of the session.
    pub session_id: Option<String>,
    /// The model that answered.
    pub model: Option<String>,
    /// The program's version, when it says so.
    pub version: Option<String>,
    /// What the assistant said, its end.
    pub text: Tail,
    /// Lines of standard output that were no events: the whole output of a plain-text program.
    pub plain: Tail,
    /// Standard error, its end.
    pub stderr: Tail,
    /// Tool calls begun and not answered, oldest first.
    pub open: VecDeque<Activity>,
    /// How many tool calls began, those in flight included.
    pub tool_calls: u64,
    /// Whether a sub-agent worked of which no event tells what it used.
    pub delegated: bool,
    /// Tool calls the program refused for want of permission.
    pub denials: u64,
    /// Errors, the newest last.
    pub errors: VecDeque<ApiError>,
    /// The fault that the program is retrying right now.
    pub retrying: Option<ApiError>,
    /// How many retries there were inside the program.
    pub retries: u64,
    /// How many of them came one after the other, the newest included.
    pub retries_in_row: u64,
    /// What the terminal event says about failure.
    pub is_error: Option<bool>,
    /// The terminal event's own word for how it ended.
    pub terminal_reason: Option<String>,
    /// Whether any event was understood; if not, the program prints plain text.
    pub structured: bool,
    /// Whether the terminal event was seen.
    pub finished: bool,
    /// Well-formed events of unknown type.
    pub unknown_events: u64,
    /// Lines that were no event although the program prints events.
    pub noise_lines: u64,
    /// Lines too long to be read.
    pub truncated_lines: u64,
    /// Running figures per message, until the terminal event states the sum.
    pub messages: MessageUsage,
    /// The sum of what the terminal events state, where each states its own part of the session.
    pub parts: Usage,
}

impl Default for Session {
    fn default() -> Self {
        Session {
            usage: Usage::default(),
            cost_usd: None,
            cost_estimated: false,
            delegated: false,
            session_id: None,
            model: None,
            version: None,
            text: Tail::new(TEXT_CAP),
            plain: Tail::new(TEXT_CAP),
            stderr: Tail::new(STDERR_CAP),
            open: VecDeque::new(),
            tool_calls: 0,
            denials: 0,
            errors: VecDeque::new(),
            retrying: None,
            retries: 0,
            retries_in_row: 0,
            is_error: None,
            terminal_reason: None,
            structured: false,
            finished: false,
            unknown_events: 0,
            noise_lines: 0,
            truncated_lines: 0,
            messages: MessageUsage::default(),
            parts: Usage::default(),
        }
    }
}

impl Session {
    /// Records a line that is no event.
    pub(crate) fn plain_line(&mut self, line: &str) {
        self.noise_lines += u64::from(self.structured);
        self.plain.push_line(line);
    }

    /// Records the program's own id of the session, which most events repeat.
    pub(super) fn know_id(&mut self, id: Field<'_>) {
        let known = self.session_id.as_deref();
        if known.is_none() || id.text().is_some_and(|id| known != Some(&id)) {
            self.session_id = id.short(200).or(self.session_id.take());
        }
    }

    /// Records what the assistant said.
    pub(crate) fn say(&mut self, text: &str) {
        self.text.push_line(text);
        self.retrying = None;
    }

    /// Records a piece of what the assistant is saying; [`Session::pause`] ends the line.
    pub(crate) fn push_text(&mut self, text: &str) {
        self.text.push(text);
        self.retrying = None;
    }

    /// Ends the line that pieces have begun.
    pub(crate) fn pause(&mut self) {
        let text = self.text.as_str();
        if !text.is_empty() && !text.ends_with('\n') {
            self.text.push("\n");
        }
    }

    /// Records the terminal event: nothing is open or retried any more.
    pub(super) fn finish(&mut self) {
        self.finished = true;
        self.retrying = None;
        self.open.clear();
    }

    /// Records that the session failed, and how.
    pub(crate) fn fail_for_good(&mut self, error: ApiError) {
        self.is_error = Some(true);
        self.fail(error);
    }

    /// Records that the session works on after the faults so far: none of them ended it.
    pub(crate) fn go_on(&mut self) {
        if !self.finished {
            self.is_error = None;
            self.errors.clear();
            self.retrying = None;
        }
    }

    /// Records the start of a tool call; `detail` is cut to one short line.
    pub(crate) fn start_tool(&mut self, id: &str, tool: &str, detail: &str) {
        self.tool_calls += 1;
        self.retrying = None;
        if self.open.len() == LIST_CAP {
            self.open.pop_front();
        }
        let line = detail.lines().next().unwrap_or_default();
        let (tool, detail) = (
            tool.chars().take(80).collect(),
            line.chars().take(200).collect(),
        );
        self.open.push_back(Activity {
            id: id.to_owned(),
            tool,
            detail,
        });
    }

    /// Records the answer to a tool call.
    pub(crate) fn end_tool(&mut self, id: &str) {
        self.open.retain(|call| call.id != id);
    }

    /// Records an error, keeping the newest.
    pub(crate) fn fail(&mut self, error: ApiError) {
        if self.open_errors_full() {
            self.errors.pop_front();
        }
        self.errors.push_back(error);
    }

    /// Records a fault the program retries by itself.
    pub(crate) fn retry(&mut self, error: ApiError) {
        self.retries += 1;
        let before = self.retrying.replace(error);
        self.retries_in_row = before.map_or(1, |_| self.retries_in_row + 1);
    }

    /// Returns what the agent is doing now: its newest open tool call.
    pub fn now(&self) -> Option<&Activity> {
        self.open.back()
    }

    /// Returns whether the figures are known and say that the model produced nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.usage.output_tokens == Some(0) && self.tool_calls == 0
    }

    /// Returns whether nothing of the model's has arrived: no word, no tool call, no token.
    pub(crate) fn is_untouched(&self) -> bool {
        self.text.as_str().trim().is_empty()
            && self.tool_calls == 0
            && self.usage.output_tokens.unwrap_or(0) == 0
    }

    /// Returns what the session said at its end: the place of the result block.
    pub fn closing_text(&self) -> &str {
        if self.structured {
            self.text.as_str()
        } else {
            self.plain.as_str()
        }
    }

    fn open_errors_full(&self) -> bool {
        self.errors.len() == LIST_CAP
    }
}
