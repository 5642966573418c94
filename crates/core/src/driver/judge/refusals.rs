//! What refuses an attempt before any command is run, in the words of records and retries.

use crate::agents::SessionClass;
use crate::engine::attempt_record::{AttemptRecord, Judgement, WorkRefusal};
use crate::engine::evidence;
use crate::engine::failure_class::{self, FailureClass};
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
            "{}, before it said that it was done{}",
            class
                .known()
                .map_or("the session was stopped", SessionClass::said),
            last_words_of(record)
        ),
    };
    let signature = format!("session:{class}");
    let class = failure_class::of_session(class);
    judgement.refuse(WorkRefusal::told_alike(class, signature, why));
}

/// What a session is told whose predecessor spoke in place of working: the same prompt would get the same plan.
const UNHEARD: &str = "\n\nNobody reads a plan, approves one or answers in this session. Carry the work out yourself, now and \
    in files; where that is impossible, report blocked and say why.";

/// Fails an attempt by its diff.
pub(super) fn guards_failed(judgement: &mut Judgement, report: &Report, record: &AttemptRecord) {
    let Some(first) = report.violations.first() else {
        return;
    };
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
            let words = match v.class {
                FailureClass::EmptyDiff => last_words_of(record),
                _ => String::new(),
            };
            let paths = paths.join(", ");
            format!("- {}: {}{colon}{paths}{words}", v.class, v.message)
        })
        .collect();
    let mut signature: Vec<String> = report
        .violations
        .iter()
        .map(|v| format!("{}:{}", v.class, v.paths.join(",")))
        .collect();
    signature.sort();
    let lines = lines.join("\n");
    let spoke = first.class == FailureClass::EmptyDiff && record.session.last_words.is_some();
    let unheard = if spoke { UNHEARD } else { "" };
    judgement.refuse(WorkRefusal::new(
        first.class,
        format!("guards:{}", signature.join(";")),
        lines.trim_start_matches("- ").to_owned(),
        format!("No command was run: the diff itself is refused.\n\n{lines}{unheard}"),
    ));
}

/// Returns what a session said in place of work.
fn last_words_of(record: &AttemptRecord) -> String {
    let words = record.session.last_words.as_deref();
    words.map_or_else(String::new, |words| {
        format!("; its last words: {}", evidence::one_line(words))
    })
}
