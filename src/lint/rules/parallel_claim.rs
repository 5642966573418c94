//! `GW712`. See `parallel_claim.md`.

use crate::lint::context::GateCx;
use crate::lint::paths;
use crate::lint::sink::Sink;
use std::collections::HashMap;

/// A unit's id, its file, and where in it the claim is.
type Claim<'a> = (&'a str, &'a std::sync::Arc<str>, &'a std::ops::Range<usize>);

pub(super) fn check(cx: &GateCx<'_>, out: &mut Sink) {
    let mut claims: HashMap<&str, Vec<Claim<'_>>> = HashMap::new();
    for member in cx.units().filter(|m| !m.status().is_settled()) {
        let Some(unit) = member.unit else { continue };
        for named in
            paths::named("produces", &unit.front.produces).filter(|n| !paths::is_glob(n.path))
        {
            claims.entry(named.path).or_default().push((
                &member.node.id.value,
                unit.path(),
                named.span,
            ));
        }
    }
    let mut claims: Vec<_> = claims
        .into_iter()
        .filter(|(_, list)| list.len() > 1)
        .collect();
    claims.sort_by_key(|(path, _)| *path);
    for (path, list) in claims {
        let [first, rest @ ..] = &list[..] else {
            continue;
        };
        for other in rest {
            let ordered = first.0 == other.0
                || cx.ancestors(other.0).contains(first.0)
                || cx.ancestors(first.0).contains(other.0);
            if !ordered && !cx.is_settled() {
                out.at(
                    other.1,
                    other.2.clone(),
                    format!(
                        "`{}` and `{}` both produce `{path}`, and may run at the same time",
                        first.0, other.0
                    ),
                )
                .related(first.1, first.2.clone(), "the other one")
                .help("add an edge between them");
            }
        }
    }
}
