//! `GW701`. See `absolute_path.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::lint::paths;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    for named in paths::of(cx.unit)
        .into_iter()
        .filter(|n| paths::is_absolute(n.path))
    {
        out.at(
            cx.path(),
            named.span.clone(),
            format!("`{}` in `{}` is absolute", named.path, named.key),
        )
        .help("paths are relative to the repository's root, with `/`")
        .only_warn_if(!cx.is_dispatchable());
    }
}
