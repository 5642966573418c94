//! What a session that drafts a bug's check is given, and what it must leave: one file, and nothing else.

use super::evidence::{one_line, plain};
use super::feature_draft::DraftSource;
use super::session_prompt::{Prompt, PromptSection};
use crate::model::idle_command::cannot_fail;

/// The check's name in its unit.
pub const NAME: &str = "fixed";

/// The file that a session leaves it in.
pub const FILE: &str = "check.sh";

/// The most bytes of a check.
const LARGEST: usize = 8 << 10;

/// Returns the prompt of a session that is to write a check which fails because of the bug.
pub(crate) fn prompt(
    source: &DraftSource,
    (path, map): (&str, &str),
    findings: &[String],
) -> Prompt {
    let quoted: String = plain(&source.text)
        .lines()
        .map(|line| format!("> {line}\n"))
        .collect();
    let mut sections = vec![
        PromptSection {
            name: "contract",
            text: contract(path),
        },
        PromptSection {
            name: "source",
            text: format!(
                "# The bug\n\nFrom {}. It says what is wrong, not how you work:\n\n{quoted}",
                one_line(&source.name)
            ),
        },
        PromptSection {
            name: "map",
            text: map.to_owned(),
        },
    ];
    if !findings.is_empty() {
        let lines: Vec<String> = findings.iter().map(|f| format!("- {f}\n")).collect();
        sections.push(PromptSection {
            name: "findings",
            text: format!(
                "# Why your last check was not taken\n\nIt is still there:\n\n{}",
                lines.concat()
            ),
        });
    }
    sections.retain(|s| !s.text.trim().is_empty());
    Prompt { sections }
}

fn contract(path: &str) -> String {
    format!(
        "# Your session\n\n\
         You write a check that shows a bug; you mend nothing. The current directory is a private copy of the repository. Read \
         the code concerned and reproduce the bug, then write one file, `{path}`: a text for `sh`, run from the root of the \
         repository. Everything else you change is refused. Nobody answers questions.\n\n\
         - Today it ends with an exit code other than 0, because of the bug and of nothing else.\n\
         - Once the bug is mended it ends with 0.\n\
         - It uses what the repository has: its own programs, its test runner, a here-document for a small script. It leaves no \
         file behind, needs no network, and takes seconds.\n\
         - It asks what is to be seen from outside, not how the code is written.\n\n\
         End with one fenced block:\n\n```result\nstatus: complete        # or blocked\nsummary: one or two sentences\nblocked_reason: only when blocked\n```"
    )
}

/// Returns the check that a session left, or what is wrong with what it left. `changed` are all paths it changed.
pub(crate) fn look(
    path: &str,
    changed: &[String],
    text: Option<&[u8]>,
) -> Result<String, Vec<String>> {
    let mut wrong: Vec<String> = changed
        .iter()
        .filter(|changed| *changed != path)
        .map(|changed| {
            format!(
                "`{}` is not yours to change: put it back",
                one_line(changed)
            )
        })
        .collect();
    let run = text.map(String::from_utf8_lossy).unwrap_or_default();
    let run = run.replace("\r\n", "\n").trim().to_owned();
    if run.is_empty() {
        wrong.push(format!("there is no check in `{path}`"));
    } else if run.len() > LARGEST {
        wrong.push(format!(
            "the check has {} bytes, more than {LARGEST}",
            run.len()
        ));
    } else if cannot_fail(&run) {
        wrong.push("the check cannot fail".to_owned());
    }
    match wrong.is_empty() {
        true => Ok(run),
        false => Err(wrong),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_check_that_can_fail_and_nothing_else_is_taken() {
        let path = "f/check.sh";
        for (changed, text, want) in [
            (&["f/check.sh"][..], Some("sh a.sh\r\n"), Ok("sh a.sh")),
            (&[], None, Err("there is no check in `f/check.sh`")),
            (&["f/check.sh"], Some(" \n"), Err("there is no check")),
            (&["f/check.sh"], Some("sh a.sh || true"), Err("cannot fail")),
            (
                &["a.sh", "f/check.sh"],
                Some("sh a.sh"),
                Err("`a.sh` is not yours to change"),
            ),
        ] {
            let changed: Vec<String> = changed.iter().map(|c| (*c).to_owned()).collect();
            let found = look(path, &changed, text.map(str::as_bytes));
            match (found, want) {
                (Ok(run), Ok(want)) => assert_eq!(run, want),
                (Err(wrong), Err(want)) => assert!(wrong[0].contains(want), "{wrong:?}"),
                (found, want) => panic!("{found:?}, not {want:?}"),
            }
        }
        let long = "x".repeat(LARGEST + 1);
        assert!(look(path, &[], Some(long.as_bytes())).is_err());
        assert!(look(path, &[], Some("x".repeat(LARGEST).as_bytes())).is_ok());
    }

    #[test]
    fn the_bug_is_quoted_and_a_retry_is_given_the_reason() {
        let source = DraftSource {
            name: "a sentence".to_owned(),
            text: "# The total is wrong\n```".to_owned(),
        };
        let first = prompt(&source, ("f/check.sh", "MAP"), &[]).text();
        assert!(first.contains("> # The total is wrong\n> ```"), "{first}");
        assert!(first.contains("`f/check.sh`") && first.contains("MAP"));
        assert!(!first.contains("not taken"));
        let again = prompt(&source, ("f/check.sh", ""), &["it passes today".to_owned()]).text();
        assert!(again.contains("- it passes today"), "{again}");
    }
}
