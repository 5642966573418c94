//! `GW701`. See `absolute_path.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::lint::paths;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    for named in paths::of(cx.unit) {
        let Some(why) = why_not_relative(named.path) else {
            continue;
        };
        out.at(
            cx.path(),
            named.span.clone(),
            format!("`{}` in `{}` {why}", named.path, named.key),
        )
        .help("paths are relative to the repository's root, with `/`")
        .only_warn_if(!cx.is_dispatchable());
    }
}

/// Returns why a path does not begin at the repository's root.
fn why_not_relative(path: &str) -> Option<String> {
    if paths::is_absolute(path) {
        return Some("is absolute".to_owned());
    }
    if path.contains("://") || path.starts_with("file:") {
        return Some("is an address".to_owned());
    }
    variable(path).map(|name| format!("is no path: nothing fills in `{name}`"))
}

/// Returns the variable of a shell that a path begins with. A route such as `$id.tsx` is a file's name.
fn variable(path: &str) -> Option<&str> {
    let (first, _) = path.split_once('/')?;
    let name = first.strip_prefix('$')?;
    let name = name
        .strip_prefix('{')
        .map_or(name, |n| n.trim_end_matches('}'));
    let is_name = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_';
    (!name.is_empty() && name.bytes().all(is_name)).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_begins_at_the_root_is_a_path() {
        for (path, want) in [
            ("src/a.rs", None),
            ("/src/a.rs", Some("is absolute")),
            ("~/a.rs", Some("is absolute")),
            ("file:src/a.rs", Some("is an address")),
            ("file:///src/a.rs", Some("is an address")),
            ("https://example.org/a", Some("is an address")),
            ("$PWD/a", Some("is no path: nothing fills in `$PWD`")),
            ("${HOME}/a", Some("is no path: nothing fills in `${HOME}`")),
            ("$id/page.tsx", None),
            ("app/$ID/page.tsx", None),
            ("$LAYOUT.tsx", None),
        ] {
            assert_eq!(why_not_relative(path).as_deref(), want, "{path}");
        }
    }
}
