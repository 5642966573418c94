//! What commands said, in the words of records, retries and people.

use super::oracle_run::OracleOutcome;
use super::ports::ShellEnd;
use crate::engine::attempt_record::{CommandResult, Judgement};
use crate::engine::evidence::{self, CommandEnd, StreamExcerpt};
use crate::engine::oracle::OracleCommand;

pub(super) fn said_by_us(what: &str, why: String) -> evidence::Evidence {
    evidence::Evidence {
        command: what.to_owned(),
        ended: CommandEnd::Code(0),
        head: String::new(),
        tail: String::new(),
        fingerprint: format!("tampering:{why}"),
        error_lines: vec![why],
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

pub(super) fn skipped(command: &OracleCommand) -> CommandResult {
    CommandResult {
        name: command.name.clone(),
        source: command.source.word().to_owned(),
        command: command.shell.clone(),
        exit: None,
        seconds: 0.0,
        verdict: "skipped".to_owned(),
        note: Some("the diff touches nothing it is about".to_owned()),
    }
}

pub(super) fn distil(command: &OracleCommand, end: &ShellEnd) -> evidence::Evidence {
    let how = match (end.exit, &end.why) {
        (Some(code), _) => CommandEnd::Code(code),
        (None, Some(why)) if why.starts_with("signal") => {
            CommandEnd::Signal(why.trim_start_matches("signal ").parse().unwrap_or(0))
        }
        _ => CommandEnd::TimedOut,
    };
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
    evidence::distill(&command.shell, how, &stdout, &stderr)
}

pub(super) fn commands_said(judgement: &mut Judgement, verified: OracleOutcome) {
    judgement.commands = verified.commands;
    judgement.notices.extend(verified.notices);
    if verified.failures.is_empty() {
        judgement.passed = judgement.commands.iter().any(CommandResult::passed);
        if !judgement.passed {
            judgement.failure_class = Some("unproven".to_owned());
            judgement.failure_signature = Some("unproven".to_owned());
            let why = "no command of the oracle applied to this diff, so nothing proves it";
            judgement.failure_excerpt = Some(why.to_owned());
            judgement.evidence = Some(why.to_owned());
        }
        return;
    }
    let mut fingerprints: Vec<&str> = verified
        .failures
        .iter()
        .map(|f| f.fingerprint.as_str())
        .collect();
    fingerprints.sort_unstable();
    let first = &verified.failures[0];
    judgement.failure_class = Some(verified.class.unwrap_or("verification").to_owned());
    judgement.failure_signature = Some(fingerprints.join("+"));
    let line = first
        .error_lines
        .first()
        .map_or_else(|| first.tail.lines().last().unwrap_or(""), String::as_str);
    judgement.failure_excerpt = Some(format!("`{}` {}: {line}", first.command, first.ended));
    judgement.evidence = Some(
        verified
            .failures
            .iter()
            .map(evidence_text)
            .collect::<Vec<_>>()
            .join("\n\n"),
    );
}

/// Returns what the next session is told of a failed command.
pub(super) fn evidence_text(e: &evidence::Evidence) -> String {
    let mut text = format!("## `{}` ended with {}\n", e.command, e.ended);
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
