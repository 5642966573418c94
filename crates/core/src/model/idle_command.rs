//! Commands that prove nothing because they cannot fail.

/// Returns true if no exit of this command but 0 is possible, so that it proves nothing.
///
/// A conservative reading of the shell text: the last command of the list decides, and only the
/// forms that are always green are recognised.
pub(crate) fn cannot_fail(shell: &str) -> bool {
    let text = shell.trim();
    if let Some(script) = handed_to_a_shell(text) {
        return cannot_fail(script);
    }
    if leaves_by_trap(text) || branches_are_green(text) {
        return true;
    }
    // What closes a group is no command: the last one inside it decides.
    let closes = |c: char| c.is_whitespace() || matches!(c, '}' | ')' | ';');
    let text = text.trim_end_matches(closes);
    // What runs in the background is never waited for.
    if text.ends_with('&') && !text.ends_with("&&") {
        return true;
    }
    let last = text
        .rsplit([';', '\n'])
        .map(|part| part.trim().trim_end_matches('&').trim_end())
        .find(|p| !p.is_empty())
        .map(foreground)
        .unwrap_or_default();
    // Under `set -e` every command before the last decides too.
    if last.len() != text.len() && text.contains("set -e") {
        return false;
    }
    match last.rsplit_once("||") {
        Some((before, alternative)) => {
            // `a && exit 1 || exit 0` turns a success into a failure before the alternative.
            let inverts =
                before.contains("&&") && before.contains("exit ") && !before.contains("exit 0");
            is_always_green(alternative) && !inverts
        }
        None => {
            let piped = !text.contains("pipefail");
            last.split("&&").all(is_always_green)
                || piped && last.rsplit("&&").next().is_some_and(ends_in_a_filter)
        }
    }
}

/// Whether a trap ends it with 0, whatever its commands came to.
fn leaves_by_trap(text: &str) -> bool {
    let text = text.replace('"', "'");
    ["trap 'exit 0' EXIT", "trap 'exit 0' 0"]
        .iter()
        .any(|trap| text.contains(trap))
}

/// Whether it ends in an `if` whose branches are green: the condition decides only which one.
fn branches_are_green(text: &str) -> bool {
    let text = text.trim_end_matches([';', ' ', '\n']);
    let Some(body) = text.strip_suffix("fi") else {
        return false;
    };
    let begins = |at: &usize| *at == 0 || body[..*at].ends_with([';', '\n', ' ']);
    let start = body.rfind("if ").filter(begins);
    let clause = start.and_then(|at| body[at..].split_once("then"));
    let is_plain = |branches: &str| !branches.contains("elif") && body.ends_with([';', '\n', ' ']);
    clause
        .is_some_and(|(_, branches)| is_plain(branches) && branches.split("else").all(cannot_fail))
}

/// What stands behind the last `&` that sends something to the background.
fn foreground(command: &str) -> &str {
    let bytes = command.as_bytes();
    let mut quote = None;
    let mut start = 0;
    for (at, byte) in bytes.iter().copied().enumerate() {
        let beside = |other: Option<usize>| other.and_then(|at| bytes.get(at)).copied();
        let (before, behind) = (beside(at.checked_sub(1)), beside(Some(at + 1)));
        match (quote, byte) {
            (Some(open), _) if open == byte => quote = None,
            (None, b'"' | b'\'') => quote = Some(byte),
            // `&&`, `>&2` and `&>log` send nothing anywhere.
            (None, b'&')
                if !matches!(before, Some(b'&' | b'>' | b'<' | b'\\'))
                    && !matches!(behind, Some(b'&' | b'>')) =>
            {
                start = at + 1;
            }
            _ => {}
        }
    }
    command[start..].trim()
}

/// The script of `sh -c '…'`, when that is all there is.
fn handed_to_a_shell(text: &str) -> Option<&str> {
    let (shell, script) = text.split_once(" -c ")?;
    let is_shell = matches!(shell.trim(), "sh" | "bash" | "/bin/sh" | "/bin/bash");
    let script = script.trim();
    let quote = script
        .chars()
        .next()
        .filter(|c| is_shell && matches!(c, '"' | '\''));
    match quote {
        Some(quote) => {
            let inner = script.strip_prefix(quote)?.strip_suffix(quote)?;
            (!inner.contains(quote)).then_some(inner)
        }
        None => (is_shell && !script.contains([' ', ';', '&', '|'])).then_some(script),
    }
}

/// Whether a pipeline ends in a program that is green whatever it reads.
fn ends_in_a_filter(part: &str) -> bool {
    let Some((_, filter)) = part.rsplit_once('|') else {
        return false;
    };
    // What a substitution prints is for the command around it to judge.
    if filter.contains([')', '"', '\'', '`']) {
        return false;
    }
    let mut words = filter.split_whitespace();
    let filter = words.next().unwrap_or_default();
    let names_a_file = words.any(|word| !word.starts_with('-') && word.parse::<u32>().is_err());
    match filter {
        "tee" | "cat" => true,
        // With a file of its own it can fail at that.
        "head" | "tail" | "sort" | "uniq" | "wc" | "tr" | "cut" | "column" | "nl" => !names_a_file,
        _ => false,
    }
}

fn is_always_green(part: &str) -> bool {
    let part = part
        .trim()
        .trim_start_matches(['(', '{'])
        .trim_end_matches([')', '}', ';'])
        .trim();
    let mut words = part.split_whitespace().peekable();
    while words
        .next_if(|w| matches!(*w, "env" | "command" | "builtin" | "exec" | "nohup"))
        .is_some()
    {}
    match words.next() {
        None => true,
        Some(
            ":" | "true" | "/bin/true" | "/usr/bin/true" | "echo" | "printf" | "sleep" | "pwd"
            | "date" | "export",
        ) => !part.contains('|'),
        // Without the id of a job it waits for all of them, and is green whatever they came to.
        Some("wait") => words.next().is_none(),
        // With a path or a pattern it can fail at that.
        Some(
            "ls" | "printenv" | "whoami" | "hostname" | "uname" | "id" | "df" | "cat" | "tree",
        ) => words.all(|word| word.starts_with('-')) && !part.contains('|'),
        Some("git") => only_shows(&words.collect::<Vec<_>>()),
        Some("exit") => matches!(words.next(), None | Some("0")),
        Some("!") => words.next() == Some("false"),
        Some("sh" | "bash") => handed_to_a_shell(part).is_some_and(cannot_fail),
        Some("test" | "[") => {
            let rest: Vec<&str> = words.filter(|w| *w != "]").collect();
            let plain = |w: &str| !w.contains(['$', '`', '*']);
            match rest[..] {
                [a, "=" | "==" | "-eq", b] => a == b && plain(a),
                [one] => plain(one) && !matches!(one, "\"\"" | "''"),
                _ => false,
            }
        }
        _ => false,
    }
}

/// Whether git is asked for a look at the repository as it is, which is always granted.
fn only_shows(words: &[&str]) -> bool {
    let judges = |word: &&str| matches!(*word, "--exit-code" | "--quiet" | "-q" | "--check");
    let Some((verb, rest)) = words.split_first() else {
        return false;
    };
    matches!(*verb, "status" | "diff" | "log" | "branch" | "tag")
        && rest
            .iter()
            .all(|word| word.starts_with('-') && *word != "--")
        && !rest
            .iter()
            .any(|word| judges(word) || word.starts_with("--output"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_that_cannot_fail_are_distinguished_from_those_that_can() {
        for (shell, want) in [
            ("true", true),
            (":", true),
            ("exit 0", true),
            ("exit", true),
            ("echo ok", true),
            ("cargo test || true", true),
            ("cargo test || :", true),
            ("cargo test || echo failed", true),
            ("cargo test; true", true),
            ("cargo test\nexit 0", true),
            ("true && true", true),
            ("(true)", true),
            ("", true),
            ("cargo test | tee log", true),
            ("cargo test 2>&1 | tail -20", true),
            ("cargo test | tail -n 20", true),
            ("cargo test &", true),
            ("pytest & wait", true),
            ("pytest & wait; true", true),
            ("pytest & wait $!", false),
            ("pytest & pid=$!; wait $pid", false),
            ("sleep 15 & pytest -q", false),
            ("sleep 15 & pytest -q || true", true),
            ("cargo test >&2", false),
            ("grep -q 'a & true' log", false),
            ("server & curl 'http://x/?a=1&date=2'", false),
            ("test -s a || { cat a; exit 1; }", false),
            ("test -s a || (cat a; exit 1)", false),
            ("{ cargo test; }", false),
            ("test -s a || { echo no; }", true),
            ("test -s a || { echo no; exit 0; }", true),
            ("test \"$(sh greet.sh | wc -l)\" -eq 2", false),
            ("[ $(ls | wc -l) -gt 0 ]", false),
            ("! false", true),
            ("[ 1 = 1 ]", true),
            ("test 1", true),
            ("test \"\"", false),
            ("test -s out", false),
            ("if cargo test; then :; fi", true),
            ("if cargo test; then echo ok; else echo no; fi", true),
            ("cargo build; if cargo test\nthen\n  true\nfi", true),
            ("if cargo test; then echo ok; else exit 1; fi", false),
            ("if ! cargo test; then exit 1; fi", false),
            ("if a; then :; elif b; then c; fi", false),
            ("notif cargo; then :; wifi", false),
            ("trap 'exit 0' EXIT; cargo test", true),
            ("trap \"exit 0\" 0; cargo test", true),
            ("trap 'rm -r out' EXIT; cargo test", false),
            ("test 1 -eq 1", true),
            ("sh -c true", true),
            ("bash -c 'cargo test || exit 0'", true),
            ("{ true; }", true),
            ("env true", true),
            ("sleep 1", true),
            ("ls", true),
            ("ls -la", true),
            ("git status --short", true),
            ("git diff --stat", true),
            ("cargo test || ls", true),
            ("ls out", false),
            ("cat out.txt", false),
            ("git diff --exit-code", false),
            ("git diff --check", false),
            ("git", false),
            ("git status | grep -q clean", false),
            ("set -o pipefail; cargo test | tee log", false),
            ("cargo test | grep -q ok", false),
            ("cargo test && sort a", false),
            ("sh -c 'cargo test'", false),
            ("sh run.sh", false),
            ("[ $a = $a ]", false),
            ("[ -f x ]", false),
            ("cargo test 2>&1", false),
            ("cargo test", false),
            ("cargo test && echo ok", false),
            ("echo ok | grep -q nope", false),
            ("git diff --quiet HEAD -- . && exit 1 || exit 0", false),
            ("test -f x || exit 1", false),
            ("set -e; cargo test; echo done", false),
            ("a || b", false),
            ("exit 1", false),
        ] {
            assert_eq!(cannot_fail(shell), want, "{shell}");
        }
    }
}
