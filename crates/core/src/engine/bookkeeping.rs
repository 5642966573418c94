//! The edits of plan files that a landing, a parking, a gate or a user's command makes.
//!
//! Each function takes the plan as it stands at the tip and returns whole new file texts, so that
//! whoever commits them places all of it, or nothing.

mod figures;
mod hand_entry;
mod user_verbs;

pub use user_verbs::Arming;

use super::attempt_record::{AttemptRecord, Judgement};
use super::close_decision::Decision;
use super::events::{self, CompletedUnit, Event};
use super::log_reader::log_text;
use super::park_reason::ParkReason;
use super::{contract, evidence, last_words, questions};
use crate::error::{Error, Result};
use crate::model::edit::{self, FileEdits, KeyEdit};
use crate::model::feature::Feature;
use crate::model::layout::{self, Layout};
use crate::model::roadmap;
use crate::model::status_machine::{
    FeatureVerb, GateStatus, GateVerb, UnitVerb, Word, move_feature, move_gate, move_unit,
};
use crate::model::unit::Unit;
use figures::UnitFigures;
use std::sync::Arc;

/// The plan as it stands, and the time: what every kind of bookkeeping needs.
#[derive(Debug, Clone, Copy)]
pub struct Books<'a> {
    /// Which state directory the edited files are in.
    pub layout: Layout,
    /// The feature at the tip.
    pub feature: &'a Feature,
    /// `roadmap.md` at the tip.
    pub roadmap: Option<&'a Arc<[u8]>>,
    /// When it happens: RFC 3339, UTC.
    pub now: &'a str,
}

fn edit_file(path: &str, text: &str, changes: &[(&str, KeyEdit<'_>)]) -> Result<(String, String)> {
    let text = edit::edits(text, changes)
        .map_err(|e| Error::plan(format!("cannot edit `{path}`")).with_source(e))?;
    Ok((path.to_owned(), text))
}

impl Books<'_> {
    fn unit(&self, id: &str) -> Result<&Unit> {
        let member = self.feature.member(id);
        member
            .and_then(|m| m.unit)
            .ok_or_else(|| Error::plan(format!("there is no unit `{id}` with a file")))
    }

    /// Returns what a unit is armed as that is armed now.
    fn contract(&self, id: &str) -> Result<String> {
        self.unit(id)?;
        let member = self.feature.member(id);
        Ok(member.map_or_else(String::new, |m| contract::word(self.feature, &m)))
    }

    /// Returns the log with events added.
    fn log(&self, events: &[Event]) -> (String, String) {
        let old = self.feature.others.get(layout::EVENTS);
        let old = old.map(|bytes| log_text(bytes));
        (
            self.feature.path(layout::EVENTS),
            events::append(&old.unwrap_or_default(), events),
        )
    }

    /// Returns the edit that only writes something down.
    pub fn note(&self, event: Event) -> FileEdits {
        vec![self.log(&[event])]
    }

    fn roadmap_status(&self, status: &str) -> Option<(String, String)> {
        let id = self.feature.plan.id.as_ref()?.as_str().to_owned();
        let text = std::str::from_utf8(self.roadmap?).ok()?;
        let new = roadmap::set_status(text, &id, status)?;
        Some((self.layout.path(layout::ROADMAP), new))
    }

    /// Returns the edits that make a landed unit `done`.
    ///
    /// `session_text` is the unit's file as the session left it: a closing unit's verdict is taken
    /// from there, everything else of the file stays as it was armed.
    pub(crate) fn land(
        &self,
        id: &str,
        attempts: &[&AttemptRecord],
        session_text: Option<&str>,
    ) -> Result<FileEdits> {
        let unit = self.unit(id)?;
        let to = move_unit(unit.status(), UnitVerb::Complete).map_err(|e| e.of_unit(id))?;
        let mut changes = vec![("status", KeyEdit::Scalar(to.word()))];
        let verdict = session_text.and_then(|text| verdict_in(unit, text));
        if let Some(verdict) = &verdict {
            changes.push(("verdict", KeyEdit::Scalar(verdict)));
        }
        let figures = UnitFigures::of(unit, attempts);
        changes.extend(figures.changes());
        let mut log = events::of_attempts(unit.unit_type().word(), attempts);
        let spent = figures.cost.as_ref().and_then(|c| c.parse().ok());
        let completed = CompletedUnit {
            id,
            unit_type: unit.unit_type().word(),
            attempts: attempts.len() as u32,
            cost_usd: spent,
        };
        log.push(events::completed(&completed, self.now));
        Ok(vec![
            edit_file(unit.path(), &unit.doc.text, &changes)?,
            self.log(&log),
        ])
    }

    /// Returns the edits that park a unit for the user.
    pub(crate) fn park(
        &self,
        id: &str,
        attempts: &[&AttemptRecord],
        reason: &ParkReason,
    ) -> Result<FileEdits> {
        let unit = self.unit(id)?;
        let to = move_unit(unit.status(), UnitVerb::Park).map_err(|e| e.of_unit(id))?;
        let last = attempts.last().and_then(|a| a.judgement.as_ref());
        let class = last.and_then(Judgement::failure_class);
        let signature = last.and_then(Judgement::failure_signature);
        let mut changes = vec![
            ("status", KeyEdit::Scalar(to.word())),
            ("escalation_reason", KeyEdit::Scalar(reason.cause().word())),
        ];
        if let Some(class) = class {
            changes.push(("escalation_failure_class", KeyEdit::Scalar(class.text())));
        }
        if let Some(signature) = signature {
            changes.push(("escalation_failure_signature", KeyEdit::Scalar(signature)));
        }
        let figures = UnitFigures::of(unit, attempts);
        changes.extend(figures.changes());
        let mut log = events::of_attempts(unit.unit_type().word(), attempts);
        log.push(events::escalation(id, self.now, reason));
        let (path, text) = edit_file(unit.path(), &unit.doc.text, &changes)?;
        let text = match reason {
            // The unit is the next session's whole prompt: there the answer will stand.
            ParkReason::AgentBlocked(asks) if last_words::is_question(asks) => {
                questions::asked(&text, &evidence::one_line(asks))
            }
            _ => text,
        };
        Ok(vec![(path, text), self.log(&log)])
    }

    /// Returns the edits that close a closing unit without a session.
    pub(crate) fn auto_close(
        &self,
        id: &str,
        decision: &Decision,
        retrospective: &str,
    ) -> Result<FileEdits> {
        let unit = self.unit(id)?;
        let to = move_unit(unit.status(), UnitVerb::Complete).map_err(|e| e.of_unit(id))?;
        let reasons = decision
            .conditions
            .iter()
            .map(|c| format!("{}: {}", c.name, c.detail));
        let reasons = format!(
            "[{}]",
            reasons.map(|r| quoted(&r)).collect::<Vec<_>>().join(", ")
        );
        let changes = [
            ("status", KeyEdit::Scalar(to.word())),
            ("verdict", KeyEdit::Scalar("met")),
            ("auto_close", KeyEdit::Raw("true")),
            ("auto_close_reasons", KeyEdit::Raw(&reasons)),
        ];
        let completed = CompletedUnit {
            id,
            unit_type: unit.unit_type().word(),
            attempts: 0,
            cost_usd: None,
        };
        let log = [
            events::auto_close(id, self.now, decision),
            events::completed(&completed, self.now),
        ];
        let old = self.feature.others.get(layout::RETROSPECTIVE);
        let text = super::retrospective::with_section(old.map(|b| &**b), retrospective);
        Ok(vec![
            edit_file(unit.path(), &unit.doc.text, &changes)?,
            (self.feature.path(layout::RETROSPECTIVE), text),
            self.log(&log),
        ])
    }

    /// Returns the edits that bring a gate to `awaiting_review`, or finish the feature.
    ///
    /// Fails as a fault of the plan where the gate or the feature cannot take that move, or a file cannot be edited.
    pub fn close_gate(&self, gate: usize, finish: bool) -> Result<FileEdits> {
        let mut edits = Vec::new();
        let number = self.feature.gate_number(gate);
        let mut status = self.feature.gate_status(gate);
        let refuse = |e: crate::model::status_machine::IllegalMove| {
            Error::plan(format!("gate {number}: {e}"))
        };
        if status == GateStatus::Open {
            status = move_gate(status, GateVerb::Reach).map_err(refuse)?;
        }
        if finish && status == GateStatus::AwaitingReview {
            status = move_gate(status, GateVerb::Pass).map_err(refuse)?;
        }
        if let Some(file) = self.feature.gate(gate) {
            edits.push(edit_file(
                &file.doc.path,
                &file.doc.text,
                &[("status", KeyEdit::Scalar(status.word()))],
            )?);
        }
        if finish {
            edits.extend(self.feature_status(FeatureVerb::Finish)?);
        }
        let name = self.feature.name();
        edits.push(self.log(&[events::gate_reached(&name, self.now, number, status.word())]));
        Ok(edits)
    }

    /// Returns the edits that move the feature, its roadmap row included.
    ///
    /// Fails as a fault of the plan where the feature cannot take that move.
    pub fn feature_status(&self, verb: FeatureVerb) -> Result<FileEdits> {
        let plan = &self.feature.plan;
        let to = move_feature(plan.status(), verb)
            .map_err(|e| Error::plan(self.feature.name()).with_source(e))?;
        let mut edits = vec![edit_file(
            &plan.doc.path,
            &plan.doc.text,
            &[("status", KeyEdit::Scalar(to.word()))],
        )?];
        edits.extend(self.roadmap_status(to.word()));
        Ok(edits)
    }
}

/// Returns the verdict a session wrote into its own file, if it may.
fn verdict_in(unit: &Unit, session_text: &str) -> Option<String> {
    if !unit.unit_type().is_closing() {
        return None;
    }
    let written = Unit::parse(unit.path().clone(), session_text.as_bytes());
    written.front.verdict.map(|v| v.value.word().to_owned())
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a string")
}
