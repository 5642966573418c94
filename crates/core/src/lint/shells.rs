//! Every command of the oracle, wherever it stands: the verification file, gates and checks.

use crate::diagnostic::Span;
use crate::model::verification::INFORMATIONAL_SETS;
use crate::model::workspace::Workspace;
use std::sync::Arc;

/// One command of a plan or of verification.yml.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shell<'a> {
    /// The file it stands in.
    pub(crate) path: &'a Arc<str>,
    /// Where it stands in the file.
    pub(crate) span: &'a Span,
    /// The shell text as written.
    pub(crate) text: &'a str,
    /// Whether it will never run again.
    pub(crate) settled: bool,
}

/// Returns every command that judges something.
pub(crate) fn all(ws: &Workspace) -> Vec<Shell<'_>> {
    let mut shells = Vec::new();
    let judging = ws
        .verification
        .sets
        .iter()
        .filter(|s| !INFORMATIONAL_SETS.contains(&s.name.value.as_str()));
    for text in judging
        .flat_map(|s| &s.commands)
        .filter_map(|c| c.value.command.as_ref())
    {
        shells.push(Shell {
            path: &ws.verification.path,
            span: &text.span,
            text: &text.value,
            settled: false,
        });
    }
    for feature in ws.features.iter() {
        let over = feature.plan.status().is_over();
        for gate in feature.gates.values() {
            if let Some(text) = &gate.front.feature_oracle {
                shells.push(Shell {
                    path: &gate.doc.path,
                    span: &text.span,
                    text: &text.value,
                    settled: over,
                });
            }
        }
        for unit in feature.units.particular() {
            let settled = over || unit.status().is_settled();
            let checks = unit.front.checks.iter().flat_map(|c| &c.value);
            for text in checks.filter_map(|c| c.value.run.as_ref()) {
                shells.push(Shell {
                    path: unit.path(),
                    span: &text.span,
                    text: &text.value,
                    settled,
                });
            }
        }
    }
    shells
}

/// Returns every command that may still run.
pub(crate) fn live(ws: &Workspace) -> impl Iterator<Item = Shell<'_>> {
    all(ws).into_iter().filter(|shell| !shell.settled)
}
