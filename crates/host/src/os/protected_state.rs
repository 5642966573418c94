//! How what a session or a command must leave alone stood before it.
//!
//! What one look found as it was is how the next finds it, where that begins at once and nothing ran in between: then it
//! is not looked at anew.

use super::Os;
use super::confinement::OwnAccount;
use super::settings_guard::GuardedSettings;
use crate::config_snapshot::{self, ConfigSnapshot};
use crate::git::CheckoutSnapshot;
use crate::inode_state::InodeState;
use crate::isolation::{Access, Bounds, Layer};
use crate::lock::driven_elsewhere;
use crate::place_list::PlaceList;
use crate::program_snapshot::ProgramSnapshot;
use crate::python_start_up;
use gatewalk_core::error::Result;
use gatewalk_core::object_id::ObjectId;
use gatewalk_core::parallel::locked;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

/// How long a look counts for what begins after it: what the user changes in that time is taken for the next run's doing.
const LOOK_COUNTS: Duration = Duration::from_secs(1);

/// How things stood before a session or a command.
pub(super) struct ProtectedState {
    pub(super) outside: OutsideState,
    pub(super) agent_settings: GuardedSettings,
    /// None for a confined process, which cannot reach any of it.
    pub(super) open: Option<ExposedState>,
}

/// What no session may change, whichever its agents are.
pub(super) struct OutsideState {
    /// What a confined session or command could reach, as things were before it; none where nothing confines it.
    pub(super) bounds: Option<Bounds>,
    pub(super) git_config: Arc<ConfigSnapshot>,
    pub(super) around: Arc<ConfigSnapshot>,
    pub(super) programs: Arc<ProgramSnapshot>,
    /// What tells whether work trees and submodules came since, whose settings would be looked at, too.
    others: [Option<InodeState>; 2],
    taken: Instant,
}

/// What only an unconfined process reaches.
pub(super) struct ExposedState {
    pub(super) refs: BTreeMap<String, ObjectId>,
    pub(super) begun: SystemTime,
    /// The features that drivers in other work trees were at work on.
    pub(super) of_others: BTreeSet<String>,
    /// The driver's own git directory for what attempts leave.
    pub(super) trusted_git_dir: ConfigSnapshot,
    /// None around a command: the files of the checkout are only looked at around a session.
    pub(super) checkout: Option<CheckoutSnapshot>,
}

/// What the last look found as it was, from the end of what it was taken around to the next beginning.
#[derive(Default)]
pub(super) struct LastLook {
    kept: Mutex<KeptLook>,
    listed: Mutex<Vec<ListedPrograms>>,
}

#[derive(Default)]
struct KeptLook {
    /// How many runs have begun, and how many of them have not ended.
    begun: u64,
    running: usize,
    found: Option<OutsideState>,
}

/// The programs that processes within some bounds reach, and when their directories were listed.
struct ListedPrograms {
    bounds: Option<Bounds>,
    programs: Arc<ProgramSnapshot>,
    at: Instant,
}

/// A session or a command that has begun and not ended, or a program that is not watched.
pub(super) struct Begun<'l> {
    last: &'l LastLook,
    number: u64,
    found: Option<OutsideState>,
}

impl LastLook {
    /// Begins a session or a command, or what nobody watches: what was found before it counts for no other.
    pub(super) fn begin(&self) -> Begun<'_> {
        let mut kept = locked(&self.kept);
        kept.begun += 1;
        kept.running += 1;
        let is_alone = kept.running == 1;
        let found = kept.found.take();
        Begun {
            last: self,
            number: kept.begun,
            found: found.filter(|found| is_alone && found.taken.elapsed() < LOOK_COUNTS),
        }
    }

    /// Looks at the programs that a process within bounds reaches.
    fn programs(
        &self,
        directories: &[PathBuf],
        bounds: Option<&Bounds>,
        is_reached: &dyn Fn(&Path) -> bool,
    ) -> Arc<ProgramSnapshot> {
        let mut listed = locked(&self.listed);
        listed.retain(|listed| listed.at.elapsed() < LOOK_COUNTS);
        let same = listed
            .iter()
            .find(|listed| listed.bounds.as_ref() == bounds);
        if let Some(same) = same {
            return Arc::new(same.programs.again(is_reached));
        }
        let programs = Arc::new(ProgramSnapshot::take(directories, is_reached));
        listed.push(ListedPrograms {
            bounds: bounds.cloned(),
            programs: Arc::clone(&programs),
            at: Instant::now(),
        });
        programs
    }
}

impl Begun<'_> {
    /// Keeps what is as it was, unless something else ran meanwhile that could change it.
    pub(super) fn keep(self, found: OutsideState) {
        let mut kept = locked(&self.last.kept);
        if kept.running == 1 && kept.begun == self.number {
            kept.found = Some(found);
        }
    }
}

impl Drop for Begun<'_> {
    fn drop(&mut self) {
        locked(&self.last.kept).running -= 1;
    }
}

impl Os<'_> {
    /// Looks at what must be left alone by a session of these agents, or by a command, within bounds.
    pub(super) fn watch(
        &self,
        begun: &mut Begun<'_>,
        bounds: Option<Bounds>,
        agents: Option<&OwnAccount>,
    ) -> Result<ProtectedState> {
        let confined = bounds.is_some();
        Ok(ProtectedState {
            outside: self.outside(begun.found.take(), bounds),
            agent_settings: self.agent_settings_now(confined, agents),
            open: (!confined)
                .then(|| self.open(agents.is_some()))
                .transpose()?,
        })
    }

    /// Looks at what no session may change; what was found as it was just now is not looked at anew.
    fn outside(&self, found: Option<OutsideState>, bounds: Option<Bounds>) -> OutsideState {
        let programs = || {
            let reached = self.lasting_reach(bounds.as_ref());
            let directories = &self.watched_places().own_programs;
            self.last_look
                .programs(directories, bounds.as_ref(), &reached)
        };
        let others = ["worktrees", "modules"].map(|name| {
            let stat = rustix::fs::stat(self.git.common_dir().join(name)).ok()?;
            Some(InodeState::of(&stat)).filter(|state| state.is_settled())
        });
        match found.filter(|found| found.others == others) {
            Some(found) if found.bounds == bounds => found,
            Some(found) => OutsideState {
                programs: programs(),
                bounds,
                ..found
            },
            None => OutsideState {
                git_config: Arc::new(self.git_config()),
                around: Arc::new(ConfigSnapshot::take_flat(
                    Arc::clone(&self.watched_places().around),
                    python_start_up::files(self.moved_places()),
                )),
                programs: programs(),
                bounds,
                others,
                taken: Instant::now(),
            },
        }
    }

    /// Looks at what decides what git runs.
    fn git_config(&self) -> ConfigSnapshot {
        let home = self.host.var("HOME").map(PathBuf::from);
        let own = crate::user_config::path(&self.host.env);
        let mut places = config_snapshot::places(
            self.git.git_dir(),
            self.git.common_dir(),
            home.as_deref(),
            own.as_deref(),
        );
        if let Some(config) = self.host.var("XDG_CONFIG_HOME") {
            places.push(PathBuf::from(config).join("git/config"));
        }
        ConfigSnapshot::take(Arc::new(PlaceList::new(places)))
    }

    /// Records the refs, and the state of the checkout.
    fn open(&self, checkout: bool) -> Result<ExposedState> {
        let begun = SystemTime::now();
        Ok(ExposedState {
            refs: self.git.watched_refs()?,
            of_others: driven_elsewhere(self.git.common_dir(), begun),
            begun,
            trusted_git_dir: ConfigSnapshot::take(Arc::new(PlaceList::new(
                self.git.trusted_git_dir_settings(),
            ))),
            checkout: checkout.then(|| self.git.checkout_snapshot()).transpose()?,
        })
    }

    /// Returns whether a process within bounds could change a path so that it stays so: any path where it has none.
    pub(super) fn lasting_reach<'b>(
        &self,
        bounds: Option<&'b Bounds>,
    ) -> impl Fn(&Path) -> bool + 'b {
        // Only with mounts of its own is what is private to a process thrown away.
        let mounts = matches!(self.layer(), Layer::Bubblewrap(_));
        let lasts =
            move |access: Access| access == Access::Write || !mounts && access.is_writable();
        // Paths of one directory come one after the other.
        let last: RefCell<Option<(PathBuf, Access)>> = RefCell::default();
        move |path| {
            bounds.is_none_or(|bounds| {
                let Some(directory) = path.parent() else {
                    return lasts(bounds.access(path));
                };
                let mut last = last.borrow_mut();
                let known = last.take().filter(|(known, _)| known == directory);
                let (known, around) =
                    known.unwrap_or_else(|| (directory.to_path_buf(), bounds.access(directory)));
                *last = Some((known, around));
                lasts(bounds.access_in(around, path))
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(taken: Instant) -> OutsideState {
        let nothing = || Arc::new(ConfigSnapshot::take(Arc::default()));
        OutsideState {
            bounds: None,
            git_config: nothing(),
            around: nothing(),
            programs: Arc::new(ProgramSnapshot::take(&[], &|_| true)),
            others: [None; 2],
            taken,
        }
    }

    #[test]
    fn a_look_counts_for_what_begins_next_alone_and_soon() {
        let last = LastLook::default();
        let now = || state(Instant::now());
        let counts = || last.begin().found.is_some();
        last.begin().keep(now());
        assert!(counts());
        assert!(!counts(), "once only");
        last.begin()
            .keep(state(Instant::now().checked_sub(LOOK_COUNTS).unwrap()));
        assert!(!counts(), "not later");
        let other = last.begin();
        last.begin().keep(now());
        drop(other);
        assert!(!counts(), "something else ran when it was kept");
        let first = last.begin();
        drop(last.begin());
        first.keep(now());
        assert!(!counts(), "something else ran meanwhile");
        last.begin().keep(now());
        let other = last.begin();
        assert!(other.found.is_some() && !counts(), "something else began");
        drop(other);
        assert!(!counts());
    }
}
