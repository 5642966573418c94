//! Paths as git has them: bytes, nothing here assumes UTF-8.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// A path relative to the work tree's root, as git's bytes, with `/`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GitPath(Vec<u8>);

impl GitPath {
    /// Returns the path with these bytes.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        GitPath(bytes.into())
    }

    /// Returns the bytes as git has them, which need not be text.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the path of something in this directory; the root is the empty path.
    #[must_use]
    pub(crate) fn join(&self, name: &[u8]) -> GitPath {
        if self.0.is_empty() {
            return GitPath::new(name);
        }
        GitPath([&self.0, b"/".as_slice(), name].concat())
    }

    /// Returns whether a path is below this directory. The root is asked for nothing.
    pub(super) fn is_above(&self, path: &[u8]) -> bool {
        let rest = path.strip_prefix(self.as_bytes());
        rest.is_some_and(|rest| rest.first() == Some(&b'/'))
    }

    /// Returns whether a path is this one, or below it.
    pub(super) fn is_at_or_above(&self, path: &[u8]) -> bool {
        path == self.as_bytes() || self.is_above(path)
    }

    /// Returns the directories that this path is in, the outermost first, without the root.
    pub(super) fn parents(&self) -> impl Iterator<Item = &[u8]> {
        let slashes = memchr::memchr_iter(b'/', self.as_bytes());
        slashes.map(|end| &self.as_bytes()[..end])
    }

    /// Returns the text, if it is UTF-8.
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.0).ok()
    }

    /// Returns readable text, with a replacement character for what is not UTF-8.
    pub fn to_text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }

    /// Returns the path as it is shown: as it stands, or between double quotes with backslash escapes, as git shows it,
    /// where a byte is no printable text.
    pub(crate) fn to_shown(&self) -> String {
        let text = std::str::from_utf8(&self.0).ok();
        let odd = |c: char| c.is_control() || c == '"' || c == '\\';
        if let Some(text) = text.filter(|text| !text.contains(odd)) {
            return text.to_owned();
        }
        let mut shown = String::from("\"");
        for byte in &self.0 {
            match byte {
                b'\n' => shown.push_str("\\n"),
                b'\t' => shown.push_str("\\t"),
                b' '..=b'~' if !matches!(byte, b'"' | b'\\') => shown.push(char::from(*byte)),
                _ => shown.push_str(&format!("\\{byte:03o}")),
            }
        }
        shown.push('"');
        shown
    }

    /// Returns the path for file operations, relative to the work tree.
    pub(crate) fn as_path(&self) -> &Path {
        Path::new(OsStr::from_bytes(&self.0))
    }
}

impl From<&str> for GitPath {
    fn from(text: &str) -> Self {
        GitPath(text.as_bytes().to_vec())
    }
}

impl fmt::Display for GitPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_text())
    }
}

impl fmt::Debug for GitPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_text())
    }
}

/// Returns the directory that a path is in, and its name there; the root is empty.
pub(super) fn parent_and_name(path: &[u8]) -> (&[u8], &[u8]) {
    match memchr::memrchr(b'/', path) {
        Some(slash) => (&path[..slash], &path[slash + 1..]),
        None => (b"", path),
    }
}

/// Returns the directory that a path is in; the root is empty.
pub(super) fn parent(path: &[u8]) -> &[u8] {
    parent_and_name(path).0
}

/// Returns paths as git reads them from standard input.
pub(super) fn nul_separated<'p>(paths: impl IntoIterator<Item = &'p GitPath>) -> Vec<u8> {
    let mut text = Vec::new();
    for path in paths {
        text.extend_from_slice(path.as_bytes());
        text.push(0);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_below_what_its_leading_parts_name() {
        for (path, above, below, at) in [
            ("a/b/c", "a", true, false),
            ("a/b/c", "a/b", true, false),
            ("a", "a", false, true),
            ("ab/c", "a", false, false),
            ("a", "a/b", false, false),
            ("a/b", "b", false, false),
            ("a/b", "", false, false),
            ("", "", false, true),
        ] {
            let above = GitPath::from(above);
            let path = path.as_bytes();
            assert_eq!(above.is_above(path), below, "{path:?} below {above}");
            let at_or_above = above.is_at_or_above(path);
            assert_eq!(at_or_above, below || at, "{path:?} at or below {above}");
        }
    }

    #[test]
    fn a_path_is_taken_apart_at_its_slashes() {
        type Parts<'p> = (&'p [u8], &'p [u8], &'p [&'p [u8]]);
        let rows: [(&[u8], Parts<'_>); 4] = [
            (b"", (b"", b"", &[])),
            (b"\xff", (b"", b"\xff", &[])),
            (b"a/b", (b"a", b"b", &[b"a"])),
            (b"a/b/c", (b"a/b", b"c", &[b"a", b"a/b"])),
        ];
        for (path, (directory, name, parents)) in rows {
            assert_eq!(parent_and_name(path), (directory, name), "{path:?}");
            assert_eq!(parent(path), directory, "{path:?}");
            let path = GitPath::new(path);
            assert!(path.parents().eq(parents.iter().copied()), "{path}");
        }
    }
}
