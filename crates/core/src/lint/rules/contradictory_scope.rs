//! `GW705`. See `contradictory_scope.md`.

use crate::engine::guards::matches;
use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::lint::paths;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    let front = &cx.unit.front;
    let forbidden: Vec<_> = paths::named("do_not_touch", &front.do_not_touch).collect();
    for wanted in
        paths::named("produces", &front.produces).chain(paths::named("touches", &front.touches))
    {
        let Some(no) = forbidden.iter().find(|no| {
            no.path == wanted.path
                || (!paths::is_glob(wanted.path) && matches(no.path, wanted.path))
        }) else {
            continue;
        };
        out.at(
            cx.path(),
            wanted.span.clone(),
            format!(
                "`{}` is in `{}` and in `do_not_touch`",
                wanted.path, wanted.key
            ),
        )
        .related(cx.path(), no.span.clone(), "forbidden here")
        .help("no attempt could pass: take one of the two out")
        .only_warn_if(!cx.is_dispatchable());
    }
}
