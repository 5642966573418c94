//! What a user does about units that can never start.

use super::next_step::NextAction;
use super::{NextStep, uncovered_steps, with_status};
use crate::model::feature::{Feature, PlannedUnit, Waiting};
use crate::model::status_machine::UnitStatus;

/// Units that can never start: the graph has to change.
pub(super) fn stuck(feature: &Feature) -> Vec<NextStep> {
    let Some(gate) = feature.current_gate() else {
        return uncovered_steps(&feature.name());
    };
    let statuses = feature.statuses();
    let never = with_status(feature, gate, UnitStatus::Pending).filter(|m| {
        let waiting = feature.waiting_among(m, &statuses);
        waiting.iter().any(|w| !matches!(w, Waiting::On(_)))
    });
    let never: Vec<PlannedUnit<'_>> = never.collect();
    // What a closing unit waits for is not frozen.
    let out = match never.iter().all(|m| m.unit_type().is_closing()) {
        true => "take the edge out of PLAN.md, or give up the unit that can never start",
        false => {
            "take the edge out of PLAN.md and arm the unit as it is then, or give up the unit that can never start"
        }
    };
    let abandon = never.iter().map(|m| {
        NextAction::Abandon {
            unit: m.id().into(),
        }
        .into()
    });
    let mut steps = vec![NextStep::words(out)];
    steps.extend(abandon);
    steps
}
