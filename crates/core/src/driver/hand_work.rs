//! A user's own work on a unit: the guards, the oracle and the landing of a session's work, charged to nobody.

use super::base_check_run::BaseCheckRun;
use super::committed_plan::{Attempts, CommittedPlan, uncharged_ref};
use super::driver_event::DriverEvent;
use super::hand_refusals::{branch_moved, conflict, nothing_to_land};
use super::land::{attempts_of, books, landing_message, text_at};
use super::plan_commit::place_edits;
use super::ports::{CommitRequest, MergeOutcome, RestoredFile, SlotId, TreeWrite};
use super::run_loop::Driver;
use super::verification_request::VerificationSlot;
use crate::engine::attempt_record::{AttemptRecord, Judgement, WorkRefusal};
use crate::engine::evidence::one_line;
use crate::engine::failure_class::FailureClass;
use crate::engine::oracle::OracleCommand;
use crate::engine::takeover;
use crate::error::{Error, Result};
use crate::model::edit::{self, KeyEdit};
use crate::model::status_machine::Word;
use crate::model::unit::{ExpectBase, Unit};
use crate::object_id::ObjectId;

/// Work of a user's own on a unit.
#[derive(Debug, Clone)]
pub struct HandWork<'a> {
    /// Full id of the unit.
    pub unit: &'a str,
    /// The newest commit that both the work and the feature's branch have.
    pub fork: ObjectId,
    /// Where the work began, when that is further back than the tip.
    pub began: Option<ObjectId>,
    /// The tree of the files that the user made.
    pub tree: ObjectId,
    /// Whether they are those of the checkout, beside which edits of plans may lie that are no part of it.
    pub in_checkout: bool,
}

/// Work as it was judged.
#[derive(Debug, Clone)]
pub struct JudgedWork {
    /// What the guards and the oracle found.
    pub judgement: Judgement,
    /// Edits of plans in the checkout that are no part of it.
    pub left_out: Vec<String>,
    record: AttemptRecord,
}

/// What became of work that was to land.
#[derive(Debug, Clone)]
pub struct HandLanding {
    /// What the guards and the oracle found.
    pub judged: JudgedWork,
    /// The ref that keeps the work.
    pub kept_at: String,
    /// The commit, where it passed.
    pub commit: Option<ObjectId>,
}

impl Driver<'_> {
    /// Judges a user's work on a unit as a session's is judged, against a tip of the feature, in a slot; nothing where
    /// that was cut short.
    ///
    /// Work that does not pass is no error; a unit that is unknown or proves nothing is one.
    pub fn check_work(
        &self,
        work: &HandWork<'_>,
        (tip, slot): (&ObjectId, SlotId),
    ) -> Result<Option<JudgedWork>> {
        let at_tip = self.plan_at(tip)?;
        let (tree, left_out) = self.on_the_tip(&at_tip, work)?;
        let plan = match &work.began {
            Some(began) => self.plan_at(began)?,
            None => at_tip,
        };
        let (_, unit) = plan.unit(work.unit)?;
        let stamp = (self.machine.attempt_id(), self.machine.now().to_string());
        let record = AttemptRecord::by_hand((work.unit, unit), (plan.commit, tree), stamp);
        let commands = self.oracle_of(&plan, work.unit)?;
        let Some(mut judgement) = self.judgement_of(&plan, &record, (&commands, slot))? else {
            return Ok(None);
        };
        if judgement.passed()
            && !self.ask_red_first(&plan, (&commands, slot), (work.unit, &mut judgement))?
        {
            return Ok(None);
        }
        judgement.redact();
        judgement.at = self.machine.now().to_string();
        Ok(Some(JudgedWork {
            judgement,
            left_out,
            record,
        }))
    }

    /// Judges a user's work on a unit, and lands it where it passed; nothing where that was cut short.
    ///
    /// Fails, with nothing touched, where the unit is not ready to land or there is nothing to land.
    pub fn land_work(&self, work: &HandWork<'_>) -> Result<Option<HandLanding>> {
        self.cache().attempts = Attempts::from_pins(&self.machine.pins()?);
        let tip = self.tip()?;
        let plan = self.plan_at(&tip)?;
        let (member, _) = plan.unit(work.unit)?;
        if let Some(error) = takeover::refusal(plan.feature(), &member) {
            return Err(error.hint("nothing was started and nothing was touched"));
        }
        let Some(mut judged) = self.check_work(work, (&tip, SlotId::Session(0)))? else {
            return Ok(None);
        };
        if judged.judgement.failure_class() == Some(&FailureClass::EmptyDiff.into()) {
            return Err(nothing_to_land(work.unit, work.began.as_ref()));
        }
        judged.record.judgement = Some(judged.judgement.clone());
        let known = self.cache().attempts.uncharged.get(work.unit).copied();
        judged.record.number = known.map_or(1, |n| n + 1);
        self.pin_uncharged(&judged.record, None)?;
        let kept_at = uncharged_ref(work.unit, judged.record.number);
        let commit = match judged.judgement.passed() {
            true => Some(self.place_work(&plan, work, &judged)?),
            false => None,
        };
        Ok(Some(HandLanding {
            judged,
            kept_at,
            commit,
        }))
    }

    /// Returns the work as it would be on the tip, and the edits of plans beside it that are no part of it.
    fn on_the_tip(
        &self,
        plan: &CommittedPlan,
        work: &HandWork<'_>,
    ) -> Result<(ObjectId, Vec<String>)> {
        let (_, unit) = plan.unit(work.unit)?;
        let inside = format!("{}/", self.layout.dir());
        let own = unit.path().to_string();
        let closing = unit.unit_type().is_closing();
        let verdict = match closing {
            true => self.verdict_of(&own, &work.tree)?,
            false => None,
        };
        let edited = self.machine.diff(&work.fork, &work.tree)?.into_iter();
        let edited = edited
            .map(|c| c.path)
            .filter(|path| path.starts_with(&inside));
        let left_out: Vec<String> = edited
            .filter(|path| *path == own || work.in_checkout && !closing)
            .collect();
        let back: Vec<RestoredFile> = left_out.iter().map(|p| (p.clone(), None)).collect();
        let tree = match back.is_empty() {
            true => work.tree,
            false => self.machine.restore_paths(&work.tree, &work.fork, &back)?,
        };
        let tree = match work.fork == plan.commit {
            true => tree,
            false => match self.machine.merge(&work.fork, &plan.commit, &tree)? {
                MergeOutcome::Clean(tree) => tree,
                MergeOutcome::Conflict(paths) => return Err(conflict(&self.branch, &paths)),
            },
        };
        let tree = match verdict {
            Some(verdict) => self.with_verdict(unit, &tree, &verdict)?,
            None => tree,
        };
        Ok((tree, left_out.into_iter().filter(|p| *p != own).collect()))
    }

    /// Returns the verdict that a tree's version of a closing unit's file has.
    fn verdict_of(&self, path: &str, tree: &ObjectId) -> Result<Option<String>> {
        let bytes = self.machine.file_at(tree, path)?.unwrap_or_default();
        let written = Unit::parse(path.into(), &bytes);
        Ok(written.front.verdict.map(|v| v.value.word().to_owned()))
    }

    /// Returns a tree in which a closing unit's file is the tip's with a verdict.
    fn with_verdict(&self, unit: &Unit, tree: &ObjectId, verdict: &str) -> Result<ObjectId> {
        let path = unit.path().to_string();
        let text = edit::edits(&unit.doc.text, &[("verdict", KeyEdit::Scalar(verdict))])
            .map_err(|e| Error::plan(format!("cannot edit `{path}`: {e}")))?;
        let edit: TreeWrite = (path, Some(text.into_bytes().into()));
        self.machine.edit_tree(tree, &[edit])
    }

    /// Tries the red-first checks on the base of work that passed: one that is green there proves nothing. Returns false
    /// where that was cut short.
    fn ask_red_first(
        &self,
        plan: &CommittedPlan,
        (commands, slot): (&[OracleCommand], SlotId),
        (unit, judgement): (&str, &mut Judgement),
    ) -> Result<bool> {
        let slot = VerificationSlot {
            id: slot.verification(),
            unit,
            number: 0,
            plan,
        };
        let mut trial = BaseCheckRun::new(self, slot)?;
        for command in commands
            .iter()
            .filter(|c| c.expect_base() == ExpectBase::Red)
        {
            if !self.try_on_base(&mut trial, command)? {
                return Ok(false);
            }
        }
        let vacuous = trial.report.vacuous;
        if !vacuous.is_empty() {
            let names = vacuous.join(", ");
            let why = format!(
                "must fail without the work and passes on its base ({}), so it proves nothing: {}",
                plan.commit.short(),
                one_line(&names)
            );
            let signature = format!("vacuous:{names}");
            let class = FailureClass::Unproven;
            judgement.refuse(WorkRefusal::told_alike(class, signature, why));
        }
        Ok(true)
    }

    /// Commits work that passed, with its unit's status and events, and lets the checkout follow.
    fn place_work(
        &self,
        plan: &CommittedPlan,
        work: &HandWork<'_>,
        judged: &JudgedWork,
    ) -> Result<ObjectId> {
        let (record, judgement) = (&judged.record, &judged.judgement);
        let tree = match self
            .machine
            .merge(&record.base, &plan.commit, &judgement.tree)?
        {
            _ if record.base == plan.commit => judgement.tree,
            MergeOutcome::Clean(tree) => tree,
            MergeOutcome::Conflict(paths) => return Err(conflict(&self.branch, &paths)),
        };
        let (_, unit) = plan.unit(work.unit)?;
        let charged = attempts_of(self, work.unit, unit);
        let charged: Vec<&AttemptRecord> = charged.iter().collect();
        let now = self.machine.now().to_string();
        let own = text_at(self, &judgement.tree, unit)?;
        let edits = books(self, plan, &now).land_by_hand(record, &charged, own.as_deref())?;
        let message = landing_message(&unit.title(), record, 0, &judgement.oracle);
        let commit = CommitRequest {
            tree,
            parent: plan.commit,
            message: &message,
        };
        let placed = place_edits(self.machine, &self.branch, &commit, edits)?;
        let (commit, followed) = placed.ok_or_else(|| branch_moved(&self.branch))?;
        // What the checkout has of it is pinned; beside the landed files it would look like a new edit.
        let kept = match work.in_checkout {
            true => self
                .machine
                .replace_captured(followed.kept, &work.tree, &commit)?,
            false => followed.kept,
        };
        self.report(DriverEvent::Landed {
            unit: work.unit.to_owned(),
            commit,
            kept,
            notices: judgement.notices.clone(),
        });
        if let Some(why) = followed.not_followed {
            let text = format!("your checkout stays as it is: {why}");
            self.report(DriverEvent::Note { text });
        }
        Ok(commit)
    }
}

#[cfg(test)]
mod tests;
