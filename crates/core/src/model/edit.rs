//! Byte-exact edits of one top-level key in a file's frontmatter.
//!
//! Only the value's own bytes change; comments, order, quoting, line endings, byte order mark and
//! the body stay as they were. Every edit is read back before it is returned: the tree must be
//! the old one but for that key, otherwise the edit is refused. A file whose frontmatter has a
//! YAML error is not edited, unless it is a missing pair of quotes. Deliberately absent: nested keys, files other than Markdown,
//! and writing to disk.

mod quote;

pub(crate) use quote::quote_scalar;

use crate::diagnostic::Span;
use crate::model::document::{Front, Problem, ProblemKind, line_end, line_start, read_front};
use crate::model::yaml::{self, Entry, Kind, Node, Style, YamlErrorKind, after_colon};
use quote::{double_quoted, single_ok};
use std::fmt;

/// New texts of files, by path relative to the repository root.
pub type FileEdits = Vec<(String, String)>;

/// Why an edit was refused; the file is as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditError {
    /// Why, for a program.
    pub(crate) kind: EditErrorKind,
    /// Why, for a user: a lowercase fragment.
    pub(crate) message: String,
    /// Bytes in the file.
    pub(crate) span: Span,
}

/// The reasons to refuse an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EditErrorKind {
    /// The file has no frontmatter, or its end is missing.
    NoFrontmatter,
    /// The frontmatter is not YAML that can be read safely.
    NotParsable,
    /// A key is there twice: which one counts is for a user to say.
    DuplicateKey,
    /// The value is a list or a mapping, and a scalar was to be set.
    NotScalar,
    /// The new value is not one YAML value on one line.
    BadValue,
    /// The edited file would not read back as intended.
    Refused,
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for EditError {}

/// What is to happen to a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyEdit<'a> {
    /// See [`set_scalar`].
    Scalar(&'a str),
    /// See [`set_raw`].
    Raw(&'a str),
    /// Takes the key and its value away.
    Remove,
}

/// Sets a key to a string, keeping the kind of quotes it has and adding some if it needs them.
///
/// A key that is absent becomes the last line of the frontmatter. A value that reads as this
/// string already stays as it is written.
///
/// Fails where the frontmatter cannot be read, the value is a collection, or the result would not read back as meant.
pub fn set_scalar(text: &str, key: &str, value: &str) -> Result<String, EditError> {
    let front = editable(text)?;
    let kind = Kind::Scalar {
        text: value.to_owned(),
        style: Style::DoubleQuoted,
    };
    let Some(entry) = front.root.get(key) else {
        return insert(text, &front, key, (&quote_scalar(value), &kind));
    };
    let Kind::Scalar { text: old, style } = &entry.value.kind else {
        let message = format!("`{key}` is a list or a mapping, not a single value");
        return Err(fail(
            EditErrorKind::NotScalar,
            message,
            entry.value.span.clone(),
        ));
    };
    if old == value && !entry.value.is_null() {
        return Ok(text.to_owned());
    }
    let written = match style {
        Style::SingleQuoted if single_ok(value) => format!("'{}'", value.replace('\'', "''")),
        Style::SingleQuoted | Style::DoubleQuoted => double_quoted(value),
        _ => quote_scalar(value),
    };
    let new = splice(text, &replacement(text, entry, &written));
    verified((text, &front), new, (key, Some(&kind)))
}

/// Sets a key to a value given as YAML on one line, such as `0.48`, `true` or `[a, b]`.
///
/// The whole value is replaced, whatever it was: a scalar, a flow or a block collection.
///
/// Fails where the frontmatter cannot be read, the value is not one line of YAML, or the result would not read back as
/// meant.
pub fn set_raw(text: &str, key: &str, raw_yaml: &str) -> Result<String, EditError> {
    let front = editable(text)?;
    let raw = raw_yaml.trim();
    let bad = |why: &str| {
        let message = format!(
            "`{}` is not one YAML value on one line{why}",
            raw.escape_debug()
        );
        let span = front
            .root
            .get(key)
            .map_or(front.span.clone(), |entry| entry.value.span.clone());
        fail(EditErrorKind::BadValue, message, span)
    };
    let (node, errors) = yaml::parse(raw, 0);
    if let Some(error) = errors.first() {
        return Err(bad(&format!(": {}", error.message)));
    }
    let Some(node) = node.filter(|_| !raw.contains(['\n', '\r'])) else {
        return Err(bad(""));
    };
    let Some(entry) = front.root.get(key) else {
        return insert(text, &front, key, (raw, &node.kind));
    };
    if entry.value.same(&node) {
        return Ok(text.to_owned());
    }
    let new = splice(text, &replacement(text, entry, raw));
    verified((text, &front), new, (key, Some(&node.kind)))
}

/// Removes a key, its value and the rest of its lines; without the key, changes nothing.
pub(crate) fn remove_key(text: &str, key: &str) -> Result<String, EditError> {
    let front = editable(text)?;
    let entries = front.root.entries();
    let Some(at) = entries.iter().position(|entry| entry.key == key) else {
        return Ok(text.to_owned());
    };
    let entry = &entries[at];
    let end = entry.value.span.end.max(entry.key_span.end);
    let span = if !is_flow(text, &front.root) {
        line_start(text, entry.key_span.start)..line_end(text, end)
    } else if let Some(next) = entries.get(at + 1) {
        entry.key_span.start..next.key_span.start
    } else if let Some(before) = at.checked_sub(1).map(|before| &entries[before]) {
        before.value.span.end.max(before.key_span.end)..end
    } else {
        entry.key_span.start..end
    };
    let new = splice(text, &[(span, String::new())]);
    verified((text, &front), new, (key, None))
}

/// Makes several changes, in that order; all or none.
pub(crate) fn edits(text: &str, changes: &[(&str, KeyEdit<'_>)]) -> Result<String, EditError> {
    changes
        .iter()
        .try_fold(text.to_owned(), |text, (key, change)| match change {
            KeyEdit::Scalar(value) => set_scalar(&text, key, value),
            KeyEdit::Raw(raw) => set_raw(&text, key, raw),
            KeyEdit::Remove => remove_key(&text, key),
        })
}

fn fail(kind: EditErrorKind, message: String, span: Span) -> EditError {
    EditError {
        kind,
        message,
        span,
    }
}

/// Returns the frontmatter of a file that can be edited.
fn editable(text: &str) -> Result<Front, EditError> {
    let (front, _, problems) = read_front(text);
    let refuse = |problem: Problem| {
        let kind = match problem.kind {
            ProblemKind::NoFrontmatter | ProblemKind::Unterminated => EditErrorKind::NoFrontmatter,
            ProblemKind::Yaml(YamlErrorKind::DuplicateKey { .. }) => EditErrorKind::DuplicateKey,
            _ => EditErrorKind::NotParsable,
        };
        fail(kind, problem.message, problem.span)
    };
    // A value that needs quotes is read as meant, so the others can be edited around it.
    let harmless = ProblemKind::Yaml(YamlErrorKind::NeedsQuotes);
    match (
        front,
        problems
            .into_iter()
            .find(|problem| problem.kind != harmless),
    ) {
        (_, Some(problem)) => Err(refuse(problem)),
        (Some(front), None) => Ok(front),
        (None, None) => Err(fail(
            EditErrorKind::NoFrontmatter,
            "no frontmatter".to_owned(),
            0..0,
        )),
    }
}

/// The bytes to replace so that an entry has a new value, in the order of the file.
fn replacement(text: &str, entry: &Entry, new: &str) -> Vec<(Span, String)> {
    let span = &entry.value.span;
    if span.is_empty() {
        // Behind the colon; a flow mapping may have a key without one.
        let separator = if span.start == entry.key_span.end {
            ": "
        } else {
            " "
        };
        return vec![(span.clone(), format!("{separator}{new}"))];
    }
    match &entry.value.kind {
        Kind::Scalar {
            style: Style::Literal | Style::Folded,
            ..
        } => {
            // A comment behind the header stays.
            let header = text[span.start..].find([' ', '\t', '\r', '\n', '#']);
            let header = header
                .map_or(span.end, |length| span.start + length)
                .min(span.end);
            let rest = end_of_content(text, header).min(span.end);
            vec![
                (span.start..header, new.to_owned()),
                (rest..span.end, String::new()),
            ]
        }
        Kind::Sequence(_) | Kind::Mapping(_) if !is_flow(text, &entry.value) => {
            let colon = after_colon(text, entry.key_span.end);
            let line = line_start(text, span.start);
            if line <= colon {
                return vec![(span.clone(), new.to_owned())];
            }
            let before = text[..line].strip_suffix('\n').unwrap_or(&text[..line]);
            let before = before.strip_suffix('\r').unwrap_or(before).len();
            vec![
                (colon..colon, format!(" {new}")),
                (before..span.end, String::new()),
            ]
        }
        _ => vec![(span.clone(), new.to_owned())],
    }
}

/// Adds a key as the last one, with a value as it is written and as it must read.
fn insert(
    text: &str,
    front: &Front,
    key: &str,
    (value, kind): (&str, &Kind),
) -> Result<String, EditError> {
    let line = format!("{}: {value}", quote_scalar(key));
    let edit = if is_flow(text, &front.root) {
        let last = front.root.entries().last();
        let end = last.map(|last| last.value.span.end.max(last.key_span.end));
        let rest = end.map_or("", |end| &text[end..]);
        let spaces = rest.len() - rest.trim_start().len();
        match end {
            None => (front.root.span.start + 1, line),
            Some(end) if rest[spaces..].starts_with(',') => (end + spaces + 1, format!(" {line}")),
            Some(end) => (end, format!(", {line}")),
        }
    } else {
        let eol = if text[..front.span.end].ends_with("\r\n") {
            "\r\n"
        } else {
            "\n"
        };
        let root = front.root.span.start;
        let indent = &text[line_start(text, root)..root];
        let indent = if indent.trim_matches([' ']).is_empty() {
            indent
        } else {
            ""
        };
        (front.span.end, format!("{indent}{line}{eol}"))
    };
    let new = splice(text, &[(edit.0..edit.0, edit.1)]);
    verified((text, front), new, (key, Some(kind)))
}

/// Returns the edited file if it reads as the old one but for that key, whose value is what it must be; `None` for a
/// removed key.
fn verified(
    (text, old): (&str, &Front),
    new: String,
    (key, kind): (&str, Option<&Kind>),
) -> Result<String, EditError> {
    let refused = |why: &str, span: &Span| {
        let message = format!("cannot edit `{}` safely: {why}", key.escape_debug());
        Err(fail(EditErrorKind::Refused, message, span.clone()))
    };
    let place = old
        .root
        .get(key)
        .map_or(&old.span, |entry| &entry.value.span);
    let front = match editable(&new) {
        Ok(front) => front,
        Err(error) => return refused(&format!("afterwards, {}", error.message), place),
    };
    if new.get(front.fence_end..) != text.get(old.fence_end..) {
        return refused("the body would change", place);
    }
    let others = |root: &Node| -> Vec<Entry> {
        root.entries()
            .iter()
            .filter(|entry| entry.key != key)
            .cloned()
            .collect()
    };
    let (before, after) = (others(&old.root), others(&front.root));
    let same = before.len() == after.len() && before.iter().zip(&after).all(|(a, b)| a.same(b));
    if !same {
        return refused("other keys would change", place);
    }
    match (kind, front.root.get(key).map(|entry| &entry.value)) {
        (None, None) => Ok(new),
        (Some(kind), Some(found)) if reads_as(found, kind) => Ok(new),
        _ => refused("the value would not read back", place),
    }
}

/// Whether a value is the intended one; of a quoted string only the text matters, and that it is
/// not taken for null.
fn reads_as(found: &Node, wanted: &Kind) -> bool {
    match (&found.kind, wanted) {
        (
            Kind::Scalar { text, .. },
            Kind::Scalar {
                text: wanted,
                style: Style::DoubleQuoted,
            },
        ) => text == wanted && !found.is_null(),
        _ => found.same(&Node {
            span: 0..0,
            kind: wanted.clone(),
        }),
    }
}

/// Applies replacements given in the order of the file, not overlapping.
fn splice(text: &str, edits: &[(Span, String)]) -> String {
    let mut new = String::with_capacity(text.len() + 64);
    let mut at = 0;
    for (span, replacement) in edits {
        new.push_str(&text[at..span.start]);
        new.push_str(replacement);
        at = span.end;
    }
    new.push_str(&text[at..]);
    new
}

fn is_flow(text: &str, node: &Node) -> bool {
    !node.span.is_empty() && text[node.span.start..].starts_with(['[', '{'])
}

/// Returns where the line that holds `at` ends, its newline excluded.
fn end_of_content(text: &str, at: usize) -> usize {
    at + text[at..line_end(text, at)]
        .trim_end_matches(['\r', '\n'])
        .len()
}

#[cfg(test)]
mod tests;
