//! The paths and globs a unit names, for the rules about scope.

use crate::diagnostic::Span;
use crate::model::frontmatter::{OneOrMany, Spanned};
use crate::model::unit::{TOUCHES_ANY, Unit};

/// One path or glob of a unit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UnitPath<'a> {
    /// The key it stands under.
    pub(crate) key: &'static str,
    /// As written, not normalised.
    pub(crate) path: &'a str,
    /// Where it stands in the file.
    pub(crate) span: &'a Span,
}

/// Returns every path and glob of a unit.
pub(crate) fn of(unit: &Unit) -> Vec<UnitPath<'_>> {
    let front = &unit.front;
    let keys = [
        ("produces", &front.produces),
        ("touches", &front.touches),
        ("do_not_touch", &front.do_not_touch),
        ("generated_surfaces", &front.generated_surfaces),
        ("touches_control_plane", &front.touches_control_plane),
    ];
    keys.into_iter()
        .flat_map(|(key, list)| named(key, list))
        .collect()
}

/// Returns the paths and globs of one key.
pub(crate) fn named<'a>(
    key: &'static str,
    list: &'a Option<Spanned<OneOrMany<String>>>,
) -> impl Iterator<Item = UnitPath<'a>> {
    list.iter()
        .flat_map(|list| &list.value.0)
        .filter(move |path| key != "touches" || path.value != TOUCHES_ANY)
        .map(move |path| UnitPath {
            key,
            path: &path.value,
            span: &path.span,
        })
}

/// Returns whether a path has wildcards.
pub(crate) fn is_glob(path: &str) -> bool {
    path.contains(['*', '?', '[', '{'])
}

/// Returns whether a path is absolute, on any system.
pub fn is_absolute(path: &str) -> bool {
    let drive = path.as_bytes().get(1) == Some(&b':') && path.as_bytes()[0].is_ascii_alphabetic();
    path.starts_with(['/', '\\', '~']) || drive
}

/// Returns whether a path leaves the directory it starts from.
pub fn leaves(path: &str) -> bool {
    let mut depth = 0i32;
    for part in path.split(['/', '\\']) {
        match part {
            ".." => depth -= 1,
            "" | "." => {}
            _ => depth += 1,
        }
        if depth < 0 {
            return true;
        }
    }
    false
}

/// Returns the words in backticks of a text, each with its place.
pub(crate) fn quoted(text: &str, base: usize) -> Vec<(&str, Span)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find('`') {
        let start = at + open + 1;
        let Some(length) = text[start..].find(['`', '\n']) else {
            break;
        };
        let end = start + length;
        if text[end..].starts_with('`') && length > 0 {
            found.push((&text[start..end], base + start..base + end));
        }
        at = end + 1;
        if at > text.len() {
            break;
        }
    }
    found
}
