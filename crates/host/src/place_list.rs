//! Paths that are looked at around every session and command, most of them absent. Each directory is asked once a look
//! whether entries came or went since the last; only then is it asked for every name.

use crate::inode_state::InodeState;
use gatewalk_core::parallel::locked;
use rustix::fs::{AtFlags, CWD, Mode, OFlags};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Paths by the directory they are in.
#[derive(Debug, Default)]
pub(crate) struct PlaceList {
    directories: Vec<NamedPlaces>,
}

/// What is looked for in one directory.
#[derive(Debug)]
struct NamedPlaces {
    directory: PathBuf,
    /// Each with its whole path.
    names: Vec<(OsString, PathBuf)>,
    last: Mutex<Option<Look>>,
}

/// What one look at a directory found.
#[derive(Debug)]
struct Look {
    directory: InodeState,
    /// The names that were there, by their index.
    there: Vec<usize>,
}

impl PlaceList {
    /// Sorts absolute paths into a list; one that has no name, such as the root, is left out.
    pub(crate) fn new(paths: Vec<PathBuf>) -> PlaceList {
        let mut named: Vec<(PathBuf, OsString, PathBuf)> = paths
            .into_iter()
            .filter_map(|path| {
                let (parent, name) = (path.parent()?.to_owned(), path.file_name()?.to_owned());
                Some((parent, name, path))
            })
            .collect();
        named.sort();
        named.dedup();
        let mut directories: Vec<NamedPlaces> = Vec::new();
        for (directory, name, path) in named {
            match directories.last_mut() {
                Some(last) if last.directory == directory => last.names.push((name, path)),
                _ => directories.push(NamedPlaces {
                    directory,
                    names: vec![(name, path)],
                    last: Mutex::default(),
                }),
            }
        }
        PlaceList { directories }
    }

    /// Returns the paths where something is now, be it a link that leads nowhere.
    pub(crate) fn occupied(&self) -> Vec<&Path> {
        let mut occupied = Vec::new();
        for directory in &self.directories {
            directory.add_occupied(&mut occupied);
        }
        occupied
    }
}

/// How a directory is opened in which names are looked up: on Linux that needs no right to list it.
#[cfg(target_os = "linux")]
const SEARCH: OFlags = OFlags::PATH;
#[cfg(not(target_os = "linux"))]
const SEARCH: OFlags = OFlags::RDONLY;

impl NamedPlaces {
    fn add_occupied<'p>(&'p self, occupied: &mut Vec<&'p Path>) {
        let Ok(stat) = rustix::fs::stat(&self.directory) else {
            return;
        };
        let state = InodeState::of(&stat);
        let mut last = locked(&self.last);
        let same = last.take().filter(|look| look.directory == state);
        let look = same.unwrap_or_else(|| Look {
            directory: state,
            there: self.there(),
        });
        occupied.extend(look.there.iter().map(|at| self.names[*at].1.as_path()));
        *last = Some(look).filter(|look| look.directory.is_settled());
    }

    fn there(&self) -> Vec<usize> {
        let flags = SEARCH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let Ok(directory) = rustix::fs::openat(CWD, &self.directory, flags, Mode::empty()) else {
            return Vec::new();
        };
        let is_there = |at: &usize| {
            let name = &self.names[*at].0;
            rustix::fs::statat(&directory, name, AtFlags::SYMLINK_NOFOLLOW).is_ok()
        };
        (0..self.names.len()).filter(is_there).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_found_whatever_it_is_and_nothing_else() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        std::fs::create_dir_all(at("inner/directory")).unwrap();
        std::fs::write(at("file"), "").unwrap();
        std::os::unix::fs::symlink("nowhere", at("dangling")).unwrap();
        std::os::unix::fs::symlink("inner", at("link")).unwrap();
        let names = [
            "file",
            "inner/directory",
            "dangling",
            "link/directory",
            "file",
            "absent",
            "absent/below",
            "file/below",
            "inner/absent",
        ];
        let list = PlaceList::new(names.map(at).into_iter().chain(["/".into()]).collect());
        let mut found = list.occupied();
        found.sort();
        let want = ["dangling", "file", "inner/directory", "link/directory"].map(at);
        assert_eq!(found, want.each_ref().map(PathBuf::as_path));
        std::fs::write(at("absent"), "").unwrap();
        assert!(list.occupied().contains(&at("absent").as_path()));
    }

    #[test]
    fn a_directory_is_asked_again_when_it_changed_or_may_have() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("name");
        std::fs::write(&path, "").unwrap();
        let list = PlaceList::new(vec![path.clone()]);
        let directory = &list.directories[0];
        // What an earlier look found counts as long as the directory is as it was, and no longer.
        let state = InodeState::of(&rustix::fs::stat(root.path()).unwrap());
        let other = InodeState::of(&rustix::fs::stat("/").unwrap());
        for (state, want) in [(state, 0), (other, 1)] {
            *directory.last.lock().unwrap() = Some(Look {
                directory: state,
                there: vec![],
            });
            assert_eq!(list.occupied().len(), want, "{state:?}");
        }
    }
}
