//! The files of git-lfs that a far end was sent, kept between contacts as git-lfs keeps them: by their content.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use walkdir::{DirEntry, WalkDir};

/// The most files that home is told of; what it is not told of is sent once more.
const MOST_TOLD: usize = 20_000;

/// A store of files of git-lfs.
#[derive(Debug)]
pub(super) struct LargeFileStore {
    directory: PathBuf,
}

impl LargeFileStore {
    /// Returns the store of a repository that a far end keeps below a directory.
    pub(super) fn of(root: &Path) -> LargeFileStore {
        LargeFileStore {
            directory: root.join("lfs"),
        }
    }

    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Returns the files that are there, by the SHA-256 of their content.
    pub(super) fn ids(&self) -> BTreeSet<String> {
        let names = self.files().take(MOST_TOLD);
        names
            .filter_map(|file| file.file_name().to_str().map(str::to_owned))
            .collect()
    }

    /// Notes that files were needed.
    pub(super) fn note_needed(&self, ids: &BTreeSet<String>) {
        let needed = self.files().filter(|file| {
            let name = file.file_name().to_str();
            name.is_some_and(|name| ids.contains(name))
        });
        for file in needed {
            // Without it, the file is only sent once more some day.
            let opened = fs::File::options().append(true).open(file.path());
            drop(opened.and_then(|opened| opened.set_modified(SystemTime::now())));
        }
    }

    /// Removes the files that nobody needed for so long.
    pub(super) fn forget_older_than(&self, age: Duration) {
        let modified = |file: &DirEntry| file.metadata().ok()?.modified().ok();
        for file in self.files() {
            let unused = modified(&file).and_then(|at| at.elapsed().ok());
            if unused.is_some_and(|unused| unused > age) {
                // A cache: what cannot be removed now is another time.
                drop(fs::remove_file(file.path()));
            }
        }
    }

    fn files(&self) -> impl Iterator<Item = DirEntry> {
        let entries = WalkDir::new(self.directory.join("objects")).into_iter();
        entries
            .flatten()
            .filter(|entry| entry.file_type().is_file())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_needed_stays_and_the_rest_is_forgotten() {
        let root = tempfile::tempdir().unwrap();
        let store = LargeFileStore::of(root.path());
        assert!(store.ids().is_empty(), "nothing was ever sent");
        let place = store.directory().join("objects/aa/bb");
        fs::create_dir_all(&place).unwrap();
        let old = SystemTime::now() - Duration::from_secs(100);
        for id in ["one", "two"] {
            let file = fs::File::create(place.join(id)).unwrap();
            file.set_modified(old).unwrap();
        }
        let both = BTreeSet::from(["one", "two"].map(str::to_owned));
        assert_eq!(store.ids(), both);
        store.note_needed(&BTreeSet::from(["two".to_owned()]));
        store.forget_older_than(Duration::from_secs(200));
        assert_eq!(store.ids(), both);
        store.forget_older_than(Duration::from_secs(50));
        assert_eq!(store.ids(), BTreeSet::from(["two".to_owned()]));
    }
}
