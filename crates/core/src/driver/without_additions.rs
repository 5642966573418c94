//! The oracle once more without the tests that only joined: those of the attempt, and those that earlier landings of the
//! feature brought without a declaration. What was green must be so without them too, or they judge others.

use super::command_outcome::CommandOutcome;
use super::flaky_rerun::rerun_on;
use super::inspect::InspectedChanges;
use super::lost_tests::TestComparison;
use super::oracle_outcome::OracleOutcome;
use super::ports::RestoredFile;
use super::result_cache::{UNPROVEN, base_key};
use super::run_loop::Driver;
use super::verification_request::{VerificationRequest, VerificationSlot};
use crate::engine::attempt_record::WITH_BASE_TESTS;
use crate::engine::failure_class::{CommandVerdict, FailureClass};
use crate::engine::oracle::{CommandJudge, OracleCommand};
use crate::engine::ran_tests::RanTests;
use crate::engine::{evidence, joined_tests, protected};
use crate::error::Result;
use crate::object_id::ObjectId;
use std::collections::{BTreeMap, BTreeSet};

/// Tests that joined, by the commit that has them as they were before.
pub(super) type Joined = BTreeMap<ObjectId, Vec<RestoredFile>>;

/// An attempt's tree with fewer tests.
struct ReducedTrees<'a> {
    /// As it was captured.
    whole: ObjectId,
    /// Without the attempt's own tests that only joined.
    without_own: ObjectId,
    /// Without those that landed earlier, too.
    without_all: ObjectId,
    earlier: &'a Joined,
    /// Whether the attempt changed what may judge although no name says so.
    has_doubted: bool,
}

/// Names the tests without which a command fails, first in its evidence; false where it passed.
fn blame(outcome: &mut CommandOutcome, names: &BTreeSet<&str>) -> bool {
    let Some(evidence) = &mut outcome.evidence else {
        return false;
    };
    evidence
        .error_lines
        .insert(0, only_with(&Vec::from_iter(names)));
    true
}

impl Driver<'_> {
    /// Runs what was green on the base without the tests that only joined.
    pub(super) fn run_without_additions(
        &self,
        slot: &VerificationSlot<'_>,
        request: &VerificationRequest<'_>,
        verified: &mut OracleOutcome,
    ) -> Result<()> {
        let earlier = self.earlier(slot, request.inspected)?;
        let own = request.inspected.to_take_back();
        let without_own = self.without_own(slot, request, &own)?;
        let without_all = self.without(&without_own, &earlier)?;
        if without_all == *request.tree {
            return Ok(());
        }
        let mut names: BTreeSet<&str> = own.iter().map(String::as_str).collect();
        let reduced = ReducedTrees {
            whole: *request.tree,
            without_own,
            without_all,
            earlier: &earlier,
            has_doubted: !request.inspected.doubted.is_empty(),
        };
        for command in request.green() {
            let ran = self.run_reduced(slot, command, &reduced)?;
            if self.machine.stopping() {
                return Ok(());
            }
            let Some(ran) = ran else {
                continue;
            };
            if !ran.1 {
                names.extend(earlier.values().flatten().map(|(path, _)| path.as_str()));
            }
            let mut outcome =
                self.hold_reduced(slot, request.inspected, (command, &reduced), ran)?;
            if blame(&mut outcome, &names) {
                verified.class = Some(FailureClass::TestsWeakened);
            }
            self.take(slot, outcome, verified);
        }
        // What turns green may do so by data: a unit may be there to change just that.
        let without_tests = self.without_own(slot, request, &request.inspected.separable)?;
        if without_tests != *request.tree {
            self.run_red_without_own(slot, (request, &without_tests), verified)?;
        }
        self.look_for_tampering(slot, request, verified)
    }

    /// Returns the attempt's tree with these paths as they are on the base.
    pub(super) fn without_own(
        &self,
        slot: &VerificationSlot<'_>,
        request: &VerificationRequest<'_>,
        own: &[String],
    ) -> Result<ObjectId> {
        let own: Vec<RestoredFile> = own.iter().map(|path| (path.clone(), None)).collect();
        let tree = self
            .machine
            .restore_paths(request.tree, &slot.plan.tree, &own)?;
        self.built_without(&tree, &slot.plan.tree, &own)
    }

    /// Holds what a command made of a reduced tree against the base, with what landed earlier where that matters.
    fn hold_reduced(
        &self,
        slot: &VerificationSlot<'_>,
        inspected: &InspectedChanges,
        (command, trees): (&OracleCommand, &ReducedTrees<'_>),
        (mut outcome, earlier_matter): (CommandOutcome, bool),
    ) -> Result<CommandOutcome> {
        let (base, tree) = match earlier_matter {
            true => (slot.plan.tree, trees.without_own),
            false => {
                let base = self.without(&slot.plan.tree, trees.earlier)?;
                (base, trees.without_all)
            }
        };
        let asked = TestComparison {
            number: slot.number,
            base: &base,
            tree: &tree,
            inspected,
        };
        self.hold_against_base(&asked, command, &mut outcome)?;
        outcome.result.name.push_str(WITH_BASE_TESTS);
        Ok(outcome)
    }

    /// Runs a command without all that only joined, or with what landed earlier where that matters, and returns whether
    /// it does; nothing where the attempt's own cannot be told apart.
    fn run_reduced(
        &self,
        slot: &VerificationSlot<'_>,
        command: &OracleCommand,
        trees: &ReducedTrees<'_>,
    ) -> Result<Option<(CommandOutcome, bool)>> {
        let outcome = self.run_on(slot, command, &trees.without_all)?;
        if self.machine.stopping() {
            return Ok(None);
        }
        let earlier_matter = trees.without_all != trees.without_own
            && outcome.evidence.is_some()
            && !self.is_green_without(slot, command, trees.earlier)?;
        if !earlier_matter {
            let with_earlier = self.run_with_earlier(slot, (command, &outcome), trees)?;
            return Ok(Some(with_earlier.unwrap_or((outcome, false))));
        }
        // Without what landed before, the base itself is not green: only the attempt's own can be told apart.
        if trees.without_own == trees.whole {
            return Ok(None);
        }
        let outcome = self.run_on(slot, command, &trees.without_own)?;
        Ok(Some((outcome, true)))
    }

    /// Runs a command that passed without all that joined with what landed earlier, and returns how it fails there. An earlier
    /// test hides nothing, but it finds fault: also where the attempt changed what that test judges by.
    fn run_with_earlier(
        &self,
        slot: &VerificationSlot<'_>,
        (command, without_all): (&OracleCommand, &CommandOutcome),
        trees: &ReducedTrees<'_>,
    ) -> Result<Option<(CommandOutcome, bool)>> {
        let known = [trees.whole, trees.without_all].contains(&trees.without_own);
        if known || !trees.has_doubted || without_all.evidence.is_some() {
            return Ok(None);
        }
        let outcome = self.run_on(slot, command, &trees.without_own)?;
        Ok(outcome.evidence.is_some().then_some((outcome, true)))
    }

    /// Runs what the unit turns green without the attempt's own undeclared tests. That may well be red, for it may be
    /// these tests that are asked for; but not because tests of the base ran there and failed.
    fn run_red_without_own(
        &self,
        slot: &VerificationSlot<'_>,
        (request, without_own): (&VerificationRequest<'_>, &ObjectId),
        verified: &mut OracleOutcome,
    ) -> Result<()> {
        for command in request.turned_by_exit() {
            let mut outcome = self.run_on(slot, command, without_own)?;
            if self.machine.stopping() {
                return Ok(());
            }
            let tests = outcome.tests.as_ref();
            if let Some(tests) = tests.filter(|_| outcome.evidence.is_none()) {
                self.cache_tests(without_own, command, tests)?;
            }
            let hidden = tests.is_some_and(RanTests::really_failed);
            let Some(evidence) = outcome.evidence.as_mut().filter(|_| hidden) else {
                continue;
            };
            evidence
                .error_lines
                .insert(0, only_with(&request.inspected.separable));
            outcome.weakened = true;
            outcome.result.name.push_str(WITH_BASE_TESTS);
            self.take(slot, outcome, verified);
        }
        Ok(())
    }

    /// Runs a command on a tree; that no test ran there proves nothing, and weakens nothing.
    pub(super) fn run_on(
        &self,
        slot: &VerificationSlot<'_>,
        command: &OracleCommand,
        tree: &ObjectId,
    ) -> Result<CommandOutcome> {
        self.hold(slot, tree)?;
        let command = &without_vanished(command);
        let mut outcome = self.run_twice(slot, command, rerun_on(slot, tree))?;
        if outcome.result.verdict == CommandVerdict::Unproven {
            outcome.result.verdict = CommandVerdict::Pass.into();
            outcome.evidence = None;
        }
        Ok(outcome)
    }

    /// Makes a slot hold a tree, unless it does: what commands before left for those after them is still there then.
    pub(super) fn hold(&self, slot: &VerificationSlot<'_>, tree: &ObjectId) -> Result<()> {
        let held = self.cache().prepared.get(&slot.id).map(|held| held.tree);
        match held == Some(*tree) {
            true => Ok(()),
            false => self.prepare_verification(slot.plan, slot.id, tree),
        }
    }

    /// Returns whether a command is green on the base without what landed before it.
    fn is_green_without(
        &self,
        slot: &VerificationSlot<'_>,
        command: &OracleCommand,
        earlier: &Joined,
    ) -> Result<bool> {
        let tree = self.without(&slot.plan.tree, earlier)?;
        self.is_green_on(slot, command, &tree)
    }

    /// Returns whether a command is green on a tree of the base's judges.
    pub(super) fn is_green_on(
        &self,
        slot: &VerificationSlot<'_>,
        command: &OracleCommand,
        tree: &ObjectId,
    ) -> Result<bool> {
        let key = base_key(
            &self.machine.tree_key(tree, self.layout.dir())?,
            &command.identity(),
        );
        if let Some(exit) = self.known(&key) {
            return Ok(exit == 0);
        }
        self.hold(slot, tree)?;
        let command = &without_vanished(command);
        let outcome = self.run_twice(slot, command, rerun_on(slot, tree))?;
        if !self.machine.stopping() {
            let exit = match outcome.result.verdict.known() {
                Some(CommandVerdict::Unproven) => UNPROVEN,
                Some(CommandVerdict::Pass) => 0,
                _ => outcome.result.exit.unwrap_or(-1),
            };
            self.cache_exit(key, exit);
        }
        Ok(outcome.result.verdict == CommandVerdict::Pass)
    }

    /// Returns the tests that landed in this feature without a declaration, or are about to land, and that the unit does not
    /// declare either.
    fn earlier(&self, slot: &VerificationSlot<'_>, inspected: &InspectedChanges) -> Result<Joined> {
        let mut joined = Joined::new();
        let mut known = BTreeSet::new();
        for (path, before) in joined_tests::of_feature(slot.plan.feature()) {
            if !inspected.declares(&path) {
                known.insert(path.clone());
                joined.entry(before).or_default().push((path, None));
            }
        }
        let landed = self.machine.tree_of(&slot.plan.commit)?;
        if landed == slot.plan.tree {
            return Ok(joined);
        }
        // Whether work that is ahead declares its tests is said only where it lands: until then none of them vouches.
        for change in self.machine.diff(&landed, &slot.plan.tree)? {
            let path = change.path;
            if protected::judges_others(&path)
                && !inspected.declares(&path)
                && known.insert(path.clone())
            {
                joined
                    .entry(slot.plan.commit)
                    .or_default()
                    .push((path, None));
            }
        }
        Ok(joined)
    }

    /// Returns a tree with each of these files as it was before it joined.
    pub(super) fn without(&self, tree: &ObjectId, joined: &Joined) -> Result<ObjectId> {
        joined.iter().try_fold(*tree, |tree, (before, files)| {
            // A shallow clone does not have it: then only what is known can be taken away.
            let Ok(before) = self.machine.tree_of(before) else {
                return Ok(tree);
            };
            let tree = self.machine.restore_paths(&tree, &before, files)?;
            self.built_without(&tree, &before, files)
        })
    }
}

pub(super) fn only_with<T: AsRef<str>>(names: &[T]) -> String {
    format!(
        "it passes with what joined or changed undeclared and fails without that: {}; tests that only joined, and data, scripts and helpers by which tests may judge, must not change what the others find. Change the product, or have a user declare them in the unit: `touches_tests: true`, or their paths in `produces`",
        evidence::first_named(names, evidence::NAMED)
    )
}

/// Returns a command for a tree without tests: their cases are gone because they are.
fn without_vanished(command: &OracleCommand) -> OracleCommand {
    let mut command = command.clone();
    if let CommandJudge::NewFailures(rules) = &mut command.judge {
        rules.may_vanish = true;
    }
    command
}

#[cfg(test)]
mod tests;
