//! What programs print at their ends, by `tests/fixtures/faults/replayed.jsonl`: an agent, how its process ended, what it
//! printed, and what that is. `GATEWALK_BLESS=1` writes the last part anew; read the diff.

use super::*;
use crate::model::status_machine::Word;
use jiff::Timestamp;
use jiff::tz::{Offset, TimeZone};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

const NOW: &str = "2026-11-22T09:40:00Z";

#[derive(Deserialize, Serialize, Clone, PartialEq)]
struct ReplayedEnd {
    agent: String,
    /// What it is, in a word or two.
    about: String,
    /// The exit code, or `signal N`, or `idle`.
    exit: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    stdout: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    stderr: Vec<String>,
    class: String,
    /// When its limit ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    end: Option<String>,
    /// Input, output, read from and written to a cache, cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    figures: Option<String>,
}

/// The machine is in Berlin, in winter.
fn zone(name: Option<&str>) -> Option<TimeZone> {
    let hours = match name {
        None | Some("europe/berlin" | "europe/paris") => 1,
        Some("america/new_york") => -5,
        Some("america/los_angeles") => -8,
        Some(_) => return None,
    };
    Some(TimeZone::fixed(Offset::from_hours(hours).ok()?))
}

/// Returns the row as it is understood.
fn understood(row: &ReplayedEnd) -> ReplayedEnd {
    let agent = by_name(&row.agent).expect(&row.agent);
    let mut listener = Listener::new(agent);
    row.stdout
        .iter()
        .for_each(|line| listener.line(line.as_bytes(), false));
    let stderr = row.stderr.iter().map(|line| format!("{line}\n"));
    stderr.for_each(|line| listener.stderr(line.as_bytes()));
    let seen = listener.end();
    let exit = match row.exit.split_once(' ') {
        Some((_, signal)) => ProcessExit::Signal(signal.parse().unwrap()),
        None if row.exit == "idle" => ProcessExit::IdleLimit,
        None => ProcessExit::Code(row.exit.parse().unwrap()),
    };
    let outcome = agent.outcome(&exit, &seen);
    let now: Timestamp = NOW.parse().unwrap();
    let end = match &outcome {
        Outcome::Limit { reset: Some(reset) } => {
            let wait = reset.wait(now, &zone);
            wait.map(|wait| now.saturating_add(wait).unwrap().to_string())
        }
        _ => None,
    };
    let count = |n: Option<u64>| n.map_or("?".to_owned(), |n| n.to_string());
    let used = seen.usage;
    let tokens = [
        used.input_tokens,
        used.output_tokens,
        used.cache_read,
        used.cache_write,
    ];
    let cost = seen
        .cost_usd
        .map_or("?".to_owned(), |cost| cost.to_string());
    let figures = format!("{} ${cost}", tokens.map(count).join(" "));
    let known = used.output_tokens.is_some_and(|tokens| tokens > 0);
    ReplayedEnd {
        class: outcome.class().word().to_owned(),
        end,
        figures: known.then_some(figures),
        ..row.clone()
    }
}

#[test]
fn every_end_that_was_replayed_is_understood() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/fixtures/faults/replayed.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    let rows: Vec<ReplayedEnd> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect(line))
        .collect();
    let read: Vec<ReplayedEnd> = rows.iter().map(understood).collect();
    if std::env::var_os("GATEWALK_BLESS").is_some() {
        let lines = read
            .iter()
            .map(|row| serde_json::to_string(row).unwrap() + "\n");
        return std::fs::write(&path, lines.collect::<String>()).unwrap();
    }
    let told = |row: &ReplayedEnd| format!("{} {:?} {:?}", row.class, row.end, row.figures);
    let wrong: Vec<String> = std::iter::zip(&rows, &read)
        .filter(|(want, got)| want != got)
        .map(|(want, got)| {
            let (agent, about) = (&want.agent, &want.about);
            format!("{agent} {about}: want {}, got {}", told(want), told(got))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(rows.len() > 450, "{}", rows.len());
}
