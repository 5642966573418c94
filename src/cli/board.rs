//! `gatewalk board`: the units of every live feature, by what they wait for.

mod board_lines;
mod board_screen;
mod board_view;
mod raw_terminal;
mod screen_text;
mod terminal_keys;

use super::marks::UnitMark;
use super::{Context, redraw, status};
use crate::serve::attention;
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::error::Result;
use gatewalk_core::exit::Exit;
use gatewalk_core::model::short_title::short_title;
use gatewalk_core::model::status_machine::{UnitStatus, Word};
use gatewalk_core::model::unit::ParkCause;
use gatewalk_host::state_repository::Repository;
use serde_json::{Value, json};
use std::io::IsTerminal;

#[derive(clap::Args)]
#[command(after_help = "Examples:\n  gatewalk board\n  gatewalk board --json")]
pub(crate) struct Args {
    /// A screen to look around in while runs work; where there is no terminal, the board anew every two seconds
    #[arg(long, conflicts_with = "json")]
    watch: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The columns, first what wants somebody.
const COLUMNS: [&str; 6] = ["needs you", "running", "ready", "waiting", "draft", "done"];

/// What stands where the columns would.
const NO_FEATURE: &str = "no feature is planned or under way; `gatewalk status` lists them all";

/// What stands there where plans lie in the checkout alone.
const ONLY_UNCOMMITTED: &str = "no feature that is committed is planned or under way; `gatewalk status` says of the others what keeps them";

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    match args.watch {
        true if is_terminal() => board_screen::run(context),
        true => redraw::until_stopped(context, || show(args, context)),
        false => show(args, context),
    }
}

/// Returns whether the units of a feature with this status are shown: those of one that rests, or is over, wait for nothing.
fn is_shown(status: &str) -> bool {
    matches!(status, "planned" | "active")
}

/// Returns whether a user can look at a screen, and press keys.
fn is_terminal() -> bool {
    let dumb = std::env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
    !dumb && std::io::stdout().is_terminal() && std::io::stdin().is_terminal()
}

fn print_columns(context: &Context, columns: &[(&str, Vec<&Value>)]) {
    let marks = context.out.shows_marks();
    for (name, units) in columns.iter().filter(|(_, units)| !units.is_empty()) {
        context.out.line(format!("{name} ({})", units.len()));
        for unit in units {
            context.out.row(line(unit, marks).trim_end());
        }
    }
}

fn show(args: &Args, context: &Context) -> Result<Exit> {
    let repository = Repository::open(&context.cwd)?;
    let mut shown = repository.features()?;
    shown.retain(|f| is_shown(f.feature().plan.status().word()));
    let rows = status::rows(&repository, context, &shown)?;
    let units = || {
        rows.iter()
            .filter_map(|row| row["units"].as_array())
            .flatten()
    };
    let columns: Vec<(&str, Vec<&Value>)> = COLUMNS
        .iter()
        .map(|name| {
            (
                *name,
                units().filter(|unit| column(unit) == Some(name)).collect(),
            )
        })
        .collect();
    if args.json {
        let columns = columns
            .iter()
            .map(|(name, units)| json!({ "column": name, "units": units }));
        context
            .out
            .json(&json!({ "columns": columns.collect::<Vec<_>>() }));
        return Ok(Exit::Success);
    }
    if rows.is_empty() {
        context
            .out
            .line(match repository.uncommitted_features().is_empty() {
                true => NO_FEATURE,
                false => ONLY_UNCOMMITTED,
            });
    }
    print_columns(context, &columns);
    for row in rows.iter().filter(|row| attention::has_errors(row)) {
        context.out.line(with_errors(row));
    }
    let steps = rows.iter().filter_map(|row| row["next_steps"].as_array());
    for step in steps.flatten().filter_map(Value::as_str) {
        context.out.line(format!("next: {}", sanitize(step)));
    }
    Ok(Exit::Success)
}

/// Says of a feature that its plan, and with it perhaps its units, cannot be read as they stand.
fn with_errors(feature: &Value) -> String {
    let name = feature["feature"].as_str().unwrap_or_default();
    format!("{}: its plan has errors", sanitize(name))
}

/// Returns the column of a unit as `status --json` describes it; none for one that was given up.
fn column(unit: &Value) -> Option<&'static str> {
    let status = unit["status"].as_str().and_then(UnitStatus::from_word)?;
    let waits = unit["waiting_for"]
        .as_array()
        .is_some_and(|list| !list.is_empty());
    Some(match status {
        _ if unit["is_unreadable"] == true => "needs you",
        UnitStatus::Abandoned => return None,
        UnitStatus::Done => "done",
        UnitStatus::Draft => "draft",
        UnitStatus::BlockedHuman => "needs you",
        _ if unit["running"] == true => "running",
        _ if waits => "waiting",
        _ if unit["type"] == "human" => "needs you",
        _ => "ready",
    })
}

fn line(unit: &Value, marks: bool) -> String {
    let text = |key: &str| sanitize(unit[key].as_str().unwrap_or_default());
    let waits = unit["waiting_for"]
        .as_array()
        .filter(|_| unit["is_unreadable"] != true);
    let why = match waits.map(Vec::as_slice) {
        Some([]) | None => sanitize(ParkCause::meaning_of(
            unit["why"].as_str().unwrap_or_default(),
        )),
        Some(ids) => {
            let ids: Vec<&str> = ids.iter().filter_map(Value::as_str).collect();
            format!("after {}", ids.join(", "))
        }
    };
    format!(
        "{} {:<24} {}  {}",
        UnitMark::of_unit(unit).shown(marks),
        text("id"),
        short_title(&text("title")),
        if why.is_empty() {
            why
        } else {
            format!("({why})")
        }
    )
}
