//! Examples in the documentation of Rust sources that Cargo runs as tests. They stand in the product: the attempt may add to
//! them, and what the base's assert stays, here or where its code moved.

use crate::engine::changed_file::ChangedFile;
use std::collections::BTreeMap;

/// Options of `cargo test` that choose targets, after which it runs no examples unless `--doc` asks for them.
/// Source: `cargo help test`, "Target Selection".
const CHOSEN: [&str; 10] = [
    "--lib",
    "--bins",
    "--bin",
    "--tests",
    "--test",
    "--benches",
    "--bench",
    "--examples",
    "--example",
    "--all-targets",
];

/// Words after the fence of a block that is compiled at most, or is no Rust.
/// Source: the rustdoc book, "Documentation tests", attributes.
const NOT_RUN: [&str; 5] = ["ignore", "no_run", "text", "compile_fail", "plain"];

/// Returns whether one of a shell's commands has Cargo run the examples of the documentation.
pub(super) fn are_run_by(shell: &str) -> bool {
    shell.split(['\n', ';', '&', '|', '(', ')']).any(|command| {
        let mut words = command
            .split_whitespace()
            .map(|w| w.trim_matches(['"', '\'']));
        if !words.any(|word| word.rsplit('/').next() == Some("cargo")) {
            return false;
        }
        let mut words = words.skip_while(|word| word.starts_with(['+', '-']));
        if !matches!(words.next(), Some("test" | "t")) {
            return false;
        }
        let options: Vec<&str> = words
            .take_while(|word| *word != "--")
            .map(|word| word.split('=').next().unwrap_or(word))
            .collect();
        options.contains(&"--doc") || !options.iter().any(|option| CHOSEN.contains(option))
    })
}

/// Returns whether something that an example asserts is gone, and did not move to another source.
pub(super) fn are_lost(pair: &ChangedFile<'_>, pairs: &[ChangedFile<'_>]) -> bool {
    let (old, new) = (assertions(pair.old), assertions(pair.new));
    let mut gone = old
        .iter()
        .filter(|(said, count)| new.get(*said).unwrap_or(&0) < count)
        .map(|(said, _)| said)
        .peekable();
    if gone.peek().is_none() {
        return false;
    }
    let sources = pairs.iter().filter(|p| p.change.path.ends_with(".rs"));
    let all: Vec<_> = sources
        .map(|p| (assertions(p.old), assertions(p.new)))
        .collect();
    gone.any(|said| {
        let of = |there: &BTreeMap<String, usize>| *there.get(said).unwrap_or(&0);
        let before: usize = all.iter().map(|(old, _)| of(old)).sum();
        let now: usize = all.iter().map(|(_, new)| of(new)).sum();
        now < before
    })
}

/// Returns what the examples of a source that are run assert, without its spaces, and how often each is said.
fn assertions(bytes: Option<&[u8]>) -> BTreeMap<String, usize> {
    let text = String::from_utf8_lossy(bytes.unwrap_or_default());
    let mut found = BTreeMap::new();
    // Whether the example that is open is run.
    let mut runs: Option<bool> = None;
    let mut open = String::new();
    for line in text.lines().map(str::trim_start) {
        let said = ["///", "//!", "*"]
            .iter()
            .find_map(|mark| line.strip_prefix(mark));
        let Some(said) = said.map(str::trim) else {
            (runs, open) = (None, String::new());
            continue;
        };
        if let Some(info) = said.strip_prefix("```") {
            runs = match runs {
                Some(_) => None,
                None => Some(!NOT_RUN.iter().any(|word| info.contains(word))),
            };
            open.clear();
            if runs == Some(true) && info.contains("should_panic") {
                *found.entry("should_panic".to_owned()).or_default() += 1;
            }
        } else if runs == Some(true) {
            let shown = said.strip_prefix("# ").unwrap_or(said).trim_start();
            if open.is_empty() && !shown.starts_with("assert") && !shown.starts_with("debug_assert")
            {
                continue;
            }
            open.extend(shown.chars().filter(|c| !c.is_whitespace()));
            if open.ends_with([';', '}']) {
                *found.entry(std::mem::take(&mut open)).or_default() += 1;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::tests::change;
    use super::*;

    const OLD: &str = "/// Adds.\n///\n/// ```\n/// # use calc::add;\n/// assert_eq!(add(1, 2), 3);\n/// assert!(\n///     add(1, 1) > 1\n/// );\n/// ```\n///\n/// ```no_run\n/// assert!(add(9, 9) > 1);\n/// ```\npub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n";

    #[test]
    fn what_has_cargo_run_examples_is_told_from_what_does_not() {
        for (shell, want) in [
            ("cargo test", true),
            ("cargo t --workspace -- --nocapture", true),
            ("cargo +stable -q test --locked", true),
            ("cd a && RUST_BACKTRACE=1 cargo test --doc", true),
            ("cargo clippy --all-targets && cargo test", true),
            ("cargo test --lib --doc", true),
            ("/usr/bin/cargo test -- --test-threads=1 --lib", true),
            ("cargo test --lib", false),
            ("cargo test --test=api", false),
            ("cargo test --all-targets", false),
            ("cargo nextest run", false),
            ("cargo build; make test", false),
            ("npm test", false),
        ] {
            assert_eq!(are_run_by(shell), want, "{shell}");
        }
    }

    #[test]
    fn what_examples_assert_stays_and_may_move_or_be_laid_out_anew() {
        let moved = OLD.replace("pub fn", "pub(crate) fn");
        for (new, other, want) in [
            (OLD.to_owned(), "", false),
            (OLD.replace("a + b", "b + a"), "", false),
            (OLD.replace("(1, 2), 3)", "(1, 2), -1)"), "", true),
            (OLD.replace("/// assert_eq!(add(1, 2), 3);\n", ""), "", true),
            (OLD.replace("/// assert_eq", "/// // assert_eq"), "", true),
            (OLD.replace("add(1, 1) > 1", "add(1, 1) < 1"), "", true),
            (OLD.replace("add(1, 2), 3", "add(1,2),  3"), "", false),
            (
                OLD.replace("/// # use", "/// assert_eq!(add(0, 0), 0);\n/// # use"),
                "",
                false,
            ),
            (OLD.replace("add(9, 9)", "add(8, 8)"), "", false),
            (OLD.replacen("```", "```text", 1), "", true),
            (String::new(), "", true),
            (String::new(), moved.as_str(), false),
        ] {
            let changes = [
                change("src/lib.rs", Some(""), Some("")),
                change("src/add.rs", None, Some("")),
            ];
            let pair = ChangedFile {
                change: &changes[0],
                old: Some(OLD.as_bytes()),
                new: Some(new.as_bytes()),
            };
            let beside = ChangedFile {
                change: &changes[1],
                old: None,
                new: Some(other.as_bytes()),
            };
            assert_eq!(are_lost(&pair, &[pair, beside]), want, "{new}{other}");
        }
    }

    #[test]
    fn a_block_comment_and_an_example_that_must_panic_count_too() {
        let block =
            "/**\n * ```\n * assert!(on());\n * ```\n */\npub fn on() -> bool {\n    true\n}\n";
        let said = |text: &str| {
            assertions(Some(text.as_bytes()))
                .into_keys()
                .collect::<Vec<_>>()
        };
        assert_eq!(said(block), ["assert!(on());"]);
        let panics = "/// ```should_panic\n/// fall();\n/// ```\nfn fall() {}\n";
        assert_eq!(said(panics), ["should_panic"]);
    }
}
