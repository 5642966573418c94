//! `GW625`. See `report_cut_short.md`.

use crate::lint::context::WorkspaceCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::report_settings::{JudgeBy, ReportFormat};
use crate::pattern::TextPattern;

/// Options with which a runner ends at its first failure.
static STOPS: TextPattern = TextPattern::new(
    r"(?:^|\s)(-x|--exitfirst|--maxfail(?:=|\s)\S+|--bail(?:=\S+)?|-failfast|--fail-?fast|--stop-on-failure)(?:\s|$)",
);
static CARGO_TEST: TextPattern = TextPattern::new(r"\bcargo\s+(?:\+\S+\s+)?test\b");

pub(super) fn check(cx: &WorkspaceCx<'_>, out: &mut FindingSink) {
    let verification = &cx.ws.verification;
    for command in verification.sets.iter().flat_map(|set| &set.commands) {
        let command = &command.value;
        let (Some(shell), JudgeBy::NoNewFailures) = (&command.command, command.judge()) else {
            continue;
        };
        let format = command
            .report
            .as_ref()
            .and_then(|r| r.value.format.as_ref());
        let cargo = format
            .is_some_and(|f| matches!(f.value, ReportFormat::CargoJson | ReportFormat::CargoText));
        let stops = STOPS.captures(&shell.value);
        let why = match &stops {
            Some(found) => format!("`{}` ends it at a failure", found[1].trim()),
            None if cargo
                && CARGO_TEST.is_match(&shell.value)
                && !shell.value.contains("--no-fail-fast") =>
            {
                "without `--no-fail-fast` it ends with the first program of tests that fails"
                    .to_owned()
            }
            None => continue,
        };
        let message = format!(
            "`{}` is judged by its cases, and {why}: what comes behind an inherited failure is not judged",
            command.name()
        );
        out.at(&verification.path, shell.span.clone(), message)
            .help("have it run every case");
    }
}
