//! A feature as `status` prints it, from what `status --json` reports.

use super::lease_rows;
use crate::cli::marks::UnitMark;
use crate::serve::attention;
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::engine::inherited_cases::InheritedCases;
use gatewalk_core::model::money::usd;
use gatewalk_core::model::short_title::short_title;
use gatewalk_core::model::status_machine::FeatureStatus;
use gatewalk_core::model::unit::ParkCause;
use gatewalk_host::state_repository::Selected;
use serde_json::Value;

/// Most places shown that no check sees.
const UNWITNESSED_LINES: usize = 5;

/// With more features under way than this, their units are not listed unless one is named.
const DETAILED_FEATURES: usize = 4;

fn text(v: &Value) -> String {
    sanitize(v.as_str().unwrap_or_default())
}

/// Returns where a feature, gate or unit stands.
fn status(row: &Value) -> String {
    match row["is_unreadable"] == true {
        true => "unreadable".to_owned(),
        false => text(&row["status"]),
    }
}

/// How much is shown of a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Detail {
    Line,
    NextSteps,
    /// With marks, where a user looks.
    Units {
        marks: bool,
    },
}

/// Adds what is shown of features, each with its row; of one that was `named` everything, `marks` where a user looks.
pub(super) fn print_all(
    out: &mut Vec<String>,
    (shown, rows): (&[Selected], &[Value]),
    named: bool,
    marks: bool,
) {
    let live = |f: &Selected| f.feature().plan.status() == FeatureStatus::Active;
    let is_planned = |f: &Selected| f.feature().plan.status() == FeatureStatus::Planned;
    let rests = !shown.iter().any(live);
    let few_planned = shown.iter().filter(|f| is_planned(f)).count() <= DETAILED_FEATURES;
    let detailed = shown.iter().filter(|f| live(f)).count() <= DETAILED_FEATURES;
    for (selected, row) in shown.iter().zip(rows) {
        let detail = match (live(selected), detailed) {
            _ if named => Detail::Units { marks },
            (true, true) => Detail::Units { marks },
            (true, false) => Detail::NextSteps,
            (false, _) if attention::has_errors(row) => Detail::NextSteps,
            // Where nothing is under way, what can be begun is what is next.
            (false, _) if rests && few_planned && is_planned(selected) => Detail::NextSteps,
            (false, _) => Detail::Line,
        };
        print(out, selected, row, detail);
    }
}

fn print(out: &mut Vec<String>, selected: &Selected, row: &Value, detail: Detail) {
    let members = || selected.feature().members();
    let settled = members().filter(|m| m.status().is_settled()).count();
    out.push(format!(
        "{:<16} {:<10} {settled}/{} units  {}",
        text(&row["feature"]),
        status(row),
        members().count(),
        short_title(&text(&row["title"]))
    ));
    if detail != Detail::Line {
        out.extend(lease_rows::line(&row["lease"]));
    }
    if let Detail::Units { marks } = detail {
        print_units(out, row, marks);
    }
    if detail != Detail::Line {
        let steps = row["next_steps"].as_array().into_iter().flatten();
        out.extend(steps.map(|step| format!("  next: {}", text(step))));
    }
}

fn print_units(out: &mut Vec<String>, row: &Value, marks: bool) {
    let mut gate = &Value::Null;
    for unit in row["units"].as_array().into_iter().flatten() {
        if unit["gate"] != *gate {
            gate = &unit["gate"];
            let mut gates = row["gates"].as_array().into_iter().flatten();
            let status = gates.find(|g| g["gate"] == *gate).map(status);
            out.push(format!("  gate {gate}  {}", status.unwrap_or_default()));
        }
        out.push(unit_line(unit, marks));
    }
    if row["uncommitted_plan_files"].as_u64().unwrap_or(0) > 0 {
        out.push("  the plan has uncommitted edits, which are not in effect (`--commit-plan` commits them)".to_owned());
    }
    if row["hooks"] == "skip" {
        out.push(
            "  hooks: skip: your own git hooks do not judge what lands (config.yml)".to_owned(),
        );
    }
    if let Some(isolation) = row["isolation"].as_str() {
        out.push(format!("  isolation: {isolation} (the last session)"));
    }
    let notices = row["notices"].as_array().into_iter().flatten();
    out.extend(notices.map(|notice| format!("  unusual: {}", text(notice))));
    let inherited = row["inherited"].as_array().into_iter().flatten();
    let inherited = inherited.filter_map(|c| serde_json::from_value(c.clone()).ok());
    out.extend(inherited.map(|c: InheritedCases| sanitize(&format!("  inherited: {c}"))));
    let unrun = row["not_run"].as_array().into_iter().flatten();
    out.extend(unrun.map(|c| {
        let [name, set, why] = ["name", "set", "why"].map(|key| text(&c[key]));
        format!("  not run on the tip: {name} ({set}): {why}")
    }));
    let unwitnessed: Vec<&Value> = row["unwitnessed"]
        .as_array()
        .into_iter()
        .flatten()
        .collect();
    let shown = unwitnessed.iter().take(UNWITNESSED_LINES);
    out.extend(shown.map(|line| format!("  no check sees: {}", text(line))));
    if unwitnessed.len() > UNWITNESSED_LINES {
        let more = unwitnessed.len() - UNWITNESSED_LINES;
        out.push(format!(
            "  no check sees: … and {more} more lines (gatewalk pr {})",
            text(&row["feature"])
        ));
    }
}

fn unit_line(unit: &Value, marks: bool) -> String {
    let mark = match unit["running"] == true {
        true => "running".to_owned(),
        false => status(unit),
    };
    let why = unit["why"].as_str();
    let why = why.map(|w| format!("  ({})", sanitize(ParkCause::meaning_of(w))));
    let cost = unit["cost_usd"].as_f64().map(|c| format!("  {}", usd(c)));
    format!(
        "  {} {:<24} {mark:<14} {}{}{}",
        UnitMark::of_unit(unit).shown(marks),
        text(&unit["id"]).rsplit('/').next().unwrap_or_default(),
        short_title(&text(&unit["title"])),
        cost.unwrap_or_default(),
        why.unwrap_or_default(),
    )
}
