//! How long work stood still for a user, from the log: each stop, until an agent worked again.

use super::log_reader::{Log, LoggedAttempt};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Stops of one kind, or of one month.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct StopSum {
    /// How many times work stood still.
    pub stops: u32,
    /// Seconds from the stops until work went on.
    pub seconds: f64,
}

/// What a feature's stops cost in time.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct WaitingTime {
    /// Every stop after which work went on.
    pub all: StopSum,
    /// The same by cause: `gate`, or the reason of an escalation.
    pub causes: BTreeMap<String, StopSum>,
    /// The same by month, as `2026-11`.
    pub months: BTreeMap<String, StopSum>,
    /// Units that landed, by month.
    pub landed: BTreeMap<String, u32>,
}

impl WaitingTime {
    /// Adds the sums of another feature.
    pub(crate) fn join(&mut self, other: &WaitingTime) {
        add(&mut self.all, &other.all);
        for (own, others) in [
            (&mut self.causes, &other.causes),
            (&mut self.months, &other.months),
        ] {
            for (key, sum) in others {
                add(own.entry(key.clone()).or_default(), sum);
            }
        }
        for (month, count) in &other.landed {
            *self.landed.entry(month.clone()).or_default() += count;
        }
    }

    /// Returns how many stops there were for each unit that landed.
    pub fn stops_per_landing(&self) -> Option<f64> {
        let landed: u32 = self.landed.values().sum();
        (landed > 0).then(|| f64::from(self.all.stops) / f64::from(landed))
    }
}

fn add(sum: &mut StopSum, other: &StopSum) {
    sum.stops += other.stops;
    sum.seconds += other.seconds;
}

/// One stop, and how long it lasted.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LoggedStop {
    /// What the work waited for.
    pub(crate) cause: String,
    /// When the driver stopped there.
    pub(crate) at: Timestamp,
    /// When work went on.
    pub(crate) until: Timestamp,
}

impl LoggedStop {
    /// Returns for how long nobody worked, in seconds.
    pub(crate) fn seconds(&self) -> f64 {
        self.until.duration_since(self.at).as_secs_f64().max(0.0)
    }
}

/// Returns the stops of a log after which work went on, in order. Several without work between them are one.
pub(crate) fn stops(log: &Log, attempts: &[LoggedAttempt]) -> Vec<LoggedStop> {
    let begun = attempts.iter().filter_map(|attempt| {
        let at: Timestamp = attempt.at.parse().ok()?;
        let spent = jiff::SignedDuration::try_from_secs_f64(attempt.seconds.unwrap_or(0.0)).ok()?;
        Some((at, at.saturating_sub(spent).unwrap_or(at)))
    });
    let mut begun: Vec<(Timestamp, Timestamp)> = begun.collect();
    begun.sort();
    let mut found: Vec<LoggedStop> = Vec::new();
    for event in &log.events {
        let cause = match event.event_type.as_str() {
            "gate_reached" => "gate",
            "human_escalation" => event.payload["reason"].as_str().unwrap_or("escalation"),
            _ => continue,
        };
        let Ok(at) = event.timestamp.parse::<Timestamp>() else {
            continue;
        };
        let next = begun.iter().find(|(ended, _)| *ended > at);
        let Some(until) = next.map(|(_, began)| (*began).max(at)) else {
            continue;
        };
        let same = found.last().is_some_and(|last| last.until >= at);
        if !same {
            found.push(LoggedStop {
                cause: cause.to_owned(),
                at,
                until,
            });
        }
    }
    found
}

/// Returns what the stops of a log cost in time.
pub(crate) fn of_log(log: &Log, attempts: &[LoggedAttempt]) -> WaitingTime {
    let mut waiting = WaitingTime::default();
    for stop in stops(log, attempts) {
        let one = StopSum {
            stops: 1,
            seconds: stop.seconds(),
        };
        add(&mut waiting.all, &one);
        add(waiting.causes.entry(stop.cause).or_default(), &one);
        add(
            waiting
                .months
                .entry(month(&stop.at.to_string()))
                .or_default(),
            &one,
        );
    }
    for attempt in attempts.iter().filter(|a| a.passed) {
        *waiting.landed.entry(month(&attempt.at)).or_default() += 1;
    }
    waiting
}

fn month(at: &str) -> String {
    at.get(..7).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn line(at: &str, kind: &str, payload: &Value) -> String {
        let at = format!("2026-11-{at}:00Z");
        json!({"timestamp": at, "correlation_id": "F/T01", "event_type": kind, "payload": payload})
            .to_string()
            + "\n"
    }

    fn attempt(at: &str, outcome: &str, seconds: u32) -> String {
        let payload = json!({"outcome": outcome, "duration_seconds": seconds});
        line(at, "attempt_outcome", &payload)
    }

    fn of(lines: &[String]) -> WaitingTime {
        let log = Log::parse(lines.concat().as_bytes());
        of_log(&log, &log.attempts())
    }

    #[test]
    fn a_stop_lasts_until_an_agent_works_again() {
        let parked = json!({"reason": "attempts_used"});
        let gate = json!({});
        let waiting = of(&[
            attempt("01T10:00", "passed", 60),
            line("01T10:00", "gate_reached", &gate),
            // Armed and begun: the session began at 11:58.
            attempt("01T12:00", "failed", 120),
            line("01T12:00", "human_escalation", &parked),
            line("01T12:01", "human_escalation", &parked),
            attempt("01T13:00", "passed", 0),
            // Nobody knows how long the last one lasts.
            line("01T13:00", "gate_reached", &gate),
        ]);
        let sum = |stops, seconds| StopSum { stops, seconds };
        assert_eq!(waiting.all, sum(2, 7_080.0 + 3_600.0));
        assert_eq!(waiting.causes["gate"], sum(1, 7_080.0));
        assert_eq!(waiting.causes["attempts_used"], sum(1, 3_600.0));
        assert_eq!(waiting.months["2026-11"], waiting.all);
        assert_eq!(waiting.stops_per_landing(), Some(1.0));
        let mut both = waiting.clone();
        both.join(&waiting);
        assert_eq!(both.all, sum(4, 21_360.0));
        assert_eq!(both.landed["2026-11"], 4);
        assert_eq!(both.causes["gate"].stops, 2);
    }

    #[test]
    fn nothing_landed_is_no_figure() {
        assert_eq!(of(&[]).stops_per_landing(), None);
        assert_eq!(of(&["torn".to_owned()]), WaitingTime::default());
    }
}
