//! `GW109`. See `yaml_trap.md`.

use crate::diagnostic::{Severity, Span};
use crate::lint::context::FileCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::edit::quote_scalar;
use crate::model::frontmatter::{Key, Shape};
use crate::model::yaml::{Kind, Node, Style, YamlErrorKind};

/// Keys that hold ids, each of which begins with letters.
const IDS: [&str; 3] = ["id", "feature_id", "covers"];

pub(super) fn check(file: &FileCx<'_>, out: &mut FindingSink) {
    for (_, message, span) in file
        .yaml
        .iter()
        .filter(|(kind, ..)| **kind == YamlErrorKind::NeedsQuotes)
    {
        let Some(value) = file.text.get(span.clone()) else {
            continue;
        };
        if let Some(item) = value.strip_prefix("- ") {
            let list = format!("[{}]", quote_scalar(item));
            out.at(
                &file.path,
                span.clone(),
                "an item of a list stands on a line of its own",
            )
            .severity(Severity::Error)
            .help("begin it on the line below the key, or write the list in brackets")
            .unsafe_fix(format!("write `{list}`"), vec![(span.clone(), list)]);
            continue;
        }
        out.at(
            &file.path,
            span.clone(),
            format!("other YAML readers refuse this file: {message}"),
        )
        .help("put it in quotes")
        .safe_fix("quote it", vec![(span.clone(), quote_scalar(value))]);
    }
    if let Some(front) = file.doc.and_then(|d| d.front.as_ref()) {
        TypedValues { file, out }.table(&front.root, file.keys);
    }
}

/// A file whose values are looked at one by one.
struct TypedValues<'a> {
    file: &'a FileCx<'a>,
    out: &'a mut FindingSink,
}

impl TypedValues<'_> {
    fn table(&mut self, node: &Node, keys: &[Key]) {
        for entry in node.entries() {
            if let Some(key) = keys.iter().find(|k| k.name == entry.key) {
                self.value(&entry.value, &key.shape, key.name);
            }
        }
    }

    fn value(&mut self, node: &Node, shape: &Shape, key: &str) {
        match (shape, &node.kind) {
            (
                Shape::Text | Shape::Agent,
                Kind::Scalar {
                    text,
                    style: Style::Plain,
                },
            ) => {
                self.plain_text((text, &node.span), key);
            }
            (
                Shape::Number | Shape::Integer,
                Kind::Scalar {
                    text,
                    style: Style::Plain,
                },
            ) => {
                self.plain_number((text, &node.span));
            }
            (Shape::List(inner) | Shape::OneOrMany(inner), Kind::Sequence(items)) => {
                items.iter().for_each(|item| self.value(item, inner, key));
            }
            (Shape::OneOrMany(inner), _) => self.value(node, inner, key),
            (Shape::Table(keys), Kind::Mapping(_)) => self.table(node, keys()),
            _ => {}
        }
    }

    fn plain_text(&mut self, (text, span): (&str, &Span), key: &str) {
        let file = self.file;
        if let Some(cut) = cut_off(file.text, span.end) {
            let whole = format!("{text}{}", &file.text[cut.clone()]);
            let message = format!("`{key}` ends before ` #`: what follows is a comment to YAML");
            self.out
                .at(&file.path, span.start..cut.end, message)
                .help("put the whole value in quotes, or a space behind the `#` of a comment")
                .unsafe_fix(
                    "quote all of it",
                    vec![(span.start..cut.end, quote_scalar(&whole))],
                );
            return;
        }
        // An id that reads as something else is none anyhow, and in quotes it still is none.
        if IDS.contains(&key) {
            return;
        }
        let Some(what) = trap(text) else { return };
        let message = format!("`{text}` is {what} for other YAML readers, and `{key}` is text");
        self.out
            .at(&file.path, span.clone(), message)
            .help("put it in quotes")
            .safe_fix("quote it", vec![(span.clone(), format!("\"{text}\""))]);
    }

    fn plain_number(&mut self, (text, span): (&str, &Span)) {
        let Some((what, plain)) = number_trap(text) else {
            return;
        };
        let message = format!("`{text}` is {what} for other YAML readers");
        let found = self
            .out
            .at(&self.file.path, span.clone(), message)
            .help("write the digits out");
        if let Some(plain) = plain {
            found.unsafe_fix(format!("write `{plain}`"), vec![(span.clone(), plain)]);
        }
    }
}

/// Returns the rest of a line that was meant to belong to the value before it: ` #12`, ` #later`.
fn cut_off(text: &str, end: usize) -> Option<std::ops::Range<usize>> {
    let rest = text.get(end..)?.lines().next()?;
    let behind = rest.trim_start_matches(' ').strip_prefix('#')?;
    let is_comment = rest.starts_with("  ") || !behind.starts_with(|c: char| c.is_alphanumeric());
    (rest.starts_with(' ') && !is_comment).then(|| end..end + rest.trim_end().len())
}

/// What else a number may be read as, and how to write what it is here.
fn number_trap(text: &str) -> Option<(&'static str, Option<String>)> {
    let bare = text.strip_prefix(['-', '+']).unwrap_or(text);
    let digits = bare.bytes().all(|b| b.is_ascii_digit());
    if digits && bare.len() > 1 && bare.starts_with('0') {
        return Some(("octal", None));
    }
    let has_exponent = bare.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && bare.contains(['e', 'E'])
        && !bare.starts_with("0x");
    let value = text
        .parse::<f64>()
        .ok()
        .filter(|v| has_exponent && v.abs() < 1e15)?;
    Some(("text", Some(value.to_string())))
}

/// What YAML 1.1 readers, or YAML readers that guess types, make of a plain scalar.
fn trap(text: &str) -> Option<&'static str> {
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit() || b == b'_');
    let lower = text.to_ascii_lowercase();
    if matches!(
        lower.as_str(),
        "yes" | "no" | "on" | "off" | "y" | "n" | "true" | "false"
    ) {
        return Some("a boolean");
    }
    let parts: Vec<&str> = text.split('-').collect();
    if let [y, m, d] = parts[..]
        && y.len() == 4
        && [y, m, d].iter().all(|p| digits(p))
    {
        return Some("a date");
    }
    if text.contains(':') && text.split(':').all(|p| digits(p) && p.len() <= 2) {
        return Some("a number of base sixty");
    }
    let number = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_number = number.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && (number.parse::<f64>().is_ok() || ["0x", "0o"].iter().any(|p| number.starts_with(p)));
    is_number.then_some("a number")
}

#[cfg(test)]
mod tests {
    use super::{number_trap, trap};

    #[test]
    fn numbers_that_other_readers_take_for_something_else_are_reported() {
        for (text, plain) in [
            ("1e3", Some(Some("1000"))),
            ("2.5E-1", Some(Some("0.25"))),
            ("010", Some(None)),
            ("10", None),
            ("0", None),
            ("0.5", None),
            ("1.10", None),
        ] {
            let want = plain.map(|p| p.map(str::to_owned));
            assert_eq!(number_trap(text).map(|(_, p)| p), want, "{text}");
        }
    }

    #[test]
    fn scalars_that_other_readers_take_for_something_else_are_distinguished_from_text() {
        for (text, is_trap) in [
            ("no", true),
            ("On", true),
            ("1e3", true),
            ("2026-01-02", true),
            ("1.10", true),
            ("0x1f", true),
            ("010", true),
            ("12:30", true),
            ("node", false),
            ("v1.10", false),
            ("1.2.3", false),
            ("T01", false),
            ("a: b", false),
            ("infinite", false),
            ("FEAT-2026-0001", false),
        ] {
            assert_eq!(trap(text).is_some(), is_trap, "{text}");
        }
    }
}
