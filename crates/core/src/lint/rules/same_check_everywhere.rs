//! `GW609`. See `same_check_everywhere.md`.

use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;
use std::collections::BTreeMap;

/// Units from which a common check says nothing about any of them.
const MANY: usize = 2;

/// A file, and where in it.
type CheckLocation<'a> = (&'a std::sync::Arc<str>, std::ops::Range<usize>);

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    if cx.is_settled() {
        return;
    }
    let mut runs: BTreeMap<&str, Vec<CheckLocation<'_>>> = BTreeMap::new();
    let mut units = 0;
    for unit in cx
        .members
        .iter()
        .filter_map(|m| m.unit)
        .filter(|u| u.front.checks.is_some())
    {
        units += 1;
        for run in unit
            .front
            .checks
            .iter()
            .flat_map(|c| &c.value)
            .filter_map(|c| c.value.run.as_ref())
        {
            runs.entry(run.value.trim())
                .or_default()
                .push((unit.path(), run.span.clone()));
        }
    }
    for (run, places) in runs
        .into_iter()
        .filter(|(_, places)| units >= MANY && places.len() == units)
    {
        let mut found = out
            .at(
                places[0].0,
                places[0].1.clone(),
                format!("every unit with checks has the same one, `{run}`"),
            )
            .help("it goes to verification.yml; a check shows what this unit and no other brings");
        for (path, span) in &places[1..] {
            found = found.related(path, span.clone(), "here too");
        }
    }
}
