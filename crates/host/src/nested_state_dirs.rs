//! State directories that are not at the top of a repository: no run reads them.

use crate::state_dir_reader::state_dir_in;
use std::path::{Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// How many directories deep is looked, and how many in all: a hint is not worth a walk through a large repository.
const MAX_DEPTH: usize = 3;
const MAX_DIRECTORIES: usize = 512;

/// Returns the top of the repository that a directory belongs to, where that is another one.
pub fn top_above(root: &Path) -> Option<&Path> {
    let mut ancestors = root.ancestors();
    let top = ancestors.find(|directory| directory.join(".git").exists())?;
    (top != root).then_some(top)
}

/// Returns directories below `root` that have a state directory, as far as a short look finds them, by path from there.
pub fn below(root: &Path) -> Vec<PathBuf> {
    let walk = WalkDir::new(root).max_depth(MAX_DEPTH).sort_by_file_name();
    let looked = |entry: &DirEntry| {
        let name = entry.file_name().to_string_lossy();
        let passed = name.starts_with('.') || name == "node_modules" || name == "target";
        entry.depth() == 0 || entry.file_type().is_dir() && !passed
    };
    // What cannot be read is no place where anybody plans.
    let directories = walk.into_iter().filter_entry(looked).filter_map(Result::ok);
    let below = directories.take(MAX_DIRECTORIES).skip(1);
    below
        .filter(|entry| state_dir_in(entry.path()).is_some())
        .filter_map(|entry| Some(entry.path().strip_prefix(root).ok()?.to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_directories_elsewhere_in_a_repository_are_found() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path();
        for path in [
            ".git",
            ".gatewalk",
            "apps/shop/.gatewalk",
            "old/.specfuse",
            "node_modules/x/.gatewalk",
            "a/b/c/d/.gatewalk",
        ] {
            std::fs::create_dir_all(root.join(path)).unwrap();
        }
        let wanted = ["apps/shop", "old"].map(PathBuf::from);
        assert_eq!(below(root), wanted);
        assert_eq!(top_above(&root.join("apps/shop")), Some(root));
        assert_eq!(top_above(root), None);
    }
}
