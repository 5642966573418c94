//! Types made wider: a function whose result or argument had a type of its own, and now may be anything, hides what is wrong
//! with it from a type checker.

use crate::engine::changed_file::ChangedFile;
use crate::path_names::extension;
use crate::pattern::TextPattern;
use std::collections::{BTreeMap, BTreeSet};

/// Extensions, what begins a function, and the type that fits everywhere.
type WideTypes = (&'static [&'static str], TextPattern, TextPattern);

static ROWS: [WideTypes; 2] = [
    (
        &["py", "pyi"],
        TextPattern::new(
            r"(?ms)\bdef\s+(\w+)\s*\((.*?)\)\s*(?:->\s*([^:]+?))?\s*:\s*(?:\n|#|\.\.\.)",
        ),
        TextPattern::new(r"(?ms)(?:->|:)\s*(?:typing\.)?Any\s*(?:[,)=:#\n]|$)"),
    ),
    (
        &["ts", "tsx", "mts", "cts"],
        TextPattern::new(
            r"(?ms)(?:\bfunction\s+|\bconst\s+|^\s*(?:(?:public|private|protected|static|async)\s+)*)(\w+)\s*(?:=\s*(?:async\s*)?)?\(([^;{}]*?)\)\s*(?::\s*([^{;=]+?))?\s*(?:=>|\{)",
        ),
        TextPattern::new(r"(?ms):\s*any\s*(?:[,)=;{]|$)"),
    ),
];

/// Returns whether a function that has types on the base now has one that fits everywhere more often.
pub(super) fn widened(pair: &ChangedFile<'_>) -> bool {
    let extension = extension(&pair.change.path);
    let Some((_, begins, wide)) = ROWS.iter().find(|(ends, ..)| ends.contains(&extension)) else {
        return false;
    };
    let read = |bytes: Option<&[u8]>| {
        let text = String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned();
        let mut found: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        let mut untyped = BTreeSet::new();
        for function in begins.captures_iter(&text) {
            let (name, head) = (function[1].to_owned(), &function[0]);
            if !function[2].contains(':') && function.get(3).is_none() {
                untyped.insert(name.clone());
            }
            let (times, wides) = found.entry(name).or_default();
            *times += 1;
            *wides += wide.find_iter(head).count();
        }
        found.retain(|name, _| !untyped.contains(name));
        found
    };
    let (old, new) = (read(pair.old), read(pair.new));
    old.iter().any(|(name, (times, wides))| {
        let now = new.get(name);
        now.is_some_and(|(now_times, now_wides)| now_times == times && now_wides > wides)
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::change;
    use super::*;

    #[test]
    fn a_type_that_now_fits_everywhere_is_told_from_one_that_always_did() {
        let (typed, wide) = (
            "def add(a: int, b: int) -> int:\n",
            "def add(a: int, b: int) -> Any:\n",
        );
        for (path, old, new, want) in [
            ("a.py", typed, wide, true),
            ("a.py", typed, "def add(a: Any, b: int) -> int:\n", true),
            (
                "a.py",
                typed,
                "def add(\n    a: typing.Any,\n    b: int,\n) -> int:\n",
                true,
            ),
            (
                "a.py",
                typed,
                "def add(a: dict[str, Any], b: int) -> int:\n",
                false,
            ),
            ("a.py", typed, typed, false),
            ("a.py", wide, wide, false),
            ("a.py", wide, typed, false),
            ("a.py", "", wide, false),
            ("a.py", "def add(a, b):\n", wide, false),
            (
                "a.ts",
                "function add(a: number): number {\n",
                "function add(a: number): any {\n",
                true,
            ),
            (
                "a.ts",
                "const add = (a: number): number => {\n",
                "const add = (a: any): number => {\n",
                true,
            ),
            (
                "a.ts",
                "  add(a: number): number {\n",
                "  add(a: number, ...more: any[]): number {\n",
                false,
            ),
            (
                "a.js",
                "function add(a) {\n",
                "function add(any) {\n",
                false,
            ),
        ] {
            let change = change(path, Some(old), Some(new));
            let pair = ChangedFile {
                change: &change,
                old: Some(old.as_bytes()),
                new: Some(new.as_bytes()),
            };
            assert_eq!(widened(&pair), want, "{path}: {old} {new}");
        }
    }
}
