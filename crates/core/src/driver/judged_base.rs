//! On what an attempt is judged: the branch as it is now, and work that is about to land on it.

use super::committed_plan::{CommittedPlan, other_tree_ref};
use super::driver_event::DriverEvent;
use super::land::{changes_verdict, rules_of};
use super::landing_train::{AttemptName, TrainMember};
use super::ports::{CommitRequest, MergeOutcome};
use super::run_loop::Driver;
use crate::engine::attempt_record::AttemptRecord;
use crate::error::Result;
use crate::model::unit::UnitType;
use crate::object_id::ObjectId;
use crate::parallel::locked;

/// On what an attempt is judged.
pub(super) struct JudgedBase {
    /// The plan that judges; its tree is what the work is compared with.
    pub(super) plan: CommittedPlan,
    /// The work on it.
    pub(super) tree: ObjectId,
    /// What is ahead and has not landed, where there is such.
    pub(super) ahead: Option<AttemptName>,
}

impl JudgedBase {
    /// Returns the tree the work stands on, where no commit has it.
    pub(super) fn onto(&self) -> Option<ObjectId> {
        self.ahead.is_some().then_some(self.plan.tree)
    }
}

/// What an attempt is to be brought on.
struct Ground {
    tip: ObjectId,
    /// Of the tip, or of the train.
    tree: ObjectId,
    ahead: Option<AttemptName>,
}

impl Driver<'_> {
    /// Brings an attempt on the branch as it will be once the work ahead has landed, and takes its place behind that.
    /// Nothing where it has to wait: what is ahead changed the same places, or has not shown yet whose fault a failure is.
    pub(super) fn judged_base(&self, record: &AttemptRecord) -> Result<Option<JudgedBase>> {
        let name: AttemptName = (record.unit.clone(), record.number);
        // A panic elsewhere ends the run; what it left is only a cache.
        let _joining = locked(&self.joining);
        loop {
            self.cache().train.leave(&name);
            let ground = self.ground(record)?;
            let tree = match self.on_ground(record, &ground)? {
                MergeOutcome::Clean(tree) => tree,
                MergeOutcome::Conflict(paths) => {
                    return self.not_on_ground(record, ground, paths);
                }
            };
            let member = TrainMember {
                attempt: name.clone(),
                tip: ground.tip,
                tree,
            };
            let joins = ground.ahead.is_some() || self.may_join(record)?;
            if joins && !self.cache().train.join(member, ground.ahead.as_ref()) {
                // What was ahead has landed or failed meanwhile.
                continue;
            }
            return self.begin_on(record, ground, tree).map(Some);
        }
    }

    /// What is ahead, or landed, changed the same places.
    fn not_on_ground(
        &self,
        record: &AttemptRecord,
        ground: Ground,
        paths: Vec<String>,
    ) -> Result<Option<JudgedBase>> {
        match ground.ahead {
            Some(ahead) => {
                let unit = record.unit.clone();
                self.cache().stands_on.insert(unit, ahead);
            }
            // Whoever asks for work that may collide wants to know it before anything is verified.
            None if self.options.optimistic => {
                self.cache().stands_on.remove(&record.unit);
                self.set_aside_collided(record.clone(), &ground.tip, paths)?;
            }
            None => return Ok(Some(self.on_own_base(record)?)),
        }
        Ok(None)
    }

    fn begin_on(
        &self,
        record: &AttemptRecord,
        ground: Ground,
        tree: ObjectId,
    ) -> Result<JudgedBase> {
        let mut cache = self.cache();
        match &ground.ahead {
            Some(ahead) => drop(cache.stands_on.insert(record.unit.clone(), ahead.clone())),
            None => drop(cache.stands_on.remove(&record.unit)),
        }
        drop(cache);
        let plan = self.plan_at(&ground.tip)?;
        if tree != record.tree {
            let kept = other_tree_ref(&record.unit, record.number, &ground.tip);
            self.machine.pin(
                &kept,
                &CommitRequest {
                    tree,
                    parent: ground.tip,
                    message: &record.to_message(),
                },
            )?;
        }
        if ground.ahead.is_none() && record.base != ground.tip {
            self.note_moved(record, &ground.tip)?;
        }
        Ok(JudgedBase {
            plan: plan.on_tree(ground.tree),
            tree,
            ahead: ground.ahead,
        })
    }

    /// Says that what is judged is not only what the session left.
    fn note_moved(&self, record: &AttemptRecord, tip: &ObjectId) -> Result<()> {
        let moved = self.machine.diff(&record.base, tip)?;
        let rules = rules_of(self, &record.unit, tip)?;
        if changes_verdict(&moved, self.layout.dir(), &rules) {
            self.report(DriverEvent::Note {
                text: format!(
                    "{}: the branch moved; the merged work is verified",
                    record.unit
                ),
            });
        }
        Ok(())
    }

    /// Only the work of units stands on each other's: what closes a gate looks at what has landed.
    fn may_join(&self, record: &AttemptRecord) -> Result<bool> {
        let plan = self.plan_at(&record.base)?;
        let (_, unit) = plan.unit(&record.unit)?;
        Ok(self.options.jobs > 1 && unit.unit_type() == UnitType::Implementation)
    }

    fn ground(&self, record: &AttemptRecord) -> Result<Ground> {
        // Before the tip: whoever lands leaves the train after that has moved, so nothing is on neither of them.
        let last = match self.may_join(record)? {
            true => self.cache().train.last().cloned(),
            false => None,
        };
        let tip = self.tip()?;
        if let Some(last) = last {
            let tree = match last.tip == tip {
                true => MergeOutcome::Clean(last.tree),
                false => self.machine.merge(&last.tip, &tip, &last.tree)?,
            };
            if let MergeOutcome::Clean(tree) = tree {
                let ahead = Some(last.attempt);
                return Ok(Ground { tip, tree, ahead });
            }
            self.cache().train.disband();
        }
        Ok(Ground {
            tip,
            tree: self.machine.tree_of(&tip)?,
            ahead: None,
        })
    }

    /// Brings an attempt's work on a ground.
    fn on_ground(&self, record: &AttemptRecord, ground: &Ground) -> Result<MergeOutcome> {
        if ground.ahead.is_none() && record.base == ground.tip {
            return Ok(MergeOutcome::Clean(record.tree));
        }
        self.machine.merge(&record.base, &ground.tree, &record.tree)
    }

    /// Judges what the session left where it began: only where that passes does it matter that it does not fit.
    fn on_own_base(&self, record: &AttemptRecord) -> Result<JudgedBase> {
        self.cache().stands_on.remove(&record.unit);
        let plan = self.plan_at(&record.base)?;
        Ok(JudgedBase {
            plan: (*plan).clone(),
            tree: record.tree,
            ahead: None,
        })
    }
}

#[cfg(test)]
mod tests;
