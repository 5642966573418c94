//! Small objects that were read, by id: what has an id never changes, and the plan is read again at every tip.

use super::Git;
use super::object_reader::Object;
use super::read::{READ_LIMIT, missing};
use gatewalk_core::error::Result;
use gatewalk_core::object_id::ObjectId;
use std::collections::HashMap;
use std::sync::{Arc, PoisonError};

/// The largest object that is kept, in bytes: plan files and directories are below, a log that grows with every unit is not.
pub(super) const LARGEST: usize = 64 * 1024;
/// Bytes kept in all; beyond it everything is dropped and the cache fills again.
const ALL: usize = 8 * 1024 * 1024;

/// Trees of commits that are known; every landing adds one.
const MOST_TREES: usize = 4096;

/// An object's kind and content.
pub(super) type CachedObject = (Arc<str>, Arc<[u8]>);

/// Objects and trees of commits that were read before.
#[derive(Debug, Default)]
pub(super) struct Cache {
    kept: HashMap<ObjectId, CachedObject>,
    bytes: usize,
    /// The trees of commits.
    trees: HashMap<ObjectId, ObjectId>,
}

impl Cache {
    fn keep(&mut self, oid: ObjectId, object: &CachedObject) {
        if object.1.len() > LARGEST {
            return;
        }
        if self.bytes + object.1.len() > ALL {
            *self = Cache::default();
        }
        if self.kept.insert(oid, object.clone()).is_none() {
            self.bytes += object.1.len();
        }
    }
}

impl Git {
    /// Returns the tree of a commit or tag, or a tree's own id.
    pub fn tree_of(&self, treeish: ObjectId) -> Result<ObjectId> {
        let cache = || {
            let shared = &self.shared.cache;
            shared.lock().unwrap_or_else(PoisonError::into_inner)
        };
        if let Some(tree) = cache().trees.get(&treeish) {
            return Ok(*tree);
        }
        let found = self.object_info(&[format!("{treeish}^{{tree}}")])?;
        let found = found.into_iter().flatten().next();
        let tree = found.ok_or_else(|| missing(treeish))?.oid;
        let mut cache = cache();
        if cache.trees.len() >= MOST_TREES {
            cache.trees.clear();
        }
        cache.trees.insert(treeish, tree);
        Ok(tree)
    }

    /// Keeps objects that were not read through git, as far as there is room.
    pub(super) fn keep(&self, objects: impl Iterator<Item = (ObjectId, CachedObject)>) {
        let shared = &self.shared.cache;
        let mut cache = shared.lock().unwrap_or_else(PoisonError::into_inner);
        for (oid, object) in objects {
            if cache.bytes + object.1.len() > ALL {
                return;
            }
            cache.keep(oid, &object);
        }
    }

    /// Reads objects of at most [`READ_LIMIT`] bytes, in the order asked: `Err(kind)` for larger ones, `None` for missing ones.
    pub(super) fn read_kept(
        &self,
        oids: &[ObjectId],
    ) -> Result<Vec<Option<std::result::Result<CachedObject, String>>>> {
        let mut found: HashMap<ObjectId, CachedObject> = HashMap::new();
        let mut wanted: Vec<ObjectId> = Vec::new();
        {
            let cache = self
                .shared
                .cache
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            for oid in oids {
                match cache.kept.get(oid) {
                    Some(kept) => drop(found.insert(*oid, kept.clone())),
                    None => wanted.push(*oid),
                }
            }
        }
        let mut large: HashMap<ObjectId, String> = HashMap::new();
        let names: Vec<String> = wanted.iter().map(ObjectId::hex).collect();
        let read = self.read_objects(&names, READ_LIMIT)?;
        let mut cache = self
            .shared
            .cache
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        for (oid, object) in wanted.into_iter().zip(read) {
            let Some(Object { kind, content, .. }) = object else {
                continue;
            };
            match content {
                Some(content) => {
                    let object: CachedObject = (kind.into(), content.into());
                    cache.keep(oid, &object);
                    found.insert(oid, object);
                }
                None => drop(large.insert(oid, kind)),
            }
        }
        drop(cache);
        let answer = |oid: &ObjectId| match found.get(oid) {
            Some(kept) => Some(Ok(kept.clone())),
            None => large.get(oid).map(|kind| Err(kind.clone())),
        };
        Ok(oids.iter().map(answer).collect())
    }
}
