//! The units around the one that a session works on, as its prompt lists them.

use crate::model::feature::{Feature, PlannedUnit};
use crate::model::status_machine::Word;
use crate::model::unit::Unit;
use std::cmp::Reverse;

/// The most units that are listed: each costs some ten tokens, at every attempt.
const MOST_LISTED: usize = 40;

/// Lists the units of a gate around one of them: of a large gate, what it waits for, what waits for it, and those beside it
/// in the list.
pub(super) fn list(feature: &Feature, gate: usize, unit: &Unit) -> String {
    let mut text = String::from("# Its neighbours\n\n");
    let members: Vec<_> = feature.members_of(gate).collect();
    let is_own = |m: &PlannedUnit<'_>| m.unit.is_some_and(|u| u.path() == unit.path());
    let own = members.iter().position(is_own).unwrap_or(0);
    let mut listed: Vec<usize> = (0..members.len()).collect();
    if listed.len() > MOST_LISTED {
        let nearness = |at: usize| {
            let bound = at == own || are_bound(&members[at], &members[own]);
            (Reverse(bound), at.abs_diff(own))
        };
        listed.sort_by_key(|at| nearness(*at));
        listed.truncate(MOST_LISTED);
        listed.sort_unstable();
    }
    for member in listed.iter().map(|at| &members[*at]) {
        let Some(unit) = member.unit else { continue };
        let mark = match is_own(member) {
            true => "you",
            false => member.status().word(),
        };
        text.push_str(&format!("- {} [{mark}] {}\n", member.id(), unit.title()));
    }
    match members.len() - listed.len() {
        0 => {}
        more => text.push_str(&format!("- and {more} more in this gate\n")),
    }
    text
}

/// Returns whether one of two units waits for the other.
fn are_bound(one: &PlannedUnit<'_>, other: &PlannedUnit<'_>) -> bool {
    let waits = |unit: &PlannedUnit<'_>, on: &str| {
        let edges = &unit.node.depends_on;
        edges.iter().any(|edge| edge.value == on)
    };
    waits(one, other.id()) || waits(other, one.id())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::test_snapshot::{id, snapshot};

    fn listed(units: &str, own: &str) -> Vec<String> {
        let s = snapshot(&format!("active | G1: {units}"));
        let member = s.feature.member(&id(own)).unwrap();
        let text = list(&s.feature, 0, member.unit.unwrap());
        let lines = text.lines().filter_map(|line| line.strip_prefix("- "));
        lines.map(|line| line.replace(&id(""), "")).collect()
    }

    #[test]
    fn a_gate_of_usual_size_is_listed_whole() {
        let found = listed("T01 done; T02 after=T01; T03 after=T02", "T02");
        let heads: Vec<_> = found.iter().map(|l| l.split(']').next().unwrap()).collect();
        assert_eq!(heads, ["T01 [done", "T02 [you", "T03 [pending"]);
    }

    #[test]
    fn of_a_large_gate_what_is_bound_to_the_unit_and_what_stands_beside_it_is_listed() {
        let unit = |n: usize| match n {
            50 => "T50 after=T01".to_owned(),
            99 => "T99 after=T50".to_owned(),
            n => format!("T{n:02}"),
        };
        let units: Vec<String> = (1..=99).map(unit).collect();
        let found = listed(&units.join("; "), "T50");
        let ids: Vec<&str> = found.iter().map(|l| l.split(' ').next().unwrap()).collect();
        assert_eq!(found.last().unwrap(), "and 59 more in this gate");
        assert_eq!(ids.len(), MOST_LISTED + 1);
        assert!(ids.contains(&"T01") && ids.contains(&"T99") && ids.contains(&"T50"));
        assert!(ids.contains(&"T33") && ids.contains(&"T67"), "{ids:?}");
        assert!(!ids.contains(&"T02") && !ids.contains(&"T98"), "{ids:?}");
    }
}
