//! Differences as text, for users and agents: whole or of one file, and how many lines each file has of them.

use super::git_command::{CommandScope, GitCommand};
use super::{Git, GitPath};
use gatewalk_core::error::Result;
use gatewalk_core::object_id::ObjectId;

/// The most of a list of changed files that is read, in bytes.
const LIST_LIMIT: usize = 8 << 20;

/// A file of a difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatchedFile {
    /// Where it is, from the root.
    pub path: GitPath,
    /// How many lines came and went; none where it is not text.
    pub lines: Option<(u64, u64)>,
}

impl Git {
    /// Returns the difference as text for a user or an agent, at most about `limit` bytes, and whether it was cut.
    pub fn patch_text(
        &self,
        old: ObjectId,
        new: ObjectId,
        limit: usize,
    ) -> Result<(Vec<u8>, bool)> {
        let call = self.difference([old, new]).args(["--stat=100", "--patch"]);
        Ok(cut_at_line(call.cut(limit).run()?.stdout, limit))
    }

    /// Returns the same of one file.
    pub fn file_patch_text(
        &self,
        trees: [ObjectId; 2],
        path: &str,
        limit: usize,
    ) -> Result<(Vec<u8>, bool)> {
        // Every call takes a path for what it is, never for a pattern.
        let call = self.difference(trees).args(["--patch", "--", path]);
        Ok(cut_at_line(call.cut(limit).run()?.stdout, limit))
    }

    /// Returns the files that differ, with how many lines; a list of megabytes is cut.
    pub fn patched_files(&self, old: ObjectId, new: ObjectId) -> Result<Vec<PatchedFile>> {
        let call = self.difference([old, new]).args(["--numstat", "-z"]);
        let text = call.cut(LIST_LIMIT).run()?.stdout;
        let rows = text.split(|byte| *byte == 0).filter_map(changed_file);
        Ok(rows.collect())
    }

    /// No work tree and no textconv: the repository's attributes can only choose how hunks are headed.
    fn difference(&self, [old, new]: [ObjectId; 2]) -> GitCommand<'_> {
        GitCommand::new(self, CommandScope::Repository, "diff-tree")
            .args(["-r", "--no-color", "--no-ext-diff", "--no-textconv"])
            .arg("--no-renames")
            .args([old.hex(), new.hex()])
    }
}

/// Reads `ADDED<TAB>REMOVED<TAB>PATH`.
fn changed_file(row: &[u8]) -> Option<PatchedFile> {
    let mut parts = row.splitn(3, |byte| *byte == b'\t');
    let mut count = || {
        let digits = std::str::from_utf8(parts.next()?).ok()?;
        digits.parse::<u64>().ok()
    };
    let (added, removed) = (count(), count());
    Some(PatchedFile {
        path: GitPath::new(parts.next()?),
        lines: added.zip(removed),
    })
}

/// Returns so much of a text as fits, to the end of a line, and whether that is not all.
fn cut_at_line(mut text: Vec<u8>, limit: usize) -> (Vec<u8>, bool) {
    let cut = text.len() > limit;
    if cut {
        let line_end = text[..limit].iter().rposition(|byte| *byte == b'\n');
        text.truncate(line_end.map_or(limit, |at| at + 1));
    }
    (text, cut)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_file_is_its_counts_and_its_path_whatever_that_holds() {
        let read = |row: &str| {
            let file = changed_file(row.as_bytes())?;
            Some((file.path.to_text().into_owned(), file.lines))
        };
        let named = |name: &str, lines| Some((name.to_owned(), lines));
        assert_eq!(read("1\t20\ta b.rs"), named("a b.rs", Some((1, 20))));
        assert_eq!(read("-\t-\tpicture.png"), named("picture.png", None));
        assert_eq!(read("0\t0\ta\tb"), named("a\tb", Some((0, 0))));
        assert_eq!(read(""), None);
    }
}
