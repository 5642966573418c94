//! `GW612`. See `unknown_requirement.md`.

use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;
use crate::lint::requirements;
use crate::model::frontmatter::{OneOrMany, Spanned, nearest};
use crate::model::unit::Unit;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    let known = requirements::of(&cx.feature.plan);
    let mut guesses = 0;
    for unit in cx.members.iter().filter_map(|m| m.unit) {
        for id in covered(unit).filter(|id| !known.iter().any(|r| r.id == id.value)) {
            guesses += 1;
            // Nobody mistypes a hundred of them: behind those there is no guessing.
            let guess = || nearest(&id.value, known.iter().map(|r| r.id.as_str()));
            let near = (guesses <= 100).then(guess).flatten();
            let help = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => "requirements stand in PLAN.md: `- REQ-CART-1: …` under `## Requirements`"
                    .to_owned(),
            };
            let found = out
                .at(
                    unit.path(),
                    id.span.clone(),
                    format!("the plan has no requirement `{}`", id.value),
                )
                .help(help)
                .only_warn_if(cx.is_settled() || unit.status().is_settled());
            if let Some(near) = near {
                found.unsafe_fix(
                    format!("write `{near}`"),
                    vec![(id.span.clone(), near.to_owned())],
                );
            }
        }
    }
}

/// Every requirement a unit or one of its checks says it covers.
fn covered(unit: &Unit) -> impl Iterator<Item = &Spanned<String>> {
    let checks = unit
        .front
        .checks
        .iter()
        .flat_map(|c| &c.value)
        .filter_map(|c| c.value.covers.as_ref());
    let own = unit.front.covers.iter();
    own.chain(checks)
        .flat_map(|list: &Spanned<OneOrMany<String>>| &list.value.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_and_their_checks_cover() {
        let text = "---\ncovers: REQ-A-1\nchecks:\n  - name: a\n    run: b\n    covers: [REQ-B-1, REQ-C-1]\n---\n";
        let unit = Unit::parse("WU-01-a.md".into(), text.as_bytes());
        let ids: Vec<_> = covered(&unit).map(|id| id.value.as_str()).collect();
        assert_eq!(ids, ["REQ-A-1", "REQ-B-1", "REQ-C-1"]);
    }
}
