//! Finding the feature a user means, in `HEAD`, on its own branch, or on another one.
//!
//! The plan in effect is that of the feature's branch; the checkout's own counts only until it is committed.

use super::git::{GitPath, is_regular};
use super::selected_feature::{SAME_ID, Selected};
use super::state_repository::{Repository, full};
use gatewalk_core::engine::oracle::shell_quote;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::feature::Feature;
use gatewalk_core::model::layout;
use gatewalk_core::model::status_machine::FeatureStatus;
use gatewalk_core::model::workspace::Workspace;
use gatewalk_core::object_id::ObjectId;
use std::sync::Arc;

/// The most local branches that are looked at for a feature that `HEAD` does not have.
const BRANCHES_LOOKED_AT: usize = 200;

impl Repository {
    /// Returns every feature, each as its own branch has it, else as `HEAD` has it.
    pub fn features(&self) -> Result<Vec<Selected>> {
        self.list(Arc::new(self.workspace_at(self.commit)?))
    }

    /// Returns the features of `HEAD`'s plans, each as its own branch has it.
    pub(crate) fn list(&self, workspace: Arc<Workspace>) -> Result<Vec<Selected>> {
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

    /// Returns a feature's plan at a commit that has its directory. There may be as many branches as features, so nothing is
    /// read twice that is the same in `head`, and no other feature is.
    fn on_branch(
        &self,
        tip: ObjectId,
        dir: &str,
        head: &Arc<Workspace>,
    ) -> Result<Option<(ObjectId, Arc<Workspace>)>> {
        let state = GitPath::new(self.layout.dir().as_bytes());
        let at_tip = self.git.subtree(tip, &state)?;
        if at_tip == self.git.subtree(self.commit, &state)? {
            return Ok(Some((tip, head.clone())));
        }
        let mut files = self.files_of_no_feature(tip)?;
        files.extend(self.git.files_under(tip, dir)?);
        let workspace = Workspace::parse(self.layout, &files);
        let has = workspace.features.iter().any(|f| *f.dir == *dir);
        Ok(has.then(|| (tip, Arc::new(workspace))))
    }

    /// Returns features that only their own branches have: `HEAD` is elsewhere.
    fn features_on_other_branches(&self, known: &[Selected]) -> Result<Vec<Selected>> {
        let directory = GitPath::new(self.layout.path(layout::FEATURES).into_bytes());
        let mut found: Vec<Selected> = Vec::new();
        for branch in self
            .git
            .list_pins("refs/heads")?
            .into_iter()
            .take(BRANCHES_LOOKED_AT)
        {
            let name = branch.name.trim_start_matches("refs/heads/");
            if self.git.subtree(branch.commit, &directory)?.is_none() {
                continue;
            }
            let workspace = Arc::new(self.open_plans_at(branch.commit)?);
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

    /// Returns the feature a user means to look at; without a name and an active one, the one whose branch is
    /// checked out, else the only one.
    pub fn select_to_read(&self, name: Option<&str>) -> Result<Selected> {
        let refusal = match self.select(name) {
            Err(refusal) if name.is_none() => refusal,
            found => return found,
        };
        let mut all = self.list(self.open_plans()?)?;
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
        let workspace = Arc::new(self.plans_around(listed.commit, &listed.dir)?);
        Ok(Selected {
            workspace,
            ..listed
        })
    }

    /// Returns the feature a user means; without a name the one that is active.
    pub fn select(&self, name: Option<&str>) -> Result<Selected> {
        let mut features = self.list(self.open_plans()?)?;
        let mut matching = matching(&features, name);
        if matching.is_empty() {
            let others = self.features_on_other_branches(&features)?;
            features.extend(others);
            matching = self::matching(&features, name);
        }
        match matching[..] {
            [one] => {
                let selected = features.swap_remove(one);
                self.refuse_unusable(&selected)?;
                self.whole(selected)
            }
            [] => Err(self.none_found(name, &features)),
            _ => {
                let list = matching
                    .iter()
                    .map(|i| features[*i].feature().name())
                    .collect::<Vec<_>>();
                let error = Error::plan(format!("several features match: {}", list.join(", ")));
                Err(match list.windows(2).any(|two| two[0] == two[1]) {
                    true => error.hint(SAME_ID),
                    false => error.hint("say which with `--feature ID`"),
                })
            }
        }
    }

    /// Returns every active feature with all of the state directory at its commit, in the order of the roadmap's rows;
    /// those without a row come last. A plan with a fault is among them: see [`Repository::refuse_unusable`].
    pub fn active_features(&self) -> Result<Vec<Selected>> {
        let plans = self.open_plans()?;
        let mut features = self.list(plans.clone())?;
        let others = self.features_on_other_branches(&features)?;
        features.extend(others);
        features.retain(|f| f.feature().plan.status() == FeatureStatus::Active);
        let roadmap = plans.roadmap.as_deref().unwrap_or_default();
        let text = String::from_utf8_lossy(roadmap).into_owned();
        let rows = gatewalk_core::model::roadmap::rows(&text);
        let place = |f: &Selected| {
            rows.iter()
                .position(|row| row.feature == f.feature().name())
        };
        features.sort_by_key(|f| place(f).unwrap_or(usize::MAX));
        features.into_iter().map(|f| self.whole(f)).collect()
    }

    /// Refuses a feature that no command can work on.
    pub fn refuse_unusable(&self, selected: &Selected) -> Result<()> {
        self.check_branch(selected)?;
        self.refuse_oversized(selected)
    }

    pub(crate) fn check_branch(&self, selected: &Selected) -> Result<()> {
        let plan = format!("{}/{}", selected.dir, layout::PLAN);
        if selected.branch.is_empty() {
            return Err(
                Error::plan(format!("`{plan}` names no branch")).hint(format!(
                    "`gatewalk lint {}` shows what it lacks",
                    selected.dir
                )),
            );
        }
        if !self.git.is_branch_name(&selected.branch)? {
            let name = gatewalk_core::engine::evidence::sanitize(&selected.branch);
            return Err(Error::plan(format!(
                "`{name}` in `{plan}` cannot be the name of a branch"
            ))
            .hint(format!(
                "`gatewalk lint {}` shows where it is, and what a name may be",
                selected.dir
            ))
            .hint("nothing was started and nothing was touched"));
        }
        self.refuse_name_in_the_way(selected)
    }

    /// Refuses a branch that git cannot make beside another, as `feat/x` beside `feat`: one would be a file where the other
    /// is a directory.
    fn refuse_name_in_the_way(&self, selected: &Selected) -> Result<()> {
        let name = selected.branch.as_str();
        if selected.exists {
            return Ok(());
        }
        let ends = name.match_indices('/').map(|(end, _)| &name[..end]);
        let mut above = None;
        for shorter in ends {
            if self.git.resolve(&full(shorter))?.is_some() {
                above = Some(shorter.to_owned());
            }
        }
        let below = || -> Result<Option<String>> {
            let below = self.git.list_pins(&full(name))?;
            // The branch itself may have been made since the feature was looked at.
            let mut others = below.iter().filter(|r| r.name != full(name));
            let first = others
                .next()
                .and_then(|r| r.name.strip_prefix("refs/heads/"));
            Ok(first.map(str::to_owned))
        };
        let other = match above {
            Some(other) => Some(other),
            None => below()?,
        };
        other.map_or(Ok(()), |other| {
            Err(Error::environment(format!(
                "git cannot make the branch `{name}` while there is one called `{other}`"
            ))
            .hint(format!(
                "name another in `{}/{}`, or rename that one: git branch -m {} NEW-NAME",
                selected.dir,
                layout::PLAN,
                shell_quote(&other)
            ))
            .hint("nothing was started and nothing was touched"))
        })
    }

    /// Refuses a feature with a file too large to be read: it would count as absent, and its next edit would replace it.
    fn refuse_oversized(&self, selected: &Selected) -> Result<()> {
        let at = |path: &str| -> Result<Vec<String>> {
            let entries = self
                .git
                .entries(selected.commit, &GitPath::new(path.as_bytes()))?;
            let regular = entries.iter().filter(|e| is_regular(e.mode));
            let named = regular.filter_map(|e| Some(format!("{path}/{}", e.path.as_str()?)));
            Ok(named.collect())
        };
        let paths = [at(self.layout.dir())?, at(&selected.dir)?].concat();
        match self.git.first_oversized(selected.commit, &paths)? {
            Some(error) => Err(error.hint("nothing was started and nothing was touched")),
            None => Ok(()),
        }
    }
}

/// Returns the features that a name means, or without one those that are active.
pub(crate) fn matching(features: &[Selected], name: Option<&str>) -> Vec<usize> {
    let meant = |s: &Selected| match name {
        Some(name) => s.feature().is_called(name),
        None => s.feature().plan.status() == FeatureStatus::Active,
    };
    (0..features.len())
        .filter(|i| meant(&features[*i]))
        .collect()
}
