//! What an attempt's files themselves show: secrets, weakened tests, links that lead
//! out. Reads the changed files only, both sides of each.

mod added_secrets;
mod aiding_changes;
mod doubted_changes;
mod earlier_judges;
mod earlier_readers;
mod landed_beside;
mod loaded_files;
mod outward_links;
mod referred_files;
mod unit_policy;

use self::loaded_files::LoadedFile;
use super::committed_plan::CommittedPlan;
use super::run_loop::Driver;
use crate::engine::changed_file::ChangedFile;
use crate::engine::changed_file::ChangedPath;
use crate::engine::diff_scope;
use crate::engine::evidence::{NAMED, first_named, one_line};
use crate::engine::failure_class::FailureClass;
use crate::engine::guards::{self, PathGlobs, Report, Violation, marked_comments};
use crate::engine::joined_tests;
use crate::engine::protected::agreeing_code::may_agree;
use crate::engine::protected::{
    self, Declared, Policy, Restoration, ignore_files, judge_references, own_tree,
    refusal::{self, RefusalCause, RefusedChange},
};
use crate::engine::secrets;
use crate::error::Result;
use crate::model::unit::Unit;
use crate::object_id::ObjectId;
use std::cell::OnceCell;
use std::collections::{BTreeSet, HashSet};
use std::sync::OnceLock;

/// The largest file whose tests and settings are looked at; a larger one with some is not let by.
const LOOK_LIMIT: usize = 4 * 1024 * 1024;

/// What the files show that verification has to know.
pub(super) struct InspectedChanges {
    /// Undeclared changes of what judges, and what is there instead: in judging, and in what lands.
    pub(super) kept: Vec<(String, Restoration)>,
    /// New tests that run in one process with others.
    pub(super) separable: Vec<String>,
    /// What may judge and changed although no name says that it does: put back, too, where the oracle runs once more.
    pub(super) doubted: Vec<String>,
    /// Sources that only tests use and that changed.
    pub(super) aids: Vec<String>,
    /// Tests that only joined, also those that run in a process of their own.
    pub(super) added: Vec<String>,
    /// What judges and changed as the unit declares.
    pub(super) declared: Vec<String>,
    /// What may judge and is in the unit's own scope.
    pub(super) vouched: Vec<String>,
    /// The sources of the product that changed.
    code: Vec<String>,
    /// What landed in one work of the feature with those, once somebody asked.
    beside: OnceLock<Vec<String>>,
    /// Whether a change of the product may say how a run of tests ends.
    pub(super) may_end_runs: bool,
    /// Whether one may read files, tests among them.
    pub(super) may_read_tests: bool,
    /// Whether one may know who runs it.
    pub(super) may_know_its_runner: bool,
    /// Whether one may agree with whatever tests want.
    pub(super) may_agree: bool,
    policy: Policy,
    generated: PathGlobs,
}

/// Changed files that may judge, as [`InspectedChanges`] has them.
struct PossiblyJudging {
    doubted: Vec<String>,
    aids: Vec<String>,
    vouched: Vec<String>,
}

impl InspectedChanges {
    /// Returns what is known where no unit says what may change.
    pub(super) fn of_no_unit() -> InspectedChanges {
        InspectedChanges {
            kept: vec![],
            separable: vec![],
            doubted: vec![],
            aids: vec![],
            added: vec![],
            declared: vec![],
            vouched: vec![],
            code: vec![],
            beside: OnceLock::new(),
            may_end_runs: false,
            may_read_tests: false,
            may_know_its_runner: false,
            may_agree: false,
            policy: Policy::new(&[], Declared::default(), &[]),
            generated: PathGlobs::default(),
        }
    }

    /// Returns whether a path judges: a test, a runner's setting, the control plane.
    pub(super) fn judges(&self, path: &str) -> bool {
        self.policy.covers(path) || guards::is_control(path)
    }

    /// Returns those of some paths that judge by being run, and whether each is run for how it ends.
    pub(super) fn judges_among(&self, paths: &[String], state: &str) -> Vec<(String, bool)> {
        let judges = judge_references::referrers(&self.policy, paths, state).judges;
        let by_end = |path: String| {
            let script = self.policy.is_run_for_its_end(&path);
            (path, script)
        };
        judges.into_iter().map(by_end).collect()
    }

    /// Returns whether the unit declares a change of a file that judges.
    pub(super) fn declares(&self, path: &str) -> bool {
        self.policy.declares(path)
    }

    /// Returns whether the diff changes tests as the unit declares, or may change any.
    pub(super) fn changes_tests(&self) -> bool {
        !self.declared.is_empty() || self.policy.declares_all()
    }

    /// Returns what is put back where the oracle runs once more: tests that only joined, and what may judge.
    pub(super) fn to_take_back(&self) -> Vec<String> {
        [&self.separable[..], &self.doubted].concat()
    }

    /// Returns what changed and is the unit's own to change.
    pub(super) fn settled(&self) -> Vec<String> {
        [&self.declared[..], &self.vouched].concat()
    }

    /// Returns whether the unit declares that commands write this file.
    pub(super) fn is_generated(&self, path: &str) -> bool {
        self.generated.is_match(path)
    }
}

/// What a session's work changed.
pub(super) struct UnitDiff<'a> {
    pub(super) plan: &'a CommittedPlan,
    unit: &'a Unit,
    pub(super) tree: &'a ObjectId,
    changes: &'a [ChangedPath],
    /// Files that do not speak for the product, although they are there.
    silent: BTreeSet<String>,
    base_paths: OnceCell<Vec<String>>,
    of_feature: OnceCell<BTreeSet<String>>,
}

impl<'a> UnitDiff<'a> {
    /// `plan` is the one on its base, `tree` the one that it left.
    pub(super) fn new(
        (plan, unit): (&'a CommittedPlan, &'a Unit),
        tree: &'a ObjectId,
        changes: &'a [ChangedPath],
    ) -> UnitDiff<'a> {
        UnitDiff {
            plan,
            unit,
            tree,
            changes,
            silent: BTreeSet::new(),
            base_paths: OnceCell::new(),
            of_feature: OnceCell::new(),
        }
    }
}

impl Driver<'_> {
    /// Looks into the changed files; what it finds is added to the guards' report.
    pub(super) fn inspect(
        &self,
        diff: &UnitDiff<'_>,
        report: &mut Report,
    ) -> Result<InspectedChanges> {
        let (unit, changes) = (diff.unit, diff.changes);
        let paths: Vec<String> = changes.iter().map(|c| c.path.clone()).collect();
        let old = self.machine.contents(&diff.plan.tree, &paths, LOOK_LIMIT)?;
        let new = self.machine.contents(diff.tree, &paths, LOOK_LIMIT)?;
        let sides = changes.iter().zip(&old).zip(&new);
        let sides = sides.map(|((change, old), new)| ChangedFile {
            change,
            old: old.as_deref(),
            new: new.as_deref(),
        });
        let pairs: Vec<ChangedFile<'_>> = sides.collect();
        self.find_secrets(diff, &pairs, report)?;
        report
            .violations
            .extend(outward_links::refused(unit, &pairs));
        self.find_absent_large_files(diff, &pairs, report)?;
        empty_deliverables(unit, &pairs, report);
        let policy = self.policy(diff, &pairs)?;
        let state = format!("{}/", self.layout.dir());
        let product: Vec<ChangedFile<'_>> = pairs
            .into_iter()
            .filter(|p| !p.change.path.starts_with(&state))
            .collect();
        report.notices.extend(removed_comments(unit, &product));
        let beside = self.loaded_files(diff, &product)?;
        let beside: Vec<ChangedFile<'_>> = beside.iter().map(LoadedFile::pair).collect();
        let mut looked = protected::look(&policy, &product, &beside);
        looked
            .refused
            .extend(self.found_in_the_tree(diff, &product, &policy)?);
        let outside = diff_scope::outside(unit, self.layout, changes, &looked.added);
        report
            .violations
            .extend(diff_scope::violation(unit, outside));
        let separable = looked.separable();
        let judging = self.possibly_judging(diff, &product, &policy)?;
        report.violations.extend(weakened(looked.refused));
        report.notices.extend(looked.notices);
        report.shown.extend(looked.shown);
        report.shown.extend(declared_note(&looked.declared));
        Ok(InspectedChanges {
            kept: looked.kept,
            separable,
            aids: judging.aids,
            added: looked.added,
            doubted: judging.doubted,
            vouched: judging.vouched,
            declared: [looked.declared, looked.vouched].concat(),
            code: landed_beside::code_of(&product),
            beside: OnceLock::new(),
            may_end_runs: looked.may_end_runs,
            may_read_tests: !policy.declares_all() && self.may_read_tests(diff, &product)?,
            may_know_its_runner: !policy.declares_all()
                && self.may_know_its_runner(diff, &product)?,
            may_agree: !policy.declares_all() && product.iter().any(may_agree),
            policy,
            generated: guards::set(&Unit::list(&unit.front.generated_surfaces)),
        })
    }

    /// Finds changed files that may judge although no name says that they do.
    fn possibly_judging(
        &self,
        diff: &UnitDiff<'_>,
        product: &[ChangedFile<'_>],
        policy: &Policy,
    ) -> Result<PossiblyJudging> {
        let (mut doubted, vouched) = self.doubted(diff, product, policy)?;
        let vouched = [vouched, settled_aids(diff, product, policy)].concat();
        let mut aids = self.changed_aids(diff, product, policy)?;
        let earlier = self.judging_before(diff, product, policy)?;
        let more = earlier.doubted.into_iter();
        more.for_each(|path| join(path, &mut doubted));
        let more = earlier.aids.into_iter();
        more.for_each(|path| join(path, &mut aids));
        aids.retain(|path| !doubted.contains(path));
        Ok(PossiblyJudging {
            doubted,
            aids,
            vouched,
        })
    }

    /// Returns the files that the feature changed before this work: in what landed, and in what is ahead and in no log yet.
    fn changed_in_feature<'d>(&self, diff: &'d UnitDiff<'_>) -> Result<&'d BTreeSet<String>> {
        if let Some(changed) = diff.of_feature.get() {
            return Ok(changed);
        }
        let mut changed = joined_tests::touched(diff.plan.feature());
        let landed = self.machine.tree_of(&diff.plan.commit)?;
        if landed != diff.plan.tree {
            let ahead = self.machine.diff(&landed, &diff.plan.tree)?.into_iter();
            changed.extend(ahead.map(|change| change.path));
        }
        Ok(diff.of_feature.get_or_init(|| changed))
    }

    /// Returns the paths of the base, listed once.
    fn base_paths<'d>(&self, diff: &'d UnitDiff<'_>) -> Result<&'d [String]> {
        if let Some(paths) = diff.base_paths.get() {
            return Ok(paths);
        }
        let paths = self.machine.paths(&diff.plan.tree)?;
        Ok(diff.base_paths.get_or_init(|| paths))
    }

    /// Returns the changed files that now hide files of the work from what judges it, and those that come by tests of the base.
    fn found_in_the_tree(
        &self,
        diff: &UnitDiff<'_>,
        product: &[ChangedFile<'_>],
        policy: &Policy,
    ) -> Result<Vec<RefusedChange>> {
        let refused = |paths: Vec<String>, cause, finds: &dyn Fn(&ChangedFile<'_>) -> bool| {
            let pairs = product.iter().filter(|p| paths.contains(&p.change.path));
            let refusals = pairs.enumerate().map(|(at, pair)| {
                RefusedChange::of(pair, cause, |pair| at < refusal::TOLD && finds(pair))
            });
            refusals.collect::<Vec<RefusedChange>>()
        };
        let mut found = vec![];
        let mut paths = product.iter().map(|pair| &pair.change.path);
        if paths.any(|path| ignore_files::is_one(path)) && policy.goes_by_ignore_files() {
            let mut there = self.machine.paths(diff.tree)?;
            there.extend(ignore_files::gone(policy, product));
            let hiding = |pairs: &[ChangedFile<'_>]| ignore_files::hiding(policy, pairs, &there);
            found.extend(refused(hiding(product), RefusalCause::Hidden, &|pair| {
                !hiding(&[*pair]).is_empty()
            }));
        }
        if product.iter().any(own_tree::may_look) {
            let there = self.base_paths(diff)?;
            let coming =
                |pairs: &[ChangedFile<'_>]| own_tree::coming_by_tests(policy, pairs, there);
            found.extend(refused(
                coming(product),
                RefusalCause::TestsFound,
                &|pair| !coming(&[*pair]).is_empty(),
            ));
        }
        Ok(found)
    }

    /// Returns the baseline of findings the user allows.
    pub(super) fn secrets_allowed(&self, plan: &CommittedPlan) -> Result<String> {
        let path = format!("{}/{}", self.layout.dir(), secrets::BASELINE);
        let bytes = self.machine.file_at(&plan.tree, &path)?.unwrap_or_default();
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

fn join(path: String, paths: &mut Vec<String>) {
    if !paths.contains(&path) {
        paths.push(path);
    }
}

/// Returns the changed sources that only tests use, that an earlier unit changed undeclared, and that this one's scope names.
fn settled_aids(diff: &UnitDiff<'_>, pairs: &[ChangedFile<'_>], policy: &Policy) -> Vec<String> {
    let touches = Unit::list(&diff.unit.front.touches);
    let earlier = joined_tests::aids_of_feature(diff.plan.feature());
    let paths = pairs.iter().map(|pair| &pair.change.path);
    let settled =
        paths.filter(|path| earlier.contains_key(*path) && policy.vouches(path, &touches));
    settled.cloned().collect()
}

fn declared_note(paths: &[String]) -> Option<String> {
    let listed = || format!("declared changes of tests: {}", first_named(paths, NAMED));
    (!paths.is_empty()).then(listed)
}

fn weakened(mut refused: Vec<RefusedChange>) -> Option<Violation> {
    let mut paths: HashSet<String> = HashSet::new();
    refused.retain(|refusal| paths.insert(refusal.path.clone()));
    let told = refused
        .iter()
        .take(refusal::TOLD)
        .map(RefusedChange::to_string);
    let told = told.collect::<Vec<String>>().join("; ");
    (!refused.is_empty()).then(|| Violation {
        class: FailureClass::TestsWeakened,
        message: format!(
            "{told}. What judges is not the work's to change, to ask for or to answer: do it without that. A user may allow it with `touches_tests: true`, or with the file in `produces`, in the unit"
        ),
        paths: refused.into_iter().map(|refusal| refusal.path).collect(),
    })
}

/// Reports files that the unit names and that are there, with nothing in them.
fn empty_deliverables(unit: &Unit, pairs: &[ChangedFile<'_>], report: &mut Report) {
    let produces = Unit::list(&unit.front.produces);
    let empty: Vec<String> = pairs
        .iter()
        .filter(|p| p.change.regular && p.new.is_some_and(<[u8]>::is_empty))
        .filter(|p| produces.iter().any(|g| guards::delivers(g, &p.change.path)))
        .map(|p| one_line(&p.change.path))
        .collect();
    if !empty.is_empty() {
        report
            .notices
            .push(format!("delivered empty: {}", empty.join(", ")));
    }
}

/// Comments that say why something stays as it is, and that are gone.
fn removed_comments(unit: &Unit, product: &[ChangedFile<'_>]) -> Vec<String> {
    fn text(bytes: Option<&[u8]>) -> &str {
        bytes
            .and_then(|b| std::str::from_utf8(b).ok())
            .unwrap_or_default()
    }
    let files: Vec<(&str, &str, &str)> = product
        .iter()
        .map(|p| (p.change.path.as_str(), text(p.old), text(p.new)))
        .collect();
    marked_comments::removed(&files, &unit.doc.text)
}
