//! What a run that ends by an error says of the work that its sessions did: nobody need fear for it.

use crate::cli::Context;
use crate::cli::idle_driver::pinned_attempts;
use gatewalk_core::driver::committed_plan::Attempts;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::feature::Feature;
use gatewalk_core::model::status_machine::UnitStatus;
use gatewalk_host::state_repository::{Repository, Selected};

/// Adds to an error that ended a run where the work of the open units is.
pub(super) fn named(error: Error, context: &Context, walked: &[Selected]) -> Error {
    match units_with_work(context, walked) {
        Ok(units) if !units.is_empty() => error.hint(hint(&units)),
        // Of what cannot be looked up nothing is said: the error itself is what has to be read.
        Ok(_) | Err(_) => error,
    }
}

/// Returns what is said of a feature that ended by an error, where sessions worked on open units of it.
pub(super) fn of_feature(feature: &Feature, attempts: &Attempts) -> Option<String> {
    let units = open_units(feature, attempts);
    (!units.is_empty()).then(|| hint(&units))
}

fn units_with_work(context: &Context, walked: &[Selected]) -> Result<Vec<String>> {
    // Which of them landed meanwhile, the branches as they are now say.
    let repository = Repository::open(&context.cwd)?;
    let attempts = pinned_attempts(context, &repository)?;
    let mut units = Vec::new();
    for selected in walked {
        let now = repository.select(Some(&selected.feature().name()))?;
        units.extend(open_units(now.feature(), &attempts));
    }
    Ok(units)
}

/// Returns the units that wait to be judged or to land, and that a session worked on.
fn open_units(feature: &Feature, attempts: &Attempts) -> Vec<String> {
    let waiting = feature
        .members()
        .filter(|m| m.status() == UnitStatus::Pending);
    let worked = waiting.filter(|m| attempts.charged.get(m.id()).is_some_and(|a| !a.is_empty()));
    worked.map(|m| m.id().to_owned()).collect()
}

fn hint(units: &[String]) -> String {
    let shown = units
        .iter()
        .map(|id| format!("`gatewalk attempts show {id}`"));
    format!(
        "what sessions left is kept ({}); the same command goes on from there",
        shown.collect::<Vec<_>>().join(", ")
    )
}
