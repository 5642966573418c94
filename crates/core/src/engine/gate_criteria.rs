//! What must be so at the end of a gate.

use crate::model::feature::Feature;
use crate::model::requirements;

/// One thing that must be so at the end of a gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Criterion {
    /// A requirement's id, or `G1.2`.
    pub(crate) id: String,
    /// What must be so.
    pub(crate) text: String,
}

/// Returns the file name of a gate's criteria: `GATE-01-CRITERIA.md`.
pub fn criteria_file(number: u32) -> String {
    format!("GATE-{number:02}-CRITERIA.md")
}

/// Returns what must be so at the end of a gate: its definition of done, and at the terminal gate
/// every requirement that is not deferred.
pub(crate) fn criteria(feature: &Feature, gate: usize) -> Vec<Criterion> {
    let number = feature.gate_number(gate);
    let mut all = Vec::new();
    if let Some(file) = feature.gate(gate) {
        let points = file.doc.bullets_under("Definition of done");
        let points = points.into_iter().filter(|b| b.depth == 1);
        all.extend(points.enumerate().map(|(i, b)| Criterion {
            id: format!("G{number}.{}", i + 1),
            text: b.text.trim().to_owned(),
        }));
    }
    if feature.terminal_gate() == Some(gate) {
        all.extend(
            requirements::due(&feature.plan)
                .into_iter()
                .map(|r| Criterion {
                    id: r.id,
                    text: r.text,
                }),
        );
    }
    all
}
