//! `GW605`. See `unknown_set.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::frontmatter::nearest;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    let verification = &cx.f.ws.ws.verification;
    for name in cx.unit.front.extra_gates.iter().flat_map(|l| &l.value.0) {
        if verification.exists && verification.set(&name.value).is_none() {
            let near = nearest(&name.value, verification.set_names());
            let found = out
                .at(
                    cx.path(),
                    name.span.clone(),
                    format!("there is no verification set `{}`", name.value),
                )
                .help(near.map_or_else(
                    || format!("there are: {}", verification.set_names().join(", ")),
                    |n| format!("did you mean `{n}`?"),
                ))
                .only_warn_if(!cx.is_dispatchable());
            if let Some(near) = near {
                found.unsafe_fix(
                    format!("write `{near}`"),
                    vec![(name.span.clone(), near.to_owned())],
                );
            }
        }
    }
}
