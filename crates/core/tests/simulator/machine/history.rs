//! The world's objects and refs, as the driver reads and writes them.

use super::super::invariants;
use super::{Files, Sim, name_of};
use gatewalk_core::driver::ports::{
    CheckoutUpdate, CommitRequest, History, MergeOutcome, Pin, TreeListing, TreeWrite,
};
use gatewalk_core::engine::changed_file::{ChangedPath, ChangedPathKind};
use gatewalk_core::error::Result;
use gatewalk_core::model::layout::Layout;
use gatewalk_core::model::workspace::FileSet;
use gatewalk_core::object_id::ObjectId;
use std::collections::BTreeSet;

fn diff(old: &Files, new: &Files) -> Vec<ChangedPath> {
    let paths: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let change = |path: &String| {
        let (before, after) = (old.get(path), new.get(path));
        let kind = match (before, after) {
            (None, _) => ChangedPathKind::Added,
            (_, None) => ChangedPathKind::Deleted,
            _ if before == after => return None,
            _ => ChangedPathKind::Modified,
        };
        let regular = after.is_some_and(|bytes| !bytes.starts_with(b"link:"));
        Some(ChangedPath {
            path: path.clone(),
            kind,
            regular,
            unstartable: false,
        })
    };
    paths.into_iter().filter_map(change).collect()
}

impl History for Sim<'_> {
    fn state_files(&self, commit: &ObjectId, layout: Layout) -> Result<FileSet> {
        let inside = format!("{}/", layout.dir());
        self.read(|w| {
            let files = w.files(commit)?;
            Ok(files
                .iter()
                .filter(|(p, _)| p.starts_with(&inside))
                .map(|(p, b)| (p.clone(), b.clone()))
                .collect())
        })
    }

    fn file_at(&self, tree: &ObjectId, path: &str) -> Result<Option<Vec<u8>>> {
        self.read(|w| Ok(w.files(tree)?.get(path).map(|bytes| bytes.to_vec())))
    }

    fn paths(&self, tree: &ObjectId) -> Result<Vec<String>> {
        self.read(|w| Ok(w.files(tree)?.keys().cloned().collect()))
    }

    fn list_tree(
        &self,
        tree: &ObjectId,
        choose: &dyn Fn(&[String]) -> Vec<String>,
    ) -> Result<TreeListing> {
        let paths = self.paths(tree)?;
        let chosen = choose(&paths);
        let content = |path: String| {
            let bytes = self.file_at(tree, &path)?.unwrap_or_default();
            Ok((path, bytes))
        };
        let chosen = chosen.into_iter().map(content).collect::<Result<_>>()?;
        Ok(TreeListing { paths, chosen })
    }

    fn tip(&self, branch: &str) -> Result<Option<ObjectId>> {
        self.read(|w| Ok(Some(w.tip_of(branch))))
    }

    fn tree_of(&self, commit: &ObjectId) -> Result<ObjectId> {
        self.read(|w| Ok(w.commits[commit].tree))
    }

    fn tree_key(&self, tree: &ObjectId, without: &str) -> Result<String> {
        let inside = format!("{without}/");
        self.read(|w| {
            let files = w.files(tree)?;
            Ok(name_of(
                'k',
                files
                    .iter()
                    .filter(|(p, _)| !p.starts_with(&inside))
                    .collect::<Vec<_>>(),
            )
            .hex())
        })
    }

    fn diff(&self, old: &ObjectId, new: &ObjectId) -> Result<Vec<ChangedPath>> {
        self.read(|w| Ok(diff(&*w.files(old)?, &*w.files(new)?)))
    }

    fn edit_tree(&self, tree: &ObjectId, edits: &[TreeWrite]) -> Result<ObjectId> {
        self.effect(|w| {
            let mut files = (*w.files(tree)?).clone();
            for (path, content) in edits {
                match content {
                    Some(bytes) => files.insert(path.clone(), bytes.clone()),
                    None => files.remove(path),
                };
            }
            Ok(w.put_tree(files))
        })
    }

    fn merge(&self, base: &ObjectId, ours: &ObjectId, theirs: &ObjectId) -> Result<MergeOutcome> {
        self.effect(|w| {
            let (base, ours, theirs) = (w.files(base)?, w.files(ours)?, w.files(theirs)?);
            let mut merged = (*ours).clone();
            let mut conflicts = Vec::new();
            for change in diff(&base, &theirs) {
                let (was, is) = (base.get(&change.path), ours.get(&change.path));
                let wanted = theirs.get(&change.path);
                if was != is && is != wanted {
                    conflicts.push(change.path);
                    continue;
                }
                match wanted {
                    Some(bytes) => merged.insert(change.path, bytes.clone()),
                    None => merged.remove(&change.path),
                };
            }
            Ok(if conflicts.is_empty() {
                MergeOutcome::Clean(w.put_tree(merged))
            } else {
                MergeOutcome::Conflict(conflicts)
            })
        })
    }

    fn pins(&self) -> Result<Vec<Pin>> {
        self.read(|w| {
            let pins = w
                .refs
                .iter()
                .filter(|(name, _)| name.starts_with("refs/gatewalk/"));
            let pin = |(name, oid): (&String, &ObjectId)| {
                let commit = &w.commits[oid];
                Pin {
                    name: name.clone(),
                    commit: *oid,
                    tree: commit.tree,
                    message: commit.message.clone(),
                }
            };
            Ok(pins.map(pin).collect())
        })
    }

    fn pin(&self, name: &str, pinned: &CommitRequest<'_>) -> Result<()> {
        self.effect(|w| {
            let commit = w.put_commit(&pinned.tree, Some(&pinned.parent), pinned.message);
            w.refs.insert(name.to_owned(), commit);
            Ok(())
        })
    }

    fn unpin(&self, name: &str) -> Result<()> {
        self.effect(|w| {
            w.refs.remove(name);
            Ok(())
        })
    }

    fn land(
        &self,
        branch: &str,
        landing: &CommitRequest<'_>,
    ) -> Result<Option<(ObjectId, CheckoutUpdate)>> {
        let (tree, tip) = (&landing.tree, &landing.parent);
        let commit = self.effect(|w| Ok(w.put_commit(tree, Some(tip), landing.message)))?;
        let moved = self.effect(|w| {
            let name = format!("refs/heads/{branch}");
            let swaps = w.refs.get(&name) == Some(tip);
            if swaps {
                w.refs.insert(name, commit);
                invariants::landed(w, self.scenario, (branch, &commit));
            }
            Ok(swaps)
        })?;
        if !moved {
            return Ok(None);
        }
        self.effect(|w| {
            w.checkout = Some(w.tip());
            Ok(())
        })?;
        Ok(Some((commit, CheckoutUpdate::default())))
    }

    fn finish_checkout_update(&self) -> Result<CheckoutUpdate> {
        self.effect(|w| {
            w.checkout = Some(w.tip());
            Ok(CheckoutUpdate::default())
        })
    }
}
