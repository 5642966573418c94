//! Small objects that were read or written, by id: what has an id never changes, and the plan is read again at every tip.

use super::Git;
use super::checkout_objects::id_of;
use super::object_reader::Object;
use super::read::READ_LIMIT;
use super::tree_object::TreeObject;
use gatewalk_core::error::Result;
use gatewalk_core::object_id::{ObjectFormat, ObjectId};
use gatewalk_core::parallel::locked;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, OnceLock};

/// The largest file that is kept beside others, in bytes: plan files are below, a log that grows with every unit is not.
pub(super) const LARGEST: usize = 64 * 1024;
/// The largest directory that is kept, in bytes: that of thousands of features, which is read again at every landing.
const LARGEST_TREE: usize = 1024 * 1024;
/// Bytes kept in all; beyond half of it what was not used since then goes.
const ALL: usize = 16 * 1024 * 1024;

/// How many larger files are kept.
const MOST_LARGE: usize = 2;

/// Trees of commits that are known; every landing adds one.
const MOST_TREES: usize = 4096;

/// The content of a file, shared with what is kept.
pub(crate) type BlobContent = Arc<[u8]>;

/// An object's kind and content.
#[derive(Debug, Clone)]
pub(super) struct CachedObject {
    pub(super) kind: Arc<str>,
    pub(super) content: Arc<[u8]>,
    /// Of a tree: what it is read as, if that was asked and it is well formed. It is asked at every landing.
    tree: Option<Arc<OnceLock<Option<TreeObject>>>>,
}

impl From<&TreeObject> for CachedObject {
    fn from(tree: &TreeObject) -> CachedObject {
        CachedObject {
            kind: "tree".into(),
            content: tree.raw().clone(),
            tree: Some(Arc::new(Some(tree.clone()).into())),
        }
    }
}

impl CachedObject {
    pub(super) fn new(kind: impl Into<Arc<str>>, content: impl Into<Arc<[u8]>>) -> CachedObject {
        let kind = kind.into();
        CachedObject {
            tree: (*kind == *"tree").then(Arc::default),
            content: content.into(),
            kind,
        }
    }

    /// Returns the object as a tree, if it is a well-formed one.
    pub(super) fn tree(&self, format: ObjectFormat) -> Option<TreeObject> {
        let parse = || TreeObject::parse(self.content.clone(), format);
        self.tree.as_ref()?.get_or_init(parse).clone()
    }
}

/// Objects and trees of commits that were read before.
#[derive(Debug, Default)]
pub(super) struct Cache {
    /// Read or used lately, and how many bytes that is.
    kept: HashMap<ObjectId, CachedObject>,
    bytes: usize,
    /// Not used since the last time there were too many.
    older: HashMap<ObjectId, CachedObject>,
    /// The newest of the larger files: an event log, which the slots and the next observation want after each landing, and
    /// the one that the slots still have.
    newest_large: VecDeque<(ObjectId, CachedObject)>,
    /// The trees of commits.
    trees: HashMap<ObjectId, ObjectId>,
}

impl Cache {
    fn keep(&mut self, oid: ObjectId, object: &CachedObject) {
        let largest = match &*object.kind {
            "tree" => LARGEST_TREE,
            _ => LARGEST,
        };
        if object.content.len() > largest {
            if *object.kind == *"blob" {
                self.newest_large.retain(|(known, _)| *known != oid);
                self.newest_large.truncate(MOST_LARGE - 1);
                self.newest_large.push_front((oid, object.clone()));
            }
            return;
        }
        if self.bytes + object.content.len() > ALL / 2 {
            self.older = std::mem::take(&mut self.kept);
            self.bytes = 0;
        }
        if self.kept.insert(oid, object.clone()).is_none() {
            self.bytes += object.content.len();
        }
    }

    /// Returns the tree of a commit that is known, or a tree's own id.
    fn tree_of(&mut self, treeish: ObjectId) -> Option<ObjectId> {
        let noted = self.trees.get(&treeish).copied();
        let is_tree = |object: &CachedObject| *object.kind == *"tree";
        noted.or_else(|| self.get(&treeish).filter(is_tree).map(|_| treeish))
    }

    fn get(&mut self, oid: &ObjectId) -> Option<CachedObject> {
        if let Some(kept) = self.kept.get(oid) {
            return Some(kept.clone());
        }
        let large = self.newest_large.iter().find(|(large, _)| large == oid);
        if let Some((_, object)) = large {
            return Some(object.clone());
        }
        let kept = self.older.remove(oid)?;
        self.keep(*oid, &kept);
        Some(kept)
    }
}

impl Git {
    /// Returns the tree of a commit or tag, or a tree's own id.
    pub fn tree_of(&self, treeish: ObjectId) -> Result<ObjectId> {
        if let Some(tree) = locked(&self.shared.known.cache).tree_of(treeish) {
            return Ok(tree);
        }
        let found = self.object_info(&[format!("{treeish}^{{tree}}")])?;
        let found = found.into_iter().flatten().next();
        let tree = found.ok_or_else(|| self.missing(treeish))?.oid;
        self.note_tree(treeish, tree);
        Ok(tree)
    }

    /// Notes the tree of a commit or tag that exists.
    pub(super) fn note_tree(&self, treeish: ObjectId, tree: ObjectId) {
        let mut cache = locked(&self.shared.known.cache);
        if cache.trees.len() >= MOST_TREES {
            cache.trees.clear();
        }
        cache.trees.insert(treeish, tree);
    }

    /// Returns the content of blobs, in the order asked; `None` for one larger than `limit` bytes.
    pub fn read_blobs(&self, oids: &[ObjectId], limit: u64) -> Result<Vec<Option<Vec<u8>>>> {
        let read = self.read_shared(oids, limit)?.into_iter();
        Ok(read.map(|content| Some(content?.to_vec())).collect())
    }

    /// Returns the same, shared with what is kept.
    pub(crate) fn read_shared(
        &self,
        oids: &[ObjectId],
        limit: u64,
    ) -> Result<Vec<Option<BlobContent>>> {
        let kept: Vec<Option<CachedObject>> = {
            let mut cache = locked(&self.shared.known.cache);
            oids.iter().map(|oid| cache.get(oid)).collect()
        };
        let wanted = oids.iter().zip(&kept).filter(|(_, kept)| kept.is_none());
        let names: Vec<String> = wanted.map(|(oid, _)| oid.hex()).collect();
        let mut read = self.read_objects(&names, limit)?.into_iter();
        let content = |(oid, kept): (&ObjectId, Option<CachedObject>)| match kept {
            Some(kept) => {
                let content = kept.content;
                Ok((content.len() as u64 <= limit).then_some(content))
            }
            None => Ok(read
                .next()
                .flatten()
                .ok_or_else(|| self.missing(*oid))?
                .content
                .map(Arc::from)),
        };
        oids.iter().zip(kept).map(content).collect()
    }

    /// Returns whether an object is at hand: then it was not too large to be read.
    pub(super) fn is_kept(&self, oid: &ObjectId) -> bool {
        let mut cache = locked(&self.shared.known.cache);
        cache
            .get(oid)
            .is_some_and(|object| object.content.len() as u64 <= READ_LIMIT)
    }

    /// Returns whether some content is that of a blob. One that is at hand is compared: that is quicker than to hash.
    pub(super) fn is_content_of(&self, oid: ObjectId, content: &[u8]) -> bool {
        let kept = locked(&self.shared.known.cache).get(&oid);
        match kept {
            Some(kept) => *kept.kind == *"blob" && *kept.content == *content,
            None => id_of("blob", content, self.object_format()) == oid,
        }
    }

    /// Keeps an object that was written: it is read again soon.
    pub(super) fn keep_written(&self, oid: ObjectId, object: &CachedObject) {
        locked(&self.shared.known.cache).keep(oid, object);
    }

    /// Keeps objects that were not read through git, as far as there is room.
    pub(super) fn keep(&self, objects: impl Iterator<Item = (ObjectId, CachedObject)>) {
        let mut cache = locked(&self.shared.known.cache);
        for (oid, object) in objects {
            if cache.bytes + object.content.len() > ALL / 2 {
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
            let mut cache = locked(&self.shared.known.cache);
            for oid in oids {
                match cache.get(oid) {
                    Some(kept) => drop(found.insert(*oid, kept)),
                    None => wanted.push(*oid),
                }
            }
        }
        let mut large: HashMap<ObjectId, String> = HashMap::new();
        let names: Vec<String> = wanted.iter().map(ObjectId::hex).collect();
        let read = self.read_objects(&names, READ_LIMIT)?;
        let mut cache = locked(&self.shared.known.cache);
        for (oid, object) in wanted.into_iter().zip(read) {
            let Some(Object { kind, content, .. }) = object else {
                continue;
            };
            match content {
                Some(content) => {
                    let object = CachedObject::new(kind, content);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn oid(number: usize) -> ObjectId {
        ObjectId::parse(format!("{number:040x}").as_bytes()).unwrap()
    }

    #[test]
    fn what_is_used_stays_while_others_come_and_go() {
        let mut cache = Cache::default();
        let object = |kind: &str, size: usize| CachedObject::new(kind, vec![0; size]);
        cache.keep(oid(0), &object("blob", 10));
        for number in 1..1000 {
            cache.keep(oid(number), &object("blob", LARGEST));
            assert!(cache.get(&oid(0)).is_some(), "after {number}");
            let bytes = |map: &HashMap<ObjectId, CachedObject>| -> usize {
                map.values().map(|o| o.content.len()).sum()
            };
            assert!(bytes(&cache.kept) + bytes(&cache.older) <= ALL);
        }
        assert!(cache.get(&oid(999)).is_some() && cache.get(&oid(1)).is_none());
        cache.keep(oid(2000), &object("tree", 300 * 1024));
        cache.keep(oid(2001), &object("blob", 300 * 1024));
        assert!(cache.get(&oid(2000)).is_some() && cache.get(&oid(2001)).is_some());
        cache.keep(oid(2002), &object("blob", 300 * 1024));
        cache.keep(oid(2002), &object("blob", 300 * 1024));
        assert!(cache.get(&oid(2002)).is_some() && cache.get(&oid(2001)).is_some());
        cache.keep(oid(2003), &object("blob", 300 * 1024));
        assert!(cache.get(&oid(2003)).is_some() && cache.get(&oid(2002)).is_some());
        assert!(cache.get(&oid(2001)).is_none());
    }
}
