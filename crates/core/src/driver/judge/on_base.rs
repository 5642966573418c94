//! One attempt, judged on the branch as it will be: in which turn, what counts, and what is kept of it.

use crate::driver::judged_base::JudgedBase;
use crate::driver::land::{pin_judged, rules_of};
use crate::driver::landing_train::{DoubtedJudgement, JudgedOn};
use crate::driver::ports::SlotId;
use crate::driver::run_loop::Driver;
use crate::driver::verification_request::VerificationSlot;
use crate::engine::attempt_record::{AttemptRecord, Judgement};
use crate::engine::oracle;
use crate::error::{Error, Result};
use crate::object_id::ObjectId;

impl Driver<'_> {
    /// Judges one attempt and keeps the judgement with its tree.
    pub(in crate::driver) fn judge(&self, id: &str, number: u32, slot: SlotId) -> Result<()> {
        let record = self.cache().attempts.get(id, number).cloned();
        let record =
            record.ok_or_else(|| Error::internal(format!("no attempt {number} of {id}")))?;
        let _turn = self.verification_turn();
        if self.machine.stopping() {
            return Ok(());
        }
        let name = (record.unit.clone(), number);
        let base = match self.judged_base(&record) {
            Ok(Some(base)) => base,
            none => {
                self.cache().train.leave(&name);
                return none.map(drop);
            }
        };
        let passed = self.judge_on(&base, record, slot);
        if !matches!(passed, Ok(true)) {
            self.cache().train.leave(&name);
        }
        passed.map(drop)
    }

    /// Judges an attempt on a base and keeps what it came to; returns whether it may land.
    fn judge_on(&self, base: &JudgedBase, record: AttemptRecord, slot: SlotId) -> Result<bool> {
        let (id, plan) = (&record.unit, &base.plan);
        let commands = self.oracle_of(plan, id)?;
        let subject = AttemptRecord {
            base: plan.commit,
            tree: base.tree,
            ..record.clone()
        };
        let judged_on = self.judged_on(base, oracle::hash(&commands))?;
        let judged = match self.settled_doubt(base, &record, &judged_on)? {
            Some(judgement) => Some(judgement),
            None => self.judgement_of(plan, &subject, (&commands, slot))?,
        };
        let Some(mut judgement) = judged else {
            return Ok(false);
        };
        judgement.onto = base.onto();
        if !self.counts(base.ahead.is_some(), &record, &judgement) {
            self.doubt(&record, judged_on, judgement);
            return Ok(false);
        }
        if !judgement.passed() {
            // Before anyone knows that it failed: who is judged again for that must not find it ahead.
            let name = (id.clone(), record.number);
            self.cache().train.leave(&name);
        }
        let slot = VerificationSlot {
            id: slot.verification(),
            unit: id,
            number: record.number,
            plan,
        };
        if let Some(report) = self.inherited(slot, &commands, &judgement)? {
            return self.set_aside(record, judgement, report).map(|()| false);
        }
        if self.machine.stopping() {
            return Ok(false);
        }
        let passed = judgement.passed();
        self.keep_judgement(record, judgement).map(|()| passed)
    }

    /// Returns whether a judgement says something of the attempt itself. On top of work that did not land, or may yet
    /// not, what its commands say does only if they pass, and as long as that work is still to land.
    pub(super) fn counts(
        &self,
        ahead: bool,
        record: &AttemptRecord,
        judgement: &Judgement,
    ) -> bool {
        let name = (record.unit.clone(), record.number);
        let by_itself = !ahead || !judgement.passed() && judgement.commands.is_empty();
        by_itself || judgement.passed() && self.cache().train.holds(&name)
    }

    /// Keeps a judgement with the tree it is about; the attempt is charged.
    fn keep_judgement(&self, mut record: AttemptRecord, mut judgement: Judgement) -> Result<()> {
        judgement.redact();
        judgement.at = self.machine.now().to_string();
        if !judgement.passed() {
            self.report_failure(&record, &judgement);
        }
        record.judgement = Some(judgement);
        pin_judged(self, &record)?;
        self.cache().attempts.charge(record);
        Ok(())
    }

    /// Returns what a verdict on a base is about.
    fn judged_on(&self, base: &JudgedBase, oracle: String) -> Result<JudgedOn> {
        let key = |tree: &ObjectId| self.machine.tree_key(tree, self.layout.dir());
        Ok(JudgedOn {
            ground: key(&base.plan.tree)?,
            product: key(&base.tree)?,
            oracle,
        })
    }

    /// Keeps what commands said of an attempt on top of others' work, until that has landed or not.
    fn doubt(&self, record: &AttemptRecord, on: JudgedOn, judgement: Judgement) {
        let name = (record.unit.clone(), record.number);
        let mut cache = self.cache();
        match judgement.passed() {
            true => drop(cache.doubted.remove(&name)),
            false => drop(
                cache
                    .doubted
                    .insert(name, DoubtedJudgement { on, judgement }),
            ),
        }
    }

    /// Returns what was said of an attempt on top of others' work that has landed since, as it was: of these very files, by
    /// these commands and by the same rules.
    fn settled_doubt(
        &self,
        base: &JudgedBase,
        record: &AttemptRecord,
        on: &JudgedOn,
    ) -> Result<Option<Judgement>> {
        let name = (record.unit.clone(), record.number);
        let doubted = self.cache().doubted.remove(&name);
        let same = doubted.filter(|doubted| base.ahead.is_none() && doubted.on == *on);
        let Some(DoubtedJudgement { judgement, .. }) = same else {
            return Ok(None);
        };
        let tip = base.plan.commit;
        let rules = rules_of(self, &record.unit, &tip)?;
        let moved = self.machine.diff(&judgement.base, &tip)?;
        if moved.iter().any(|change| rules.contains(&change.path)) {
            return Ok(None);
        }
        Ok(Some(Judgement {
            base: tip,
            ..judgement
        }))
    }
}
