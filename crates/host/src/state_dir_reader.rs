//! Reads a state directory from the disk, as it lies there, with or without git.
//!
//! Links are not followed, as they are no part of a plan in a commit either; a file that is larger
//! than anything that would be parsed is read just far enough to know so. Absent on purpose: deciding
//! what the files mean.

use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::layout::{self, Layout};
use gatewalk_core::model::workspace::FileSet;
use gatewalk_core::parallel;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is read of a file that is no log: the lessons of years may be more than a plan can be.
const MAX_READ_BYTES: usize = 2 << 20;
/// How deep a state directory is read.
const MAX_DEPTH: usize = 6;
/// Below this many files a second thread costs more than it saves.
const FILES_PER_THREAD: usize = 64;

/// Finds the directory that has a state directory: this one or the nearest above it. What is above a repository is of
/// another one, or of none.
pub fn find_root(start: &Path) -> Option<(PathBuf, Layout)> {
    for directory in start.ancestors() {
        if let Some(layout) = state_dir_in(directory) {
            return Some((directory.to_owned(), layout));
        }
        if directory.join(".git").exists() {
            return None;
        }
    }
    None
}

/// Returns the layout of a directory's state directory, where it has one.
pub(crate) fn state_dir_in(directory: &Path) -> Option<Layout> {
    let mut layouts = Layout::ALL.into_iter();
    layouts.find(|layout| directory.join(layout.dir()).is_dir())
}

/// Reads every file of a state directory, by path from the root.
pub fn read_state_dir(root: &Path, layout: Layout) -> Result<FileSet> {
    let state = root.join(layout.dir());
    let mut wanted: Vec<PathBuf> = Vec::new();
    for entry in walkdir::WalkDir::new(&state).max_depth(MAX_DEPTH) {
        let entry = entry
            .map_err(|e| Error::environment(format!("cannot read `{}`: {e}", state.display())))?;
        if entry.file_type().is_file() {
            wanted.push(entry.into_path());
        }
    }
    let shares = parallel::share(&wanted, FILES_PER_THREAD, |part| {
        // One for all of them: no file is asked for its size, and none makes it grow twice.
        let mut buffer = Vec::with_capacity(64 << 10);
        let mut read = |path: &PathBuf| read_one(root, path, &mut buffer).transpose();
        part.iter()
            .filter_map(&mut read)
            .collect::<Result<Vec<_>>>()
    });
    let mut files = FileSet::new();
    for share in shares {
        files.extend(share?);
    }
    Ok(files)
}

/// Reads one file, at most one byte more than a plan file may have; event logs grow without limit.
fn read_one(root: &Path, path: &Path, buffer: &mut Vec<u8>) -> Result<Option<(String, Arc<[u8]>)>> {
    let relative = path.strip_prefix(root).unwrap_or(path);
    let name = relative.to_string_lossy().replace('\\', "/");
    let is_log = path.file_name().is_some_and(|name| name == layout::EVENTS);
    let limit = if is_log {
        u64::MAX
    } else {
        MAX_READ_BYTES as u64 + 1
    };
    buffer.clear();
    let read = File::open(path).and_then(|file| file.take(limit).read_to_end(buffer));
    match read {
        Ok(_) => Ok(Some((name, buffer.as_slice().into()))),
        // It was there a moment ago, when the directory was read.
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
        Err(e) => Err(Error::io("read", path, &e)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(root: &Path, name: &str, bytes: &[u8]) {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().expect("a file in a directory")).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    #[test]
    fn a_state_directory_is_found_from_below_and_read_without_following_links() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().join("repo");
        let directory = ".gatewalk/features/FEAT-2026-0001-a";
        put(&root, ".gatewalk/verification.yml", b"code: []\n");
        put(&root, &format!("{directory}/PLAN.md"), b"---\n---\n");
        put(
            &root,
            &format!("{directory}/WU-03-big.md"),
            &vec![b'x'; MAX_READ_BYTES + 100],
        );
        put(&root, "src/lib.rs", b"");
        put(temp.path(), "secret", b"outside");
        std::os::unix::fs::symlink(
            temp.path().join("secret"),
            root.join(directory).join("WU-01-out.md"),
        )
        .unwrap();
        assert_eq!(
            find_root(&root.join("src")),
            Some((root.clone(), Layout::Gatewalk))
        );
        assert_eq!(find_root(temp.path()), None);
        // A repository has its own, and what is above it is none of its business.
        std::fs::create_dir_all(root.join("vendor/other/.git")).unwrap();
        assert_eq!(find_root(&root.join("vendor/other")), None);
        let files = read_state_dir(&root, Layout::Gatewalk).unwrap();
        let sizes: Vec<(&str, usize)> = files
            .iter()
            .map(|(n, b)| (n.rsplit('/').next().unwrap(), b.len()))
            .collect();
        let want = [
            ("PLAN.md", 8),
            ("WU-03-big.md", MAX_READ_BYTES + 1),
            ("verification.yml", 9),
        ];
        assert_eq!(sizes, want);
    }
}
