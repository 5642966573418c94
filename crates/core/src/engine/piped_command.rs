//! Commands whose verdict hangs on what another program finds in what they print: the product can print it, too.

/// Returns the first command of a pipeline, which the others only read; nothing where a command is none.
pub(crate) fn first_of_pipeline(shell: &str) -> Option<&str> {
    if shell.contains("pipefail") || shell.contains('\n') {
        return None;
    }
    let head = &shell[..first_pipe(shell)?];
    let head = head.trim().trim_start_matches('!').trim_start();
    // What is in a group or behind a word of the shell is no command of its own.
    let plain = !head.is_empty() && !head.starts_with(['(', '{']);
    plain.then_some(head)
}

/// Returns where the first pipe is that is neither quoted nor inside of something.
fn first_pipe(shell: &str) -> Option<usize> {
    let bytes = shell.as_bytes();
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
                if before != Some(b'|') && before != Some(b'>') && behind != Some(b'|') {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_that_the_rest_of_a_pipeline_reads_is_found() {
        for (shell, want) in [
            ("go test ./... | grep -q ok", Some("go test ./...")),
            (
                "cd app && node --test 2>&1 | tail -n 3 | grep '# fail 0'",
                Some("cd app && node --test 2>&1"),
            ),
            ("! pytest -q | grep -q failed", Some("pytest -q")),
            ("make check |& grep ok", Some("make check")),
            ("a || b | grep ok", Some("a || b")),
            ("pytest -k 'a|b'", None),
            ("pytest -k \"a|b\" | grep ok", Some("pytest -k \"a|b\"")),
            ("cargo test || exit 1", None),
            ("test \"$(ls | wc -l)\" = 2", None),
            ("test $(ls | wc -l) = 2", None),
            ("echo a >| b", None),
            ("echo a\\|b", None),
            ("set -o pipefail; pytest | tee log", None),
            ("(pytest; ruff check) | grep ok", None),
            ("| grep ok", None),
            ("for t in a b; do\nsh $t | grep ok\ndone", None),
        ] {
            assert_eq!(first_of_pipeline(shell), want, "{shell}");
        }
    }
}
