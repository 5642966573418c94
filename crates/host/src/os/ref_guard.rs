//! What became of the repository's refs while something ran that could reach them: branches, tags, and the records of
//! attempts, which the next run trusts.

use super::Os;
use gatewalk_core::engine::evidence::{one_line, sanitize};
use gatewalk_core::engine::guards;
use gatewalk_core::error::{Error, ErrorCause, Result};
use gatewalk_core::model::feature::Feature;
use gatewalk_core::model::layout::{self, Layout};
use gatewalk_core::model::status_machine::{FeatureStatus, GateStatus, UnitStatus};
use gatewalk_core::model::unit::UnitType;
use gatewalk_core::model::workspace::Workspace;
use gatewalk_core::object_id::ObjectId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Most commits on a driven branch that are looked at; more in one session are nobody's work.
const MOST_COMMITS: usize = 200;

/// The refs that no session may change, before one and after it.
pub(super) struct WatchedRefs<'a> {
    pub(super) before: &'a BTreeMap<String, ObjectId>,
    pub(super) now: &'a BTreeMap<String, ObjectId>,
    /// The commits that this run made meanwhile.
    pub(super) own: &'a BTreeSet<ObjectId>,
    /// The features that drivers in other work trees walked meanwhile: their records are theirs.
    pub(super) of_others: &'a BTreeSet<String>,
}

/// One ref that is not where it was.
#[derive(Clone, Copy)]
struct RefChange<'a> {
    name: &'a str,
    old: Option<ObjectId>,
    new: Option<ObjectId>,
}

/// What became of a ref that changed.
enum RefFate {
    /// Another unit's landing, or the user's own commit: merged and verified as such. With it the plan files it changes.
    Work(Vec<String>),
    /// It was added or moved on.
    Moved,
    /// It lost what it held, or says what only the driver says: it is back where it was.
    PutBack,
}

impl WatchedRefs<'_> {
    fn changes(&self) -> impl Iterator<Item = RefChange<'_>> {
        let added = self.now.keys().filter(|n| !self.before.contains_key(*n));
        self.before
            .keys()
            .chain(added)
            .map(|name| RefChange {
                name,
                old: self.before.get(name).copied(),
                new: self.now.get(name).copied(),
            })
            .filter(|change| change.old != change.new)
    }
}

impl Os<'_> {
    /// Puts back what was lost and stops; what was only added or moved on is reported.
    pub(super) fn refs_again(&self, refs: &WatchedRefs<'_>, who: &str) -> Result<Vec<String>> {
        let (mut lost, mut moved, mut plans) = (Vec::new(), Vec::new(), Vec::new());
        for change in refs.changes() {
            match self.settle_ref(&change, refs)? {
                RefFate::Work(edited) => plans.extend(edited),
                RefFate::Moved => moved.push(sanitize(change.name)),
                RefFate::PutBack => lost.push(sanitize(change.name)),
            }
        }
        if lost.is_empty() {
            let what = "branches or tags were added or moved on while the unconfined session ran, by it or by you";
            let reported = (!moved.is_empty()).then(|| format!("{what}: {}", moved.join(", ")));
            let what = "plan files were changed on the driven branch while the unconfined session ran, by it or by you";
            let edited = (!plans.is_empty()).then(|| format!("{what}: {}", plans.join(", ")));
            return Ok(reported.into_iter().chain(edited).collect());
        }
        Err(Error::integrity(format!(
            "refs changed while {who} ran: {}",
            lost.join(", ")
        ))
        .because(ErrorCause::Tampering)
        .hint("what was lost is back where it was; where they pointed meanwhile is under refs/gatewalk/moved/")
        .hint("what the session left is kept; if the change was yours, make it again and run again"))
    }

    /// Decides what a ref's change is, and puts back what may not stay.
    fn settle_ref(&self, change: &RefChange<'_>, refs: &WatchedRefs<'_>) -> Result<RefFate> {
        let RefChange { name, old, new } = *change;
        let own = refs.own;
        if let Some(unit) = name.strip_prefix(layout::ATTEMPT_REFS) {
            if refs.of_others.iter().any(|feature| is_of(unit, feature)) {
                return Ok(RefFate::Work(vec![]));
            }
            // Taking one away only loses what it says.
            let Some(new) = new.filter(|new| !own.contains(new)) else {
                return Ok(RefFate::Work(vec![]));
            };
            self.take_record_away(name, new, old)?;
            return Ok(RefFate::PutBack);
        }
        let is_driven = self.driven_refs().contains(name);
        let forward = match (old, new) {
            (Some(old), Some(new)) => self.git.is_ancestor(old, new).unwrap_or(false),
            _ => false,
        };
        if let (true, Some(old), Some(new)) = (is_driven, old, new) {
            let edited = match forward {
                true => self.only_work(old, new, own)?,
                false => self.rewrites_only_work(old, new)?.then(Vec::new),
            };
            if let Some(edited) = edited {
                return Ok(RefFate::Work(edited));
            }
        }
        let Some(old) = old else {
            return Ok(RefFate::Moved);
        };
        if forward && !is_driven {
            return Ok(RefFate::Moved);
        }
        self.put_ref_back(name, old, new)?;
        Ok(RefFate::PutBack)
    }

    /// Puts a ref back where it was; where it pointed meanwhile stays reachable, and a checkout of it follows.
    fn put_ref_back(&self, name: &str, old: ObjectId, new: Option<ObjectId>) -> Result<()> {
        if let Some(new) = new {
            let kept = name.trim_start_matches("refs/");
            let aside = format!("refs/gatewalk/moved/{new}/{kept}");
            // One of that name holds the very same commit.
            let _kept = self.git.cas_ref(&aside, new, None)?;
        }
        if self.git.cas_ref(name, old, new)?
            && let Some(new) = new
        {
            // What it cannot update stays as it is, and `git status` shows it.
            let _followed = self.git.follow(name, new, old);
        }
        Ok(())
    }

    /// Removes the record of an attempt that this run did not write: the next one would trust it.
    fn take_record_away(&self, name: &str, new: ObjectId, old: Option<ObjectId>) -> Result<()> {
        let kept = name.trim_start_matches("refs/");
        let aside = format!("refs/gatewalk/moved/{new}/{kept}");
        // One of that name holds the very same commit.
        let _kept = self.git.cas_ref(&aside, new, None)?;
        match old {
            Some(old) => self.git.cas_ref(name, old, Some(new))?,
            None => self.git.delete_ref(name, new)?,
        };
        Ok(())
    }

    /// Returns the plan files that commits on the driven branch change which are not this run's; none if these commits
    /// touch what judges, or finish something.
    fn only_work(
        &self,
        old: ObjectId,
        new: ObjectId,
        landed: &BTreeSet<ObjectId>,
    ) -> Result<Option<Vec<String>>> {
        let mut plans = Vec::new();
        let commits = self.git.log(Some(old), new, MOST_COMMITS)?;
        for commit in commits.iter().filter(|c| !landed.contains(&c.oid)) {
            let parent = commit.parents.first().copied().unwrap_or(old);
            let mut of_features = false;
            for change in self.git.diff(parent, commit.oid)? {
                let path = change.path.to_text();
                let judges = match is_state(&path) {
                    true => is_settings(&path),
                    false => guards::is_control(&path),
                };
                if judges {
                    return Ok(None);
                }
                if path.contains("/features/") && is_state(&path) {
                    plans.push(one_line(&path));
                    of_features = true;
                }
            }
            if of_features && self.finishes(old, parent, commit.oid)? {
                return Ok(None);
            }
        }
        Ok((commits.len() < MOST_COMMITS).then_some(plans))
    }

    /// Returns whether a commit says that something is done which its parent did not say, and which only the driver says:
    /// what was a user's to do at `start` is theirs to finish.
    fn finishes(&self, start: ObjectId, parent: ObjectId, commit: ObjectId) -> Result<bool> {
        let (before, after) = (self.finished(parent)?, self.finished(commit)?);
        let new: Vec<&String> = after.difference(&before).collect();
        if new.is_empty() {
            return Ok(false);
        }
        let humans = self.humans(start)?;
        Ok(new.into_iter().any(|path| !humans.contains(path)))
    }

    /// Returns the files of a commit's plans that say `done` or `passed`.
    fn finished(&self, commit: ObjectId) -> Result<BTreeSet<String>> {
        let mut found = BTreeSet::new();
        for feature in self.plans_of(commit)? {
            if feature.plan.status() == FeatureStatus::Done {
                found.insert(feature.path(layout::PLAN));
            }
            let passed = feature.gates.iter();
            let passed = passed.filter(|(_, gate)| gate.status() == GateStatus::Passed);
            found.extend(passed.map(|(file, _)| feature.path(file)));
            let done = feature.units.values();
            let done = done.filter(|unit| unit.status() == UnitStatus::Done);
            found.extend(done.map(|unit| unit.path().to_string()));
        }
        Ok(found)
    }

    /// Returns the files of a commit's units that only a user can do.
    fn humans(&self, commit: ObjectId) -> Result<BTreeSet<String>> {
        let features = self.plans_of(commit)?;
        let units = features.iter().flat_map(|f| f.units.values());
        let humans = units.filter(|unit| unit.unit_type() == UnitType::Human);
        Ok(humans.map(|unit| unit.path().to_string()).collect())
    }

    fn plans_of(&self, commit: ObjectId) -> Result<Vec<Arc<Feature>>> {
        let mut features = Vec::new();
        for layout in Layout::ALL {
            let files = self.git.files_under(commit, layout.dir())?;
            features.extend(Workspace::parse(layout, &files).features.iter().cloned());
        }
        Ok(features)
    }

    /// Returns whether a branch that was rewritten (an amended commit, a squash) still says the same about every
    /// unit and of what judges; one that was only cut short does not count, for that loses work.
    fn rewrites_only_work(&self, old: ObjectId, new: ObjectId) -> Result<bool> {
        let harmless = |path: &str| !is_state(path) && !guards::is_control(path);
        Ok(!self.git.is_ancestor(new, old)?
            && self
                .git
                .diff(old, new)?
                .iter()
                .all(|change| harmless(&change.path.to_text())))
    }
}

/// Returns whether a unit's id, or what hangs on it, is a feature's.
fn is_of(unit: &str, feature: &str) -> bool {
    unit.strip_prefix(feature)
        .is_some_and(|rest| rest.starts_with('/'))
}

fn is_state(path: &str) -> bool {
    path.starts_with(".gatewalk/") || path.starts_with(".specfuse/")
}

fn is_settings(path: &str) -> bool {
    path.ends_with("/verification.yml") || path.ends_with("/config.yml") || path.contains("/rules/")
}
