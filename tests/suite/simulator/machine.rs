//! The world in memory: objects, refs, slots, notes, a clock. It survives the crash of a driver.
//!
//! Every effect may be where the driver dies, before or after it; from then on every effect fails
//! without doing anything, which is what death looks like to the world.

use super::agent::{self, Behaviour};
use super::hosts::{self, Brought};
use super::scenario::Scenario;
use gatewalk_core::agents::{Outcome, ProcessExit, Session};
use gatewalk_core::driver::ports::{
    AgentEnd, AgentJob, CapturedTree, CheckoutUpdate, Clock, CommandRunner, CommitRequest,
    FarPlace, History, InFlight, MergeOutcome, Pin, RunNotes, SessionRunner, SetUp, ShellEnd,
    ShellJob, SlotContent, SlotId, TreeListing, TreeWrite, Workspaces,
};
use gatewalk_core::engine::command_end::CommandEnd;
use gatewalk_core::engine::guards::{ChangedPath, ChangedPathKind};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::layout::Layout;
use gatewalk_core::model::workspace::FileSet;
use gatewalk_core::object_id::ObjectId;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

/// The files of a tree.
pub(super) type Files = BTreeMap<String, Arc<[u8]>>;

/// The branch of the first feature, which is checked out.
pub(super) const BRANCH: &str = "feat/sim";

#[derive(Clone)]
pub(super) struct Commit {
    pub(super) tree: ObjectId,
    pub(super) parent: Option<ObjectId>,
    pub(super) message: String,
}

#[derive(Clone)]
struct Slot {
    files: Files,
    /// What a session left here and nobody pinned yet.
    precious: Option<ObjectId>,
    start: ObjectId,
}

/// Everything a crash does not take away.
#[derive(Clone, Default)]
pub(super) struct World {
    pub(super) trees: HashMap<ObjectId, Arc<Files>>,
    pub(super) commits: HashMap<ObjectId, Commit>,
    pub(super) refs: BTreeMap<String, ObjectId>,
    slots: BTreeMap<SlotId, Slot>,
    in_flight: BTreeMap<SlotId, InFlight>,
    remembered: BTreeMap<String, i32>,
    /// The commit the user's checkout is at.
    pub(super) checkout: Option<ObjectId>,
    clock: i64,
    /// Sessions that ran, by unit and number, the interrupted ones included.
    pub(super) sessions: BTreeMap<(String, u32), u32>,
    /// Sessions whose end the driver saw, charged to their unit.
    pub(super) charged: BTreeMap<(String, u32), u32>,
    /// Every tree a session left that differed from what it was given.
    pub(super) left: BTreeSet<ObjectId>,
    /// What some host sent of a session before.
    older: Option<Files>,
    /// Sessions that hosts lost.
    pub(super) lost_sessions: u32,
    /// Commits the user made on the branch: path and content.
    pub(super) user: Vec<(String, String)>,
    /// What is wrong, the first thing only.
    pub(super) wrong: Option<String>,
    pub(super) effects: u64,
}

/// Where a driver dies: at the so many-th effect, before or after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Death {
    pub(super) effect: u64,
    pub(super) after: bool,
}

/// One driver's life in the world.
pub(super) struct Sim<'s> {
    pub(super) scenario: &'s Scenario,
    world: Mutex<World>,
    life: Mutex<Life>,
}

#[derive(Default)]
struct Life {
    dead: bool,
    effects: u64,
    death: Option<Death>,
    /// At which effect the user commits on the branch.
    user_at: Vec<u64>,
    stop_at: Option<u64>,
}

fn name_of(kind: char, value: impl Hash) -> ObjectId {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    let hex = format!("{:016x}{:024x}", hasher.finish(), kind as u32);
    ObjectId::parse(hex.as_bytes()).expect("forty digits")
}

fn died() -> Error {
    Error::environment("the driver is dead")
}

impl World {
    pub(super) fn put_tree(&mut self, files: Files) -> ObjectId {
        let oid = name_of('t', &files);
        self.trees.entry(oid).or_insert_with(|| Arc::new(files));
        oid
    }

    pub(super) fn put_commit(
        &mut self,
        tree: &ObjectId,
        parent: Option<&ObjectId>,
        message: &str,
    ) -> ObjectId {
        let oid = name_of('c', (tree, parent, message));
        let commit = Commit {
            tree: *tree,
            parent: parent.cloned(),
            message: message.to_owned(),
        };
        self.commits.insert(oid, commit);
        oid
    }

    pub(super) fn files(&self, tree_or_commit: &ObjectId) -> Result<Arc<Files>> {
        let tree = self
            .commits
            .get(tree_or_commit)
            .map_or(tree_or_commit, |c| &c.tree);
        self.trees
            .get(tree)
            .cloned()
            .ok_or_else(|| Error::internal(format!("no object {tree}")))
    }

    /// Lets the world's clock show a moment.
    pub(super) fn set_clock(&mut self, now: jiff::Timestamp) {
        self.clock = now.as_second() - 1_800_000_000;
    }

    pub(super) fn tip(&self) -> ObjectId {
        self.tip_of(BRANCH)
    }

    pub(super) fn tip_of(&self, branch: &str) -> ObjectId {
        self.refs[&format!("refs/heads/{branch}")]
    }

    /// Returns the commits of a branch, the newest first.
    pub(super) fn branch(&self, branch: &str) -> Vec<ObjectId> {
        let mut commits = vec![self.tip_of(branch)];
        while let Some(parent) = self.commits[commits.last().unwrap()].parent {
            commits.push(parent);
        }
        commits
    }

    /// Returns every tree that some ref leads to.
    pub(super) fn reachable(&self) -> BTreeSet<ObjectId> {
        let mut trees = BTreeSet::new();
        let mut seen = BTreeSet::new();
        for start in self.refs.values() {
            let mut next = Some(*start);
            while let Some(commit) = next.filter(|c| seen.insert(*c)) {
                trees.insert(self.commits[&commit].tree);
                next = self.commits[&commit].parent;
            }
        }
        trees
    }

    pub(super) fn blame(&mut self, what: impl Into<String>) {
        self.wrong.get_or_insert(what.into());
    }

    fn user_commits(&mut self) {
        let number = self.user.len();
        let tip = self.tip();
        let mut files = (*self.files(&tip).expect("the tip is whole")).clone();
        let path = format!("user-{number}.txt");
        // Every other one does not go together with some unit's work.
        let content = match number % 2 {
            0 => format!("mine {number}\n"),
            _ => format!("mine, without T{:02}.txt\n", number / 2 % 4 + 1),
        };
        files.insert(path.clone(), content.as_bytes().into());
        let tree = self.put_tree(files);
        let commit = self.put_commit(&tree, Some(&tip), "The user's own\n");
        self.refs.insert(format!("refs/heads/{BRANCH}"), commit);
        self.checkout = Some(commit);
        self.user.push((path, content));
    }
}

impl<'s> Sim<'s> {
    pub(super) fn new(scenario: &'s Scenario, world: World) -> Sim<'s> {
        Sim {
            scenario,
            world: Mutex::new(world),
            life: Mutex::default(),
        }
    }

    pub(super) fn dying(self, death: Option<Death>) -> Self {
        self.life.lock().unwrap().death = death;
        self
    }

    pub(super) fn with_user_at(self, effects: Vec<u64>) -> Self {
        self.life.lock().unwrap().user_at = effects;
        self
    }

    pub(super) fn stopping_at(self, effect: Option<u64>) -> Self {
        self.life.lock().unwrap().stop_at = effect;
        self
    }

    pub(super) fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap()
    }

    pub(super) fn into_world(self) -> World {
        self.world.into_inner().unwrap()
    }

    pub(super) fn is_dead(&self) -> bool {
        self.life.lock().unwrap().dead
    }

    pub(super) fn effects(&self) -> u64 {
        self.life.lock().unwrap().effects
    }

    /// Performs one effect, unless the driver is dead or dies just now.
    fn effect<T>(&self, perform: impl FnOnce(&mut World) -> Result<T>) -> Result<T> {
        let mut world = self.world();
        let mut life = self.life.lock().unwrap();
        if life.dead {
            return Err(died());
        }
        life.effects += 1;
        world.effects += 1;
        let now = life.effects;
        if life.user_at.contains(&now) {
            world.user_commits();
        }
        let dies = |after| life.death == Some(Death { effect: now, after });
        if dies(false) {
            life.dead = true;
            return Err(died());
        }
        let done = perform(&mut world);
        super::invariants::after_effect(&mut world, self.scenario);
        if dies(true) {
            life.dead = true;
            return Err(died());
        }
        done
    }

    fn read<T>(&self, look: impl FnOnce(&World) -> Result<T>) -> Result<T> {
        if self.is_dead() {
            return Err(died());
        }
        look(&self.world())
    }
}

fn diff(old: &Files, new: &Files) -> Vec<ChangedPath> {
    let paths: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let change = |path: &String| {
        let (before, after) = (old.get(path), new.get(path));
        let kind = match (before, after) {
            (None, _) => ChangedPathKind::Added,
            (_, None) => ChangedPathKind::Deleted,
            _ if before == after => return None,
            _ => ChangedPathKind::Modified,
        };
        let regular = after.is_some_and(|bytes| !bytes.starts_with(b"link:"));
        Some(ChangedPath {
            path: path.clone(),
            kind,
            regular,
        })
    };
    paths.into_iter().filter_map(change).collect()
}

impl History for Sim<'_> {
    fn state_files(&self, commit: &ObjectId, layout: Layout) -> Result<FileSet> {
        let inside = format!("{}/", layout.dir());
        self.read(|w| {
            let files = w.files(commit)?;
            Ok(files
                .iter()
                .filter(|(p, _)| p.starts_with(&inside))
                .map(|(p, b)| (p.clone(), b.clone()))
                .collect())
        })
    }

    fn file_at(&self, tree: &ObjectId, path: &str) -> Result<Option<Vec<u8>>> {
        self.read(|w| Ok(w.files(tree)?.get(path).map(|bytes| bytes.to_vec())))
    }

    fn paths(&self, tree: &ObjectId) -> Result<Vec<String>> {
        self.read(|w| Ok(w.files(tree)?.keys().cloned().collect()))
    }

    fn list_tree(
        &self,
        tree: &ObjectId,
        choose: &dyn Fn(&[String]) -> Vec<String>,
    ) -> Result<TreeListing> {
        let paths = self.paths(tree)?;
        let chosen = choose(&paths);
        let content = |path: String| {
            let bytes = self.file_at(tree, &path)?.unwrap_or_default();
            Ok((path, bytes))
        };
        let chosen = chosen.into_iter().map(content).collect::<Result<_>>()?;
        Ok(TreeListing { paths, chosen })
    }

    fn tip(&self, branch: &str) -> Result<Option<ObjectId>> {
        self.read(|w| Ok(Some(w.tip_of(branch))))
    }

    fn tree_of(&self, commit: &ObjectId) -> Result<ObjectId> {
        self.read(|w| Ok(w.commits[commit].tree))
    }

    fn tree_key(&self, tree: &ObjectId, without: &str) -> Result<String> {
        let inside = format!("{without}/");
        self.read(|w| {
            let files = w.files(tree)?;
            Ok(name_of(
                'k',
                files
                    .iter()
                    .filter(|(p, _)| !p.starts_with(&inside))
                    .collect::<Vec<_>>(),
            )
            .hex())
        })
    }

    fn diff(&self, old: &ObjectId, new: &ObjectId) -> Result<Vec<ChangedPath>> {
        self.read(|w| Ok(diff(&*w.files(old)?, &*w.files(new)?)))
    }

    fn edit_tree(&self, tree: &ObjectId, edits: &[TreeWrite]) -> Result<ObjectId> {
        self.effect(|w| {
            let mut files = (*w.files(tree)?).clone();
            for (path, content) in edits {
                match content {
                    Some(bytes) => files.insert(path.clone(), bytes.as_slice().into()),
                    None => files.remove(path),
                };
            }
            Ok(w.put_tree(files))
        })
    }

    fn merge(&self, base: &ObjectId, ours: &ObjectId, theirs: &ObjectId) -> Result<MergeOutcome> {
        self.effect(|w| {
            let (base, ours, theirs) = (w.files(base)?, w.files(ours)?, w.files(theirs)?);
            let mut merged = (*ours).clone();
            let mut conflicts = Vec::new();
            for change in diff(&base, &theirs) {
                let (was, is) = (base.get(&change.path), ours.get(&change.path));
                let wanted = theirs.get(&change.path);
                if was != is && is != wanted {
                    conflicts.push(change.path);
                    continue;
                }
                match wanted {
                    Some(bytes) => merged.insert(change.path, bytes.clone()),
                    None => merged.remove(&change.path),
                };
            }
            Ok(if conflicts.is_empty() {
                MergeOutcome::Clean(w.put_tree(merged))
            } else {
                MergeOutcome::Conflict(conflicts)
            })
        })
    }

    fn pins(&self) -> Result<Vec<Pin>> {
        self.read(|w| {
            let pins = w
                .refs
                .iter()
                .filter(|(name, _)| name.starts_with("refs/gatewalk/"));
            let pin = |(name, oid): (&String, &ObjectId)| {
                let commit = &w.commits[oid];
                Pin {
                    name: name.clone(),
                    commit: *oid,
                    tree: commit.tree,
                    message: commit.message.clone(),
                }
            };
            Ok(pins.map(pin).collect())
        })
    }

    fn pin(&self, name: &str, pinned: &CommitRequest<'_>) -> Result<()> {
        self.effect(|w| {
            let commit = w.put_commit(&pinned.tree, Some(&pinned.parent), pinned.message);
            w.refs.insert(name.to_owned(), commit);
            Ok(())
        })
    }

    fn unpin(&self, name: &str) -> Result<()> {
        self.effect(|w| {
            w.refs.remove(name);
            Ok(())
        })
    }

    fn land(
        &self,
        branch: &str,
        landing: &CommitRequest<'_>,
    ) -> Result<Option<(ObjectId, CheckoutUpdate)>> {
        let (tree, tip) = (&landing.tree, &landing.parent);
        let commit = self.effect(|w| Ok(w.put_commit(tree, Some(tip), landing.message)))?;
        let moved = self.effect(|w| {
            let name = format!("refs/heads/{branch}");
            let swaps = w.refs.get(&name) == Some(tip);
            if swaps {
                w.refs.insert(name, commit);
                super::invariants::landed(w, self.scenario, (branch, &commit));
            }
            Ok(swaps)
        })?;
        if !moved {
            return Ok(None);
        }
        self.effect(|w| {
            w.checkout = Some(w.tip());
            Ok(())
        })?;
        Ok(Some((commit, CheckoutUpdate::default())))
    }

    fn finish_checkout_update(&self) -> Result<CheckoutUpdate> {
        self.effect(|w| {
            w.checkout = Some(w.tip());
            Ok(CheckoutUpdate::default())
        })
    }
}

impl Workspaces for Sim<'_> {
    fn prepare_slot(&self, content: &SlotContent<'_>) -> Result<()> {
        let (slot, tree) = (content.slot, &content.tree);
        self.effect(|w| {
            let files = (*w.files(tree)?).clone();
            let before = w.slots.remove(&slot).and_then(|slot| slot.precious);
            if let Some(left) = before.filter(|left| !w.reachable().contains(left)) {
                w.blame(format!(
                    "slot {slot} was overwritten while {left} was in no ref"
                ));
            }
            w.slots.insert(
                slot,
                Slot {
                    files,
                    precious: None,
                    start: *tree,
                },
            );
            Ok(())
        })
    }

    fn set_up(&self, _: SlotId, _: &SetUp<'_>) -> Result<Option<ShellEnd>> {
        Ok(None)
    }

    fn capture(&self, slot: SlotId, _: &ObjectId) -> Result<CapturedTree> {
        self.effect(|w| {
            let found = w
                .slots
                .get(&slot)
                .cloned()
                .ok_or_else(|| Error::environment("no such slot"))?;
            let history_ok = !found.files.contains_key(".sim/rewound");
            let files = found
                .files
                .into_iter()
                .filter(|(path, _)| !path.starts_with(".sim/"))
                .collect();
            Ok(CapturedTree {
                tree: w.put_tree(files),
                history_ok,
                notes: vec![],
            })
        })
    }
}

impl SessionRunner for Sim<'_> {
    fn run_session(&self, job: &AgentJob) -> Result<AgentEnd> {
        // Two effects: the session works, and its end is seen. A crash in between interrupts it.
        let (behaviour, host) = self.effect(|w| {
            super::invariants::may_run(w, self.scenario, &job.unit);
            let key = (job.unit.clone(), job.number);
            let before = w.sessions.get(&key).copied().unwrap_or(0);
            w.sessions.insert(key, before + 1);
            let behaviour = self.scenario.behaviour(&job.unit, job.number, before);
            let at = (job.unit.as_str(), job.number, before);
            let host = self.scenario.hosts.fate(job.slot, at);
            let mut slot = w
                .slots
                .get(&job.slot)
                .cloned()
                .ok_or_else(|| Error::internal("no slot was prepared"))?;
            let scene = agent::Scene {
                id: &job.unit,
                number: job.number,
            };
            match (
                host.map_or(Brought::Work, |(_, fate)| fate.brings),
                &w.older,
            ) {
                (Brought::Nothing, _) => {}
                (Brought::Half, _) => hosts::half(&mut slot.files),
                (Brought::Older, Some(older)) => hosts::older(&mut slot.files, older),
                (Brought::Work | Brought::Older, _) => (behaviour.act)(&mut slot.files, &scene),
            }
            if host.is_some() {
                w.older = Some(slot.files.clone());
            }
            let seen: Files = slot
                .files
                .iter()
                .filter(|(p, _)| !p.starts_with(".sim/"))
                .map(|(p, b)| (p.clone(), b.clone()))
                .collect();
            let left = w.put_tree(seen);
            if left != slot.start {
                slot.precious = Some(left);
                w.left.insert(left);
            }
            w.slots.insert(job.slot, slot);
            Ok((behaviour, host))
        })?;
        self.effect(|w| {
            let mut end = end_of(behaviour);
            if let Some((host, fate)) = host {
                end.place = Some(FarPlace {
                    runner: host.to_owned(),
                    isolation: String::new(),
                    waited: Duration::ZERO,
                });
                if fate.lost {
                    end.outcome = Outcome::RunnerLost;
                    w.lost_sessions += 1;
                }
                w.clock += fate.seconds;
            }
            if !end.outcome.is_infra() {
                *w.charged.entry((job.unit.clone(), job.number)).or_default() += 1;
            }
            w.clock += 1;
            Ok(end)
        })
    }
}

impl CommandRunner for Sim<'_> {
    fn run_command(&self, job: &ShellJob) -> Result<ShellEnd> {
        self.effect(|w| {
            let slot = w
                .slots
                .get_mut(&job.slot)
                .ok_or_else(|| Error::internal("no slot was prepared"))?;
            let ended = agent::oracle(&job.shell, &slot.files);
            // What a command litters must not be committed.
            slot.files
                .insert("litter.log".into(), b"from the oracle\n".as_slice().into());
            Ok(shell_end(ended))
        })
    }
}

impl Clock for Sim<'_> {
    fn now(&self) -> jiff::Timestamp {
        jiff::Timestamp::from_second(1_800_000_000 + self.world().clock).expect("in range")
    }

    fn sleep_until(&self, until: jiff::Timestamp) -> bool {
        self.effect(|w| {
            w.clock = w.clock.max(until.as_second() - 1_800_000_000 + 1);
            Ok(())
        })
        .is_ok()
    }

    fn stopping(&self) -> bool {
        let life = self.life.lock().unwrap();
        life.stop_at.is_some_and(|at| life.effects >= at)
    }
}

impl RunNotes for Sim<'_> {
    fn note_in_flight(&self, note: &InFlight) -> Result<()> {
        self.effect(|w| {
            w.in_flight.insert(note.slot, note.clone());
            Ok(())
        })
    }

    fn in_flight(&self) -> Result<Vec<InFlight>> {
        self.read(|w| Ok(w.in_flight.values().cloned().collect()))
    }

    fn clear_in_flight(&self, slot: SlotId) -> Result<()> {
        self.effect(|w| {
            w.in_flight.remove(&slot);
            Ok(())
        })
    }

    fn cached_result(&self, key: &str) -> Option<i32> {
        self.world().remembered.get(key).copied()
    }

    fn cache_result(&self, key: &str, exit: i32) {
        let key = key.to_owned();
        drop(self.effect(|w| {
            w.remembered.insert(key, exit);
            Ok(())
        }));
    }

    fn keep_log(&self, _: &str, _: u32, _: &str, _: &str) {}

    fn attempt_id(&self) -> String {
        "ATTEMPT".to_owned()
    }
}

fn end_of(behaviour: &Behaviour) -> AgentEnd {
    let mut session = Session {
        cost_usd: behaviour.cost,
        finished: true,
        ..Session::default()
    };
    session.usage.output_tokens = Some(7);
    AgentEnd {
        place: None,
        exit: ProcessExit::Code(0),
        session,
        outcome: (behaviour.outcome)(),
        duration: Duration::from_secs(1),
        strays: 0,
        remedy: None,
        known_program: false,
        notes: vec![],
    }
}

fn shell_end(ended: CommandEnd) -> ShellEnd {
    ShellEnd {
        ended,
        duration: Duration::from_millis(5),
        stdout_head: vec![],
        stdout_tail: b"a file is not whole\n".to_vec(),
        stdout_omitted: 0,
        stderr_head: vec![],
        stderr_tail: vec![],
        stderr_omitted: 0,
    }
}
