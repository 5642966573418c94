//! The programs of some directories at one moment, to see later which were replaced. What a process cannot reach it did not
//! replace: only what it can is looked at.

use crate::inode_state::InodeState;
use crate::path_links::way_to;
use rustix::fs::{AtFlags, CWD, Dir, DirEntry, FileType, Mode, OFlags};
use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
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

/// The programs of one directory, by the bytes of their names.
type Programs = BTreeMap<Vec<u8>, ProgramFile>;

/// The programs of some directories at one moment.
#[derive(Debug)]
pub(crate) struct ProgramSnapshot {
    had: Vec<(PathBuf, Programs)>,
}

impl ProgramSnapshot {
    /// Looks at the programs of these directories that a process can reach.
    pub(crate) fn take(
        directories: &[PathBuf],
        is_reached: &dyn Fn(&Path) -> bool,
    ) -> ProgramSnapshot {
        let mut look = ProgramLook::new(is_reached);
        let had = directories
            .iter()
            .map(|directory| (directory.clone(), look.programs(directory)))
            .collect();
        ProgramSnapshot { had }
    }

    /// Returns the programs that are others now, or gone, and then those that are new.
    pub(crate) fn changed(
        &self,
        is_reached: &dyn Fn(&Path) -> bool,
    ) -> (Vec<PathBuf>, Vec<PathBuf>) {
        let (mut changed, mut new) = (Vec::new(), Vec::new());
        let mut look = ProgramLook::new(is_reached);
        for (directory, had) in &self.had {
            let has = look.programs(directory);
            let path = |name: &Vec<u8>| directory.join(OsStr::from_bytes(name));
            let differing = had
                .iter()
                .filter(|(name, file)| has.get(*name) != Some(file));
            changed.extend(differing.map(|(name, _)| path(name)));
            new.extend(has.keys().filter(|name| !had.contains_key(*name)).map(path));
        }
        (changed, new)
    }
}

/// One look at programs.
struct ProgramLook<'r> {
    is_reached: &'r dyn Fn(&Path) -> bool,
    /// What was found to be no link: the ways to programs begin alike.
    plain: HashSet<PathBuf>,
}

impl<'r> ProgramLook<'r> {
    fn new(is_reached: &'r dyn Fn(&Path) -> bool) -> Self {
        ProgramLook {
            is_reached,
            plain: HashSet::new(),
        }
    }

    /// Returns the programs of a directory; one that cannot be read has none.
    fn programs(&mut self, directory: &Path) -> Programs {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let Ok(opened) = rustix::fs::openat(CWD, directory, flags, Mode::empty()) else {
            return Programs::new();
        };
        let Ok(entries) = Dir::read_from(&opened) else {
            return Programs::new();
        };
        entries
            .filter_map(std::result::Result::ok)
            // Managers of versions keep their own files there; nobody starts a program by such a name.
            .filter(|entry| !entry.file_name().to_bytes().starts_with(b"."))
            .take(MOST_PROGRAMS)
            .filter(|entry| self.reaches(directory, entry))
            .filter_map(|entry| {
                // What a link leads to is what runs.
                let stat = rustix::fs::statat(&opened, entry.file_name(), AtFlags::empty()).ok()?;
                // What managers of versions write before it is in place cannot be started either.
                let is_program = FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile
                    && stat.st_mode & 0o111 != 0;
                let program = ProgramFile {
                    len: stat.st_size,
                    state: InodeState::of(&stat),
                };
                is_program.then(|| (entry.file_name().to_bytes().to_vec(), program))
            })
            .collect()
    }

    /// Returns whether a process can reach an entry of a directory, or something on the way to where it leads.
    fn reaches(&mut self, directory: &Path, entry: &DirEntry) -> bool {
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
        assert_eq!(before.changed(&|_| true), (changed, new));
        write("same", "another");
        assert!(
            before
                .changed(&|_| true)
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
        assert_eq!(before.changed(&is_reached), (vec![], vec![]));
        for path in [bin.join("own"), cache.join("tool"), cache.join("later")] {
            write_with_mode(&path, "another", 0o755);
        }
        std::fs::remove_file(cache.join("hop")).unwrap();
        link("other", cache.join("hop"));
        let changed = vec![bin.join("by-hop"), bin.join("linked")];
        assert_eq!(
            before.changed(&is_reached),
            (changed, vec![bin.join("dangling")])
        );
    }
}
