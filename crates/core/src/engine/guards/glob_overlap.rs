//! Whether two globs of plans can cover the same path.

/// Returns whether some path is covered by both globs; where that is not clear (classes, alternatives), it is taken to be.
pub fn overlap(one: &str, other: &str) -> bool {
    let (one, other) = (segments(one), segments(other));
    paths_meet(&one, &other)
}

/// Returns a glob's segments; a directory means all of it, with its slash or without.
fn segments(pattern: &str) -> Vec<&str> {
    let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
    pattern.split('/').collect()
}

/// A pattern that is used up covers what is below it, as a directory does.
fn paths_meet(one: &[&str], other: &[&str]) -> bool {
    match (one, other) {
        ([], _) | (_, []) => true,
        (["**", rest @ ..], _) => {
            paths_meet(rest, other) || other.len() > 1 && paths_meet(one, &other[1..])
        }
        (_, ["**", ..]) => paths_meet(other, one),
        ([a, one @ ..], [b, other @ ..]) => segments_meet(a, b) && paths_meet(one, other),
    }
}

fn segments_meet(one: &str, other: &str) -> bool {
    let unclear = |segment: &str| segment.contains(['[', '{', '\\']);
    if unclear(one) || unclear(other) {
        return true;
    }
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    texts_meet(&one, &other)
}

/// Whether a text fits both patterns of `*` and `?`.
fn texts_meet(one: &[char], other: &[char]) -> bool {
    match (one, other) {
        ([], rest) | (rest, []) => rest.iter().all(|c| *c == '*'),
        (['*', rest @ ..], _) => texts_meet(rest, other) || texts_meet(one, &other[1..]),
        (_, ['*', ..]) => texts_meet(other, one),
        ([a, one @ ..], [b, other @ ..]) => {
            (*a == '?' || *b == '?' || a == b) && texts_meet(one, other)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_that_cover_a_common_path_overlap() {
        for (one, other, want) in [
            ("src/a.rs", "src/a.rs", true),
            ("src/a.rs", "src/b.rs", false),
            ("src/", "src/a/b.rs", true),
            ("./src", "src/a/b.rs", true),
            ("src", "doc", false),
            ("src/**", "src/a.rs", true),
            ("src/**", "doc/a.rs", false),
            ("**/*.rs", "src/a/b.rs", true),
            ("**/*.rs", "src/a/b.md", false),
            ("**/a.rs", "a.rs", true),
            ("src/**/x.rs", "src/**/y.rs", false),
            ("src/**/x.rs", "src/a/*", true),
            ("a/**/z", "a/b/**", true),
            ("src/*.rs", "src/a*", true),
            ("src/*.rs", "src/*.md", false),
            ("a*b", "*c", false),
            ("a*b", "*cb", true),
            ("*ab", "ab*", true),
            ("?.rs", "ab.rs", false),
            ("?.rs", "a.rs", true),
            ("src/*", "src/a/b.rs", true),
            ("src/[ab].rs", "src/c.rs", true),
            ("{a,b}/x", "c/x", true),
            ("**", "anything/at/all", true),
        ] {
            assert_eq!(overlap(one, other), want, "{one} and {other}");
            assert_eq!(overlap(other, one), want, "{other} and {one}");
        }
    }
}
