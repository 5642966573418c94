//! Paths in commands that a message prints, which a user runs from whatever directory of the checkout.
//!
//! Messages name files from the top. `git` takes such a name only there, unless it is marked.

use super::oracle::{shell_path, shell_quote};

/// The call of `git` at the top, for the commands that take no marked path.
pub const GIT_AT_TOP: &str = "git -C \"$(git rev-parse --show-toplevel)\"";

/// Returns a path from the top as a word for `git` that names the same file in every directory of the checkout.
pub fn top_path(path: &str) -> String {
    shell_quote(&format!(":/{path}"))
}

/// Returns the same of a path that `git` itself showed, which escapes some.
pub(crate) fn shown_top_path(shown: &str) -> String {
    match shown.strip_prefix('"') {
        Some(escaped) => shell_path(&format!("\":/{escaped}")),
        None => top_path(shown),
    }
}

/// Returns a path from the top as a word for any program.
pub(crate) fn top_file(path: &str) -> String {
    format!("\"$(git rev-parse --show-toplevel)\"/{}", shell_quote(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_from_the_top_is_marked_and_quoted() {
        for (path, want) in [
            (".gatewalk", ":/.gatewalk"),
            ("a b/it's", r"':/a b/it'\''s'"),
        ] {
            assert_eq!(top_path(path), want);
        }
        for (shown, want) in [
            ("a/b", ":/a/b"),
            ("a b", "':/a b'"),
            (r#""a\tb""#, r#""$(printf ':/a\tb')""#),
        ] {
            assert_eq!(shown_top_path(shown), want);
        }
        assert_eq!(
            top_file("a b"),
            "\"$(git rev-parse --show-toplevel)\"/'a b'"
        );
    }
}
