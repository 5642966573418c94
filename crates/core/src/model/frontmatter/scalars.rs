//! Reading single values: text, numbers, `true` and `false`, durations.
//!
//! A number or a word counts only without quotes: `"3"` is text, for other readers too.

use super::{FromYaml, Note, NoteKind, Shape, shorten, wrong_type};
use crate::model::yaml::{Kind, Node, Style};
use std::str::FromStr;
use std::time::Duration;

/// Returns the text of an unquoted scalar.
fn plain(node: &Node) -> Option<&str> {
    match &node.kind {
        Kind::Scalar {
            text,
            style: Style::Plain,
        } if !node.is_null() => Some(text),
        _ => None,
    }
}

fn whole_number<T: FromStr>(node: &Node, key: &str, notes: &mut Vec<Note>) -> Option<T> {
    let digits = plain(node).filter(|t| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit()));
    let Some(digits) = digits else {
        return wrong_type(node, key, "a whole number", notes);
    };
    digits.parse().ok().or_else(|| {
        notes.push(Note {
            kind: NoteKind::WrongType,
            key: key.to_owned(),
            message: format!("`{key}` is too large: `{}`", shorten(digits)),
            help: Some("write a smaller number".to_owned()),
            span: node.span.clone(),
        });
        None
    })
}

impl FromYaml for String {
    const SHAPE: Shape = Shape::Text;

    fn from_yaml(node: &Node, key: &str, notes: &mut Vec<Note>) -> Option<Self> {
        match node.as_str() {
            Some(text) if !node.is_null() => Some(text.to_owned()),
            _ => wrong_type(node, key, "text", notes),
        }
    }
}

impl FromYaml for u32 {
    const SHAPE: Shape = Shape::Integer;

    fn from_yaml(node: &Node, key: &str, notes: &mut Vec<Note>) -> Option<Self> {
        whole_number(node, key, notes)
    }
}

impl FromYaml for u64 {
    const SHAPE: Shape = Shape::Integer;

    fn from_yaml(node: &Node, key: &str, notes: &mut Vec<Note>) -> Option<Self> {
        whole_number(node, key, notes)
    }
}

impl FromYaml for f64 {
    const SHAPE: Shape = Shape::Number;

    fn from_yaml(node: &Node, key: &str, notes: &mut Vec<Note>) -> Option<Self> {
        plain(node)
            .filter(|t| {
                t.bytes()
                    .all(|b| b.is_ascii_digit() || b".eE+-".contains(&b))
            })
            .and_then(|t| t.parse::<f64>().ok())
            .filter(|n| n.is_finite() && *n >= 0.0)
            .or_else(|| wrong_type(node, key, "a number, zero or more", notes))
    }
}

impl FromYaml for bool {
    const SHAPE: Shape = Shape::Bool;

    fn from_yaml(node: &Node, key: &str, notes: &mut Vec<Note>) -> Option<Self> {
        match plain(node) {
            Some("true") => Some(true),
            Some("false") => Some(false),
            _ => wrong_type(node, key, "`true` or `false`", notes),
        }
    }
}

impl FromYaml for Duration {
    const SHAPE: Shape = Shape::Duration;

    fn from_yaml(node: &Node, key: &str, notes: &mut Vec<Note>) -> Option<Self> {
        node.as_str().and_then(parse_duration).or_else(|| {
            wrong_type(
                node,
                key,
                "a duration such as `90s`, `15m` or `1h30m`",
                notes,
            )
        })
    }
}

/// Reads `90s`, `15m`, `2h`, `1h30m`; whole numbers with a unit each, largest first.
pub fn parse_duration(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    let mut seconds = 0u64;
    let mut last_unit = u64::MAX;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit())?;
        let number: u64 = rest[..digits].parse().ok()?;
        let unit = match rest.as_bytes()[digits] {
            b's' => 1,
            b'm' => 60,
            b'h' => 3600,
            _ => return None,
        };
        if unit >= last_unit {
            return None;
        }
        last_unit = unit;
        seconds = seconds.checked_add(number.checked_mul(unit)?)?;
        rest = &rest[digits + 1..];
    }
    (seconds <= 366 * 24 * 3600).then_some(Duration::from_secs(seconds))
}

/// Writes a duration the way [`parse_duration`] reads it.
pub fn show_duration(duration: Duration) -> String {
    let s = duration.as_secs();
    match (s / 3600, s % 3600 / 60, s % 60) {
        (0, 0, s) => format!("{s}s"),
        (0, m, 0) => format!("{m}m"),
        (0, m, s) => format!("{m}m{s}s"),
        (h, 0, 0) => format!("{h}h"),
        (h, m, 0) => format!("{h}h{m}m"),
        (h, m, s) => format!("{h}h{m}m{s}s"),
    }
}

/// A value that is kept as it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Raw(pub Node);

impl FromYaml for Raw {
    const SHAPE: Shape = Shape::Any;

    fn from_yaml(node: &Node, _: &str, _: &mut Vec<Note>) -> Option<Self> {
        Some(Raw(node.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_back_as_written() {
        for (text, seconds) in [
            ("90s", Some(90)),
            ("15m", Some(900)),
            ("1h30m", Some(5400)),
            ("2h", Some(7200)),
            ("1h1m1s", Some(3661)),
            ("30m1h", None),
            ("15", None),
            ("", None),
            ("m", None),
            ("-5m", None),
            ("99999999999999999999h", None),
        ] {
            assert_eq!(parse_duration(text).map(|d| d.as_secs()), seconds, "{text}");
            if let Some(seconds) = seconds {
                let shown = show_duration(Duration::from_secs(seconds));
                assert_eq!(parse_duration(&shown), Some(Duration::from_secs(seconds)));
            }
        }
    }
}
