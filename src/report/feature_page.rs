//! Features as one HTML file that stands alone: no script, nothing loaded, every text escaped.

use gatewalk_core::engine::feature_report::{
    FeatureReport, ReportedAttempt, ReportedGate, ReportedUnit, ReportedWait,
};
use gatewalk_core::engine::feature_stats::Sum;
use gatewalk_core::model::money::{KnownCost, usd_or_unknown};
use std::collections::BTreeMap;
use std::fmt::Write;

const STYLE: &str = include_str!("feature_page.css");

/// Width of a timeline, in its own units.
const WIDE: f64 = 1000.0;

/// Height of a unit's row in a timeline.
const ROW: f64 = 18.0;

/// Returns the page of some features.
pub(crate) fn page(reports: &[FeatureReport]) -> String {
    let title = match reports {
        [one] => format!("{}: {}", one.feature, one.title),
        all => format!("{} features", all.len()),
    };
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\
         <title>{}</title><style>\n{STYLE}</style></head><body>\n",
        escape(&title)
    );
    for report in reports {
        section(&mut html, report);
    }
    html.push_str("</body></html>\n");
    html
}

fn section(html: &mut String, report: &FeatureReport) {
    let figures = &report.figures;
    put(
        html,
        format_args!(
            "<main><h1>{} <small>{}</small></h1><dl>",
            escape(&report.title),
            escape(&report.feature)
        ),
    );
    for (name, value) in facts(report) {
        put(
            html,
            format_args!("<div><dt>{name}</dt><dd>{}</dd></div>", escape(&value)),
        );
    }
    html.push_str("</dl>\n");
    timeline(html, report);
    report.gates.iter().for_each(|gate| gate_table(html, gate));
    requirements(html, report);
    bars(
        html,
        "Waiting, by cause",
        &by_cause(&report.waits),
        duration,
    );
    let waste = figures
        .waste
        .iter()
        .map(|(cause, sum)| (cause.clone(), f64::from(sum.attempts)));
    bars(html, "Failed attempts, by cause", &waste.collect(), |n| {
        format!("{n:.0}")
    });
    html.push_str("</main>\n");
}

/// What the head of a feature's page lists.
fn facts(report: &FeatureReport) -> [(&'static str, String); 7] {
    let figures = &report.figures;
    let waited = report
        .waits
        .iter()
        .fold(0.0, |sum, wait| sum + wait.seconds);
    let is_timed = report.attempts.iter().any(|a| a.seconds.is_some());
    let worked = if is_timed {
        duration(figures.all.seconds)
    } else {
        "unknown".to_owned()
    };
    [
        ("Status", figures.status.clone()),
        (
            "Units",
            format!("{} of {} done", figures.done, figures.units),
        ),
        (
            "Attempts",
            format!("{}, {} passed", figures.all.attempts, figures.passed),
        ),
        ("Cost", cost(&figures.all)),
        ("Spent on failed attempts", cost(&figures.wasted)),
        ("Agents at work", worked),
        ("Waiting for a user", duration(waited)),
    ]
}

/// Attempts as bars over time, a row a unit; what passed and what failed differ by shape as well as by colour.
fn timeline(html: &mut String, report: &FeatureReport) {
    let ended = |began: f64, seconds: Option<f64>| began + seconds.unwrap_or(0.0);
    let spans: Vec<(f64, f64)> = (report.attempts.iter())
        .filter_map(|a| Some((a.began?, ended(a.began?, a.seconds))))
        .chain(report.waits.iter().map(|w| (w.began, w.began + w.seconds)))
        .collect();
    let first = spans.iter().map(|s| s.0).fold(f64::INFINITY, f64::min);
    let last = spans.iter().map(|s| s.1).fold(f64::NEG_INFINITY, f64::max);
    if spans.is_empty() {
        html.push_str("<p>Nothing has been tried yet.</p>\n");
        return;
    }
    let x = |at: f64| (at - first) / (last - first).max(1.0) * WIDE;
    let mut units: Vec<&str> = Vec::new();
    for attempt in &report.attempts {
        if !units.contains(&attempt.unit.as_str()) {
            units.push(&attempt.unit);
        }
    }
    let height = ROW * units.len().max(1) as f64;
    put(
        html,
        format_args!(
            "<h2>Time</h2><figure><svg viewBox=\"-90 0 {} {height}\" role=\"img\" aria-label=\"Attempts over time\">",
            WIDE + 100.0
        ),
    );
    for wait in &report.waits {
        put(
            html,
            format_args!(
                "<rect class=\"wait\" x=\"{:.2}\" y=\"0\" width=\"{:.2}\" height=\"{height}\"><title>{} waited {}</title></rect>",
                x(wait.began),
                x(wait.began + wait.seconds) - x(wait.began),
                escape(&wait.of),
                duration(wait.seconds)
            ),
        );
    }
    for (row, unit) in units.iter().enumerate() {
        let y = ROW * row as f64;
        put(
            html,
            format_args!(
                "<text x=\"-6\" y=\"{:.1}\">{}</text>",
                y + 13.0,
                escape(short(unit))
            ),
        );
        for attempt in report.attempts.iter().filter(|a| a.unit == *unit) {
            attempt_bar(html, attempt, y + 15.0, &x);
        }
    }
    html.push_str("</svg><figcaption>Tall bars passed, short bars failed; shaded spans waited for a user.</figcaption></figure>\n");
}

/// One attempt as a bar that stands on `bottom`; `x` gives the place of a moment.
fn attempt_bar(html: &mut String, attempt: &ReportedAttempt, bottom: f64, x: &dyn Fn(f64) -> f64) {
    let Some(began) = attempt.began else { return };
    let wide = (x(began + attempt.seconds.unwrap_or(0.0)) - x(began)).max(2.0);
    let (class, high, outcome) = match attempt.passed {
        true => ("pass", 12.0, "passed"),
        false => ("fail", 6.0, attempt.cause.as_deref().unwrap_or("failed")),
    };
    put(
        html,
        format_args!(
            "<rect class=\"{class}\" x=\"{:.2}\" y=\"{:.1}\" width=\"{wide:.2}\" height=\"{high}\"><title>{} attempt {}: {}, {}, {}</title></rect>",
            x(began),
            bottom - high,
            escape(&attempt.unit),
            attempt.number,
            escape(outcome),
            attempt
                .seconds
                .map_or_else(|| "time unknown".to_owned(), duration),
            usd_or_unknown(attempt.cost_usd)
        ),
    );
}

fn gate_table(html: &mut String, gate: &ReportedGate) {
    put(
        html,
        format_args!(
            "<h2>Gate {} <small>{}</small></h2><div class=\"wide\"><table>",
            gate.number,
            escape(&gate.status)
        ),
    );
    html.push_str("<thead><tr><th>Unit</th><th>Status</th><th>Attempts</th><th>Cost</th><th>What its landing rests on</th></tr></thead><tbody>");
    gate.units.iter().for_each(|unit| unit_row(html, unit));
    html.push_str("</tbody></table></div>\n");
}

fn unit_row(html: &mut String, unit: &ReportedUnit) {
    let cost = match unit.attempts {
        0 => "–".to_owned(),
        _ => usd_or_unknown(unit.cost_usd),
    };
    put(
        html,
        format_args!(
            "<tr><td><b>{}</b> {}</td><td>{}</td><td>{}</td><td>{cost}</td><td>",
            escape(short(&unit.id)),
            escape(&unit.title),
            escape(&unit.status),
            unit.attempts
        ),
    );
    for command in &unit.evidence {
        let seconds = command
            .seconds
            .map_or_else(String::new, |s| format!(", {}", duration(s)));
        put(
            html,
            format_args!(
                "<code>{}</code> {}{seconds}<br>",
                escape(&command.name),
                escape(&command.verdict)
            ),
        );
    }
    for notice in &unit.notices {
        put(
            html,
            format_args!("<em>Unusual: {}</em><br>", escape(notice)),
        );
    }
    html.push_str("</td></tr>");
}

fn requirements(html: &mut String, report: &FeatureReport) {
    if report.requirements.is_empty() {
        return;
    }
    html.push_str("<h2>Requirements</h2><ul>");
    for requirement in &report.requirements {
        let units: Vec<&str> = requirement.units.iter().map(|u| short(u)).collect();
        let by = if units.is_empty() {
            "no unit names it".to_owned()
        } else {
            units.join(", ")
        };
        put(
            html,
            format_args!(
                "<li><b>{}</b> {}</li>",
                escape(&requirement.id),
                escape(&by)
            ),
        );
    }
    html.push_str("</ul>\n");
}

fn by_cause(waits: &[ReportedWait]) -> BTreeMap<String, f64> {
    let mut sums = BTreeMap::new();
    for wait in waits {
        *sums.entry(wait.cause.clone()).or_insert(0.0) += wait.seconds;
    }
    sums
}

fn bars(
    html: &mut String,
    title: &str,
    sums: &BTreeMap<String, f64>,
    show: impl Fn(f64) -> String,
) {
    let most = sums.values().copied().fold(0.0, f64::max);
    if most <= 0.0 {
        return;
    }
    put(
        html,
        format_args!("<h2>{title}</h2><table class=\"bars\"><tbody>"),
    );
    for (cause, sum) in sums {
        put(
            html,
            format_args!(
                "<tr><td>{}</td><td>{}</td><td><meter max=\"{most}\" value=\"{sum}\">{}</meter></td></tr>",
                escape(&cause.replace('_', " ")),
                show(*sum),
                show(*sum)
            ),
        );
    }
    html.push_str("</tbody></table>\n");
}

fn put(html: &mut String, text: std::fmt::Arguments<'_>) {
    html.write_fmt(text).expect("writing to a string");
}

/// Returns the last part of a unit's id.
fn short(id: &str) -> &str {
    id.rsplit('/').next().unwrap_or(id)
}

/// A sum as `stats` shows it.
fn cost(sum: &Sum) -> String {
    let known = KnownCost {
        usd: sum.cost_usd,
        unknown: sum.unknown_cost as usize,
    };
    known.to_string()
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 60.0 => format!("{s:.1} s"),
        s if s < 3600.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// Returns text that is only text: markup and what steers a terminal or the direction of writing is shown, not obeyed.
fn escape(text: &str) -> String {
    let text = gatewalk_core::engine::evidence::sanitize(text);
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c => safe.push(c),
        }
    }
    safe
}
