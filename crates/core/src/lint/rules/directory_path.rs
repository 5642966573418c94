//! `GW703`. See `directory_path.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::lint::paths;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    if !cx.is_dispatchable() {
        return;
    }
    for named in paths::named("produces", &cx.unit.front.produces) {
        if named.path.ends_with('/') || named.path == "." {
            out.at(
                cx.path(),
                named.span.clone(),
                format!(
                    "`{}` names a directory: any file in it would do",
                    named.path
                ),
            )
            .help("name the file, or a glob such as `src/export/*.rs`");
        }
    }
}
