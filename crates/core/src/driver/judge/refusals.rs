//! What refuses an attempt before any command is run, in the words of records and retries.

use crate::engine::attempt_record::{AttemptRecord, Judgement};
use crate::engine::evidence;
use crate::engine::failure_class;
use crate::engine::guards::Report;

/// Fails an attempt by how its session ended.
pub(super) fn session_failed(judgement: &mut Judgement, record: &AttemptRecord) {
    let class = &record.session.class;
    let why = match &record.session.blocked_reason {
        Some(reason) => format!(
            "the session says it is blocked: {}",
            evidence::sanitize(reason)
        ),
        None => format!(
            "the session ended as {}: it was stopped before it said it was done",
            class.text().replace('_', " ")
        ),
    };
    judgement.failure_class = Some(failure_class::of_session(class));
    judgement.failure_signature = Some(format!("session:{class}"));
    judgement.failure_excerpt = Some(why.clone());
    judgement.evidence = Some(why);
}

/// Fails an attempt by its diff.
pub(super) fn guards_failed(judgement: &mut Judgement, report: &Report) {
    let lines: Vec<String> = report
        .violations
        .iter()
        .map(|v| {
            let paths: Vec<_> = v
                .paths
                .iter()
                .map(|p| format!("`{}`", evidence::one_line(p)))
                .collect();
            let colon = if paths.is_empty() { "" } else { ": " };
            format!("- {}: {}{colon}{}", v.class, v.message, paths.join(", "))
        })
        .collect();
    judgement.failure_class = report.violations.first().map(|v| v.class.into());
    let mut signature: Vec<String> = report
        .violations
        .iter()
        .map(|v| format!("{}:{}", v.class, v.paths.join(",")))
        .collect();
    signature.sort();
    judgement.failure_signature = Some(format!("guards:{}", signature.join(";")));
    judgement.failure_excerpt = Some(lines.join("\n").trim_start_matches("- ").to_owned());
    judgement.evidence = Some(format!(
        "No command was run: the diff itself is refused.\n\n{}",
        lines.join("\n")
    ));
}
