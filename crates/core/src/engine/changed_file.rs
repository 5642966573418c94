//! What an attempt changed: the paths of its diff, and their contents.

/// How a path changed between the base and what an attempt left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangedPathKind {
    /// The base does not have it.
    Added,
    /// Its content or mode changed.
    Modified,
    /// Only the base has it.
    Deleted,
    /// It is a submodule's place before or after.
    Submodule,
}

/// One path of a diff against the base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedPath {
    /// Relative to the repository root; bytes that are not UTF-8 are replaced for matching.
    pub path: String,
    /// How it differs from the base.
    pub kind: ChangedPathKind,
    /// Whether what is there now is a regular file.
    pub regular: bool,
    /// Whether the base's can be started by its name, and this cannot.
    pub unstartable: bool,
}

/// A changed file with both of its contents; none where there is none, or it is too large to read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChangedFile<'a> {
    pub(crate) change: &'a ChangedPath,
    /// Content on the base.
    pub(crate) old: Option<&'a [u8]>,
    /// Content the attempt left.
    pub(crate) new: Option<&'a [u8]>,
}
