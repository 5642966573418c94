//! The programs of some directories at one moment, to see later which were replaced.

use crate::inode_state::InodeState;
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags};
use std::collections::BTreeMap;
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
    /// Looks at the programs of these directories.
    pub(crate) fn take(directories: &[PathBuf]) -> ProgramSnapshot {
        let had = directories
            .iter()
            .map(|directory| (directory.clone(), programs(directory)))
            .collect();
        ProgramSnapshot { had }
    }

    /// Returns the programs that are others now, or gone, and then those that are new.
    pub(crate) fn changed(&self) -> (Vec<PathBuf>, Vec<PathBuf>) {
        let (mut changed, mut new) = (Vec::new(), Vec::new());
        for (directory, had) in &self.had {
            let has = programs(directory);
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

/// Returns the programs of a directory; one that cannot be read has none.
fn programs(directory: &Path) -> Programs {
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
        let before = ProgramSnapshot::take(&[bin.path().to_path_buf(), absent.clone()]);
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
        assert_eq!(before.changed(), (changed, new));
        write("same", "another");
        assert!(before.changed().0.contains(&bin.path().join("link")));
    }
}
