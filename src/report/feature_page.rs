//! Features as one HTML file that stands alone: no script, nothing loaded, every text escaped.

use super::timeline::{
    attempts_over_time, bars, cost_by_cause, duration, evidence_lines, requirements_by_state,
    short_commit, waits_by_cause,
};
use gatewalk_core::engine::evidence::counted;
use gatewalk_core::engine::feature_report::{FeatureReport, ReportedGate, ReportedUnit};
use gatewalk_core::engine::feature_stats::{Stats, Sum};
use gatewalk_core::model::id::short_id;
use gatewalk_core::model::money::{KnownCost, usd, usd_or_unknown};
use gatewalk_core::model::short_title::short_title;
use maud::Markup;
use std::fmt::Write;

/// What stands in the page's `style` element.
pub(crate) const STYLE: &str = include_str!("feature_page.css");

/// Returns the page of some features.
pub(crate) fn page(reports: &[FeatureReport]) -> String {
    let title = match reports {
        [one] => format!("{}: {}", one.feature, short_title(&one.title)),
        all => format!("{} features", all.len()),
    };
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\
         <title>{}</title><style>{STYLE}</style></head><body>\n",
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
            shown_title(&report.title),
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
    html.push_str("<h2>Time</h2>");
    html.push_str(&attempts_over_time(report).into_string());
    report.gates.iter().for_each(|gate| gate_table(html, gate));
    requirements(html, report);
    let waste = figures.waste.iter();
    let waste = waste.map(|(cause, sum)| (cause.clone(), f64::from(sum.attempts)));
    plot(
        html,
        "Waiting, by cause",
        &bars(&waits_by_cause(&report.waits), duration),
    );
    plot(
        html,
        "Cost, by what it went to",
        &bars(&cost_by_cause(&report.attempts), usd),
    );
    plot(
        html,
        "Failed attempts, by cause",
        &bars(&waste.collect(), |n| format!("{n:.0}")),
    );
    html.push_str("</main>\n");
}

/// Returns a title that can be taken in; a long one is whole where one points at it.
fn shown_title(whole: &str) -> String {
    let (short, whole) = (short_title(whole), escape(whole));
    match escape(&short) {
        short if short == whole => short,
        short => format!("<span title=\"{whole}\">{short}</span>"),
    }
}

fn plot(html: &mut String, title: &str, drawing: &Markup) {
    if !drawing.0.is_empty() {
        put(html, format_args!("<h2>{title}</h2>{}", drawing.0));
    }
}

/// What the head of a feature's page lists.
pub(super) fn facts(report: &FeatureReport) -> [(&'static str, String); 8] {
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
        ("What no check sees", unwitnessed(figures)),
    ]
}

/// How many places no check sees, and in how many of the units that landed that was looked for.
fn unwitnessed(figures: &Stats) -> String {
    match (figures.witnessed, figures.unwitnessed) {
        (0, _) => "not looked for".to_owned(),
        (units, places) => format!(
            "{} in {}",
            counted(places as usize, "place"),
            counted(units as usize, "unit")
        ),
    }
}

fn gate_table(html: &mut String, gate: &ReportedGate) {
    put(
        html,
        format_args!(
            "<h2>Gate {0} <small>{1}</small></h2><div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Units of gate {0}\"><table>",
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
            escape(short_id(&unit.id)),
            shown_title(&unit.title),
            escape(&unit.status),
            unit.attempts
        ),
    );
    if let Some(commit) = &unit.commit {
        let commit = escape(short_commit(commit));
        put(html, format_args!("commit <code>{commit}</code><br>"));
    }
    for (name, said) in evidence_lines(unit) {
        let (name, said) = (escape(&name), escape(&said));
        put(html, format_args!("<code>{name}</code> {said}<br>"));
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
    plot(
        html,
        "Requirements",
        &bars(&requirements_by_state(&report.requirements), |n| {
            format!("{n:.0}")
        }),
    );
    html.push_str("<ul>");
    for requirement in &report.requirements {
        let units: Vec<&str> = requirement.units.iter().map(|u| short_id(u)).collect();
        let by = if units.is_empty() {
            "no unit names it".to_owned()
        } else {
            format!(
                "{}: {}",
                units.join(", "),
                requirement.state.replace('_', " ")
            )
        };
        put(
            html,
            format_args!(
                "<li><b>{}</b> {} <small>{}</small></li>",
                escape(&requirement.id),
                escape(&requirement.text),
                escape(&by)
            ),
        );
    }
    html.push_str("</ul>\n");
}

fn put(html: &mut String, text: std::fmt::Arguments<'_>) {
    html.write_fmt(text).expect("writing to a string");
}

/// A sum as `stats` shows it.
fn cost(sum: &Sum) -> String {
    let known = KnownCost {
        usd: sum.cost_usd,
        unknown: sum.unknown_cost as usize,
    };
    known.to_string()
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
