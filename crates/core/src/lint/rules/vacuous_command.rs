//! `GW602`. See `vacuous_command.md`.

use crate::diagnostic::Severity;
use crate::lint::context::WorkspaceCx;
use crate::lint::finding_sink::FindingSink;
use crate::lint::shells;
use crate::model::idle_command::cannot_fail;

pub(super) fn check(cx: &WorkspaceCx<'_>, out: &mut FindingSink) {
    for shell in shells::all(cx.ws) {
        if cannot_fail(shell.text) {
            out.at(
                shell.path,
                shell.span.clone(),
                "this command cannot fail, so it proves nothing",
            )
            .help(how_to_fail(shell.text))
            .only_warn_if(shell.settled);
        } else if only_looks(shell.text) && !shell.settled {
            out.at(
                shell.path,
                shell.span.clone(),
                "this command only shows something: whatever is in it, it passes",
            )
            .help("let it compare: `grep -q`, `diff`, `test -s`, or the program's own tests")
            .severity(Severity::Warning);
        }
    }
}

/// Returns what lets a command fail that cannot.
fn how_to_fail(shell: &str) -> String {
    let text = shell.trim();
    if text.ends_with('&') && !text.ends_with("&&") {
        return "nobody waits for what runs in the background: take out the `&`".to_owned();
    }
    let parts = text.split([';', '\n']).map(str::trim);
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    match parts[..] {
        [] => "write a command that can fail, such as the project's tests".to_owned(),
        [.., last] if last.contains("||") => {
            "take out `|| true` and the like, or the command".to_owned()
        }
        [.., last] if last.contains('|') => {
            let (_, program) = last.rsplit_once('|').unwrap_or_default();
            let program = program.trim();
            format!(
                "`sh` takes the exit code of the last program, `{program}`: let what is tested be the last one"
            )
        }
        [_, .., last] if !last.starts_with("fi") => {
            format!("only the last command counts, `{last}`: join them by ` && `, or take it out")
        }
        _ => "write a command that can fail, such as the project's tests".to_owned(),
    }
}

/// Whether every part of a command prints files or says a version, and nothing looks at what is printed.
fn only_looks(shell: &str) -> bool {
    // What is piped, substituted or negated is looked at; what is written is for something else.
    if shell.contains(['|', '`', '$', '!', '<', '>', '(', '{']) {
        return false;
    }
    let mut parts = shell
        .split([';', '\n', '&'])
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .peekable();
    parts.peek().is_some() && parts.all(part_only_looks)
}

fn part_only_looks(part: &str) -> bool {
    let words: Vec<&str> = part.split_whitespace().collect();
    match words[..] {
        ["cd" | "pwd" | "echo" | "printf" | "date", ..] => true,
        [
            "ls" | "cat" | "head" | "tail" | "wc" | "tree" | "stat" | "file" | "du" | "less"
            | "more",
            ..,
        ] => true,
        ["find", ref rest @ ..] => !rest.iter().any(|w| w.starts_with("-exec")),
        [_, "--version" | "-V" | "--help"] => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{how_to_fail, only_looks};

    #[test]
    fn the_help_names_why_a_command_cannot_fail() {
        for (shell, want) in [
            ("true", "the project's tests"),
            ("make test || true", "take out `|| true`"),
            ("make test &", "take out the `&`"),
            ("make test | tee log", "the last program, `tee log`"),
            ("make test; echo done", "counts, `echo done`"),
            ("make test\necho done\n", "counts, `echo done`"),
        ] {
            let help = how_to_fail(shell);
            assert!(help.contains(want), "{shell}: {help}");
        }
    }

    #[test]
    fn commands_that_only_show_something_are_distinguished_from_those_that_judge() {
        for (shell, want) in [
            ("cat out.txt", true),
            ("ls out && cat out/a.txt", true),
            ("cd web; ls dist", true),
            ("cargo --version", true),
            ("find . -name '*.rs'", true),
            ("head -5 README.md", true),
            ("cat out.txt | grep -q ok", false),
            ("test -f out.txt", false),
            ("ls out && cargo test", false),
            ("! ls out", false),
            ("test \"$(cat out)\" = ok", false),
            ("diff a b", false),
            ("grep ok out.txt", false),
            ("find . -exec false {} +", false),
            ("", false),
        ] {
            assert_eq!(only_looks(shell), want, "{shell}");
        }
    }
}
