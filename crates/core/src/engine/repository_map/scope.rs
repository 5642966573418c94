//! What a unit is about, asked of every path of the repository: inside, beside, or elsewhere.

use crate::engine::guards;
use crate::model::unit::{TOUCHES_ANY, Unit};
use crate::path_names::is_at_or_below;

/// The most patterns of a scope: a body may name any number of paths.
const PATTERNS: usize = 100;

/// What a unit is about: the globs of its frontmatter, and the paths its text names.
///
/// Compiled once: it is asked about every path of the repository.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Scope {
    patterns: Vec<Pattern>,
}

#[derive(Debug, Clone)]
struct Pattern {
    text: String,
    /// The directory it stays inside.
    fixed: String,
    matcher: Option<globset::GlobMatcher>,
}

/// The matcher is made of the text.
impl PartialEq for Pattern {
    fn eq(&self, other: &Pattern) -> bool {
        self.text == other.text
    }
}

impl Pattern {
    /// Returns true for a path inside; a directory named without a slash means all of it.
    fn covers(&self, path: &str) -> bool {
        if !path.starts_with(self.fixed.as_str()) {
            return false;
        }
        let named = is_at_or_below(path, &self.text);
        // Without a wildcard the text is all there is, and a glob need not be asked.
        named || self.matcher.as_ref().is_some_and(|m| m.is_match(path))
    }
}

impl Scope {
    /// Returns the scope of a unit.
    pub(crate) fn of(unit: &Unit) -> Scope {
        let front = &unit.front;
        let mut patterns: Vec<String> = [&front.touches, &front.produces]
            .into_iter()
            .flat_map(Unit::list)
            .filter(|pattern| *pattern != TOUCHES_ANY)
            .map(str::to_owned)
            .collect();
        patterns.extend(unit.root().map(str::to_owned));
        patterns.extend(paths_in(unit.doc.body_text()));
        Scope::of_patterns(&patterns)
    }

    /// Returns a scope of given paths and globs.
    pub(crate) fn of_patterns(patterns: &[String]) -> Scope {
        let mut known: Vec<&str> = Vec::new();
        for pattern in patterns {
            let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
            if !known.contains(&pattern) && known.len() < PATTERNS {
                known.push(pattern);
            }
        }
        let patterns = known.into_iter().map(|text| Pattern {
            text: text.to_owned(),
            fixed: fixed_part(text),
            matcher: text
                .contains(['*', '?', '[', '{'])
                .then(|| guards::glob(text))
                .flatten(),
        });
        Scope {
            patterns: patterns.collect(),
        }
    }

    /// Returns how near a path is: 3 inside, 2 beside, 1 under the same top directory, 0 elsewhere.
    pub(crate) fn weight(&self, path: &str) -> u8 {
        let of = |pattern: &Pattern| -> u8 {
            let fixed = pattern.fixed.as_str();
            if pattern.covers(path) {
                3
            } else if !fixed.is_empty() && directory(path) == fixed {
                2
            } else if !fixed.is_empty() && top(path) == fixed.split('/').next() {
                1
            } else {
                0
            }
        };
        self.patterns.iter().map(of).max().unwrap_or(0)
    }

    /// Returns true when something can lie inside both this scope and a glob.
    pub(crate) fn meets(&self, glob: &str) -> bool {
        let Some(other) = guards::glob(glob) else {
            return false;
        };
        self.patterns
            .iter()
            .any(|own| own.covers(glob) || other.is_match(&own.text) || nested(&own.text, glob))
    }
}

/// Returns true when the fixed part of one glob lies under the fixed part of the other, and the
/// other goes on from there.
fn nested(one: &str, other: &str) -> bool {
    let under = |outer: &str, inner: &str| {
        let fixed = fixed_part(outer);
        outer.contains(['*', '?', '['])
            && (fixed.is_empty() || is_at_or_below(inner, &fixed))
            && (outer.ends_with("**") || outer.ends_with("**/*"))
    };
    under(one, &fixed_part(other)) || under(other, &fixed_part(one))
}

/// Returns the directory a pattern stays inside: what is before its first wildcard, or its directory.
fn fixed_part(pattern: &str) -> String {
    let end = pattern.find(['*', '?', '[', '{']).unwrap_or(pattern.len());
    let end = pattern[..end].rfind('/').unwrap_or(0);
    pattern[..end].to_owned()
}

pub(super) fn directory(path: &str) -> &str {
    path.rfind('/').map_or("", |at| &path[..at])
}

fn top(path: &str) -> Option<&str> {
    path.split_once('/')
        .map(|(top, _)| top)
        .filter(|t| !t.is_empty())
}

/// Returns the paths a text names in code spans: what has a slash or an extension, and no blank.
pub(crate) fn paths_in(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for span in text.split('`').skip(1).step_by(2) {
        let plain = span.trim_end_matches([':', ',', '.']);
        let looks = !plain.is_empty()
            && plain.len() < 200
            && !plain.contains(|c: char| c.is_whitespace() || "(){}<>|&;$\"'=".contains(c))
            && !plain.contains("://")
            && (plain.contains('/') || has_extension(plain));
        if looks && !found.iter().any(|f| f == plain) {
            found.push(plain.trim_start_matches("./").to_owned());
        }
    }
    found
}

fn has_extension(name: &str) -> bool {
    let Some((stem, extension)) = name.rsplit_once('.') else {
        return false;
    };
    !stem.is_empty()
        && (1..=5).contains(&extension.len())
        && extension.bytes().all(|b| b.is_ascii_lowercase())
}
