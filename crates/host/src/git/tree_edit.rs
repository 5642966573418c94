//! Trees with files replaced, added or removed. Only the directories on the way there are read and written.

use super::cache::BlobContent;
use super::tree_object::TreeObject;
use super::{Change, Git, GitPath, MODE_TREE, Version};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use std::collections::BTreeMap;

/// A file to put into, or take out of, a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TreeEdit {
    /// The path from the root.
    pub(crate) path: GitPath,
    /// Mode and bytes of the file; `None` removes it.
    pub(crate) content: Option<(u32, BlobContent)>,
}

/// A path in parts, relative to the directory at hand, and what it becomes.
type PathVersion<'a> = (&'a [&'a [u8]], Option<Version>);

impl Git {
    /// Returns a tree with files replaced, added or removed; a directory left empty disappears.
    pub(crate) fn edit_tree(&self, treeish: ObjectId, edits: &[TreeEdit]) -> Result<ObjectId> {
        let mut versions = Vec::with_capacity(edits.len());
        for edit in edits {
            let version = match &edit.content {
                Some((mode, bytes)) => Some(Version {
                    mode: *mode,
                    oid: self.write_shared_blob(bytes)?,
                }),
                None => None,
            };
            versions.push((&edit.path, version));
        }
        self.edit_versions(self.tree_of(treeish)?, &versions)
    }

    /// Returns a tree with entries replaced, added or removed, whose objects exist.
    pub(crate) fn edit_versions(
        &self,
        root: ObjectId,
        versions: &[(&GitPath, Option<Version>)],
    ) -> Result<ObjectId> {
        let mut files = BTreeMap::new();
        for (path, version) in versions {
            let parts: Vec<&[u8]> = path.as_bytes().split(|byte| *byte == b'/').collect();
            if parts
                .iter()
                .any(|part| matches!(*part, b"" | b"." | b".." | b".git") || part.contains(&0))
            {
                return Err(Error::internal(format!("`{path}` cannot be in a tree")));
            }
            files.insert(parts, *version);
        }
        let files: Vec<PathVersion<'_>> = files
            .iter()
            .map(|(parts, version)| (parts.as_slice(), *version))
            .collect();
        match self.edit_level(Some(root), &files)? {
            Some(tree) => Ok(tree),
            None => self.write_tree(&TreeObject::empty(self.object_format())),
        }
    }

    /// Returns a tree with some paths as another tree has them, modes included, or with the text given.
    pub(crate) fn put_back(
        &self,
        tree: ObjectId,
        from: ObjectId,
        paths: &[(GitPath, Option<Vec<u8>>)],
    ) -> Result<ObjectId> {
        let changes = self.diff(from, tree)?;
        let mut edits = Vec::new();
        for (path, text) in paths {
            let change = changes.iter().find(|c| c.path == *path);
            let content = match (text, change) {
                (Some(text), change) => {
                    let mode = change
                        .and_then(|c| c.old)
                        .map_or(super::MODE_FILE, |old| old.mode);
                    Some((mode, text.as_slice().into()))
                }
                (None, Some(Change { old: Some(old), .. })) => {
                    let bytes = self.read_shared(&[old.oid], u64::MAX)?.pop().flatten();
                    bytes.map(|bytes| (old.mode, bytes))
                }
                (None, Some(_)) => None,
                // Not different: nothing to put back.
                (None, None) => continue,
            };
            edits.push(TreeEdit {
                path: path.clone(),
                content,
            });
        }
        self.edit_tree(tree, &edits)
    }

    /// Edits one directory; the paths in `files` are relative to it and sorted. `None` when nothing is left in it.
    fn edit_level(
        &self,
        tree: Option<ObjectId>,
        files: &[PathVersion<'_>],
    ) -> Result<Option<ObjectId>> {
        let present = match tree {
            Some(oid) => self.single_tree(oid)?,
            None => TreeObject::empty(self.object_format()),
        };
        let groups: Vec<&[PathVersion<'_>]> = files.chunk_by(|a, b| a.0[0] == b.0[0]).collect();
        let mut before: BTreeMap<&[u8], Option<Version>> =
            groups.iter().map(|group| (group[0].0[0], None)).collect();
        present.look_up(&mut before);
        let mut after = before.clone();
        for group in groups {
            let name = group[0].0[0];
            let found = before.get(name).copied().flatten();
            after.insert(name, self.edit_name(found, group)?);
        }
        if after == before && tree.is_some() {
            return Ok(tree);
        }
        let edited = present.edited(&after);
        match edited.raw().is_empty() {
            true => Ok(None),
            false => self.write_tree(&edited).map(Some),
        }
    }

    /// Edits what one name of a directory stands for: the entry itself, or what is below it.
    fn edit_name(
        &self,
        present: Option<Version>,
        group: &[PathVersion<'_>],
    ) -> Result<Option<Version>> {
        let own = group.iter().find(|(parts, _)| parts.len() == 1);
        let result = own.map_or(present, |(_, version)| *version);
        let deeper: Vec<_> = group
            .iter()
            .filter(|(parts, _)| parts.len() > 1)
            .map(|(parts, version)| (&parts[1..], *version))
            .collect();
        let directory = result.filter(|version| version.mode == MODE_TREE);
        let only_removals = deeper.iter().all(|(_, version)| version.is_none());
        if deeper.is_empty() || directory.is_none() && only_removals {
            return Ok(result);
        }
        let edited = self.edit_level(directory.map(|version| version.oid), &deeper)?;
        Ok(edited.map(|oid| Version {
            mode: MODE_TREE,
            oid,
        }))
    }
}
