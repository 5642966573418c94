//! Commands whose verdict hangs on what a filter finds in what they print: the product can print it, too.

/// Programs that only look through what another one prints.
const FILTERS: [&str; 25] = [
    "ag", "awk", "cat", "cmp", "column", "cut", "diff", "egrep", "fgrep", "fold", "gawk", "grep",
    "head", "jq", "mawk", "nl", "rg", "sed", "sort", "tail", "tee", "tr", "uniq", "wc", "yq",
];

/// Returns the part of a command that stands before the filters which end it; nothing where none do, or that decides anyway.
pub(crate) fn before_filters(shell: &str) -> Option<&str> {
    if shell.contains("pipefail") || shell.contains('\n') {
        return None;
    }
    let pipes = pipes(shell);
    let is_filter = |at: &&usize| {
        let behind = shell[*at + 1..].trim_start_matches('&');
        let program = behind.split_whitespace().next().unwrap_or_default();
        FILTERS.contains(&program)
    };
    let filters = pipes.iter().rev().take_while(is_filter);
    let before = shell[..*filters.last()?].trim();
    let before = before.trim_start_matches('!').trim_start();
    // What is in a group is no command of its own.
    let plain = !before.is_empty() && !before.starts_with(['(', '{']);
    plain.then_some(before)
}

/// Returns where the pipes are that are neither quoted nor inside of something.
fn pipes(shell: &str) -> Vec<usize> {
    let bytes = shell.as_bytes();
    let mut found = Vec::new();
    let (mut quote, mut depth, mut escaped) = (None, 0_u32, false);
    for (at, byte) in bytes.iter().copied().enumerate() {
        let beside = |other: Option<usize>| other.and_then(|at| bytes.get(at)).copied();
        match (quote, byte) {
            _ if std::mem::take(&mut escaped) => {}
            (None | Some(b'"' | b'`'), b'\\') => escaped = true,
            (Some(open), _) if open == byte => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'' | b'`') => quote = Some(byte),
            (None, b'(' | b'{') => depth += 1,
            (None, b')' | b'}') => depth = depth.saturating_sub(1),
            (None, b'|') if depth == 0 => {
                let (before, behind) = (beside(at.checked_sub(1)), beside(Some(at + 1)));
                if !matches!(before, Some(b'|' | b'>')) && behind != Some(b'|') {
                    found.push(at);
                }
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_before_the_filters_of_a_pipeline_is_found() {
        for (shell, want) in [
            ("go test ./... | grep -q ok", Some("go test ./...")),
            (
                "cd app && node --test 2>&1 | tail -n 3 | grep '# fail 0'",
                Some("cd app && node --test 2>&1"),
            ),
            ("! pytest -q | grep -q failed", Some("pytest -q")),
            ("make check |& grep ok", Some("make check")),
            ("a || b | grep ok", Some("a || b")),
            (
                "echo 1 2 | sh add.sh | grep 3",
                Some("echo 1 2 | sh add.sh"),
            ),
            ("pytest -k \"a|b\" | grep ok", Some("pytest -k \"a|b\"")),
            // Its own end decides.
            ("yes | sh install.sh", None),
            ("tail -n 3 list | sh check.sh", None),
            ("pytest -k 'a|b'", None),
            ("cargo test || exit 1", None),
            ("cargo test || grep -q a log", None),
            ("test \"$(ls | wc -l)\" = 2", None),
            ("test $(ls | wc -l) = 2", None),
            ("echo a >| cat", None),
            ("echo a\\| cat", None),
            ("set -o pipefail; pytest | tee log", None),
            ("(pytest; ruff check) | grep ok", None),
            ("| grep ok", None),
            ("for t in a b; do\nsh $t | grep ok\ndone", None),
        ] {
            assert_eq!(before_filters(shell), want, "{shell}");
        }
    }
}
