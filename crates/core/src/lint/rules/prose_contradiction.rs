//! `GW706`. See `prose_contradiction.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::lint::paths;
use crate::model::document::find_section;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    if !cx.is_prompt() {
        return;
    }
    let Some(section) = find_section(cx.unit.doc.sections(), "Do not touch") else {
        return;
    };
    let text = cx
        .unit
        .doc
        .text
        .get(section.content.clone())
        .unwrap_or_default();
    let forbidden = paths::quoted(text, section.content.start);
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
                    "the unit must produce `{}` and says not to touch it",
                    wanted.path
                ),
            )
            .related(cx.path(), span.clone(), "said here")
            .help("if only a part of the file is meant, say which part");
        }
    }
}
