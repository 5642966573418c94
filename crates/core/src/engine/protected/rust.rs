//! Tests inside a Rust source file: modules behind `#[cfg(test)]`, each put back where it stands.
//!
//! Absent on purpose: parsing Rust. Only what hides a brace is known: comments, strings, characters.

use super::test_markers;
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

static MODULE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?m)^[ \t]*(?:#\[[^\n]*\][ \t]*)?(?:pub(?:\([^)\n]*\))?[ \t]+)?mod[ \t]+(\w+)\s*\{",
    )
    .expect("a constant pattern, compiled by the tests")
});
static TEST: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"#\[cfg\([^\n]*\btest\b").expect("a constant pattern, compiled by the tests")
});

/// A module with a body.
struct Module<'t> {
    name: &'t str,
    /// From its attributes to the brace that closes it.
    range: Range<usize>,
    is_test: bool,
}

/// Returns the attempt's file with the base's test modules in it, unless the attempt only added to them.
pub(super) fn put_back(path: &str, old: &str, new: &str) -> Option<String> {
    let mut text = new.to_owned();
    let tests: Vec<Module<'_>> = modules(old).into_iter().filter(|m| m.is_test).collect();
    for (index, module) in tests.iter().enumerate() {
        let nth = tests[..index]
            .iter()
            .filter(|m| m.name == module.name)
            .count();
        let before = &old[module.range.clone()];
        let mine = same_name(&text, module.name, nth);
        let after = mine.clone().map_or("", |range| &text[range]);
        if grew(before, after) && skips(path, after) <= skips(path, before) {
            continue;
        }
        match mine {
            Some(range) => text.replace_range(range, before),
            None => text = format!("{}\n\n{before}\n", text.trim_end_matches('\n')),
        }
    }
    (text != new).then_some(text)
}

/// Returns where the n-th module of a name is, test modules first: one that lost its attribute is found too.
fn same_name(text: &str, name: &str, nth: usize) -> Option<Range<usize>> {
    let named: Vec<Module<'_>> = modules(text)
        .into_iter()
        .filter(|m| m.name == name)
        .collect();
    let tests = named.iter().filter(|m| m.is_test);
    let others = named.iter().filter(|m| !m.is_test);
    tests.chain(others).nth(nth).map(|m| m.range.clone())
}

/// Returns the modules of a file that are not inside a test module.
fn modules(text: &str) -> Vec<Module<'_>> {
    let mut found: Vec<Module<'_>> = Vec::new();
    for module in MODULE.captures_iter(text) {
        let (Some(head), Some(name)) = (module.get(0), module.get(1)) else {
            continue;
        };
        let start = attributed(text, head.start());
        let inside = |m: &Module<'_>| m.is_test && m.range.contains(&start);
        if found.iter().any(inside) {
            continue;
        }
        found.push(Module {
            name: name.as_str(),
            range: start..closing(text, head.end()),
            is_test: TEST.is_match(&text[start..head.end()]),
        });
    }
    found
}

/// Returns where the attributes in front of an item begin.
fn attributed(text: &str, mut at: usize) -> usize {
    loop {
        let before = text[..at].trim_end_matches('\n');
        let line = before.rfind('\n').map_or(0, |n| n + 1);
        if at == 0 || !before[line..].trim_start().starts_with("#[") {
            return at;
        }
        at = line;
    }
}

/// Returns the place behind the brace that closes a block whose inside begins at `from`; the end if none does.
fn closing(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (from, 1);
    while at < bytes.len() {
        match bytes[at] {
            b'{' => depth += 1,
            b'}' if depth == 1 => return at + 1,
            b'}' => depth -= 1,
            _ => {
                at = hidden(text, at);
                continue;
            }
        }
        at += 1;
    }
    text.len()
}

/// Returns the place behind a comment, a string or a character that begins at `at`, else the next place.
fn hidden(text: &str, at: usize) -> usize {
    let (bytes, rest) = (text.as_bytes(), &text.as_bytes()[at..]);
    let until = |end: &str, from: usize| {
        let found = text.get(from..).and_then(|rest| rest.find(end));
        found.map_or(text.len(), |n| from + n + end.len())
    };
    if rest.starts_with(b"//") {
        return until("\n", at);
    }
    if rest.starts_with(b"/*") {
        return until("*/", at + 2);
    }
    let word = at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_');
    if rest[0] == b'r' && (!word || bytes[at - 1] == b'b') {
        let hashes = rest[1..].iter().take_while(|byte| **byte == b'#').count();
        if rest.get(1 + hashes) == Some(&b'"') {
            return until(&format!("\"{}", "#".repeat(hashes)), at + hashes + 2);
        }
    }
    match rest {
        [b'"', ..] => {
            let mut end = at + 1;
            while end < bytes.len() && bytes[end] != b'"' {
                end += 1 + usize::from(bytes[end] == b'\\');
            }
            (end + 1).min(bytes.len())
        }
        [b'\'', b'\\', _, ..] => until("'", at + 3),
        [b'\'', _, b'\'', ..] => at + 3,
        _ => at + 1,
    }
}

fn skips(path: &str, text: &str) -> usize {
    test_markers::count(path, Some(text.as_bytes())).1
}

/// Returns whether every line of `before` is still in `after`, in order.
fn grew(before: &str, after: &str) -> bool {
    let mut lines = after.lines().map(str::trim);
    before
        .lines()
        .map(str::trim)
        .filter(|l| !l.is_empty())
        .all(|line| lines.any(|l| l == line))
}
