//! Commits that move a gate or its feature on: no session worked for them.

use super::driver_event::DriverEvent;
use super::land::{books, subject};
use super::plan_commit::place_edit;
use super::ports::SlotId;
use super::run_loop::Driver;
use crate::engine::close_decision::Decision;
use crate::engine::evidence::one_line;
use crate::engine::open_notices;
use crate::engine::trailers::{self, Trailer};
use crate::error::Result;
use crate::model::status_machine::FeatureVerb;
use std::sync::Arc;

/// Closes a closing unit without a session.
pub(super) fn auto_close(driver: &Driver<'_>, id: &str, decision: &Decision) -> Result<()> {
    let tip = driver.tip()?;
    let plan = driver.plan_at(&tip)?;
    let (member, unit) = plan.unit(id)?;
    let now = driver.machine.now().to_string();
    let retrospective =
        crate::engine::retrospective::of_gate(plan.feature(), member.gate, Some(decision));
    let edits = books(driver, &plan, &now).auto_close(id, decision, &retrospective)?;
    let message = trailers::message(
        &subject(&unit.title()),
        "Every condition of a clean gate holds; closed without a session.",
        &[
            (Trailer::Feature, id),
            (Trailer::Attempt, "0"),
            (Trailer::Agent, "none"),
            (Trailer::Oracle, &format!("auto-close-{}", decision.version)),
        ],
    );
    if place_edit(driver, &plan, edits, &message)?.is_some() {
        Arc::make_mut(&mut driver.cache().landed).push(id.into());
        driver.report(DriverEvent::AutoClosed {
            unit: id.to_owned(),
        });
    }
    Ok(())
}

/// Brings a gate to review, or finishes the feature.
pub(super) fn close_gate(
    driver: &Driver<'_>,
    (gate, finish): (usize, bool),
    slot: SlotId,
) -> Result<()> {
    let tip = driver.tip()?;
    // So that whoever looks at the gate sees what every requirement's check says now.
    driver.run_coverage(&tip, slot)?;
    let plan = driver.plan_at(&tip)?;
    let now = driver.machine.now().to_string();
    let edits = books(driver, &plan, &now).close_gate(gate, finish)?;
    let number = plan.feature().gate_number(gate);
    let name = plan.feature().name();
    let (subject, status) = if finish {
        (format!("Finish {name}: gate {number} passed"), "passed")
    } else {
        (format!("Reach gate {number} of {name}"), "awaiting_review")
    };
    let reached = format!("{name}/{number}");
    let message = trailers::message(&subject, "", &[(Trailer::Gate, &reached)]);
    if place_edit(driver, &plan, edits, &message)?.is_some() {
        driver.report(DriverEvent::Gate {
            feature: name.clone(),
            gate: number,
            status: status.to_owned(),
        });
        let open = open_notices::of_gate(plan.feature(), Some(gate));
        if !finish && !open.is_empty() {
            let open: Vec<String> = open.iter().map(|n| one_line(&n.to_string())).collect();
            driver.report(DriverEvent::Note {
                text: format!(
                    "gate {number} waits, for a landing was unusual: {}; once you have seen it: gatewalk arm --accept",
                    open.join("; ")
                ),
            });
        }
    }
    Ok(())
}

/// Flips a planned feature to active.
pub(super) fn activate(driver: &Driver<'_>) -> Result<()> {
    let tip = driver.tip()?;
    let plan = driver.plan_at(&tip)?;
    let now = driver.machine.now().to_string();
    let edits = books(driver, &plan, &now).feature_status(FeatureVerb::Activate)?;
    let message = format!("Activate {}\n", plan.feature().name());
    place_edit(driver, &plan, edits, &message)?;
    Ok(())
}
