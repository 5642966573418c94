//! What a slot is to hold, and what it is known to hold.

use gatewalk_core::object_id::ObjectId;

/// What a slot is to hold: the tree of its files, and where its `HEAD` is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SlotTarget<'a> {
    /// The tree, or a commit for its tree.
    pub(crate) tree: ObjectId,
    /// The commit that `HEAD` is at.
    pub(crate) commit: ObjectId,
    /// The full name of the ref that `HEAD` names.
    pub(crate) branch: &'a str,
}

/// What a slot is known to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KnownTree {
    /// The tree its tracked files were written from.
    pub(crate) tree: ObjectId,
    /// Whether there are no other files but ignored ones.
    pub(crate) swept: bool,
    /// Whether something unconfined ran since, so that the files must be checked first.
    pub(crate) untrusted: bool,
}
