//! The `result` block a session ends with. It is advice: only `blocked` is trusted.
//!
//! Near misses are read: another case, `yaml result`, `reason` for `blocked_reason`, tildes, a missing closing fence, JSON,
//! prose with unquoted colons. A block that says neither `complete` nor `blocked` is no block.

use crate::model::yaml::{self, Kind, Node};

/// What the block says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultStatus {
    /// The session claims that the work is done.
    Complete,
    /// The session cannot go on.
    Blocked,
}

/// A session's own account of its work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultBlock {
    /// Whether the session claims to be complete.
    pub(crate) status: ResultStatus,
    /// What the session did, in its own words.
    pub(crate) summary: String,
    /// Paths it says it changed.
    pub(crate) files_changed: Vec<String>,
    /// Its view of each criterion.
    pub(crate) acceptance_criteria: Vec<String>,
    /// Why it is blocked.
    pub(crate) blocked_reason: Option<String>,
    /// What it leaves to others.
    pub(crate) follow_ups: Vec<String>,
    /// Paths outside the unit's `touches` that it asks for.
    pub(crate) widen_touches: Vec<String>,
}

/// Returns the reason of the last block, if that block says `blocked`.
pub(super) fn blocked_reason(text: &str) -> Option<String> {
    let (block, _) = ResultBlock::last_in(text);
    block
        .filter(|block| block.status == ResultStatus::Blocked)
        .map(|block| {
            block
                .blocked_reason
                .or((!block.summary.is_empty()).then_some(block.summary))
                .unwrap_or_else(|| "no reason given".into())
        })
}

/// What is noted of a session without a block.
const NO_BLOCK: &str = "no result block";
/// How every note of a malformed block begins.
const BLOCK: &str = "the result block";

impl ResultBlock {
    /// Returns whether a recorded note is one of [`ResultBlock::last_in`].
    pub(crate) fn is_note(text: &str) -> bool {
        text == NO_BLOCK || text.starts_with(BLOCK)
    }

    /// Returns the last block of a text, and a note for the user if it is missing or malformed.
    pub(crate) fn last_in(text: &str) -> (Option<ResultBlock>, Option<String>) {
        let blocks = fenced(text);
        if let Some(block) = blocks.iter().rev().find(|block| block.titled) {
            return match ResultBlock::from_fields(
                &yaml_fields(&block.body).unwrap_or_else(|| line_fields(&block.body)),
            ) {
                Ok(block) => (Some(block), None),
                Err(note) => (None, Some(note)),
            };
        }
        // Without the title, only a last block that reads exactly like one is taken for it.
        let fields = blocks.last().and_then(|block| yaml_fields(&block.body));
        match fields.map(|fields| ResultBlock::from_fields(&fields)) {
            Some(Ok(block)) => (Some(block), None),
            _ => (None, Some(NO_BLOCK.to_owned())),
        }
    }

    /// Returns the block that the fields make, or what is wrong with them.
    fn from_fields(fields: &[ResultField]) -> Result<ResultBlock, String> {
        let value = |name: &str| {
            fields
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, lines)| lines.clone())
        };
        let one = |name: &str| value(name).unwrap_or_default().join("\n").trim().to_owned();
        let many = |name: &str| value(name).unwrap_or_default();
        let reason = one("blocked_reason");
        Ok(ResultBlock {
            status: status(&one("status"))?,
            summary: one("summary"),
            files_changed: many("files_changed"),
            acceptance_criteria: many("acceptance_criteria"),
            blocked_reason: (!reason.is_empty()).then_some(reason),
            follow_ups: many("follow_ups"),
            widen_touches: many("widen_touches"),
        })
    }
}

fn status(word: &str) -> Result<ResultStatus, String> {
    let lower = word.to_lowercase();
    let first = lower
        .split(|c: char| !c.is_alphanumeric())
        .find(|part| !part.is_empty());
    // `complete | blocked` is the form, copied and not filled in.
    if lower.contains('|') {
        return Err(format!("{BLOCK}'s status is still `{word}`"));
    }
    match first {
        Some("complete" | "completed" | "done" | "success" | "succeeded") => {
            Ok(ResultStatus::Complete)
        }
        Some("blocked") => Ok(ResultStatus::Blocked),
        Some(_) => Err(format!(
            "{BLOCK}'s status is `{word}`, neither complete nor blocked"
        )),
        None => Err(format!("{BLOCK} has no status")),
    }
}

const FIELDS: [&str; 7] = [
    "status",
    "summary",
    "files_changed",
    "acceptance_criteria",
    "blocked_reason",
    "follow_ups",
    "widen_touches",
];

/// A known field and its lines or items.
type ResultField = (&'static str, Vec<String>);

/// Returns the known field that a key means.
fn field(key: &str) -> Option<&'static str> {
    let key = key
        .trim()
        .trim_matches(['"', '\'', '*', '`'])
        .to_lowercase()
        .replace(['-', ' '], "_");
    match key.as_str() {
        "reason" | "blocker" | "blocked_by" | "blocked_because" | "question" => {
            Some("blocked_reason")
        }
        _ => FIELDS.into_iter().find(|name| *name == key),
    }
}

/// Returns the known fields of a YAML mapping, or `None` if it is none.
fn yaml_fields(body: &str) -> Option<Vec<ResultField>> {
    let root = yaml::parse(body, 0)
        .0
        .filter(|root| !root.entries().is_empty())?;
    let nested = root
        .entries()
        .iter()
        .find(|entry| entry.key.eq_ignore_ascii_case("result"));
    let root = nested.map_or(&root, |entry| &entry.value);
    let known = |entry: &yaml::Entry| Some((field(&entry.key)?, items(&entry.value)));
    Some(root.entries().iter().filter_map(known).collect())
}

/// Returns a value as a list of texts, whatever its shape.
fn items(node: &Node) -> Vec<String> {
    match &node.kind {
        _ if node.is_null() => Vec::new(),
        Kind::Scalar { text, .. } => text.lines().map(str::to_owned).collect(),
        Kind::Sequence(nodes) => nodes.iter().map(|node| flat(node, "; ")).collect(),
        Kind::Mapping(entries) => entries
            .iter()
            .map(|entry| format!("{}: {}", entry.key, flat(&entry.value, "; ")))
            .collect(),
    }
}

fn flat(node: &Node, separator: &str) -> String {
    items(node).join(separator)
}

/// Reads `key: value` lines, for blocks that are not YAML: usually an unquoted colon in prose.
fn line_fields(body: &str) -> Vec<ResultField> {
    let mut fields: Vec<ResultField> = Vec::new();
    for line in body.lines() {
        let keyed = line
            .split_once(':')
            .and_then(|(key, value)| Some((field(key)?, value)));
        let (value, fresh) = keyed.map_or((line, None), |(name, value)| (value, Some(name)));
        if let Some(name) = fresh {
            fields.push((name, Vec::new()));
        }
        let value = value.trim();
        let value = value.strip_prefix("- ").unwrap_or(value).trim();
        if let Some((_, lines)) = fields.last_mut()
            && !matches!(value, "" | "|" | ">" | "|-" | ">-" | "[]" | "null" | "~")
        {
            lines.push(value.trim_matches('"').to_owned());
        }
    }
    fields
}

struct FencedBlock {
    /// Whether its info string says that it is the result.
    titled: bool,
    body: String,
}

struct Fence<'a> {
    mark: char,
    length: usize,
    indent: usize,
    info: &'a str,
}

/// Returns the fenced blocks of a text. A last block without its end ends with the text: the
/// session may have been cut off there.
fn fenced(text: &str) -> Vec<FencedBlock> {
    let mut blocks: Vec<FencedBlock> = Vec::new();
    let mut open: Option<Fence<'_>> = None;
    for line in text.lines() {
        let fence = fence(line);
        match (&open, fence) {
            (None, Some(start)) => {
                blocks.push(FencedBlock {
                    titled: titled(start.info),
                    body: String::new(),
                });
                open = Some(start);
            }
            (Some(outer), Some(mark))
                if mark.mark == outer.mark
                    && mark.length >= outer.length
                    && mark.info.is_empty() =>
            {
                open = None;
            }
            // A stray fence earlier in the prose must not swallow the block.
            (Some(outer), Some(start)) if titled(start.info) && start.length >= outer.length => {
                blocks.push(FencedBlock {
                    titled: true,
                    body: String::new(),
                });
                open = Some(start);
            }
            (Some(outer), _) => {
                let blank = line.len() - line.trim_start_matches(' ').len();
                if let Some(block) = blocks.last_mut() {
                    block.body.push_str(&line[blank.min(outer.indent)..]);
                    block.body.push('\n');
                }
            }
            (None, None) => {}
        }
    }
    blocks
}

fn fence(line: &str) -> Option<Fence<'_>> {
    let inner = line.trim_start_matches(' ');
    let mark = inner.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let rest = inner.trim_start_matches(mark);
    let length = inner.len() - rest.len();
    let info = rest.trim();
    (length >= 3 && !(mark == '`' && info.contains('`'))).then_some(Fence {
        mark,
        length,
        indent: line.len() - inner.len(),
        info,
    })
}

fn titled(info: &str) -> bool {
    info.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(2)
        .any(|word| word.eq_ignore_ascii_case("result"))
}

#[cfg(test)]
mod tests;
