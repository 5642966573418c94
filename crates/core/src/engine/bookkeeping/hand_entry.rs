//! The edits of a landing by hand: a parked unit is sent back and completed in one commit.

use super::{Books, UnitFigures, edit_file, verdict_in};
use crate::engine::attempt_record::AttemptRecord;
use crate::engine::events::{self, CompletedUnit};
use crate::error::Result;
use crate::model::edit::{FileEdits, KeyEdit};
use crate::model::status_machine::{UnitStatus, UnitVerb, Word, move_unit};

/// What a parking writes into a unit's file, and a landing takes out.
const ESCALATION: [&str; 3] = [
    "escalation_reason",
    "escalation_failure_class",
    "escalation_failure_signature",
];

impl Books<'_> {
    /// Returns the edits that make a unit `done` by a user's own work. `work_text` is the unit's file as that has it.
    pub(crate) fn land_by_hand(
        &self,
        record: &AttemptRecord,
        charged: &[&AttemptRecord],
        work_text: Option<&str>,
    ) -> Result<FileEdits> {
        let id = record.unit.as_str();
        let unit = self.unit(id)?;
        let parked = unit.status() == UnitStatus::BlockedHuman;
        let from = match parked {
            true => move_unit(unit.status(), UnitVerb::Unblock),
            false => Ok(unit.status()),
        };
        let to = from
            .and_then(|from| move_unit(from, UnitVerb::Complete))
            .map_err(|e| e.of_unit(id))?;
        let mut changes = vec![("status", KeyEdit::Scalar(to.word()))];
        let verdict = work_text.and_then(|text| verdict_in(unit, text));
        if let Some(verdict) = &verdict {
            changes.push(("verdict", KeyEdit::Scalar(verdict)));
        }
        let front = unit.doc.front.as_ref();
        let present = |key: &&str| front.is_some_and(|f| f.root.get(key).is_some());
        let gone = ESCALATION.into_iter().filter(present);
        changes.extend(gone.map(|key| (key, KeyEdit::Remove)));
        // What sessions took is in the file and the log since the unit was parked.
        let unlogged = match parked {
            true => &[][..],
            false => charged,
        };
        let figures = UnitFigures::of(unit, unlogged);
        if !unlogged.is_empty() {
            changes.extend(figures.changes());
        }
        let word = unit.unit_type().word();
        let mut log = events::of_attempts(word, unlogged);
        log.push(events::by_hand(record));
        let completed = CompletedUnit {
            id,
            unit_type: word,
            attempts: charged.len() as u32,
            cost_usd: Some(spent_on(charged)),
        };
        log.push(events::completed(&completed, self.now));
        Ok(vec![
            edit_file(unit.path(), &unit.doc.text, &changes)?,
            self.log(&log),
        ])
    }
}

/// Returns what sessions cost, in US dollars, as far as that is known.
fn spent_on(attempts: &[&AttemptRecord]) -> f64 {
    let costs = attempts.iter().filter_map(|a| a.figures.cost_usd);
    costs.fold(0.0, |sum, cost| sum + cost)
}
