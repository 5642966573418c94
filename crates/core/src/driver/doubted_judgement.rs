//! Red verdicts on top of work that had not landed. They say nothing yet, for that work may be to blame; once it has landed as
//! it was, they say what another verification of the same files would.

use super::judged_base::JudgedBase;
use super::land::rules_of;
use super::run_loop::Driver;
use crate::engine::attempt_record::{AttemptRecord, Judgement};
use crate::error::Result;
use crate::object_id::ObjectId;

/// What a verdict is about, whatever commit it was asked on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct JudgedOn {
    /// The product below the work, by [`tree_key`](super::ports::History::tree_key).
    ground: String,
    /// The product with the work.
    product: String,
    /// The hash of the commands.
    oracle: String,
}

impl JudgedOn {
    pub(super) fn of(driver: &Driver<'_>, base: &JudgedBase, oracle: String) -> Result<JudgedOn> {
        let key = |tree: &ObjectId| driver.machine.tree_key(tree, driver.layout.dir());
        Ok(JudgedOn {
            ground: key(&base.plan.tree)?,
            product: key(&base.tree)?,
            oracle,
        })
    }
}

/// A red verdict on top of work that had not landed.
#[derive(Debug, Clone)]
pub(super) struct DoubtedJudgement {
    on: JudgedOn,
    judgement: Judgement,
}

impl Driver<'_> {
    /// Keeps what commands said of an attempt on top of others' work, until that has landed or not.
    pub(super) fn doubt(&self, record: &AttemptRecord, on: JudgedOn, judgement: Judgement) {
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
    pub(super) fn settled_doubt(
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
