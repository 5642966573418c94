//! What a unit turns green, held against what of it failed on the base: a test that is skipped is not turned green.

use super::lost_tests::evidence_of;
use super::oracle_outcome::OracleOutcome;
use super::run_loop::Driver;
use super::verification_request::{VerificationRequest, VerificationSlot};
use crate::engine::oracle::OracleCommand;
use crate::engine::ran_tests::RanTests;
use crate::error::Result;
use crate::object_id::ObjectId;

impl Driver<'_> {
    /// Fails an attempt by which what was red is green because tests of the base are skipped.
    pub(super) fn hold_turned_green(
        &self,
        slot: &VerificationSlot<'_>,
        request: &VerificationRequest<'_>,
        verified: &mut OracleOutcome,
    ) -> Result<()> {
        let turned = request.turned_by_exit();
        self.hold_commands((slot, request), turned, verified, |command| {
            // What it adds itself does not count: these are the tests of the base.
            let tree = self.without_own(slot, request, &request.inspected.separable)?;
            let now = self.tests_on(&tree, command)?;
            let Some(now) = now.filter(RanTests::skips) else {
                return Ok(None);
            };
            let asked = self.to_turn_green(slot, command)?;
            let why = asked.and_then(|asked| now.left_out(asked));
            Ok(why.map(|why| evidence_of(command, why)))
        })
    }

    /// Returns how many tests are to pass; asks the base where that is not known. Nothing when the run is to stop.
    pub(super) fn to_turn_green(
        &self,
        slot: &VerificationSlot<'_>,
        command: &OracleCommand,
    ) -> Result<Option<i32>> {
        let base = &slot.plan.tree;
        let key = self.to_turn_green_key(base, command)?;
        if let Some(asked) = self.witnessed(&key) {
            return Ok(Some(asked));
        }
        self.hold(slot, base)?;
        let outcome = self.run_command(slot, command)?;
        if self.machine.stopping() {
            return Ok(None);
        }
        let tests = outcome.tests.unwrap_or_default();
        self.keep_to_turn_green(base, command, &tests)?;
        Ok(Some(tests.to_turn_green()))
    }

    /// Keeps how many tests are to pass where a command that is red on a tree is turned green.
    pub(super) fn keep_to_turn_green(
        &self,
        tree: &ObjectId,
        command: &OracleCommand,
        tests: &RanTests,
    ) -> Result<()> {
        let key = self.to_turn_green_key(tree, command)?;
        self.cache_exit(key, tests.to_turn_green());
        Ok(())
    }

    fn to_turn_green_key(&self, tree: &ObjectId, command: &OracleCommand) -> Result<String> {
        Ok(format!("{}-to-turn-green", self.tests_key(tree, command)?))
    }
}

#[cfg(test)]
mod tests {
    use crate::driver::test_run::{machine, run, story};

    #[test]
    fn a_test_that_is_skipped_is_not_turned_green_also_beside_one_that_joined() {
        const RED: &str = "1..2\nok 1 a\nnot ok 2 b\n";
        let weakened = "failed T01#1 tests_weakened, parked T01";
        let landed = "landed T01, gate 1 passed";
        let named = "expects_red=[tests]";
        for (unit, session, want) in [
            (named, "+out=1..2¶ok·1·a¶ok·2·b¶", landed),
            (named, "+out=1..2¶ok·1·a¶ok·2·b·#·skip¶", weakened),
            // What it adds itself does not count.
            (
                named,
                "+tests/test_new.py +out=1..3¶ok·1·a¶ok·2·b¶ok·3·c·#·skip¶",
                landed,
            ),
            (
                "expects_red=[tests] touches_tests=true",
                "+out=1..2¶ok·1·a¶ok·2·b·#·skip¶",
                landed,
            ),
        ] {
            let situation = format!("G1: T01 max_attempts=1 {unit}");
            let oracle = "code:\n  - {name: tests, command: prints out}\n";
            let machine = machine(&situation, oracle, session);
            machine.world().user_commits("out", RED);
            run(&machine).unwrap();
            assert_eq!(story(&machine), want, "{unit} {session}");
        }
    }
}
