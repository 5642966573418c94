//! The parts of ordinary files that judge: scripts in `package.json`, pytest's section of
//! `pyproject.toml`, the recipe of `make test`, tests inside a Rust source file. Everything else in
//! them is the product's, so only these parts are put back.

use super::{ChangedFile, ChangedPathKind, Restoration, rust};
use regex::Regex;
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Returns the attempt's file with the base's judging part in it, if that part changed. `words` are those of the
/// oracle's commands.
pub(super) fn put_back(
    path: &str,
    pair: &ChangedFile<'_>,
    words: &BTreeSet<String>,
) -> Option<Restoration> {
    if pair.change.kind != ChangedPathKind::Modified {
        return None;
    }
    let old = std::str::from_utf8(pair.old?).ok()?;
    let new = std::str::from_utf8(pair.new?).ok()?;
    let text = match path.rsplit('/').next().unwrap_or(path) {
        "package.json" | "composer.json" | "deno.json" => json(old, new),
        "pyproject.toml" | "setup.cfg" | "tox.ini" => sections(old, new),
        "Cargo.toml" => cargo(old, new),
        "Makefile" | "makefile" | "GNUmakefile" | "justfile" | "Justfile" => {
            if words
                .iter()
                .any(|w| matches!(&**w, "make" | "gmake" | "just"))
                && rewired(old, new)
            {
                return Some(Restoration::Base);
            }
            recipes(old, new, words)
        }
        name if name.ends_with(".rs") => rust::put_back(path, old, new),
        _ => None,
    };
    text.map(Restoration::Text)
}

/// Lines of manifests that take a dependency from a path or an address.
static REROUTES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"(?m)^\s*"[^"]+"\s*:\s*"(?:file|link|portal|git\+?\w*|https?|github):|^\s*replace\s+\S+.*=>|^\[patch\.|^\[replace\]|^[^#\n]*=\s*\{[^}\n]*\b(?:path|git|url)\s*=|^\[tool\.uv\.sources|@\s*(?:file:|git\+)"#,
    )
    .expect("a constant pattern, compiled by the tests")
});

/// Returns the manifests that have more of those than before.
pub(super) fn rerouted<'p>(pairs: &[ChangedFile<'p>]) -> Vec<&'p str> {
    let manifest = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        matches!(
            name,
            "package.json" | "Cargo.toml" | "go.mod" | "go.work" | "pyproject.toml"
        ) || name.starts_with("requirements") && name.ends_with(".txt")
    };
    let count = |bytes: Option<&[u8]>| {
        bytes.map_or(0, |b| {
            REROUTES.find_iter(&String::from_utf8_lossy(b)).count()
        })
    };
    pairs
        .iter()
        .filter(|p| p.change.kind == ChangedPathKind::Modified && manifest(&p.change.path))
        .filter(|p| count(p.new) > count(p.old))
        .map(|p| p.change.path.as_str())
        .collect()
}

/// Returns whether what all recipes of a Makefile share is not as it was: variables it had, its shell, its flags.
fn rewired(old: &str, new: &str) -> bool {
    let shared = |text: &str| -> Vec<String> {
        text.lines()
            .filter(|line| !line.starts_with([' ', '\t', '#']) && line.contains('='))
            .filter(|line| {
                !line
                    .split('=')
                    .next()
                    .unwrap_or_default()
                    .trim_end_matches([':', '?', '+'])
                    .contains(':')
            })
            .map(|line| line.split_whitespace().collect())
            .collect()
    };
    let steers = |text: &str| -> usize {
        let words = [
            "SHELL",
            ".SHELLFLAGS",
            "MAKEFLAGS",
            ".IGNORE",
            ".ONESHELL",
            ".SILENT",
            "PATH",
            "include",
            "-include",
            "set",
        ];
        text.lines()
            .map(|line| {
                line.trim_start_matches("export ")
                    .trim_start_matches("override ")
            })
            .filter(|line| {
                let first = line
                    .split(|c: char| c.is_whitespace() || ":=?+".contains(c))
                    .next();
                first.is_some_and(|first| words.contains(&first))
            })
            .count()
    };
    let now = shared(new);
    shared(old).iter().any(|line| !now.contains(line)) || steers(new) > steers(old)
}

/// Keys of a JSON manifest that say how tests run. Of `scripts`, only those the base has.
const JSON_KEYS: [&str; 8] = ["jest", "mocha", "ava", "tap", "vitest", "nyc", "c8", "type"];

fn json(old: &str, new: &str) -> Option<String> {
    let (old, mut new): (Value, Value) = (
        serde_json::from_str(old).ok()?,
        serde_json::from_str(new).ok()?,
    );
    let before = new.clone();
    let map = new.as_object_mut()?;
    for key in JSON_KEYS {
        match old.get(key) {
            Some(value) => map.insert(key.to_owned(), value.clone()),
            None if key == "type" => None,
            None => map.remove(key),
        };
    }
    for key in ["scripts", "tasks"] {
        let Some(scripts) = old.get(key).and_then(Value::as_object) else {
            continue;
        };
        let now = map
            .entry(key)
            .or_insert_with(|| Value::Object(serde_json::Map::new()));
        let now = now.as_object_mut()?;
        for (name, script) in scripts {
            now.insert(name.clone(), script.clone());
            // A new `pretest` or `posttest` runs around the old `test`.
            for around in [format!("pre{name}"), format!("post{name}")] {
                if !scripts.contains_key(&around) {
                    now.remove(&around);
                }
            }
        }
    }
    (new != before).then(|| new.to_string())
}

/// Splits a file into blocks, each beginning with a line that `starts` accepts.
fn blocks(text: &str, starts: impl Fn(&str) -> bool) -> Vec<&str> {
    let mut cuts = vec![0];
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if at > 0 && starts(line) {
            cuts.push(at);
        }
        at += line.len();
    }
    cuts.push(text.len());
    cuts.windows(2).map(|w| &text[w[0]..w[1]]).collect()
}

/// Takes the judging blocks of the base and all others of the attempt.
fn exchange(
    old: &str,
    new: &str,
    starts: impl Fn(&str) -> bool,
    judging: impl Fn(&str) -> bool,
) -> Option<String> {
    let of = |text| -> Vec<&str> {
        blocks(text, &starts)
            .into_iter()
            .filter(|block| judging(block))
            .collect()
    };
    let (before, after) = (of(old), of(new));
    let trimmed = |blocks: &[&str]| {
        blocks
            .iter()
            .map(|b| b.trim())
            .collect::<Vec<_>>()
            .join("\n")
    };
    if trimmed(&before) == trimmed(&after) {
        return None;
    }
    let mut text: String = blocks(new, &starts)
        .into_iter()
        .filter(|block| !judging(block))
        .collect();
    if !text.ends_with('\n') && !text.is_empty() {
        text.push('\n');
    }
    text.extend(before);
    Some(text)
}

fn sections(old: &str, new: &str) -> Option<String> {
    let judging = |block: &str| {
        let head = block
            .lines()
            .next()
            .unwrap_or_default()
            .trim()
            .trim_matches(['[', ']']);
        [
            "tool.pytest",
            "tool:pytest",
            "pytest",
            "tool.coverage",
            "coverage",
            "tool.tox",
            "testenv",
            "tox",
            "tool.hatch.envs",
            "tool.poe",
            "tool.taskipy",
            "tool.nox",
        ]
        .iter()
        .any(|name| head.starts_with(name))
    };
    exchange(old, new, |line| line.starts_with('['), judging)
}

/// Removes what keeps Cargo from running tests and was not there before.
fn cargo(old: &str, new: &str) -> Option<String> {
    let muting = |line: &str| {
        let line: String = line
            .split('#')
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .collect();
        matches!(
            &*line,
            "harness=false"
                | "autotests=false"
                | "test=false"
                | "doctest=false"
                | "debug-assertions=false"
                | "overflow-checks=false"
        ) || line.starts_with("required-features=")
    };
    let count = |text: &str| text.lines().filter(|l| muting(l)).count();
    if count(new) <= count(old) {
        return None;
    }
    Some(
        new.split_inclusive('\n')
            .filter(|line| !muting(line))
            .collect(),
    )
}

/// Recipes whose target's name says that they check, and those the oracle names.
fn recipes(old: &str, new: &str, words: &BTreeSet<String>) -> Option<String> {
    let is_target = |line: &str| {
        line.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '@')
            && line.contains(':')
            && !line.contains(":=")
    };
    let judging = |block: &str| {
        let line = block.lines().next().unwrap_or_default();
        is_target(line)
            && (words.contains(line.split(':').next().unwrap_or_default().trim())
                || line
                    .split(':')
                    .next()
                    .unwrap_or_default()
                    .split(|c: char| !c.is_ascii_alphanumeric())
                    .any(|word| {
                        matches!(
                            word,
                            "test" | "tests" | "check" | "verify" | "ci" | "lint" | "spec" | "e2e"
                        )
                    }))
    };
    exchange(old, new, is_target, judging)
}
