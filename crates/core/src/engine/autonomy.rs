//! Whether a gate may be passed and the next one armed without the user: every class that stops it,
//! each with its reason. Anything that a reviewer would look at twice stops it.

use super::auto_close::COST_FACTOR;
use super::closing::{self, CriterionState};
use super::open_notices::{self, OpenNotice};
use super::plan_revision::PlanRevision;
use super::snapshot::Snapshot;
use super::{gate_criteria, questions};
use crate::model::money::{usd, usd_of_limit};
use crate::model::status_machine::UnitStatus;
use crate::model::unit::{Unit, UnitType, Verdict};
use serde::Serialize;

/// One class of objections, and what was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Class {
    /// Its name in events and messages; never changes.
    pub name: &'static str,
    /// What stops it; empty when it is clean.
    pub found: Vec<String>,
}

/// Returns every class, for a gate that waits for review; `lint` holds findings about the next one.
pub fn classes(s: &Snapshot, gate: usize, lint: &[String]) -> Vec<Class> {
    let class = |name, found| Class { name, found };
    vec![
        class("lint", lint.to_vec()),
        class("revision", revisions(s, gate)),
        class("oracle", oracle_touching(s, gate + 1)),
        class(
            "questions",
            questions::open(&s.feature)
                .into_iter()
                .map(|q| q.text)
                .collect(),
        ),
        class("drift", drift(s, gate)),
        class("budget", budget(s, gate + 1)),
        class("criteria", criteria(s, gate)),
        class("drafts", drafts(s, gate + 1)),
        class("notices", notices(s, gate)),
    ]
}

/// A planner that reshaped what was planned before did what nobody asked for.
fn revisions(s: &Snapshot, gate: usize) -> Vec<String> {
    let planners = s
        .feature
        .members_of(gate)
        .filter(|m| m.unit_type() == UnitType::PlanNext);
    let attempts = planners.filter_map(|m| s.attempts.get(m.id())?.last());
    attempts
        .filter_map(|a| a.judgement.as_ref())
        .flat_map(|j| j.revisions.iter().map(PlanRevision::to_string))
        .collect()
}

/// What was unusual about a landing waits for the user.
fn notices(s: &Snapshot, gate: usize) -> Vec<String> {
    let open = open_notices::of_gate(&s.feature, Some(gate));
    open.iter().map(OpenNotice::to_string).collect()
}

fn oracle_touching(s: &Snapshot, gate: usize) -> Vec<String> {
    let mut found = Vec::new();
    for member in s.feature.members_of(gate) {
        let Some(front) = member.unit.map(|u| &u.front) else {
            continue;
        };
        let is_set = |key: &Option<crate::model::frontmatter::Spanned<bool>>| {
            key.as_ref().is_some_and(|v| v.value)
        };
        let mut object = |why: &str| found.push(format!("{} {why}", member.id()));
        if !Unit::list(&front.touches_control_plane).is_empty() {
            object("may change what judges it");
        }
        if is_set(&front.touches_tests) {
            object("may change protected tests");
        }
        if is_set(&front.unsandboxed) {
            object("runs without confinement");
        }
        if !Unit::list(&front.expects_red).is_empty() {
            object("starts on a red base");
        }
    }
    found
}

fn drift(s: &Snapshot, gate: usize) -> Vec<String> {
    let mut found = Vec::new();
    let units = || {
        s.feature
            .members_of(gate)
            .filter_map(|m| Some((m, m.unit?)))
    };
    for (member, unit) in units() {
        if unit.re_arm_count() > 0 {
            found.push(format!("{} was sent back to work", member.id()));
        }
        if member.status() == UnitStatus::Abandoned {
            found.push(format!("{} was given up", member.id()));
        }
    }
    let planned: f64 = units()
        .filter_map(|(_, u)| u.front.planned_cost_usd.as_ref())
        .map(|p| p.value)
        .sum();
    let spent = s.cost(Some(gate));
    if planned > 0.0 && spent > planned * COST_FACTOR {
        let (spent, planned) = usd_of_limit(spent, planned);
        found.push(format!("the gate cost {spent} of planned {planned}"));
    }
    found
}

fn budget(s: &Snapshot, next: usize) -> Vec<String> {
    let Some(budget) = s.feature.plan.front.budget_usd.as_ref().map(|b| b.value) else {
        return vec![];
    };
    let planned: f64 = s
        .feature
        .members_of(next)
        .filter_map(|m| m.unit?.front.planned_cost_usd.as_ref())
        .map(|p| p.value)
        .sum();
    let spent = s.cost(None);
    let over = spent + planned > budget;
    let found = over.then(|| {
        let (sum, budget) = usd_of_limit(spent + planned, budget);
        let (spent, planned) = (usd(spent), usd(planned));
        format!("{spent} spent and {planned} planned are {sum}, more than {budget}")
    });
    found.into_iter().collect()
}

fn criteria(s: &Snapshot, gate: usize) -> Vec<String> {
    let name = gate_criteria::criteria_file(s.feature.gate_number(gate));
    let text = s
        .feature
        .others
        .get(&name)
        .map(|b| String::from_utf8_lossy(b).into_owned());
    let entries = closing::entries(&text.unwrap_or_default());
    let mut found: Vec<String> = entries
        .into_iter()
        .filter(|e| e.state != CriterionState::Met)
        .map(|e| format!("{} is not met", e.id))
        .collect();
    for member in s.feature.members_of(gate) {
        let verdict = member.unit.and_then(|u| u.front.verdict.as_ref());
        if verdict.is_some_and(|v| v.value == Verdict::NotMet) {
            found.push(format!("{} has the verdict not_met", member.id()));
        }
    }
    found
}

fn drafts(s: &Snapshot, next: usize) -> Vec<String> {
    let any = s
        .feature
        .members_of(next)
        .any(|m| m.status() == UnitStatus::Draft && m.unit.is_some());
    (!any)
        .then(|| "there is nothing to arm".to_owned())
        .into_iter()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::test_snapshot::{FEATURE, snapshot};
    use crate::model::layout;
    use std::sync::Arc;

    /// Returns what stops a gate 1 that waits for review, each with its class; `page` is a file of the feature's.
    fn found(situation: &str, page: (&str, &str)) -> Vec<String> {
        let mut s = snapshot(situation);
        let (name, text) = page;
        let page: Arc<[u8]> = text.as_bytes().into();
        Arc::make_mut(&mut s.feature)
            .others
            .insert(name.to_owned(), page);
        let all = classes(&s, 0, &[]).into_iter();
        all.flat_map(|c| {
            c.found
                .into_iter()
                .map(move |why| format!("{}: {why}", c.name))
        })
        .map(|line| line.replace(&format!("{FEATURE}/"), ""))
        .collect()
    }

    #[test]
    fn each_class_alone_stops_what_passes_without_the_user() {
        // What is said of the gate itself, then of the one that would be armed.
        for (situation, want) in [
            ("active | G1: T01 done tried=pass$1 | G2: T02 draft", ""),
            (
                "active | G1: T01 done re_arm_count=1 | G2: T02 draft",
                "drift: T01 was sent back to work",
            ),
            (
                "active | G1: T01 abandoned | G2: T02 draft",
                "drift: T01 was given up",
            ),
            (
                "active | G1: T01 done planned_cost_usd=2 tried=pass$3 | G2: T02 draft",
                "",
            ),
            (
                "active | G1: T01 done planned_cost_usd=2 tried=pass$3.5 | G2: T02 draft",
                "drift: the gate cost $3.50 of planned $2.00",
            ),
            (
                "active budget_usd=5 | G1: T01 done tried=pass$1 | G2: T02 draft planned_cost_usd=4",
                "",
            ),
            (
                "active budget_usd=4.5 | G1: T01 done tried=pass$1 | G2: T02 draft planned_cost_usd=4",
                "budget: $1.00 spent and $4.00 planned are $5.00, more than $4.50",
            ),
            (
                "active | G1: T01 done | G2: T02 draft touches_control_plane=[a]",
                "oracle: T02 may change what judges it",
            ),
            (
                "active | G1: T01 done | G2: T02 draft touches_tests=true",
                "oracle: T02 may change protected tests",
            ),
            (
                "active | G1: T01 done | G2: T02 draft unsandboxed=true",
                "oracle: T02 runs without confinement",
            ),
            (
                "active | G1: T01 done | G2: T02 draft expects_red=[a]",
                "oracle: T02 starts on a red base",
            ),
            (
                "active | G1: T01 done touches_tests=true unsandboxed=true | G2: T02 draft",
                "",
            ),
            (
                "active | G1: T01 done; T03 close done verdict=met | G2: T02 draft",
                "",
            ),
            (
                "active | G1: T01 done; T03 close done verdict=not_met | G2: T02 draft",
                "criteria: T03 has the verdict not_met",
            ),
            (
                "active | G1: T01 done | G2: T02 pending",
                "drafts: there is nothing to arm",
            ),
            (
                "active | G1: T01 done | G2: T02 draft nofile",
                "drafts: there is nothing to arm",
            ),
        ] {
            assert_eq!(
                found(situation, ("x.md", "")).join("; "),
                want,
                "{situation}"
            );
        }
    }

    #[test]
    fn what_pages_say_of_a_gate_stops_what_passes_without_the_user() {
        let clean = "active | G1: T01 done | G2: T02 draft";
        let landing = format!(
            "{{\"timestamp\":\"x\",\"correlation_id\":\"{FEATURE}/T01\",\"event_type\":\"attempt_outcome\",\"payload\":{{\"outcome\":\"passed\",\"unusual\":[\"odd\"]}}}}\n"
        );
        for (page, want) in [
            ((layout::EVENTS, landing.as_str()), "notices: T01: odd"),
            (
                (
                    "GATE-01-CRITERIA.md",
                    "# Criteria\n\n### C1\n\n- state: open\n",
                ),
                "criteria: C1 is not met",
            ),
            (
                (
                    "GATE-01-CRITERIA.md",
                    "# Criteria\n\n### C1\n\n- state: met\n- shown by: x\n",
                ),
                "",
            ),
            (
                (
                    "GATE-02-CRITERIA.md",
                    "# Criteria\n\n### C1\n\n- state: open\n",
                ),
                "",
            ),
        ] {
            assert_eq!(found(clean, page).join("; "), want, "{page:?}");
        }
        let found = classes(&snapshot(clean), 0, &["GW101 x".to_owned()]);
        assert_eq!(found[0].found, ["GW101 x"]);
    }

    #[test]
    fn what_a_planner_reshaped_stops_what_passes_without_the_user() {
        for (planner, want) in [("G1-PLAN plan-next", 1), ("G1-PLAN docs", 0)] {
            let mut s = snapshot(&format!(
                "active | G1: {planner} done tried=fail,pass | G2: T02 draft"
            ));
            let attempts = Arc::make_mut(&mut s.attempts).values_mut().next();
            let attempts = Arc::make_mut(attempts.unwrap());
            let judgement = attempts.last_mut().unwrap().judgement.as_mut().unwrap();
            judgement
                .revisions
                .push(PlanRevision::GateAdded { gate: 3 });
            assert_eq!(revisions(&s, 0).len(), want, "{planner}");
            assert!(revisions(&s, 1).is_empty(), "{planner}");
        }
    }
}
