//! Objects that the user's checkout still holds as they were committed.
//!
//! An id is a hash of the content, so a file whose hash is the id asked for *is* that object, whoever wrote it there:
//! reading it costs a fraction of asking git. What differs (edits, converted line ends) is simply not found here.

use super::cache::{CachedObject, LARGEST};
use super::plain_file::PlainFile;
use super::read::READ_LIMIT;
use super::tree_object::TreeObject;
use super::{Git, MODE_TREE, Version};
use gatewalk_core::object_id::{ObjectFormat, ObjectId};
use gatewalk_core::parallel;
use sha1::Sha1;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Below this many files a second thread costs more than it saves.
const FILES_PER_THREAD: usize = 64;
/// How deep a directory is read.
const MAX_DEPTH: usize = 8;

/// A file of the checkout, by its path below the directory.
struct File {
    path: Vec<u8>,
    mode: u32,
    oid: ObjectId,
    /// None of a large one, which few commands want: a log that grows with every unit.
    content: Option<CachedObject>,
}

impl Git {
    /// Reads a directory of the checkout into the cache of objects; returns the id that the directory has as it lies there.
    ///
    /// `None` when something in it has no place in a plan (a link, a nested repository, an unreadable file): its id is
    /// then unknown, and what was read is kept all the same.
    pub(crate) fn take_from_disk(&self, directory: &str) -> Option<ObjectId> {
        let root = self.work_tree().join(directory);
        let mut paths = Vec::new();
        let mut whole = true;
        for entry in walkdir::WalkDir::new(&root).max_depth(MAX_DEPTH) {
            match entry {
                Ok(entry) if entry.file_type().is_file() => paths.push(entry.into_path()),
                Ok(entry) if entry.file_type().is_dir() => whole &= entry.depth() < MAX_DEPTH,
                _ => whole = false,
            }
        }
        let format = self.object_format();
        let read = parallel::share(&paths, FILES_PER_THREAD, |part| {
            let files = part.iter().map(|path| read_file(&root, path, format));
            files.collect::<Vec<_>>()
        });
        whole &= read.iter().flatten().all(Option::is_some);
        let mut files: Vec<File> = read.into_iter().flatten().flatten().collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        let mut trees = Vec::new();
        let parts: Vec<(&[u8], u32, ObjectId)> =
            files.iter().map(|f| (&*f.path, f.mode, f.oid)).collect();
        let id = tree_of(&parts, format, &mut trees);
        let blobs = files.into_iter();
        let blobs = blobs.filter_map(|file| Some((file.oid, file.content?)));
        self.keep(trees.into_iter().chain(blobs));
        whole.then_some(id)
    }
}

fn read_file(root: &Path, path: &Path, format: ObjectFormat) -> Option<File> {
    let file = PlainFile::read(path, READ_LIMIT)?;
    let name = path.strip_prefix(root).ok()?;
    Some(File {
        path: name.as_os_str().as_bytes().to_vec(),
        mode: file.mode(),
        oid: id_of("blob", &file.content, format),
        content: (file.content.len() <= LARGEST).then(|| CachedObject::new("blob", file.content)),
    })
}

/// Returns the id of the tree of these files, sorted by path, and notes it and all below it.
fn tree_of(
    files: &[(&[u8], u32, ObjectId)],
    format: ObjectFormat,
    noted: &mut Vec<(ObjectId, CachedObject)>,
) -> ObjectId {
    let first = |path: &[u8]| path.iter().position(|byte| *byte == b'/');
    let mut entries: BTreeMap<&[u8], Option<Version>> = BTreeMap::new();
    let mut rest = files;
    while let [(path, mode, oid), after @ ..] = rest {
        let Some(end) = first(path) else {
            let (mode, oid) = (*mode, *oid);
            entries.insert(path, Some(Version { mode, oid }));
            rest = after;
            continue;
        };
        let directory = &path[..=end];
        let count = rest
            .iter()
            .take_while(|f| f.0.starts_with(directory))
            .count();
        let below: Vec<_> = rest[..count]
            .iter()
            .map(|(path, mode, oid)| (&path[end + 1..], *mode, *oid))
            .collect();
        let oid = tree_of(&below, format, noted);
        let mode = MODE_TREE;
        entries.insert(&path[..end], Some(Version { mode, oid }));
        rest = &rest[count..];
    }
    let tree = TreeObject::empty(format).edited(&entries);
    let oid = id_of("tree", tree.raw(), format);
    noted.push((oid, (&tree).into()));
    oid
}

/// Returns an object's id: the hash of its header and content (Pro Git 10.2, "Object Storage").
pub(super) fn id_of(kind: &str, content: &[u8], format: ObjectFormat) -> ObjectId {
    let header = format!("{kind} {}\0", content.len());
    let id = match format {
        ObjectFormat::Sha1 => {
            let hash = Sha1::new().chain_update(&header).chain_update(content);
            ObjectId::from_raw(&hash.finalize())
        }
        ObjectFormat::Sha256 => {
            let hash = Sha256::new().chain_update(&header).chain_update(content);
            ObjectId::from_raw(&hash.finalize())
        }
    };
    id.expect("a digest of either format has an id's length")
}
