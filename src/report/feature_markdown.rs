//! Features as Markdown, for a pipeline's summary or a pull request: what the page says, without its drawings.

use super::timeline::{cost_by_cause, duration, evidence_lines, short_commit, waits_by_cause};
use gatewalk_core::engine::evidence::one_line;
use gatewalk_core::engine::feature_report::{FeatureReport, ReportedGate, ReportedUnit};
use gatewalk_core::model::id::short_id;
use gatewalk_core::model::money::{usd, usd_or_unknown};
use gatewalk_core::model::short_title::short_title;
use std::collections::BTreeMap;

/// Returns the text of some features.
pub(crate) fn text(reports: &[FeatureReport]) -> String {
    let parts: Vec<String> = reports.iter().map(section).collect();
    parts.join("\n")
}

fn section(report: &FeatureReport) -> String {
    let figures = &report.figures;
    let facts: Vec<String> = super::feature_page::facts(report)
        .iter()
        .map(|(name, value)| format!("| {name} | {} |\n", cell(value)))
        .collect();
    let mut text = format!(
        "# {} ({})\n\n| | |\n|---|---|\n{}",
        cell(&short_title(&report.title)),
        cell(&figures.feature),
        facts.concat()
    );
    text.extend(report.gates.iter().map(gate));
    if !report.requirements.is_empty() {
        text.push_str("\n## Requirements\n\n");
    }
    for requirement in &report.requirements {
        let units: Vec<&str> = requirement.units.iter().map(|u| short_id(u)).collect();
        let by = match units.is_empty() {
            true => "no unit names it".to_owned(),
            false => units.join(", "),
        };
        let (id, what) = (cell(&requirement.id), cell(&requirement.text));
        let state = cell(&requirement.state.replace('_', " "));
        text.push_str(&format!("- {id}: {what} ({}: {state})\n", cell(&by)));
    }
    text += &sums(
        "Waiting, by cause",
        &waits_by_cause(&report.waits),
        duration,
    );
    text + &sums(
        "Cost, by what it went to",
        &cost_by_cause(&report.attempts),
        usd,
    )
}

/// A table of sums by cause; nothing where there are none.
fn sums(title: &str, sums: &BTreeMap<String, f64>, show: impl Fn(f64) -> String) -> String {
    if sums.is_empty() {
        return String::new();
    }
    let row = |(cause, sum): (&String, &f64)| {
        let cause = cell(&cause.replace('_', " "));
        format!("| {cause} | {} |\n", show(*sum))
    };
    let rows: String = sums.iter().map(row).collect();
    format!("\n## {title}\n\n| cause | |\n|---|---:|\n{rows}")
}

fn gate(gate: &ReportedGate) -> String {
    let rows: String = gate.units.iter().map(unit).collect();
    format!(
        "\n## Gate {}: {}\n\n| unit | status | attempts | cost | what its landing rests on |\n|---|---|---:|---:|---|\n{rows}",
        gate.number,
        cell(&gate.status.replace('_', " "))
    )
}

fn unit(unit: &ReportedUnit) -> String {
    let cost = match unit.attempts {
        0 => "–".to_owned(),
        _ => usd_or_unknown(unit.cost_usd),
    };
    let commit = unit.commit.iter();
    let commit = commit.map(|commit| format!("commit {}", cell(short_commit(commit))));
    let commands = evidence_lines(unit).into_iter();
    let commands = commands.map(|(name, said)| format!("{} {}", cell(&name), cell(&said)));
    let notices = unit.notices.iter().map(|n| format!("unusual: {}", cell(n)));
    let evidence: Vec<String> = commit.chain(commands).chain(notices).collect();
    format!(
        "| {} {} | {} | {} | {cost} | {} |\n",
        cell(short_id(&unit.id)),
        cell(&short_title(&unit.title)),
        cell(&unit.status.replace('_', " ")),
        unit.attempts,
        evidence.join("; ")
    )
}

/// Returns text that stays text in a cell of a table: no markup, no cell of its own, one line.
fn cell(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in one_line(text).chars() {
        match c {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '|' | '\\' | '`' | '*' | '_' | '[' | ']' | '!' | '#' | '~' | '@' => {
                safe.push('\\');
                safe.push(c);
            }
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_plan_makes_no_markup_and_no_cell() {
        for (text, want) in [
            ("a|b\nc", "a\\|b\\\\nc"),
            ("<img src=x>", "&lt;img src=x&gt;"),
            ("[x](y) `z` @ada", "\\[x\\](y) \\`z\\` \\@ada"),
        ] {
            assert_eq!(cell(text), want);
        }
    }
}
