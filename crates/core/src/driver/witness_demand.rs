//! A witness that a landing waits for, where verification.yml says `witness: require`.

use super::run_loop::Driver;
use super::verification_request::VerificationSlot;
use super::witness_case::WitnessSubject;
use super::witness_run::WitnessTerms;
use crate::engine::attempt_record::Judgement;
use crate::engine::witness::witness_record;
use crate::error::Result;
use crate::model::unit::UnitType;
use crate::model::witness_settings::WitnessMode;

impl Driver<'_> {
    /// Fails an attempt that passed where no check sees some of it, if the project asks for that; false when it was cut
    /// short.
    pub(super) fn require_witness(
        &self,
        slot: &VerificationSlot<'_>,
        judgement: &mut Judgement,
    ) -> Result<bool> {
        let settings = slot.plan.workspace.verification.witness();
        let (_, unit) = slot.plan.unit(slot.unit)?;
        let asks =
            settings.mode() == WitnessMode::Require && unit.unit_type() == UnitType::Implementation;
        if !asks {
            return Ok(true);
        }
        let subject = WitnessSubject {
            unit: slot.unit,
            base: slot.plan.commit,
            tree: judgement.tree,
        };
        let terms = WitnessTerms {
            slot: slot.id,
            number: slot.number,
            budget: None,
            quiet: false,
            wanted: &|| true,
        };
        let Some(report) = self.witness(&subject, &terms)? else {
            return Ok(false);
        };
        if report.left > 0 {
            judgement
                .notices
                .push(format!("witness: {}", report.summary()));
        }
        witness_record::refuse(judgement, &report);
        judgement.witness = Some(report);
        Ok(true)
    }
}
