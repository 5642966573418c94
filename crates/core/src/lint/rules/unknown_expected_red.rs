//! `GW616`. See `unknown_expected_red.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::frontmatter::nearest;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    let verification = &cx.f.ws.ws.verification;
    let names = || {
        verification
            .sets
            .iter()
            .flat_map(|s| &s.commands)
            .map(|c| c.value.name())
    };
    for name in cx.unit.front.expects_red.iter().flat_map(|l| &l.value.0) {
        // The user's hooks are commands too, and no file of the plan says which there are.
        let hook = matches!(&*name.value, "pre-commit hook" | "commit-msg hook");
        if verification.exists && !hook && !names().any(|n| n == name.value) {
            let near = nearest(&name.value, names());
            out.at(
                cx.path(),
                name.span.clone(),
                format!("there is no command `{}`", name.value),
            )
            .maybe_help(near.map(|n| format!("did you mean `{n}`?")))
            .only_warn_if(!cx.is_dispatchable());
        }
    }
}
