//! The programs of some directories at one moment, to see later which were replaced.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// The most programs of one directory that are compared.
const MOST_PROGRAMS: usize = 2_000;

/// What identifies a program's file without reading it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ProgramFile {
    len: u64,
    inode: u64,
    changed: (i64, i64),
}

/// The programs of some directories at one moment.
#[derive(Debug)]
pub(crate) struct ProgramSnapshot {
    directories: Vec<PathBuf>,
    had: BTreeMap<PathBuf, ProgramFile>,
}

impl ProgramSnapshot {
    /// Looks at the programs of these directories.
    pub(crate) fn take(directories: Vec<PathBuf>) -> ProgramSnapshot {
        let had = programs(&directories);
        ProgramSnapshot { directories, had }
    }

    /// Returns the programs that are others now, or gone, and then those that are new.
    pub(crate) fn changed(&self) -> (Vec<PathBuf>, Vec<PathBuf>) {
        let has = programs(&self.directories);
        let differs = |path: &&PathBuf| has.get(*path) != self.had.get(*path);
        (
            self.had.keys().filter(differs).cloned().collect(),
            has.keys()
                .filter(|path| !self.had.contains_key(*path))
                .cloned()
                .collect(),
        )
    }
}

fn programs(directories: &[PathBuf]) -> BTreeMap<PathBuf, ProgramFile> {
    use std::os::unix::fs::MetadataExt;
    let entries = directories
        .iter()
        .filter_map(|directory| std::fs::read_dir(directory).ok())
        .flat_map(|entries| entries.take(MOST_PROGRAMS));
    entries
        .filter_map(std::result::Result::ok)
        // Managers of versions keep their own files there; nobody starts a program by such a name.
        .filter(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."))
        .filter_map(|entry| {
            // What a link leads to is what runs.
            let meta = std::fs::metadata(entry.path()).ok()?;
            let program = ProgramFile {
                len: meta.len(),
                inode: meta.ino(),
                changed: (meta.ctime(), meta.ctime_nsec()),
            };
            meta.is_file().then(|| (entry.path(), program))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_changed_is_found_and_a_hidden_file_is_none() {
        let bin = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(bin.path().join(name), text).unwrap();
        write("tool", "one");
        write(".shim", "one");
        let before = ProgramSnapshot::take(vec![bin.path().to_path_buf()]);
        write("tool", "another");
        write("new", "one");
        write(".shim", "another");
        let at = |name: &str| vec![bin.path().join(name)];
        assert_eq!(before.changed(), (at("tool"), at("new")));
    }
}
