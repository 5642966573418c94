//! Examples of the documentation that a command runs as tests: `>>>` and what follows it. They stand in the product, and
//! those of the base stay.

use super::Policy;
use crate::engine::changed_file::{ChangedFile, ChangedPathKind};
use crate::pattern::TextPattern;
use std::collections::BTreeMap;

/// Another text put in the place of a documentation with its examples; one that is handed on from elsewhere is none.
static DOCUMENTATION_SET: TextPattern =
    TextPattern::new(r#"\b__doc__\s*=\s*(?:[rbuf]{0,2}["']|None\b|str\()"#);

/// Returns whether an example that the oracle runs is gone or was changed.
pub(super) fn lost(pair: &ChangedFile<'_>, policy: &Policy) -> bool {
    let path = &pair.change.path;
    let runs = policy.words.iter().any(|word| word.contains("doctest"));
    let is_page = policy.pages.contains(path);
    let holds = [".py", ".md", ".rst", ".txt", ".ex", ".exs"];
    if !(runs || is_page)
        || pair.change.kind == ChangedPathKind::Added
        || !holds.iter().any(|e| path.ends_with(e))
    {
        return false;
    }
    let of = |bytes: Option<&[u8]>| {
        let text = String::from_utf8_lossy(bytes.unwrap_or_default());
        if is_page {
            fences(&text)
        } else {
            examples(&text)
        }
    };
    let now = of(pair.new);
    let set = |bytes: Option<&[u8]>| {
        let text = String::from_utf8_lossy(bytes.unwrap_or_default());
        DOCUMENTATION_SET.find_iter(&text).count()
    };
    set(pair.new) > set(pair.old)
        || of(pair.old)
            .iter()
            .any(|(example, count)| now.get(example).copied() < Some(*count))
}

/// Returns each fenced block that Rust takes for an example, with what is said of it, and how often it stands there.
fn fences(text: &str) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    let text = format!("\n{text}");
    for block in text
        .split("\n```")
        .enumerate()
        .filter(|(at, _)| at % 2 == 1)
    {
        let (said, _) = block.1.split_once('\n').unwrap_or((block.1, ""));
        let words = said.split([',', ' ']).map(str::trim);
        let is_rust = words.clone().all(|word| {
            const RUST: [&str; 5] = ["", "rust", "should_panic", "no_run", "compile_fail"];
            RUST.contains(&word) || word.starts_with("edition")
        });
        if is_rust {
            *found.entry(block.1.to_owned()).or_default() += 1;
        }
    }
    found
}

/// Returns each example with what it is to print, and how often it stands there.
fn examples(text: &str) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    let mut open: Option<String> = None;
    for line in text.lines().map(str::trim) {
        let begins = line.starts_with(">>>") || line.starts_with("iex>");
        let ends = line.is_empty()
            || line.starts_with("\"\"\"")
            || line.starts_with("'''")
            || line.starts_with("```");
        if (begins || ends)
            && let Some(example) = open.take()
        {
            *found.entry(example).or_default() += 1;
        }
        if begins {
            open = Some(line.to_owned());
        } else if let Some(example) = &mut open {
            example.push('\n');
            example.push_str(line);
        }
    }
    if let Some(example) = open {
        *found.entry(example).or_default() += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::Declared;
    use super::super::tests::change;
    use super::*;

    const OLD: &str = "\"\"\"Add.\n\n>>> add(1, 2)\n3\n>>> add(1, 1)\n2\n\"\"\"\n";

    fn is_lost(command: &str, path: &str, new: &str) -> bool {
        let change = change(path, Some(""), Some(""));
        let pair = ChangedFile {
            change: &change,
            old: Some(OLD.as_bytes()),
            new: Some(new.as_bytes()),
        };
        lost(&pair, &Policy::new(&[], Declared::default(), &[command]))
    }

    #[test]
    fn examples_that_the_oracle_runs_stay() {
        let run = "pytest --doctest-modules";
        for (new, want) in [
            (OLD.to_owned(), false),
            (format!("{OLD}\nx = 1\n"), false),
            (
                OLD.replace("\n>>> add(1, 1)", "\n>>> add(0, 0)\n0\n>>> add(1, 1)"),
                false,
            ),
            (OLD.replace("add(1, 1)", "add(0, 2)"), true),
            (OLD.replace("\n3\n", "\n-1\n"), true),
            (OLD.replace(">>> add(1, 1)\n2\n", ""), true),
            (String::new(), true),
            (format!("{OLD}add.__doc__ = '>>> 1'\n"), true),
            (format!("{OLD}add.__doc__ = None\n"), true),
            (format!("{OLD}wrapper.__doc__ = f.__doc__\n"), false),
            (format!("{OLD}f(__doc__ == '')\n"), false),
        ] {
            assert_eq!(is_lost(run, "calc.py", &new), want, "{new}");
            assert_eq!(
                is_lost("python3 -m doctest calc.py", "calc.py", &new),
                want,
                "{new}"
            );
            assert!(!is_lost("pytest -q", "calc.py", &new));
            assert!(!is_lost(run, "calc.js", &new));
        }
    }

    #[test]
    fn an_example_of_a_page_that_rust_tests_stays_as_it_is() {
        const PAGE: &str =
            "```\nassert!(a());\n```\n\n```sh\nmake\n```\n\n```rust,should_panic\nb();\n```\n";
        let mut policy = Policy::new(&[], Declared::default(), &["cargo test"]);
        policy.reads(
            ("", "src/lib.rs"),
            "#![doc = include_str!(\"../README.md\")]\n",
        );
        for (path, new, want) in [
            ("README.md", format!("{PAGE}\n```\nmore();\n```\n"), false),
            ("README.md", PAGE.replace("make", "true"), false),
            ("README.md", PAGE.replacen("```", "```no_run", 1), true),
            ("README.md", PAGE.replacen("```", "```text", 1), true),
            ("README.md", PAGE.replace("a()", "b()"), true),
            ("README.md", PAGE.replace(",should_panic", ""), true),
            ("other.md", PAGE.replace("a()", "b()"), false),
        ] {
            let change = change(path, Some(""), Some(""));
            let pair = ChangedFile {
                change: &change,
                old: Some(PAGE.as_bytes()),
                new: Some(new.as_bytes()),
            };
            assert_eq!(lost(&pair, &policy), want, "{path}: {new}");
        }
    }
}
