//! The edits that a user's commands make.

use super::figures::cumulative;
use super::{Books, edit_file, quoted};
use crate::engine::contract;
use crate::engine::events::Event;
use crate::error::{Error, Result};
use crate::model::edit::{FileEdits, KeyEdit};
use crate::model::status_machine::{FeatureVerb, GateVerb, UnitVerb, Word, move_gate, move_unit};
use crate::model::unit::Unit;

/// What arming does.
#[derive(Debug)]
pub struct Arming<'a> {
    /// Index of the reviewed gate that it passes.
    pub pass: Option<usize>,
    /// Ids of the units that it arms.
    pub units: &'a [String],
    /// Whether the feature becomes active.
    pub activate: bool,
}

impl Books<'_> {
    /// Returns the edits of a user's command on the unit that its event is about.
    ///
    /// Fails as a fault of the plan where the unit is unknown or cannot take that move.
    pub fn unit_verb(
        &self,
        verb: UnitVerb,
        more: &[(&str, KeyEdit<'_>)],
        event: Event,
    ) -> Result<FileEdits> {
        let id = event.correlation_id.as_str();
        let unit = self.unit(id)?;
        let to = move_unit(unit.status(), verb).map_err(|e| e.of_unit(id))?;
        let mut changes = vec![("status", KeyEdit::Scalar(to.word()))];
        changes.extend_from_slice(more);
        Ok(vec![
            edit_file(unit.path(), &unit.doc.text, &changes)?,
            self.log(&[event]),
        ])
    }

    /// Returns the edits that pass a reviewed gate and arm drafts.
    ///
    /// Fails as a fault of the plan, and edits nothing, where the gate, a unit or the feature cannot take its move.
    pub fn arm(&self, arming: &Arming<'_>, mut event: Event) -> Result<FileEdits> {
        let mut edits = Vec::new();
        if let Some(gate) = arming.pass {
            let number = self.feature.gate_number(gate);
            let to = move_gate(self.feature.gate_status(gate), GateVerb::Pass)
                .map_err(|e| Error::plan(format!("gate {number}")).with_source(e))?;
            if let Some(file) = self.feature.gate(gate) {
                edits.push(edit_file(
                    &file.doc.path,
                    &file.doc.text,
                    &[("status", KeyEdit::Scalar(to.word()))],
                )?);
            }
        }
        let changed = contract::changed(self.feature);
        let mut contracts = serde_json::Map::new();
        for id in arming.units {
            let unit = self.unit(id)?;
            let armed = self.contract(id)?;
            let mut changes = vec![("armed", KeyEdit::Scalar(armed.as_str()))];
            // Reviewed again, it stays pending, and its text as it is now counts as armed.
            if changed.iter().all(|(m, _)| m.id() != id) {
                let to = move_unit(unit.status(), UnitVerb::Arm).map_err(|e| e.of_unit(id))?;
                changes.push(("status", KeyEdit::Scalar(to.word())));
            }
            edits.push(edit_file(unit.path(), &unit.doc.text, &changes)?);
            contracts.insert(id.clone(), armed.into());
        }
        event.payload["contracts"] = contracts.into();
        if arming.activate {
            edits.extend(self.feature_status(FeatureVerb::Activate)?);
        }
        edits.push(self.log(&[event]));
        Ok(edits)
    }

    /// Returns the edits that send a parked unit back to work; its lifetime figures are kept.
    ///
    /// Fails as a fault of the plan where the unit is unknown or not parked.
    pub fn unblock(&self, id: &str, reason: &str, mut event: Event) -> Result<FileEdits> {
        let unit = self.unit(id)?;
        let count = (unit.re_arm_count() + 1).to_string();
        let history = history_with(unit, reason, self.now);
        let cumulative = cumulative(unit);
        // What a user sends back to work is what they approve as it stands now.
        let armed = self.contract(id)?;
        event.payload["contract"] = armed.as_str().into();
        let mut more = vec![
            ("armed", KeyEdit::Scalar(&armed)),
            ("re_arm_count", KeyEdit::Raw(&count)),
            ("re_arm_history", KeyEdit::Raw(&history)),
        ];
        more.extend(
            cumulative
                .iter()
                .map(|(key, value)| (*key, KeyEdit::Raw(value.as_str()))),
        );
        let present = |key: &str| {
            unit.doc
                .front
                .as_ref()
                .is_some_and(|f| f.root.get(key).is_some())
        };
        let gone = [
            "attempts",
            "cost_usd",
            "input_tokens",
            "output_tokens",
            "duration_seconds",
            "escalation_reason",
            "escalation_failure_class",
            "escalation_failure_signature",
        ];
        more.extend(
            gone.into_iter()
                .filter(|key| present(key))
                .map(|key| (key, KeyEdit::Remove)),
        );
        self.unit_verb(UnitVerb::Unblock, &more, event)
    }
}

fn history_with(unit: &Unit, reason: &str, now: &str) -> String {
    let old = unit.front.re_arm_history.as_ref().map(|h| &h.value.0);
    let mut items: Vec<String> = old
        .map(|node| node.items())
        .unwrap_or_default()
        .iter()
        .map(|item| unit.doc.text.get(item.span.clone()).unwrap_or_default())
        .filter(|raw| raw.starts_with('{') || raw.starts_with('"'))
        .map(str::to_owned)
        .collect();
    items.push(format!(
        "{{at: {}, reason: {}}}",
        quoted(now),
        quoted(reason)
    ));
    format!("[{}]", items.join(", "))
}
