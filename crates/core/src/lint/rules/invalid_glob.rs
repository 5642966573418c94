//! `GW713`. See `invalid_glob.md`.

use crate::engine::guards;
use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::lint::paths;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    for named in paths::of(cx.unit) {
        if named.path.trim().is_empty() {
            out.at(
                cx.path(),
                named.span.clone(),
                format!("an empty path in `{}`", named.key),
            )
            .only_warn_if(!cx.is_dispatchable());
        } else if paths::is_glob(named.path) && guards::glob(named.path).is_none() {
            out.at(
                cx.path(),
                named.span.clone(),
                format!("`{}` in `{}` is no glob", named.path, named.key),
            )
            .help(
                "brackets and braces need their other half; `*` stays in a directory, `**` goes below",
            )
            .only_warn_if(!cx.is_dispatchable());
        }
    }
}
