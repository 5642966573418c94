//! Names for what git talks about: object ids, paths as bytes, tree entries and changes.
//!
//! Paths are bytes, because git's are: nothing here assumes UTF-8.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The hash a repository names its objects with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ObjectFormat {
    /// Twenty bytes; nearly every repository.
    Sha1,
    /// Thirty-two bytes.
    Sha256,
}

impl ObjectFormat {
    /// Returns the number of bytes in an id.
    pub const fn bytes(self) -> usize {
        match self {
            ObjectFormat::Sha1 => 20,
            ObjectFormat::Sha256 => 32,
        }
    }

    /// Returns the name git's configuration uses.
    pub const fn name(self) -> &'static str {
        match self {
            ObjectFormat::Sha1 => "sha1",
            ObjectFormat::Sha256 => "sha256",
        }
    }

    /// Returns the id that stands for "nothing" in ref updates.
    pub const fn zero(self) -> Oid {
        Oid {
            raw: [0; 32],
            len: self.bytes() as u8,
        }
    }
}

/// An object id of either format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Oid {
    raw: [u8; 32],
    len: u8,
}

impl Oid {
    /// Returns the id written as 40 or 64 hex digits.
    pub fn parse(hex: &[u8]) -> Option<Oid> {
        if hex.len() != 40 && hex.len() != 64 {
            return None;
        }
        let mut raw = [0; 32];
        for (byte, pair) in raw.iter_mut().zip(hex.chunks_exact(2)) {
            let high = char::from(pair[0]).to_digit(16)?;
            let low = char::from(pair[1]).to_digit(16)?;
            *byte = u8::try_from(high * 16 + low).ok()?;
        }
        Some(Oid {
            raw,
            len: u8::try_from(hex.len() / 2).ok()?,
        })
    }

    /// Returns the id with these raw bytes, as tree and index files store it.
    pub fn from_raw(bytes: &[u8]) -> Option<Oid> {
        if bytes.len() != 20 && bytes.len() != 32 {
            return None;
        }
        let mut raw = [0; 32];
        raw[..bytes.len()].copy_from_slice(bytes);
        Some(Oid {
            raw,
            len: u8::try_from(bytes.len()).ok()?,
        })
    }

    /// Returns the raw bytes.
    pub fn as_raw(&self) -> &[u8] {
        &self.raw[..usize::from(self.len)]
    }

    /// Returns whether this is the all-zero id.
    pub fn is_zero(&self) -> bool {
        self.raw.iter().all(|byte| *byte == 0)
    }

    /// Returns the hex digits.
    pub fn hex(&self) -> String {
        self.as_raw()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }

    /// Returns the first ten hex digits, for messages.
    pub fn short(&self) -> String {
        self.as_raw()
            .iter()
            .take(5)
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}

impl fmt::Display for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.hex())
    }
}

impl fmt::Debug for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.short())
    }
}

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
    pub oid: Oid,
    /// In listings the path from the root, in a single tree the name.
    pub path: GitPath,
}

/// One side of a change: what is or was at the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Version {
    /// One of the `MODE_` constants.
    pub mode: u32,
    /// The blob or commit.
    pub oid: Oid,
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

    #[test]
    fn ids_round_trip_in_both_formats_and_refuse_everything_else() {
        for len in [40, 64] {
            let hex: String = "0123456789abcdef".chars().cycle().take(len).collect();
            let oid = Oid::parse(hex.as_bytes()).expect("valid");
            assert_eq!(oid.hex(), hex);
            assert_eq!(Oid::from_raw(oid.as_raw()), Some(oid));
        }
        for bad in ["", "abc", &"g".repeat(40), &"a".repeat(41)] {
            assert_eq!(Oid::parse(bad.as_bytes()), None, "{bad}");
        }
    }

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
