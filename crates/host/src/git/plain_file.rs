//! A regular file of a work tree, read whole. Whatever stands there by now, nothing is waited for and no link is followed.

use super::{MODE_EXECUTABLE, MODE_FILE};
use rustix::fs::{CWD, FileType, Mode, OFlags, Stat, fstat, openat};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A file, as it was when it was opened, and its content.
pub(super) struct PlainFile {
    pub(super) stat: Stat,
    pub(super) content: Vec<u8>,
}

impl PlainFile {
    /// Reads what is at a path; nothing where that is no regular file, cannot be read, has more bytes than `most`, or grows.
    pub(super) fn read(path: &Path, most: u64) -> Option<PlainFile> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let file = openat(CWD, path, flags, Mode::empty()).ok()?;
        let stat = fstat(&file).ok()?;
        let size = u64::try_from(stat.st_size).ok()?;
        let is_file = FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile;
        if !is_file || size > most {
            return None;
        }
        let mut content = Vec::with_capacity(usize::try_from(size).ok()? + 1);
        File::from(file)
            .take(size + 1)
            .read_to_end(&mut content)
            .ok()?;
        (content.len() as u64 == size).then_some(PlainFile { stat, content })
    }

    /// Returns the mode that git stores.
    pub(super) fn mode(&self) -> u32 {
        match Mode::from_raw_mode(self.stat.st_mode).contains(Mode::XUSR) {
            true => MODE_EXECUTABLE,
            false => MODE_FILE,
        }
    }
}
