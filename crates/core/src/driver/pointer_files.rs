//! Files that a repository gives to git-lfs: where commands run there are pointers in their place.

use super::run_loop::Driver;
use crate::engine::evidence::sanitize;
use crate::error::Result;
use crate::object_id::ObjectId;

/// The attribute that gives a file to git-lfs.
const FILTER: &str = "filter=lfs";

impl Driver<'_> {
    /// Returns what to know of a command that is red on a tree where it finds pointers in place of files; nothing where it
    /// finds none.
    pub(super) fn pointers_named(&self, tree: &ObjectId) -> Result<Option<String>> {
        let rules = self.machine.file_at(tree, ".gitattributes")?;
        let rules = String::from_utf8_lossy(&rules.unwrap_or_default()).into_owned();
        let patterns = given_to_lfs(&rules);
        Ok((!patterns.is_empty()).then(|| {
            format!(
                "Commands find the pointers of git-lfs, not its files ({}): the FAQ has how a command gets them.\n",
                sanitize(&patterns.join(", "))
            )
        }))
    }
}

/// Returns the patterns whose files attributes give to git-lfs.
fn given_to_lfs(rules: &str) -> Vec<&str> {
    let pattern = |line: &'_ str| -> Option<usize> {
        let mut words = line.split_whitespace();
        let pattern = words.next().filter(|word| !word.starts_with('#'))?;
        words.any(|word| word == FILTER).then_some(pattern.len())
    };
    rules
        .lines()
        .map(str::trim_start)
        .filter_map(|line| line.get(..pattern(line)?))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_git_lfs_are_read_from_attributes() {
        let rules = "# *.x filter=lfs\n*.bin filter=lfs diff=lfs -text\n *.txt text\n*.psd\tfilter=lfs\n*.c filter=lfs2\n";
        assert_eq!(given_to_lfs(rules), ["*.bin", "*.psd"]);
    }
}
