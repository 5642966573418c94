//! Changes of a work tree that are plain enough to be made without git: a few files that come, go or differ, with nothing
//! that has them written otherwise than they are stored.

use super::cache::BlobContent;
use super::file_swap::make_parents;
use super::index::IndexFile;
use super::index_block::BlockPart;
use super::index_record::Record;
use super::modified_files::{holds_recent_content, is_as_seen, recent_parts};
use super::nested_directories::NestedDirectories;
use super::plain_file::PlainFile;
use super::read::READ_LIMIT;
use super::touched_files::Time;
use super::{Change, Git, GitPath, MODE_EXECUTABLE, Version, is_regular, worktree};
use crate::crash;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectFormat;
use rustix::fs::Stat;
use std::fs;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// The most files that are written here; git writes many at once better.
pub(super) const MOST_FILES: usize = 200;

/// The largest file that is written here: event logs are below.
pub(super) const LARGEST: u64 = READ_LIMIT;

impl Git {
    /// Returns whether changes are few and of files alone, in a repository without anything out of the ordinary.
    pub(super) fn are_plain(&self, changes: &[Change]) -> bool {
        changes.len() <= MOST_FILES
            && changes.iter().all(is_plain)
            && self.object_format() == ObjectFormat::Sha1
            && !self.has_special_files()
    }

    /// Returns the contents that changes bring, each `None` where a file goes; nothing at all if one is too large.
    pub(super) fn new_contents(
        &self,
        changes: &[Change],
    ) -> Result<Option<Vec<Option<BlobContent>>>> {
        let wanted: Vec<_> = changes
            .iter()
            .filter_map(|change| Some(change.new?.oid))
            .collect();
        let mut read = self.read_shared(&wanted, LARGEST)?.into_iter();
        let content = |change: &Change| match change.new {
            None => Some(None),
            Some(_) => read.next().flatten().map(Some),
        };
        Ok(changes.iter().map(content).collect())
    }

    /// Returns whether this file system keeps names or modes in another way than git's objects.
    pub(super) fn has_special_files(&self) -> bool {
        let is = |key: &str, value: &str| self.settings().get(key) == Some(value);
        is("core.filemode", "false")
            || is("core.ignorecase", "true")
            || is("core.precomposeunicode", "true")
    }
}

/// Returns whether attributes ask for files to be written otherwise than they are stored (gitattributes, "eol",
/// "ident", "working-tree-encoding"), or for git-lfs where it fills slots.
pub(super) fn converts(attributes: &[u8], fills_lfs: bool) -> bool {
    let text = String::from_utf8_lossy(attributes);
    text.split_whitespace().any(|word| {
        word == "ident"
            || word.starts_with("eol=crlf")
            || word.starts_with("working-tree-encoding")
            || fills_lfs && word == "filter=lfs"
    })
}

/// Returns whether what a change is from is what the index and the work tree have at its path.
pub(super) fn is_as_known(
    tree: &mut NestedDirectories<'_>,
    index: &IndexFile,
    change: &Change,
) -> bool {
    let bytes = change.path.as_bytes();
    match (index.record_of(bytes), change.old) {
        (Some(record), Some(old)) => {
            record.version() == old && !record.is_unwatched() && is_as_seen(tree, &record)
        }
        (None, None) => tree.stat(bytes).is_none(),
        _ => false,
    }
}

/// Returns whether a change is of files alone, and of none that decides how others are written.
fn is_plain(change: &Change) -> bool {
    let is_file = |version: Option<Version>| version.is_none_or(|v| is_regular(v.mode));
    is_file(change.old)
        && is_file(change.new)
        && !change.path.as_bytes().ends_with(b".gitattributes")
}

/// Returns whether the files that were written in the same moment as the index, at this time, still hold what it says: their
/// times may not tell, and once it is written anew they would pass for old ones. Asked of some files; they are read unless the file
/// system tells changes apart.
pub(super) fn holds_what_is_recent<'i>(
    git: &Git,
    root: &Path,
    parts: impl Iterator<Item = BlockPart<'i>>,
    (written, apart): (Time, bool),
) -> bool {
    let records = recent_parts(parts, written).flat_map(|part| part.records());
    let recent = records.filter(|record| holds_recent_content(record, written));
    let recent: Vec<Record<'_>> = recent.take(MOST_FILES + 1).collect();
    let mut tree = NestedDirectories::new(root);
    let mut is_same = |record| apart && is_as_seen(&mut tree, record) || holds(git, root, record);
    recent.len() <= MOST_FILES && recent.iter().all(&mut is_same)
}

/// Returns whether a file below a root holds what an index says, where nothing has files written otherwise than they are stored.
pub(super) fn holds(git: &Git, root: &Path, record: &Record<'_>) -> bool {
    let is_file = is_regular(record.mode());
    let path = worktree::inside(root, &GitPath::new(record.path)).filter(|_| is_file);
    path.and_then(|path| PlainFile::read(&path, LARGEST))
        .is_some_and(|file| {
            let is_content = || git.is_content_of(record.version().oid, &file.content);
            file.mode() == record.mode() && is_content()
        })
}

/// Writes a file where nothing is; returns what the index keeps of it.
pub(super) fn write_file(root: &Path, path: &GitPath, new: (Version, &[u8])) -> Result<Stat> {
    if !make_parents(root, path)? {
        return Err(in_the_way(path));
    }
    let (version, content) = new;
    let full = root.join(path.as_path());
    let mode = match version.mode {
        MODE_EXECUTABLE => 0o777,
        _ => 0o666,
    };
    let write = || {
        let mut options = fs::OpenOptions::new();
        // Whatever stands there by now, a link included, is not written through.
        let mut file = options
            .write(true)
            .create_new(true)
            .mode(mode)
            .open(&full)?;
        file.write_all(content)?;
        Ok(rustix::fs::fstat(&file)?)
    };
    crash::around("write", write).map_err(|e: std::io::Error| Error::io("write", &full, &e))
}

pub(super) fn in_the_way(path: &GitPath) -> Error {
    Error::internal(format!("something is in the way of `{path}`"))
}
