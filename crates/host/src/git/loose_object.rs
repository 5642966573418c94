//! Writing objects one by one as git stores them (Pro Git 10.2, "Object Storage"; `git help repository-layout`): the header and
//! the content, compressed, in a file named by their hash.
//!
//! A git process does the same and is asked through a pipe and a file; a unit writes eight. Commits go through git, which looks
//! at their form.
//!
//! Invariant: a name in the object store is only ever that of a whole object; what is interrupted is a file that git
//! removes by itself (`tmp_obj_`).

use super::Git;
use super::checkout_objects::id_of;
use super::growing_file::{self, END, ZLIB_HEADER};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use gatewalk_core::parallel::locked;
use miniz_oxide::deflate::compress_to_vec_zlib;
use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, UTIME_NOW};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::iter;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// The largest object that is written here, in bytes.
const LARGEST: usize = 4 << 20;

/// Settings that say how objects are stored; where one is set, git stores them, by those of the repository.
const GITS_OWN: [&str; 4] = [
    "core.compression",
    "core.loosecompression",
    "core.sharedrepository",
    "extensions.compatobjectformat",
];

/// The mode of an object: nobody writes it again.
const MODE: u32 = 0o444;

/// What git takes for single objects (`core.looseCompression`).
const FASTEST: u8 = 1;

/// What is written, one object at a time.
#[derive(Debug, Clone, Copy)]
pub(super) enum WrittenKind {
    Blob,
    Tree,
    Commit,
}

impl WrittenKind {
    /// Returns git's word for it.
    pub(super) fn name(self) -> &'static str {
        match self {
            WrittenKind::Blob => "blob",
            WrittenKind::Tree => "tree",
            WrittenKind::Commit => "commit",
        }
    }

    /// Returns how it is compressed where it is written without git; none where it is not. Trees are not compressed: a large one,
    /// such as that of thousands of features, is mostly hashes, which do not shrink, and each landing writes it anew. What is
    /// packed later is compressed as ever.
    fn compression(self) -> Option<Compression> {
        match self {
            WrittenKind::Blob => Some(Compression::Fastest),
            WrittenKind::Tree => Some(Compression::None),
            WrittenKind::Commit => None,
        }
    }
}

/// How an object is stored that is written without git.
#[derive(Debug, Clone, Copy)]
enum Compression {
    None,
    Fastest,
}

impl Git {
    /// Stores an object, unless that is git's to do: then nothing was written, and nothing is returned.
    pub(super) fn write_loose(
        &self,
        kind: WrittenKind,
        content: &[u8],
    ) -> Result<Option<ObjectId>> {
        let Some(compression) = kind.compression() else {
            return Ok(None);
        };
        let is_set = |key: &str| self.settings().get(key).is_some();
        if content.len() > LARGEST || GITS_OWN.iter().any(|key| is_set(key)) {
            return Ok(None);
        }
        let oid = id_of(kind.name(), content, self.object_format());
        let path = self.loose_path(oid);
        if freshen(&path) {
            return Ok(Some(oid));
        }
        let head = format!("{} {}\0", kind.name(), content.len()).into_bytes();
        let write = |file: &mut File| match compression {
            Compression::None => write_uncompressed(file, &head, content),
            Compression::Fastest if content.len() >= growing_file::LEAST => {
                let mut growing = locked(&self.shared.known.growing_file);
                file.write_all(&growing.compress(&head, content, FASTEST))
            }
            Compression::Fastest => {
                let object = [&head, content].concat();
                file.write_all(&compress_to_vec_zlib(&object, FASTEST))
            }
        };
        place(&path, write).map_err(|e| Error::io("write", &path, &e))?;
        Ok(Some(oid))
    }
}

/// Writes a head and a content as a zlib stream (RFC 1950) of stored blocks (RFC 1951, 3.2.4). The library looks for repetitions
/// even for one, which takes longer than all else that is done here.
fn write_uncompressed(out: impl Write, head: &[u8], content: &[u8]) -> io::Result<()> {
    const LONGEST: usize = u16::MAX as usize;
    let mut out = BufWriter::new(out);
    let mut checksum = adler2::Adler32::new();
    out.write_all(&ZLIB_HEADER)?;
    let parts = iter::once(head).chain(content.chunks(LONGEST));
    for part in parts {
        let length = u16::try_from(part.len()).unwrap_or(u16::MAX);
        out.write_all(&[NOT_LAST])?;
        out.write_all(&length.to_le_bytes())?;
        out.write_all(&(!length).to_le_bytes())?;
        out.write_all(part)?;
        checksum.write_slice(part);
    }
    out.write_all(&END)?;
    out.write_all(&checksum.checksum().to_be_bytes())?;
    out.flush()
}

/// How a stored block begins that is not the last.
const NOT_LAST: u8 = 0;

/// Gives an object that is there the present time, so that git does not remove it as one that nobody wants; returns whether it
/// is there.
fn freshen(path: &Path) -> bool {
    // A file that power was lost before is empty.
    let is_there = fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file() && meta.len() > 0);
    if !is_there {
        return false;
    }
    let now = Timespec {
        tv_sec: 0,
        tv_nsec: UTIME_NOW,
    };
    let times = Timestamps {
        last_access: now,
        last_modification: now,
    };
    rustix::fs::utimensat(CWD, path, &times, AtFlags::SYMLINK_NOFOLLOW).is_ok()
}

/// Writes a file beside its place, and then names it.
fn place(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let directory = path.parent().unwrap_or(Path::new("."));
    match fs::create_dir(directory) {
        Err(e) if e.kind() != io::ErrorKind::AlreadyExists => return Err(e),
        _ => {}
    }
    let mut unfinished = tempfile::Builder::new()
        .prefix("tmp_obj_")
        .permissions(fs::Permissions::from_mode(MODE))
        .tempfile_in(directory)?;
    write(unfinished.as_file_mut())?;
    unfinished.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use miniz_oxide::inflate::decompress_to_vec_zlib;

    #[test]
    fn what_is_not_compressed_is_read_as_it_was() {
        for size in [0, 1, 65_534, 65_535, 65_536, 131_069, 131_070, 131_071] {
            let object: Vec<u8> = (0..size).map(|n: u32| (n % 251) as u8).collect();
            let mut stored = Vec::new();
            write_uncompressed(&mut stored, b"tree \0", &object).unwrap();
            let read = decompress_to_vec_zlib(&stored);
            assert_eq!(read.ok(), Some([b"tree \0", &*object].concat()), "{size}");
        }
    }
}
