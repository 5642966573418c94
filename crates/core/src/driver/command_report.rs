//! What commands said, in the words of records, retries and people.

use super::oracle_outcome::OracleOutcome;
use super::ports::ShellEnd;
use crate::engine::attempt_record::{AttemptVerdict, CommandResult, Judgement, WorkRefusal};
use crate::engine::command_end::{CommandEnd, Tampering};
use crate::engine::evidence::{self, StreamExcerpt, sanitize};
use crate::engine::failure_class::{CommandVerdict, FailureClass};
use crate::engine::inherited_cases;
use crate::engine::oracle::OracleCommand;
use crate::object_id::ObjectId;

/// Returns the evidence of what all commands of a verification together did to the files that judge.
pub(super) fn rewritten_judge(what: String) -> evidence::Evidence {
    evidence::Evidence {
        command: "the run itself".to_owned(),
        head: String::new(),
        tail: String::new(),
        fingerprint: format!("tampering:{what}"),
        error_lines: vec![],
        ended: CommandEnd::Voided(Tampering {
            what,
            aftermath: vec![],
        }),
    }
}

/// Returns the evidence of commands that changed the product while they judged it.
pub(super) fn rewritten_product(paths: &str) -> evidence::Evidence {
    evidence::Evidence {
        command: "the run itself".to_owned(),
        head: String::new(),
        tail: String::new(),
        fingerprint: format!("rewritten:{paths}"),
        error_lines: vec![format!(
            "the commands changed files of the work, so what passed is not what would land: {paths}. Leave in these files what running the work makes of them, or have a user name them under `generated_surfaces` in the unit; where units ran side by side without confinement, another one may have written them: `--jobs 1`, or a sandbox, keeps them apart"
        )],
        ended: CommandEnd::Exited(0),
    }
}

/// Returns what a command printed, both streams, as far as it was kept.
pub(super) fn text_of(end: &ShellEnd) -> String {
    [
        &end.stdout_head,
        &end.stdout_tail,
        &end.stderr_head,
        &end.stderr_tail,
    ]
    .map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    .join("\n")
}

/// Returns the result of a command that the diff is nothing to.
pub(super) fn skipped(command: &OracleCommand) -> CommandResult {
    let why = "the diff touches nothing it is about".to_owned();
    skipped_because(command, why)
}

/// Returns the result of a command that was not run.
pub(super) fn skipped_because(command: &OracleCommand, why: String) -> CommandResult {
    CommandResult::not_run(command, CommandVerdict::Skipped, why)
}

/// Returns the result of a command that passed on another tree, since which none of its inputs changed.
pub(super) fn reused(command: &OracleCommand, tree: &ObjectId) -> CommandResult {
    let tree = tree.short();
    let why = format!("none of its `inputs` changed since it passed on the tree {tree}");
    CommandResult::not_run(command, CommandVerdict::Reused, why)
}

pub(super) fn distil(command: &str, end: &ShellEnd) -> evidence::Evidence {
    let stdout = StreamExcerpt {
        head: &end.stdout_head,
        tail: &end.stdout_tail,
        omitted: end.stdout_omitted,
    };
    let stderr = StreamExcerpt {
        head: &end.stderr_head,
        tail: &end.stderr_tail,
        omitted: end.stderr_omitted,
    };
    let mut evidence = evidence::distill(command, end.ended.clone(), &stdout, &stderr);
    if let CommandEnd::Voided(tampering) = &end.ended {
        let lines = tampering.aftermath.iter().map(|line| sanitize(line));
        evidence.error_lines.splice(..0, lines);
    }
    evidence
}

pub(super) fn record_commands(judgement: &mut Judgement, verified: OracleOutcome) {
    judgement.commands = verified.commands;
    judgement.unusual.extend(verified.notices.iter().cloned());
    judgement.notices.extend(verified.notices);
    let inherited = judgement
        .commands
        .iter()
        .filter_map(inherited_cases::notice);
    let inherited: Vec<String> = inherited.collect();
    judgement.notices.extend(inherited);
    if verified.failures.is_empty() {
        judgement.verdict = match judgement.commands.iter().any(CommandResult::passed) {
            true => AttemptVerdict::Passed,
            false => {
                let why = "no command of the oracle applied to this diff, so nothing proves it";
                let (why, signature) = (why.to_owned(), "unproven".to_owned());
                let class = FailureClass::Unproven;
                AttemptVerdict::Refused(WorkRefusal::told_alike(class, signature, why))
            }
        };
        return;
    }
    let mut fingerprints: Vec<&str> = verified
        .failures
        .iter()
        .map(|f| f.fingerprint.as_str())
        .collect();
    fingerprints.sort_unstable();
    let evidence: Vec<String> = verified.failures.iter().map(evidence_text).collect();
    judgement.refuse(WorkRefusal::new(
        verified.class.unwrap_or(FailureClass::Verification),
        fingerprints.join("+"),
        excerpt(&verified.failures),
        evidence.join("\n\n"),
    ));
}

/// Returns one line for the failure that counts most: tampering, else the first.
fn excerpt(failures: &[evidence::Evidence]) -> String {
    let voided = |e: &&evidence::Evidence| matches!(e.ended, CommandEnd::Voided(_));
    let Some(first) = failures.iter().find(voided).or_else(|| failures.first()) else {
        return String::new();
    };
    let how = format!("`{}` {}", first.command, first.ended);
    if voided(&first) {
        return sanitize(&how);
    }
    let last = || first.tail.lines().last().unwrap_or("");
    let line = first.error_lines.first().map_or_else(last, String::as_str);
    match line.trim() {
        "" => how,
        line => format!("{how}: {line}"),
    }
}

/// Returns what the next session is shown of a failed command.
pub(super) fn evidence_text(e: &evidence::Evidence) -> String {
    let mut text = format!("## `{}` {}\n", e.command, sanitize(&e.ended.verb_phrase()));
    let block =
        |title: &str, body: &str| format!("\n{title}:\n\n````text\n{}\n````\n", body.trim_end());
    if !e.error_lines.is_empty() {
        text.push_str(&block(
            "Lines that name what is wrong",
            &e.error_lines.join("\n"),
        ));
    }
    if !e.head.is_empty() {
        text.push_str(&block("How the output begins", &e.head));
    }
    if !e.tail.trim().is_empty() {
        text.push_str(&block("How the output ends", &e.tail));
    }
    text
}
