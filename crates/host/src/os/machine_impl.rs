//! What the driver asks of the machine, answered by git and the modules beside this one.

use super::{Os, full, oid, read_in_flight, runtime};
use crate::git::{self, GitPath, MODE_EXECUTABLE, MODE_FILE};
use gatewalk_core::driver::machine::{
    AgentEnd, AgentJob, CapturedTree, CheckoutUpdate, InFlight, Machine, MergeOutcome, ObjectId,
    Pin, RestoredFile, SetUp, ShellEnd, ShellJob, TreeListing, TreeWrite,
};
use gatewalk_core::engine::guards::{ChangedPath, ChangedPathKind};
use gatewalk_core::error::Result;
use gatewalk_core::model::layout::{self, Layout};
use gatewalk_core::model::workspace::FileSet;
use std::sync::atomic::Ordering;

/// The largest file whose definitions are looked at.
const SURVEY_LIMIT: u64 = 64 * 1024;

fn change(c: &git::Change) -> ChangedPath {
    let regular = c
        .new
        .is_some_and(|v| v.mode == MODE_FILE || v.mode == MODE_EXECUTABLE);
    let kind = match c.kind() {
        git::ChangeKind::Added => ChangedPathKind::Added,
        git::ChangeKind::Deleted => ChangedPathKind::Deleted,
        git::ChangeKind::Modified | git::ChangeKind::TypeChanged => ChangedPathKind::Modified,
    };
    ChangedPath {
        path: c.path.to_text().into_owned(),
        kind,
        regular,
    }
}

fn followed(f: git::CheckoutUpdateOutcome) -> CheckoutUpdate {
    CheckoutUpdate {
        kept: f.kept.iter().map(GitPath::to_shown).collect(),
        not_followed: f.problem,
    }
}

impl Machine for Os<'_> {
    fn state_files(&self, commit: &ObjectId, layout: Layout) -> Result<FileSet> {
        self.git.files_under(oid(commit)?, layout.dir())
    }

    fn file_at(&self, tree: &ObjectId, path: &str) -> Result<Option<Vec<u8>>> {
        self.git.file_at(oid(tree)?, &GitPath::new(path.as_bytes()))
    }

    fn paths(&self, tree: &ObjectId) -> Result<Vec<String>> {
        let entries = self.git.list_tree(oid(tree)?, &GitPath::new(Vec::new()))?;
        let regular = |mode: u32| mode == MODE_FILE || mode == MODE_EXECUTABLE;
        Ok(entries
            .iter()
            .filter(|e| regular(e.mode))
            .map(|e| e.path.to_text().into_owned())
            .collect())
    }

    fn survey(
        &self,
        tree: &ObjectId,
        choose: &dyn Fn(&[String]) -> Vec<String>,
    ) -> Result<TreeListing> {
        let entries = self.git.list_tree(oid(tree)?, &GitPath::new(Vec::new()))?;
        let regular = entries
            .iter()
            .filter(|e| e.mode == MODE_FILE || e.mode == MODE_EXECUTABLE);
        let (paths, blobs): (Vec<String>, Vec<_>) = regular
            .map(|e| (e.path.to_text().into_owned(), e.oid))
            .unzip();
        let names = choose(&paths);
        // The listing is sorted by bytes, and text that is no UTF-8 cannot be chosen anyway.
        let found: Vec<(String, _)> = names
            .into_iter()
            .filter_map(|n| {
                let at = paths.iter().position(|p| *p == n)?;
                Some((n, blobs[at]))
            })
            .collect();
        let oids: Vec<_> = found.iter().map(|(_, oid)| *oid).collect();
        let contents = self.git.read_blobs(&oids, SURVEY_LIMIT)?;
        let chosen = found
            .into_iter()
            .zip(contents)
            .map(|((name, _), bytes)| (name, bytes.unwrap_or_default()))
            .collect();
        Ok(TreeListing { paths, chosen })
    }

    fn tip(&self, branch: &str) -> Result<Option<ObjectId>> {
        Ok(self.git.ref_value(&full(branch))?.map(|o| o.hex()))
    }

    fn tree_of(&self, commit: &ObjectId) -> Result<ObjectId> {
        Ok(self.git.tree_of(oid(commit)?)?.hex())
    }

    fn tree_key(&self, tree: &ObjectId, without: &str) -> Result<String> {
        self.git.key_without(oid(tree)?, without)
    }

    fn pins(&self) -> Result<Vec<Pin>> {
        let pins = self.git.list_pins(layout::REFS)?;
        Ok(pins
            .into_iter()
            .map(|p| Pin {
                name: p.name,
                commit: p.commit.hex(),
                tree: p.tree.hex(),
                message: p.message,
            })
            .collect())
    }

    fn pin(&self, name: &str, tree: &ObjectId, parent: &ObjectId, message: &str) -> Result<()> {
        let (tree, parent) = (oid(tree)?, oid(parent)?);
        self.own_commits(|own| {
            own.insert(self.git.pin(name, tree, parent, message, self.stamp())?);
            Ok(())
        })
    }

    fn unpin(&self, name: &str) -> Result<()> {
        match self.git.ref_value(name)? {
            Some(value) => self.git.delete_ref(name, value).map(drop),
            None => Ok(()),
        }
    }

    fn diff(&self, old: &ObjectId, new: &ObjectId) -> Result<Vec<ChangedPath>> {
        Ok(self
            .git
            .diff(oid(old)?, oid(new)?)?
            .iter()
            .map(change)
            .collect())
    }

    fn edit_tree(&self, tree: &ObjectId, edits: &[TreeWrite]) -> Result<ObjectId> {
        let edits: Vec<git::TreeEdit> = edits
            .iter()
            .map(|(path, content)| git::TreeEdit {
                path: GitPath::new(path.as_bytes()),
                content: content.clone().map(|bytes| (MODE_FILE, bytes)),
            })
            .collect();
        Ok(self.git.edit_tree(oid(tree)?, &edits)?.hex())
    }

    fn merge(&self, base: &ObjectId, ours: &ObjectId, theirs: &ObjectId) -> Result<MergeOutcome> {
        Ok(
            match self.git.merge_trees(oid(base)?, oid(ours)?, oid(theirs)?)? {
                git::Merged::Clean(tree) => MergeOutcome::Clean(tree.hex()),
                git::Merged::Conflict(paths) => {
                    MergeOutcome::Conflict(paths.iter().map(|p| p.to_text().into_owned()).collect())
                }
            },
        )
    }

    fn land(
        &self,
        branch: &str,
        tip: &ObjectId,
        tree: &ObjectId,
        message: &str,
    ) -> Result<Option<(ObjectId, CheckoutUpdate)>> {
        let landing = git::Landing {
            branch: &full(branch),
            tip: oid(tip)?,
            tree: oid(tree)?,
            message,
            when: self.stamp(),
        };
        self.own_commits(|own| {
            Ok(match self.git.land(&landing)? {
                git::Landed::Done {
                    commit,
                    followed: f,
                } => {
                    own.insert(commit);
                    Some((commit.hex(), followed(f)))
                }
                git::Landed::Moved { .. } => None,
            })
        })
    }

    fn catch_up(&self) -> Result<CheckoutUpdate> {
        Ok(self.git.recover_follow()?.map(followed).unwrap_or_default())
    }

    fn contents(
        &self,
        tree: &ObjectId,
        paths: &[String],
        limit: usize,
    ) -> Result<Vec<Option<Vec<u8>>>> {
        // A path with a newline cannot be asked for in one line; it is rare enough to be asked alone.
        let plain: Vec<&String> = paths.iter().filter(|p| !p.contains(['\n', '\0'])).collect();
        let names: Vec<String> = plain.iter().map(|p| format!("{tree}:{p}")).collect();
        let mut found = self.git.read_objects(&names, limit as u64)?.into_iter();
        paths
            .iter()
            .map(|path| {
                if path.contains(['\n', '\0']) {
                    return self.file_at(tree, path);
                }
                let object = found.next().flatten().filter(|o| o.kind == "blob");
                Ok(object.and_then(|o| o.content))
            })
            .collect()
    }

    fn put_back(
        &self,
        tree: &ObjectId,
        from: &ObjectId,
        paths: &[RestoredFile],
    ) -> Result<ObjectId> {
        let paths: Vec<(GitPath, Option<Vec<u8>>)> = paths
            .iter()
            .map(|(path, text)| {
                (
                    GitPath::new(path.as_bytes()),
                    text.as_ref().map(|t| t.clone().into_bytes()),
                )
            })
            .collect();
        Ok(self.git.put_back(oid(tree)?, oid(from)?, &paths)?.hex())
    }

    fn prepare_slot(
        &self,
        slot: usize,
        commit: &ObjectId,
        tree: &ObjectId,
        branch: &str,
    ) -> Result<()> {
        self.fill_slot(slot, commit, tree, branch)
    }

    fn changed_in_slot(&self, slot: usize) -> Result<Vec<String>> {
        self.look_for_changes(slot)
    }

    fn keep_caches(&self, paths: &[String]) {
        let mut caches = self
            .caches
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        caches.clear();
        caches.extend_from_slice(paths);
    }

    fn capture(&self, slot: usize, base: &ObjectId) -> Result<CapturedTree> {
        self.capture_slot(slot, base)
    }

    fn hook_names(&self) -> Vec<String> {
        self.user_hook_names()
    }

    fn hooks(&self, slot: usize, message: &str) -> Result<Vec<(String, String)>> {
        self.user_hooks(slot, message)
    }

    fn isolation(&self, unsandboxed: bool) -> String {
        match self.is_confined(unsandboxed) {
            true => self.layer().word().to_owned(),
            false => "none".to_owned(),
        }
    }

    fn note_in_flight(&self, note: &InFlight) -> Result<()> {
        runtime::note_in_flight(&self.state(), note)
    }

    fn in_flight(&self) -> Result<Vec<InFlight>> {
        read_in_flight(&self.state())
    }

    fn clear_in_flight(&self, slot: usize) -> Result<()> {
        runtime::clear_in_flight(&self.state(), slot)
    }

    fn run_agent(&self, job: &AgentJob) -> Result<AgentEnd> {
        self.note_holds(job.slot, None);
        self.session(job)
    }

    fn run_shell(&self, job: &ShellJob) -> Result<ShellEnd> {
        self.note_holds(job.slot, None);
        self.shell(job)
    }

    fn set_up(&self, slot: usize, asked: &SetUp<'_>) -> Result<Option<ShellEnd>> {
        let ran = self.prepare_setup(slot, asked)?;
        if ran.is_some() {
            self.note_holds(slot, None);
        }
        Ok(ran)
    }

    fn remembered(&self, key: &str) -> Option<i32> {
        // What nothing confined could write there is not believed once it ran.
        match self.exposed.load(Ordering::Relaxed) {
            true => None,
            false => runtime::remembered(&self.state(), key),
        }
    }

    fn remember(&self, key: &str, exit: i32) {
        runtime::remember(&self.state(), key, exit);
    }

    fn keep(&self, unit: &str, number: u32, name: &str, text: &str) {
        runtime::keep(&self.state(), unit, number, name, text);
    }

    fn now(&self) -> jiff::Timestamp {
        jiff::Timestamp::now()
    }

    fn sleep_until(&self, until: jiff::Timestamp) -> bool {
        // In short sleeps against the wall clock: a suspended machine wakes up on time.
        while jiff::Timestamp::now() < until {
            let left = until.duration_since(jiff::Timestamp::now());
            let nap = left.unsigned_abs().min(std::time::Duration::from_secs(5));
            if self.stop.sleep(nap) {
                return false;
            }
        }
        true
    }

    fn stopping(&self) -> bool {
        self.stop.is_raised()
    }

    fn attempt_id(&self) -> String {
        runtime::attempt_id()
    }
}
