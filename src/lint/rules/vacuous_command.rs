//! `GW602`. See `vacuous_command.md`.

use crate::diagnostic::Span;
use crate::lint::context::WorkspaceCx;
use crate::lint::sink::Sink;
use crate::model::verification::{INFORMATIONAL_SETS, cannot_fail};
use std::sync::Arc;

pub(super) fn check(cx: &WorkspaceCx<'_>, out: &mut Sink) {
    let verification = &cx.ws.verification;
    for set in verification.sets.iter().filter(|s| !INFORMATIONAL_SETS.contains(&s.name.value.as_str())) {
        for shell in set.commands.iter().filter_map(|c| c.value.command.as_ref()) {
            report(&verification.path, &shell.span, &shell.value, false, out);
        }
    }
    for feature in &cx.ws.features {
        let settled = matches!(feature.plan.status(), crate::model::status::FeatureStatus::Done | crate::model::status::FeatureStatus::Abandoned);
        for gate in feature.gates.values() {
            if let Some(oracle) = &gate.front.feature_oracle {
                report(&gate.doc.path, &oracle.span, &oracle.value, settled, out);
            }
        }
        for unit in feature.units.values() {
            let done = settled || unit.status().is_settled();
            for shell in unit.front.checks.iter().flat_map(|c| &c.value).filter_map(|c| c.value.run.as_ref()) {
                report(unit.path(), &shell.span, &shell.value, done, out);
            }
        }
    }
}

fn report(path: &Arc<str>, span: &Span, shell: &str, settled: bool, out: &mut Sink) {
    if cannot_fail(shell) {
        out.at(path, span.clone(), "this command cannot fail, so it proves nothing")
            .help("take out `|| true` and the like, or the command")
            .only_warn_if(settled);
    }
}
