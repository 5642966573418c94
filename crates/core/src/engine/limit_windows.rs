//! How much work there was room for before an agent met its usage limit, by the sessions that are kept.

use super::attempt_record::AttemptRecord;
use crate::agents::SessionClass;
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;

/// After so long without a session the room is taken as whole again.
const REST: SignedDuration = SignedDuration::from_hours(5);
/// Sessions side by side meet the same limit within so long of each other.
const TOGETHER: SignedDuration = SignedDuration::from_mins(15);

/// The usage limits that an agent has met.
#[derive(Debug, Clone, PartialEq)]
pub struct MetLimits {
    /// Its name, as the plan or the user writes it.
    pub agent: String,
    /// How often it has met one.
    pub times: usize,
    /// When it met the last one.
    pub last: Timestamp,
    /// Seconds of sessions before it did, the middle of all times.
    pub seconds: f64,
}

/// When a session ended, after how long, and whether at a limit.
struct EndedSession {
    at: Timestamp,
    seconds: f64,
    limited: bool,
}

/// Returns the limits that the agents of these sessions have met, by agent.
pub fn met<'r>(sessions: impl Iterator<Item = &'r AttemptRecord>) -> Vec<MetLimits> {
    let mut by_agent: BTreeMap<&str, Vec<EndedSession>> = BTreeMap::new();
    for record in sessions {
        let Ok(started) = record.started_at.parse::<Timestamp>() else {
            continue;
        };
        let seconds = record.figures.duration_seconds;
        let ran = SignedDuration::try_from_secs_f64(seconds).unwrap_or_default();
        by_agent
            .entry(&record.agent)
            .or_default()
            .push(EndedSession {
                at: started.saturating_add(ran).unwrap_or(started),
                seconds,
                limited: record.session.class == SessionClass::Limit,
            });
    }
    let met = by_agent.into_iter();
    met.filter_map(|(agent, ended)| of_agent(agent, ended))
        .collect()
}

fn of_agent(agent: &str, mut ended: Vec<EndedSession>) -> Option<MetLimits> {
    ended.sort_by_key(|session| session.at);
    let mut rooms: Vec<f64> = Vec::new();
    let (mut worked, mut before, mut last) = (0.0, None::<Timestamp>, None::<Timestamp>);
    for session in &ended {
        if before.is_some_and(|before| session.at.duration_since(before) > REST) {
            worked = 0.0;
        }
        before = Some(session.at);
        worked += session.seconds;
        if !session.limited {
            continue;
        }
        let same = last.is_some_and(|last| session.at.duration_since(last) <= TOGETHER);
        match rooms.last_mut().filter(|_| same) {
            Some(room) => *room += worked,
            None => rooms.push(worked),
        }
        worked = 0.0;
        last = Some(session.at);
    }
    rooms.sort_by(f64::total_cmp);
    Some(MetLimits {
        agent: agent.to_owned(),
        times: rooms.len(),
        last: last?,
        seconds: rooms[(rooms.len() - 1) / 2],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::test_snapshot::record;

    /// Returns what `hour:minutes` sessions of one agent met, a `!` behind those that met a limit.
    fn met_by(sessions: &str) -> Option<(usize, String, f64)> {
        let records = sessions.split_whitespace().map(|words| {
            let limited = words.ends_with('!');
            let (at, minutes) = words.trim_end_matches('!').split_once(':').unwrap();
            let mut record = record("F/T01", 1, "open");
            let (day, hour) = (
                1 + at.parse::<u32>().unwrap() / 24,
                at.parse::<u32>().unwrap() % 24,
            );
            record.started_at = format!("2026-11-{day:02}T{hour:02}:00:00Z");
            record.figures.duration_seconds = 60.0 * minutes.parse::<f64>().unwrap();
            if limited {
                record.session.class = SessionClass::Limit.into();
            }
            record
        });
        let records: Vec<AttemptRecord> = records.collect();
        let all = met(records.iter());
        assert!(all.len() <= 1);
        all.first()
            .map(|met| (met.times, met.last.to_string(), met.seconds / 60.0))
    }

    #[test]
    fn what_was_worked_before_a_limit_is_the_room_there_was() {
        for (sessions, want) in [
            ("", None),
            ("1:30 2:30", None),
            ("1:30 2:30 3:10!", Some((1, "2026-11-01T03:10:00Z", 70.0))),
            // After a long rest the room is whole again; what came before is not in it.
            ("1:60 8:20 9:10!", Some((1, "2026-11-01T09:10:00Z", 30.0))),
            // Two side by side meet the same one.
            ("1:30 2:10! 2:20!", Some((1, "2026-11-01T02:20:00Z", 60.0))),
            // The middle of three times.
            (
                "1:10! 11:30! 21:20!",
                Some((3, "2026-11-01T21:20:00Z", 20.0)),
            ),
            ("1:10! 11:30!", Some((2, "2026-11-01T11:30:00Z", 10.0))),
            // In whatever order they are kept.
            ("3:10! 1:30", Some((1, "2026-11-01T03:10:00Z", 40.0))),
        ] {
            let want = want.map(|(times, last, room)| (times, last.to_owned(), room));
            assert_eq!(met_by(sessions), want, "{sessions}");
        }
    }

    #[test]
    fn each_agent_has_limits_of_its_own() {
        let mut limited = record("F/T01", 1, "open");
        limited.session.class = SessionClass::Limit.into();
        limited.started_at = "2026-11-01T00:00:00Z".to_owned();
        let mut other = limited.clone();
        other.agent = "other".to_owned();
        let mut timeless = limited.clone();
        timeless.started_at = "yesterday".to_owned();
        let all = met([&limited, &other, &timeless].into_iter());
        let agents: Vec<&str> = all.iter().map(|met| met.agent.as_str()).collect();
        assert_eq!(agents, ["other", limited.agent.as_str()]);
        assert_eq!(all[1].times, 1);
    }
}
