//! Tests inside a Rust source file: modules behind `#[cfg(test)]`, each put back where it stands.
//!
//! Absent on purpose: parsing Rust. Only what hides a brace is known: comments, strings, characters.

use super::judging_part::JudgingPart;
use super::{additions, test_markers};
use crate::engine::changed_file::ChangedFile;
use crate::path_names::parent;
use crate::pattern::TextPattern;
use std::ops::Range;

static MODULE: TextPattern = TextPattern::new(
    r"(?m)^[ \t]*(?:#\[[^\n]*\][ \t]*)?(?:pub(?:\([^)\n]*\))?[ \t]+)?mod[ \t]+(\w+)\s*\{",
);
static TEST: TextPattern = TextPattern::new(r"#\[cfg\([^\n]*\btest\b");

static DECLARATION: TextPattern = TextPattern::new(
    r"(?m)^[ \t]*(?:#\[[^\n]*\][ \t]*)?(?:pub(?:\([^)\n]*\))?[ \t]+)?mod[ \t]+\w+;",
);
static FUNCTION: TextPattern = TextPattern::new(
    r"#\[(?:\w+::)*test\b[^\n]*\](?:\s*#\[[^\n]*\])*\s*(?:pub\s+)?(?:async\s+)?fn\s+(\$?\w+)[^{;]*\{",
);
static PATH_ATTRIBUTE: TextPattern = TextPattern::new(r#"#\[path\s*=\s*"([^"]+)"\]"#);

static GIVEN_AWAY: TextPattern =
    TextPattern::new(r"\b\w+!\s*\w*\s*\{|#\[cfg\(any\(\)\)\]\s*(?:pub\s+)?mod\s+\w+\s*\{");

/// A module with a body.
struct Module<'t> {
    name: &'t str,
    /// From its attributes to the brace that closes it.
    range: Range<usize>,
    is_test: bool,
}

/// Returns what a change of a source file does to the tests in it.
pub(super) fn judging_part(
    path: &str,
    (old, new): (&str, &str),
    pairs: &[ChangedFile<'_>],
) -> JudgingPart {
    let counts = |text: &str| test_markers::count(path, Some(text.as_bytes()));
    let before = counts(old);
    if new.is_empty() {
        return JudgingPart::from(!named_tests(old).all(|name| is_elsewhere(name, pairs)));
    }
    let (text, moved) = put_back(path, old, new, pairs);
    let judged = text.as_deref().unwrap_or(new);
    let after = counts(judged);
    let declared = |text: &str| -> Vec<String> { test_declarations(text).collect() };
    let there = declared(judged);
    let lost = declared(old).iter().any(|module| !there.contains(module));
    let fewer = after.0 + moved < before.0 || after.1 > before.1;
    if fewer || lost || changed_tests(old, judged, moved) || muted_examples(old, judged) {
        return JudgingPart::Changed;
    }
    text.map_or(JudgingPart::Same, JudgingPart::Back)
}

/// Returns the names of the tests of a file.
fn named_tests(text: &str) -> impl Iterator<Item = &str> {
    FUNCTION
        .captures_iter(text)
        .filter_map(|c| Some(c.get(1)?.as_str()))
}

fn is_elsewhere(test: &str, pairs: &[ChangedFile<'_>]) -> bool {
    let mut others = pairs.iter().filter(|p| p.change.path.ends_with(".rs"));
    others.any(|p| {
        let text = p.new.map(String::from_utf8_lossy);
        text.is_some_and(|text| named_tests(&text).any(|name| name == test))
    })
}

/// Returns the attempt's file with the base's test modules in it, unless the attempt only added to them; and how many
/// tests moved to a file of their own.
fn put_back(
    path: &str,
    old: &str,
    new: &str,
    pairs: &[ChangedFile<'_>],
) -> (Option<String>, usize) {
    let mut text = new.to_owned();
    let mut moved = 0;
    let tests: Vec<Module<'_>> = modules(old).into_iter().filter(|m| m.is_test).collect();
    for (index, module) in tests.iter().enumerate() {
        let nth = tests[..index]
            .iter()
            .filter(|m| m.name == module.name)
            .count();
        let before = &old[module.range.clone()];
        let mine = same_name(&text, module.name, nth);
        let after = mine.clone().map_or("", |range| &text[range]);
        if after == before || TEST.is_match(after) && additions::adds(path, before, after) {
            continue;
        }
        let gone = mine.is_none();
        if gone && (has_moved(path, before, module.name, (new, pairs)) || is_there(before, pairs)) {
            moved += test_markers::count(path, Some(before.as_bytes())).0;
            continue;
        }
        match mine {
            Some(range) => text.replace_range(range, before),
            None => text = format!("{}\n\n{before}\n", text.trim_end_matches('\n')),
        }
    }
    ((text != new).then_some(text), moved)
}

/// Returns whether a test module went with its product: another file has it now, as it was.
fn is_there(before: &str, pairs: &[ChangedFile<'_>]) -> bool {
    let has = |bytes: Option<&[u8]>| {
        let text = bytes.map(String::from_utf8_lossy).unwrap_or_default();
        let mut tests = modules(&text).into_iter().filter(|m| m.is_test);
        tests.any(|m| plain(&text[m.range]) == plain(before))
    };
    let mut others = pairs.iter().filter(|p| p.change.path.ends_with(".rs"));
    others.any(|p| has(p.new) && !has(p.old))
}

/// Returns whether a test module is now a file of its own, with every line it had.
fn has_moved(path: &str, before: &str, name: &str, now: (&str, &[ChangedFile<'_>])) -> bool {
    let (new, pairs) = now;
    let Some(declaration) = test_declarations(new).find(|d| d.ends_with(&format!("mod {name};")))
    else {
        return false;
    };
    let directory = parent(path);
    let file = PATH_ATTRIBUTE.captures(&declaration);
    let file = file
        .and_then(|c| c.get(1))
        .map(|m| format!("/{}", m.as_str()));
    let ends = match file {
        Some(file) => vec![file],
        None => vec![format!("/{name}.rs"), format!("/{name}/mod.rs")],
    };
    let body = before.split_once('{').map_or("", |(_, rest)| rest);
    let body = body.trim_end().strip_suffix('}').unwrap_or(body);
    pairs.iter().any(|p| {
        let at = &p.change.path;
        let here = at.starts_with(directory) && ends.iter().any(|end| at.ends_with(end.as_str()));
        let text = p.new.and_then(|new| std::str::from_utf8(new).ok());
        here && text.is_some_and(|text| grew(body, text) && skips(at, text) <= skips(at, body))
    })
}

/// Returns each `mod x;` behind `#[cfg(test)]`, with its attributes.
fn test_declarations(text: &str) -> impl Iterator<Item = String> {
    DECLARATION.captures_iter(text).filter_map(|c| {
        let head = c.get(0)?;
        let whole = &text[attributed(text, head.start())..head.end()];
        let words: Vec<&str> = whole.split_whitespace().collect();
        TEST.is_match(whole).then(|| words.join(" "))
    })
}

/// Returns whether a test outside of test modules is not what it was.
fn changed_tests(old: &str, new: &str, moved: usize) -> bool {
    let bodies = |text: &str| -> Vec<(String, String)> {
        let found = FUNCTION.captures_iter(text).filter_map(|c| {
            let (head, name) = (c.get(0)?, c.get(1)?);
            let body = &text[head.start()..closing(text, head.end())];
            Some((name.as_str().to_owned(), body.to_owned()))
        });
        found.collect()
    };
    if moved > 0 {
        return false;
    }
    let after = bodies(new);
    bodies(old).iter().any(|(name, before)| {
        let same = |(n, body): &(String, String)| n == name && plain(body) == plain(before);
        !after.iter().any(same)
    })
}

/// Returns a text's lines without what a formatter decides.
fn plain(text: &str) -> Vec<&str> {
    text.lines()
        .map(str::trim)
        .filter(|l| !l.is_empty())
        .collect()
}

/// Returns whether examples of the documentation that ran before do not now.
fn muted_examples(old: &str, new: &str) -> bool {
    let count = |text: &str| {
        let fences = text.lines().filter_map(|line| {
            let line = line.trim_start();
            let line = line
                .strip_prefix("///")
                .or_else(|| line.strip_prefix("//!"))?;
            line.trim_start().strip_prefix("```")
        });
        let words = ["ignore", "no_run", "text", "compile_fail", "plain"];
        let (muted, run): (Vec<&str>, Vec<&str>) =
            fences.partition(|info| words.iter().any(|word| info.contains(word)));
        (muted.len(), run.len())
    };
    let (before, after) = (count(old), count(new));
    after.0 > before.0 && after.1 < before.1 || cut_short(new) > cut_short(old)
}

/// Returns how many lines of examples keep what follows from being run: hidden ones that return, comments that open.
fn cut_short(text: &str) -> usize {
    let mut inside = false;
    let lines = text.lines().filter(|line| {
        let line = line.trim_start();
        let line = line
            .strip_prefix("///")
            .or_else(|| line.strip_prefix("//!"));
        let Some(line) = line.map(str::trim) else {
            inside = false;
            return false;
        };
        if line.starts_with("```") {
            inside = !inside;
            return false;
        }
        let hidden = line.strip_prefix("# ");
        let shown = hidden.unwrap_or(line).trim_start();
        let words = [
            "/*",
            "return;",
            "if false",
            "#[cfg(any",
            "#![cfg(any",
            "while false",
        ];
        let cuts = words.iter().any(|word| shown.starts_with(word))
            || hidden.is_some() && shown.starts_with("return")
            || shown.contains("process::exit(0)");
        inside && cuts
    });
    lines.count()
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
    let hidden = hidden_ranges(text);
    for module in MODULE.captures_iter(text) {
        let (Some(head), Some(name)) = (module.get(0), module.get(1)) else {
            continue;
        };
        if hidden.iter().any(|range| range.contains(&head.start())) {
            continue;
        }
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

/// Returns the bytes of the test modules of a source file.
pub(crate) fn test_ranges(text: &str) -> Vec<Range<usize>> {
    let tests = modules(text).into_iter().filter(|m| m.is_test);
    tests.map(|m| m.range).collect()
}

/// Returns the bytes that are no code of the file: comments, strings, and what is given to a macro or is never built.
fn hidden_ranges(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let next = hidden(text, at);
        if next > at + 1 {
            found.push(at..next);
        }
        at = next;
    }
    let blocks = GIVEN_AWAY.find_iter(text).map(|head| head.range());
    let blocks: Vec<Range<usize>> = blocks
        .filter(|head| !found.iter().any(|range| range.contains(&head.start)))
        .map(|head| head.end..closing(text, head.end))
        .collect();
    found.extend(blocks);
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
pub(super) fn closing(text: &str, from: usize) -> usize {
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
pub(super) fn grew(before: &str, after: &str) -> bool {
    let mut lines = after.lines().map(str::trim);
    before
        .lines()
        .map(str::trim)
        .filter(|l| !l.is_empty())
        .all(|line| lines.any(|l| l == line))
}
