//! Which units may be worked beside each other: not two that say they may change the same files.

use crate::engine::action::Action;
use crate::engine::guards;
use crate::engine::snapshot::Snapshot;
use crate::model::unit::Unit;

/// Returns the actions whose units keep out of the way of those that run, and of those before them. What was already
/// worked is judged whatever runs beside it, and a unit that names no `touches` is held back by nobody.
pub(super) fn admitted(s: &Snapshot, actions: Vec<Action>) -> Vec<Action> {
    if s.options.optimistic || s.options.jobs <= 1 {
        return actions;
    }
    let mut at_work: Vec<Vec<&str>> = s.running.iter().map(|id| touches(s, id)).collect();
    let starts =
        |action: &Action| matches!(action, Action::CheckBase { .. } | Action::Dispatch { .. });
    let admit = |action: &Action| {
        let own = action.unit().map_or(vec![], |id| touches(s, id));
        let meets = at_work.iter().any(|other| meet(&own, other));
        if starts(action) && meets {
            return false;
        }
        at_work.push(own);
        true
    };
    actions.into_iter().filter(admit).collect()
}

fn touches<'a>(s: &'a Snapshot, id: &str) -> Vec<&'a str> {
    let unit: Option<&Unit> = s.feature.member(id).and_then(|m| m.unit);
    unit.map_or(vec![], |unit| Unit::list(&unit.front.touches))
}

fn meet(one: &[&str], other: &[&str]) -> bool {
    one.iter()
        .any(|a| other.iter().any(|b| guards::overlap(a, b)))
}
