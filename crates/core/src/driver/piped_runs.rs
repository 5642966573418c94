//! Commands that look for something in what another one prints: that one must end as well as on the base, or the product
//! prints what is looked for while its tests fail.

use super::lost_tests::evidence_of;
use super::oracle_outcome::OracleOutcome;
use super::run_loop::Driver;
use super::verification_request::{VerificationRequest, VerificationSlot};
use crate::engine::oracle::{CommandJudge, OracleCommand};
use crate::engine::piped_command::before_filters;
use crate::error::Result;

impl Driver<'_> {
    /// Fails an attempt where what stands before the filters of a green pipeline fails, and does not on the base.
    pub(super) fn hold_piped(
        &self,
        slot: &VerificationSlot<'_>,
        request: &VerificationRequest<'_>,
        verified: &mut OracleOutcome,
    ) -> Result<()> {
        let green = request.green();
        let by_exit = green.filter(|command| command.judge == CommandJudge::Exit);
        self.hold_commands((slot, request), by_exit, verified, |command| {
            let Some(before) = before_filters(&command.shell) else {
                return Ok(None);
            };
            let alone = OracleCommand {
                shell: before.to_owned(),
                ..command.clone()
            };
            let fails = self.run_on(slot, &alone, request.tree)?.evidence.is_some();
            if self.machine.stopping() || !fails || !self.is_green_on(slot, &alone, &slot.plan.tree)? {
                return Ok(None);
            }
            let why = "what it looks for was printed, and the command that prints it failed, which it does not on the base";
            Ok(Some(evidence_of(&alone, why.to_owned())))
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::driver::test_run::{machine, run, story};

    #[test]
    fn a_line_that_is_looked_for_and_found_does_not_hide_that_the_tests_fail() {
        let weakened = "failed T01#1 tests_weakened, parked T01";
        let landed = "landed T01, gate 1 passed";
        // All after the pipe is what the whole is green by, wherever `ok` is.
        let oracle = "code:\n  - {name: tests, command: lacks broken | grep ok unless ok}\n";
        for (situation, session, want) in [
            ("G1: T01 max_attempts=1", "+a.txt", landed),
            ("G1: T01 max_attempts=1", "+broken +ok", weakened),
            (
                "G1: T01 max_attempts=1 touches_tests=true",
                "+broken +ok",
                landed,
            ),
        ] {
            let machine = machine(situation, oracle, session);
            run(&machine).unwrap();
            assert_eq!(story(&machine), want, "{situation}: {session}");
        }
    }
}
