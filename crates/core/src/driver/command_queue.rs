//! Running the commands of an oracle one after another, the cheapest first, or side by side where they say they may; what is
//! not worth its time once another one failed is skipped, and what nothing concerns is reused.

use super::command_outcome::{CommandOutcome, outcome_of};
use super::command_report::{reused, skipped, skipped_because};
use super::flaky_rerun::rerun_on;
use super::lost_tests::TestComparison;
use super::oracle_outcome::OracleOutcome;
use super::run_loop::Driver;
use super::verification_request::{VerificationRequest, VerificationSlot};
use crate::engine::attempt_record::CommandResult;
use crate::engine::command_order::{CommandCosts, not_worth, order};
use crate::engine::failure_class::CommandVerdict;
use crate::engine::guards;
use crate::engine::oracle::{CommandJudge, OracleCommand};
use crate::error::Result;
use crate::model::layout;
use crate::object_id::ObjectId;

/// How many trees are kept on which a command with `inputs` passed.
const TREES: usize = 8;

/// What is known when the next commands start.
struct Standing<'a> {
    costs: &'a CommandCosts,
    /// The command that failed in the shortest time, with its seconds.
    red: Option<(String, f64)>,
}

impl Driver<'_> {
    /// Runs the commands that judge a tree.
    pub(super) fn run_all(
        &self,
        slot: &VerificationSlot<'_>,
        request: &VerificationRequest<'_>,
        verified: &mut OracleOutcome,
    ) -> Result<()> {
        let log = slot.plan.feature().others.get(layout::EVENTS);
        // One command has neither a place nor another that fails before it.
        let log = log.filter(|_| request.commands.len() > 1);
        let costs = log.map_or_else(CommandCosts::default, |log| CommandCosts::of(log));
        let mut standing = Standing {
            costs: &costs,
            red: None,
        };
        let queue = order(request.commands, &costs);
        let mut rest = &queue[..];
        while !rest.is_empty() {
            let (now, later) = rest.split_at(together(rest));
            rest = later;
            let outcomes = self.run_some(slot, request, (now, &standing))?;
            if self.machine.stopping() {
                return Ok(());
            }
            for outcome in outcomes {
                standing.note(&outcome.result);
                self.take(slot, outcome, verified);
            }
        }
        Ok(())
    }

    /// Runs some commands side by side, or the one there is; in their order.
    fn run_some(
        &self,
        slot: &VerificationSlot<'_>,
        request: &VerificationRequest<'_>,
        (commands, standing): (&[&OracleCommand], &Standing<'_>),
    ) -> Result<Vec<CommandOutcome>> {
        let mut outcomes: Vec<Option<CommandOutcome>> = Vec::new();
        for command in commands {
            outcomes.push(self.without_run(request, command, standing)?);
        }
        let open = |at: &usize| outcomes[*at].is_none();
        let open: Vec<usize> = (0..commands.len()).filter(open).collect();
        let firsts = match open[..] {
            [] => vec![],
            [one] => vec![self.run_command(slot, commands[one])?],
            _ => self.run_together(slot, open.iter().map(|at| commands[*at]).collect())?,
        };
        for (at, first) in open.into_iter().zip(firsts) {
            let mut outcome = match rerun_on(slot, request.tree) {
                Some(tree) => self.second_look(slot, (commands[at], tree), first)?,
                None => first,
            };
            let asked = TestComparison {
                number: slot.number,
                base: &slot.plan.tree,
                tree: request.tree,
                inspected: request.inspected,
            };
            self.hold_against_base(&asked, commands[at], &mut outcome)?;
            self.note_passed(commands[at], &outcome.result, request.tree);
            outcomes[at] = Some(outcome);
        }
        Ok(outcomes.into_iter().flatten().collect())
    }

    /// Returns how a command ends that need not run.
    fn without_run(
        &self,
        request: &VerificationRequest<'_>,
        command: &OracleCommand,
        standing: &Standing<'_>,
    ) -> Result<Option<CommandOutcome>> {
        let not_run = |result: CommandResult| CommandOutcome {
            result,
            evidence: None,
            rewritten: vec![],
            tests: None,
            weakened: false,
            base_unfit: false,
        };
        if !request.asks(command) {
            return Ok(Some(not_run(skipped(command))));
        }
        let red = standing.red.as_ref();
        let why = red.and_then(|(name, took)| not_worth((name, *took), command, standing.costs));
        if let Some(why) = why {
            return Ok(Some(not_run(skipped_because(command, why))));
        }
        if request.comes_from(&command.inputs) {
            return Ok(None);
        }
        let passed_on = self.unconcerned(command, request.tree)?;
        Ok(passed_on.map(|tree| not_run(reused(command, &tree))))
    }

    /// Runs commands in one slot at the same time.
    fn run_together(
        &self,
        slot: &VerificationSlot<'_>,
        commands: Vec<&OracleCommand>,
    ) -> Result<Vec<CommandOutcome>> {
        let mut rewritten = self.restore_if_used(slot)?;
        let ends: Vec<_> = std::thread::scope(|scope| {
            let start = |command: &'_ OracleCommand| {
                let command = command.clone();
                scope.spawn(move || self.run_shell(slot, &command))
            };
            let running: Vec<_> = commands.iter().map(|c| start(c)).collect();
            running.into_iter().map(|thread| thread.join()).collect()
        });
        let mut outcomes = Vec::new();
        for (command, end) in commands.into_iter().zip(ends) {
            let end = end.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            outcomes.push(outcome_of(command, &end, std::mem::take(&mut rewritten)));
        }
        Ok(outcomes)
    }

    /// Returns a tree on which a command passed in this run, and since when none of its `inputs` changed.
    pub(super) fn unconcerned(
        &self,
        command: &OracleCommand,
        tree: &ObjectId,
    ) -> Result<Option<ObjectId>> {
        if command.inputs.is_empty() {
            return Ok(None);
        }
        let inputs: Vec<&str> = command.inputs.iter().map(String::as_str).collect();
        let inputs = guards::set(&inputs);
        let known = self.cache().passed_on.get(&command.identity()).cloned();
        for passed in known.into_iter().flatten().rev() {
            let changes = self.machine.diff(&passed, tree)?;
            if !changes.iter().any(|change| inputs.is_match(&change.path)) {
                return Ok(Some(passed));
            }
        }
        Ok(None)
    }

    fn note_passed(&self, command: &OracleCommand, result: &CommandResult, tree: &ObjectId) {
        if command.inputs.is_empty() || result.verdict != CommandVerdict::Pass {
            return;
        }
        let mut cache = self.cache();
        let trees = cache.passed_on.entry(command.identity()).or_default();
        if trees.len() == TREES {
            trees.remove(0);
        }
        trees.push(*tree);
    }
}

impl Standing<'_> {
    fn note(&mut self, result: &CommandResult) {
        let failed = matches!(
            result.verdict.known(),
            Some(CommandVerdict::Fail | CommandVerdict::Unproven)
        );
        let sooner = self
            .red
            .as_ref()
            .is_none_or(|(_, took)| result.seconds < *took);
        if failed && sooner {
            self.red = Some((result.name.clone(), result.seconds));
        }
    }
}

/// How many of the next commands may run side by side.
fn together(rest: &[&OracleCommand]) -> usize {
    let may = |c: &OracleCommand| c.parallel && c.judge == CommandJudge::Exit;
    let mut count = 0;
    for command in rest {
        let waits = rest[..count]
            .iter()
            .any(|c| command.needs.contains(&c.name));
        if !may(command) || waits {
            break;
        }
        count += 1;
    }
    count.max(1)
}

#[cfg(test)]
mod tests;
