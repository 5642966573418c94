//! Finding the repository, its state directory and the feature a person means.

use super::git::{Adopted, Git, GitPath, Head, Oid as GitOid, Operation, TreeEdit};
use super::git::{Landed, Landing, MODE_EXECUTABLE, MODE_FILE, Stamp};
use crate::error::{Error, Result};
use crate::model::feature::Feature;
use crate::model::layout::{self, Layout};
use crate::model::status::FeatureStatus;
use crate::model::workspace::Workspace;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
    /// The state directory at that commit.
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
        })
    }

    /// Returns the plans of a commit.
    pub fn workspace_at(&self, commit: GitOid) -> Result<Workspace> {
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
        let tips = self.git.object_info(&names)?;
        let mut all = Vec::new();
        for (index, feature) in workspace.features.iter().enumerate() {
            let tip = tips.get(index).cloned().flatten().map(|o| o.oid);
            let own = match tip {
                Some(tip) if tip != self.commit => self.on_branch(tip, &feature.dir)?,
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

    /// Returns a commit's plans when they have a feature's folder.
    fn on_branch(&self, tip: GitOid, dir: &str) -> Result<Option<(GitOid, Arc<Workspace>)>> {
        let own = self.workspace_at(tip)?;
        let has = own.features.iter().any(|f| *f.dir == *dir);
        Ok(has.then(|| (tip, Arc::new(own))))
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
            Some(at) => Ok(all.swap_remove(at)),
            None if all.len() == 1 => Ok(all.swap_remove(0)),
            None => Err(refusal),
        }
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
                Ok(selected)
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
        let features = self
            .git
            .work_tree()
            .join(self.layout.path(layout::FEATURES));
        let Ok(entries) = std::fs::read_dir(&features) else {
            return vec![];
        };
        let mut folders: Vec<String> = entries
            .filter_map(|e| e.ok()?.file_name().into_string().ok())
            .map(|name| format!("{}/{name}", self.layout.path(layout::FEATURES)))
            .filter(|dir| self.git.work_tree().join(dir).join(layout::PLAN).is_file())
            .filter(|dir| {
                let path = GitPath::new(dir.as_bytes());
                self.git
                    .subtree(self.commit, &path)
                    .is_ok_and(|t| t.is_none())
            })
            .collect();
        folders.sort();
        folders
    }

    /// Returns the paths of a folder that differ from what is committed.
    pub fn uncommitted(&self, dir: &str) -> Result<Vec<GitPath>> {
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
            .uncommitted(state)?
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
