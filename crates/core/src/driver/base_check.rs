//! The oracle on the base, before a session is spent. What was verified at a landing is known.

use super::base_check_run::{AskedOnBase, BaseCheckRun, BaseCheckTurn};
use super::command_report::evidence_text;
use super::driver_event::DriverEvent;
use super::ports::SlotId;
use super::result_cache::{UNPROVEN, base_key};
use super::run_loop::{Driver, DriverCache};
use super::verification_request::VerificationSlot;
use crate::engine::failure_class::CommandVerdict;
use crate::engine::oracle::{CommandJudge, CommandSource, OracleCommand};
use crate::engine::red_command::{RedCause, RedCommand};
use crate::engine::secrets;
use crate::engine::snapshot::BaseReport;
use crate::engine::test_reports::case_comparison::CaseRules;
use crate::error::Result;
use crate::model::config::{BaseCheck, FlakyPolicy};
use crate::model::unit::ExpectBase;
use crate::object_id::ObjectId;

/// From how many seconds on a command is worth a word while others follow.
const LONG: f64 = 1.0;

impl Driver<'_> {
    /// Runs a unit's oracle on the tip and keeps what it found.
    pub(super) fn check_base(&self, id: &str, slot: SlotId) -> Result<()> {
        let tip = self.tip()?;
        let plan = self.plan_at(&tip)?;
        let eager = plan.workspace.config.base_check() == BaseCheck::Eager
            || self.cache().attempts.inherited.contains(id);
        let mut commands = self.oracle_of(&plan, id)?;
        commands.retain(|c| c.expect_base() != ExpectBase::Any);
        commands.retain(|c| eager || matches!(c.source, CommandSource::Check(_)));
        let slot = VerificationSlot {
            id: slot.verification(),
            unit: id,
            number: 0,
            plan: &plan,
        };
        let mut trial = BaseCheckRun::new(self, slot)?;
        trial.turn = BaseCheckTurn::Own(None);
        for command in &commands {
            if !self.try_on_base(&mut trial, command)? {
                return Ok(());
            }
        }
        if eager {
            self.try_hooks(&mut trial)?;
            if self.machine.stopping() {
                return Ok(());
            }
        }
        if !trial.report.red.is_empty()
            && let Some(named) = self.pointers_named(&plan.tree)?
        {
            trial.report.evidence.insert_str(0, &named);
        }
        self.keep_base_report(&tip, id, trial.report);
        Ok(())
    }

    /// Keeps what a unit's oracle found on a commit.
    pub(super) fn keep_base_report(&self, commit: &ObjectId, id: &str, mut report: BaseReport) {
        if !report.evidence.is_empty() {
            report.evidence = secrets::redact(&report.evidence);
            self.machine.keep_log((id, 0), "base.md", &report.evidence);
        }
        self.cache().base.insert(id.to_owned(), (*commit, report));
    }

    /// Tries a command on the base and adds what is wrong with it to the report; false when the run is to stop.
    pub(super) fn try_on_base<'p>(
        &'p self,
        trial: &mut BaseCheckRun<'p>,
        command: &OracleCommand,
    ) -> Result<bool> {
        if let (CommandJudge::NewFailures(rules), ExpectBase::Green) =
            (&command.judge, command.expect_base())
        {
            return self.try_cases(trial, command, rules);
        }
        let Some(exit) = self.on_base(trial, command)? else {
            return Ok(false);
        };
        match command.expect_base() {
            ExpectBase::Green if exit == UNPROVEN => {
                trial.is_red(&command.name, RedCause::NoTest);
            }
            ExpectBase::Green if exit != 0 => {
                let red = RedCommand::of_exit(&command.name, exit);
                trial.report.red.push(red);
            }
            ExpectBase::Red if exit == 0 => trial.report.vacuous.push(command.name.clone()),
            _ => {}
        }
        Ok(true)
    }

    /// Finds a command's cases on the base, against which the work is held.
    fn try_cases<'p>(
        &'p self,
        trial: &mut BaseCheckRun<'p>,
        command: &OracleCommand,
        rules: &CaseRules,
    ) -> Result<bool> {
        let mut known = self.knows_cases(&trial.slot, rules)?;
        if !known && self.took_turn(trial) {
            // Who had it before may have found them.
            known = self.knows_cases(&trial.slot, rules)?;
        }
        if !known {
            self.ready(trial)?;
        }
        let unfit = self.unfit_cases(&trial.slot, command, rules)?;
        if self.machine.stopping() {
            return Ok(false);
        }
        let key = cases_key(&trial.tree_key, command);
        let before = self.known(&key);
        if unfit.is_some() || before.is_some_and(|exit| exit != 0) {
            // Asked again by the next run; until then `status` says what it was.
            self.cache_exit(key, i32::from(unfit.is_some()));
        }
        if let Some(unfit) = unfit {
            trial.is_red(&command.name, unfit.cause);
            let evidence = unfit.evidence.as_deref().map(evidence_text);
            trial.report.evidence.extend(evidence);
        }
        Ok(true)
    }

    /// Waits for a turn of its own, where it has none yet; returns whether it did.
    fn took_turn<'p>(&'p self, trial: &mut BaseCheckRun<'p>) -> bool {
        let BaseCheckTurn::Own(turn @ None) = &mut trial.turn else {
            return false;
        };
        *turn = Some(self.verification_turn());
        true
    }

    /// Brings the tip's files to the slot, the first time that something is to run there.
    pub(super) fn ready<'p>(&'p self, trial: &mut BaseCheckRun<'p>) -> Result<()> {
        self.took_turn(trial);
        if std::mem::replace(&mut trial.prepared, true) {
            return Ok(());
        }
        let VerificationSlot { unit, plan, id, .. } = trial.slot;
        self.report(DriverEvent::BaseCheck {
            unit: unit.to_owned(),
        });
        self.prepare_verification(plan, id, &plan.tree)
    }

    /// Returns how a command ends on the base, running it only if that is not known; nothing when the run is to stop.
    fn on_base<'p>(
        &'p self,
        trial: &mut BaseCheckRun<'p>,
        command: &OracleCommand,
    ) -> Result<Option<i32>> {
        let key = base_key(&trial.tree_key, &command.shell);
        let green = command.expect_base() == ExpectBase::Green;
        loop {
            if let Some(exit) = self.known_on_base(trial, &key, green) {
                return Ok(Some(exit));
            }
            if self.machine.stopping() {
                return Ok(None);
            }
            if self.waited_for_another(&key) {
                continue;
            }
            // Whoever asks has a turn, and waits for nobody meanwhile: so somebody always gets on.
            if self.took_turn(trial) {
                continue;
            }
            if let Some(asked) = AskedOnBase::begin(self, &key) {
                // Another may have ended between the two looks.
                if let Some(exit) = self.known_on_base(trial, &key, green) {
                    return Ok(Some(exit));
                }
                let exit = self.ask_base(trial, command, &key);
                drop(asked);
                return exit;
            }
        }
    }

    /// Returns how a command ended on the base, where that is known.
    fn known_on_base(&self, trial: &mut BaseCheckRun<'_>, key: &str, green: bool) -> Option<i32> {
        let known_red = self.cache().red.get(key).filter(|_| green).cloned();
        if let Some((exit, evidence)) = known_red {
            trial.report.evidence.extend(evidence);
            return Some(exit);
        }
        // A cached red one runs again when a user has to see its output.
        self.known(key).filter(|exit| *exit == 0 || !green)
    }

    /// Waits while another unit's base check runs a command on the same files; returns whether one did.
    fn waited_for_another(&self, key: &str) -> bool {
        let cache = self.cache();
        if !cache.asking.contains(key) {
            return false;
        }
        let asking = |cache: &mut DriverCache| cache.asking.contains(key);
        // As with the lock itself: a panic elsewhere ends the run.
        drop(self.answered.wait_while(cache, asking));
        true
    }

    /// Runs a command on the base and keeps how it ended.
    fn ask_base<'p>(
        &'p self,
        trial: &mut BaseCheckRun<'p>,
        command: &OracleCommand,
        key: &str,
    ) -> Result<Option<i32>> {
        let green = command.expect_base() == ExpectBase::Green;
        if green && self.unconcerned(command, &trial.slot.plan.tree)?.is_some() {
            return Ok(Some(0));
        }
        self.ready(trial)?;
        let rerun = green && trial.slot.plan.workspace.config.flaky() == FlakyPolicy::Rerun;
        let tree = rerun.then_some(&trial.slot.plan.tree);
        let outcome = self.run_twice(&trial.slot, command, tree)?;
        if self.machine.stopping() {
            return Ok(None);
        }
        if outcome.result.seconds >= LONG {
            self.report(DriverEvent::BaseCommand {
                unit: trial.slot.unit.to_owned(),
                name: command.name.clone(),
                seconds: outcome.result.seconds,
            });
        }
        if let Some(tests) = &outcome.tests {
            match outcome.result.exit == Some(0) {
                true => self.cache_tests(&trial.slot.plan.tree, command, tests)?,
                false => self.keep_to_turn_green(&trial.slot.plan.tree, command, tests)?,
            }
        }
        let exit = match outcome.result.verdict == CommandVerdict::Unproven {
            true => UNPROVEN,
            false => outcome.result.exit.unwrap_or(-1),
        };
        if green && exit != 0 {
            let evidence = outcome.evidence.as_ref().map(evidence_text);
            let judge = self.machine.judging_runner(trial.slot.id);
            let place = judge.map(|runner| format!("On {runner}, which judges:\n"));
            let evidence = evidence.map(|text| place.unwrap_or_default() + &text);
            trial.report.evidence.extend(evidence.clone());
            self.cache().red.insert(key.to_owned(), (exit, evidence));
        }
        self.cache_exit(key.to_owned(), exit);
        Ok(Some(exit))
    }
}

/// Returns the name under which it is kept whether a command's cases on a tree are something to hold work against.
pub(super) fn cases_key(tree_key: &str, command: &OracleCommand) -> String {
    base_key(tree_key, &format!("cases\n{}", command.identity()))
}

#[cfg(test)]
mod tests {
    use crate::driver::ports::SlotId;
    use crate::driver::test_machine::BRANCH;
    use crate::driver::test_run::{ORACLE, driver, machine, story};
    use crate::engine::test_snapshot::FEATURE;
    use std::collections::BTreeSet;

    const UNITS: usize = 8;

    /// Returns how often commands ran, and the story, of units that start beside each other.
    fn ran_beside_each_other(oracle: &str, at_once: usize) -> (usize, String) {
        let units: Vec<String> = (1..=UNITS).map(|n| format!("T{n:02}")).collect();
        let sessions: Vec<String> = (1..=UNITS).map(|n| format!("+f{n}")).collect();
        let machine = machine(
            &format!("G1: {}", units.join("; ")),
            oracle,
            &sessions.join(";"),
        );
        machine.world().verifications_at_once = at_once;
        driver(&machine, UNITS).run().unwrap();
        let ran = machine.world().ran.len();
        (ran, story(&machine))
    }

    #[test]
    fn what_every_unit_asks_of_the_base_is_run_once() {
        for at_once in [1, 2, UNITS] {
            let oracle = "code:\n  - {name: work, command: lacks broken}\n  - {name: more, command: lacks it}\n";
            let (ran, story) = ran_beside_each_other(oracle, at_once);
            assert_eq!(story.matches("landed").count(), UNITS, "{story}");
            assert_eq!(ran, 2 * (UNITS + 1), "{at_once} at once");
            // One that is red is tried twice, and shown for each.
            let red = "code:\n  - {name: work, command: has it}\n";
            let (ran, story) = ran_beside_each_other(red, at_once);
            assert_eq!((ran, story.as_str()), (2, ""), "{at_once} at once");
        }
    }

    #[test]
    fn what_one_unit_found_stays_when_a_slower_one_ends_on_an_older_commit() {
        let machine = machine("G1: T01; T02", ORACLE, "");
        let [first, second] = ["T01", "T02"].map(|unit| format!("{FEATURE}/{unit}"));
        let branch = format!("refs/heads/{BRANCH}");
        let older = *machine.world().tip();
        machine.world().user_commits("theirs", "");
        let newer = *machine.world().tip();
        let driver = driver(&machine, 2);
        driver.check_base(&first, SlotId::Session(0)).unwrap();
        machine.world().refs.insert(branch.clone(), older);
        driver.check_base(&second, SlotId::Session(1)).unwrap();
        machine.world().refs.insert(branch, newer);
        let seen = driver.observe(&BTreeSet::new()).unwrap();
        assert_eq!(seen.base.keys().collect::<Vec<_>>(), [&first]);
    }
}
