//! How one command of an oracle ended, and what that proves.

use super::command_report::{distil, text_of};
use super::ports::ShellEnd;
use crate::engine::attempt_record::CommandResult;
use crate::engine::failure_class::CommandVerdict;
use crate::engine::oracle::OracleCommand;
use crate::engine::ran_tests::RanTests;
use crate::engine::{evidence, unproven};

/// How one command ended, and what it proved.
pub(super) struct CommandOutcome {
    pub(super) result: CommandResult,
    pub(super) evidence: Option<evidence::Evidence>,
    /// Tracked files that were not as prepared before it ran, or after its first run where there was a second one.
    pub(super) rewritten: Vec<String>,
    /// What ran of the tests, where it shows.
    pub(super) tests: Option<RanTests>,
    /// Whether it is red for the tests that did not run.
    pub(super) weakened: bool,
    /// Whether the base shows no cases to hold its own against.
    pub(super) base_unfit: bool,
}

/// Returns what a command that is judged by its exit code proved.
pub(super) fn outcome_of(
    command: &OracleCommand,
    end: &ShellEnd,
    rewritten: Vec<String>,
) -> CommandOutcome {
    let passed = end.ended.is_success();
    let text = text_of(end);
    let unproven = passed
        .then(|| unproven::why(&command.shell, &text))
        .flatten();
    let verdict = match (passed, &unproven) {
        (false, _) => CommandVerdict::Fail,
        (true, Some(_)) => CommandVerdict::Unproven,
        (true, None) => CommandVerdict::Pass,
    };
    let mut evidence = (verdict != CommandVerdict::Pass).then(|| distil(&command.shell, end));
    if let (Some(evidence), Some(why)) = (&mut evidence, &unproven) {
        evidence.error_lines.insert(0, why.clone());
    }
    let mut result = command_result(command, end, verdict);
    result.note = unproven.or(result.note);
    CommandOutcome {
        result,
        evidence,
        rewritten,
        tests: RanTests::of(&command.shell, &text),
        weakened: false,
        base_unfit: false,
    }
}

/// Returns how a command that was run goes on record.
pub(super) fn command_result(
    command: &OracleCommand,
    end: &ShellEnd,
    verdict: CommandVerdict,
) -> CommandResult {
    CommandResult {
        name: command.name.clone(),
        source: command.source.word().to_owned(),
        command: command.shell.clone(),
        exit: end.ended.exit_code(),
        seconds: (end.duration.as_secs_f64() * 1000.0).round() / 1000.0,
        verdict: verdict.into(),
        note: end.ended.note(),
        inherited: vec![],
        known_failures: None,
    }
}
