//! What stopped features want of the user, and how much waits for each thing.

use super::action::Stop;
use super::red_command::RedCommand;
use crate::model::feature::Feature;
use crate::model::status_machine::UnitStatus;
use std::collections::BTreeSet;

/// One thing that waits for the user.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    /// The stop, with this one thing in it.
    pub stop: Stop,
    /// How many units can go on once it is done, now or later.
    pub unblocks: usize,
}

/// Returns what a stop wants, one value for each thing that is done by itself.
pub fn of_stop(stop: &Stop, plan: &Feature) -> Vec<Wanted> {
    let wanted = |stop: Stop, unblocks: usize| Wanted { stop, unblocks };
    let one = |blocked: &[String], human: &[String], red_base: &[(String, Vec<RedCommand>)]| {
        Stop::NeedsHuman {
            blocked: blocked.to_vec(),
            human: human.to_vec(),
            red_base: red_base.to_vec(),
        }
    };
    match stop {
        Stop::NeedsHuman {
            blocked,
            human,
            red_base,
        } => {
            let behind = |ids: &[&str]| waiting_behind(plan, ids);
            let parked = blocked
                .iter()
                .map(|id| wanted(one(std::slice::from_ref(id), &[], &[]), behind(&[id])));
            let yours = human
                .iter()
                .map(|id| wanted(one(&[], std::slice::from_ref(id), &[]), behind(&[id])));
            let red: Vec<&str> = red_base.iter().map(|(id, _)| id.as_str()).collect();
            let base = (!red.is_empty()).then(|| wanted(one(&[], &[], red_base), behind(&red)));
            parked.chain(yours).chain(base).collect()
        }
        Stop::AtGate { .. } => vec![wanted(stop.clone(), behind_the_gate(plan).count())],
        Stop::FeatureDone | Stop::NotWalkable(_) => vec![wanted(stop.clone(), 0)],
        Stop::RedTip { .. } | Stop::Budget { .. } | Stop::Supervised { .. } | Stop::Stuck(_) => {
            vec![wanted(stop.clone(), open_units(plan))]
        }
        Stop::NoAgent { unit, .. } => {
            vec![wanted(stop.clone(), waiting_behind(plan, &[unit]))]
        }
    }
}

/// Puts first what is worth most, such as what most units wait for; else the order stays as it is.
pub fn most_valuable_first<T, V: Ord>(mut all: Vec<T>, value: impl Fn(&T) -> V) -> Vec<T> {
    all.sort_by_key(|wanted| std::cmp::Reverse(value(wanted)));
    all
}

/// Counts the units of a feature that are not settled.
pub fn open_units(plan: &Feature) -> usize {
    unsettled(plan).count()
}

fn unsettled(plan: &Feature) -> impl Iterator<Item = (usize, &str)> {
    let open = |status: UnitStatus| !status.is_settled();
    let members = plan.members().filter(move |m| open(m.status()));
    members.map(|m| (m.gate, m.node.id.value.as_str()))
}

/// Returns the open units of the gates that cannot begin before the current one is passed.
fn behind_the_gate(plan: &Feature) -> impl Iterator<Item = &str> {
    let current = plan.current_gate().unwrap_or(usize::MAX);
    let later = unsettled(plan).filter(move |(gate, _)| *gate > current);
    later.map(|(_, id)| id)
}

/// Counts units, what waits for them, and the gates behind theirs.
fn waiting_behind(plan: &Feature, ids: &[&str]) -> usize {
    let mut waiting: BTreeSet<&str> = behind_the_gate(plan).collect();
    let followers = |id: &&str| {
        let own = plan.member(id).map(|m| m.node.id.value.as_str());
        let all: Vec<&str> = own
            .into_iter()
            .flat_map(|own| plan.descendants(own).into_iter().chain([own]))
            .collect();
        all
    };
    waiting.extend(ids.iter().flat_map(followers));
    let open: BTreeSet<&str> = unsettled(plan).map(|(_, id)| id).collect();
    waiting.intersection(&open).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::step::step;
    use crate::engine::test_snapshot::snapshot;
    use crate::engine::{action::Step, test_snapshot::FEATURE};

    /// Returns what is wanted where a situation stops: the units named in it, and how many it unblocks.
    fn wanted(situation: &str) -> String {
        let s = snapshot(situation);
        let Step::Stop(stop) = step(&s) else {
            panic!("it goes on: {situation}")
        };
        let text = |w: &Wanted| match &w.stop {
            Stop::NeedsHuman {
                blocked,
                human,
                red_base,
            } => {
                let red = red_base.iter().map(|(id, _)| id);
                let all = blocked.iter().chain(human).chain(red);
                let all: Vec<&str> = all.map(String::as_str).collect();
                format!("{} {}", all.join("+"), w.unblocks)
            }
            _ => format!("- {}", w.unblocks),
        };
        let all = most_valuable_first(of_stop(&stop, &s.feature), |w| w.unblocks);
        let all: Vec<String> = all.iter().map(text).collect();
        all.join(", ").replace(&format!("{FEATURE}/"), "")
    }

    #[test]
    fn what_most_units_wait_for_comes_first() {
        for (situation, want) in [
            ("G1: T01 blocked", "T01 1"),
            (
                "G1: T01 blocked; T02 blocked; T03 after=T02",
                "T02 2, T01 1",
            ),
            ("G1: T01 human; T02 after=T01; T03 blocked", "T01 2, T03 1"),
            (
                "G1: T01 blocked; T02 done; T03 after=T01,T02; T04 after=T03 | G2: T05 draft",
                "T01 4",
            ),
            (
                "G1: T01 base=red:x; T02 base=red:x; T03 blocked",
                "T01+T02 2, T03 1",
            ),
            (
                "G1 awaiting_review: T01 done | G2: T02 draft; T03 draft",
                "- 2",
            ),
            ("G1 awaiting_review: T01 done", "- 0"),
            ("done | G1 passed: T01 done", "- 0"),
            ("deferred | G1: T01", "- 0"),
            ("G1: T01 abandoned; T02 after=T01; T03 after=T02", "- 2"),
            (
                "active budget_usd=1 | G1: T01 done cost_usd=5; T02; T03",
                "- 2",
            ),
            ("G1: T01 next=1 why=quota; T02 after=T01", "- 2"),
        ] {
            assert_eq!(wanted(situation), want, "{situation}");
        }
    }
}
