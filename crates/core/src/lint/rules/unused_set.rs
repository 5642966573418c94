//! `GW622`. See `unused_set.md`.

use crate::lint::context::WorkspaceCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::frontmatter::nearest;
use crate::model::unit::Unit;
use crate::model::verification::{INFORMATIONAL_SETS, SETTINGS, TYPE_SETS, Verification};
use std::collections::BTreeSet;

pub(super) fn check(cx: &WorkspaceCx<'_>, out: &mut FindingSink) {
    let verification = &cx.ws.verification;
    let units = cx.ws.features.iter().flat_map(|f| f.units.particular());
    let added: BTreeSet<&str> = units
        .flat_map(|unit| Unit::list(&unit.front.extra_gates))
        .collect();
    for set in &verification.sets {
        let name = set.name.value.as_str();
        let judges = TYPE_SETS.contains(&name) || added.contains(name);
        if judges || INFORMATIONAL_SETS.contains(&name) {
            continue;
        }
        let missing = TYPE_SETS
            .into_iter()
            .filter(|known| verification.set(known).is_none())
            .chain(SETTINGS);
        let near = nearest(name, missing).or_else(|| in_place_of_code(verification, name));
        let found = out
            .at(
                &verification.path,
                set.name.span.clone(),
                format!("no unit is judged by the set `{name}`: its commands never run"),
            )
            .help(near.map_or_else(
                || {
                    format!(
                        "`code`, `doc` and `plannext` are chosen by a unit's type; any other set needs a unit with \
                         `extra_gates: [{name}]`"
                    )
                },
                |near| format!("did you mean `{near}`?"),
            ));
        if let Some(near) = near {
            found.unsafe_fix(
                format!("rename to `{near}`"),
                vec![(set.name.span.clone(), near.to_owned())],
            );
        }
    }
}

/// Returns `code` for the only set there is beside those of closing and planning units.
fn in_place_of_code(verification: &Verification, name: &str) -> Option<&'static str> {
    let others = verification.sets.iter().map(|set| set.name.value.as_str());
    let mut unknown =
        others.filter(|set| !TYPE_SETS.contains(set) && !INFORMATIONAL_SETS.contains(set));
    let is_only = unknown.next() == Some(name) && unknown.next().is_none();
    (is_only && verification.set("code").is_none()).then_some("code")
}
