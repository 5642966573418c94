//! `GW712`. See `parallel_claim.md`.

use crate::engine::guards::matches;
use crate::lint::context::GateCx;
use crate::lint::finding_sink::FindingSink;
use crate::lint::paths;
use std::collections::HashMap;

/// A unit's id, its file, and where in it the claim is.
type Claim<'a> = (&'a str, &'a std::sync::Arc<str>, &'a std::ops::Range<usize>);

pub(super) fn check(cx: &GateCx<'_>, out: &mut FindingSink) {
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
    globs(cx, out);
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
            if !are_ordered(cx, first.0, other.0) && !cx.is_settled() {
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

fn are_ordered(cx: &GateCx<'_>, one: &str, other: &str) -> bool {
    one == other || cx.ancestors(other).contains(one) || cx.ancestors(one).contains(other)
}

/// A glob of one unit that covers a path, or is the glob, of another one.
fn globs(cx: &GateCx<'_>, out: &mut FindingSink) {
    let open = || cx.units().filter(|m| !m.status().is_settled());
    let all: Vec<_> = open()
        .filter_map(|m| Some((m.id(), m.unit?)))
        .flat_map(|(id, unit)| {
            let named = paths::named("produces", &unit.front.produces);
            named.map(move |n| (id, unit.path(), n))
        })
        .collect();
    for (index, (id, path, claim)) in all.iter().enumerate() {
        if !paths::is_glob(claim.path) || cx.is_settled() {
            continue;
        }
        let clashes = all.iter().enumerate().find(|(at, (other, _, named))| {
            let same = named.path == claim.path && *at < index;
            let covered = !paths::is_glob(named.path) && matches(claim.path, named.path);
            other != id && (same || covered) && !are_ordered(cx, id, other)
        });
        if let Some((_, (other, place, named))) = clashes {
            let message = format!(
                "`{id}` claims `{}`, `{other}` produces `{}`, and both may run at the same time",
                claim.path, named.path
            );
            out.at(path, claim.span.clone(), message)
                .related(place, named.span.clone(), "the other one")
                .help("add an edge between them, or name what each one makes");
        }
    }
}
