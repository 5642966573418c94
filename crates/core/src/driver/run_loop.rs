//! The driver of one feature, and what it keeps between two observations.

use super::budget::RunBudget;
use super::committed_plan::{Attempts, CommittedPlan};
use super::driver_event::{DriverEvent, Watcher};
use super::landing_train::{AttemptName, DoubtedJudgement, LandingTrain};
use super::ports::{Machine, SlotId};
use super::shared_trouble::SharedTrouble;
use super::verification_turns::{VerificationTurn, VerificationTurns};
use crate::engine::action::{BudgetScope, Step};
use crate::engine::broad_report::BroadReport;
use crate::engine::broad_tier::BroadSubject;
use crate::engine::events::Event;
use crate::engine::ran_tests::RanTests;
use crate::engine::snapshot::{AgentTrouble, BaseReport, RunOptions, Snapshot};
use crate::engine::step::step;
use crate::engine::test_reports::TestReport;
use crate::error::{Error, Result};
use crate::model::layout::Layout;
use crate::model::workspace::Workspace;
use crate::object_id::ObjectId;
use crate::parallel::locked;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

/// Plans kept by commit: the tip's, and a session's that began at another. Each has its own log of the feature, which grows.
const PLANS: usize = 3;

/// What a verification slot was prepared with.
#[derive(Debug, Clone)]
pub(super) struct PreparedTree {
    pub(super) tree: ObjectId,
    /// Whether something ran there since.
    pub(super) used: bool,
    /// The tracked files that are not as the tree has them; unknown since a command ran.
    pub(super) changed: Option<Vec<String>>,
}

/// A landing that nobody has looked at yet.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct UnseenLanding {
    pub(super) unit: String,
    /// What it was landed on.
    pub(super) base: ObjectId,
    pub(super) commit: ObjectId,
}

/// What a driver keeps of witnesses: landings that wait for one, and results that wait for a commit.
#[derive(Default)]
pub(super) struct WitnessBacklog {
    pub(super) unseen: VecDeque<UnseenLanding>,
    pub(super) unwritten: Vec<Event>,
}

/// How many tests fail, where a run says so, and whether it is red.
pub(super) type TestDenial = (Option<u64>, bool);

/// What the driver keeps between two observations. All of it can be read again from the machine.
#[derive(Default)]
pub(super) struct DriverCache {
    /// The ones used last, the newest at the end.
    pub(super) plans: Vec<Arc<CommittedPlan>>,
    pub(super) attempts: Attempts,
    /// What each unit's oracle found on a commit, the last one that it was asked on: checks of two units may end in
    /// another order than they began, on commits of their own.
    pub(super) base: BTreeMap<String, (ObjectId, BaseReport)>,
    /// What the broad tier found last.
    pub(super) broad: Option<(BroadSubject, BroadReport)>,
    /// What a command that is red on a tree printed, by tree and command: shown for every unit, run once.
    pub(super) red: BTreeMap<String, (i32, Option<String>)>,
    /// How commands ended on trees in this run, by [`base_key`](super::result_cache::base_key).
    pub(super) exits: HashMap<String, i32>,
    /// What ran of the tests of commands on trees, in this run.
    pub(super) tests: HashMap<String, RanTests>,
    /// How commands ended on trees of the base with tests that want other values.
    pub(super) contradicted: HashMap<String, TestDenial>,
    /// The cases of commands on trees, as this run saw them: what decides what a unit may still fail is read from no file.
    pub(super) cases: HashMap<String, Arc<TestReport>>,
    /// Trees on which commands with `inputs` passed, by what the commands are, the newest at the end.
    pub(super) passed_on: HashMap<String, Vec<ObjectId>>,
    /// The tree in each verification slot, and those in which nothing has run since it was put there.
    pub(super) prepared: BTreeMap<SlotId, PreparedTree>,
    /// The commands that somebody runs on the base, by the same key: others wait for what comes of it.
    pub(super) asking: BTreeSet<String>,
    /// What is judged on top of each other.
    pub(super) train: LandingTrain,
    /// On which attempt a unit's is judged, or waits to be.
    pub(super) stands_on: BTreeMap<String, AttemptName>,
    /// What said nothing yet of attempts that were red on top of others' work.
    pub(super) doubted: BTreeMap<AttemptName, DoubtedJudgement>,
    /// Units that landed in this run, in order.
    pub(super) landed: Arc<Vec<Arc<str>>>,
    /// Whether this is a run, and not a look.
    pub(super) walking: bool,
    pub(super) trouble: BTreeMap<String, AgentTrouble>,
    /// Whose budgets were reported as nearly used up.
    pub(super) near_budgets: BTreeSet<BudgetScope>,
    /// The commit whose plan was looked over last: by us, or because it is one of ours on top of such a one.
    pub(super) sound: Option<ObjectId>,
    /// Landings that wait for a witness, and what witnesses came to.
    pub(super) backlog: WitnessBacklog,
    /// Whether the checkout could not follow a landing: worth another try before the end.
    pub(super) behind: bool,
}

impl DriverCache {
    fn keep_plan(&mut self, plan: Arc<CommittedPlan>) {
        if self.plans.len() >= PLANS {
            self.plans.remove(0);
        }
        self.plans.push(plan);
    }
}

/// The feature that is driven.
pub struct DrivenFeature<'f> {
    /// Where its plan is.
    pub layout: Layout,
    /// Its branch, without `refs/heads/`.
    pub branch: &'f str,
    /// Its directory, from the root.
    pub dir: &'f str,
}

/// One feature being driven.
pub struct Driver<'a> {
    pub(super) machine: &'a dyn Machine,
    pub(super) watcher: &'a dyn Watcher,
    pub(super) layout: Layout,
    pub(super) branch: String,
    pub(super) feature_dir: String,
    pub(super) options: RunOptions,
    pub(super) budget: RunBudget,
    agents: Arc<Mutex<SharedTrouble>>,
    turns: Arc<VerificationTurns>,
    cache: Mutex<DriverCache>,
    /// Somebody no longer asks the base.
    pub(super) answered: Condvar,
    /// Held while the place of an attempt in the train is found.
    pub(super) joining: Mutex<()>,
}

impl<'a> Driver<'a> {
    /// Returns a driver for a feature whose branch exists.
    pub fn new(
        machine: &'a dyn Machine,
        watcher: &'a dyn Watcher,
        feature: &DrivenFeature<'_>,
        options: RunOptions,
    ) -> Driver<'a> {
        Driver {
            machine,
            watcher,
            layout: feature.layout,
            branch: feature.branch.to_owned(),
            feature_dir: feature.dir.to_owned(),
            budget: RunBudget::new(feature.dir, options.budget_usd),
            options,
            agents: Arc::default(),
            turns: Arc::default(),
            cache: Mutex::default(),
            answered: Condvar::new(),
            joining: Mutex::default(),
        }
    }

    pub(super) fn cache(&self) -> MutexGuard<'_, DriverCache> {
        locked(&self.cache)
    }

    /// Waits until one more may verify.
    pub(super) fn verification_turn(&self) -> VerificationTurn<'_> {
        self.turns.wait(self.machine.verifications_at_once())
    }

    pub(super) fn report(&self, event: DriverEvent) {
        self.watcher.report(&event);
    }

    /// Returns the commit the branch points at.
    pub(super) fn tip(&self) -> Result<ObjectId> {
        self.machine.tip(&self.branch)?.ok_or_else(|| {
            Error::integrity(format!("the branch `{}` is gone", self.branch))
                .hint("its work is still reachable through the reflog and refs/gatewalk/attempts")
        })
    }

    /// Returns the plan of a commit.
    pub(super) fn plan_at(&self, commit: &ObjectId) -> Result<Arc<CommittedPlan>> {
        let near = {
            let mut cache = self.cache();
            if let Some(at) = cache.plans.iter().position(|plan| plan.commit == *commit) {
                let plan = cache.plans.remove(at);
                cache.plans.push(plan.clone());
                return Ok(plan);
            }
            cache.plans.last().cloned()
        };
        let (history, dir) = (self.machine, &self.feature_dir);
        let plan = Arc::new(match near {
            Some(near) => near.read_near(history, commit, dir)?,
            None => CommittedPlan::read(history, commit, self.layout, dir)?,
        });
        self.cache().keep_plan(plan.clone());
        Ok(plan)
    }

    /// Takes up a commit's state directory that was read already, so that it is not read again.
    ///
    /// Fails where the commit has no such feature.
    pub fn knows(&self, commit: &ObjectId, workspace: &Arc<Workspace>) -> Result<()> {
        let plan = CommittedPlan::of(self.machine, commit, workspace.clone(), &self.feature_dir)?;
        self.cache().keep_plan(Arc::new(plan));
        Ok(())
    }

    /// Returns the decision for the world as it is, without doing anything.
    ///
    /// Fails where the branch or its plan cannot be read.
    pub fn preview(&self) -> Result<(Snapshot, Step)> {
        let snapshot = self.observe(&BTreeSet::new())?;
        let step = step(&snapshot);
        Ok((snapshot, step))
    }

    /// Returns what `step` would look at if the branch were at a commit. Reads only.
    ///
    /// Fails where the commit or its plan cannot be read.
    pub fn snapshot_at(&self, commit: &ObjectId) -> Result<Snapshot> {
        self.cache().attempts = Attempts::from_pins(&self.machine.pins()?);
        self.observe_at(*commit, &BTreeSet::new())
    }

    /// Takes part in a run with another feature's driver: what one learns of an agent, and what it spends, the other knows.
    #[must_use]
    pub fn beside(self, other: &Driver<'a>) -> Driver<'a> {
        Driver {
            budget: self.budget.beside(&other.budget),
            agents: other.agents.clone(),
            turns: other.turns.clone(),
            ..self
        }
    }

    pub(super) fn agents(&self) -> MutexGuard<'_, SharedTrouble> {
        locked(&self.agents)
    }

    /// Takes the plan of a commit as looked over: this run starts from it.
    pub(super) fn begins_at(&self, tip: ObjectId) {
        self.cache().sound = Some(tip);
    }

    /// Reads the pinned attempts anew.
    pub(super) fn read_attempts(&self) -> Result<()> {
        let attempts = Attempts::from_pins(&self.machine.pins()?);
        self.cache().attempts = attempts;
        Ok(())
    }

    /// Lets the checkout follow what it could not follow before, where there is such.
    pub(super) fn catch_up_if_behind(&self) -> Result<()> {
        let behind = self.cache().behind;
        if behind { self.catch_up() } else { Ok(()) }
    }
}
