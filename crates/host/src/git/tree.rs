//! Trees: parsing, comparing, editing. Only the directories that matter are read or written, whatever the size of the whole.

use super::git_command::{CommandScope, GitCommand};
use super::{Change, Git, GitPath, MODE_TREE, TreeEntry, Version};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::{ObjectFormat, ObjectId};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// A file to put into, or take out of, a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeEdit {
    /// The path from the root.
    pub path: GitPath,
    /// Mode and bytes of the file; `None` removes it.
    pub content: Option<(u32, Vec<u8>)>,
}

/// Two versions of one directory still to be compared: its path with a final `/`, and its tree on either side.
struct DirectoryPair {
    path: Vec<u8>,
    old: Option<ObjectId>,
    new: Option<ObjectId>,
}

impl Git {
    /// Returns the paths that differ between two commits or trees, sorted; renames are a deletion and an addition.
    pub fn diff(&self, old: ObjectId, new: ObjectId) -> Result<Vec<Change>> {
        let mut changes = Vec::new();
        if old == new {
            return Ok(changes);
        }
        let (old, new) = (self.tree_of(old)?, self.tree_of(new)?);
        let mut pending = vec![DirectoryPair {
            path: Vec::new(),
            old: Some(old),
            new: Some(new),
        }];
        while !pending.is_empty() {
            let oids: Vec<ObjectId> = pending
                .iter()
                .flat_map(|pair| [pair.old, pair.new])
                .flatten()
                .collect();
            let mut trees = self.read_trees(&oids)?.into_iter();
            let mut deeper = Vec::new();
            for pair in pending {
                let mut side =
                    |oid: Option<ObjectId>| oid.and_then(|_| trees.next()).unwrap_or_default();
                let (before, after) = (side(pair.old), side(pair.new));
                compare(&pair.path, &before, &after, &mut changes, &mut deeper);
            }
            pending = deeper;
        }
        changes.sort_by(|a: &Change, b| a.path.cmp(&b.path));
        Ok(changes)
    }

    /// Returns the difference as text for a user or an agent, at most about `limit` bytes, and whether it was cut.
    pub fn patch_text(
        &self,
        old: ObjectId,
        new: ObjectId,
        limit: usize,
    ) -> Result<(Vec<u8>, bool)> {
        // No work tree and no textconv: the repository's attributes can only choose how hunks are headed.
        let call = GitCommand::new(self, CommandScope::Repository, "diff-tree");
        let call = call.args([
            "-r",
            "--stat=100",
            "--patch",
            "--no-color",
            "--no-ext-diff",
            "--no-textconv",
        ]);
        let call = call
            .arg("--no-renames")
            .args([old.hex(), new.hex()])
            .cut(limit);
        let mut text = call.run()?.stdout;
        let cut = text.len() > limit;
        if cut {
            let end = text[..limit]
                .iter()
                .rposition(|byte| *byte == b'\n')
                .map_or(limit, |at| at + 1);
            text.truncate(end);
        }
        Ok((text, cut))
    }

    /// Returns a tree with files replaced, added or removed; a directory left empty disappears.
    pub fn edit_tree(&self, treeish: ObjectId, edits: &[TreeEdit]) -> Result<ObjectId> {
        let mut versions = Vec::with_capacity(edits.len());
        for edit in edits {
            let version = match &edit.content {
                Some((mode, bytes)) => Some(Version {
                    mode: *mode,
                    oid: self.write_blob(bytes)?,
                }),
                None => None,
            };
            versions.push((&edit.path, version));
        }
        self.edit_versions(self.tree_of(treeish)?, &versions)
    }

    /// Returns a tree with entries replaced, added or removed, whose objects exist.
    pub(super) fn edit_versions(
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
        let files: Vec<(&[&[u8]], Option<Version>)> = files
            .iter()
            .map(|(parts, version)| (parts.as_slice(), *version))
            .collect();
        match self.edit_level(Some(root), &files)? {
            Some(tree) => Ok(tree),
            None => self.write_tree(&[]),
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
                    Some((mode, text.clone()))
                }
                (None, Some(Change { old: Some(old), .. })) => {
                    let bytes = self.read_blobs(&[old.oid], u64::MAX)?.pop().flatten();
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
        files: &[(&[&[u8]], Option<Version>)],
    ) -> Result<Option<ObjectId>> {
        let entries = match tree {
            Some(oid) => self.read_trees(&[oid])?.pop().unwrap_or_default(),
            None => Vec::new(),
        };
        let mut names: BTreeMap<Vec<u8>, Version> = entries
            .into_iter()
            .map(|e| {
                (
                    e.path.as_bytes().to_vec(),
                    Version {
                        mode: e.mode,
                        oid: e.oid,
                    },
                )
            })
            .collect();
        let before = names.clone();
        for group in files.chunk_by(|a, b| a.0[0] == b.0[0]) {
            let name = group[0].0[0];
            let mut result = names.get(name).copied();
            let deeper: Vec<_> = group
                .iter()
                .filter(|(p, _)| p.len() > 1)
                .map(|(p, v)| (&p[1..], *v))
                .collect();
            if let Some((_, version)) = group.iter().find(|(parts, _)| parts.len() == 1) {
                result = *version;
            }
            if !deeper.is_empty() {
                let directory = result.filter(|version| version.mode == MODE_TREE);
                let only_removals = deeper.iter().all(|(_, version)| version.is_none());
                if directory.is_some() || !only_removals {
                    let edited = self.edit_level(directory.map(|version| version.oid), &deeper)?;
                    result = edited.map(|oid| Version {
                        mode: MODE_TREE,
                        oid,
                    });
                }
            }
            match result {
                Some(version) => names.insert(name.to_vec(), version),
                None => names.remove(name),
            };
        }
        if names.is_empty() {
            return Ok(None);
        }
        if names == before && tree.is_some() {
            return Ok(tree);
        }
        let entries: Vec<TreeEntry> = names
            .into_iter()
            .map(|(name, version)| TreeEntry {
                mode: version.mode,
                oid: version.oid,
                path: GitPath::new(name),
            })
            .collect();
        self.write_tree(&entries).map(Some)
    }

    /// Returns a key that is equal for two commits or trees exactly if they differ at most in one top-level directory.
    ///
    /// Nothing is written; the key is a digest of ours, not a git id.
    pub(crate) fn key_without(&self, treeish: ObjectId, directory: &str) -> Result<String> {
        let root = self.tree_of(treeish)?;
        let entries = self.read_trees(&[root])?.pop().unwrap_or_default();
        let mut hash = Sha256::new();
        for entry in entries
            .iter()
            .filter(|entry| entry.path.as_bytes() != directory.as_bytes())
        {
            hash.update(format!(
                "{:o} {} {} ",
                entry.mode,
                entry.oid,
                entry.path.as_bytes().len()
            ));
            hash.update(entry.path.as_bytes());
        }
        Ok(hash
            .finalize()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect())
    }
}

fn compare(
    path: &[u8],
    old: &[TreeEntry],
    new: &[TreeEntry],
    changes: &mut Vec<Change>,
    deeper: &mut Vec<DirectoryPair>,
) {
    type Sides = (Option<Version>, Option<Version>);
    let mut names: BTreeMap<&[u8], Sides> = BTreeMap::new();
    for entry in old {
        names.entry(entry.path.as_bytes()).or_default().0 = Some(Version {
            mode: entry.mode,
            oid: entry.oid,
        });
    }
    for entry in new {
        names.entry(entry.path.as_bytes()).or_default().1 = Some(Version {
            mode: entry.mode,
            oid: entry.oid,
        });
    }
    for (name, (before, after)) in names {
        if before == after {
            continue;
        }
        let full = [path, name].concat();
        let tree = |side: Option<Version>| side.filter(|v| v.mode == MODE_TREE).map(|v| v.oid);
        let file = |side: Option<Version>| side.filter(|v| v.mode != MODE_TREE);
        if file(before).is_some() || file(after).is_some() {
            changes.push(Change {
                path: GitPath::new(full.clone()),
                old: file(before),
                new: file(after),
            });
        }
        if tree(before).is_some() || tree(after).is_some() {
            deeper.push(DirectoryPair {
                path: [&full, b"/".as_slice()].concat(),
                old: tree(before),
                new: tree(after),
            });
        }
    }
}

/// Returns the entries of a raw tree object; `None` if it is malformed.
pub(super) fn parse_tree(mut raw: &[u8], format: ObjectFormat) -> Option<Vec<TreeEntry>> {
    let mut entries = Vec::new();
    while !raw.is_empty() {
        let space = raw.iter().position(|byte| *byte == b' ')?;
        let mode = u32::from_str_radix(std::str::from_utf8(&raw[..space]).ok()?, 8).ok()?;
        raw = &raw[space + 1..];
        let end = raw.iter().position(|byte| *byte == 0)?;
        let path = GitPath::new(&raw[..end]);
        let oid = ObjectId::from_raw(raw.get(end + 1..end + 1 + format.bytes())?)?;
        raw = &raw[end + 1 + format.bytes()..];
        entries.push(TreeEntry { mode, oid, path });
    }
    Some(entries)
}
