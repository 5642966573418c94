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
            let slashes = path.replace("\\\\", "/").replace('\\', "/");
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

/// What one writes for no limit, and means no file by.
const FOR_ANY: [&str; 4] = ["all", "anything", "everything", "whatever"];

fn slip_of(named: &UnitPath<'_>) -> Option<PathSlip> {
    let is_all = matches!(named.path, "." | "./");
    let is_word = is_spelling_of(named.path, TOUCHES_ANY) || FOR_ANY.contains(&named.path);
    if named.key == "touches" && (is_all || is_word) {
        return Some(PathSlip {
            message: match is_all {
                true => format!("`{}` is no file's name, so it allows nothing", named.path),
                false => format!("`{}` is a file of that name here", named.path),
            },
            help: match is_all {
                true => format!("the word for no limit is `{TOUCHES_ANY}`"),
                false => format!(
                    "the word for no limit is `{TOUCHES_ANY}`; the file itself is `./{}`",
                    named.path
                ),
            },
            fix: format!("write `{TOUCHES_ANY}`"),
            meant: TOUCHES_ANY.to_owned(),
        });
    }
    let (bare, message, help) = bare(named.path)?;
    Some(PathSlip {
        message,
        help,
        fix: format!("write `{bare}` in straight quotes"),
        meant: format!("\"{bare}\""),
    })
}

/// Returns a path without what stands around it or between its parts and git's paths never have, and what that is.
fn bare(path: &str) -> Option<(String, String, String)> {
    let unquoted = path.trim_matches(QUOTES);
    let trimmed = path.trim();
    let plain = path.replace("/./", "/").replace("//", "/");
    let (bare, message, help) = if unquoted != path {
        let message = format!("the quotes of `{path}` are part of the path");
        (
            unquoted,
            message,
            "YAML knows straight quotes only".to_owned(),
        )
    } else if trimmed != path {
        let message = format!("the space around `{path}` is part of the path");
        (trimmed, message, format!("write `{trimmed}`"))
    } else if plain != path && !path.contains("://") {
        let message = format!("`{path}` has an empty part, which git's paths do not");
        (&*plain, message, format!("write `{plain}`"))
    } else if let Some(item) = path.strip_prefix(BULLETS).and_then(|p| p.strip_prefix(' ')) {
        let message = format!("the bullet of `{path}` is part of the path");
        (
            item.trim(),
            message,
            "an item of a list begins with `- `".to_owned(),
        )
    } else {
        return None;
    };
    let is_plain = !bare.is_empty() && !bare.contains(['"', '\\']);
    is_plain.then(|| (bare.to_owned(), message, help))
}

/// What a word processor writes for the dash of a list.
const BULLETS: [char; 4] = ['\u{2013}', '\u{2014}', '\u{2022}', '\u{2212}'];

/// What a word processor or Markdown puts around a path.
const QUOTES: [char; 8] = [
    '\u{201c}', '\u{201d}', '\u{201e}', '\u{2018}', '\u{2019}', '\u{ab}', '\u{bb}', '`',
];

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

#[cfg(test)]
mod tests {
    use super::{bare, has_backslashes, several};

    #[test]
    fn what_git_never_has_in_a_path_is_not_meant() {
        for (path, want) in [
            ("`src/**`", Some("src/**")),
            ("“src/**”", Some("src/**")),
            (" src/**", Some("src/**")),
            ("src/** ", Some("src/**")),
            ("src//a.rs", Some("src/a.rs")),
            ("src/./a.rs", Some("src/a.rs")),
            ("src/**", None),
            ("– src/**", Some("src/**")),
            ("• src/**", Some("src/**")),
            ("–src", None),
            ("./src/**", None),
            ("my docs/*.md", None),
            ("https://example.org", None),
            ("``", None),
        ] {
            let found = bare(path).map(|(bare, ..)| bare);
            assert_eq!(found.as_deref(), want, "{path}");
        }
    }

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
