//! What decides a feature's next steps, looked up: the commands that print them ask here.

use super::Context;
use super::open_requirements;
use super::plan_check::{CHANGED_AFTER_ARMING, refuse_unread};
use gatewalk_core::diagnostic::Diagnostic;
use gatewalk_core::driver::committed_plan::Attempts;
use gatewalk_core::driver::known_red::{KeptEnds, known_red};
use gatewalk_core::driver::ports::Pin;
use gatewalk_core::engine::contract;
use gatewalk_core::engine::next_steps::{FeatureState, NextStep, for_unit, next_steps};
use gatewalk_core::engine::red_command::RedCommand;
use gatewalk_core::error::Result;
use gatewalk_core::lint::FeatureLinter;
use gatewalk_core::model::feature::{Feature, PlannedUnit};
use gatewalk_core::model::status_machine::FeatureStatus;
use gatewalk_core::model::workspace::Workspace;
use gatewalk_core::parallel;
use gatewalk_host::lock::DriverLock;
use gatewalk_host::os::{has_hook, judging_hooks, known_exit, read_in_flight};
use gatewalk_host::state_dir_reader;
use gatewalk_host::state_repository::{BranchHolds, Repository, Selected};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// What surrounds a feature and its plan does not say.
#[derive(Debug, Clone, Default)]
pub(crate) struct Surroundings {
    /// The features a live driver works on, and the units whose sessions run.
    driver: Option<(String, Vec<String>)>,
    /// Files of the state directory with edits that are not committed.
    edited: Vec<String>,
    /// The plans as they lie in the checkout, once they were asked for: all features with edits ask.
    checkout: OnceLock<Workspace>,
    /// What keeps branches from moving.
    holds: BranchHolds,
    /// Whether features have errors, by directory, where many were looked at together.
    has_errors: BTreeMap<String, bool>,
    /// What was fetched of the remotes' branches, once a feature's own branch was not here.
    remotes: OnceLock<Vec<Pin>>,
}

/// What is looked up of a feature beside its plan.
struct LookedUp {
    changed: Vec<String>,
    held: Option<String>,
    red_base: Vec<(String, Vec<RedCommand>)>,
}

/// Below this many features a second thread costs more than it saves.
pub(super) const FEATURES_A_SHARE: usize = 8;

impl Surroundings {
    /// Looks at the lock and at the checkout.
    pub(crate) fn look(repository: &Repository) -> Result<Surroundings> {
        // Until the checkout has caught up, what it has otherwise is nobody's edit.
        let edited = match repository.git.is_behind() {
            true => vec![],
            false => repository.uncommitted(repository.layout.dir())?,
        };
        Ok(Surroundings {
            edited: edited.iter().map(|p| p.to_text().into_owned()).collect(),
            ..Surroundings::at_work(repository)?
        })
    }

    /// Looks at the lock and at the checkout, and meanwhile at the plan of one feature.
    pub(crate) fn look_beside(
        repository: &Repository,
        selected: &Selected,
    ) -> Result<Surroundings> {
        let workspace = Arc::clone(&selected.workspace);
        let feature = selected.feature();
        let wrong = || {
            let found = || gatewalk_core::lint::feature_errors(&workspace, feature);
            runs(feature) && found().iter().any(is_other_error)
        };
        let (has_errors, found) = parallel::beside(wrong, || Surroundings::look(repository));
        let mut found = found?;
        found
            .has_errors
            .insert(selected.dir.to_string(), has_errors);
        Ok(found)
    }

    /// Looks at the checkout alone, for the driver itself.
    pub(crate) fn edits(repository: &Repository) -> Result<Surroundings> {
        let found = Surroundings::look(repository)?;
        Ok(Surroundings {
            driver: None,
            ..found
        })
    }

    /// Looks at the lock alone, where edits of the plan were refused or committed a moment ago.
    pub(crate) fn at_work(repository: &Repository) -> Result<Surroundings> {
        let state = repository.git.state_dir();
        let driver = match DriverLock::holder(&state.join("lock")) {
            Some(holder) => {
                let units = read_in_flight(&state)?.into_iter().map(|note| note.unit);
                Some((holder.feature, units.collect()))
            }
            None => None,
        };
        Ok(Surroundings {
            driver,
            holds: repository.branch_holds()?,
            ..Surroundings::default()
        })
    }

    /// Looks at the plans of many features together, which costs each of them less.
    pub(crate) fn look_at_plans(&mut self, shown: &[Selected]) {
        let mut left: Vec<&Selected> = shown.iter().filter(|s| runs(s.feature())).collect();
        while let Some(first) = left.first() {
            let workspace = Arc::clone(&first.workspace);
            let linter = FeatureLinter::for_errors(&workspace);
            let is_here = |s: &&Selected| Arc::ptr_eq(&s.workspace, &workspace);
            let (here, others) = left.into_iter().partition::<Vec<_>, _>(is_here);
            let is_wrong = |s: &&Selected| {
                let found = linter.errors(s.feature());
                (s.dir.clone(), found.iter().any(is_other_error))
            };
            let shares = parallel::share(&here, FEATURES_A_SHARE, |part| {
                part.iter().map(is_wrong).collect::<Vec<_>>()
            });
            self.has_errors.extend(shares.into_iter().flatten());
            left = others;
        }
    }

    /// Returns the units whose sessions run now.
    pub(crate) fn in_flight(&self) -> &[String] {
        self.driver.as_ref().map_or(&[], |(_, units)| units)
    }

    /// Returns how many files of a feature's directory have edits that are not committed.
    pub(crate) fn edits_of(&self, selected: &Selected) -> usize {
        let own = format!("{}/", selected.dir);
        self.edited.iter().filter(|p| p.starts_with(&own)).count()
    }

    /// Returns whether a live driver works on a feature.
    fn drives(&self, feature: &Feature) -> bool {
        let driven = self.driver.as_ref();
        driven.is_some_and(|(names, _)| names.split(", ").any(|n| n == feature.name()))
    }

    fn look_up(&self, repository: &Repository, selected: &Selected) -> LookedUp {
        LookedUp {
            changed: self.changed_units(repository, selected),
            held: self.held(repository, selected),
            red_base: self.red_base(repository, selected),
        }
    }

    /// Returns what the last run found red before any work.
    fn red_base(
        &self,
        repository: &Repository,
        selected: &Selected,
    ) -> Vec<(String, Vec<RedCommand>)> {
        let feature = selected.feature();
        if feature.plan.status() != FeatureStatus::Active || self.drives(feature) {
            return vec![];
        }
        // Advice only: a run asks again.
        let Ok(product) = repository.product_key(selected.commit) else {
            return vec![];
        };
        let state = repository.git.state_dir();
        let kept = KeptEnds {
            product: &product,
            hooks: &judging_hooks(),
            has_hook: &|name| has_hook(&repository.git, name),
            exit_of: &|key| known_exit(&state, key),
        };
        known_red(&selected.workspace, feature, &kept)
    }

    /// Returns the units that are not what was armed, edits that are not committed included.
    fn changed_units(&self, repository: &Repository, selected: &Selected) -> Vec<String> {
        let of = |feature: &Feature| {
            let changed = contract::changed(feature).into_iter();
            changed.map(|(m, _)| m.id().to_owned()).collect()
        };
        if self.edits_of(selected) == 0 {
            return of(selected.feature());
        }
        let edited = self.edited_plans(repository);
        edited.feature_in(&selected.dir).map(of).unwrap_or_default()
    }

    fn edited_plans(&self, repository: &Repository) -> &Workspace {
        self.checkout.get_or_init(|| checkout_plans(repository))
    }

    /// Returns whether a feature has errors as it lies in the checkout.
    fn edits_break(&self, repository: &Repository, feature: &Feature) -> bool {
        let edited = self.edited_plans(repository);
        let found = edited.feature_in(&feature.dir).filter(|f| runs(f));
        let errors = found.map(|f| gatewalk_core::lint::feature_errors(edited, f));
        errors.is_some_and(|found| found.iter().any(is_other_error))
    }

    /// Returns what to do next with a feature.
    pub(crate) fn of_feature(
        &self,
        (context, repository): (&Context, &Repository),
        selected: &Selected,
        attempts: &Attempts,
    ) -> Vec<NextStep> {
        let looked_up = self.look_up(repository, selected);
        next_steps(&self.state((context, repository), selected, (attempts, &looked_up)))
    }

    /// Returns what to do next about a unit of a feature.
    pub(crate) fn of_unit(
        &self,
        (context, repository): (&Context, &Repository),
        selected: &Selected,
        (attempts, member): (&Attempts, &PlannedUnit<'_>),
    ) -> Vec<NextStep> {
        let looked_up = self.look_up(repository, selected);
        let state = self.state((context, repository), selected, (attempts, &looked_up));
        for_unit(member, &state)
    }

    /// Returns why the feature's branch cannot move now or nobody reads its settings, and the command that gives it free.
    fn held(&self, repository: &Repository, selected: &Selected) -> Option<String> {
        if let Some(why) = repository.unwritable().filter(|_| runs(selected.feature())) {
            return Some(why);
        }
        let busy = self.holds.refuse_busy(&selected.branch);
        let busy = busy.and_then(|()| {
            if selected.feature().plan.status() == FeatureStatus::Active {
                refuse_unread(repository, selected)?;
            }
            if selected.exists || !runs(selected.feature()) {
                return Ok(());
            }
            repository.refuse_missing_base(selected)?;
            // Advice only: the run itself gets the error.
            let known = || repository.remote_branches().unwrap_or_default();
            repository.refuse_fetched_only(selected, self.remotes.get_or_init(known))
        });
        let busy = busy.err()?;
        let way_out = busy.hints.first()?;
        Some(format!("{busy}: {way_out}"))
    }

    fn state<'a>(
        &'a self,
        (context, repository): (&Context, &Repository),
        selected: &'a Selected,
        (attempts, looked_up): (&'a Attempts, &'a LookedUp),
    ) -> FeatureState<'a> {
        let feature = selected.feature();
        let found = || gatewalk_core::lint::feature_errors(&selected.workspace, feature);
        let known = self.has_errors.get(&*selected.dir).copied();
        let look = || runs(feature) && found().iter().any(is_other_error);
        // What `--commit-plan` would commit is refused where it breaks a plan that was sound.
        let is_broken = || self.edits_of(selected) > 0 && self.edits_break(repository, feature);
        FeatureState {
            feature,
            attempts: &attempts.charged,
            is_driven: self.drives(feature),
            in_flight: self.in_flight(),
            is_edited: self.edits_of(selected) > 0,
            has_errors: known.unwrap_or_else(look) || is_broken(),
            changed: &looked_up.changed,
            held: looked_up.held.as_deref(),
            red_base: &looked_up.red_base,
            has_gaps: open_requirements::has_gaps(context, repository, selected),
        }
    }
}

/// Returns the plans as they lie in the checkout; what cannot be read is what the command itself refuses.
fn checkout_plans(repository: &Repository) -> Workspace {
    let layout = repository.layout;
    let files = state_dir_reader::read_state_dir(repository.git.work_tree(), layout);
    Workspace::parse(layout, &files.unwrap_or_default())
}

/// Returns whether a run may work on a feature, now or once it is armed.
fn runs(feature: &Feature) -> bool {
    let status = feature.plan.status();
    matches!(status, FeatureStatus::Active | FeatureStatus::Planned)
}

/// Returns whether an error is one that arming does not mend.
fn is_other_error(d: &Diagnostic) -> bool {
    d.code != CHANGED_AFTER_ARMING
}
