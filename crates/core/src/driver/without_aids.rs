//! The oracle once more with the base's version of sources that only tests use. They may go with the product, so it is no
//! fault of theirs that one needs the other; but where the product of the base passes with either version of them, and the
//! work only with its own, it is they that let it pass.

use super::command_outcome::CommandOutcome;
use super::oracle_outcome::OracleOutcome;
use super::ports::RestoredFile;
use super::run_loop::Driver;
use super::verification_request::{VerificationRequest, VerificationSlot};
use super::without_additions::{Joined, only_with};
use crate::engine::attempt_record::WITH_BASE_TESTS;
use crate::engine::changed_file::ChangedPathKind;
use crate::engine::failure_class::FailureClass;
use crate::engine::joined_tests;
use crate::engine::oracle::OracleCommand;
use crate::error::Result;
use crate::object_id::ObjectId;
use crate::path_names::extension;

/// How many of an attempt's own are looked at one by one.
const MOST_SINGLY: usize = 4;

/// Sources that only tests use and that changed.
struct ChangedAids<'a> {
    /// In this attempt.
    own: &'a [String],
    /// In earlier landings of the feature, with the commit that has them as they were before.
    earlier: Joined,
}

impl ChangedAids<'_> {
    fn names(&self) -> Vec<&str> {
        let earlier = self.earlier.values().flatten();
        let earlier = earlier.map(|(path, _)| path.as_str());
        self.own.iter().map(String::as_str).chain(earlier).collect()
    }
}

/// The base and the work, each with both versions of them.
struct AidedTrees {
    work_with_old: ObjectId,
    work_with_new: ObjectId,
    base_with_old: ObjectId,
    base_with_new: ObjectId,
}

/// Returns what of an attempt's own is looked at together. Of two sources that tests import side by side, either may be the
/// product's, so each is looked at by itself; where nothing else changed, there is nothing that they could let pass.
fn own_sets<'a>(request: &VerificationRequest<'a>) -> Vec<ChangedAids<'a>> {
    let (aids, tests) = (&request.inspected.aids, &request.inspected.added);
    let product = request.changes.iter().map(|change| &change.path);
    let product = product.filter(|path| !tests.contains(path) && !is_prose(path));
    let set = |own| ChangedAids {
        own,
        earlier: Joined::new(),
    };
    match aids.len() {
        _ if product.count() < 2 => vec![],
        0..=MOST_SINGLY => aids.chunks(1).map(set).collect(),
        _ => vec![set(&aids[..])],
    }
}

fn is_prose(path: &str) -> bool {
    ["md", "rst", "adoc", "txt"].contains(&extension(path))
}

impl Driver<'_> {
    /// Runs what was green on the base with what only tests use as it was.
    pub(super) fn run_without_aids(
        &self,
        slot: &VerificationSlot<'_>,
        request: &VerificationRequest<'_>,
        verified: &mut OracleOutcome,
    ) -> Result<()> {
        let mut earlier = Joined::new();
        for (path, before) in joined_tests::aids_of_feature(slot.plan.feature()) {
            if !request.inspected.declares(&path) {
                earlier.entry(before).or_default().push((path, None));
            }
        }
        let mut sets = own_sets(request);
        sets.push(ChangedAids { own: &[], earlier });
        sets.retain(|aids| !aids.names().is_empty());
        for aids in &sets {
            let trees = self.aided_trees(slot, request, aids)?;
            for command in request.green() {
                let found = self.let_pass(slot, command, &trees)?;
                if self.machine.stopping() {
                    return Ok(());
                }
                let Some(mut outcome) = found else { continue };
                if let Some(evidence) = &mut outcome.evidence {
                    evidence.error_lines.insert(0, only_with(&aids.names()));
                }
                outcome.result.name.push_str(WITH_BASE_TESTS);
                verified.class = Some(FailureClass::TestsWeakened);
                self.take(slot, outcome, verified);
                return Ok(());
            }
        }
        Ok(())
    }

    /// Returns how a command fails on the work with the old version, where the new one is all that lets it pass.
    fn let_pass(
        &self,
        slot: &VerificationSlot<'_>,
        command: &OracleCommand,
        trees: &AidedTrees,
    ) -> Result<Option<CommandOutcome>> {
        let outcome = self.run_on(slot, command, &trees.work_with_old)?;
        if outcome.evidence.is_none() {
            return Ok(None);
        }
        for tree in [
            trees.work_with_new,
            trees.base_with_new,
            trees.base_with_old,
        ] {
            if self.machine.stopping() || !self.is_green_on(slot, command, &tree)? {
                return Ok(None);
            }
        }
        Ok(Some(outcome))
    }

    /// What came with new tests may need new aids, so the attempt's own are left out everywhere.
    fn aided_trees(
        &self,
        slot: &VerificationSlot<'_>,
        request: &VerificationRequest<'_>,
        aids: &ChangedAids<'_>,
    ) -> Result<AidedTrees> {
        let (base, inspected) = (&slot.plan.tree, request.inspected);
        let own: Vec<RestoredFile> = aids.own.iter().map(|path| (path.clone(), None)).collect();
        // What they use may be new, too.
        let joined = request.changes.iter().filter(|change| {
            let is_test = inspected.added.contains(&change.path);
            change.kind == ChangedPathKind::Added && !is_test && !aids.own.is_empty()
        });
        let joined = joined.map(|change| (change.path.clone(), None));
        let with_new: Vec<RestoredFile> = own.iter().cloned().chain(joined).collect();
        let tests = [&inspected.added[..], &inspected.declared].concat();
        let tests: Vec<RestoredFile> = tests.into_iter().map(|path| (path, None)).collect();
        let work_with_new = self.machine.restore_paths(request.tree, base, &tests)?;
        let work = self.machine.restore_paths(&work_with_new, base, &own)?;
        Ok(AidedTrees {
            work_with_old: self.without(&work, &aids.earlier)?,
            work_with_new,
            base_with_old: self.without(base, &aids.earlier)?,
            base_with_new: self.machine.restore_paths(base, request.tree, &with_new)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::driver::test_run::{machine, run, story};

    /// Returns what becomes of sessions where tests use `calc.py` and `marks.py`, and what is broken shows where marks are.
    fn ends(situation: &str, sessions: &str) -> String {
        let oracle = "code:\n  - {name: work, command: lacks-one broken marks.py}\n";
        let machine = machine(situation, oracle, sessions);
        let test = "import unittest, calc, marks\nclass A(unittest.TestCase):\n";
        for (path, text) in [
            ("calc.py", "1"),
            ("marks.py", "1"),
            ("tests/test_a.py", test),
        ] {
            machine.world().user_commits(path, text);
        }
        run(&machine).unwrap();
        story(&machine)
    }

    #[test]
    fn what_only_tests_use_lets_no_work_pass() {
        const TWO: &str = "G1: T01 max_attempts=1; T02 after=T01 max_attempts=1";
        let named = TWO.replace("G1: T01 max", "G1: T01 touches=[a.txt,marks.py] max");
        for (situation, sessions, want) in [
            (
                TWO,
                "-marks.py +broken; +b.txt",
                "failed T01#1 tests_weakened",
            ),
            (
                TWO,
                "-marks.py +a.txt; +broken",
                "landed T01, failed T02#1 tests_weakened",
            ),
            (
                TWO,
                "-marks.py +a.txt; +b.txt",
                "landed T01, landed T02, gate 1 passed",
            ),
            (
                &named,
                "-marks.py +a.txt; +broken",
                "landed T01, landed T02, gate 1 passed",
            ),
        ] {
            let story = ends(situation, sessions);
            assert!(story.starts_with(want), "{sessions}: {story}");
        }
    }
}
