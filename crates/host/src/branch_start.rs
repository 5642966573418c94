//! Where a feature's branch starts: at the commit that has its plan, or at the `base` that the plan names.

use super::git::{CommitTime, GitPath, NewCommit, TreeEdit, TreeEntry};
use super::state_repository::{Repository, Selected, full, stamp_now};
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::{layout, trunk};
use gatewalk_core::object_id::ObjectId;
use std::collections::BTreeSet;
use std::sync::Arc;

impl Repository {
    /// Returns what to know of a feature whose units land where the repository's work comes together: on a branch that is
    /// called so, that its plan starts from, or that a remote has checked out.
    pub fn trunk_note(&self, selected: &Selected) -> Option<String> {
        let branch = &selected.branch;
        let remote = self.git.remote_trunks().into_iter();
        let mut remote = remote.filter(|trunk| trunk.branch == *branch);
        let why = match remote.next() {
            Some(trunk) => format!(", the default branch of `{}`", trunk.remote),
            None if trunk::is_landed_on(&selected.feature().plan) => String::new(),
            None => return None,
        };
        Some(format!(
            "units land on `{branch}` itself{why}; for a branch of the feature's own, name it as `branch` in `{}/{}`",
            selected.dir,
            layout::PLAN
        ))
    }

    /// Refuses a feature whose branch is to start at a base that is not here.
    pub fn refuse_missing_base(&self, selected: &Selected) -> Result<()> {
        if !selected.exists {
            self.base_of(selected)?;
        }
        Ok(())
    }

    /// Returns the commit of the plan's `base`, where it names one.
    fn base_of(&self, selected: &Selected) -> Result<Option<ObjectId>> {
        let Some(base) = &selected.feature().plan.front.base else {
            return Ok(None);
        };
        let base = base.value.trim();
        for prefix in ["refs/heads/", "refs/remotes/", "refs/tags/"] {
            if let Some(commit) = self.git.resolve(&format!("{prefix}{base}"))? {
                return Ok(Some(commit));
            }
        }
        let name = sanitize(base);
        let mut error = Error::plan(format!(
            "`base: {name}` in `{}/{}` names no branch that is here, so `{}` cannot start there",
            selected.dir,
            layout::PLAN,
            selected.branch
        ));
        let suffix = format!("/{base}");
        for known in self.git.list_pins("refs/remotes")? {
            let remote = known.name.strip_prefix("refs/remotes/");
            if let Some(remote) = remote.and_then(|r| r.strip_suffix(&suffix)) {
                error = error.hint(format!("fetch it: git fetch {remote} {name}:{name}"));
            }
        }
        Err(error
            .hint("make the branch, correct `base`, or take the key out to start where you are")
            .hint("nothing was started and nothing was touched"))
    }

    /// Creates the branch of a selected feature where it starts, and selects its plan there; the checkout stays as it is.
    pub fn create_branch(&self, selected: &mut Selected) -> Result<()> {
        let name = full(&selected.branch);
        if self.git.resolve(&name)?.is_none()
            && let Some(base) = self.base_of(selected)?
        {
            selected.commit = self.with_plan(base, selected, stamp_now())?;
            let workspace = self.plans_around(selected.commit, &selected.dir)?;
            if workspace.features.iter().any(|f| *f.dir == *selected.dir) {
                selected.workspace = Arc::new(workspace);
            }
        }
        self.git.ensure_branch(&name, selected.commit)?;
        selected.exists = true;
        Ok(())
    }

    /// Returns a base with the plan in effect on top of it, in one commit where the base has another or none.
    fn with_plan(&self, base: ObjectId, selected: &Selected, when: CommitTime) -> Result<ObjectId> {
        let edits = self.plan_edits(base, selected)?;
        if edits.is_empty() {
            return Ok(base);
        }
        let tree = self.git.edit_tree(base, &edits)?;
        let name = selected.feature().name();
        let message = format!("Start {name} from its base, with its plan\n");
        self.git.commit_as_configured(NewCommit {
            tree,
            parent: base,
            message: &message,
            when,
        })
    }

    /// Returns what a base lacks of a plan: the feature's directory as it is in effect, and files of the state directory
    /// that the base has none of. What else the base has stays as it is.
    fn plan_edits(&self, base: ObjectId, selected: &Selected) -> Result<Vec<TreeEdit>> {
        let state = GitPath::new(self.layout.dir().as_bytes());
        let wanted = self.git.list_tree(selected.commit, &state)?;
        let there = self.git.list_tree(base, &state)?;
        let features = format!("{}/", self.layout.path(layout::FEATURES));
        let own = format!("{}/", selected.dir);
        let has = |entries: &[TreeEntry], entry: &TreeEntry| entries.contains(entry);
        let known: BTreeSet<&GitPath> = there.iter().map(|e| &e.path).collect();
        let taken: Vec<&TreeEntry> = wanted
            .iter()
            .filter(|e| {
                let path = e.path.to_text();
                match path.starts_with(&own) {
                    true => !has(&there, e),
                    false => !path.starts_with(&features) && !known.contains(&e.path),
                }
            })
            .collect();
        let oids: Vec<ObjectId> = taken.iter().map(|e| e.oid).collect();
        let contents = self.git.read_shared(&oids, u64::MAX)?;
        let gone = there.iter().filter(|e| {
            e.path.to_text().starts_with(&own) && !wanted.iter().any(|w| w.path == e.path)
        });
        let removed = gone.map(|e| TreeEdit {
            path: e.path.clone(),
            content: None,
        });
        let written = taken.iter().zip(contents).map(|(e, content)| TreeEdit {
            path: e.path.clone(),
            content: content.map(|bytes| (e.mode, bytes)),
        });
        Ok(written.chain(removed).collect())
    }
}
