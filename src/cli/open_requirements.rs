//! Whether the end of a feature waits for requirements that nothing shows.

use super::Context;
use super::idle_driver::ask_driver;
use gatewalk_core::engine::coverage;
use gatewalk_core::model::status_machine::{FeatureStatus, GateStatus};
use gatewalk_host::state_repository::{Repository, Selected};

/// Returns whether the end of a feature, once reached, is kept open by a requirement that nothing shows.
pub(super) fn has_gaps(context: &Context, repository: &Repository, selected: &Selected) -> bool {
    let feature = selected.feature();
    let at_the_end = match feature.current_gate() {
        None => true,
        Some(gate) => {
            feature.terminal_gate() == Some(gate)
                && feature.gate_status(gate) == GateStatus::AwaitingReview
        }
    };
    if feature.plan.status() != FeatureStatus::Active || !at_the_end {
        return false;
    }
    let tip = selected.commit;
    let rows = ask_driver(context, repository, selected, |driver| {
        driver.coverage_at(&tip)
    });
    // Advice only: who asks for the end itself gets the error.
    rows.is_ok_and(|rows| !coverage::gaps(&rows).is_empty())
}
