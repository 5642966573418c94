//! Opens directories of a work tree one below the other, so that thousands of them cost one step each instead of the
//! whole way, and no symbolic link is followed out of it.

use super::GitPath;
use super::git_path::parent_and_name;
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat, fstat, openat, statat};
use std::ffi::OsStr;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Only to ask about what is inside: a directory that may not be listed answers too.
#[cfg(target_os = "linux")]
const ASK: OFlags = OFlags::PATH;
#[cfg(not(target_os = "linux"))]
const ASK: OFlags = OFlags::RDONLY;

/// What a directory holds.
pub(super) struct NamedEntry {
    pub(super) name: Vec<u8>,
    pub(super) kind: FileType,
}

/// The directories on the way to the one that was asked for last. Sorted paths share most of it.
pub(super) struct NestedDirectories<'r> {
    root: &'r Path,
    /// The root, then each directory with the length of its path.
    open: Vec<(usize, OwnedFd)>,
    path: Vec<u8>,
}

impl<'r> NestedDirectories<'r> {
    pub(super) fn new(root: &'r Path) -> NestedDirectories<'r> {
        NestedDirectories {
            root,
            open: Vec::new(),
            path: Vec::new(),
        }
    }

    /// Returns a directory, by its path from the root, if each on the way and itself is a real one.
    pub(super) fn directory(&mut self, path: &[u8]) -> Option<BorrowedFd<'_>> {
        if self.open.is_empty() {
            let flags = ASK | OFlags::DIRECTORY | OFlags::CLOEXEC;
            let root = openat(CWD, self.root, flags, Mode::empty()).ok()?;
            self.open.push((0, root));
        }
        while self.open.len() > 1 && !self.is_on_the_way(path) {
            self.open.pop();
        }
        let (known, _) = self.open.last()?;
        let mut at = *known;
        let rest = path.get(at..)?;
        let rest = rest.strip_prefix(b"/").map_or(rest, |rest| {
            at += 1;
            rest
        });
        self.path.clear();
        self.path.extend_from_slice(path);
        for part in rest.split(|byte| *byte == b'/').filter(|p| !p.is_empty()) {
            // Neither `.` nor `..` is a name in an index.
            if part == b"." || part == b".." {
                return None;
            }
            at += part.len();
            let (_, above) = self.open.last()?;
            let flags = ASK | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let opened = openat(above, OsStr::from_bytes(part), flags, Mode::empty()).ok()?;
            self.open.push((at, opened));
            at += 1;
        }
        self.open.last().map(|(_, fd)| fd.as_fd())
    }

    /// Returns what is known of a file or directory, by its path from the root; a link stands for itself.
    pub(super) fn stat(&mut self, path: &[u8]) -> Option<Stat> {
        let (directory, name) = parent_and_name(path);
        let directory = self.directory(directory)?;
        statat(
            directory,
            OsStr::from_bytes(name),
            AtFlags::SYMLINK_NOFOLLOW,
        )
        .ok()
    }

    /// Returns what is known of a directory itself, by its path from the root.
    pub(super) fn stat_directory(&mut self, directory: &GitPath) -> Option<Stat> {
        fstat(self.directory(directory.as_bytes())?).ok()
    }

    /// Returns the entries of a directory by name, by its path from the root; `None` if they cannot be listed.
    pub(super) fn list(&mut self, directory: &GitPath) -> Option<Vec<NamedEntry>> {
        let open = self.directory(directory.as_bytes())?;
        let mut entries = Vec::new();
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        for entry in Dir::new(openat(open, ".", flags, Mode::empty()).ok()?).ok()? {
            let entry = entry.ok()?;
            let name = entry.file_name();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            let kind = match entry.file_type() {
                // Not every file system says so at once.
                FileType::Unknown => statat(open, name, AtFlags::SYMLINK_NOFOLLOW)
                    .map_or(FileType::Unknown, |meta| {
                        FileType::from_raw_mode(meta.st_mode)
                    }),
                kind => kind,
            };
            let name = name.to_bytes().to_vec();
            entries.push(NamedEntry { name, kind });
        }
        entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        Some(entries)
    }

    /// Returns whether the innermost open directory holds the path, or is it.
    fn is_on_the_way(&self, path: &[u8]) -> bool {
        self.open.last().is_some_and(|(length, _)| {
            path.starts_with(&self.path[..*length])
                && matches!(path.get(*length), None | Some(b'/'))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn the_way_is_shared_and_no_link_is_followed() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("file"), "secret").unwrap();
        let root = tempfile::tempdir().unwrap();
        for directory in ["a", "a/b/c", "a-b", "ab", "d"] {
            fs::create_dir_all(root.path().join(directory)).unwrap();
            fs::write(root.path().join(directory).join("file"), directory).unwrap();
        }
        symlink(outside.path(), root.path().join("link")).unwrap();
        symlink("../a", root.path().join("d/link")).unwrap();
        symlink("file", root.path().join("a/soft")).unwrap();
        let mut tree = NestedDirectories::new(root.path());
        for (path, size) in [
            ("a/file", Some(1)),
            ("a-b/file", Some(3)),
            ("a/b/c/file", Some(5)),
            ("a/b/file", None),
            ("a/b/c/file", Some(5)),
            ("ab/file", Some(2)),
            ("a/file", Some(1)),
            ("a/soft", Some(4)),
            ("link/file", None),
            ("d/link/file", None),
            ("d/file", Some(1)),
            ("d/../a/file", None),
            ("a/file/more", None),
            ("a/b/c/file", Some(5)),
            ("gone/file", None),
            ("a/file", Some(1)),
        ] {
            let found = tree.stat(path.as_bytes());
            assert_eq!(found.map(|stat| stat.st_size), size, "{path}");
        }
        let mut names = |path: &str| {
            let entries = tree.list(&path.into())?;
            let kinds = [
                FileType::Directory,
                FileType::RegularFile,
                FileType::Symlink,
            ];
            Some(kinds.map(|kind| entries.iter().filter(|e| e.kind == kind).count()))
        };
        assert_eq!(names("a"), Some([1, 1, 1]));
        assert_eq!(names(""), Some([4, 0, 1]));
        assert_eq!(names("link"), None);
        let [own, other] = ["a", "d"].map(|path| tree.stat_directory(&path.into()).unwrap().st_ino);
        assert_ne!(own, other);
        assert_eq!(Some(own), tree.stat(b"a").map(|meta| meta.st_ino));
    }
}
