//! Trees: parsing and comparing. Only the directories that matter are read, whatever the size of the whole.

use super::{Change, Git, GitPath, MODE_TREE, TreeEntry, Version};
use gatewalk_core::error::Result;
use gatewalk_core::model::layout;
use gatewalk_core::object_id::{ObjectFormat, ObjectId};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet, HashMap};

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
            let mut found = TreeComparison {
                changes,
                deeper: Vec::new(),
            };
            for pair in pending {
                let mut side =
                    |oid: Option<ObjectId>| oid.and_then(|_| trees.next()).unwrap_or_default();
                let (before, after) = (side(pair.old), side(pair.new));
                found.compare(&pair.path, &before, &after);
            }
            (changes, pending) = (found.changes, found.deeper);
        }
        changes.sort_by(|a: &Change, b| a.path.cmp(&b.path));
        Ok(changes)
    }

    /// Returns what is at each path in a commit or tree, directories included. Only the directories on the way are read,
    /// each once.
    pub(crate) fn versions_at(
        &self,
        treeish: ObjectId,
        paths: &[GitPath],
    ) -> Result<Vec<Option<Version>>> {
        let root = Version {
            mode: MODE_TREE,
            oid: self.tree_of(treeish)?,
        };
        let mut at = vec![Some(root); paths.len()];
        let mut rest: Vec<_> = paths
            .iter()
            .map(|path| path.as_bytes().split(|byte| *byte == b'/').peekable())
            .collect();
        loop {
            let mut wanted = BTreeSet::new();
            for (at, rest) in at.iter_mut().zip(&mut rest) {
                match at {
                    Some(version) if rest.peek().is_some() && version.mode == MODE_TREE => {
                        wanted.insert(version.oid);
                    }
                    Some(_) if rest.peek().is_some() => *at = None,
                    _ => {}
                }
            }
            if wanted.is_empty() {
                return Ok(at);
            }
            let wanted: Vec<ObjectId> = wanted.into_iter().collect();
            let trees = self.read_trees(&wanted)?;
            let trees: HashMap<ObjectId, HashMap<Vec<u8>, Version>> = wanted
                .into_iter()
                .zip(trees.into_iter().map(by_name))
                .collect();
            for (at, rest) in at.iter_mut().zip(&mut rest) {
                if let (Some(version), Some(_)) = (*at, rest.peek()) {
                    let names = trees.get(&version.oid);
                    let name = rest.next().unwrap_or_default();
                    *at = names.and_then(|names| names.get(name)).copied();
                }
            }
        }
    }

    /// Returns a key that is equal for two commits or trees exactly if they differ at most in what runs read of a state
    /// directory at their top: plans, settings and lessons, and no script that a command may start.
    ///
    /// Nothing is written; the key is a digest of ours, not a git id.
    pub(crate) fn product_key(&self, treeish: ObjectId, state_dir: &str) -> Result<String> {
        let root = self.tree_of(treeish)?;
        let entries = self.read_trees(&[root])?.pop().unwrap_or_default();
        let (state, product): (Vec<TreeEntry>, Vec<TreeEntry>) = entries
            .into_iter()
            .partition(|entry| entry.path.as_bytes() == state_dir.as_bytes());
        let is_tree = |entry: &&TreeEntry| entry.mode == MODE_TREE;
        let state: Vec<ObjectId> = state.iter().filter(is_tree).map(|e| e.oid).collect();
        let own = self.read_trees(&state)?.into_iter().flatten();
        let own = own.filter(|entry| {
            let known = layout::READ_BY_RUNS;
            !known
                .iter()
                .any(|name| entry.path.as_bytes() == name.as_bytes())
        });
        let own: Vec<TreeEntry> = own.collect();
        let mut hash = Sha256::new();
        let mut add = |under: &str, entry: &TreeEntry| {
            let name = entry.path.as_bytes();
            let head = format!("{:o} {} {under}{} ", entry.mode, entry.oid, name.len());
            hash.update(head);
            hash.update(name);
        };
        product.iter().for_each(|entry| add("", entry));
        own.iter().for_each(|entry| add("/", entry));
        let digest = hash.finalize();
        Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

fn by_name(entries: Vec<TreeEntry>) -> HashMap<Vec<u8>, Version> {
    let named = |entry: TreeEntry| {
        let TreeEntry { mode, oid, path } = entry;
        (path.as_bytes().to_vec(), Version { mode, oid })
    };
    entries.into_iter().map(named).collect()
}

/// What comparing directories found so far.
struct TreeComparison {
    changes: Vec<Change>,
    /// Directories that differ, to be compared next.
    deeper: Vec<DirectoryPair>,
}

impl TreeComparison {
    fn compare(&mut self, path: &[u8], old: &[TreeEntry], new: &[TreeEntry]) {
        type Sides = (Option<Version>, Option<Version>);
        let mut names: BTreeMap<&[u8], Sides> = BTreeMap::new();
        let (old, new) = without_common(old, new);
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
                self.changes.push(Change {
                    path: GitPath::new(full.clone()),
                    old: file(before),
                    new: file(after),
                });
            }
            if tree(before).is_some() || tree(after).is_some() {
                self.deeper.push(DirectoryPair {
                    path: [&full, b"/".as_slice()].concat(),
                    old: tree(before),
                    new: tree(after),
                });
            }
        }
    }
}

/// Returns what two directories do not have in common; of directories that are not in git's order it may be more.
fn without_common<'e>(
    old: &'e [TreeEntry],
    new: &'e [TreeEntry],
) -> (Vec<&'e TreeEntry>, Vec<&'e TreeEntry>) {
    let (mut gone, mut come) = (Vec::new(), Vec::new());
    let mut new = new.iter().peekable();
    for before in old {
        if new.next_if(|after| *after == before).is_some() {
            continue;
        }
        while let Some(after) = new.next_if(|after| in_order(after).lt(in_order(before))) {
            come.push(after);
        }
        if new.next_if(|after| *after == before).is_none() {
            gone.push(before);
        }
    }
    come.extend(new);
    (gone, come)
}

/// Returns the name by which git orders an entry: a directory's ends in a slash.
fn in_order(entry: &TreeEntry) -> impl Iterator<Item = &u8> {
    let end = (entry.mode == MODE_TREE).then_some(&b'/');
    entry.path.as_bytes().iter().chain(end)
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
