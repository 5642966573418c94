//! Reading refs, commits, trees and blobs, and asking about history.

use super::git_path::parent_and_name;
use super::tree_object::{TreeObject, TreeRecord};
use super::{Git, GitPath, MODE_TREE, TreeEntry, is_regular};
use gatewalk_core::error::{Error, ErrorCause, Result};
use gatewalk_core::object_id::ObjectId;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The largest tree, commit or state file that is read into memory.
pub(super) const READ_LIMIT: u64 = 16 * 1024 * 1024;

const MIB: u64 = 1024 * 1024;

impl Git {
    /// Returns the commit a name (`HEAD`, a full ref name, an id) stands for, if there is one.
    pub fn resolve(&self, name: &str) -> Result<Option<ObjectId>> {
        // What no name can hold has no commit, and would be two questions.
        if name.contains(['\n', '\0']) {
            return Ok(None);
        }
        let found = self.object_info(&[format!("{name}^{{commit}}")])?;
        Ok(found.into_iter().flatten().next().map(|object| object.oid))
    }

    /// Returns single trees, in the order asked.
    pub(super) fn read_trees(&self, oids: &[ObjectId]) -> Result<Vec<TreeObject>> {
        let found = self.read_kept(oids)?;
        oids.iter()
            .zip(found)
            .map(|(oid, object)| {
                let object = object
                    .ok_or_else(|| self.missing(*oid))?
                    .map_err(|_| damaged(*oid, "tree"))?;
                object
                    .tree(self.object_format())
                    .ok_or_else(|| damaged(*oid, "tree"))
            })
            .collect()
    }

    /// Returns a single tree.
    pub(super) fn single_tree(&self, oid: ObjectId) -> Result<TreeObject> {
        let read = self.read_trees(&[oid])?.pop();
        read.ok_or_else(|| self.missing(oid))
    }

    /// Returns every file, link and submodule below `prefix` (empty for all) in a commit or tree, sorted by path.
    pub(crate) fn list_tree(&self, treeish: ObjectId, prefix: &GitPath) -> Result<Vec<TreeEntry>> {
        self.list_except(treeish, prefix, &[])
    }

    /// Returns the same without some directories, which are not read.
    pub(crate) fn list_except(
        &self,
        treeish: ObjectId,
        prefix: &GitPath,
        except: &[&str],
    ) -> Result<Vec<TreeEntry>> {
        let Some(start) = self.subtree(treeish, prefix)? else {
            return Ok(Vec::new());
        };
        let mut below: Vec<u8> = prefix.as_bytes().to_vec();
        if !below.is_empty() {
            below.push(b'/');
        }
        let mut files = Vec::new();
        let mut pending = vec![(below, start)];
        while !pending.is_empty() {
            let oids: Vec<ObjectId> = pending.iter().map(|(_, oid)| *oid).collect();
            let trees = self.read_trees(&oids)?;
            let mut deeper = Vec::new();
            for ((path, _), tree) in pending.into_iter().zip(trees) {
                for TreeRecord { name, version } in tree.records() {
                    let mut full = [&path, name].concat();
                    if version.mode == MODE_TREE {
                        if except.iter().any(|except| except.as_bytes() == full) {
                            continue;
                        }
                        full.push(b'/');
                        deeper.push((full, version.oid));
                    } else {
                        files.push(TreeEntry::new(full, version));
                    }
                }
            }
            pending = deeper;
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(files)
    }

    /// Returns what the directory at `path` itself holds in a commit or tree; nothing where there is none.
    pub fn entries(&self, treeish: ObjectId, path: &GitPath) -> Result<Vec<TreeEntry>> {
        let Some(tree) = self.subtree(treeish, path)? else {
            return Ok(Vec::new());
        };
        let tree = self.single_tree(tree)?;
        let entries = tree.records();
        Ok(entries
            .map(|record| TreeEntry::new(record.name, record.version))
            .collect())
    }

    /// Returns the id of the directory at `path` in a commit or tree, if it is one.
    pub fn subtree(&self, treeish: ObjectId, path: &GitPath) -> Result<Option<ObjectId>> {
        let mut tree = self.tree_of(treeish)?;
        for part in path
            .as_bytes()
            .split(|byte| *byte == b'/')
            .filter(|part| !part.is_empty())
        {
            let found = self.single_tree(tree)?.find(part);
            let Some(directory) = found.filter(|found| found.mode == MODE_TREE) else {
                return Ok(None);
            };
            tree = directory.oid;
        }
        Ok(Some(tree))
    }

    /// Returns the content of one file in a commit or tree, if there is such a file.
    pub fn file_at(&self, treeish: ObjectId, path: &GitPath) -> Result<Option<Vec<u8>>> {
        let (parent, name) = parent_and_name(path.as_bytes());
        let Some(tree) = self.subtree(treeish, &GitPath::new(parent))? else {
            return Ok(None);
        };
        let found = self.single_tree(tree)?.find(name);
        let Some(file) = found.filter(|found| is_regular(found.mode)) else {
            return Ok(None);
        };
        Ok(self.read_blobs(&[file.oid], READ_LIMIT)?.pop().flatten())
    }

    /// Returns the regular files below `prefix` in a commit or tree by path from the root.
    ///
    /// Links, submodules, names that are not UTF-8 and files over 16 MiB are left out: none can be part of a plan, and a
    /// feature that has one too large is refused where it is selected.
    pub fn files_under(
        &self,
        treeish: ObjectId,
        prefix: &str,
    ) -> Result<BTreeMap<String, Arc<[u8]>>> {
        self.files_except(treeish, prefix, &[])
    }

    /// Returns the same without some directories, which are not read.
    pub(crate) fn files_except(
        &self,
        treeish: ObjectId,
        prefix: &str,
        except: &[&str],
    ) -> Result<BTreeMap<String, Arc<[u8]>>> {
        let entries = self.list_except(treeish, &GitPath::from(prefix), except)?;
        let wanted: Vec<(String, ObjectId)> = entries
            .iter()
            .filter(|entry| is_regular(entry.mode))
            .filter_map(|entry| Some((entry.path.as_str()?.to_owned(), entry.oid)))
            .collect();
        self.contents_of(wanted)
    }

    /// Returns files by their objects, those left out that are too large to be read.
    pub(super) fn contents_of(
        &self,
        wanted: Vec<(String, ObjectId)>,
    ) -> Result<BTreeMap<String, Arc<[u8]>>> {
        let oids: Vec<ObjectId> = wanted.iter().map(|(_, oid)| *oid).collect();
        let mut files = BTreeMap::new();
        for ((path, oid), object) in wanted.into_iter().zip(self.read_kept(&oids)?) {
            if let Ok(object) = object.ok_or_else(|| self.missing(oid))? {
                files.insert(path, object.content);
            }
        }
        Ok(files)
    }

    /// Returns the error for the first of these files that is larger than what is read of one, if there is any.
    pub(crate) fn first_oversized(
        &self,
        treeish: ObjectId,
        paths: &[String],
    ) -> Result<Option<Error>> {
        let places: Vec<GitPath> = paths.iter().map(|path| GitPath::from(&**path)).collect();
        let versions = self.versions_at(treeish, &places)?;
        let files = paths.iter().zip(versions).filter_map(|(path, version)| {
            let oid = version.filter(|v| is_regular(v.mode))?.oid;
            (!self.is_kept(&oid)).then_some((path, oid))
        });
        let files: Vec<(&String, ObjectId)> = files.collect();
        let names: Vec<String> = files.iter().map(|(_, oid)| oid.hex()).collect();
        let found = self.object_info(&names)?;
        let large = files.iter().zip(found).find_map(|((path, _), object)| {
            let size = object.filter(|o| o.size > READ_LIMIT)?.size;
            Some(Error::plan(format!(
                "`{}` has {} MiB, and no more than {} MiB of a file are read: it would count as absent and be replaced",
                path,
                size.div_ceil(MIB),
                READ_LIMIT / MIB
            ))
            .hint("move older content into a file of another name, commit that, and run again"))
        });
        Ok(large)
    }
}

/// Returns the error for an object that cannot be read as what it must be.
pub(super) fn damaged(oid: ObjectId, kind: &str) -> Error {
    Error::integrity(format!("object {oid} cannot be read as a {kind}"))
        .because(ErrorCause::DamagedObject)
}
