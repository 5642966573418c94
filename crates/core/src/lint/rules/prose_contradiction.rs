//! `GW706`. See `prose_contradiction.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::lint::paths;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    if !cx.is_prompt() {
        return;
    }
    let Some((text, start)) = cx.section("Do not touch") else {
        return;
    };
    let forbidden = paths::quoted(text, start);
    for wanted in paths::named("produces", &cx.unit.front.produces) {
        let named = forbidden.iter().find(|(path, _)| {
            let (path, wanted) = (
                path.trim_start_matches("./"),
                wanted.path.trim_start_matches("./"),
            );
            // `src/` and `src/**` are the whole directory.
            let directory = path.strip_suffix("**").unwrap_or(path);
            path == wanted
                || (directory.ends_with('/')
                    && directory.len() > 1
                    && wanted.starts_with(directory))
        });
        if let Some((_, span)) = named {
            out.at(
                cx.path(),
                wanted.span.clone(),
                format!(
                    "the unit must produce `{}` and may not touch it",
                    wanted.path
                ),
            )
            .related(cx.path(), span.clone(), "forbidden here")
            .help("if only a part of the file is meant, name that part");
        }
    }
}
