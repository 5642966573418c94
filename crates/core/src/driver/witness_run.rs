//! Asking a unit's fast commands whether they miss lines of its work: on trees with those lines taken back, in a slot of
//! verification's, within a budget of time. Every answer is cached by tree and command, so a run that is killed goes on
//! where it was.

use super::driver_event::DriverEvent;
use super::ports::{SlotContent, SlotId, TreeWrite};
use super::result_cache::{UNPROVEN, base_key};
use super::run_loop::Driver;
use super::verification_request::VerificationSlot;
use super::witness_case::{WitnessCase, WitnessSubject};
use crate::engine::attempt_record::witness_report::{WitnessMethod, WitnessReport};
use crate::engine::command_end::CommandEnd;
use crate::engine::failure_class::CommandVerdict;
use crate::engine::witness::{TimedCommand, WitnessSearch, allowance, choose};
use crate::error::{Error, Result};
use crate::model::witness_settings::WitnessSettings;
use crate::object_id::ObjectId;
use jiff::Timestamp;
use std::time::Duration;

/// How often at most a line says how far it is.
const PROGRESS_EVERY: f64 = 5.0;

/// What would be looked at.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct WitnessOutline {
    /// Hunks of the product's diff.
    pub hunks: usize,
    /// Changes that no check could see.
    pub not_asked: u32,
    /// Names of the commands that may be asked.
    pub commands: Vec<String>,
    /// The mutation tester that is run instead.
    pub tester: Option<String>,
    /// Stands for the product's files.
    #[serde(skip)]
    pub product_tree: String,
    /// The hash of the commands.
    #[serde(skip)]
    pub oracle: String,
}

/// Where a witness runs, for how long, and whether anyone still wants it.
#[derive(Clone, Copy)]
pub struct WitnessTerms<'w> {
    /// Which slot, by its kind and number.
    pub slot: SlotId,
    /// The attempt's number; 0 for what has landed.
    pub number: u32,
    /// How long it may take; the project's own setting when absent.
    pub budget: Option<Duration>,
    /// Whether nobody wants to see how far it is.
    pub quiet: bool,
    /// Says whether to go on.
    pub wanted: &'w (dyn Fn() -> bool + Sync),
}

/// A witness under way.
pub(super) struct WitnessRun<'r> {
    pub(super) case: &'r WitnessCase<'r>,
    pub(super) terms: &'r WitnessTerms<'r>,
    began: Timestamp,
    pub(super) budget: Duration,
    /// The tree the slot holds.
    holds: Option<ObjectId>,
    last_line: Timestamp,
}

impl Driver<'_> {
    /// Returns what a witness of a unit would look at. Runs nothing.
    ///
    /// Fails where the plan at its base cannot be read or its commands would prove nothing.
    pub fn witness_outline(&self, subject: &WitnessSubject<'_>) -> Result<WitnessOutline> {
        let case = self.witness_case(subject)?;
        let oracle = case.oracle();
        let search = WitnessSearch::new(case.files);
        let settings = case.plan.workspace.verification.witness();
        Ok(WitnessOutline {
            hunks: search.hunks(),
            not_asked: search.not_asked + case.not_text,
            commands: case.commands.iter().map(|c| c.name.clone()).collect(),
            tester: settings.tester().map(|t| t.shell.to_owned()),
            product_tree: case.product,
            oracle,
        })
    }

    /// Finds out which lines of a unit's work no check sees; nothing where it was asked to stop.
    pub fn witness(
        &self,
        subject: &WitnessSubject<'_>,
        terms: &WitnessTerms<'_>,
    ) -> Result<Option<WitnessReport>> {
        let case = self.witness_case(subject)?;
        let settings: WitnessSettings = case.plan.workspace.verification.witness();
        let began = self.machine.now();
        let mut run = WitnessRun {
            case: &case,
            terms,
            began,
            budget: terms.budget.unwrap_or_else(|| settings.budget()),
            holds: None,
            last_line: began,
        };
        match settings.tester() {
            Some(tester) => self.ask_tester(&mut run, tester),
            None => self.take_lines_back(&mut run),
        }
    }

    /// Whether a witness is to be left where it is.
    pub(super) fn is_over(&self, run: &WitnessRun<'_>) -> bool {
        self.machine.stopping() || !(run.terms.wanted)()
    }

    pub(super) fn spent(&self, run: &WitnessRun<'_>) -> Duration {
        let spent = self.machine.now().duration_since(run.began);
        spent.try_into().unwrap_or_default()
    }

    pub(super) fn slot_of<'v>(&self, run: &WitnessRun<'v>) -> VerificationSlot<'v> {
        VerificationSlot {
            id: run.terms.slot,
            unit: run.case.unit,
            number: run.terms.number,
            plan: &run.case.plan,
        }
    }

    fn take_lines_back(&self, run: &mut WitnessRun<'_>) -> Result<Option<WitnessReport>> {
        let mut search = WitnessSearch::new(run.case.files.clone());
        let mut chosen = Vec::new();
        if search.hunks() > 0 {
            let Some(timed) = self.time_commands(run)? else {
                return Ok(None);
            };
            chosen = choose(timed);
            if chosen.is_empty() {
                return Err(Error::plan(format!(
                    "{}: none of its commands passes on what it made, so none can miss anything",
                    run.case.unit
                ))
                .hint(format!(
                    "`gatewalk verify {}` compares them with the record",
                    run.case.unit
                )));
            }
        }
        while self.spent(run) < run.budget {
            let Some(probe) = search.next() else { break };
            self.report_progress(run, &search);
            match self.is_missed(run, search.texts_without(&probe), &chosen)? {
                Some(missed) => search.answer(probe, missed),
                None => return Ok(None),
            }
        }
        Ok(Some(WitnessReport {
            product_tree: run.case.product.clone(),
            oracle: run.case.oracle(),
            by: WitnessMethod::TakenBack,
            hunks: search.hunks() as u32,
            asked: search.asked,
            not_asked: search.not_asked + run.case.not_text,
            left: search.left() as u32,
            unwitnessed: search.unwitnessed(),
            commands: chosen.into_iter().map(|c| c.command.name).collect(),
            seconds: rounded(self.spent(run)),
        }))
    }

    /// Runs every command on the work as it is; returns those that pass, with their time.
    fn time_commands(&self, run: &mut WitnessRun<'_>) -> Result<Option<Vec<TimedCommand>>> {
        let slot = self.slot_of(run);
        self.prepare_verification(slot.plan, slot.id, &run.case.tree)?;
        run.holds = Some(run.case.tree);
        let mut timed = Vec::new();
        for (nth, command) in run.case.commands.iter().enumerate() {
            if nth > 0 {
                self.machine.restore_slot(slot.id)?;
            }
            if self.is_over(run) {
                return Ok(None);
            }
            let result = self.run_command(&slot, command)?.result;
            if result.verdict == CommandVerdict::Pass {
                timed.push(TimedCommand {
                    command: command.clone(),
                    seconds: result.seconds,
                });
            }
        }
        Ok((!self.is_over(run)).then_some(timed))
    }

    /// Returns whether any command misses what texts lack; nothing where it was asked to stop.
    fn is_missed(
        &self,
        run: &mut WitnessRun<'_>,
        texts: Vec<(String, String)>,
        chosen: &[TimedCommand],
    ) -> Result<Option<bool>> {
        let edits: Vec<TreeWrite> = texts
            .into_iter()
            .map(|(path, text)| (path, Some(text.into_bytes().into())))
            .collect();
        let tree = self.machine.edit_tree(&run.case.tree, &edits)?;
        let key = self.machine.tree_key(&tree, self.layout.dir())?;
        for timed in chosen {
            let key = format!("without-{}", base_key(&key, &timed.command.identity()));
            let exit = match self.witnessed(&key) {
                Some(exit) => exit,
                None => {
                    let Some(exit) = self.exit_on(run, &tree, timed)? else {
                        return Ok(None);
                    };
                    self.cache_exit(key, exit);
                    exit
                }
            };
            if exit != 0 {
                return Ok(Some(true));
            }
        }
        Ok(Some(false))
    }

    /// Runs a command on a changed tree and returns its exit code.
    fn exit_on(
        &self,
        run: &mut WitnessRun<'_>,
        tree: &ObjectId,
        timed: &TimedCommand,
    ) -> Result<Option<i32>> {
        if self.is_over(run) {
            return Ok(None);
        }
        let slot = self.slot_of(run);
        if run.holds == Some(*tree) {
            self.machine.restore_slot(slot.id)?;
        } else {
            self.machine.switch_slot(&SlotContent {
                slot: slot.id,
                commit: slot.plan.commit,
                tree: *tree,
                branch: &self.branch,
            })?;
            run.holds = Some(*tree);
        }
        let mut command = timed.command.clone();
        command.timeout = allowance(timed);
        // Two changes of one file within a second, of one length, look the same to its compiled form.
        command.shell = format!("export PYTHONDONTWRITEBYTECODE=1\n{}", command.shell);
        let outcome = self.run_command(&slot, &command)?;
        let ended = outcome.evidence.as_ref().map(|e| &e.ended);
        // What was cut short says nothing.
        if self.is_over(run) || ended == Some(&CommandEnd::Cancelled) {
            return Ok(None);
        }
        let result = outcome.result;
        Ok(Some(match result.verdict.known() {
            Some(CommandVerdict::Pass) => 0,
            // Without a report a command that failed has noticed the change all the same.
            Some(CommandVerdict::Unproven) if result.exit == Some(0) => UNPROVEN,
            _ => result.exit.filter(|exit| *exit != 0).unwrap_or(-1),
        }))
    }

    fn report_progress(&self, run: &mut WitnessRun<'_>, search: &WitnessSearch) {
        let now = self.machine.now();
        let since = now.duration_since(run.last_line).as_secs_f64();
        if run.terms.quiet || search.asked > 0 && since < PROGRESS_EVERY {
            return;
        }
        run.last_line = now;
        self.report(DriverEvent::Witness {
            unit: run.case.unit.to_owned(),
            asked: search.asked,
            left: search.left() as u32 + 1,
            unwitnessed: search.unwitnessed().len() as u32,
        });
    }
}

pub(super) fn rounded(time: Duration) -> f64 {
    (time.as_secs_f64() * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests;
