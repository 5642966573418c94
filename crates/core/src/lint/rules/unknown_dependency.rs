//! `GW302`. See `unknown_dependency.md`.

use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;
use crate::lint::one_meaning;
use crate::model::frontmatter::nearest;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    let ids = || cx.members.iter().map(|m| m.node.id.value.as_str());
    let mut guesses = 0;
    for member in &cx.members {
        for edge in member
            .node
            .depends_on
            .iter()
            .filter(|e| cx.member(&e.value).is_none())
        {
            let spelt = || {
                let id = one_meaning::unit_id(&edge.value, cx.feature.plan.id.as_ref()?)?;
                Some(cx.member(&id.to_string())?.node.id.value.as_str())
            };
            let by_file = || Some(cx.member_of_file(&edge.value)?.node.id.value.as_str());
            guesses += 1;
            // Nobody mistypes a hundred of them: behind those there is no guessing.
            let guess = || {
                let exact = spelt().or_else(by_file);
                let others = || ids().filter(|id| *id != member.id());
                exact.or_else(|| nearest(&edge.value, others()))
            };
            let near = (guesses <= 100).then(guess).flatten();
            let found = out
                .at(
                    cx.plan_path(),
                    edge.span.clone(),
                    format!(
                        "`{}` waits for `{}`, which is not in the graph",
                        member.id(),
                        edge.value
                    ),
                )
                .maybe_help(near.map(|n| format!("did you mean `{n}`?")));
            if let Some(near) = near {
                let edits = vec![(edge.span.clone(), near.to_owned())];
                let feature = cx.feature.plan.id.as_ref();
                let meant = feature.and_then(|id| one_meaning::unit_id(&edge.value, id));
                let safe = meant.is_some_and(|meant| meant.to_string() == near);
                found.fix(format!("write `{near}`"), edits, safe);
            }
        }
    }
}
