//! The lines of the board's screen, from the same model as every other view: what `status --json` and `attempts show --json`
//! print. Nothing here looks at the world.

use super::{column, screen_text};
use crate::cli::marks::UnitMark;
use crate::serve::attention::{has_errors, list, of_repository, text};
use gatewalk_core::model::money::usd_or_unknown;
use gatewalk_core::model::short_title::short_title;
use serde_json::Value;

/// How a line looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineStyle {
    Plain,
    Heading,
    Selected,
    Soft,
    NeedsYou,
    AtWork,
    Added,
    Removed,
}

/// A line, longer than a terminal perhaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ScreenLine {
    pub(super) text: String,
    pub(super) style: LineStyle,
}

impl ScreenLine {
    pub(super) fn new(style: LineStyle, text: impl Into<String>) -> ScreenLine {
        let text = text.into();
        ScreenLine { text, style }
    }

    /// Returns it in lines that fit.
    pub(super) fn wrapped(self, width: usize) -> Vec<ScreenLine> {
        let texts = screen_text::wrapped(&self.text, width).into_iter();
        let style = self.style;
        texts.map(|text| ScreenLine { text, style }).collect()
    }
}

fn live(status: &Value) -> impl Iterator<Item = &Value> {
    let all = list(status, "features").iter();
    all.filter(|f| super::is_shown(text(f, "status")))
}

/// Returns the units that are listed, by their columns.
pub(super) fn columns(status: &Value) -> Vec<(&'static str, Vec<&Value>)> {
    let units: Vec<&Value> = live(status).flat_map(|f| list(f, "units")).collect();
    let of = |name: &&'static str| {
        let own = units.iter().filter(|unit| column(unit) == Some(name));
        (*name, own.copied().collect::<Vec<_>>())
    };
    let all = super::COLUMNS.iter().map(of);
    all.filter(|(_, units)| !units.is_empty()).collect()
}

/// Returns a unit of a status with its feature.
pub(super) fn find<'a>(status: &'a Value, id: &str) -> Option<(&'a Value, &'a Value)> {
    let features = list(status, "features").iter();
    let mut units = features.flat_map(|f| list(f, "units").iter().map(move |unit| (f, unit)));
    units.find(|(_, unit)| text(unit, "id") == id)
}

/// Returns the list, and where the selected unit stands in it.
pub(super) fn list_lines(status: &Value, selected: Option<&str>) -> (Vec<ScreenLine>, usize) {
    let mut lines = Vec::new();
    let mut at = 0;
    for (name, units) in columns(status) {
        lines.push(ScreenLine::new(
            LineStyle::Heading,
            format!("{name} ({})", units.len()),
        ));
        for unit in units {
            let is_selected = selected == Some(text(unit, "id"));
            let style = match UnitMark::of_unit(unit) {
                _ if is_selected => LineStyle::Selected,
                UnitMark::NeedsYou => LineStyle::NeedsYou,
                UnitMark::Work => LineStyle::AtWork,
                _ => LineStyle::Plain,
            };
            if is_selected {
                at = lines.len();
            }
            lines.push(ScreenLine::new(style, super::line(unit, false)));
        }
    }
    for feature in live(status).filter(|f| has_errors(f)) {
        for line in [
            super::with_errors(feature),
            format!("  next: {}", text(feature, "next")),
        ] {
            lines.push(ScreenLine::new(LineStyle::NeedsYou, line));
        }
    }
    if status.is_null() {
        lines.push(ScreenLine::new(LineStyle::Soft, "reading the plans …"));
    } else if lines.is_empty() {
        lines.push(ScreenLine::new(LineStyle::Soft, super::NO_FEATURE));
    }
    (lines, at)
}

/// Returns where a unit stands, and what it has cost.
fn state_text(unit: &Value) -> String {
    let state = match unit["running"] == true {
        true => "running".to_owned(),
        false => text(unit, "status").replace('_', " "),
    };
    let cost = usd_or_unknown(unit["cost_usd"].as_f64());
    let cost = match unit["attempts"].as_u64() {
        Some(0) | None => String::new(),
        Some(n) => format!(", attempts {n}, cost {cost}"),
    };
    let kind = text(unit, "type");
    format!("gate {}, {kind}, {state}{cost}", unit["gate"])
}

/// Returns what is known of a unit, and what can be done.
pub(super) fn detail_lines(status: &Value, id: &str, attempt: Option<&Value>) -> Vec<ScreenLine> {
    let Some((feature, unit)) = find(status, id) else {
        let gone = format!("{id} is not there any more");
        return vec![ScreenLine::new(LineStyle::Soft, gone)];
    };
    let plain = |text: String| ScreenLine::new(LineStyle::Plain, text);
    let mut lines = vec![ScreenLine::new(
        LineStyle::Heading,
        format!("{}  {}", text(unit, "id"), short_title(text(unit, "title"))),
    )];
    lines.push(plain(state_text(unit)));
    for key in ["message", "why"] {
        if let Some(why) = unit[key].as_str() {
            lines.push(ScreenLine::new(LineStyle::NeedsYou, why));
            break;
        }
    }
    let waits: Vec<&str> = list(unit, "waiting_for")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    if !waits.is_empty() {
        lines.push(plain(format!("waits for {}", waits.join(", "))));
    }
    let attention = of_repository(status);
    let own = attention
        .waiting
        .iter()
        .find(|item| item.unit.as_deref() == Some(id));
    let next = own.map_or(text(feature, "next"), |item| &item.command);
    if !next.is_empty() {
        lines.push(plain(format!("next: {next}")));
    }
    if let Some(session) = session_of(status, id) {
        lines.extend(session_lines(session));
    }
    if let Some(attempt) = attempt {
        lines.extend(attempt_lines(attempt));
    }
    lines
}

/// Returns the session of a unit that runs.
fn session_of<'a>(status: &'a Value, id: &str) -> Option<&'a Value> {
    list(status, "sessions")
        .iter()
        .find(|s| text(s, "unit") == id)
}

fn session_lines(session: &Value) -> Vec<ScreenLine> {
    let doing = format!("{} {}", text(session, "tool"), text(session, "detail"));
    let doing = match doing.trim() {
        "" => "thinking",
        doing => doing,
    };
    let tokens = session["output_tokens"].as_u64();
    let tokens = tokens.map_or(String::new(), |n| format!(", {n} tokens out"));
    let seconds = session["seconds"].as_f64().unwrap_or(0.0);
    let agent = text(session, "agent");
    let who = format!(
        "attempt {} with {agent}, {seconds:.0} s{tokens}",
        session["attempt"]
    );
    vec![
        ScreenLine::new(LineStyle::Plain, ""),
        ScreenLine::new(LineStyle::AtWork, who),
        ScreenLine::new(LineStyle::AtWork, format!("now: {doing}")),
    ]
}

fn attempt_lines(attempt: &Value) -> Vec<ScreenLine> {
    let judgement = &attempt["judgement"];
    let outcome = match judgement["passed"].as_bool() {
        Some(true) => "passed".to_owned(),
        Some(false) => format!(
            "failed: {}",
            text(judgement, "failure_class").replace('_', " ")
        ),
        None => "not judged yet".to_owned(),
    };
    let mut lines = vec![ScreenLine::new(LineStyle::Plain, "")];
    let head = format!(
        "Attempt {} with {}, {outcome}",
        attempt["number"],
        text(attempt, "agent")
    );
    lines.push(ScreenLine::new(LineStyle::Heading, head));
    for command in list(judgement, "commands") {
        let verdict = text(command, "verdict");
        let style = match verdict {
            "pass" => LineStyle::Added,
            _ => LineStyle::Removed,
        };
        let line = format!("  {verdict:<8} {}", text(command, "name"));
        lines.push(ScreenLine::new(style, line));
    }
    for key in ["notices", "unusual"] {
        let notices = list(judgement, key).iter().filter_map(Value::as_str);
        lines.extend(notices.map(|n| ScreenLine::new(LineStyle::NeedsYou, format!("  {n}"))));
    }
    for line in text(judgement, "evidence").lines() {
        lines.push(ScreenLine::new(LineStyle::Soft, format!("  {line}")));
    }
    lines
}

/// Returns what a session says and does: the one that runs, else the last one.
pub(super) fn follow_lines(status: &Value, id: &str, attempt: Option<&Value>) -> Vec<ScreenLine> {
    let running = session_of(status, id).map(|session| list(session, "last_lines"));
    let kept = attempt.map(|attempt| list(attempt, "transcript"));
    let rows = running.or(kept).unwrap_or_default();
    let said = rows.iter().filter_map(Value::as_str).flat_map(str::lines);
    let lines: Vec<ScreenLine> = said.map(|l| ScreenLine::new(LineStyle::Plain, l)).collect();
    or_nothing(lines, "no session has said anything that is kept here")
}

/// Returns what the last attempt changed.
pub(super) fn diff_lines(attempt: Option<&Value>) -> Vec<ScreenLine> {
    let diff = attempt.map_or(&Value::Null, |attempt| &attempt["diff"]);
    let style = |line: &str| match line.as_bytes().first() {
        _ if line.starts_with("+++") || line.starts_with("---") => LineStyle::Heading,
        Some(b'+') => LineStyle::Added,
        Some(b'-') => LineStyle::Removed,
        Some(b'@') => LineStyle::Soft,
        _ if line.starts_with("diff ") => LineStyle::Heading,
        _ => LineStyle::Plain,
    };
    let lines = text(diff, "text").lines();
    let mut lines: Vec<_> = lines
        .map(|line| ScreenLine::new(style(line), line))
        .collect();
    if diff["cut"] == true {
        let more = "… the diff goes on: `gatewalk attempts show UNIT --diff`";
        lines.push(ScreenLine::new(LineStyle::Soft, more));
    }
    or_nothing(lines, "no attempt has changed anything")
}

fn or_nothing(lines: Vec<ScreenLine>, nothing: &str) -> Vec<ScreenLine> {
    match lines.is_empty() {
        true => vec![ScreenLine::new(LineStyle::Soft, nothing)],
        false => lines,
    }
}
