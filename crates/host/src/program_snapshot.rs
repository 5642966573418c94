//! The programs of some directories at one moment, to see later which were replaced. What a process cannot reach it did not
//! replace: only what it can is looked at.

use crate::inode_state::InodeState;
use crate::path_links::way_to;
use rustix::fs::{AtFlags, CWD, Dir, DirEntry, FileType, Mode, OFlags};
use std::collections::HashSet;
use std::ffi::{CString, OsStr};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The most programs of one directory that are compared.
const MOST_PROGRAMS: usize = 10_000;

/// What identifies a program's file without reading it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ProgramFile {
    len: i64,
    state: InodeState,
}

/// One directory: what a process can reach of it, sorted by name, each with its program if it is one.
#[derive(Debug, Default)]
struct ProgramDirectory {
    path: PathBuf,
    /// What tells whether entries came or went since; none where it may not.
    state: Option<InodeState>,
    entries: Vec<(CString, Option<ProgramFile>)>,
}

/// The programs of some directories at one moment.
#[derive(Debug)]
pub(crate) struct ProgramSnapshot {
    directories: Vec<ProgramDirectory>,
}

impl ProgramSnapshot {
    /// Looks at the programs of these directories that a process can reach.
    pub(crate) fn take(
        directories: &[PathBuf],
        is_reached: &dyn Fn(&Path) -> bool,
    ) -> ProgramSnapshot {
        let mut reach = ProgramReach::new(is_reached);
        let look = |path: &PathBuf| ProgramDirectory::look(path, None, &mut reach);
        ProgramSnapshot {
            directories: directories.iter().map(look).collect(),
        }
    }

    /// Looks again, for a process that reaches the same. A directory where nothing came or went is not listed anew.
    pub(crate) fn again(&self, is_reached: &dyn Fn(&Path) -> bool) -> ProgramSnapshot {
        let mut reach = ProgramReach::new(is_reached);
        let look =
            |had: &ProgramDirectory| ProgramDirectory::look(&had.path, Some(had), &mut reach);
        ProgramSnapshot {
            directories: self.directories.iter().map(look).collect(),
        }
    }

    /// Returns the programs that are others in a later look, or gone, and then those that are new.
    pub(crate) fn changed(&self, later: &ProgramSnapshot) -> (Vec<PathBuf>, Vec<PathBuf>) {
        let (mut changed, mut new) = (Vec::new(), Vec::new());
        for (had, has) in self.directories.iter().zip(&later.directories) {
            let differing = had
                .programs()
                .filter(|(name, file)| has.program(name) != Some(file));
            changed.extend(differing.map(|(name, _)| had.join(name)));
            let added = has
                .programs()
                .filter(|(name, _)| had.program(name).is_none());
            new.extend(added.map(|(name, _)| has.join(name)));
        }
        (changed, new)
    }
}

impl ProgramDirectory {
    /// Looks at a directory; one that cannot be read has no programs.
    fn look(path: &Path, had: Option<&ProgramDirectory>, reach: &mut ProgramReach<'_>) -> Self {
        let nothing = || ProgramDirectory {
            path: path.to_path_buf(),
            ..ProgramDirectory::default()
        };
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let Ok(opened) = rustix::fs::openat(CWD, path, flags, Mode::empty()) else {
            return nothing();
        };
        // Before it is listed: what comes meanwhile is found by the next look.
        let state = rustix::fs::fstat(&opened)
            .ok()
            .map(|stat| InodeState::of(&stat));
        let state = state.filter(|state| state.is_settled());
        let same = had.filter(|had| state.is_some() && had.state == state);
        let names = match same {
            Some(had) => had.entries.iter().map(|(name, _)| name.clone()).collect(),
            None => names(path, &opened, reach),
        };
        let with_program = |name: CString| {
            let file = program(&opened, &name);
            (name, file)
        };
        ProgramDirectory {
            state,
            entries: names.into_iter().map(with_program).collect(),
            ..nothing()
        }
    }

    fn join(&self, name: &CString) -> PathBuf {
        self.path.join(OsStr::from_bytes(name.to_bytes()))
    }

    fn programs(&self) -> impl Iterator<Item = (&CString, &ProgramFile)> {
        let entries = self.entries.iter();
        entries.filter_map(|(name, file)| Some((name, file.as_ref()?)))
    }

    fn program(&self, name: &CString) -> Option<&ProgramFile> {
        let at = self.entries.binary_search_by(|(known, _)| known.cmp(name));
        self.entries[at.ok()?].1.as_ref()
    }
}

/// Returns the sorted names in a directory behind which a process can reach something.
fn names(path: &Path, opened: &OwnedFd, reach: &mut ProgramReach<'_>) -> Vec<CString> {
    let Ok(entries) = Dir::read_from(opened) else {
        return Vec::new();
    };
    let mut names: Vec<CString> = entries
        .filter_map(std::result::Result::ok)
        // Managers of versions keep their own files there; nobody starts a program by such a name.
        .filter(|entry| !entry.file_name().to_bytes().starts_with(b"."))
        .take(MOST_PROGRAMS)
        .filter(|entry| reach.has(path, entry))
        .map(|entry| entry.file_name().to_owned())
        .collect();
    names.sort_unstable();
    names
}

/// Returns what identifies the program of a name; none where nothing can be started.
fn program(opened: &OwnedFd, name: &CString) -> Option<ProgramFile> {
    // What a link leads to is what runs.
    let stat = rustix::fs::statat(opened, name, AtFlags::empty()).ok()?;
    // What managers of versions write before it is in place cannot be started either.
    let is_program =
        FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile && stat.st_mode & 0o111 != 0;
    is_program.then(|| ProgramFile {
        len: stat.st_size,
        state: InodeState::of(&stat),
    })
}

/// What a process can reach, as one look finds it.
struct ProgramReach<'r> {
    is_reached: &'r dyn Fn(&Path) -> bool,
    /// What was found to be no link: the ways to programs begin alike.
    plain: HashSet<PathBuf>,
}

impl<'r> ProgramReach<'r> {
    fn new(is_reached: &'r dyn Fn(&Path) -> bool) -> Self {
        ProgramReach {
            is_reached,
            plain: HashSet::new(),
        }
    }

    /// Returns whether it has an entry of a directory, or something on the way to where it leads.
    fn has(&mut self, directory: &Path, entry: &DirEntry) -> bool {
        let path = directory.join(OsStr::from_bytes(entry.file_name().to_bytes()));
        let may_be_link = matches!(entry.file_type(), FileType::Symlink | FileType::Unknown);
        (self.is_reached)(&path)
            || may_be_link
                && way_to(&path, &mut self.plain)
                    .iter()
                    .any(|part| (self.is_reached)(part))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_files::write_with_mode;

    #[test]
    fn a_program_that_changed_is_found_and_what_cannot_be_started_is_none() {
        let bin = tempfile::tempdir().unwrap();
        let put =
            |name: &str, text: &str, mode| write_with_mode(&bin.path().join(name), text, mode);
        let write = |name: &str, text: &str| put(name, text, 0o755);
        write("tool", "one");
        write("removed", "one");
        write("same", "one");
        write(".shim", "one");
        put("tmp.x", "one", 0o600);
        std::os::unix::fs::symlink("same", bin.path().join("link")).unwrap();
        let absent = bin.path().join("absent");
        let before = ProgramSnapshot::take(&[bin.path().to_path_buf(), absent.clone()], &|_| true);
        write("tool", "another");
        write("new", "one");
        write(".shim", "another");
        for gone in ["removed", "tmp.x"] {
            std::fs::remove_file(bin.path().join(gone)).unwrap();
        }
        put("tmp.y", "one", 0o600);
        std::fs::create_dir(&absent).unwrap();
        write("absent/tool", "one");
        let at = |names: &[&str]| names.iter().map(|n| bin.path().join(n)).collect::<Vec<_>>();
        let (changed, new) = (at(&["removed", "tool"]), at(&["new", "absent/tool"]));
        assert_eq!(before.changed(&before.again(&|_| true)), (changed, new));
        write("same", "another");
        assert!(
            before
                .changed(&before.again(&|_| true))
                .0
                .contains(&bin.path().join("link"))
        );
    }

    #[test]
    fn what_a_process_cannot_reach_is_not_looked_at_unless_something_on_the_way_to_it_is_reached() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let (bin, cache) = (root.join("bin"), root.join("cache"));
        for path in [bin.join("own"), cache.join("tool"), cache.join("other")] {
            write_with_mode(&path, "one", 0o755);
        }
        let link = |to: &str, path: PathBuf| std::os::unix::fs::symlink(to, path).unwrap();
        link("../cache/tool", bin.join("linked"));
        link("../bin/own", cache.join("hop"));
        link("../cache/hop", bin.join("by-hop"));
        link("../cache/later", bin.join("dangling"));
        let is_reached = |path: &Path| path.starts_with(&cache);
        let before = ProgramSnapshot::take(std::slice::from_ref(&bin), &is_reached);
        assert_eq!(before.changed(&before.again(&is_reached)), (vec![], vec![]));
        for path in [bin.join("own"), cache.join("tool"), cache.join("later")] {
            write_with_mode(&path, "another", 0o755);
        }
        std::fs::remove_file(cache.join("hop")).unwrap();
        link("other", cache.join("hop"));
        let changed = vec![bin.join("by-hop"), bin.join("linked")];
        assert_eq!(
            before.changed(&before.again(&is_reached)),
            (changed, vec![bin.join("dangling")])
        );
    }
}
