//! Finding the repository, its state directory and the feature a person means.

use super::git::{Adopted, Git, GitPath, Head, Oid as GitOid, Operation, TreeEdit};
use super::git::{Landed, Landing, MODE_EXECUTABLE, MODE_FILE, Stamp};
use crate::error::{Error, Result};
use crate::model::feature::Feature;
use crate::model::layout::{self, Layout};
use crate::model::status::FeatureStatus;
use crate::model::workspace::Workspace;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// A repository with a state directory.
#[derive(Debug)]
pub struct Repository {
    /// Git, ready for every later call.
    pub git: Git,
    /// Where `HEAD` points.
    pub head: Head,
    /// The commit `HEAD` is at.
    pub commit: GitOid,
    /// Which state directory.
    pub layout: Layout,
    /// The id of the state directory as it lies in the checkout, once it was read.
    on_disk: OnceLock<Option<GitOid>>,
}

/// A feature that a command works on.
#[derive(Debug)]
pub struct Selected {
    /// The folder, relative to the repository root.
    pub dir: String,
    /// Its branch, without `refs/heads/`.
    pub branch: String,
    /// The commit whose plan is in effect: the branch's tip, or where the branch would start.
    pub commit: GitOid,
    /// Whether the branch exists.
    pub exists: bool,
    /// The state directory at that commit. Of a feature that was only listed, the other features may be those of another
    /// commit, or absent.
    pub workspace: Arc<Workspace>,
}

impl Selected {
    /// Returns the feature.
    pub fn feature(&self) -> &Feature {
        let found = self.workspace.features.iter().find(|f| *f.dir == *self.dir);
        found.expect("selected from this workspace")
    }
}

/// The most local branches that are looked at for a feature that `HEAD` does not have.
const BRANCHES_LOOKED_AT: usize = 200;

/// Returns the branch's full ref name.
pub fn full(branch: &str) -> String {
    format!("refs/heads/{branch}")
}

impl Repository {
    /// Finds the repository around a folder.
    pub fn open(cwd: &Path) -> Result<Repository> {
        let git = Git::discover(cwd)?;
        let head = git.head()?;
        let Some(commit) = head.commit else {
            if let Some(branch) = &head.branch
                && git.common_dir().join(branch).is_file()
            {
                // Git answers for a ref whose commit is missing as for none at all.
                return Err(Error::integrity(format!(
                    "`{branch}` names a commit that is not there: the repository is damaged"
                ))
                .hint("`git fsck` says what is missing; a clone or a backup may have it")
                .hint("nothing was started and nothing was touched"));
            }
            return Err(Error::environment("the repository has no commit yet")
                .hint("commit what is there first: `git add -A && git commit -m start`"));
        };
        let on_disk = |l: &Layout| git.work_tree().join(l.dir()).is_dir();
        let in_commit = |l: &Layout| {
            let path = GitPath::new(l.dir().as_bytes());
            git.subtree(commit, &path).is_ok_and(|t| t.is_some())
        };
        let found = Layout::ALL
            .into_iter()
            .find(on_disk)
            .or_else(|| Layout::ALL.into_iter().find(in_commit));
        let Some(layout) = found else {
            return Err(Error::plan(format!(
                "there is no `.gatewalk/` in `{}`",
                git.work_tree().display()
            ))
            .hint("`gatewalk init` writes one"));
        };
        Ok(Repository {
            git,
            head,
            commit,
            layout,
            on_disk: OnceLock::new(),
        })
    }

    /// Returns the id of the state directory as it lies in the checkout, `None` where it cannot be told; what is read
    /// for it need not be asked of git.
    fn on_disk(&self) -> Option<GitOid> {
        *self
            .on_disk
            .get_or_init(|| self.git.take_from_disk(self.layout.dir()))
    }

    /// Returns the plans of a commit.
    pub fn workspace_at(&self, commit: GitOid) -> Result<Workspace> {
        self.on_disk();
        let files = self.git.files_under(commit, self.layout.dir())?;
        Ok(Workspace::parse(self.layout, &files))
    }

    /// Returns every feature, each as its own branch has it, else as `HEAD` has it.
    pub fn features(&self) -> Result<Vec<Selected>> {
        let workspace = Arc::new(self.workspace_at(self.commit)?);
        let branch_of = |f: &Feature| f.plan.branch().unwrap_or_default().to_owned();
        let names: Vec<String> = workspace
            .features
            .iter()
            .map(|f| full(f.plan.branch().unwrap_or("?")))
            .collect();
        let tips = self.git.ref_values(&names)?;
        let mut all = Vec::new();
        for (index, feature) in workspace.features.iter().enumerate() {
            let tip = tips.get(index).copied().flatten();
            let own = match tip {
                Some(tip) if tip != self.commit => self.on_branch(tip, &feature.dir, &workspace)?,
                _ => None,
            };
            let (commit, workspace) = own.unwrap_or_else(|| (self.commit, workspace.clone()));
            all.push(Selected {
                dir: feature.dir.to_string(),
                branch: branch_of(feature),
                commit,
                exists: tip.is_some(),
                workspace,
            });
        }
        Ok(all)
    }

    /// Returns a feature's plan at a commit that has its folder. There may be as many branches as features, so nothing is
    /// read twice that is the same in `head`, and no other feature is.
    fn on_branch(
        &self,
        tip: GitOid,
        dir: &str,
        head: &Arc<Workspace>,
    ) -> Result<Option<(GitOid, Arc<Workspace>)>> {
        let state = GitPath::new(self.layout.dir().as_bytes());
        let at_tip = self.git.subtree(tip, &state)?;
        if at_tip == self.git.subtree(self.commit, &state)? {
            return Ok(Some((tip, head.clone())));
        }
        let mut files = self.git.files_under(tip, self.layout.dir())?;
        let features = format!("{}/", self.layout.path(layout::FEATURES));
        let own = format!("{dir}/");
        files.retain(|path, _| !path.starts_with(&features) || path.starts_with(&own));
        let workspace = Workspace::parse(self.layout, &files);
        let has = workspace.features.iter().any(|f| *f.dir == *dir);
        Ok(has.then(|| (tip, Arc::new(workspace))))
    }

    /// Returns features that only their own branches have: `HEAD` is elsewhere.
    fn features_on_other_branches(&self, known: &[Selected]) -> Result<Vec<Selected>> {
        let folder = GitPath::new(self.layout.path(layout::FEATURES).into_bytes());
        let mut found: Vec<Selected> = Vec::new();
        for branch in self
            .git
            .list_pins("refs/heads")?
            .into_iter()
            .take(BRANCHES_LOOKED_AT)
        {
            let name = branch.name.trim_start_matches("refs/heads/");
            if self.git.subtree(branch.commit, &folder)?.is_none() {
                continue;
            }
            let workspace = Arc::new(self.workspace_at(branch.commit)?);
            for feature in workspace
                .features
                .iter()
                .filter(|f| f.plan.branch() == Some(name))
            {
                if known.iter().chain(&found).any(|k| *k.dir == *feature.dir) {
                    continue;
                }
                found.push(Selected {
                    dir: feature.dir.to_string(),
                    branch: name.to_owned(),
                    commit: branch.commit,
                    exists: true,
                    workspace: workspace.clone(),
                });
            }
        }
        Ok(found)
    }

    /// Returns the feature a person means to look at; without a name and an active one, the one whose branch is
    /// checked out, else the only one.
    pub fn select_to_read(&self, name: Option<&str>) -> Result<Selected> {
        let refusal = match self.select(name) {
            Err(refusal) if name.is_none() => refusal,
            found => return found,
        };
        let mut all = self.features()?;
        let live = |f: &Selected| f.feature().plan.status() == FeatureStatus::Active;
        let here = self.head.branch.as_deref();
        match all
            .iter()
            .position(|f| Some(full(&f.branch).as_str()) == here)
        {
            _ if all.iter().any(live) => Err(refusal),
            Some(at) => self.whole(all.swap_remove(at)),
            None if all.len() == 1 => self.whole(all.swap_remove(0)),
            None => Err(refusal),
        }
    }

    /// Returns a listed feature with all of the state directory at its commit.
    fn whole(&self, listed: Selected) -> Result<Selected> {
        if listed.commit == self.commit {
            return Ok(listed);
        }
        let workspace = Arc::new(self.workspace_at(listed.commit)?);
        Ok(Selected {
            workspace,
            ..listed
        })
    }

    /// Returns the feature a person means; without a name the one that is active.
    pub fn select(&self, name: Option<&str>) -> Result<Selected> {
        let mut features = self.features()?;
        let mut matching = matching(&features, name);
        if matching.is_empty() {
            let others = self.features_on_other_branches(&features)?;
            features.extend(others);
            matching = self::matching(&features, name);
        }
        match matching[..] {
            [one] => {
                let selected = features.swap_remove(one);
                self.check_branch(&selected)?;
                self.whole(selected)
            }
            [] => Err(self.none_found(name, &features)),
            _ => {
                let list = matching
                    .iter()
                    .map(|i| features[*i].feature().name())
                    .collect::<Vec<_>>();
                Err(
                    Error::plan(format!("several features match: {}", list.join(", ")))
                        .hint("say which with `--feature ID`"),
                )
            }
        }
    }

    /// Returns a feature whose plan is only in the work tree, as it would be once committed.
    pub fn select_uncommitted(&self, name: Option<&str>) -> Result<Selected> {
        let folders = self.uncommitted_features();
        let dir = match (&folders[..], name) {
            ([one], None) => one.clone(),
            (_, Some(name)) => {
                let meant = |dir: &&String| {
                    let folder = dir.rsplit('/').next().unwrap_or(dir);
                    **dir == name.trim_end_matches('/')
                        || folder == name
                        || folder.starts_with(&format!("{name}-"))
                };
                folders
                    .iter()
                    .find(meant)
                    .cloned()
                    .ok_or_else(|| self.none_found(Some(name), &[]))?
            }
            _ => return Err(self.none_found(None, &[])),
        };
        let files = super::tree::read_state_dir(self.git.work_tree(), self.layout)?;
        let workspace = Workspace::parse(self.layout, &files);
        let feature = workspace.features.iter().find(|f| *f.dir == *dir);
        let branch = feature
            .and_then(|f| f.plan.branch())
            .unwrap_or_default()
            .to_owned();
        let tip = self.git.resolve(&full(&branch))?;
        let commit = tip.unwrap_or(self.commit);
        let selected = Selected {
            dir,
            branch,
            commit,
            exists: tip.is_some(),
            workspace: Arc::new(workspace),
        };
        self.check_branch(&selected)?;
        Ok(selected)
    }

    fn check_branch(&self, selected: &Selected) -> Result<()> {
        let plan = format!("{}/{}", selected.dir, layout::PLAN);
        if selected.branch.is_empty() {
            return Err(Error::plan(format!("`{plan}` names no branch")));
        }
        if !self.git.is_branch_name(&selected.branch)? {
            let name = crate::engine::evidence::sanitize(&selected.branch);
            return Err(Error::plan(format!(
                "`{name}` in `{plan}` cannot be the name of a branch"
            )));
        }
        Ok(())
    }

    fn none_found(&self, name: Option<&str>, features: &[Selected]) -> Error {
        let listed: Vec<String> = features
            .iter()
            .map(|f| format!("{} ({})", f.feature().name(), f.feature().plan.status()))
            .collect();
        let mut error = match name {
            Some(name) => Error::plan(format!("there is no feature `{name}` in the commits")),
            None => Error::plan("no feature is active"),
        };
        for folder in self.uncommitted_features() {
            if name.is_none_or(|n| folder.contains(n)) {
                error = error.hint(format!(
                    "`{folder}` is not committed; `--commit-plan` commits it, or: git add {folder} && git commit"
                ));
            }
        }
        if listed.is_empty() {
            return error.hint("`gatewalk new feature \"TITLE\"` writes one");
        }
        error
            .hint(format!("features: {}", listed.join(", ")))
            .hint("say which with `--feature ID`")
    }

    /// Returns feature folders that `HEAD` does not have.
    pub fn uncommitted_features(&self) -> Vec<String> {
        let path = self.layout.path(layout::FEATURES);
        let Ok(entries) = std::fs::read_dir(self.git.work_tree().join(&path)) else {
            return vec![];
        };
        let committed = self
            .git
            .entries(self.commit, &GitPath::new(path.as_bytes()));
        let Ok(committed) = committed else {
            return vec![];
        };
        let known: BTreeSet<&[u8]> = committed.iter().map(|e| e.path.as_bytes()).collect();
        let mut folders: Vec<String> = entries
            .filter_map(|e| e.ok()?.file_name().into_string().ok())
            .filter(|name| !known.contains(name.as_bytes()))
            .map(|name| format!("{path}/{name}"))
            .filter(|dir| self.git.work_tree().join(dir).join(layout::PLAN).is_file())
            .collect();
        folders.sort();
        folders
    }

    /// Returns the paths of a folder of plans that differ from what is committed, as of when the plans were read.
    pub fn uncommitted(&self, dir: &str) -> Result<Vec<GitPath>> {
        let state = GitPath::new(self.layout.dir().as_bytes());
        let committed = self.git.subtree(self.commit, &state)?;
        if committed.is_some() && committed == self.on_disk() {
            return Ok(Vec::new());
        }
        self.uncommitted_now(dir)
    }

    fn uncommitted_now(&self, dir: &str) -> Result<Vec<GitPath>> {
        let status = self.git.status(&GitPath::new(dir.as_bytes()))?;
        Ok(status.entries.into_iter().map(|e| e.path).collect())
    }

    /// Refuses to move a branch under the operator's unfinished merge, rebase or the like: finishing
    /// it would undo what landed.
    pub fn refuse_operation(&self, branch: &str) -> Result<()> {
        let Some(operation) = self.git.operation() else {
            return Ok(());
        };
        let name = full(branch);
        let rebased = ["rebase-merge/head-name", "rebase-apply/head-name"]
            .into_iter()
            .filter_map(|file| std::fs::read_to_string(self.git.git_dir().join(file)).ok())
            .any(|head| head.trim_end() == name);
        let checked_out =
            operation != Operation::Bisect && self.head.branch.as_deref() == Some(&*name);
        if !rebased && !checked_out {
            return Ok(());
        }
        let command = operation.command();
        Err(Error::environment(format!(
            "a `{command}` is under way on `{branch}`, where the work would land"
        ))
        .hint(format!(
            "finish it with `{command} --continue`, or undo it with `{command} --abort`"
        ))
        .hint("nothing was started and nothing was touched"))
    }

    /// Creates the feature's branch where its plan is, and checks it out when that disturbs nothing.
    ///
    /// Returns why the checkout stays where it is, when it does.
    pub fn enter_branch(&self, selected: &Selected) -> Result<Option<String>> {
        let name = full(&selected.branch);
        self.git.ensure_branch(&name, selected.commit)?;
        Ok(match self.git.adopt(&name)? {
            Adopted::Left(why) => Some(why),
            Adopted::Already | Adopted::Switched(_) => None,
        })
    }

    /// Commits the operator's edits of a feature's folder and of the shared plan files to a branch.
    ///
    /// Returns the new tip, or nothing when there was nothing to commit.
    pub fn commit_plan(
        &self,
        branch: &str,
        tip: GitOid,
        dir: &str,
        when: Stamp,
    ) -> Result<Option<GitOid>> {
        let state = self.layout.dir();
        let features = format!("{}/", self.layout.path(layout::FEATURES));
        let own = format!("{dir}/");
        let paths: Vec<GitPath> = self
            .uncommitted_now(state)?
            .into_iter()
            .filter(|p| {
                let text = p.to_text();
                !text.starts_with(&features) || text.starts_with(&own)
            })
            .collect();
        if paths.is_empty() {
            return Ok(None);
        }
        let edits = paths
            .iter()
            .map(|path| self.edit_of(path))
            .collect::<Result<Vec<_>>>()?;
        let tree = self.git.edit_tree(tip, &edits)?;
        let name = dir.rsplit('/').next().unwrap_or(dir);
        let message = format!("Commit the plan of {name}\n");
        match self.git.land(&Landing {
            branch: &full(branch),
            tip,
            tree,
            message: &message,
            when,
        })? {
            Landed::Done { commit, .. } => Ok(Some(commit)),
            Landed::Moved { .. } => Err(Error::integrity(format!(
                "`{branch}` moved while its plan was being committed"
            ))
            .hint("run it again")),
        }
    }

    fn edit_of(&self, path: &GitPath) -> Result<TreeEdit> {
        use std::os::unix::fs::PermissionsExt;
        let full: PathBuf = self.git.work_tree().join(path.as_path());
        let content = match std::fs::symlink_metadata(&full) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => None,
            Err(e) => return Err(Error::io("read", &full, &e)),
            Ok(meta) if meta.is_file() => {
                let mode = if meta.permissions().mode() & 0o111 == 0 {
                    MODE_FILE
                } else {
                    MODE_EXECUTABLE
                };
                Some((
                    mode,
                    std::fs::read(&full).map_err(|e| Error::io("read", &full, &e))?,
                ))
            }
            Ok(_) => return Err(Error::plan(format!("`{path}` is not a regular file"))),
        };
        Ok(TreeEdit {
            path: path.clone(),
            content,
        })
    }
}

/// Returns the features that a name means, or without one those that are active.
fn matching(features: &[Selected], name: Option<&str>) -> Vec<usize> {
    let meant = |s: &Selected| match name {
        Some(name) => s
            .workspace
            .find_features(name)
            .iter()
            .any(|f| *f.dir == *s.dir),
        None => s.feature().plan.status() == FeatureStatus::Active,
    };
    (0..features.len())
        .filter(|i| meant(&features[*i]))
        .collect()
}

/// Returns the moment for a commit.
pub fn stamp_now() -> Stamp {
    let now = jiff::Zoned::now();
    Stamp {
        seconds: now.timestamp().as_second(),
        offset_minutes: now.offset().seconds() / 60,
    }
}
