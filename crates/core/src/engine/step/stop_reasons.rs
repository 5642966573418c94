//! Why a walk ends, once nothing can move.

use crate::engine::action::Stop;
use crate::engine::broad_tier::BroadReport;
use crate::engine::snapshot::Snapshot;
use crate::model::feature::Waiting;
use crate::model::status_machine::UnitStatus;

pub(super) fn over_budget(s: &Snapshot, gate: usize) -> Option<Stop> {
    let of_gate = s
        .feature
        .gate(gate)
        .and_then(|g| g.front.cost_budget_usd.as_ref())
        .or(s.config.front.gate_budget_usd.as_ref())
        .map(|b| {
            (
                format!("gate {}", s.feature.gate_number(gate)),
                s.cost(Some(gate)),
                b.value,
            )
        });
    let of_feature = s
        .feature
        .plan
        .front
        .budget_usd
        .as_ref()
        .map(|b| ("the feature".to_owned(), s.cost(None), b.value));
    [of_gate, of_feature]
        .into_iter()
        .flatten()
        .find(|(_, spent, budget)| *spent > 0.0 && spent >= budget)
        .map(|(whose, spent, budget)| Stop::Budget {
            whose,
            spent,
            budget,
        })
}

pub(super) fn red_tip(s: &Snapshot, gate: usize, report: &BroadReport) -> Stop {
    Stop::RedTip {
        gate: s.feature.gate_number(gate),
        report: report.clone(),
    }
}

pub(super) fn at_gate(s: &Snapshot, gate: usize) -> Stop {
    let drafts = s
        .feature
        .members()
        .filter(|m| m.gate > gate && m.status() == UnitStatus::Draft && m.unit.is_some())
        .map(|m| m.id().to_owned())
        .collect();
    let last = s.feature.terminal_gate() == Some(gate);
    Stop::AtGate {
        gate: s.feature.gate_number(gate),
        drafts,
        uncovered: if last { s.gaps() } else { vec![] },
    }
}

pub(super) fn why_nothing_moves(
    s: &Snapshot,
    gate: usize,
    red_base: Vec<(String, Vec<String>)>,
    human: Vec<String>,
) -> Stop {
    let with_status = |status: UnitStatus| -> Vec<String> {
        let of = s.feature.members_of(gate).filter(|m| m.status() == status);
        of.map(|m| m.id().to_owned()).collect()
    };
    let blocked = with_status(UnitStatus::BlockedHuman);
    if !blocked.is_empty() || !human.is_empty() || !red_base.is_empty() {
        return Stop::NeedsHuman {
            blocked,
            human,
            red_base,
        };
    }
    let drafts = with_status(UnitStatus::Draft);
    if !drafts.is_empty() {
        return Stop::AtGate {
            gate: s.feature.gate_number(gate),
            drafts,
            uncovered: vec![],
        };
    }
    let mut why: Vec<String> = s
        .feature
        .members_of(gate)
        .filter(|m| m.status() == UnitStatus::Pending)
        .flat_map(|m| {
            let id = m.id().to_owned();
            s.feature.waiting(&m).into_iter().map(move |w| match w {
                Waiting::On(on) => format!("{id} waits for {on}"),
                Waiting::OnAbandoned(on) => format!("{id} waits for {on}, which was abandoned"),
                Waiting::OnUnknown(on) => format!("{id} waits for {on}, which does not exist"),
            })
        })
        .collect();
    if why.is_empty() {
        why.push(format!("gate {} has no units", s.feature.gate_number(gate)));
    }
    Stop::Stuck(why)
}
