//! Names for what git talks about: paths as bytes, tree entries and changes.
//!
//! Paths are bytes, because git's are: nothing here assumes UTF-8.

use gatewalk_core::engine::changed_file::{ChangedPath, ChangedPathKind};
use gatewalk_core::object_id::ObjectId;
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

/// Returns paths as git reads them from standard input.
pub(super) fn nul_separated<'p>(paths: impl IntoIterator<Item = &'p GitPath>) -> Vec<u8> {
    let mut text = Vec::new();
    for path in paths {
        text.extend_from_slice(path.as_bytes());
        text.push(0);
    }
    text
}

/// Appends a line of `update-index -z --index-info`: an entry without what its file was on disk; mode 0 removes it.
pub(super) fn push_index_line(script: &mut Vec<u8>, (mode, id): (u32, ObjectId), path: &GitPath) {
    script.extend_from_slice(format!("{mode:06o} {id}\t").as_bytes());
    script.extend_from_slice(path.as_bytes());
    script.push(0);
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

/// Returns whether a mode is that of a file: neither a directory nor a link nor a submodule.
pub(crate) fn is_regular(mode: u32) -> bool {
    mode == MODE_FILE || mode == MODE_EXECUTABLE
}

/// The mode of a plain file.
pub(crate) const MODE_FILE: u32 = 0o100_644;
/// The mode of an executable file.
pub const MODE_EXECUTABLE: u32 = 0o100_755;
/// The mode of a symbolic link.
pub const MODE_SYMLINK: u32 = 0o120_000;
/// The mode of a submodule's commit.
pub const MODE_GITLINK: u32 = 0o160_000;
/// The mode of a directory.
pub(crate) const MODE_TREE: u32 = 0o040_000;

/// One entry of a tree: what is at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeEntry {
    /// One of the `MODE_` constants (old repositories may hold others).
    pub(crate) mode: u32,
    /// The blob, tree or commit.
    pub(crate) oid: ObjectId,
    /// In listings the path from the root, in a single tree the name.
    pub path: GitPath,
}

/// One side of a change: what is or was at the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Version {
    /// One of the `MODE_` constants.
    pub mode: u32,
    /// The blob or commit.
    pub oid: ObjectId,
}

/// One path that differs between two trees; directories are never listed, renames are a deletion and an addition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The path from the root.
    pub path: GitPath,
    /// What was there; none where it is new.
    pub old: Option<Version>,
    /// What is there now.
    pub new: Option<Version>,
}

impl From<&Change> for ChangedPath {
    fn from(change: &Change) -> ChangedPath {
        let is_link = |version: Option<Version>| version.is_some_and(|v| v.mode == MODE_GITLINK);
        let kind = match (change.old, change.new) {
            (old, new) if is_link(old) || is_link(new) => ChangedPathKind::Submodule,
            (None, _) => ChangedPathKind::Added,
            (_, None) => ChangedPathKind::Deleted,
            (Some(_), Some(_)) => ChangedPathKind::Modified,
        };
        ChangedPath {
            path: change.path.to_text().into_owned(),
            kind,
            regular: change.new.is_some_and(|v| is_regular(v.mode)),
            unstartable: change.old.is_some_and(|v| v.mode == MODE_EXECUTABLE)
                && change.new.is_some_and(|v| v.mode == MODE_FILE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ChangedPathKind::{Added, Deleted, Modified, Submodule};
    use gatewalk_core::object_id::ObjectFormat;

    #[test]
    fn a_change_is_what_the_guards_are_given_of_it() {
        let oid = ObjectFormat::Sha1.zero();
        let version = |mode: u32| (mode != 0).then_some(Version { mode, oid });
        for (old, new, kind, regular) in [
            (0, MODE_FILE, Added, true),
            (0, MODE_SYMLINK, Added, false),
            (MODE_FILE, 0, Deleted, false),
            (MODE_FILE, MODE_EXECUTABLE, Modified, true),
            (MODE_EXECUTABLE, MODE_FILE, Modified, true),
            (MODE_FILE, MODE_SYMLINK, Modified, false),
            (0, MODE_GITLINK, Submodule, false),
            (MODE_GITLINK, MODE_FILE, Submodule, true),
            (MODE_GITLINK, 0, Submodule, false),
        ] {
            let change = Change {
                path: GitPath::new(*b"a\xff"),
                old: version(old),
                new: version(new),
            };
            let want = ChangedPath {
                path: "a\u{fffd}".to_owned(),
                kind,
                regular,
                unstartable: (old, new) == (MODE_EXECUTABLE, MODE_FILE),
            };
            assert_eq!(ChangedPath::from(&change), want, "{old:o} {new:o}");
        }
    }
}
