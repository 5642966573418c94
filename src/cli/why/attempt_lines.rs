//! What an attempt came to, in lines.

use gatewalk_core::engine::attempt_record::{AttemptRecord, Judgement};
use gatewalk_core::engine::failure_class::CommandVerdict;
use gatewalk_core::model::money::usd;
use gatewalk_core::model::recorded_word::RecordedWord;

/// Most lines of a failure that are shown.
const EVIDENCE_LINES: usize = 20;

/// The commands that failed, and the first lines of what they printed.
pub(super) fn failures(judgement: &Judgement) -> Vec<String> {
    let red = judgement
        .commands
        .iter()
        .filter(|c| c.verdict == CommandVerdict::Fail);
    let mut lines: Vec<String> = red
        .map(|c| format!("{}: `{}`", c.name, c.command))
        .collect();
    let evidence = judgement.evidence();
    let evidence = evidence.or(judgement.failure_excerpt());
    let evidence = evidence.unwrap_or_default().lines();
    let shown = evidence
        .filter(|l| !l.trim().is_empty())
        .take(EVIDENCE_LINES);
    lines.extend(shown.map(str::to_owned));
    lines
}

pub(super) fn attempt_line(a: &AttemptRecord) -> String {
    let how = match &a.judgement {
        None => "not judged yet".to_owned(),
        Some(j) if j.passed() => "passed".to_owned(),
        Some(j) => {
            let first = j
                .failure_excerpt()
                .unwrap_or_default()
                .lines()
                .next()
                .unwrap_or_default();
            let class = j.failure_class().map_or("failed", RecordedWord::text);
            // A guard's finding begins with its class.
            match first.strip_prefix(class) {
                Some(rest) if rest.starts_with(':') => first.to_owned(),
                _ => format!("{class}: {first}"),
            }
        }
    };
    let about = if a.figures.cost_estimated {
        "about "
    } else {
        ""
    };
    let cost = a
        .figures
        .cost_usd
        .map(|cost| format!("{about}{}", usd(cost)));
    let cost = cost.unwrap_or_else(|| "cost unknown".to_owned());
    format!(
        "#{} {} ({:.0}s, {cost}): {how}",
        a.number, a.agent, a.figures.duration_seconds
    )
}
