//! How a unit without an open attempt goes on.

use super::{Findings, must_ask, red_tip};
use crate::engine::action::{Action, Stop};
use crate::engine::broad_tier::{self, BroadState};
use crate::engine::park_reason::ParkReason;
use crate::engine::snapshot::Snapshot;
use crate::engine::{auto_close, model_selection};
use crate::model::config::BaseCheck;
use crate::model::unit::{Unit, UnitType};

/// A unit of the frontier that nothing is open of.
pub(super) struct UnitStart<'a> {
    pub(super) s: &'a Snapshot,
    pub(super) gate: usize,
    pub(super) unit: &'a Unit,
    pub(super) id: &'a String,
    /// How many attempts it had since it was armed.
    pub(super) used: u32,
}

/// Finds what comes next: what must be known or said before a session, or the session.
pub(super) fn find(start: &UnitStart<'_>, found: &mut Findings) {
    if start.waits_for_broad_tier(found) || start.closes_without_session(found) {
        return;
    }
    let trouble = start.s.trouble.get(start.id).cloned().unwrap_or_default();
    if trouble.next >= model_selection::chain_length(start.s, start.unit) {
        found.no_agent.get_or_insert(Stop::NoAgent {
            unit: start.id.clone(),
            why: trouble.why,
            replaceable: !trouble.explained_crash && trouble.runner.is_none(),
            runner: trouble.runner,
        });
        return;
    }
    if let Some(until) = trouble.wait_until.filter(|until| *until > start.s.now) {
        found.waits.push((until, trouble.why));
        return;
    }
    if start.waits_for_base(found) {
        return;
    }
    let attempts = start.s.attempts.get(start.id.as_str());
    let last = attempts.and_then(|all| all.last());
    found.actions.push(Action::Dispatch {
        unit: start.id.clone(),
        number: last.map_or(1, |last| last.number + 1),
        nth: start.used + 1,
        agent: trouble.next,
    });
}

impl UnitStart<'_> {
    /// A closing unit starts on a tip that the broad tier passed on.
    fn waits_for_broad_tier(&self, found: &mut Findings) -> bool {
        if !self.unit.unit_type().is_closing() {
            return false;
        }
        match broad_tier::state(self.s, self.gate) {
            BroadState::Unasked => {
                // It runs on the tip, which stands still only while nobody works.
                if self.s.running.is_empty() {
                    found.actions.push(Action::CheckBroad { gate: self.gate });
                }
                true
            }
            BroadState::Red(report) => {
                found.red_tip = Some(red_tip(self.s, self.gate, report));
                true
            }
            BroadState::Clear => false,
        }
    }

    /// A clean gate is closed without a session, once every requirement was looked at.
    fn closes_without_session(&self, found: &mut Findings) -> bool {
        let closes = matches!(
            self.unit.unit_type(),
            UnitType::Close | UnitType::CloseIntermediate
        );
        if !closes || self.used > 0 {
            return false;
        }
        if must_ask(self.s) {
            found.actions.push(Action::AskRequirements);
            return true;
        }
        let decision = auto_close::decide(self.s, self.gate);
        if !decision.mechanical {
            return false;
        }
        found.actions.push(Action::AutoClose {
            unit: self.id.clone(),
            decision,
        });
        true
    }

    /// The base is looked at before a session is spent; one that is red, or shows nothing, holds the unit.
    fn waits_for_base(&self, found: &mut Findings) -> bool {
        if !self.needs_base_check() {
            return false;
        }
        let unit = self.id.clone();
        match self.s.base.get(self.id) {
            None => found.actions.push(Action::CheckBase { unit }),
            Some(report) if !report.red.is_empty() => {
                found.red_base.push((unit, report.red.clone()));
            }
            Some(report) if self.used == 0 && !report.vacuous.is_empty() => {
                let reason = ParkReason::Vacuous {
                    checks: report.vacuous.clone(),
                };
                found.actions.push(Action::Park { unit, reason });
            }
            Some(_) => return false,
        }
        true
    }

    /// Closing units change only reflective files, and their oracle asks for just that change: it is
    /// red on every base by nature.
    fn needs_base_check(&self) -> bool {
        let (s, unit) = (self.s, self.unit);
        let has_checks = unit
            .front
            .checks
            .as_ref()
            .is_some_and(|c| !c.value.is_empty());
        let eager = s.config.base_check() == BaseCheck::Eager;
        // What a failed attempt showed of the base counts, too.
        let shown = s.inherited.contains(self.id) || s.base.contains_key(self.id);
        !unit.unit_type().is_closing() && (eager || has_checks || shown)
    }
}
