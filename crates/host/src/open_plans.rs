//! The plans of a commit for work on one feature: what is the same as in `HEAD` is read once, and of other features that
//! are over no more than the work on this one needs.

use super::git::GitPath;
use super::state_repository::{Repository, Selected};
use gatewalk_core::error::Result;
use gatewalk_core::model::id::FeatureId;
use gatewalk_core::model::layout;
use gatewalk_core::model::workspace::{FileSet, Workspace};
use gatewalk_core::object_id::ObjectId;
use std::collections::BTreeSet;
use std::sync::Arc;

/// With more directories changed than this, all are read at once.
const DIRECTORIES_READ_ALONE: usize = 100;

impl Repository {
    /// Returns the plans of `HEAD`, read once.
    pub(crate) fn open_plans(&self) -> Result<Arc<Workspace>> {
        if let Some(known) = self.plans.get() {
            return Ok(known.clone());
        }
        let plans = Arc::new(self.read_open_plans(self.commit)?);
        Ok(self.plans.get_or_init(|| plans).clone())
    }

    /// Returns the plans of a commit, that of one feature whole.
    pub fn plans_around(&self, commit: ObjectId, dir: &str) -> Result<Workspace> {
        let mut plans = self.open_plans_at(commit)?;
        let feature = plans.feature_in(dir);
        if feature.is_some_and(|f| f.plan.status().is_over()) {
            plans.replace_feature(&self.git.files_under(commit, dir)?, dir);
        }
        Ok(plans)
    }

    /// Returns the feature a user means to look at by itself: where its id leaves no doubt, no other feature is read.
    pub fn select_alone(&self, name: Option<&str>) -> Result<Selected> {
        match name.filter(|name| FeatureId::parse(name).is_some()) {
            Some(id) => match self.only_feature_of(id)? {
                Some(selected) => Ok(selected),
                None => self.select_to_read(name),
            },
            None => self.select_to_read(name),
        }
    }

    /// Returns the feature in the one directory of `HEAD` whose name begins with an id.
    fn only_feature_of(&self, id: &str) -> Result<Option<Selected>> {
        let features = self.layout.path(layout::FEATURES);
        let directories = self
            .git
            .entries(self.commit, &GitPath::new(features.as_bytes()))?;
        let is_of = |name: &&str| {
            let rest = name.strip_prefix(id);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        };
        let names = directories.iter().filter_map(|e| e.path.as_str());
        let [name] = names.filter(is_of).collect::<Vec<_>>()[..] else {
            return Ok(None);
        };
        let files = self
            .git
            .files_under(self.commit, &format!("{features}/{name}"))?;
        let mut listed = self.list(Arc::new(Workspace::parse(self.layout, &files)))?;
        let found = listed.pop().filter(|f| f.feature().is_called(id));
        if let Some(selected) = &found {
            self.refuse_unusable(selected)?;
        }
        Ok(found)
    }

    /// Returns the plans of a commit, reading only what differs from `HEAD`.
    pub(crate) fn open_plans_at(&self, commit: ObjectId) -> Result<Workspace> {
        let head = self.open_plans()?;
        let state = GitPath::new(self.layout.dir().as_bytes());
        let same = commit == self.commit
            || self.git.subtree(commit, &state)? == self.git.subtree(self.commit, &state)?;
        if same {
            return Ok((*head).clone());
        }
        let features = format!("{}/", self.layout.path(layout::FEATURES));
        let inside = format!("{}/", self.layout.dir());
        let (mut directories, mut outside) = (BTreeSet::new(), None);
        for change in self.git.diff(self.commit, commit)? {
            let Some(path) = change.path.as_str().filter(|p| p.starts_with(&inside)) else {
                continue;
            };
            match path.strip_prefix(&features).and_then(|p| p.split_once('/')) {
                Some((directory, _)) => drop(directories.insert(format!("{features}{directory}"))),
                None => outside = Some(path.to_owned()),
            }
        }
        if directories.len() > DIRECTORIES_READ_ALONE {
            return self.read_open_plans(commit);
        }
        let mut plans = (*head).clone();
        if let Some(path) = outside {
            plans.replace_file(&self.files_of_no_feature(commit)?, &path);
        }
        for dir in directories {
            plans.replace_feature(&self.git.files_under(commit, &dir)?, &dir);
        }
        Ok(plans)
    }

    /// Returns the files of the state directory that belong to no feature.
    pub(crate) fn files_of_no_feature(&self, commit: ObjectId) -> Result<FileSet> {
        let features = self.layout.path(layout::FEATURES);
        let state = self.layout.dir();
        self.git.files_except(commit, state, &[&features])
    }

    fn read_open_plans(&self, commit: ObjectId) -> Result<Workspace> {
        self.on_disk();
        let files = self.git.files_under(commit, self.layout.dir())?;
        Ok(Workspace::parse_open(self.layout, &files))
    }
}
