//! Pointers of git-lfs, which git stores in place of files, and the files that they stand for in git-lfs's store.

use super::cache::BlobContent;
use super::{Git, GitPath, TreeEntry, is_regular};
use gatewalk_core::engine::large_files::is_pointer;
use gatewalk_core::engine::oracle::hex;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs::{self, File, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The filter of git-lfs: without its program a large file would land in place of its pointer.
pub(super) const LFS: &str = "lfs";

/// More than a pointer of git-lfs has, in bytes (its specification, "must be less than 1024 bytes").
pub(super) const POINTER_LIMIT: u64 = 1024;

/// The first line of a pointer.
const POINTER_VERSION: &str = "version https://git-lfs.github.com/spec/v1";

/// The line of a pointer that names the file's content.
const POINTER_ID: &str = "oid sha256:";

impl Git {
    /// Returns the content of blobs as a slot holds it, in the order asked: the file that a pointer stands for where this
    /// machine has it; `None` for what is larger than `limit` bytes.
    pub(crate) fn contents_in_slots(
        &self,
        oids: &[ObjectId],
        limit: u64,
    ) -> Result<Vec<Option<BlobContent>>> {
        let mut contents = self.read_shared(oids, limit)?;
        let stored = contents.iter_mut().flatten();
        if !stored.into_iter().any(|stored| is_pointer(stored)) || !self.fills_lfs() {
            return Ok(contents);
        }
        let storage = self.lfs_storage();
        for content in &mut contents {
            let stored = content.as_deref().unwrap_or_default();
            if let Some(file) = lfs_content(&storage, stored) {
                let read = read_within(&file, limit);
                let read = read.map_err(|e| Error::io("read", &file, &e))?;
                *content = read.map(BlobContent::from);
            }
        }
        Ok(contents)
    }

    /// Returns the files of a tree that are pointers of git-lfs in a slot, because this machine lacks their content or
    /// the program.
    pub(crate) fn pointers_in_slots(&self, tree: ObjectId) -> Result<Vec<GitPath>> {
        let storage = self.lfs_storage();
        let is_here = |text: &[u8]| self.fills_lfs() && lfs_content(&storage, text).is_some();
        let pointers = self.pointers_of(tree)?.into_iter();
        let absent = pointers.filter(|(_, text)| !is_here(text));
        Ok(absent.map(|(path, _)| path).collect())
    }

    /// Returns those in the submodules of a tree, and in theirs, as far as this machine has their commits.
    pub(crate) fn submodule_pointers_in_slots(&self, tree: ObjectId) -> Result<Vec<GitPath>> {
        let mut found = Vec::new();
        for (place, commit, git) in self.submodules_here(tree)? {
            let mut below = git.pointers_in_slots(commit)?;
            below.extend(git.submodule_pointers_in_slots(commit)?);
            found.extend(below.iter().map(|path| place.join(path.as_bytes())));
        }
        Ok(found)
    }

    /// Returns the files of git-lfs in a tree that this machine has whole, by the SHA-256 of their content.
    pub(crate) fn large_files_of(&self, tree: ObjectId) -> Result<BTreeSet<String>> {
        if !self.fills_lfs() {
            return Ok(BTreeSet::new());
        }
        let pointers = self.pointers_of(tree)?.into_iter();
        let ids = pointers.filter_map(|(_, text)| content_id(&text).map(str::to_owned));
        Ok(ids.filter(|id| self.large_file(id).is_some()).collect())
    }

    /// Returns where the file of git-lfs with this content is, if this machine has it.
    pub(crate) fn large_file(&self, id: &str) -> Option<PathBuf> {
        Some(place_of(&self.lfs_storage(), id)).filter(|place| is_id(id) && place.is_file())
    }

    /// Stores a file of git-lfs that somebody sent.
    ///
    /// # Errors
    ///
    /// What was sent is something else than its name says, or cannot be stored.
    pub(crate) fn take_large_file(&self, id: &str, sent: &Path) -> Result<()> {
        let storage = self.lfs_storage();
        let stored = File::open(sent).and_then(|mut sent| take_content(&storage, id, &mut sent));
        match stored.map_err(|e| Error::io("store a file of git-lfs in", &storage, &e))? {
            true => Ok(()),
            false => Err(Error::environment(format!(
                "a file of git-lfs came damaged: its content is not {id}"
            ))),
        }
    }

    /// Returns the pointers of git-lfs in a tree.
    fn pointers_of(&self, tree: ObjectId) -> Result<Vec<(GitPath, Vec<u8>)>> {
        let entries = self.list_tree(tree, &GitPath::new(""))?;
        if !self.filters_named_at(&entries)?.contains(LFS) {
            return Ok(Vec::new());
        }
        let files: Vec<TreeEntry> = entries
            .into_iter()
            .filter(|entry| is_regular(entry.mode))
            .collect();
        let filters = self.filters_of(tree, files.iter().map(|entry| &entry.path))?;
        let given = files.into_iter().zip(filters);
        let given = given.filter(|(_, filter)| filter.as_deref() == Some(LFS));
        let given: Vec<_> = given.map(|(entry, _)| entry).collect();
        let oids: Vec<ObjectId> = given.iter().map(|entry| entry.oid).collect();
        let texts = self.read_blobs(&oids, POINTER_LIMIT)?;
        let pointers = given.into_iter().zip(texts);
        let pointers = pointers.filter_map(|(entry, text)| Some((entry.path, text?)));
        Ok(pointers.filter(|(_, text)| is_pointer(text)).collect())
    }
}

/// Returns a file's content, or `None` if it is larger than `limit` bytes.
fn read_within(path: &Path, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let mut content = Vec::new();
    File::open(path)?
        .take(limit.saturating_add(1))
        .read_to_end(&mut content)?;
    Ok((content.len() as u64 <= limit).then_some(content))
}

/// Returns where git-lfs keeps the content that a pointer names, if it is there; `None` for what is no pointer.
pub(super) fn lfs_content(storage: &Path, pointer: &[u8]) -> Option<PathBuf> {
    let id = content_id(pointer)?;
    Some(place_of(storage, id)).filter(|place| place.is_file())
}

/// Returns the SHA-256 of the content that a pointer stands for.
fn content_id(pointer: &[u8]) -> Option<&str> {
    if !is_pointer(pointer) {
        return None;
    }
    let text = std::str::from_utf8(pointer).ok()?;
    let mut lines = text.lines();
    let id = lines.find_map(|line| line.strip_prefix(POINTER_ID))?;
    is_id(id).then_some(id)
}

fn is_id(id: &str) -> bool {
    id.len() == 64 && id.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn place_of(storage: &Path, id: &str) -> PathBuf {
    let part = |range| id.get(range).unwrap_or_default();
    let place = Path::new("objects").join(part(0..2)).join(part(2..4));
    storage.join(place).join(id)
}

/// Stores a file's content as git-lfs does, and returns its pointer; what is empty or a pointer already is stored as it
/// is (the specification of git-lfs, "The Pointer").
pub(super) fn store_content(storage: &Path, content: Vec<u8>) -> io::Result<Vec<u8>> {
    let is_small = (content.len() as u64) < POINTER_LIMIT;
    if content.is_empty() || is_small && is_pointer(&content) {
        return Ok(content);
    }
    let id = hex(&Sha256::digest(&content));
    if !place_of(storage, &id).is_file() {
        take_content(storage, &id, &mut &*content)?;
    }
    let size = content.len();
    Ok(format!("{POINTER_VERSION}\n{POINTER_ID}{id}\nsize {size}\n").into_bytes())
}

/// Writes content to its place in git-lfs's store; returns false, and keeps nothing, where it has another name.
fn take_content(storage: &Path, id: &str, content: &mut dyn Read) -> io::Result<bool> {
    // What a kill leaves there is removed by git-lfs.
    let unfinished = storage.join("tmp");
    fs::create_dir_all(&unfinished)?;
    let mut file = tempfile::Builder::new()
        .permissions(Permissions::from_mode(0o644))
        .tempfile_in(unfinished)?;
    let mut hash = Sha256::new();
    let mut piece = vec![0; 64 * 1024];
    loop {
        match content.read(&mut piece)? {
            0 => break,
            n => {
                hash.update(&piece[..n]);
                file.write_all(&piece[..n])?;
            }
        }
    }
    if hex(&hash.finalize()) != id {
        return Ok(false);
    }
    file.as_file().sync_data()?;
    let place = place_of(storage, id);
    if let Some(parent) = place.parent() {
        fs::create_dir_all(parent)?;
    }
    file.persist(&place)?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_store_is_asked_for_the_content_of_a_pointer_and_of_nothing_else() {
        let store = tempfile::tempdir().unwrap();
        let id = "5d334be92cded9d29ecaf9f23524037a2fb10f2d02f6a0d018bcdbf5c45bb1d6";
        let place = store.path().join("objects/5d/33").join(id);
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        std::fs::write(&place, "whole").unwrap();
        let version = "version https://git-lfs.github.com/spec/v1";
        let pointer = |id: &str| format!("{version}\noid sha256:{id}\nsize 5\n");
        for (stored, is_there) in [
            (pointer(id), true),
            (pointer(&id.replace('5', "6")), false),
            (pointer("../../../../etc/passwd"), false),
            (pointer(""), false),
            (format!("# {}", pointer(id)), false),
            (String::new(), false),
            ("x".repeat(3000), false),
        ] {
            let found = lfs_content(store.path(), stored.as_bytes());
            assert_eq!(found, is_there.then(|| place.clone()), "{stored}");
        }
        let within = |limit| read_within(&place, limit).unwrap();
        assert_eq!(within(5).unwrap(), b"whole");
        assert_eq!(within(4), None);
    }

    #[test]
    fn content_is_stored_once_and_read_back_by_its_pointer() {
        let store = tempfile::tempdir().unwrap();
        for content in [b"whole\n".to_vec(), vec![0; 5000], b"whole\n".to_vec()] {
            let pointer = store_content(store.path(), content.clone()).unwrap();
            let place = lfs_content(store.path(), &pointer).unwrap();
            assert_eq!(fs::read(place).unwrap(), content);
            assert_eq!(
                store_content(store.path(), pointer.clone()).unwrap(),
                pointer
            );
        }
        assert_eq!(
            store_content(store.path(), b"BIG CONTENT\n".to_vec()).unwrap(),
            b"version https://git-lfs.github.com/spec/v1\noid sha256:5d334be92cded9d29ecaf9f23524037a2fb10f2d02f6a0d018bcdbf5c45bb1d6\nsize 12\n",
            "as git-lfs 3.3.0 stores it"
        );
        assert_eq!(store_content(store.path(), vec![]).unwrap(), b"");
        let unfinished = fs::read_dir(store.path().join("tmp")).unwrap();
        assert_eq!(unfinished.count(), 0);
    }
}
