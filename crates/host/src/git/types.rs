//! Names for what git talks about: modes, tree entries and changes.

use super::GitPath;
use gatewalk_core::engine::changed_file::{ChangedPath, ChangedPathKind};
use gatewalk_core::object_id::ObjectId;

/// Appends a line of `update-index -z --index-info`: an entry without what its file was on disk; mode 0 removes it.
pub(super) fn push_index_line(script: &mut Vec<u8>, (mode, id): (u32, ObjectId), path: &GitPath) {
    script.extend_from_slice(format!("{mode:06o} {id}\t").as_bytes());
    script.extend_from_slice(path.as_bytes());
    script.push(0);
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

impl TreeEntry {
    pub(super) fn new(path: impl Into<Vec<u8>>, version: Version) -> TreeEntry {
        TreeEntry {
            mode: version.mode,
            oid: version.oid,
            path: GitPath::new(path),
        }
    }
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
