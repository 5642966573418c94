//! `GW624`. See `cases_without_report.md`.

use crate::lint::context::WorkspaceCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::report_settings::JudgeBy;
use crate::model::verification::{Tier, VerificationCommand};

pub(super) fn check(cx: &WorkspaceCx<'_>, out: &mut FindingSink) {
    let verification = &cx.ws.verification;
    for command in verification.sets.iter().flat_map(|set| &set.commands) {
        let command = &command.value;
        if let (Some(judge), JudgeBy::NoNewFailures) = (&command.judge, command.judge()) {
            if let Some(why) = unfit(command) {
                let message = format!("`{}` {why}", command.name());
                out.at(&verification.path, judge.span.clone(), message);
            }
            continue;
        }
        let unread = [
            ("report", command.report.as_ref().map(|r| &r.span)),
            (
                "known_failures",
                command.known_failures.as_ref().map(|k| &k.span),
            ),
        ];
        for (key, span) in unread {
            if let Some(span) = span {
                let message = format!(
                    "`{key}` of `{}` is not read: its exit code decides",
                    command.name()
                );
                out.at(&verification.path, span.clone(), message)
                    .help("`judge: no_new_failures` reads it");
            }
        }
    }
}

/// What keeps a command from being judged by its cases.
fn unfit(command: &VerificationCommand) -> Option<&'static str> {
    let report = command.report.as_ref();
    if report.is_none_or(|r| r.value.format.is_none()) {
        return Some("is judged by its cases, and no `report` with a `format` names them");
    }
    let path = report.and_then(|r| r.value.path.as_ref());
    if path.is_some_and(|path| leaves(&path.value)) {
        return Some(
            "names a `report` outside of the repository, where no command's work is looked for",
        );
    }
    (command.tier() == Tier::Broad).then_some(
        "is judged by its cases in the broad tier, which has no base to hold them against",
    )
}

fn leaves(path: &str) -> bool {
    path.starts_with(['/', '~']) || path.split('/').any(|part| part == "..")
}
