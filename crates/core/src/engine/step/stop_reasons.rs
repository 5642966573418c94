//! Why a walk ends, once nothing can move.

use crate::engine::action::{BudgetScope, Stop};
use crate::engine::broad_report::BroadReport;
use crate::engine::red_command::RedCommand;
use crate::engine::snapshot::Snapshot;
use crate::model::status_machine::UnitStatus;

/// The part of a budget from which on its end is near.
const NEAR: f64 = 0.8;

/// A budget, and what is used of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BudgetUse {
    /// What it is for.
    pub(crate) whose: BudgetScope,
    /// US dollars so far.
    pub(crate) spent: f64,
    /// What may be spent, in US dollars.
    pub(crate) budget: f64,
}

pub(super) fn over_budget(s: &Snapshot, gate: usize) -> Option<Stop> {
    let over = |used: &BudgetUse| used.spent > 0.0 && used.spent >= used.budget;
    let used = budgets(s, gate).find(over)?;
    Some(Stop::Budget {
        whose: used.whose,
        spent: used.spent,
        budget: used.budget,
    })
}

/// Returns the budgets of the current gate, of the feature and of the run that are nearly used up.
pub(crate) fn near_budgets(s: &Snapshot) -> Vec<BudgetUse> {
    let gate = s.feature.current_gate();
    let near = |used: &BudgetUse| used.spent < used.budget && used.spent >= used.budget * NEAR;
    let all = gate.into_iter().flat_map(|gate| budgets(s, gate));
    all.filter(near).collect()
}

fn budgets(s: &Snapshot, gate: usize) -> impl Iterator<Item = BudgetUse> {
    let of_gate = s
        .feature
        .gate(gate)
        .and_then(|g| g.front.cost_budget_usd.as_ref())
        .or(s.config.front.gate_budget_usd.as_ref())
        .map(|b| BudgetUse {
            whose: BudgetScope::Gate(s.feature.gate_number(gate)),
            spent: s.cost(Some(gate)),
            budget: b.value,
        });
    let of_feature = s.feature.plan.front.budget_usd.as_ref();
    let of_feature = of_feature.map(|b| BudgetUse {
        whose: BudgetScope::Feature,
        spent: s.cost(None),
        budget: b.value,
    });
    let of_run = s.options.budget_usd.map(|budget| BudgetUse {
        whose: BudgetScope::Run,
        spent: s.run_cost_usd,
        budget,
    });
    [of_gate, of_feature, of_run].into_iter().flatten()
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
    red_base: Vec<(String, Vec<RedCommand>)>,
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
            let waiting = s.feature.waiting(&m).into_iter();
            waiting.map(move |w| format!("{id} waits for {}", w.in_full()))
        })
        .collect();
    if why.is_empty() {
        why.push(format!("gate {} has no units", s.feature.gate_number(gate)));
    }
    Stop::Stuck(why)
}
