//! `GW407`. See `roadmap_status_mismatch.md`.

use crate::lint::context::WorkspaceCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::status_machine::{FeatureStatus, Word};

pub(super) fn check(cx: &WorkspaceCx<'_>, out: &mut FindingSink) {
    let Some((path, text)) = cx.roadmap() else {
        return;
    };
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        if !line.trim_start().starts_with('|') {
            continue;
        }
        let Some(feature) = cx.ws.features.iter().find(|f| {
            f.plan
                .id
                .as_ref()
                .is_some_and(|id| names(line, id.as_str()))
        }) else {
            continue;
        };
        let Some((offset, word, status)) = status_cell(line) else {
            continue;
        };
        // A status that cannot be read says nothing.
        let is_read = feature.plan.front.status.is_some();
        if is_read && status != feature.plan.status() {
            let span = start + offset..start + offset + word.len();
            let own = feature.plan.status().word();
            out.at(
                path,
                span.clone(),
                format!(
                    "the roadmap says `{word}`, the plan of `{}` says `{own}`",
                    feature.name()
                ),
            )
            .related(
                &feature.plan.doc.path,
                feature.plan.doc.key_span("status"),
                "the plan",
            )
            .safe_fix(format!("write `{own}`"), vec![(span, own.to_owned())]);
        }
    }
}

/// Whether a row has the id as a whole cell word: `FEAT-2026-0001`, not `FEAT-2026-00010`.
fn names(line: &str, id: &str) -> bool {
    line.match_indices(id)
        .any(|(at, _)| !line[at + id.len()..].starts_with(|c: char| c.is_ascii_alphanumeric()))
}

/// The cell that is exactly a status, its offset in the row, and its meaning.
fn status_cell(line: &str) -> Option<(usize, &str, FeatureStatus)> {
    let mut at = 0;
    for cell in line.split('|') {
        let word = cell.trim().trim_matches(['`', '*']);
        if let Some(status) = FeatureStatus::from_word(word) {
            let offset = at + cell.find(word)?;
            return Some((offset, word, status));
        }
        at += cell.len() + 1;
    }
    None
}
