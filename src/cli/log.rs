//! `gatewalk log`: what happened to a feature, from its log.

use super::Context;
use super::unit_command::{feature_named_in, no_such_unit};
use gatewalk_core::engine::evidence::{counted, sanitize};
use gatewalk_core::engine::log_reader::{Log, LoggedEvent};
use gatewalk_core::error::Result;
use gatewalk_core::exit::Exit;
use gatewalk_core::model::layout;
use gatewalk_host::state_repository::Repository;
use serde_json::{Value, json};

#[derive(clap::Args)]
#[command(after_help = "Examples:\n  gatewalk log\n  gatewalk log T03 --json")]
pub(crate) struct Args {
    /// A unit: only what concerns it; a feature means the same as `--feature`
    unit: Option<String>,
    /// Feature id, directory, path or slug; the one active feature when absent
    #[arg(long, value_name = "ID|DIRECTORY|PATH|SLUG")]
    feature: Option<String>,
    /// Only the last N
    #[arg(short = 'n', long, value_name = "N")]
    last: Option<std::num::NonZeroUsize>,
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let repository = Repository::open(&context.cwd)?;
    let of_unit = || args.unit.as_deref().and_then(feature_named_in);
    let named = args.feature.clone().or_else(of_unit);
    let selected = repository.select_alone(named.as_deref())?;
    let feature = selected.feature();
    let bytes = feature.others.get(layout::EVENTS);
    let log = bytes.map_or_else(Log::default, |b| Log::parse(b));
    let own = feature.name();
    let unit = args.unit.as_deref().filter(|name| *name != own);
    let unit = unit.map(|name| {
        feature
            .find_unit(name)
            .map_or(name.to_owned(), |m| m.id().to_owned())
    });
    let mut events: Vec<&LoggedEvent> = log
        .events
        .iter()
        .filter(|e| unit.as_ref().is_none_or(|u| e.id == *u))
        .collect();
    if let Some(last) = args.last {
        events.drain(..events.len().saturating_sub(last.get()));
    }
    for event in &events {
        if args.json {
            context.out.json(&json!({"timestamp": event.timestamp, "id": event.id, "type": event.event_type, "payload": event.payload}));
        } else {
            context.out.row(event_line(event));
        }
    }
    // One that was removed may still have a past.
    if events.is_empty()
        && log.unreadable == 0
        && let Some(unit) = unit.as_deref().filter(|u| feature.member(u).is_none())
    {
        return Err(no_such_unit(feature, unit));
    }
    if events.is_empty() && !args.json {
        context.out.line("nothing has happened yet");
    }
    if log.unreadable > 0 {
        context.out.note(format!(
            "{} could not be read",
            counted(log.unreadable, "line")
        ));
    }
    Ok(Exit::Success)
}

fn event_line(event: &LoggedEvent) -> String {
    let when = event.timestamp.get(..19).unwrap_or(&event.timestamp);
    format!(
        "{}  {:<24} {:<20} {}",
        when.replace('T', " "),
        sanitize(&event.id),
        sanitize(&event.event_type),
        sanitize(&gist(&event.payload))
    )
}

/// What matters of a payload, on one line.
fn gist(payload: &Value) -> String {
    let keys = [
        "outcome",
        "attempt",
        "gate",
        "status",
        "reason",
        "failure_class",
        "cost_usd",
        "message",
        "evidence",
        "question",
        "units",
        "clean",
        "auto",
    ];
    let parts = keys.iter().filter_map(|key| {
        let value = payload.get(key).filter(|v| !v.is_null())?;
        let text = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        let short: String = text
            .lines()
            .next()
            .unwrap_or_default()
            .chars()
            .take(100)
            .collect();
        Some(format!("{key}={short}"))
    });
    parts.collect::<Vec<_>>().join(" ")
}
