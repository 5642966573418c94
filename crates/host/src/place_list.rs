//! Paths that are looked at around every session and command, most of them absent. Each directory is asked once a look
//! whether entries came or went since the last; only then is it asked for every name. One that an outer directory does
//! not have is not asked.

use crate::inode_state::InodeState;
use gatewalk_core::parallel::locked;
use rustix::fs::{AtFlags, CWD, Mode, OFlags};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Paths by the directory they are in, outer directories before inner ones.
#[derive(Debug, Default)]
pub(crate) struct PlaceList {
    directories: Vec<NamedPlaces>,
}

/// What is looked for in one directory.
#[derive(Debug)]
struct NamedPlaces {
    directory: PathBuf,
    /// The innermost directory of the list that it is in, by index, and by the index of its name what leads from there to it.
    within: Option<(usize, usize)>,
    names: Vec<PlaceName>,
    last: Mutex<Option<Look>>,
}

/// A name in a directory, with its whole path if that is looked for; else something on the way to others.
#[derive(Debug)]
struct PlaceName {
    name: OsString,
    path: Option<PathBuf>,
}

/// What one look at a directory found.
#[derive(Debug)]
struct Look {
    directory: InodeState,
    /// The names that were there, by their index, in order.
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
            let name = PlaceName {
                name,
                path: Some(path),
            };
            match directories.last_mut() {
                Some(last) if last.directory == directory => last.names.push(name),
                _ => {
                    let within = within(&mut directories, &directory);
                    directories.push(NamedPlaces {
                        directory,
                        within,
                        names: vec![name],
                        last: Mutex::default(),
                    });
                }
            }
        }
        PlaceList { directories }
    }

    /// Returns the paths where something is now, be it a link that leads nowhere.
    pub(crate) fn occupied(&self) -> Vec<&Path> {
        let mut there: Vec<Vec<usize>> = Vec::with_capacity(self.directories.len());
        for directory in &self.directories {
            let is_there = directory
                .within
                .is_none_or(|(outer, name)| there[outer].binary_search(&name).is_ok());
            there.push(match is_there {
                true => directory.look(),
                false => Vec::new(),
            });
        }
        let found = self.directories.iter().zip(there);
        found
            .flat_map(|(directory, there)| there.into_iter().map(|at| &directory.names[at]))
            .filter_map(|name| name.path.as_deref())
            .collect()
    }
}

/// Returns the innermost of some directories, outer ones first, that another is in, and the index of the name there that
/// leads to it, which is added if nobody looks for it.
fn within(directories: &mut [NamedPlaces], inner: &Path) -> Option<(usize, usize)> {
    let outer = directories
        .iter()
        .rposition(|outer| inner.starts_with(&outer.directory))?;
    let way = inner.strip_prefix(&directories[outer].directory).ok()?;
    let name = way.components().next()?.as_os_str();
    let names = &mut directories[outer].names;
    let known = names.iter().position(|known| known.name == name);
    let at = known.unwrap_or_else(|| {
        names.push(PlaceName {
            name: name.to_owned(),
            path: None,
        });
        names.len() - 1
    });
    Some((outer, at))
}

/// How a directory is opened in which names are looked up: on Linux that needs no right to list it.
#[cfg(target_os = "linux")]
const SEARCH: OFlags = OFlags::PATH;
#[cfg(not(target_os = "linux"))]
const SEARCH: OFlags = OFlags::RDONLY;

impl NamedPlaces {
    /// Returns the names that are there now, by their index, in order.
    fn look(&self) -> Vec<usize> {
        let Ok(stat) = rustix::fs::stat(&self.directory) else {
            return Vec::new();
        };
        let state = InodeState::of(&stat);
        let mut last = locked(&self.last);
        let same = last.take().filter(|look| look.directory == state);
        let look = same.unwrap_or_else(|| Look {
            directory: state,
            there: self.there(),
        });
        let there = look.there.clone();
        *last = Some(look).filter(|look| look.directory.is_settled());
        there
    }

    fn there(&self) -> Vec<usize> {
        let flags = SEARCH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let directory = rustix::fs::openat(CWD, &self.directory, flags, Mode::empty());
        let is_there = |at: &usize| {
            let name = &self.names[*at].name;
            match &directory {
                Ok(at) => rustix::fs::statat(at, name, AtFlags::SYMLINK_NOFOLLOW).is_ok(),
                // It may be searched and not listed, which some systems need for this.
                Err(_) => std::fs::symlink_metadata(self.directory.join(name)).is_ok(),
            }
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
        std::fs::create_dir_all(at("inner/directory/way/to")).unwrap();
        std::fs::write(at("inner/directory/way/to/file"), "").unwrap();
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
            "inner/way/to/absent",
            "inner/directory/way/to/file",
        ];
        let list = PlaceList::new(names.map(at).into_iter().chain(["/".into()]).collect());
        let mut found = list.occupied();
        found.sort();
        let want = [
            "dangling",
            "file",
            "inner/directory",
            "inner/directory/way/to/file",
            "link/directory",
        ];
        let want = want.map(at);
        assert_eq!(found, want.each_ref().map(PathBuf::as_path));
        std::fs::create_dir(at("absent")).unwrap();
        std::fs::create_dir_all(at("inner/way/to/absent")).unwrap();
        for path in ["absent", "inner/way/to/absent"].map(at) {
            assert!(list.occupied().contains(&path.as_path()), "{path:?}");
        }
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
