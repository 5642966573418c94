//! What this repository's own attempts took: medians by unit type, from the features' event logs.

use crate::model::feature::Feature;
use crate::model::layout;
use crate::model::status_machine::Word;
use crate::model::workspace::Workspace;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// Figures of recorded attempts.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct AttemptHistory {
    costs: HashMap<String, Vec<f64>>,
    seconds: HashMap<String, Vec<f64>>,
    /// Seconds of the runs that passed, by set and name.
    commands: HashMap<(String, String), Vec<f64>>,
}

/// The events that are read for figures, as they stand in a line.
const EVENTS: [&str; 2] = ["\"task_started\"", "\"attempt_outcome\""];

/// The events of what landed: by a session, closed without one, or handed in by a user.
const LANDINGS: [&str; 2] = ["task_completed", "auto_close_decision"];

/// An event as far as it tells what landed.
#[derive(Deserialize)]
struct LandingLine {
    correlation_id: String,
    event_type: String,
}

/// Returns the units that a feature's log says landed.
pub(crate) fn landed(log: &[u8]) -> HashSet<String> {
    let log = String::from_utf8_lossy(log);
    let told = |line: &&str| LANDINGS.iter().any(|event| line.contains(event));
    let read = |line| serde_json::from_str::<LandingLine>(line).ok();
    let events = log.lines().filter(told).filter_map(read);
    let landings = events.filter(|e| LANDINGS.contains(&&*e.event_type));
    landings.map(|e| e.correlation_id).collect()
}

/// Figures are worth nothing below this many attempts.
const ENOUGH: usize = 5;

impl AttemptHistory {
    /// Reads the event logs of every feature; what is not an event is passed over.
    pub fn of(workspace: &Workspace) -> AttemptHistory {
        let mut history = AttemptHistory::default();
        for feature in workspace.features.iter() {
            if let Some(log) = feature.others.get(layout::EVENTS) {
                history.read(feature, &String::from_utf8_lossy(log));
            }
        }
        for list in history
            .costs
            .values_mut()
            .chain(history.seconds.values_mut())
            .chain(history.commands.values_mut())
        {
            list.sort_by(f64::total_cmp);
        }
        history
    }

    fn read(&mut self, feature: &Feature, log: &str) {
        let mut types: HashMap<String, String> = HashMap::new();
        for line in log.lines() {
            let is_ours = EVENTS.iter().any(|event| line.contains(event));
            let Some(event) = is_ours
                .then(|| serde_json::from_str::<Value>(line).ok())
                .flatten()
            else {
                continue;
            };
            let unit = event["correlation_id"]
                .as_str()
                .unwrap_or_default()
                .to_owned();
            let payload = &event["payload"];
            match event["event_type"].as_str() {
                Some("task_started") => {
                    if let Some(word) = payload["type"].as_str() {
                        types.insert(unit, word.to_owned());
                    }
                }
                Some("attempt_outcome") => {
                    self.read_commands(payload);
                    // A log that begins in the middle, or an older one, does not say the type.
                    let member = || Some(feature.member(&unit)?.unit_type().word().to_owned());
                    let Some(word) = types.get(&unit).cloned().or_else(member) else {
                        continue;
                    };
                    if let Some(cost) = payload["cost_usd"].as_f64().filter(|c| *c > 0.0) {
                        self.costs.entry(word.clone()).or_default().push(cost);
                    }
                    if let Some(seconds) = payload["duration_seconds"].as_f64().filter(|s| *s > 0.0)
                    {
                        self.seconds.entry(word.clone()).or_default().push(seconds);
                    }
                }
                _ => {}
            }
        }
    }

    /// What failed may have ended early, so only what passed says how long a command takes.
    fn read_commands(&mut self, payload: &Value) {
        for command in payload["commands"].as_array().into_iter().flatten() {
            let word = |key: &str| Some(command[key].as_str()?.to_owned());
            if let (Some(set), Some(name), Some("pass"), Some(seconds)) = (
                word("set"),
                word("name"),
                command["verdict"].as_str(),
                command["seconds"].as_f64(),
            ) {
                self.commands.entry((set, name)).or_default().push(seconds);
            }
        }
    }

    /// Returns what nine of ten attempts of that type cost at least, when enough are recorded.
    pub(crate) fn cost_floor(&self, unit_type: &str) -> Option<f64> {
        quantile(self.costs.get(unit_type)?, 0.1)
    }

    /// Returns the median seconds of an attempt of that type, when enough are recorded.
    pub(crate) fn median_seconds(&self, unit_type: &str) -> Option<f64> {
        quantile(self.seconds.get(unit_type)?, 0.5)
    }

    /// Returns the median seconds of a command's runs, when enough are recorded.
    pub(crate) fn command_median(&self, set: &str, name: &str) -> Option<f64> {
        let runs = self.commands.get(&(set.to_owned(), name.to_owned()))?;
        quantile(runs, 0.5)
    }
}

fn quantile(sorted: &[f64], part: f64) -> Option<f64> {
    if sorted.len() < ENOUGH {
        return None;
    }
    let index = ((sorted.len() - 1) as f64 * part) as usize;
    sorted.get(index).copied()
}
