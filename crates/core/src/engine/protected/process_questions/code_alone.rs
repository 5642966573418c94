//! A text without what is written in it for readers: strings of many lines of Python, manuals of Perl and Ruby, remarks between
//! `/*` and `*/`. Where it is doubtful what a line is, it is code: whoever cheats would write his code where it is not looked at.

use super::deciding_places::LanguageFamily;
use crate::pattern::TextPattern;
use std::borrow::Cow;
use std::ops::Range;

/// Returns a text with its code alone, on the lines where it is.
pub(super) fn code_alone(family: LanguageFamily, text: &str) -> Cow<'_, str> {
    let read = match family {
        LanguageFamily::Python if text.contains("\"\"\"") || text.contains("'''") => {
            long_strings(text)
        }
        LanguageFamily::Words if text.starts_with('=') || text.contains("\n=") => manuals(text),
        LanguageFamily::Braces | LanguageFamily::Rust if text.contains("/*") => remarks(text),
        _ => return text.into(),
    };
    let mut code = String::with_capacity(text.len());
    let mut from = 0;
    for span in read {
        code.push_str(&text[from..span.start]);
        code.extend(text[span.clone()].matches('\n'));
        from = span.end;
    }
    code.push_str(&text[from..]);
    code.into()
}

/// Returns what is inside the long strings of a text of Python that nothing runs.
fn long_strings(text: &str) -> Vec<Range<usize>> {
    static RUNS: TextPattern = TextPattern::new(
        r"\b(?:exec|eval|compile|runpy|__import__|import_module|subprocess|Popen|system|write\w*)\b|\b__doc__\b",
    );
    static OPENS: TextPattern = TextPattern::new(r#"#|(?:\b[A-Za-z]{1,2})?(?:"""|'''|"|')"#);
    let mut found = Vec::new();
    let may_run = RUNS.is_match(text);
    let mut at = 0;
    while let Some(open) = OPENS.find_at(text, at) {
        let mark = open
            .as_str()
            .trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let prefix = &open.as_str()[..open.len() - mark.len()];
        let end = match mark {
            "#" => text[open.end()..].find('\n'),
            _ => string_end(&text[open.end()..], mark),
        };
        // What is not closed is not read as what it seems to be.
        let Some(end) = end.map(|end| open.end() + end) else {
            return found;
        };
        let is_computed = prefix.contains(['f', 'F', 't', 'T']);
        if is_computed && !has_plain_fields(&text[open.end()..end]) {
            return found;
        }
        if mark.len() == 3 && !may_run && !is_computed {
            found.push(open.end()..end);
        }
        at = if mark == "#" { end } else { end + mark.len() };
    }
    found
}

/// Returns whether what a computed string computes holds no string that could be what seems to close it (PEP 701).
fn has_plain_fields(string: &str) -> bool {
    static PLAIN: TextPattern =
        TextPattern::new(r#"\{\{|\}\}|\{(?:[^{}'"]|'[^'{}]*'|"[^"{}]*")*\}"#);
    !PLAIN.replace_all(string, "").contains(['{', '}'])
}

/// Returns where a string ends that is closed by a mark; one of a single line may end with it.
fn string_end(text: &str, mark: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' if mark.len() == 1 => return None,
            _ if text[at..].starts_with(mark) => return Some(at),
            _ => {}
        }
    }
    None
}

/// Returns the manuals in a text of Perl or Ruby: a document that a line begins holds none.
fn manuals(text: &str) -> Vec<Range<usize>> {
    static DOCUMENT: TextPattern = TextPattern::new(r#"<<[~-]?\s*["'`]?(\w+)"#);
    static BEGINS: TextPattern = TextPattern::new(r"^=[A-Za-z]\w*");
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut document: Option<&str> = None;
    // Where a manual began, and what ends it.
    let mut open: Option<(usize, &str)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        if let Some((start, last)) = open {
            if line.trim_end() == last || line.starts_with(&format!("{last} ")) {
                found.push(start..end);
                open = None;
            }
        } else if let Some(last) = document {
            document = (line.trim() != last).then_some(last);
        } else if BEGINS.is_match(line) {
            let is_block = line.starts_with("=begin") && !text.contains("\n=cut");
            open = Some((at, if is_block { "=end" } else { "=cut" }));
        } else if let Some(begun) = DOCUMENT.captures(line) {
            document = begun.get(1).map(|name| name.as_str());
        }
        at = end;
    }
    found
}

/// Returns the remarks that begin a line and have lines of their own.
fn remarks(text: &str) -> Vec<Range<usize>> {
    static REMARK: TextPattern = TextPattern::new(r"(?ms)^[ \t]*/\*.*?\*/");
    // What may be the middle of a text of many lines: one that ends in it, or goes on from the line before.
    let is_plain = |found: &regex::Match<'_>| {
        !found.as_str().contains(['"', '`']) && !text[..found.start()].ends_with("\\\n")
    };
    let spans = REMARK.find_iter(text).filter(is_plain);
    spans.map(|found| found.range()).collect()
}
