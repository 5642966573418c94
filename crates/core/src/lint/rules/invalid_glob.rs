//! `GW713`. See `invalid_glob.md`.

use super::unknown_word::is_spelling_of;
use crate::engine::guards;
use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::lint::paths;
use crate::model::unit::TOUCHES_ANY;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    for named in paths::of(cx.unit) {
        if named.path.trim().is_empty() {
            out.at(
                cx.path(),
                named.span.clone(),
                format!("an empty path in `{}`", named.key),
            )
            .only_warn_if(!cx.is_dispatchable());
        } else if named.key == "touches" && is_spelling_of(named.path, TOUCHES_ANY) {
            let message = format!("`{}` is a file of that name here", named.path);
            out.at(cx.path(), named.span.clone(), message)
                .help(format!("the word for no limit is `{TOUCHES_ANY}`"))
                .only_warn_if(!cx.is_dispatchable())
                .safe_fix(
                    format!("write `{TOUCHES_ANY}`"),
                    vec![(named.span.clone(), TOUCHES_ANY.to_owned())],
                );
        } else if let Some(bare) = without_curly_quotes(named.path) {
            let message = format!("the quotes of `{}` are part of the path", named.path);
            out.at(cx.path(), named.span.clone(), message)
                .help("YAML knows straight quotes only")
                .only_warn_if(!cx.is_dispatchable())
                .safe_fix(
                    format!("write `{bare}` in straight quotes"),
                    vec![(named.span.clone(), format!("\"{bare}\""))],
                );
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

/// Returns what stands between the curly quotes of a path that begins or ends with one.
fn without_curly_quotes(path: &str) -> Option<&str> {
    let curly = [
        '\u{201c}', '\u{201d}', '\u{201e}', '\u{2018}', '\u{2019}', '\u{ab}', '\u{bb}',
    ];
    let bare = path.trim_matches(curly);
    (bare != path && !bare.contains(['"', '\\'])).then_some(bare)
}
