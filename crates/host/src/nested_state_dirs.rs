//! State directories that are not at the top of a repository: no run reads them.

use crate::state_dir_reader::state_dir_in;
use std::path::{Path, PathBuf};

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
    let (mut found, mut looked) = (Vec::new(), 0);
    let mut pending = vec![(root.to_owned(), 0)];
    while let Some((directory, depth)) = pending.pop() {
        looked += 1;
        if looked > MAX_DIRECTORIES {
            break;
        }
        if depth > 0 && state_dir_in(&directory).is_some() {
            found.extend(directory.strip_prefix(root).map(Path::to_owned));
        }
        if depth == MAX_DEPTH {
            continue;
        }
        // What cannot be read is no place where anybody plans.
        let entries = std::fs::read_dir(&directory).into_iter().flatten();
        for entry in entries.filter_map(Result::ok) {
            let name = entry.file_name();
            let passed = name.to_string_lossy().starts_with('.')
                || name == "node_modules"
                || name == "target";
            if !passed && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                pending.push((entry.path(), depth + 1));
            }
        }
    }
    found.sort();
    found
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
