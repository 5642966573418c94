//! The user's own hooks, from their trusted copy: they judge as part of verification, and are tried on the base
//! first, so that one that can never pass costs no session.

use super::base_check_run::BaseCheckRun;
use super::command_outcome::CommandOutcome;
use super::command_report::evidence_text;
use super::oracle_outcome::OracleOutcome;
use super::result_cache::base_key;
use super::run_loop::Driver;
use super::verification_request::VerificationSlot;
use crate::engine::oracle::{CommandJudge, CommandSource, OracleCommand};
use crate::engine::red_command::{RedCause, RedCommand};
use crate::engine::trailers::{self, Trailer};
use crate::error::Result;
use crate::model::config::HookPolicy;
use crate::model::unit::Unit;
use crate::model::verification::DEFAULT_COMMAND_TIMEOUT;

/// A harmless change to try hooks on.
const STAGED: (&str, &str) = ("gatewalk-trial.txt", "A file to try the hooks on.\n");

/// The hook that judges what a commit says, by the name that `expects_red` gives it too.
const OF_MESSAGE: &str = "commit-msg hook";

/// What the commit of a unit's work would say, as far as hooks are tried on it.
pub(super) struct LandingMessage {
    subject: String,
    text: String,
}

impl LandingMessage {
    pub(super) fn of(unit: &Unit, id: &str) -> LandingMessage {
        let subject = super::land::subject(&unit.title());
        let text = trailers::message(&subject, "", &[(Trailer::Feature, id)]);
        LandingMessage { subject, text }
    }
}

/// Returns a hook as red on the base.
pub(super) fn red_hook(name: &str, message: &LandingMessage, unit: &Unit) -> RedCommand {
    let cause = match name == OF_MESSAGE {
        true => RedCause::Message {
            subject: message.subject.clone(),
            file: unit.path().to_string(),
        },
        false => RedCause::Hook,
    };
    RedCommand {
        name: name.to_owned(),
        cause,
    }
}

/// Returns the name under which a hook's result on the base is cached: of one that judges the message with the message,
/// which is another for every unit.
pub(super) fn hook_key(tree_key: &str, hook: &str, message: &LandingMessage) -> String {
    let judged = if hook == OF_MESSAGE {
        &*message.text
    } else {
        ""
    };
    base_key(tree_key, &format!("{hook} {judged}"))
}

impl Driver<'_> {
    fn landing_message(&self, slot: &VerificationSlot<'_>) -> Result<LandingMessage> {
        let (_, unit) = slot.plan.unit(slot.unit)?;
        Ok(LandingMessage::of(unit, slot.unit))
    }

    /// Runs hooks in a prepared slot, one after the other: those asked for.
    fn hooks_in(
        &self,
        slot: &VerificationSlot<'_>,
        is_asked: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<CommandOutcome>> {
        let message = self.landing_message(slot)?;
        let mut all = Vec::new();
        for (name, shell) in self.machine.hooks(slot.id, &message.text)? {
            if !is_asked(&name) {
                continue;
            }
            let hook = OracleCommand {
                name,
                shell,
                timeout: DEFAULT_COMMAND_TIMEOUT,
                when: vec![],
                source: CommandSource::Hook,
                expects_red: false,
                judge: CommandJudge::Exit,
                needs: vec![],
                parallel: false,
                inputs: vec![],
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
        for outcome in self.hooks_in(slot, &|_| true)? {
            self.take(slot, outcome, verified);
        }
        Ok(())
    }

    /// Runs the hooks on the base, unless they were green on it before; what is red there is the unit's own job or
    /// nobody's.
    pub(super) fn try_hooks<'p>(&'p self, trial: &mut BaseCheckRun<'p>) -> Result<()> {
        let plan = trial.slot.plan;
        if plan.workspace.config.hooks() == HookPolicy::Skip {
            return Ok(());
        }
        let message = self.landing_message(&trial.slot)?;
        let key = |hook: &str| hook_key(&trial.tree_key, hook, &message);
        let unknown = self.machine.hook_names().into_iter();
        let unknown: Vec<(String, String)> = unknown
            .map(|hook| {
                let key = key(&hook);
                (hook, key)
            })
            .filter(|(_, key)| self.known(key) != Some(0))
            .collect();
        if unknown.is_empty() {
            return Ok(());
        }
        self.ready(trial)?;
        let red = self.red_hooks(&trial.slot, &unknown)?;
        if self.machine.stopping() {
            return Ok(());
        }
        for (name, key) in unknown {
            // A red one is asked again by the next run; until then `status` says what it was.
            let is_red = red.iter().any(|outcome| outcome.result.name == name);
            self.cache_exit(key, i32::from(is_red));
        }
        let (_, unit) = plan.unit(trial.slot.unit)?;
        let expected = Unit::list(&unit.front.expects_red);
        for outcome in red {
            if expected.contains(&outcome.result.name.as_str()) {
                continue;
            }
            let evidence = outcome.evidence.as_ref().map(evidence_text);
            trial.report.evidence.extend(evidence);
            let red = red_hook(&outcome.result.name, &message, unit);
            trial.report.red.push(red);
        }
        Ok(())
    }

    /// Runs hooks on the base, and returns those that are red there and on a harmless change of it.
    fn red_hooks(
        &self,
        slot: &VerificationSlot<'_>,
        asked: &[(String, String)],
    ) -> Result<Vec<CommandOutcome>> {
        let is_asked = |name: &str| asked.iter().any(|(asked, _)| asked == name);
        let mut red = self.hooks_in(slot, &is_asked)?;
        red.retain(|outcome| !outcome.result.passed());
        if red.is_empty() || self.machine.stopping() {
            return Ok(red);
        }
        // Nothing is staged on the base, and a hook may refuse just that.
        let edited = self.machine.edit_tree(
            &slot.plan.tree,
            &[(STAGED.0.into(), Some(STAGED.1.as_bytes().into()))],
        )?;
        self.prepare_verification(slot.plan, slot.id, &edited)?;
        let is_red = |name: &str| red.iter().any(|outcome| outcome.result.name == name);
        let again = self.hooks_in(slot, &is_red)?;
        let still_red = |name: &str| {
            again
                .iter()
                .any(|outcome| outcome.result.name == name && !outcome.result.passed())
        };
        red.retain(|outcome| still_red(&outcome.result.name));
        Ok(red)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hook_that_judges_the_message_is_known_for_that_message_only() {
        let message = |subject: &str| LandingMessage {
            subject: subject.to_owned(),
            text: format!("{subject}\n"),
        };
        let (one, other) = (message("feat: one"), message("Other"));
        let same = |hook: &str, a: &LandingMessage, b: &LandingMessage| {
            hook_key("tree", hook, a) == hook_key("tree", hook, b)
        };
        assert!(same("pre-commit hook", &one, &other));
        assert!(!same(OF_MESSAGE, &one, &other));
        assert!(same(OF_MESSAGE, &one, &one));
        assert_ne!(
            hook_key("a", "pre-commit hook", &one),
            hook_key("b", "pre-commit hook", &one)
        );
        assert_ne!(
            hook_key("a", "pre-commit hook", &one),
            hook_key("a", OF_MESSAGE, &one)
        );
    }
}
