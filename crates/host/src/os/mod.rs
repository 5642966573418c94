//! The real machine: git, slots, processes and the clock behind `gatewalk_core::driver::ports`.

mod accounts;
mod agent_readiness;
mod agent_stdin;
mod chosen_agent;
mod confinement;
mod costly_command;
/// What can be done without on the disk.
pub mod disposable;
mod far_judging;
mod far_judging_places;
mod far_sessions;
mod far_slots;
mod git_history;
mod home_listener;
mod judge_lacks;
mod judging_steps;
mod linked_files;
mod local_ports;
mod named_files;
mod protected_state;

mod ref_guard;
mod running_reports;
mod runtime;
mod sealed_slots;
mod server_guard;
mod session_guard;
mod session_runner;
mod session_sink;
mod settings_guard;
mod setup;
mod setup_artifacts;
mod setup_leftovers;
mod shell;
mod slot_files;
mod slot_fingerprint;
mod slots;
mod temporary;
mod unread_output;

pub use accounts::{login_file, payment};
pub use agent_readiness::unready;
pub(crate) use judging_steps::JudgedStep;
use runtime::log_root;
pub use runtime::{command_log, has_begun, known_exit, log_dir, read_in_flight};
pub(crate) use session_runner::{SessionProcess, SessionRelay};
pub use shell::{has_hook, judging_hooks};

use super::external_files::WatchedPlaces;
use super::git::{Git, KnownTree, PinWrite, Slot};
use super::host::{Host, owner};
use super::isolation::{Layer, MovedPlaces, StandIns, Standbys};
use super::lock::ProcessTreeLock;
use super::process::Marker;
use super::selected_feature::Selected;
use super::stop_flag::StopFlag;
use gatewalk_core::driver::driver_event::Watcher;
use gatewalk_core::driver::ports::SlotId;
use gatewalk_core::driver::run_loop::{DrivenFeature, Driver};
use gatewalk_core::engine::snapshot::RunOptions;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::layout::Layout;
use gatewalk_core::object_id::ObjectId;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Arc, Mutex, OnceLock};

/// The machine that a run works on: a repository, its slots and its processes.
pub struct Os<'w> {
    git: Git,
    stop: StopFlag,
    host: Host,
    run_lock: Option<ProcessTreeLock>,
    watcher: &'w dyn Watcher,
    slots: PathBuf,
    opened: Mutex<BTreeMap<SlotId, Slot>>,
    /// What a slot holds, where that is known: nothing ran in it since somebody looked.
    holds: Mutex<BTreeMap<SlotId, KnownTree>>,
    /// What was reported to the user once: agents by name, whose environment was reported, and keys of notes.
    reported: Mutex<BTreeSet<String>>,
    /// Ignored paths verification keeps, as the project says.
    caches: Mutex<Vec<String>>,
    /// What set-up made in verification's slots, where this process knows it.
    made: Mutex<BTreeMap<SlotId, Arc<setup_artifacts::SetupArtifacts>>>,
    /// Sandboxes that wait for commands; gone before what they show.
    standbys: Standbys,
    /// Directories for temporary files.
    temporary: temporary::Temporaries,
    /// Directories that stand in the place of homes.
    stand_ins: StandIns,
    /// What confines attempts, once it was asked.
    layer: OnceLock<Layer>,
    /// Where the user's variables put things.
    moved: OnceLock<MovedPlaces>,
    /// What is looked at around sessions and commands.
    watched_places: OnceLock<WatchedPlaces>,
    /// How that was found by the last look.
    last_look: protected_state::LastLook,
    /// The branches that are driven, each once a slot was prepared for it.
    driven: Mutex<BTreeSet<String>>,
    /// Whether anything ran that nothing confines.
    exposed: AtomicBool,
    /// How many process trees run now that nothing confines.
    unconfined: AtomicUsize,
    /// Whether two of them ever ran side by side: each could reach the other's slot.
    side_by_side: AtomicBool,
    /// The stops of slots whose commands can be ended alone.
    own_stops: Mutex<BTreeMap<SlotId, StopFlag>>,
    /// Commits this run made itself: landings, and records of attempts.
    landed: Mutex<BTreeSet<ObjectId>>,
    /// What is pinned with the next landing, by ref.
    awaiting: Mutex<BTreeMap<String, PinWrite>>,
    /// What slots on runners are to hold, and what sessions there left.
    far: far_slots::FarSlots,
    /// Where the work of slots is judged, if not here.
    judging: far_judging_places::FarJudging,
}

impl<'w> Os<'w> {
    /// Returns the machine of one repository, to read and to commit; who runs anything on it says so with [`Os::for_run`].
    pub fn new(git: &Git, host: Host, watcher: &'w dyn Watcher) -> Result<Os<'w>> {
        let slots = slots_root(git, &host)?;
        let below = host.var("TMPDIR").map(PathBuf::from);
        let temporary = temporary::Temporaries::new(below, &owner(git));
        Ok(Os {
            git: git.clone(),
            stop: StopFlag::new()?,
            host,
            run_lock: None,
            watcher,
            slots,
            opened: Mutex::default(),
            holds: Mutex::default(),
            reported: Mutex::default(),
            caches: Mutex::default(),
            made: Mutex::default(),
            standbys: Standbys::default(),
            temporary,
            stand_ins: StandIns::default(),
            layer: OnceLock::new(),
            moved: OnceLock::new(),
            watched_places: OnceLock::new(),
            last_look: protected_state::LastLook::default(),
            driven: Mutex::default(),
            exposed: AtomicBool::default(),
            unconfined: AtomicUsize::default(),
            side_by_side: AtomicBool::default(),
            own_stops: Mutex::default(),
            landed: Mutex::default(),
            awaiting: Mutex::default(),
            far: far_slots::FarSlots::default(),
            judging: far_judging_places::FarJudging::default(),
        })
    }

    /// Returns the machine ready to run things: `stop` ends them, and their processes inherit the lock.
    #[must_use]
    pub fn for_run(self, stop: StopFlag, lock: ProcessTreeLock) -> Os<'w> {
        Os {
            stop,
            run_lock: Some(lock),
            ..self
        }
    }

    /// Returns a driver of a feature on this machine.
    pub fn driver(&self, layout: Layout, feature: &Selected, options: RunOptions) -> Driver<'_> {
        let feature = DrivenFeature {
            layout,
            branch: &feature.branch,
            dir: &feature.dir,
        };
        Driver::new(self, self.watcher, &feature, options)
    }

    /// Returns what every started process holds, so that a later run knows which are left.
    fn inherited(&self) -> Option<Arc<File>> {
        self.run_lock.as_ref().map(ProcessTreeLock::file)
    }

    /// Returns the directory of the repository's runtime state.
    fn state(&self) -> PathBuf {
        self.git.state_dir()
    }

    /// Refuses to start anything more once the runtime state was removed: the locks went with it, and nothing keeps a
    /// second driver away.
    fn refuse_lost_locks(&self) -> Result<()> {
        if self.run_lock.as_ref().is_none_or(ProcessTreeLock::is_ours) {
            return Ok(());
        }
        Err(Error::environment(format!(
            "`{}` was removed while this run was at work, and its locks with it",
            self.state().display()
        ))
        .hint("nothing is lost but logs: what landed is on the branch, and what a session left is kept under `refs/gatewalk/`")
        .hint("run it again: it goes on from there"))
    }

    fn marker(&self, run: &str) -> Marker {
        Marker::new(&owner(&self.git), run)
    }

    /// Returns the environment every process of an attempt may see.
    fn env(
        &self,
        extra: &[&str],
        unit: &str,
        feature_dir: Option<&Path>,
    ) -> Vec<(OsString, OsString)> {
        let mut env = super::process::env::allowed(&self.host.env, extra);
        env.push(("GATEWALK_UNIT".into(), unit.into()));
        env.push(("GATEWALK_BIN".into(), self.host.own_program.clone().into()));
        if let Some(dir) = feature_dir {
            env.push(("GATEWALK_FEATURE_DIR".into(), dir.into()));
        }
        env
    }
}

/// Returns where a repository's slots are: outside every work tree.
pub fn slots_root(git: &Git, host: &Host) -> Result<PathBuf> {
    let var = |name: &str| {
        host.env
            .iter()
            .find(|(n, _)| n == name)
            .map(|(_, v)| PathBuf::from(v))
            .filter(|p| p.is_absolute())
    };
    let cache = var("XDG_CACHE_HOME").or_else(|| var("HOME").map(|h| h.join(".cache")));
    let candidates = [cache, Some(std::env::temp_dir())];
    let outside = |p: &PathBuf| {
        let slots = p.join("gatewalk").join("slots");
        !slots.starts_with(git.work_tree()) && !git.work_tree().starts_with(&slots)
    };
    candidates
        .into_iter()
        .flatten()
        .map(|p| std::fs::canonicalize(&p).unwrap_or(p))
        .find(outside)
        .map(|p| p.join("gatewalk").join("slots").join(owner(git)))
        .ok_or_else(|| {
            Error::environment("there is no directory outside the repository for slots")
                .hint("set XDG_CACHE_HOME to a directory outside the repository")
        })
}

fn full(branch: &str) -> String {
    format!("refs/heads/{branch}")
}
