//! The globs of plans as matchers.

use crate::path_names::is_below;
use globset::{Glob, GlobBuilder, GlobMatcher, GlobSet, GlobSetBuilder};

/// Many globs of paths as one matcher. A directory covers what is in it.
#[derive(Debug, Default)]
pub struct PathGlobs {
    globs: GlobSet,
    /// Paths and globs are compared in small letters. So most are plain words for the matcher, which regular expressions
    /// without regard to case would not be.
    any_case: bool,
}

impl PathGlobs {
    /// Returns whether one of them covers a path.
    pub(crate) fn is_match(&self, path: &str) -> bool {
        match self.any_case {
            true => self.globs.is_match(path.to_lowercase()),
            false => self.globs.is_match(path),
        }
    }
}

/// Returns one matcher for many globs. Case does not count: some file systems ignore it.
pub fn set(patterns: &[&str]) -> PathGlobs {
    let lowered: Vec<String> = patterns.iter().map(|p| p.to_lowercase()).collect();
    built(lowered.iter().map(String::as_str), true)
}

/// Returns one matcher for many globs that allow: case counts.
pub(crate) fn exact_set(patterns: &[&str]) -> PathGlobs {
    built(patterns.iter().copied(), false)
}

fn built<'p>(patterns: impl Iterator<Item = &'p str>, any_case: bool) -> PathGlobs {
    let mut builder = GlobSetBuilder::new();
    for pattern in patterns {
        let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
        let directory = format!("{}/**", pattern.trim_end_matches('/'));
        // What is no glob matches nothing; lint reports it.
        for glob in [pattern, &directory].into_iter().filter_map(parsed) {
            builder.add(glob);
        }
    }
    PathGlobs {
        globs: builder.build().unwrap_or_default(),
        any_case,
    }
}

fn parsed(text: &str) -> Option<Glob> {
    let mut builder = GlobBuilder::new(text);
    builder.literal_separator(true).build().ok()
}

/// Returns a matcher for a glob of a plan: `*` stays inside a directory, a directory means all of it.
pub fn glob(pattern: &str) -> Option<GlobMatcher> {
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
    let pattern = match pattern.strip_suffix('/') {
        Some(directory) => format!("{directory}/**"),
        None => pattern.to_owned(),
    };
    Some(parsed(&pattern)?.compile_matcher())
}

/// What in a text makes it a glob, or escapes that.
const GLOB_CHARACTERS: [char; 7] = ['*', '?', '[', ']', '{', '}', '\\'];

/// A glob of a plan that is held against many paths, compiled once; most are plain paths, which need no compiling.
pub(crate) struct PathPattern<'p> {
    directory: &'p str,
    /// The file of this name and no other, where there is no wildcard.
    plain: Option<&'p str>,
    glob: Option<GlobMatcher>,
}

impl<'p> PathPattern<'p> {
    /// Returns the matcher of a glob, or of a directory named without a slash.
    pub(crate) fn new(pattern: &'p str) -> PathPattern<'p> {
        let plain = (!pattern.contains(GLOB_CHARACTERS))
            .then(|| pattern.strip_prefix("./").unwrap_or(pattern));
        PathPattern {
            directory: pattern.trim_start_matches("./").trim_end_matches('/'),
            plain,
            glob: match plain {
                Some(_) => None,
                None => glob(pattern),
            },
        }
    }

    /// Returns whether it covers a path.
    pub(crate) fn covers(&self, path: &str) -> bool {
        self.plain == Some(path)
            || self.glob.as_ref().is_some_and(|g| g.is_match(path))
            || is_below(path, self.directory)
    }
}

/// Returns true when a glob, or a directory named without a slash, covers a path.
pub fn matches(pattern: &str, path: &str) -> bool {
    PathPattern::new(pattern).covers(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_path_means_what_the_glob_of_its_text_means() {
        for (pattern, path, covers) in [
            ("a/b.txt", "a/b.txt", true),
            ("./a/b.txt", "a/b.txt", true),
            ("a/b.txt", "a/B.txt", false),
            ("a/b.txt", "a/b.txt.old", false),
            ("a", "a/b.txt", true),
            ("a/", "a/b.txt", true),
            ("a/", "a", false),
            ("./a", "a/b.txt", true),
            ("a", "ab/c", false),
            ("a*", "ab", true),
            ("a*", "ab/c", false),
            ("a/**/c", "a/b/c", true),
            ("a[bc]", "ab", true),
            ("{a,b}", "b", true),
            ("a?", "ab", true),
            ("a\\*", "a*", true),
            ("a\\*", "ab", false),
            ("a[", "a[", false),
        ] {
            let found = matches(pattern, path);
            assert_eq!(found, covers, "{pattern} {path}");
            let globbed = glob(pattern).is_some_and(|g| g.is_match(path));
            assert!(!globbed || found, "{pattern} {path}");
        }
    }
}
