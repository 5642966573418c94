//! What judges, read to be edited: the commands run once more with tests that must fail, in other words, or by another hand.

use super::edited_trial::{JudgingTest, JudgingTests};
use super::oracle_outcome::OracleOutcome;
use super::reworded_tests::IN_OTHER_WORDS;
use super::run_loop::Driver;
use super::runnerless_tests::BY_ANOTHER_HAND;
use super::verification_request::{VerificationRequest, VerificationSlot};
use crate::error::Result;
use crate::object_id::ObjectId;

/// How many tests are given one that fails: more change nothing where one is run.
const MOST_TESTS: usize = 1000;

/// The largest test that is read for it, in bytes.
const LARGEST_TEST: usize = 1024 * 1024;

impl Driver<'_> {
    /// Runs the commands once more with each edition of the tests that the work is to be tried by.
    pub(super) fn run_with_edited_tests(
        &self,
        slot: &VerificationSlot<'_>,
        request: &VerificationRequest<'_>,
        verified: &mut OracleOutcome,
    ) -> Result<()> {
        let inspected = request.inspected;
        let asked = [
            inspected.may_end_runs,
            inspected.may_read_tests,
            inspected.may_know_its_runner,
            inspected.may_agree,
        ];
        if asked == [false; 4] || slot.number == 0 {
            return Ok(());
        }
        let judges = self.judges_of_base(slot, request)?;
        let tests = JudgingTests {
            work: self.read_tests(&judges, request.tree)?,
            base: self.read_tests(&judges, &slot.plan.tree)?,
        };
        if inspected.may_end_runs {
            self.run_with_failing_tests(slot, request, &tests, verified)?;
        }
        let goes_on =
            |verified: &OracleOutcome| verified.failures.is_empty() && !self.machine.stopping();
        if inspected.may_agree && goes_on(verified) {
            self.run_with_contradicted_tests(slot, request, &tests, verified)?;
        }
        let editions = [
            (inspected.may_read_tests, &IN_OTHER_WORDS),
            (inspected.may_know_its_runner, &BY_ANOTHER_HAND),
        ];
        for (is_asked, edition) in editions {
            if is_asked && goes_on(verified) {
                self.run_edition(slot, request, &tests, edition, verified)?;
            }
        }
        Ok(())
    }

    /// Returns the paths of the tests and scripts of the base that judge, and whether each is run for how it ends.
    fn judges_of_base(
        &self,
        slot: &VerificationSlot<'_>,
        request: &VerificationRequest<'_>,
    ) -> Result<Vec<(String, bool)>> {
        let paths = self.machine.paths(&slot.plan.tree)?;
        let state = format!("{}/", self.layout.dir());
        let mut judges = request.inspected.judges_among(&paths, &state);
        judges.truncate(MOST_TESTS);
        Ok(judges)
    }

    /// Returns those of them that a tree has as text.
    fn read_tests(&self, judges: &[(String, bool)], tree: &ObjectId) -> Result<Vec<JudgingTest>> {
        let paths: Vec<String> = judges.iter().map(|(path, _)| path.clone()).collect();
        let texts = self.machine.contents(tree, &paths, LARGEST_TEST)?;
        let read = judges
            .iter()
            .zip(texts)
            .filter_map(|((path, script), bytes)| {
                Some(JudgingTest {
                    path: path.clone(),
                    text: str::from_utf8(&bytes?).ok()?.to_owned(),
                    script: *script,
                })
            });
        Ok(read.collect())
    }
}
