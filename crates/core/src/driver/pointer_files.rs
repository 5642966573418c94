//! Files that a repository gives to git-lfs and this machine does not have whole: commands find pointers in their place.

use super::run_loop::Driver;
use crate::engine::evidence::sanitize;
use crate::error::Result;
use crate::object_id::ObjectId;

/// How many files are named.
const NAMED: usize = 5;

impl Driver<'_> {
    /// Returns what to know of a command that is red on a tree where it finds pointers in place of files; nothing where it
    /// finds none.
    pub(super) fn pointers_named(&self, tree: &ObjectId) -> Result<Option<String>> {
        let files = self.machine.pointer_files(tree)?;
        let mut named = files[..files.len().min(NAMED)].join(", ");
        if files.len() > NAMED {
            named.push_str(&format!(" and {} more", files.len() - NAMED));
        }
        Ok((!files.is_empty()).then(|| {
            format!(
                "Commands find the pointers of git-lfs, not its files ({}). To have them here: install git-lfs, then: git lfs install && git lfs pull\n",
                sanitize(&named)
            )
        }))
    }
}
