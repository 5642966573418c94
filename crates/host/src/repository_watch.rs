//! Whether anything in a repository changed, asked often: names, sizes and times of the files that a view shows, never their
//! content.

use super::lock::DriverLock;
use super::os::{log_dir, read_in_flight};
use super::state_repository::Repository;
use gatewalk_core::parallel;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;
use walkdir::WalkDir;

/// The most files that one look takes in; a change beyond them shows when something else changes.
const MOST_FILES: usize = 200_000;

/// Below this many files a second thread costs more than it saves.
const FILES_A_SHARE: usize = 512;

/// What one look at a repository saw; two looks that saw the same have the same number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RepositoryLook(pub u64);

/// The places of a repository whose change is a change of what stands where.
#[derive(Debug, Clone)]
pub struct RepositoryWatch {
    files: Vec<PathBuf>,
    trees: Vec<PathBuf>,
    state: PathBuf,
}

impl RepositoryWatch {
    /// Returns a watch of a repository.
    pub fn new(repository: &Repository) -> RepositoryWatch {
        let git = &repository.git;
        let (own, common, state) = (git.git_dir(), git.common_dir(), git.state_dir());
        RepositoryWatch {
            files: vec![
                own.join("HEAD"),
                own.join("index"),
                common.join("packed-refs"),
            ],
            trees: vec![
                common.join("refs"),
                common.join("reftable"),
                state.join("in-flight"),
                git.work_tree().join(repository.layout.dir()),
            ],
            state,
        }
    }

    /// Returns what stands for all of it now; two looks are equal while nothing changed.
    pub fn look(&self) -> RepositoryLook {
        let mut files = self.files.clone();
        for tree in &self.trees {
            let entries = WalkDir::new(tree).into_iter().filter_map(Result::ok);
            let regular = entries.take(MOST_FILES).filter(|e| e.file_type().is_file());
            files.extend(regular.map(walkdir::DirEntry::into_path));
        }
        let shares = parallel::share(&files, FILES_A_SHARE, |part| {
            let mut hasher = DefaultHasher::new();
            part.iter().for_each(|file| add(&mut hasher, file));
            hasher.finish()
        });
        let mut hasher = DefaultHasher::new();
        shares.hash(&mut hasher);
        let lock = self.state.join("lock");
        let driver = DriverLock::holder(&lock);
        driver
            .map(|holder| (holder.pid, holder.start))
            .hash(&mut hasher);
        // What cannot be read shows nothing, and so does not change.
        for note in read_in_flight(&self.state).unwrap_or_default() {
            let log = log_dir(&self.state, &note.unit, note.number);
            add(&mut hasher, &log.join("session.log"));
        }
        RepositoryLook(hasher.finish())
    }
}

fn add(hasher: &mut DefaultHasher, path: &Path) {
    // As bytes: as a path, each of its parts is looked at.
    path.as_os_str().hash(hasher);
    let Ok(metadata) = std::fs::symlink_metadata(path) else {
        return;
    };
    metadata.len().hash(hasher);
    let changed = metadata.modified().ok();
    let since = changed.and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    since.map(|d| d.as_nanos()).hash(hasher);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_changes_with_a_file_and_only_then() {
        let dir = tempfile::tempdir().unwrap();
        let watch = RepositoryWatch {
            files: vec![dir.path().join("HEAD")],
            trees: vec![dir.path().join("refs")],
            state: dir.path().join("state"),
        };
        let nothing = watch.look();
        assert_eq!(watch.look(), nothing);
        std::fs::create_dir_all(dir.path().join("refs/heads")).unwrap();
        std::fs::write(dir.path().join("refs/heads/main"), "one").unwrap();
        let branch = watch.look();
        assert_ne!(branch, nothing);
        std::fs::write(dir.path().join("refs/heads/main"), "longer").unwrap();
        assert_ne!(watch.look(), branch);
        std::fs::remove_file(dir.path().join("refs/heads/main")).unwrap();
        assert_eq!(watch.look(), nothing);
        std::fs::write(dir.path().join("HEAD"), "ref").unwrap();
        assert_ne!(watch.look(), nothing);
        std::fs::write(dir.path().join("other"), "x").unwrap();
        let head = watch.look();
        std::fs::write(dir.path().join("other"), "xyz").unwrap();
        assert_eq!(watch.look(), head);
    }
}
