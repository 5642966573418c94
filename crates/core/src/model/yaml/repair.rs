//! Reads unquoted values that YAML wants quoted, such as `goal: fix it: fast`.
//!
//! People and simpler parsers write them, and one of them must not hide the whole frontmatter. The
//! value is covered by a plain word of the same length, so that all spans hold, and its own text
//! is put back afterwards. Only a value that begins and ends on the line of its key is read so;
//! each one is reported.

use super::builder::{ParsedYaml, build};
use super::{Kind, Node, Style, YamlError, YamlErrorKind};
use crate::diagnostic::Span;

/// How many values are covered before the text is given up.
const MAX_REPAIRS: usize = 32;
/// Each repair parses again, so a large text gets none.
const MAX_REPAIRED_BYTES: usize = 64 << 10;

/// Tries to read a text that does not parse; `None` if it parses, or does not even so.
pub(super) fn repair(text: &str, base: usize, broken: &ParsedYaml) -> Option<ParsedYaml> {
    let mut error = syntax_error(broken)
        .filter(|_| text.len() <= MAX_REPAIRED_BYTES)?
        .clone();
    let mut covered = text.to_owned();
    let mut repairs: Vec<YamlError> = Vec::new();
    while repairs.len() < MAX_REPAIRS {
        let value = value_at(text, error.span.start.checked_sub(base)?)?;
        let span = value.start + base..value.end + base;
        if repairs.iter().any(|repair| repair.span == span) {
            return None;
        }
        covered.replace_range(value.clone(), &"x".repeat(value.len()));
        let message = if text[value.clone()].contains(": ") {
            "the value contains `: ` and has to be in quotes".to_owned()
        } else {
            format!("the value has to be in quotes: {}", error.message)
        };
        repairs.push(YamlError {
            kind: YamlErrorKind::NeedsQuotes,
            message,
            span,
        });
        let mut built = build(&covered, base);
        if let Some(next) = syntax_error(&built) {
            error = next.clone();
            continue;
        }
        let root = built.root.as_mut()?;
        let uncovered = repairs.iter().all(|repair| {
            let value = &text[repair.span.start - base..repair.span.end - base];
            uncover(root, &repair.span, value)
        });
        built.errors.extend(repairs);
        built.errors.sort_by_key(|error| error.span.start);
        return uncovered.then_some(built);
    }
    None
}

fn syntax_error(built: &ParsedYaml) -> Option<&YamlError> {
    built
        .errors
        .iter()
        .find(|error| error.kind == YamlErrorKind::Syntax)
}

/// Returns the unquoted value of the `key: value` line that holds `at`.
fn value_at(text: &str, at: usize) -> Option<Span> {
    let start = text.get(..at)?.rfind('\n').map_or(0, |newline| newline + 1);
    let line = text[start..].lines().next()?;
    let indent = line.len() - line.trim_start_matches([' ', '-']).len();
    let is_key = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let key = line[indent..]
        .find(|c| !is_key(c))
        .filter(|length| *length > 0)?;
    let rest = line[indent + key..]
        .strip_prefix(':')
        .filter(|rest| rest.starts_with(' '))?;
    let value = rest.trim_start();
    let from = line.len() - value.len();
    let value = value
        .find(" #")
        .map_or(value, |comment| &value[..comment])
        .trim_end();
    // These begin something that is not a plain value: a broken list is not a string.
    let plain = !value.starts_with(['"', '\'', '[', ']', '{', '}', '|', '>', '&', '*', '!', '#']);
    let printable = !value.contains(|c: char| c.is_control() && c != '\t');
    (plain && printable && !value.is_empty()).then(|| start + from..start + from + value.len())
}

/// Puts the text of a covered value back; false if no value stands exactly there.
fn uncover(node: &mut Node, span: &Span, value: &str) -> bool {
    let inside = node.span.start <= span.start && span.end <= node.span.end;
    match &mut node.kind {
        Kind::Scalar {
            text,
            style: Style::Plain,
        } if node.span == *span => {
            value.clone_into(text);
            true
        }
        Kind::Sequence(items) if inside => items.iter_mut().any(|item| uncover(item, span, value)),
        Kind::Mapping(entries) if inside => entries
            .iter_mut()
            .any(|entry| uncover(&mut entry.value, span, value)),
        _ => false,
    }
}
