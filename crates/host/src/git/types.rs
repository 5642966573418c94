//! Names for what git talks about: paths as bytes, tree entries and changes.
//!
//! Paths are bytes, because git's are: nothing here assumes UTF-8.

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

    /// Returns the bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the path of something in this directory; the root is the empty path.
    #[must_use]
    pub fn join(&self, name: &[u8]) -> GitPath {
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
    pub fn to_shown(&self) -> String {
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
    pub fn as_path(&self) -> &Path {
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

/// The mode of a plain file.
pub const MODE_FILE: u32 = 0o100_644;
/// The mode of an executable file.
pub const MODE_EXECUTABLE: u32 = 0o100_755;
/// The mode of a symbolic link.
pub const MODE_SYMLINK: u32 = 0o120_000;
/// The mode of a submodule's commit.
pub const MODE_GITLINK: u32 = 0o160_000;
/// The mode of a directory.
pub const MODE_TREE: u32 = 0o040_000;

/// One entry of a tree: what is at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeEntry {
    /// One of the `MODE_` constants (old repositories may hold others).
    pub mode: u32,
    /// The blob, tree or commit.
    pub oid: ObjectId,
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

/// What a change does to its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// The path is new.
    Added,
    /// The path is gone.
    Deleted,
    /// Other content or another executable bit.
    Modified,
    /// A file became a link, a submodule, or the other way round.
    TypeChanged,
}

/// One path that differs between two trees; directories are never listed, renames are a deletion and an addition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The path from the root.
    pub path: GitPath,
    /// What was there.
    pub old: Option<Version>,
    /// What is there now.
    pub new: Option<Version>,
}

impl Change {
    /// Returns what the change does to its path.
    pub fn kind(&self) -> ChangeKind {
        match (self.old, self.new) {
            (None, _) => ChangeKind::Added,
            (_, None) => ChangeKind::Deleted,
            (Some(old), Some(new)) if old.mode & 0o170_000 != new.mode & 0o170_000 => {
                ChangeKind::TypeChanged
            }
            _ => ChangeKind::Modified,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gatewalk_core::object_id::ObjectFormat;

    #[test]
    fn a_change_of_type_differs_from_a_change_of_mode() {
        let oid = ObjectFormat::Sha1.zero();
        let change = |old: u32, new: u32| Change {
            path: "a".into(),
            old: Some(Version { mode: old, oid }),
            new: Some(Version { mode: new, oid }),
        };
        assert_eq!(
            change(MODE_FILE, MODE_EXECUTABLE).kind(),
            ChangeKind::Modified
        );
        assert_eq!(
            change(MODE_FILE, MODE_SYMLINK).kind(),
            ChangeKind::TypeChanged
        );
    }
}
