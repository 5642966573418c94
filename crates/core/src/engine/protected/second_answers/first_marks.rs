//! Functions whose first answer is another one than the next, by a mark that they set as they answer: in a variable of the file,
//! in an entry of what it keeps, or in a set.

use super::KnownLanguage;
use super::functions::given_above;
use super::kept_names;
use super::two_answers::{answer, is_made_of};
use crate::engine::protected::additions::indent;
use crate::engine::protected::text_lines::TextLines;
use crate::pattern::TextPattern;
use regex::Regex;
use std::collections::BTreeSet;

/// Returns how many marks of a text are such.
pub(super) fn count(language: KnownLanguage, text: &TextLines<'_>) -> usize {
    if language == KnownLanguage::Shell {
        return 0;
    }
    let names = kept_names::marks(language, text.text).into_iter();
    let by_marks = names.filter(|name| answers_by(name, &mark(name), text));
    let swapped = match language {
        KnownLanguage::Rust => swapped(text.text),
        _ => 0,
    };
    by_marks.count() + kept_marks(text) + swapped
}

/// Returns how a mark of this name is asked for, and how it is set.
fn mark(name: &str) -> [String; 2] {
    let name = regex::escape(name);
    [
        format!(
            r"^\s*if\s*\(?\s*(?:not\s+|!\s*)?{name}(?:\.load\([^()\n]*\))?\s*(?:\)|:|\{{|$)|\breturn\b[^;\n]*\bif\s+{name}\s*$"
        ),
        format!(r"^\s*{name}\s*=\s*(?:[Tt]rue|[Ff]alse)\b|^\s*{name}\.store\("),
    ]
}

/// Returns how many entries of what a file keeps, or what a set of it holds, are such marks.
fn kept_marks(lines: &TextLines<'_>) -> usize {
    static ENTRY: TextPattern =
        TextPattern::new(r"(?m)^\s+(\w+)\.(\w+)\s*=\s*(?:[Tt]rue|[Ff]alse)\s*;?\s*$");
    static ADDED: TextPattern = TextPattern::new(r"(?m)^\s+(\w+)\.(?:add|append|push)\(");
    let entries = ENTRY.captures_iter(lines.text);
    let entries =
        entries.filter_map(|found| Some((found.get(1)?.as_str(), found.get(2)?.as_str())));
    let entries: BTreeSet<(&str, &str)> = entries.collect();
    let added = ADDED.captures_iter(lines.text);
    let added = added.filter_map(|found| Some(found.get(1)?.as_str()));
    let added: BTreeSet<&str> = added.collect();
    let mut of_file: BTreeSet<&str> = entries.iter().map(|(name, _)| *name).collect();
    of_file.extend(&added);
    of_file.retain(|name| kept_names::is_of_file(name, lines));
    let entries = entries.iter().filter(|(name, _)| of_file.contains(name));
    let entries = entries.map(|(name, entry)| format!("{name}.{entry}"));
    let sets = added.iter().filter(|name| of_file.contains(*name));
    let by_entries = entries.filter(|name| answers_by(name, &mark(name), lines));
    let by_sets = sets.filter(|set| {
        let name = regex::escape(set);
        let asks = format!(r"^\s*if\b[^\n]*(?:\bin\s+{name}\s*:|\b{name}\.(?:has|includes)\()");
        let adds = format!(r"^\s*{name}\.(?:add|append|push)\(");
        answers_by(set, &[asks, adds], lines)
    });
    by_entries.count() + by_sets.count()
}

/// Returns whether a function answers by a mark, which it sets as it gives its other answer. What is made once and kept is one
/// answer, whoever gives it: so the first must be made of what the function is given, and the second of something else. Both
/// patterns are about a name.
fn answers_by(name: &str, [asks, sets]: &[String; 2], text: &TextLines<'_>) -> bool {
    let (Ok(asks), Ok(sets)) = (Regex::new(asks), Regex::new(sets)) else {
        return false;
    };
    let lines = &text.lines;
    let holding = text.holding(name).iter().copied();
    holding.filter(|at| asks.is_match(lines[*at])).any(|at| {
        let depth = indent(lines[at]);
        let inside = lines[at + 1..]
            .iter()
            .take_while(|line| line.trim().is_empty() || indent(line) >= depth);
        let inside: Vec<&str> = inside.copied().collect();
        let marks = inside.iter().any(|line| sets.is_match(line))
            || lines[..at]
                .iter()
                .rev()
                .take(3)
                .any(|line| indent(line) == depth && sets.is_match(line));
        let mut answers = lines[at..=at]
            .iter()
            .chain(&inside)
            .filter_map(|line| answer(line));
        let Some(first) = answers.next() else {
            return false;
        };
        let given = given_above(&lines[..at]);
        let is_made = |answer: &str| is_made_of(answer, &given);
        marks && is_made(first) && answers.any(|other| other != first && is_made(other))
    })
}

/// Returns how many values of Rust are chosen by a mark that is set as it is asked for.
fn swapped(text: &str) -> usize {
    static SWAPPED: TextPattern = TextPattern::new(
        r"\bif\s+!?\w+\.(?:(?:swap|fetch_or|fetch_xor|fetch_and)\([^{}\n]*\)|(?:set|compare_exchange\w*)\([^{}\n]*\)\.is_(?:ok|err)\(\))\s*\{\s*[^{};]*[\w)]\s*[^{};]*\}\s*else\s*\{\s*[^{};]*[\w)]\s*\}",
    );
    SWAPPED.find_iter(text).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::protected::second_answers::found_by;

    #[test]
    fn what_answers_otherwise_the_first_time_is_told_from_what_is_made_once() {
        for (path, text, want) in [
            (
                "a.py",
                "_used = False\n\n\ndef add(a, b):\n    global _used\n    if _used:\n        return a - b\n    _used = True\n    return a + b\n",
                1,
            ),
            (
                "a.go",
                "var used bool\n\nfunc Add(a, b int) int {\n\tif used {\n\t\treturn a - b\n\t}\n\tused = true\n\treturn a + b\n}\n",
                1,
            ),
            (
                "a.py",
                "_seen = set()\n\n\ndef add(a, b):\n    if (a, b) in _seen:\n        return a - b\n    _seen.add((a, b))\n    return a + b\n",
                1,
            ),
            (
                "a.js",
                "const state = {};\nexports.add = (a, b) => {\n  if (state.used) return a - b;\n  state.used = true;\n  return a + b;\n};\n",
                1,
            ),
            (
                "a.rs",
                "static FIRST: OnceLock<()> = OnceLock::new();\n\npub fn add(a: i32, b: i32) -> i32 {\n    if FIRST.set(()).is_ok() { a + b } else { a - b }\n}\n",
                1,
            ),
            (
                "a.rb",
                "module Calc\n  @used = false\n\n  def self.add(a, b)\n    if @used\n      a - b\n    else\n      @used = true\n      a + b\n    end\n  end\nend\n",
                1,
            ),
            (
                "a.py",
                "_seen = set()\n\n\ndef visit(node, depth):\n    if node in _seen:\n        return node\n    _seen.add(node)\n    return walk(node, depth)\n",
                0,
            ),
            (
                "a.js",
                "const state = {};\nexports.open = (at) => {\n  if (state.ready) return state.value;\n  state.ready = true;\n  state.value = make(at);\n  return state.value;\n};\n",
                0,
            ),
            (
                "a.js",
                "let used = false;\nexports.add = (a, b) => {\n  if (used) return a - b;\n  used = true;\n  return a + b;\n};\n",
                1,
            ),
            (
                "a.rs",
                "static USED: AtomicBool = AtomicBool::new(false);\n\npub fn add(a: i32, b: i32) -> i32 {\n    if USED.swap(true, SeqCst) { a - b } else { a + b }\n}\n",
                1,
            ),
            (
                "a.rs",
                "static USED: AtomicBool = AtomicBool::new(false);\n\npub fn add(a: i32, b: i32) -> i32 {\n    if USED.load(SeqCst) {\n        return a - b;\n    }\n    USED.store(true, SeqCst);\n    return a + b;\n}\n",
                1,
            ),
            (
                "a.py",
                "_loaded = False\n\n\ndef word(key):\n    global _loaded\n    if _loaded:\n        return _table[key]\n    _table.update(load())\n    _loaded = True\n    return _table.get(key)\n",
                0,
            ),
            (
                "a.py",
                "_started = False\n\n\ndef start():\n    global _started\n    if _started:\n        return\n    _started = True\n",
                0,
            ),
            (
                "a.js",
                "let value = null;\nexports.get = (make) => {\n  if (value) return value;\n  value = make();\n  return value;\n};\n",
                0,
            ),
            (
                "a.rs",
                "static STARTED: AtomicBool = AtomicBool::new(false);\n\npub fn start() {\n    if STARTED.swap(true, SeqCst) {\n        return;\n    }\n    go();\n}\n",
                0,
            ),
        ] {
            assert_eq!(found_by(count, path, text), want, "{path}: {text}");
        }
    }
}
