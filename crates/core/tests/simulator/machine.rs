//! The world in memory: objects, refs, slots, notes, a clock. It survives the crash of a driver.
//!
//! Every effect may be where the driver dies, before or after it; from then on every effect fails
//! without doing anything, which is what death looks like to the world.

mod history;
mod run_state;
mod slots;

use super::scenario::Scenario;
use gatewalk_core::driver::ports::{InFlight, SlotId};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard};

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
