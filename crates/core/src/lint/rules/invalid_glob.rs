//! `GW713`. See `invalid_glob.md`.

use super::unknown_word::is_spelling_of;
use crate::diagnostic::Severity;
use crate::engine::guards;
use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::lint::one_meaning;
use crate::lint::paths::{self, UnitPath};
use crate::model::unit::TOUCHES_ANY;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    for named in paths::of(cx.unit) {
        let path = named.path;
        let at = (cx.path(), named.span.clone());
        let is_draft = !cx.is_dispatchable();
        if path.trim().is_empty() {
            out.at(at.0, at.1, format!("an empty path in `{}`", named.key))
                .only_warn_if(is_draft);
        } else if let Some(slip) = slip_of(&named) {
            out.at(at.0, at.1, slip.message)
                .help(slip.help)
                .only_warn_if(is_draft)
                .safe_fix(slip.fix, vec![(named.span.clone(), slip.meant)]);
        } else if let Some(list) = several(path) {
            let message = format!("`{path}` is one path with a comma in it");
            let found = out
                .at(at.0, at.1, message)
                .help(format!("write a list: `{}: {list}`", named.key))
                .only_warn_if(is_draft);
            let text = &cx.unit.doc.text;
            if one_meaning::rest_of_value(text, named.span.start).as_ref() == Some(named.span) {
                found.safe_fix("write a list", vec![(named.span.clone(), list)]);
            }
        } else if has_backslashes(path) {
            let slashes = path.replace('\\', "/");
            let message = format!("`{path}` has backslashes, which git's paths do not");
            let write = format!("write `{slashes}`");
            out.at(at.0, at.1, message)
                .help(write.clone())
                .severity(Severity::Warning)
                .unsafe_fix(write, vec![(named.span.clone(), format!("\"{slashes}\""))]);
        } else if paths::is_glob(path) && guards::glob(path).is_none() {
            out.at(
                at.0,
                at.1,
                format!("`{path}` in `{}` is no glob", named.key),
            )
            .help(NO_GLOB)
            .only_warn_if(is_draft);
        }
    }
}

const NO_GLOB: &str =
    "brackets and braces need their other half; `*` stays in a directory, `**` goes below";

/// What one surely meant to write.
struct PathSlip {
    message: String,
    help: String,
    fix: String,
    meant: String,
}

fn slip_of(named: &UnitPath<'_>) -> Option<PathSlip> {
    if named.key == "touches" && is_spelling_of(named.path, TOUCHES_ANY) {
        return Some(PathSlip {
            message: format!("`{}` is a file of that name here", named.path),
            help: format!("the word for no limit is `{TOUCHES_ANY}`"),
            fix: format!("write `{TOUCHES_ANY}`"),
            meant: TOUCHES_ANY.to_owned(),
        });
    }
    let bare = without_curly_quotes(named.path)?;
    Some(PathSlip {
        message: format!("the quotes of `{}` are part of the path", named.path),
        help: "YAML knows straight quotes only".to_owned(),
        fix: format!("write `{bare}` in straight quotes"),
        meant: format!("\"{bare}\""),
    })
}

/// Returns whether a path is written as on Windows; before a wildcard a backslash makes it a letter.
pub(super) fn has_backslashes(path: &str) -> bool {
    let mut behind = path.split('\\').skip(1);
    behind.any(|part| part.starts_with(|c: char| c.is_alphanumeric()))
}

/// Returns the list that several paths in one text were meant to be.
pub(super) fn several(path: &str) -> Option<String> {
    if !path.contains(", ") || path.contains(['{', '"', '\\']) {
        return None;
    }
    let items: Vec<String> = path
        .split(',')
        .map(|item| format!("\"{}\"", item.trim()))
        .collect();
    Some(format!("[{}]", items.join(", ")))
}

/// Returns what stands between the curly quotes of a path that begins or ends with one.
fn without_curly_quotes(path: &str) -> Option<&str> {
    let curly = [
        '\u{201c}', '\u{201d}', '\u{201e}', '\u{2018}', '\u{2019}', '\u{ab}', '\u{bb}',
    ];
    let bare = path.trim_matches(curly);
    (bare != path && !bare.contains(['"', '\\'])).then_some(bare)
}

#[cfg(test)]
mod tests {
    use super::{has_backslashes, several};

    #[test]
    fn a_backslash_before_a_wildcard_is_meant() {
        assert!(has_backslashes(r"src\main.rs"));
        assert!(!has_backslashes(r"app/\[id\]/page.tsx"));
        assert!(!has_backslashes("src/main.rs"));
    }

    #[test]
    fn a_comma_between_paths_makes_a_list() {
        for (path, want) in [
            ("a.rs, src/**", Some("[\"a.rs\", \"src/**\"]")),
            ("a.{rs, toml}", None),
            ("a,b.csv", None),
            ("src/**", None),
        ] {
            assert_eq!(several(path).as_deref(), want, "{path}");
        }
    }
}
