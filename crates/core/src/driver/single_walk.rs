//! A run of one feature.

use super::driver_event::DriverEvent;
use super::feature_walk::{FeatureEnd, RunEnd, WalkLimits, walk};
use super::run_loop::Driver;
use crate::engine::action::BudgetScope;
use crate::engine::snapshot::Snapshot;
use crate::engine::step::near_budgets;
use crate::error::Result;

impl Driver<'_> {
    /// Walks until there is a reason to stop. Starting is recovering.
    ///
    /// What a unit comes to is no error; what the machine, git or the plan does not allow is one.
    pub fn run(&self) -> Result<RunEnd> {
        let limits = WalkLimits {
            jobs: self.options.jobs,
            wip: 1,
        };
        let ends = walk(&[self], limits, &|_, _| Ok(false))?;
        match ends.into_iter().next() {
            Some(FeatureEnd::Stopped(stop)) => Ok(RunEnd::Stopped(stop)),
            Some(FeatureEnd::Failed(error)) => Err(error),
            Some(FeatureEnd::Interrupted) | None => Ok(RunEnd::Interrupted),
        }
    }

    /// Reports once a run that most of a budget is used.
    pub(super) fn note_near_budgets(&self, snapshot: &Snapshot) {
        for used in near_budgets(snapshot) {
            let is_news = match used.whose {
                BudgetScope::Run => self.budget.note_near(),
                whose => self.cache().near_budgets.insert(whose),
            };
            if is_news {
                self.report(DriverEvent::BudgetNear {
                    feature: snapshot.feature.name(),
                    whose: used.whose,
                    spent_usd: used.spent,
                    budget_usd: used.budget,
                });
            }
        }
    }

    /// Announces the feature, once it is this run's turn to work on it.
    pub(super) fn begin(&self) -> Result<()> {
        let tip = self.tip()?;
        let feature = self.plan_at(&tip)?.feature().name();
        // Who starts a run has looked at the plan it begins with.
        self.begins_at(tip);
        self.report(DriverEvent::Started {
            feature,
            branch: self.branch.clone(),
            tip,
        });
        self.note_missing_agents()
    }
}
