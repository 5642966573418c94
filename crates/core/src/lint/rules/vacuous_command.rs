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
            .help("take out `|| true` and the like, or the command")
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
    use super::only_looks;

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
