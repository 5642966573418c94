//! Trees: parsing and comparing. Only the directories that matter are read, whatever the size of the whole.

use super::equal_records::equal_records;
use super::tree_object::{TreeObject, TreeRecord};
use super::{Change, Git, GitPath, MODE_TREE, Version};
use gatewalk_core::error::Result;
use gatewalk_core::model::layout;
use gatewalk_core::object_id::ObjectId;
use sha2::{Digest, Sha256};
use std::cmp::Ordering;
use std::collections::BTreeMap;

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
                let mut side = |oid: Option<ObjectId>| {
                    let read = oid.and_then(|_| trees.next());
                    read.unwrap_or_else(|| TreeObject::empty(self.object_format()))
                };
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
            let mut wanted: BTreeMap<ObjectId, BTreeMap<&[u8], Option<Version>>> = BTreeMap::new();
            for (at, rest) in at.iter_mut().zip(&mut rest) {
                match (&at, rest.peek()) {
                    (Some(version), Some(name)) if version.mode == MODE_TREE => {
                        wanted.entry(version.oid).or_default().insert(name, None);
                    }
                    (Some(_), Some(_)) => *at = None,
                    _ => {}
                }
            }
            if wanted.is_empty() {
                return Ok(at);
            }
            let oids: Vec<ObjectId> = wanted.keys().copied().collect();
            for (names, tree) in wanted.values_mut().zip(self.read_trees(&oids)?) {
                tree.look_up(names);
            }
            for (at, rest) in at.iter_mut().zip(&mut rest) {
                if let (Some(version), Some(_)) = (*at, rest.peek()) {
                    let names = wanted.get(&version.oid);
                    let name = rest.next().unwrap_or_default();
                    *at = names.and_then(|names| names.get(name).copied().flatten());
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
        let root = self.single_tree(root)?;
        let (state, product): (Vec<TreeRecord<'_>>, Vec<TreeRecord<'_>>) = root
            .records()
            .partition(|record| record.name == state_dir.as_bytes());
        let is_tree = |record: &&TreeRecord<'_>| record.version.mode == MODE_TREE;
        let state: Vec<ObjectId> = state
            .iter()
            .filter(is_tree)
            .map(|r| r.version.oid)
            .collect();
        let mut hash = Sha256::new();
        let mut add = |under: &str, TreeRecord { name, version }: TreeRecord<'_>| {
            let head = format!("{:o} {} {under}{} ", version.mode, version.oid, name.len());
            hash.update(head);
            hash.update(name);
        };
        product.into_iter().for_each(|record| add("", record));
        for tree in self.read_trees(&state)? {
            let is_read = |name: &[u8]| layout::READ_BY_RUNS.iter().any(|r| r.as_bytes() == name);
            let own = tree.records().filter(|record| !is_read(record.name));
            own.for_each(|record| add("/", record));
        }
        let digest = hash.finalize();
        Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

/// What comparing directories found so far.
struct TreeComparison {
    changes: Vec<Change>,
    /// Directories that differ, to be compared next.
    deeper: Vec<DirectoryPair>,
}

impl TreeComparison {
    fn compare(&mut self, path: &[u8], old: &TreeObject, new: &TreeObject) {
        type Sides = (Option<Version>, Option<Version>);
        let mut names: BTreeMap<&[u8], Sides> = BTreeMap::new();
        let (old, new) = without_common(old, new);
        for record in old {
            names.entry(record.name).or_default().0 = Some(record.version);
        }
        for record in new {
            names.entry(record.name).or_default().1 = Some(record.version);
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
fn without_common<'t>(
    old: &'t TreeObject,
    new: &'t TreeObject,
) -> (Vec<TreeRecord<'t>>, Vec<TreeRecord<'t>>) {
    let (mut gone, mut come) = (Vec::new(), Vec::new());
    let (mut before, mut after) = (0, 0);
    loop {
        let same = equal_records((old, before), (new, after));
        (before, after) = (before + same, after + same);
        let order = match (old.get(before), new.get(after)) {
            (None, None) => return (gone, come),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(left), Some(right)) => left.in_order().cmp(right.in_order()),
        };
        if order.is_le() {
            gone.extend(old.get(before));
            before += 1;
        }
        if order.is_ge() {
            come.extend(new.get(after));
            after += 1;
        }
    }
}
