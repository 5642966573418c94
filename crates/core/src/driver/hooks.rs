//! The user's own hooks, from their trusted copy: they judge as part of verification, and are tried on the base
//! first, so that one that can never pass costs no session.

use super::base_check::BaseCheckRun;
use super::command_report::evidence_text;
use super::oracle_run::{CommandOutcome, OracleOutcome, VerificationSlot};
use super::result_cache::base_key;
use super::run_loop::Driver;
use crate::engine::oracle::{CommandSource, OracleCommand};
use crate::engine::trailers::{self, Trailer};
use crate::error::Result;
use crate::model::config::HookPolicy;
use crate::model::unit::Unit;
use crate::model::verification::DEFAULT_COMMAND_TIMEOUT;

/// A harmless change to try hooks on.
const STAGED: (&str, &str) = ("gatewalk-trial.txt", "A file to try the hooks on.\n");

impl Driver<'_> {
    /// Runs the hooks in a prepared slot, one after the other.
    fn hooks_in(&self, slot: &VerificationSlot<'_>) -> Result<Vec<CommandOutcome>> {
        let (_, unit) = slot.plan.unit(slot.unit)?;
        let subject = super::land::subject(&unit.title());
        let message = trailers::message(&subject, "", &[(Trailer::Feature, slot.unit)]);
        let mut all = Vec::new();
        for (name, shell) in self.machine.hooks(slot.id, &message)? {
            let hook = OracleCommand {
                name,
                shell,
                timeout: DEFAULT_COMMAND_TIMEOUT,
                when: vec![],
                source: CommandSource::Hook,
                expects_red: false,
            };
            let outcome = self.run_command(slot, &hook)?;
            if self.machine.stopping() {
                break;
            }
            all.push(outcome);
        }
        Ok(all)
    }

    /// Runs the hooks on what is judged.
    pub(super) fn run_hooks(
        &self,
        slot: &VerificationSlot<'_>,
        verified: &mut OracleOutcome,
    ) -> Result<()> {
        if slot.plan.workspace.config.hooks() == HookPolicy::Skip {
            return Ok(());
        }
        for outcome in self.hooks_in(slot)? {
            self.take(slot, outcome, verified);
        }
        Ok(())
    }

    /// Runs the hooks on the base, unless they were green on it before; what is red there is the unit's own job or
    /// nobody's.
    pub(super) fn try_hooks(&self, trial: &mut BaseCheckRun<'_>) -> Result<()> {
        let names = self.machine.hook_names();
        let plan = trial.slot.plan;
        if plan.workspace.config.hooks() == HookPolicy::Skip || names.is_empty() {
            return Ok(());
        }
        // What a message looks like is the same for every unit; what is green for one is so for the next.
        let key = base_key(&trial.tree_key, &format!("hooks {}", names.join(" ")));
        if self.known(&key) == Some(0) {
            return Ok(());
        }
        self.ready(trial)?;
        let slot = &trial.slot;
        let mut outcomes = self.hooks_in(slot)?;
        if outcomes.iter().any(|s| !s.result.passed()) && !self.machine.stopping() {
            // Nothing is staged on the base, and a hook may refuse just that.
            let edited = self
                .machine
                .edit_tree(&plan.tree, &[(STAGED.0.into(), Some(STAGED.1.into()))])?;
            self.prepare_verification(plan, slot.id, &edited)?;
            let again = self.hooks_in(slot)?;
            let red = |s: &CommandOutcome| !s.result.passed();
            outcomes.retain(|s| {
                red(s)
                    && again
                        .iter()
                        .any(|a| red(a) && a.result.name == s.result.name)
            });
        }
        let (_, unit) = slot.plan.unit(slot.unit)?;
        let expected = Unit::list(&unit.front.expects_red);
        let mut green = true;
        for outcome in outcomes {
            if outcome.result.passed() {
                continue;
            }
            green = false;
            if !expected.contains(&outcome.result.name.as_str()) {
                trial
                    .report
                    .evidence
                    .extend(outcome.evidence.as_ref().map(evidence_text));
                trial.report.red.push(outcome.result.name);
            }
        }
        if green && !self.machine.stopping() {
            self.cache_exit(key, 0);
        }
        Ok(())
    }
}
