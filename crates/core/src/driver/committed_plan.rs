//! What is read from a commit: the plan in effect, and the pinned attempts.

use super::ports::{History, Pin};
use crate::engine::attempt_record::{AttemptRecord, ChargedAttempts};
use crate::engine::changed_file::{ChangedPath, ChangedPathKind};
use crate::error::{Error, Result};
use crate::model::feature::{Feature, PlannedUnit};
use crate::model::layout::{self, Layout};
use crate::model::unit::Unit;
use crate::model::workspace::{self, FileSet, Workspace};
use crate::object_id::ObjectId;
use crate::path_names::is_below;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The largest file of a state directory that is read, in bytes.
const LARGEST_FILE: usize = 16 * 1024 * 1024;

/// The state directory of one commit.
#[derive(Debug, Clone)]
pub(crate) struct CommittedPlan {
    /// The commit that all of it was read from.
    pub(crate) commit: ObjectId,
    /// The tree of that commit, plan and product.
    pub(crate) tree: ObjectId,
    /// Everything in its state directory.
    pub(crate) workspace: Arc<Workspace>,
    /// The files of no feature and of the one that is walked; absent where the workspace was given.
    files: Option<Arc<FileSet>>,
    /// Index of the feature that is walked.
    feature: usize,
}

impl CommittedPlan {
    /// Reads a commit's state directory and finds a feature's directory in it.
    pub(crate) fn read(
        history: &dyn History,
        commit: &ObjectId,
        layout: Layout,
        feature_dir: &str,
    ) -> Result<CommittedPlan> {
        let mut files = history.state_files(commit, layout)?;
        let whole = Arc::new(Workspace::parse(layout, &files));
        workspace::keep_one_feature(&mut files, layout, feature_dir);
        let plan = CommittedPlan::of(history, commit, whole, feature_dir)?;
        Ok(CommittedPlan {
            files: Some(Arc::new(files)),
            ..plan
        })
    }

    /// Reads a commit's state directory; what is as in this plan is not parsed again.
    pub(crate) fn read_near(
        &self,
        history: &dyn History,
        commit: &ObjectId,
        feature_dir: &str,
    ) -> Result<CommittedPlan> {
        let (workspace, files) = self.with_changes(history, commit, feature_dir)?;
        let plan = CommittedPlan::of(history, commit, workspace, feature_dir)?;
        Ok(CommittedPlan { files, ..plan })
    }

    /// Returns the plan of a commit whose state directory was read already.
    pub(crate) fn of(
        history: &dyn History,
        commit: &ObjectId,
        workspace: Arc<Workspace>,
        feature_dir: &str,
    ) -> Result<CommittedPlan> {
        let feature = workspace
            .features
            .iter()
            .position(|f| &*f.dir == feature_dir);
        let feature = feature.ok_or_else(|| {
            Error::integrity(format!(
                "`{feature_dir}` is not in commit {}",
                commit.short()
            ))
            .hint("merge or cherry-pick the commit that has the plan into the feature's branch")
        })?;
        Ok(CommittedPlan {
            commit: *commit,
            tree: history.tree_of(commit)?,
            workspace,
            files: None,
            feature,
        })
    }

    /// Returns the state directory of a tree that differs little from this commit's.
    pub(super) fn workspace_at(
        &self,
        history: &dyn History,
        tree: &ObjectId,
    ) -> Result<Arc<Workspace>> {
        let (workspace, _) = self.with_changes(history, tree, &self.feature().dir)?;
        Ok(workspace)
    }

    /// Returns the workspace of another commit, and the files that are kept of it, reading and parsing only what differs:
    /// what other features there are costs nothing.
    fn with_changes(
        &self,
        history: &dyn History,
        commit: &ObjectId,
        feature_dir: &str,
    ) -> Result<(Arc<Workspace>, Option<Arc<FileSet>>)> {
        let layout = self.workspace.layout;
        let mut changes = history.diff(&self.tree, commit)?;
        changes.retain(|change| is_below(&change.path, layout.dir()));
        if changes.is_empty() {
            return Ok((self.workspace.clone(), self.files.clone()));
        }
        let features = format!("{}/", layout.path(layout::FEATURES));
        let (own, other): (Vec<_>, Vec<_>) = changes.into_iter().partition(|change| {
            !change.path.starts_with(&features) || is_below(&change.path, feature_dir)
        });
        let files = match &self.files {
            Some(files) => changed_files(history, commit, files, &own)?,
            None => history.plan_files(commit, layout, feature_dir)?,
        };
        let mut workspace = (*self.workspace).clone();
        for change in &own {
            workspace.replace_file(&files, &change.path);
        }
        let mut read: Option<(&str, FileSet)> = None;
        for change in &other {
            let name = change.path[features.len()..].split('/').next();
            let dir = &change.path[..features.len() + name.map_or(0, str::len)];
            if read.as_ref().is_none_or(|(of, _)| *of != dir) {
                read = Some((dir, history.plan_files(commit, layout, dir)?));
            }
            if let Some((_, files)) = &read {
                workspace.replace_file(files, &change.path);
            }
        }
        Ok((Arc::new(workspace), Some(Arc::new(files))))
    }

    /// Returns the same plan for work that is compared with another tree.
    pub(super) fn on_tree(&self, tree: ObjectId) -> CommittedPlan {
        CommittedPlan {
            tree,
            ..self.clone()
        }
    }

    /// Returns the feature that is walked.
    pub(crate) fn feature(&self) -> &Feature {
        &self.workspace.features[self.feature]
    }

    /// Returns the feature that is walked, to be kept.
    pub(super) fn shared_feature(&self) -> Arc<Feature> {
        self.workspace.features[self.feature].clone()
    }

    /// Returns a unit with its file and its place in the graph.
    pub(crate) fn unit(&self, id: &str) -> Result<(PlannedUnit<'_>, &Unit)> {
        let member = self.feature().member(id);
        member.and_then(|m| Some((m, m.unit?))).ok_or_else(|| {
            Error::plan(format!(
                "unit `{id}` has no file in commit {}",
                self.commit.short()
            ))
        })
    }
}

/// Returns files as they are after some changes, reading those of a commit.
fn changed_files(
    history: &dyn History,
    commit: &ObjectId,
    files: &FileSet,
    changes: &[ChangedPath],
) -> Result<FileSet> {
    let mut files = files.clone();
    let there = |c: &&ChangedPath| c.regular && c.kind != ChangedPathKind::Deleted;
    let paths: Vec<String> = changes
        .iter()
        .filter(there)
        .map(|c| c.path.clone())
        .collect();
    for change in changes {
        files.remove(&change.path);
    }
    let contents = history.contents(commit, &paths, LARGEST_FILE)?;
    for (path, content) in paths.into_iter().zip(contents) {
        if let Some(content) = content {
            files.insert(path, content);
        }
    }
    Ok(files)
}

/// The pinned attempts of a repository.
#[derive(Debug, Clone, Default)]
pub struct Attempts {
    /// Charged ones by unit, in order.
    pub charged: Arc<ChargedAttempts>,
    /// What uncharged ones cost, by unit, in US dollars.
    pub(crate) uncharged_cost: BTreeMap<String, f64>,
    /// How many uncharged ones there are, by unit.
    pub uncharged: BTreeMap<String, u32>,
    /// The last one of a unit that was set aside because it did not fit what landed meanwhile.
    pub(crate) collided: BTreeMap<String, AttemptRecord>,
    /// Units of which one failed by what was red on its base already.
    pub(crate) inherited: BTreeSet<String>,
}

impl Attempts {
    /// Reads what is pinned; pins that are no records are left alone.
    pub fn from_pins(pins: &[Pin]) -> Attempts {
        let mut attempts = Attempts::default();
        for pin in pins {
            let Some(record) = AttemptRecord::from_message(&pin.message) else {
                continue;
            };
            if pin.name.starts_with(layout::ATTEMPT_REFS) {
                attempts.charge(record);
            } else if pin.name.starts_with(layout::UNCHARGED_REFS) {
                attempts.add_uncharged(&record);
                // Pruned ones leave their numbers; a number is never given twice.
                let number = pin.name.rsplit('/').next().and_then(|n| n.parse().ok());
                let count = attempts.uncharged.entry(record.unit).or_default();
                *count = (*count).max(number.unwrap_or(0));
            }
        }
        attempts
    }

    /// Returns what confined a feature's last session, where it is known.
    pub fn last_isolation(&self, feature: &crate::model::feature::Feature) -> Option<&str> {
        let of = |m: crate::model::feature::PlannedUnit<'_>| {
            self.charged.get(m.id()).and_then(|a| a.last())
        };
        let last = feature
            .members()
            .filter_map(of)
            .max_by(|a, b| a.started_at.cmp(&b.started_at))?;
        Some(last.isolation.as_str()).filter(|word| !word.is_empty())
    }

    /// Adds a charged attempt, or replaces the one with its number.
    pub(crate) fn charge(&mut self, record: AttemptRecord) {
        let charged = Arc::make_mut(&mut self.charged);
        let of_unit = Arc::make_mut(charged.entry(record.unit.as_str().into()).or_default());
        match of_unit.binary_search_by_key(&record.number, |a| a.number) {
            Ok(at) => of_unit[at] = record,
            Err(at) => of_unit.insert(at, record),
        }
    }

    /// Adds what an uncharged attempt cost.
    pub(crate) fn add_uncharged(&mut self, record: &AttemptRecord) {
        *self.uncharged.entry(record.unit.clone()).or_default() += 1;
        // Of what is uncharged, nothing else but a user's own work was judged and failed.
        let failed = record.judgement.as_ref().is_some_and(|j| !j.passed());
        if failed && !record.by_hand {
            self.inherited.insert(record.unit.clone());
        }
        let newer = |last: &AttemptRecord| last.started_at < record.started_at;
        if record.collision.is_some() && self.collided.get(&record.unit).is_none_or(newer) {
            self.collided.insert(record.unit.clone(), record.clone());
        }
        *self.uncharged_cost.entry(record.unit.clone()).or_default() +=
            record.figures.cost_usd.unwrap_or(0.0);
    }

    /// Takes an attempt out of the charged ones.
    pub(crate) fn discharge(&mut self, unit: &str, number: u32) -> Option<AttemptRecord> {
        let of_unit = Arc::make_mut(Arc::make_mut(&mut self.charged).get_mut(unit)?);
        let at = of_unit.iter().position(|a| a.number == number)?;
        Some(of_unit.remove(at))
    }

    /// Returns one charged attempt.
    pub(crate) fn get(&self, unit: &str, number: u32) -> Option<&AttemptRecord> {
        self.charged.get(unit)?.iter().find(|a| a.number == number)
    }
}

/// Returns the ref that pins a charged attempt.
pub fn attempt_ref(unit: &str, number: u32) -> String {
    format!("{}{unit}/{number}", layout::ATTEMPT_REFS)
}

/// Returns the ref that pins an attempt's work as it was judged on a commit, where that is not what the session left.
pub(crate) fn other_tree_ref(unit: &str, number: u32, base: &ObjectId) -> String {
    format!("{}{unit}/{number}-{}", layout::SUPERSEDED_REFS, base.hex())
}

/// Returns the ref that pins an uncharged attempt.
pub(crate) fn uncharged_ref(unit: &str, number: u32) -> String {
    format!("{}{unit}/{number}", layout::UNCHARGED_REFS)
}

#[cfg(test)]
mod tests;
