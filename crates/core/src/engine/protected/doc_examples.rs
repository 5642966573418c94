//! Examples of the documentation that a command runs as tests: `>>>` and what follows it. They stand in the product, and
//! those of the base stay.

use super::{ChangedFile, ChangedPathKind};
use std::collections::{BTreeMap, BTreeSet};

/// Returns whether an example that the oracle runs is gone or was changed. `words` are those of the oracle's commands.
pub(super) fn lost(pair: &ChangedFile<'_>, words: &BTreeSet<String>) -> bool {
    let path = &pair.change.path;
    let runs = words.iter().any(|word| word.contains("doctest"));
    let holds = [".py", ".md", ".rst", ".txt", ".ex", ".exs"];
    if !runs
        || pair.change.kind == ChangedPathKind::Added
        || !holds.iter().any(|e| path.ends_with(e))
    {
        return false;
    }
    let of = |bytes: Option<&[u8]>| examples(&String::from_utf8_lossy(bytes.unwrap_or_default()));
    let now = of(pair.new);
    of(pair.old)
        .iter()
        .any(|(example, count)| now.get(example).copied() < Some(*count))
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
        lost(&pair, &command.split(' ').map(str::to_owned).collect())
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
}
