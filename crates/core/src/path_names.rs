//! The parts of a path in a repository, as text: `/` parts them on every system.

/// The names of makefiles, in the order in which make looks for them (GNU make, "What Name to Give Your Makefile").
pub(crate) const MAKEFILES: [&str; 3] = ["GNUmakefile", "makefile", "Makefile"];

/// The endings of sources that Node.js and its like run.
pub(crate) const SCRIPT_ENDINGS: [&str; 8] = ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"];

/// Returns the last part of a path.
pub fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Returns the directory that a path is in; the root is empty.
pub(crate) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// Returns what of a path lies below a directory, `b/c` of `a/b/c` below `a`; nothing where it lies elsewhere.
pub fn below<'p>(path: &'p str, directory: &str) -> Option<&'p str> {
    path.strip_prefix(directory)?.strip_prefix('/')
}

/// Returns whether a path lies below a directory.
pub fn is_below(path: &str, directory: &str) -> bool {
    below(path, directory).is_some()
}

/// Returns whether a path is another one, or lies below it.
pub fn is_at_or_below(path: &str, place: &str) -> bool {
    path == place || is_below(path, place)
}

/// Returns what stands behind the last dot of a path's last part, `gitignore` of `.gitignore`; nothing without a dot.
pub(crate) fn extension(path: &str) -> &str {
    let name = file_name(path);
    name.rsplit_once('.').map_or("", |(_, end)| end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_path_are_those_of_its_last_part() {
        for (path, name, end) in [
            ("a.d/b", "b", ""),
            ("a/b.tar.gz", "b.tar.gz", "gz"),
            (".gitignore", ".gitignore", "gitignore"),
            ("a/", "", ""),
            ("", "", ""),
        ] {
            assert_eq!((file_name(path), extension(path)), (name, end), "{path}");
        }
    }

    #[test]
    fn a_path_is_below_what_its_leading_parts_name() {
        assert_eq!(below("a/b/c", "a"), Some("b/c"));
        assert_eq!(below("a/b/c", "a/b"), Some("c"));
        for (path, elsewhere) in [("ab/c", "a"), ("a", "a"), ("a/b", "b"), ("a/b", "")] {
            assert!(!is_below(path, elsewhere), "{path} below {elsewhere}");
        }
        for (path, place, want) in [("a", "a", true), ("a/b", "a", true), ("ab", "a", false)] {
            assert_eq!(is_at_or_below(path, place), want, "{path} at {place}");
        }
    }
}
