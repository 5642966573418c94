//! The declared commands that did not run on what landed, as commands say them.

use gatewalk_core::engine::snapshot::Snapshot;
use gatewalk_core::engine::unrun_commands::{UnrunCommand, of_feature};
use gatewalk_host::state_repository::{Repository, Selected};
use serde_json::{Value, json};

/// Returns the declared commands that did not run on the files of a feature's tip.
pub(crate) fn unrun_commands(repository: &Repository, selected: &Selected) -> Vec<UnrunCommand> {
    // Shown beside what was asked for: what cannot be read now is only not shown.
    let product = repository.product_key(selected.commit).unwrap_or_default();
    let verification = &selected.workspace.verification;
    of_feature(verification, selected.feature(), &product)
}

/// Returns the same of a feature as a run left it.
pub(crate) fn unrun_at(repository: &Repository, s: &Snapshot) -> Vec<UnrunCommand> {
    let product = repository.product_key(s.tip).unwrap_or_default();
    of_feature(&s.verification, &s.feature, &product)
}

/// Returns what `--json` says of a declared command that did not run.
pub(crate) fn unrun_row(unrun: &UnrunCommand) -> Value {
    json!({"name": unrun.name, "set": unrun.set, "why": unrun.why.to_string()})
}
