//! The globs of plans as matchers.

use globset::{GlobBuilder, GlobMatcher, GlobSet, GlobSetBuilder};

/// Returns one matcher for many globs. Case does not count: some file systems ignore it.
pub fn set(patterns: &[&str]) -> GlobSet {
    let mut builder = GlobSetBuilder::new();
    for pattern in patterns {
        let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
        let directory = format!("{}/**", pattern.trim_end_matches('/'));
        for text in [pattern, &directory] {
            let glob = GlobBuilder::new(text)
                .literal_separator(true)
                .case_insensitive(true)
                .build();
            // What is no glob matches nothing; lint reports it.
            if let Ok(glob) = glob {
                builder.add(glob);
            }
        }
    }
    builder.build().unwrap_or_default()
}

/// Returns one matcher for many globs that allow: case counts.
pub(crate) fn exact_set(patterns: &[&str]) -> GlobSet {
    let mut builder = GlobSetBuilder::new();
    for pattern in patterns {
        let directory = format!(
            "{}/**",
            pattern.trim_start_matches("./").trim_end_matches('/')
        );
        for glob in [glob(pattern), glob(&directory)].into_iter().flatten() {
            builder.add(glob.glob().clone());
        }
    }
    builder.build().unwrap_or_default()
}

/// Returns a matcher for a glob of a plan: `*` stays inside a directory, a directory means all of it.
pub fn glob(pattern: &str) -> Option<GlobMatcher> {
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
    let pattern = match pattern.strip_suffix('/') {
        Some(directory) => format!("{directory}/**"),
        None => pattern.to_owned(),
    };
    let glob = GlobBuilder::new(&pattern)
        .literal_separator(true)
        .build()
        .ok()?;
    Some(glob.compile_matcher())
}

/// Returns true when a glob, or a directory named without a slash, covers a path.
pub fn matches(pattern: &str, path: &str) -> bool {
    let directory = pattern.trim_start_matches("./").trim_end_matches('/');
    glob(pattern).is_some_and(|g| g.is_match(path))
        || path
            .strip_prefix(directory)
            .is_some_and(|rest| rest.starts_with('/'))
}
