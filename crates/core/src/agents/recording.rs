//! The format of a recorded session: plain YAML, written by hand or from an attempt.
//!
//! `script:PATH` names a YAML file, or a directory with one file a unit and attempt: `T01.1.yml`, else
//! `T01.yml` for every attempt that has none of its own; `FEAT-2026-0042-T01.1.yml` where short ids
//! would clash. One file may also hold several under `sessions:`, each with its `unit` and,
//! optionally, `attempt`.
//!
//! ```yaml
//! steps:
//!   - say: I add the endpoint.
//!   - write: src/export.rs
//!     content: |
//!       pub fn export() {}
//!   - replace: src/lib.rs
//!     from: "mod import;"
//!     to: "mod export;\nmod import;"
//! usage: {input_tokens: 1200, output_tokens: 80, cost_usd: 0.01}
//! result: {status: complete, summary: Added the endpoint.}
//! ```
//!
//! `write` takes `file` in place of `content`: a path beside the recording, for what is binary or
//! large. Other steps: `append` (with `content`), `delete`, `mkdir`, `chmod` (with `mode`), `symlink`
//! (with `target`), `frontmatter` (with `key`, `value`), `sleep` (milliseconds), `shell` (a command
//! line; for tests: it makes the recording as trustworthy as a program). Paths stay inside the slot
//! unless the step says `outside: true`, to rehearse a session that cheats. `error:` and `exit:`
//! rehearse failures.

mod render;

use super::{ApiError, ClockTime, Reset, Usage};
use crate::model::id::short_id;
use crate::model::yaml::{self, Entry, Kind, Node};
pub use render::render;

/// One recorded session: what it does, prints and costs, step by step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Recording {
    /// The unit it is for, by full or short id; any, if absent.
    pub unit: Option<String>,
    /// The attempt it is for; any, if absent.
    pub attempt: Option<u32>,
    /// The model it says it used.
    pub model: Option<String>,
    /// What it does, in order.
    pub steps: Vec<RecordedStep>,
    /// The tokens it says it used.
    pub usage: Usage,
    /// The cost it says it had.
    pub cost_usd: Option<f64>,
    /// The error it reports at its end.
    pub error: Option<ApiError>,
    /// The body of its result block.
    pub result: Option<String>,
    /// The status it exits with; 1 after an error, otherwise 0, if absent.
    pub exit: Option<i32>,
}

/// One thing a recorded session does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedStep {
    /// What the step does.
    pub action: RecordedAction,
    /// Whether the path may lead out of the slot.
    pub outside: bool,
}

/// What a step does. Paths are relative to the slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordedAction {
    /// Prints what the assistant says.
    Say(String),
    /// Writes a file, replacing what was there, making its directories.
    Write(String, String),
    /// Writes a file with what is in another one, a path relative to the recording.
    Copy(String, String),
    /// Adds to the end of a file, which need not exist.
    Append(String, String),
    /// Replaces the only place in a file where the first text stands with the second.
    Replace(String, String, String),
    /// Deletes a file or a directory with everything in it.
    Delete(String),
    /// Makes a directory and those above it.
    Mkdir(String),
    /// Sets the permission bits of a path, as `chmod` does.
    Chmod(String, u32),
    /// Makes a symbolic link at the path to the target.
    Symlink(String, String),
    /// Sets a key of a Markdown file's frontmatter.
    Frontmatter(String, String, String),
    /// Runs a command line with `sh`; its status must be 0.
    Shell(String),
    /// Waits for that many milliseconds.
    Sleep(u64),
}

impl RecordedAction {
    /// Returns the step's word and what it works on, for the live view.
    pub fn label(&self) -> (&'static str, &str) {
        match self {
            RecordedAction::Say(_) => ("say", ""),
            RecordedAction::Write(path, _) | RecordedAction::Copy(path, _) => ("write", path),
            RecordedAction::Append(path, _) => ("append", path),
            RecordedAction::Replace(path, ..) => ("replace", path),
            RecordedAction::Delete(path) => ("delete", path),
            RecordedAction::Mkdir(path) => ("mkdir", path),
            RecordedAction::Chmod(path, _) => ("chmod", path),
            RecordedAction::Symlink(path, _) => ("symlink", path),
            RecordedAction::Frontmatter(path, ..) => ("frontmatter", path),
            RecordedAction::Shell(line) => ("shell", line),
            RecordedAction::Sleep(_) => ("sleep", ""),
        }
    }
}

/// Returns the file names to look for in a directory, the best first.
pub fn file_names(unit: &str, attempt: u32) -> Vec<String> {
    let (full, short) = (unit.replace('/', "-"), short_id(unit));
    let mut names = Vec::new();
    for stem in [
        format!("{full}.{attempt}"),
        format!("{short}.{attempt}"),
        full,
        short.to_owned(),
    ] {
        for ending in ["yml", "yaml"] {
            let name = format!("{stem}.{ending}");
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

/// Returns the recording for a unit and attempt: the one for this attempt before the one for any.
pub fn pick<'r>(recordings: &'r [Recording], unit: &str, attempt: u32) -> Option<&'r Recording> {
    let fits = |recording: &&Recording| {
        recording
            .unit
            .as_deref()
            .is_none_or(|id| id == unit || id == short_id(unit))
            && recording.attempt.is_none_or(|number| number == attempt)
    };
    recordings
        .iter()
        .filter(fits)
        .min_by_key(|recording| (recording.attempt.is_none(), recording.unit.is_none()))
}

/// Returns the recordings in a file, or what is wrong with it.
pub fn parse(text: &str) -> Result<Vec<Recording>, String> {
    let (root, errors) = yaml::parse(text, 0);
    if let Some(error) = errors.first() {
        return Err(format!(
            "{}{}",
            line_of(text, error.span.start),
            error.message
        ));
    }
    let root = root.ok_or("the recording is empty")?;
    match root.get("sessions") {
        Some(sessions) if root.entries().len() == 1 => sessions
            .value
            .items()
            .iter()
            .map(|node| recording(text, node))
            .collect(),
        Some(_) => Err("`sessions` stands alone: other keys belong inside its items".into()),
        None => recording(text, &root).map(|one| vec![one]),
    }
}

fn line_of(text: &str, at: usize) -> String {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    format!(
        "line {}: ",
        before.iter().filter(|byte| **byte == b'\n').count() + 1
    )
}

fn recording(text: &str, node: &Node) -> Result<Recording, String> {
    let mut found = Recording::default();
    if node.entries().is_empty() {
        return Err(format!(
            "{}a recording is a mapping with `steps`",
            line_of(text, node.span.start)
        ));
    }
    for entry in node.entries() {
        let place = || line_of(text, entry.key_span.start);
        match entry.key.as_str() {
            "unit" => found.unit = Some(scalar(text, entry)?),
            "attempt" => found.attempt = Some(number(text, entry)?),
            "model" => found.model = Some(scalar(text, entry)?),
            "exit" => found.exit = Some(number(text, entry)?),
            "steps" => {
                found.steps = entry
                    .value
                    .items()
                    .iter()
                    .map(|node| step(text, node))
                    .collect::<Result<_, _>>()?;
            }
            "usage" => (found.usage, found.cost_usd) = usage(text, &entry.value)?,
            "error" => found.error = Some(error(text, &entry.value)?),
            "result" => found.result = Some(result_body(&entry.value)),
            other => return Err(format!("{}a recording has no key `{other}`", place())),
        }
    }
    Ok(found)
}

fn scalar(text: &str, entry: &Entry) -> Result<String, String> {
    let value = entry.value.as_str().map(str::to_owned);
    value.ok_or_else(|| {
        format!(
            "{}`{}` is a single value",
            line_of(text, entry.key_span.start),
            entry.key
        )
    })
}

fn number<T: std::str::FromStr>(text: &str, entry: &Entry) -> Result<T, String> {
    let value = scalar(text, entry)?.parse().ok();
    value.ok_or_else(|| {
        format!(
            "{}`{}` is a number",
            line_of(text, entry.key_span.start),
            entry.key
        )
    })
}

fn usage(text: &str, node: &Node) -> Result<(Usage, Option<f64>), String> {
    let (mut usage, mut cost) = (Usage::default(), None);
    for entry in node.entries() {
        match entry.key.as_str() {
            "input_tokens" => usage.input_tokens = Some(number(text, entry)?),
            "output_tokens" => usage.output_tokens = Some(number(text, entry)?),
            "cache_read" => usage.cache_read = Some(number(text, entry)?),
            "cache_write" => usage.cache_write = Some(number(text, entry)?),
            "cost_usd" => cost = Some(number(text, entry)?),
            other => {
                return Err(format!(
                    "{}`usage` has no key `{other}`",
                    line_of(text, entry.key_span.start)
                ));
            }
        }
    }
    Ok((usage, cost))
}

fn clock(text: &str, entry: &Entry) -> Result<ClockTime, String> {
    let shown: String = scalar(text, entry)?;
    let wrong = || {
        format!(
            "{}`{shown}` is no time of day",
            line_of(text, entry.key_span.start)
        )
    };
    ClockTime::parse(&shown).ok_or_else(wrong)
}

fn error(text: &str, node: &Node) -> Result<ApiError, String> {
    let mut error = ApiError::default();
    for entry in node.entries() {
        match entry.key.as_str() {
            "status" => error.status = Some(number(text, entry)?),
            "kind" => error.kind = Some(scalar(text, entry)?),
            "message" => error.message = scalar(text, entry)?,
            "reset_at" => error.reset = Some(Reset::At(number(text, entry)?)),
            "reset_clock" => error.reset = Some(Reset::Clock(clock(text, entry)?)),
            "reset_after" => error.reset = Some(Reset::After(number(text, entry)?)),
            other => {
                return Err(format!(
                    "{}`error` has no key `{other}`",
                    line_of(text, entry.key_span.start)
                ));
            }
        }
    }
    Ok(error)
}

/// Returns the block's body: a mapping as one line a key, a lone status word, or any text as it
/// stands, so that malformed blocks can be rehearsed too.
fn result_body(node: &Node) -> String {
    match &node.kind {
        Kind::Scalar { text, .. } if matches!(text.as_str(), "complete" | "blocked") => {
            format!("status: {text}")
        }
        Kind::Scalar { text, .. } => text.clone(),
        Kind::Sequence(_) => json(node).to_string(),
        Kind::Mapping(entries) => {
            let lines = entries
                .iter()
                .map(|entry| format!("{}: {}", entry.key, json(&entry.value)));
            lines.collect::<Vec<_>>().join("\n")
        }
    }
}

fn json(node: &Node) -> serde_json::Value {
    match &node.kind {
        _ if node.is_null() => serde_json::Value::Null,
        Kind::Scalar { text, .. } => text.as_str().into(),
        Kind::Sequence(nodes) => nodes.iter().map(json).collect(),
        Kind::Mapping(entries) => entries
            .iter()
            .map(|entry| (entry.key.clone(), json(&entry.value)))
            .collect(),
    }
}

fn mode(octal: &str) -> Option<u32> {
    let mode = u32::from_str_radix(octal, 8).ok();
    mode.filter(|mode| *mode <= 0o7777)
}

fn step(text: &str, node: &Node) -> Result<RecordedStep, String> {
    let place = line_of(text, node.span.start);
    let Some((first, rest)) = node.entries().split_first() else {
        return Err(format!("{place}a step is a mapping such as `write: PATH`"));
    };
    let main = scalar(text, first)?;
    let mut used = vec!["outside"];
    let mut also = |key: &'static str| {
        used.push(key);
        let entry = rest.iter().find(|entry| entry.key == key);
        scalar(
            text,
            entry.ok_or_else(|| format!("{place}`{}` needs `{key}`", first.key))?,
        )
    };
    let action = match first.key.as_str() {
        "say" => RecordedAction::Say(main),
        "write" if rest.iter().any(|entry| entry.key == "file") => {
            RecordedAction::Copy(main, also("file")?)
        }
        "write" => RecordedAction::Write(main, also("content")?),
        "append" => RecordedAction::Append(main, also("content")?),
        "replace" => RecordedAction::Replace(main, also("from")?, also("to")?),
        "delete" => RecordedAction::Delete(main),
        "mkdir" => RecordedAction::Mkdir(main),
        "chmod" => {
            let mode = mode(&also("mode")?);
            let mode = mode.ok_or_else(|| format!("{place}`mode` is octal, such as \"755\""))?;
            RecordedAction::Chmod(main, mode)
        }
        "symlink" => RecordedAction::Symlink(main, also("target")?),
        "frontmatter" => RecordedAction::Frontmatter(main, also("key")?, also("value")?),
        "shell" => RecordedAction::Shell(main),
        "sleep" => RecordedAction::Sleep(number(text, first)?),
        other => return Err(format!("{place}there is no step `{other}`")),
    };
    if let Some(extra) = rest
        .iter()
        .find(|entry| !used.contains(&entry.key.as_str()))
    {
        return Err(format!("{place}`{}` has no key `{}`", first.key, extra.key));
    }
    let outside = rest.iter().find(|entry| entry.key == "outside");
    let outside = outside.is_some_and(|entry| entry.value.as_str() == Some("true"));
    Ok(RecordedStep { action, outside })
}

#[cfg(test)]
mod tests;
