//! What to do when a runner could not run a session to its end: its machine's fault, not the agent's and not the unit's.
//! The unit goes elsewhere, uncharged; the runner rests, each time longer. Every wait and every number of tries is bounded.

use super::agent_fault::{ChainPlace, backoff};
use super::driver_event::DriverEvent;
use super::ports::{AgentEnd, SlotId};
use super::run_loop::Driver;
use crate::agents::Outcome;
use crate::engine::attempt_record::AttemptRecord;
use crate::engine::runner_slots::{far_slots, runner_of};
use crate::engine::snapshot::AgentTrouble;
use crate::model::id::short_id;
use jiff::Timestamp;
use std::collections::BTreeSet;

/// Sessions of one unit in a row that runners lost before the user decides.
const LOST_LIMIT: u32 = 5;

/// The same for what only the user can mend: once more, should it be one of many machines behind one name.
const LASTING_LIMIT: u32 = 2;
/// Losses in a row after which a runner rests longest.
const LONGEST_REST: u32 = 9;

/// A runner that lost a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct RunnerRest {
    /// When it is worth another try.
    pub(super) until: Timestamp,
    /// How often in a row.
    pub(super) tries: u32,
}

impl RunnerRest {
    /// Returns what is known of a runner after one more loss, which counts as so many at least. Sessions that are lost
    /// together count once.
    fn after(before: Option<&RunnerRest>, now: Timestamp, least: u32) -> RunnerRest {
        let tries = match before {
            Some(rest) if rest.until > now => rest.tries,
            Some(rest) => rest.tries + 1,
            None => 1,
        };
        let tries = tries.max(least);
        let until = now.saturating_add(backoff(tries)).unwrap_or(now);
        RunnerRest { until, tries }
    }
}

impl Driver<'_> {
    /// Returns the runner that a slot is on; none for this machine's slots.
    pub(super) fn runner_of(&self, slot: SlotId) -> Option<&str> {
        match slot {
            SlotId::Session(number) => runner_of(&self.options.runners, number),
            SlotId::Verification(_) | SlotId::Recheck => None,
        }
    }

    /// Returns the runners that rest now, and when the first of them is tried again.
    pub(super) fn resting_runners(&self) -> (BTreeSet<String>, Option<Timestamp>) {
        let now = self.machine.now();
        let shared = self.agents();
        let resting = shared.runners.iter().filter(|(_, rest)| rest.until > now);
        let names = resting.clone().map(|(name, _)| name.clone()).collect();
        (names, resting.map(|(_, rest)| rest.until).min())
    }

    /// Returns whether a session failed for what its machine lacks. Elsewhere a program or a login may be there; with no
    /// place elsewhere it is the agent that cannot work.
    pub(super) fn is_fault_of_runner(&self, record: &AttemptRecord, end: &AgentEnd) -> bool {
        match (&end.outcome, &record.runner) {
            (Outcome::RunnerLost, _) => true,
            (Outcome::Missing | Outcome::Auth, Some(runner)) => self.has_place_beside(runner),
            _ => false,
        }
    }

    /// Notes that a runner lost a session.
    pub(super) fn note_lost(&self, record: &AttemptRecord, end: &AgentEnd, place: &ChainPlace) {
        let now = self.machine.now();
        let runner = record.runner.clone().unwrap_or_default();
        let elsewhere = self.has_place_beside(&runner);
        let mut shared = self.agents();
        let remedy = end
            .remedy
            .as_deref()
            .filter(|_| end.outcome == Outcome::RunnerLost);
        let (limit, least) = limits(remedy.is_some(), elsewhere, !end.duration.is_zero());
        let rest = RunnerRest::after(shared.runners.get(&runner), now, least);
        let until = rest.until;
        shared.runners.insert(runner.clone(), rest);
        drop(shared);
        let mut cache = self.cache();
        let before = cache.trouble.get(&record.unit);
        let before = before.filter(|trouble| trouble.next == place.agent);
        let tries = before.map_or(0, |trouble| trouble.tries) + 1;
        let mut why = why(&runner, end, remedy);
        if tries >= limit {
            why.push_str(&format!("; see: gatewalk doctor --runner {runner}"));
        }
        let trouble = AgentTrouble {
            // Past the chain there is nobody left: the user decides.
            next: match tries < limit {
                true => place.agent,
                false => place.agents,
            },
            tries,
            wait_until: (!elsewhere).then_some(until),
            why: why.clone(),
            runner: Some(runner.clone()),
            ..AgentTrouble::default()
        };
        cache.trouble.insert(record.unit.clone(), trouble);
        drop(cache);
        let local = short_id(&record.unit);
        let next = match (tries < limit, elsewhere) {
            (false, _) => "it was the last try of this run",
            (true, true) => "it goes elsewhere, uncharged",
            (true, false) => "it is tried again later, uncharged",
        };
        self.report(DriverEvent::Note {
            text: format!("{local}  {why}; {next}"),
        });
    }

    /// Returns whether there is a slot on another runner that does not rest, or on this machine.
    fn has_place_beside(&self, runner: &str) -> bool {
        let (mut resting, _) = self.resting_runners();
        resting.insert(runner.to_owned());
        let runners = &self.options.runners;
        let places = &self.options.places;
        let awake = |runner: &str| places.include(Some(runner)) && !resting.contains(runner);
        places.include(None) && self.options.jobs > far_slots(runners)
            || runners
                .iter()
                .any(|own| own.slots > 0 && awake(&own.runner))
    }
}

/// Returns how often in a row a unit may be lost, and as how many losses one counts for how long its runner rests: one that
/// only the user can mend is not asked again soon where there are others, unless the session ran there: what it lacked, such
/// as time, other units may not need.
fn limits(lasting: bool, elsewhere: bool, ran: bool) -> (u32, u32) {
    match (lasting, elsewhere) {
        (true, true) if !ran => (LOST_LIMIT, LONGEST_REST),
        (true, false) => (LASTING_LIMIT, 1),
        _ => (LOST_LIMIT, 1),
    }
}

fn why(runner: &str, end: &AgentEnd, remedy: Option<&str>) -> String {
    let outcome = end.outcome.to_string();
    let note = end.notes.first().unwrap_or(&outcome);
    let remedy = remedy.map(|remedy| format!("; {remedy}"));
    format!("runner {runner}: {note}{}", remedy.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::feature_walk::RunEnd;
    use crate::driver::test_run::{driver, machine, story};
    use crate::engine::action::Stop;
    use crate::engine::runner_slots::RunnerSlots;
    use jiff::SignedDuration;

    /// Runs sessions with one slot on runner `a` and so many here, up to the first wait.
    fn run(sessions: &str, here: usize) -> (RunEnd, String) {
        let machine = machine("G1: T01", crate::driver::test_run::ORACLE, sessions);
        let mut driver = driver(&machine, here + 1);
        driver.options.runners = vec![RunnerSlots {
            runner: "a".to_owned(),
            slots: 1,
            judges: false,
        }];
        let end = driver.run().unwrap();
        (end, story(&machine))
    }

    #[test]
    fn a_lost_session_goes_elsewhere_at_once_and_is_charged_to_nobody() {
        let (end, story) = run("+a.txt lost;+b.txt", 1);
        assert!(matches!(end, RunEnd::Stopped(_)), "{end:?}");
        for part in [
            "kept T01",
            "T01  runner a: ",
            "it goes elsewhere, uncharged",
            "landed T01",
        ] {
            assert!(story.contains(part), "{part}: {story}");
        }
        assert!(!story.contains("failed"), "{story}");
    }

    #[test]
    fn a_unit_whose_sessions_are_all_lost_is_the_users_to_look_at() {
        let (end, story) = run("lost;lost;lost;lost;lost;+b.txt", 1);
        assert_eq!(story.matches("it goes elsewhere").count(), 4, "{story}");
        assert!(
            story.contains("see: gatewalk doctor --runner a; it was the last try of this run"),
            "{story}"
        );
        assert_eq!(story.matches("doctor --runner").count(), 1, "{story}");
        assert!(
            matches!(&end, RunEnd::Stopped(Stop::NoAgent { runner: Some(a), replaceable: false, .. }) if a == "a"),
            "{end:?}"
        );
        let (end, story) = run("lost;lost;lost;lost;+b.txt", 1);
        assert!(
            matches!(end, RunEnd::Stopped(_)) && story.contains("landed T01"),
            "{story}"
        );
    }

    #[test]
    fn what_only_the_user_can_mend_is_tried_twice_at_most_where_there_is_nothing_else() {
        for (lasting, elsewhere, ran, want) in [
            (true, false, false, (LASTING_LIMIT, 1)),
            (true, false, true, (LASTING_LIMIT, 1)),
            (true, true, false, (LOST_LIMIT, LONGEST_REST)),
            (true, true, true, (LOST_LIMIT, 1)),
            (false, true, false, (LOST_LIMIT, 1)),
            (false, true, true, (LOST_LIMIT, 1)),
            (false, false, false, (LOST_LIMIT, 1)),
        ] {
            let got = limits(lasting, elsewhere, ran);
            assert_eq!(got, want, "{lasting} {elsewhere} {ran}");
        }
        let (_, story) = run("lost fix=mend·it;+b.txt", 0);
        assert!(
            story.contains("; mend it; it is tried again later, uncharged"),
            "{story}"
        );
        let (end, story) = run("lost fix=mend·it;lost;+b.txt", 1);
        assert!(
            matches!(end, RunEnd::Stopped(_)) && story.contains("landed T01"),
            "{end:?}, {story}"
        );
    }

    #[test]
    fn an_agent_that_is_missing_on_a_runner_may_be_there_elsewhere() {
        let (end, story) = run("absent;+b.txt", 1);
        assert!(matches!(end, RunEnd::Stopped(_)), "{end:?}");
        assert!(
            story.contains("it goes elsewhere") && story.contains("landed T01"),
            "{story}"
        );
        let (end, story) = run("absent;+b.txt", 0);
        assert!(
            matches!(end, RunEnd::Stopped(Stop::NoAgent { .. })),
            "nothing is waited for that does not come by itself: {end:?}, {story}"
        );
    }

    #[test]
    fn without_another_place_a_unit_waits_for_the_runner() {
        let (end, story) = run("lost;+b.txt", 0);
        assert_eq!(end, RunEnd::Interrupted, "it would have waited");
        assert!(
            story.contains("it is tried again later, uncharged"),
            "{story}"
        );
        assert!(!story.contains("landed"), "{story}");
    }

    #[test]
    fn a_runner_rests_longer_each_time_and_losses_at_once_count_once() {
        let at = |seconds| Timestamp::from_second(seconds).unwrap();
        let first = RunnerRest::after(None, at(0), 1);
        assert_eq!((first.tries, first.until), (1, at(15)));
        let together = RunnerRest::after(Some(&first), at(3), 1);
        assert_eq!((together.tries, together.until), (1, at(18)));
        let second = RunnerRest::after(Some(&first), at(15), 1);
        assert_eq!((second.tries, second.until), (2, at(45)));
        let lasting = RunnerRest::after(None, at(0), LONGEST_REST);
        assert_eq!(lasting.until, at(30 * 60));
        let mut rest = second;
        for _ in 0..40 {
            let now = rest.until;
            rest = RunnerRest::after(Some(&rest), now, 1);
            assert!(rest.until.duration_since(now) <= SignedDuration::from_mins(30));
        }
    }
}
