//! The loop: observe, decide, perform, again. Slots are worked by one thread each.

use super::agent_retry::{self, UsageLimit};
use super::budget::RunBudget;
use super::committed_plan::{Attempts, CommittedPlan};
use super::dispatch::SessionOrder;
use super::driver_event::{DriverEvent, Watcher};
use super::land;
use super::ports::{Machine, SlotId};
use crate::engine::action::{Action, Step, Stop};
use crate::engine::broad_tier::{BroadReport, BroadSubject};
use crate::engine::snapshot::{AgentTrouble, BaseReport, RunOptions, Snapshot};
use crate::engine::step::step;
use crate::error::{Error, Result};
use crate::model::layout::Layout;
use crate::model::workspace::Workspace;
use crate::object_id::ObjectId;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::panic::AssertUnwindSafe;
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, Mutex, MutexGuard, mpsc};
use std::thread::{Builder, Scope};
use std::time::Duration;

/// The longest wait for a worker while a unit waits for its time: a suspend must not hide it.
const LONGEST_LOOK: Duration = Duration::from_secs(30);

/// Plans kept by commit: the tip's, and a session's that began at another. Each has its own log of the feature, which grows.
const PLANS: usize = 3;

/// How a walk ended.
#[derive(Debug, Clone, PartialEq)]
pub enum RunEnd {
    /// For a reason of the plan.
    Stopped(Stop),
    /// Because the user or the system asked.
    Interrupted,
}

/// What the driver keeps between two observations. All of it can be read again from the machine.
#[derive(Default)]
pub(super) struct DriverCache {
    /// The ones used last, the newest at the end.
    pub(super) plans: Vec<Arc<CommittedPlan>>,
    pub(super) attempts: Attempts,
    /// What a unit's oracle found on a commit.
    pub(super) base: BTreeMap<(ObjectId, String), BaseReport>,
    /// What the broad tier found last.
    pub(super) broad: Option<(BroadSubject, BroadReport)>,
    /// What a command that is red on a tree printed, by tree and command: shown for every unit, run once.
    pub(super) red: BTreeMap<String, (i32, Option<String>)>,
    /// How commands ended on trees in this run, by [`base_key`](super::result_cache::base_key).
    pub(super) exits: HashMap<String, i32>,
    /// Whether this is a run, and not a look.
    pub(super) walking: bool,
    pub(super) trouble: BTreeMap<String, AgentTrouble>,
    /// Agents that no unit can work with in this run, and why.
    pub(super) unusable: BTreeMap<String, String>,
    /// Agents whose usage limit one session has met: nobody else needs to meet it.
    pub(super) limited: BTreeMap<String, UsageLimit>,
    /// The commit whose plan was looked over last: by us, or because it is one of ours on top of such a one.
    pub(super) sound: Option<ObjectId>,
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
    cache: Mutex<DriverCache>,
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
            options,
            budget: RunBudget::default(),
            cache: Mutex::default(),
        }
    }

    pub(super) fn cache(&self) -> MutexGuard<'_, DriverCache> {
        // A panic in another thread ends the run anyway; what it left here is only a cache.
        self.cache
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
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
        let plan = Arc::new(CommittedPlan::read(
            self.machine,
            commit,
            self.layout,
            &self.feature_dir,
            near.as_deref(),
        )?);
        self.cache().keep_plan(plan.clone());
        Ok(plan)
    }

    /// Takes up a commit's state directory that was read already, so that it is not read again.
    pub fn knows(&self, commit: &ObjectId, workspace: &Arc<Workspace>) -> Result<()> {
        let plan = CommittedPlan::of(self.machine, commit, workspace.clone(), &self.feature_dir)?;
        self.cache().keep_plan(Arc::new(plan));
        Ok(())
    }

    /// Returns the decision for the world as it is, without doing anything.
    pub fn preview(&self) -> Result<(Snapshot, Step)> {
        let snapshot = self.observe(&BTreeSet::new())?;
        let step = step(&snapshot);
        Ok((snapshot, step))
    }

    /// Returns what `step` would look at if the branch were at a commit. Reads only.
    pub fn snapshot_at(&self, commit: &ObjectId) -> Result<Snapshot> {
        self.cache().attempts = Attempts::from_pins(&self.machine.pins()?);
        self.observe_at(*commit, &BTreeSet::new())
    }

    /// Walks until there is a reason to stop. Starting is recovering.
    pub fn run(&self) -> Result<RunEnd> {
        self.cache().walking = true;
        self.recover()?;
        let tip = self.tip()?;
        let feature = self.plan_at(&tip)?.feature().name();
        // Who starts a run has looked at the plan it begins with.
        self.cache().sound = Some(tip);
        self.report(DriverEvent::Started {
            feature,
            branch: self.branch.clone(),
            tip,
        });
        self.note_missing_agents()?;
        std::thread::scope(|scope| {
            let (ended, ends) = mpsc::channel();
            let mut work = WorkerSlots {
                slots: vec![None; self.options.jobs.max(1)],
                failure: None,
            };
            let mut last = None;
            loop {
                if let Some(end) = self.end_at_rest(&mut work)? {
                    return Ok(end);
                }
                let (step, wake) = self.decide(&work, &mut last)?;
                match step {
                    Step::Stop(stop) => {
                        if self.cache().behind {
                            self.catch_up()?;
                        }
                        return Ok(RunEnd::Stopped(stop));
                    }
                    Step::Do(actions) => {
                        for action in actions {
                            match action.needs_slot() {
                                true => self.start_worker(scope, action, &mut work, &ended),
                                false => self.perform(&action, SlotId::Session(0))?,
                            }
                        }
                    }
                    Step::Busy => work.wait(&ends, wake)?,
                }
            }
        })
    }

    /// Ends a walk whose workers are all back: with the error of one, or because it was asked to.
    fn end_at_rest(&self, work: &mut WorkerSlots) -> Result<Option<RunEnd>> {
        if !work.is_idle() {
            return Ok(None);
        }
        if let Some(failure) = work.failure.take() {
            return Err(failure);
        }
        Ok(self.machine.stopping().then_some(RunEnd::Interrupted))
    }

    /// Returns the next step, and how long at most to wait for a worker: a unit that waits goes on beside the others when
    /// its time has come.
    fn decide(
        &self,
        work: &WorkerSlots,
        last: &mut Option<(Snapshot, Vec<Action>)>,
    ) -> Result<(Step, Option<Duration>)> {
        if work.failure.is_some() || self.machine.stopping() {
            return Ok((Step::Busy, None));
        }
        let tip = self.tip()?;
        self.verify_plan_change(&tip)?;
        let snapshot = self.observe_at(tip, &work.running())?;
        let step = step(&snapshot);
        let wake = agent_retry::next_wait(&snapshot)
            .and_then(|until| until.duration_since(snapshot.now).try_into().ok());
        if let Step::Do(actions) = &step {
            no_repetition(last, snapshot, actions)?;
        }
        Ok((step, wake))
    }

    /// Starts a worker for a unit.
    fn start_worker<'scope, 'env>(
        &'env self,
        scope: &'scope Scope<'scope, 'env>,
        action: Action,
        work: &mut WorkerSlots,
        ended: &mpsc::Sender<WorkerResult>,
    ) {
        let slot = work.take(action.unit().unwrap_or_default());
        let ended = ended.clone();
        let worker = move || {
            // A worker that is silent for ever would be waited for.
            let perform = AssertUnwindSafe(|| self.perform(&action, slot));
            let result = std::panic::catch_unwind(perform);
            let result = result.unwrap_or_else(|_| Err(Error::internal("a worker failed")));
            // The receiver outlives every worker of this scope.
            drop(ended.send((slot, result)));
        };
        if let Err(e) = Builder::new().spawn_scoped(scope, worker) {
            let error = format!("the system gives no thread for a unit: {e}");
            work.release(slot, Err(Error::environment(error)));
        }
    }

    fn perform(&self, action: &Action, slot: SlotId) -> Result<()> {
        match action {
            Action::Activate => land::activate(self),
            Action::CheckBase { unit } => self.check_base(unit, slot),
            Action::Dispatch {
                unit,
                number,
                nth,
                agent,
            } => {
                let order = SessionOrder {
                    unit,
                    number: *number,
                    nth: *nth,
                    agent: *agent,
                };
                self.dispatch(&order, slot)
            }
            Action::Judge { unit, number } => self.judge(unit, *number, slot),
            Action::Land { unit, number } => land::land(self, unit, *number),
            Action::Park { unit, reason } => land::park(self, unit, reason),
            Action::AutoClose { unit, decision } => land::auto_close(self, unit, decision),
            Action::AskRequirements => self.run_coverage(&self.tip()?, SlotId::Session(0)),
            Action::CheckBroad { gate } => self.check_broad(*gate),
            Action::CloseGate { gate, finish } => land::close_gate(self, *gate, *finish),
            Action::Wait { until, why } => {
                self.report(DriverEvent::Waiting {
                    until: until.to_string(),
                    why: why.clone(),
                });
                self.machine.sleep_until(*until);
                Ok(())
            }
        }
    }
}

/// A worker's slot, and how what it did ended.
type WorkerResult = (SlotId, Result<()>);

/// Which slots are taken by which units, and the first error of a worker.
struct WorkerSlots {
    slots: Vec<Option<String>>,
    failure: Option<Error>,
}

impl WorkerSlots {
    fn is_idle(&self) -> bool {
        self.slots.iter().all(Option::is_none)
    }

    fn running(&self) -> BTreeSet<String> {
        self.slots.iter().flatten().cloned().collect()
    }

    fn take(&mut self, unit: &str) -> SlotId {
        let free = self
            .slots
            .iter()
            .position(Option::is_none)
            .expect("step admits no more than the slots");
        self.slots[free] = Some(unit.to_owned());
        SlotId::Session(free)
    }

    /// Waits for a worker to come back.
    fn wait(&mut self, ends: &mpsc::Receiver<WorkerResult>, wake: Option<Duration>) -> Result<()> {
        let end = match wake {
            Some(wake) => ends.recv_timeout(LONGEST_LOOK.min(wake)),
            None => ends.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match end {
            Ok((slot, result)) => self.release(slot, result),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Error::internal("every worker is gone"));
            }
        }
        Ok(())
    }

    fn release(&mut self, slot: SlotId, result: Result<()>) {
        if let SlotId::Session(number) = slot {
            self.slots[number] = None;
        }
        if let Err(error) = result {
            self.failure.get_or_insert(error);
        }
    }
}

/// Refuses to do the same again in the same situation: a livelock would spend money.
fn no_repetition(
    last: &mut Option<(Snapshot, Vec<Action>)>,
    snapshot: Snapshot,
    actions: &[Action],
) -> Result<()> {
    let mut same_time = snapshot;
    same_time.now = jiff::Timestamp::UNIX_EPOCH;
    let this = (same_time, actions.to_vec());
    // The short ones first: a feature that was walked far is long to compare.
    let repeats = |last: &(Snapshot, Vec<Action>)| {
        last.1 == this.1 && last.0.tip == this.0.tip && last.0 == this.0
    };
    if last.as_ref().is_some_and(repeats) {
        return Err(Error::internal(format!(
            "no progress after {:?}",
            actions.first()
        )));
    }
    *last = Some(this);
    Ok(())
}
