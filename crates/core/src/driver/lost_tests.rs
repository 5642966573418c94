//! What ran of the tests, held against what ran of them on the base: a command that is green because some of them did not
//! run proves nothing of those.

use super::command_outcome::CommandOutcome;
use super::inspect::InspectedChanges;
use super::result_cache::base_key;
use super::run_loop::Driver;
use crate::engine::command_end::CommandEnd;
use crate::engine::evidence::Evidence;
use crate::engine::failure_class::CommandVerdict;
use crate::engine::oracle::OracleCommand;
use crate::engine::ran_tests::RanTests;
use crate::error::Result;
use crate::model::unit::ExpectBase;
use crate::object_id::ObjectId;

/// Where a command ran, and on what it ran before.
pub(super) struct TestComparison<'a> {
    /// The attempt's number; 0 where it is no attempt that is judged.
    pub(super) number: u32,
    /// The tree that what ran is held against.
    pub(super) base: &'a ObjectId,
    pub(super) tree: &'a ObjectId,
    pub(super) inspected: &'a InspectedChanges,
}

impl Driver<'_> {
    /// Makes a green outcome red where fewer tests ran than on the base, and no declared change of tests explains it.
    pub(super) fn hold_against_base(
        &self,
        asked: &TestComparison<'_>,
        command: &OracleCommand,
        outcome: &mut CommandOutcome,
    ) -> Result<()> {
        let verdict = outcome.result.verdict.known();
        let green = matches!(verdict, Some(CommandVerdict::Pass | CommandVerdict::Flaky));
        let Some(now) = outcome.tests.as_ref().filter(|_| green) else {
            return Ok(());
        };
        self.cache_tests(asked.tree, command, now)?;
        let exempt = command.expect_base() != ExpectBase::Green || asked.inspected.changes_tests();
        if exempt || asked.number == 0 {
            return Ok(());
        }
        let base = self.tests_on(asked.base, command)?;
        let Some(why) = base.and_then(|base| base.lost(now)) else {
            return Ok(());
        };
        outcome.result.verdict = CommandVerdict::Fail.into();
        outcome.result.note = Some(why.clone());
        outcome.evidence = Some(evidence_of(command, why));
        outcome.weakened = true;
        Ok(())
    }

    /// Caches what ran of the tests on a tree.
    pub(super) fn cache_tests(
        &self,
        tree: &ObjectId,
        command: &OracleCommand,
        tests: &RanTests,
    ) -> Result<()> {
        let key = self.tests_key(tree, command)?;
        let number = tests.to_number();
        if number > 0 {
            self.machine.cache_result(&key, number);
        }
        self.cache().tests.insert(key, tests.clone());
        Ok(())
    }

    /// Returns what ran of the tests on a tree, where that is known: from this run, else as far as it was kept.
    pub(super) fn tests_on(
        &self,
        tree: &ObjectId,
        command: &OracleCommand,
    ) -> Result<Option<RanTests>> {
        let key = self.tests_key(tree, command)?;
        let here = self.cache().tests.get(&key).cloned();
        Ok(here.or_else(|| {
            let number = self.machine.cached_result(&key)?;
            Some(RanTests::from_number(number))
        }))
    }

    pub(super) fn tests_key(&self, tree: &ObjectId, command: &OracleCommand) -> Result<String> {
        let tree = self.machine.tree_key(tree, self.layout.dir())?;
        Ok(format!("{}-tests", base_key(&tree, &command.shell)))
    }
}

pub(super) fn evidence_of(command: &OracleCommand, why: String) -> Evidence {
    Evidence {
        command: command.shell.clone(),
        head: String::new(),
        tail: String::new(),
        fingerprint: format!("lost tests:{}", command.name),
        error_lines: vec![format!(
            "{why}. What ran before must still run: look for what leaves tests out, ends the run early or changes how it ends. Where tests are meant to go, a user may declare it (`touches_tests: true` in the unit)"
        )],
        ended: CommandEnd::Exited(0),
    }
}

#[cfg(test)]
mod tests {
    use crate::driver::test_run::{machine, run, story};

    /// Returns what becomes of a session where a runner prints the file `out`, and of the next unit's.
    fn ends(unit: &str, oracle: &str, (out, sessions): (&str, &str)) -> String {
        let situation = format!("G1: T01 max_attempts=1 {unit}");
        let oracle = format!("code:\n  - {{name: tests, command: {oracle}}}\n");
        let machine = machine(&situation, &oracle, sessions);
        machine.world().user_commits("out", out);
        run(&machine).unwrap();
        story(&machine)
    }

    #[test]
    fn a_green_run_with_fewer_tests_than_on_the_base_is_red() {
        const TWO: &str = "1..2\nok 1 - a\nok 2 - b\n";
        let weakened = "failed T01#1 tests_weakened, parked T01";
        let landed = "landed T01, gate 1 passed";
        for (unit, oracle, session, want) in [
            ("", "prints out", "+a.txt", landed),
            ("", "prints out", "+out=1..1¶ok·1·-·a¶", weakened),
            (
                "",
                "prints out",
                "+out=1..2¶ok·1·-·a¶ok·2·-·b¶#·fail·1¶",
                weakened,
            ),
            (
                "",
                "prints out",
                "+out=1..3¶ok·1·-·a¶ok·2·-·b¶ok·3·-·c¶",
                landed,
            ),
            (
                "touches_tests=true",
                "prints out",
                "+out=1..1¶ok·1·-·a¶",
                landed,
            ),
            // It need not be green before, so there is nothing to hold it against.
            (
                "expects_red=[tests]",
                "prints out",
                "+out=1..1¶ok·1·-·a¶",
                landed,
            ),
        ] {
            assert_eq!(ends(unit, oracle, (TWO, session)), want, "{unit} {session}");
        }
    }

    #[test]
    fn what_turns_green_does_so_by_the_product_where_tests_are_there() {
        let red = "expects_red=[tests]";
        let oracle = "prints out unless tests/test_new.py";
        let session = "+a.txt +tests/test_new.py";
        for (out, want) in [
            (
                "not ok\n1 failed in 1s\n",
                "failed T01#1 tests_weakened, parked T01",
            ),
            // The test that it adds is what was asked for.
            (
                "not ok\nERROR: not found: tests/test_new.py\n",
                "landed T01, gate 1 passed",
            ),
            (
                "not ok\n1 failed in 1s\nno such file\n",
                "landed T01, gate 1 passed",
            ),
        ] {
            assert_eq!(ends(red, oracle, (out, session)), want, "{out}");
        }
    }
}
