//! `GW315`. See `needless_chain.md`.

use crate::engine::guards::matches;
use crate::lint::context::GateCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::feature::PlannedUnit;
use crate::model::id::short_id;
use crate::model::unit::Unit;
use crate::path_names::{file_name, is_below};

pub(super) fn check(cx: &GateCx<'_>, out: &mut FindingSink) {
    for member in cx
        .units()
        .filter(|m| !m.status().is_settled() && !m.unit_type().is_closing())
    {
        let [edge] = &member.node.depends_on[..] else {
            continue;
        };
        let Some(before) = cx.member(&edge.value).filter(|b| b.gate == member.gate) else {
            continue;
        };
        if let (Some(unit), Some(other)) = (member.unit, before.unit)
            && are_apart(unit, other)
            && !mentions(unit, before)
        {
            out.at(cx.plan_path(), edge.span.clone(), format!("`{}` waits for `{}`, but nothing shows that it needs it", member.id(), edge.value))
                .help("their paths are apart and the text does not name it: without the edge both run at once");
        }
    }
}

/// Whether both say which paths they touch, and none of those is common.
fn are_apart(unit: &Unit, other: &Unit) -> bool {
    let paths = |u: &Unit| -> Vec<String> {
        [&u.front.touches, &u.front.produces]
            .into_iter()
            .flat_map(Unit::list)
            .map(str::to_owned)
            .collect()
    };
    let (own, others) = (paths(unit), paths(other));
    // Most are plain paths; a glob is compiled only where there is one.
    let is_glob = |path: &str| path.contains(['*', '?', '[', '{']);
    let covers =
        |a: &str, b: &str| is_glob(a) && matches(a, b) || is_below(b, a.trim_end_matches('/'));
    let common = own.iter().any(|a| {
        others
            .iter()
            .any(|b| a == b || covers(a, b) || covers(b, a))
    });
    !own.is_empty() && !others.is_empty() && !common
}

/// Whether a unit's text names the other one, its file, or one of its paths.
fn mentions(unit: &Unit, other: &PlannedUnit<'_>) -> bool {
    let text = unit.doc.body_text();
    let local = short_id(other.id());
    let name = |path: &str| file_name(path).to_owned();
    let made = other
        .unit
        .map(|u| Unit::list(&u.front.produces))
        .unwrap_or_default();
    text.contains(local)
        || text.contains(&other.node.file.value)
        || made.iter().any(|path| text.contains(&name(path)))
}
