//! Drawings of a feature's time: its attempts, and what it waited for. They stand in a page of their own and in served ones.

use gatewalk_core::engine::evidence::{first_named, sanitize};
use gatewalk_core::engine::feature_report::{
    FeatureReport, ReportedAttempt, ReportedCommand, ReportedRequirement, ReportedUnit,
    ReportedWait,
};
use gatewalk_core::model::id::short_id;
use gatewalk_core::model::money::usd_or_unknown;
use maud::{Markup, html};
use std::collections::BTreeMap;

/// Width of a drawing, in its own units.
const WIDE: f64 = 1000.0;
/// Height of a unit's row.
const ROW: f64 = 18.0;
/// The most inherited cases that are named.
const NAMED_CASES: usize = 5;
/// Space for names before a drawing.
const NAMES: f64 = 90.0;

/// Returns the attempts as bars over time, a row a unit; what passed and what failed differ by shape as well as by colour.
pub(crate) fn attempts_over_time(report: &FeatureReport) -> Markup {
    let ended = |began: f64, seconds: Option<f64>| began + seconds.unwrap_or(0.0);
    let spans: Vec<(f64, f64)> = (report.attempts.iter())
        .filter_map(|a| Some((a.began?, ended(a.began?, a.seconds))))
        .chain(report.waits.iter().map(|w| (w.began, w.began + w.seconds)))
        .collect();
    if spans.is_empty() {
        return html! { p { "Nothing has been tried yet." } };
    }
    let first = spans.iter().map(|s| s.0).fold(f64::INFINITY, f64::min);
    let last = spans.iter().map(|s| s.1).fold(f64::NEG_INFINITY, f64::max);
    let x = |at: f64| (at - first) / (last - first).max(1.0) * WIDE;
    let mut units: Vec<&str> = Vec::new();
    for attempt in &report.attempts {
        if !units.contains(&attempt.unit.as_str()) {
            units.push(&attempt.unit);
        }
    }
    let height = ROW * units.len().max(1) as f64;
    let view = format!("-{NAMES} 0 {} {height}", WIDE + NAMES + 10.0);
    html! {
        figure tabindex="0" {
            svg .timeline viewBox=(view) role="img" aria-label="Attempts over time" {
                @for wait in &report.waits { (wait_span(wait, height, &x)) }
                @for (row, unit) in units.iter().enumerate() {
                    @let y = ROW * row as f64;
                    text x="-6" y=(format!("{:.1}", y + 13.0)) { (sanitize(short_id(unit))) }
                    @for attempt in report.attempts.iter().filter(|a| a.unit == *unit) {
                        (attempt_bar(attempt, y + 15.0, &x))
                    }
                }
            }
            figcaption { "Tall bars passed, short bars failed; shaded spans waited for a user." }
        }
    }
}

fn wait_span(wait: &ReportedWait, height: f64, x: &dyn Fn(f64) -> f64) -> Markup {
    let (began, ended) = (x(wait.began), x(wait.began + wait.seconds));
    html! {
        rect .wait x=(format!("{began:.2}")) y="0" width=(format!("{:.2}", ended - began)) height=(height) {
            title { (sanitize(&wait.of)) " waited " (duration(wait.seconds)) }
        }
    }
}

/// One attempt as a bar that stands on `bottom`; `x` gives the place of a moment.
fn attempt_bar(attempt: &ReportedAttempt, bottom: f64, x: &dyn Fn(f64) -> f64) -> Markup {
    let Some(began) = attempt.began else {
        return html! {};
    };
    let wide = (x(began + attempt.seconds.unwrap_or(0.0)) - x(began)).max(2.0);
    let (class, high, outcome) = match attempt.passed {
        true => ("pass", 12.0, "passed"),
        false => ("fail", 6.0, attempt.cause.as_deref().unwrap_or("failed")),
    };
    let took = attempt
        .seconds
        .map_or_else(|| "time unknown".to_owned(), duration);
    html! {
        rect class=(class) x=(format!("{:.2}", x(began))) y=(format!("{:.1}", bottom - high))
            width=(format!("{wide:.2}")) height=(high) {
            title {
                (sanitize(&attempt.unit)) " attempt " (attempt.number) ": " (sanitize(outcome)) ", " (took) ", "
                (usd_or_unknown(attempt.cost_usd))
            }
        }
    }
}

/// Returns sums by cause as bars with their figures; nothing where all are nothing.
pub(crate) fn bars(sums: &BTreeMap<String, f64>, show: impl Fn(f64) -> String) -> Markup {
    let most = sums.values().copied().fold(0.0, f64::max);
    if most <= 0.0 {
        return html! {};
    }
    // Names and figures take their share of the width.
    let (from, wide) = (260.0, 560.0);
    let height = 26 * sums.len();
    html! {
        figure tabindex="0" {
            svg .bars viewBox=(format!("0 0 {WIDE} {height}")) role="img" aria-label="Sums by cause" {
                @for (row, (cause, sum)) in sums.iter().enumerate() {
                    @let y = 26 * row;
                    text .name x=(from - 10.0) y=(y + 17) { (sanitize(&cause.replace('_', " "))) }
                    rect .bar x=(from) y=(y + 5) width=(format!("{:.1}", (sum / most * wide).max(2.0))) height="16" rx="2" {}
                    text .figure x=(format!("{:.1}", from + 10.0 + (sum / most * wide).max(2.0))) y=(y + 17) { (show(*sum)) }
                }
            }
        }
    }
}

/// Returns how long a feature waited, by cause.
pub(crate) fn waits_by_cause(waits: &[ReportedWait]) -> BTreeMap<String, f64> {
    let mut sums = BTreeMap::new();
    for wait in waits {
        *sums.entry(wait.cause.clone()).or_insert(0.0) += wait.seconds;
    }
    sums
}

/// Returns what attempts cost by what it went to, as far as it is known: to what landed, or to a failure's cause.
pub(crate) fn cost_by_cause(attempts: &[ReportedAttempt]) -> BTreeMap<String, f64> {
    let mut sums = BTreeMap::new();
    for attempt in attempts {
        let cause = match attempt.passed {
            true => "passed",
            false => attempt.cause.as_deref().unwrap_or("failed"),
        };
        *sums.entry(cause.to_owned()).or_insert(0.0) += attempt.cost_usd.unwrap_or(0.0);
    }
    sums.retain(|_, usd| *usd > 0.0);
    sums
}

/// Returns how many requirements there are of each state.
pub(crate) fn requirements_by_state(all: &[ReportedRequirement]) -> BTreeMap<String, f64> {
    let mut sums = BTreeMap::new();
    for requirement in all {
        *sums.entry(requirement.state.clone()).or_insert(0.0) += 1.0;
    }
    sums
}

/// Returns the commands that a unit's landing rests on, each in a few words.
pub(crate) fn evidence_lines(unit: &ReportedUnit) -> Vec<(String, String)> {
    let line = |command: &ReportedCommand| {
        let seconds = command.seconds.map(|s| format!(", {}", duration(s)));
        let cases = &command.inherited;
        let inherited = (!cases.is_empty()).then(|| {
            let named = first_named(cases, NAMED_CASES);
            format!("; {} fail as before the work: {named}", cases.len())
        });
        let parts = [Some(command.verdict.clone()), seconds, inherited];
        (command.name.clone(), parts.into_iter().flatten().collect())
    };
    unit.evidence.iter().map(line).collect()
}

/// Returns a commit as it is named in a text.
pub(crate) fn short_commit(commit: &str) -> &str {
    commit.get(..10).unwrap_or(commit)
}

/// Returns a stretch of time in words.
pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 60.0 => format!("{s:.1} s"),
        s if s < 3600.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_landing_rests_on_says_what_failed_as_before() {
        let command = |inherited: &[&str]| ReportedCommand {
            name: "tests".to_owned(),
            verdict: "pass".to_owned(),
            seconds: Some(2.0),
            inherited: inherited.iter().map(ToString::to_string).collect(),
        };
        let unit = ReportedUnit {
            id: "F/T01".to_owned(),
            title: String::new(),
            status: "done".to_owned(),
            attempts: 1,
            cost_usd: None,
            commit: None,
            evidence: vec![command(&[]), command(&["a", "b"])],
            notices: vec![],
        };
        let said: Vec<String> = evidence_lines(&unit).into_iter().map(|l| l.1).collect();
        assert_eq!(
            said,
            [
                "pass, 2.0 s",
                "pass, 2.0 s; 2 fail as before the work: a, b"
            ]
        );
    }

    #[test]
    fn cost_is_summed_by_what_it_went_to_and_unknown_cost_is_no_sum() {
        let attempt = |cause: Option<&str>, cost_usd: Option<f64>| ReportedAttempt {
            unit: "F/T01".to_owned(),
            number: 1,
            began: None,
            seconds: None,
            passed: cause.is_none(),
            cause: cause.map(str::to_owned),
            cost_usd,
        };
        let sums = cost_by_cause(&[
            attempt(None, Some(1.0)),
            attempt(None, Some(0.5)),
            attempt(Some("timeout"), Some(2.0)),
            attempt(Some("blocked"), None),
        ]);
        let want = [("passed".to_owned(), 1.5), ("timeout".to_owned(), 2.0)];
        assert_eq!(sums, BTreeMap::from(want));
    }
}
