//! What a session must not have changed outside its slot: git's settings, refs, the user's files.
//!
//! A confined session cannot; what changed meanwhile is then the user's own doing and only reported. An
//! unconfined one could: what decides what git runs is put back and the run stops.

use super::Os;
use super::confinement::OwnAccount;
use super::ref_guard::WatchedRefs;
use super::settings_guard::{GuardedSettings, MOST_NAMED, list};
use crate::attempt_id::attempt_id;
use crate::config_snapshot::{self, ConfigSnapshot};
use crate::git::{CheckoutChanges, CheckoutSnapshot, GitPath};
use crate::isolation::{Access, Bounds, Layer};
use crate::lock::driven_elsewhere;
use crate::place_list::PlaceList;
use crate::program_snapshot::ProgramSnapshot;
use crate::python_start_up;
use gatewalk_core::driver::driver_event::DriverEvent;
use gatewalk_core::engine::command_end::Tampering;
use gatewalk_core::engine::evidence::one_line;
use gatewalk_core::error::{Error, ErrorCause, Result};
use gatewalk_core::object_id::ObjectId;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::SystemTime;

/// How things stood before a session.
struct ProtectedState {
    /// What a confined session or command could reach, as things were before it; none where nothing confines it.
    bounds: Option<Bounds>,
    git_config: ConfigSnapshot,
    around: ConfigSnapshot,
    agent_settings: GuardedSettings,
    programs: ProgramSnapshot,
    /// None for a confined session, which cannot reach any of it.
    open: Option<ExposedState>,
}

struct ExposedState {
    refs: BTreeMap<String, ObjectId>,
    begun: SystemTime,
    /// The features that drivers in other work trees were at work on.
    of_others: BTreeSet<String>,
    /// The driver's own git directory for what attempts leave.
    trusted_git_dir: ConfigSnapshot,
    /// None around a command: the files of the checkout are only looked at around a session.
    checkout: Option<CheckoutSnapshot>,
}

impl Os<'_> {
    /// Runs something between two looks at what it must leave alone; returns what a user should see of them.
    pub fn watched<T>(
        &self,
        confined: bool,
        unit: &str,
        run: impl FnOnce() -> T,
    ) -> Result<(T, Vec<String>)> {
        self.watched_session(confined, (unit, &OwnAccount::default()), run)
    }

    /// Likewise a session of these agents, which may write where they keep state.
    pub(super) fn watched_session<T>(
        &self,
        confined: bool,
        (unit, own): (&str, &OwnAccount),
        run: impl FnOnce() -> T,
    ) -> Result<(T, Vec<String>)> {
        let bounds = confined.then(|| self.session_bounds(Path::new("/"), own));
        let before = self.watch(bounds, Some(own))?;
        let ran = self.run_distrusting_slots(confined, run);
        let who = match confined {
            true => format!("the session of {unit}"),
            false => format!("the unconfined session of {unit}"),
        };
        Ok((ran, self.look_again(&before, &who)?))
    }

    /// Runs a command of the oracle likewise: the work it runs may reach for the same. Returns what it must not have
    /// done; what could be put back is.
    pub(super) fn watched_command<T>(
        &self,
        unit: &str,
        run: impl FnOnce() -> T,
    ) -> Result<(T, Option<Tampering>)> {
        let confined = self.layer().is_active();
        let bounds = confined.then(|| self.bounds(Path::new("/"), true));
        let before = self.watch(bounds, None)?;
        let ran = self.run_distrusting_slots(confined, run);
        match self.look_again(&before, &format!("a command for {unit}")) {
            Ok(seen) => {
                seen.into_iter().for_each(|text| self.note(text));
                Ok((ran, None))
            }
            Err(error) if error.cause == Some(ErrorCause::Tampering) => {
                let tampering = Tampering {
                    what: error.to_string(),
                    aftermath: error.hints,
                };
                Ok((ran, Some(tampering)))
            }
            Err(error) => Err(error),
        }
    }

    /// Runs something; what it could reach is doubted from its start, and once more for what was learned beside it.
    fn run_distrusting_slots<T>(&self, confined: bool, run: impl FnOnce() -> T) -> T {
        if confined {
            return run();
        }
        self.distrust_slots();
        if self.unconfined.fetch_add(1, Ordering::SeqCst) > 0 {
            self.side_by_side.store(true, Ordering::SeqCst);
        }
        let ran = run();
        self.unconfined.fetch_sub(1, Ordering::SeqCst);
        self.distrust_slots();
        ran
    }

    /// Looks at what must be left alone by a session of these agents, or by a command, within bounds.
    fn watch(&self, bounds: Option<Bounds>, agents: Option<&OwnAccount>) -> Result<ProtectedState> {
        let confined = bounds.is_some();
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
        let watched = self.watched_places();
        let python = python_start_up::files(self.moved_places());
        let programs =
            ProgramSnapshot::take(&watched.own_programs, &self.lasting_reach(bounds.as_ref()));
        Ok(ProtectedState {
            git_config: ConfigSnapshot::take(Arc::new(PlaceList::new(places))),
            around: ConfigSnapshot::take_flat(Arc::clone(&watched.around), python),
            agent_settings: self.agent_settings_now(confined, agents),
            programs,
            open: (!confined)
                .then(|| self.open(agents.is_some()))
                .transpose()?,
            bounds,
        })
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

    /// Looks again; returns what a user should see. All of it is looked at and put back, whatever else is not as it was: the
    /// next run takes what it finds for the user's.
    fn look_again(&self, before: &ProtectedState, who: &str) -> Result<Vec<String>> {
        let broken = before.git_config.broken();
        let mut looks = Vec::new();
        if before.open.is_none() {
            self.note_foreign(broken.iter(), who);
        } else if !broken.is_empty() {
            let what = "what decides what git runs changed";
            looks.push(Err(self.restore_all(
                &before.git_config,
                &broken,
                (what, who),
            )?));
        }
        looks.extend(self.around_again(before, who));
        // Not before the settings were put back: what git would run is decided there.
        if let Some(open) = &before.open
            && before.git_config.broken().is_empty()
        {
            looks.push(self.exposed_again(open, who));
        }
        together(looks)
    }

    /// Looks again at what only an unconfined session reaches.
    fn exposed_again(&self, open: &ExposedState, who: &str) -> Result<Vec<String>> {
        let (refs, own) = self.own_commits(|own| Ok((self.git.watched_refs()?, own.clone())))?;
        let mut of_others = driven_elsewhere(self.git.common_dir(), open.begun);
        of_others.extend(open.of_others.iter().cloned());
        let mut seen = self.refs_again(
            &WatchedRefs {
                before: &open.refs,
                now: &refs,
                own: &own,
                of_others: &of_others,
            },
            who,
        )?;
        if !open.trusted_git_dir.broken().is_empty() {
            self.git.distrust_git_dir();
            let what = "the driver's own git directory changed while an unconfined session ran, or a command on its work";
            seen.push(format!("{what}: it is made anew"));
        }
        if let Some(checkout_snapshot) = &open.checkout {
            seen.extend(checkout_report(&self.git.changed_since(checkout_snapshot)?));
        }
        Ok(seen)
    }

    /// Looks again at what steers verification from outside the slots: what the family could write was written by it.
    fn around_again(&self, before: &ProtectedState, who: &str) -> [Result<Vec<String>>; 3] {
        let reached = self.lasting_reach(before.bounds.as_ref());
        let (mine, foreign): (BTreeSet<PathBuf>, BTreeSet<PathBuf>) = self
            .broken_around(before)
            .into_iter()
            .partition(|path| reached(path));
        self.note_foreign(foreign.iter(), who);
        let what = "what steers verification from outside changed";
        let around = match mine.is_empty() {
            true => Ok(vec![]),
            false => self
                .restore_all(&before.around, &mine, (what, who))
                .and_then(Err),
        };
        [
            around,
            self.agent_settings_again(&before.agent_settings, who, &|path| reached(path)),
            programs_again(&before.programs, who, &reached),
        ]
    }

    /// Returns whether a process within bounds could change a path so that it stays so: any path where it has none.
    fn lasting_reach<'b>(&self, bounds: Option<&'b Bounds>) -> impl Fn(&Path) -> bool + 'b {
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

    /// Returns what steers verification from outside the slots and is not as it was, or was not there.
    fn broken_around(&self, before: &ProtectedState) -> BTreeSet<PathBuf> {
        let appeared = python_start_up::files(self.moved_places());
        before.around.broken_beside(&appeared)
    }

    fn note_foreign<'p>(&self, paths: impl Iterator<Item = &'p PathBuf>, who: &str) {
        let list = list(paths);
        if !list.is_empty() {
            self.watcher.report(&DriverEvent::Note {
                text: format!("changed while {who} ran, not by it, for it is confined: {list}"),
            });
        }
    }

    /// Puts back what a seal has, and returns the error that says so.
    fn restore_all(
        &self,
        git_config: &ConfigSnapshot,
        broken: &BTreeSet<PathBuf>,
        (what, who): (&str, &str),
    ) -> Result<Error> {
        let aside = self.state().join("tampered").join(attempt_id());
        let lost = git_config.restore(broken, &aside)?;
        let mut error =
            Error::integrity(format!("{what} while {who} ran: {}", list(broken.iter())))
                .because(ErrorCause::Tampering)
                .hint(format!(
                    "it is as it was before; what stood there is in {}",
                    aside.display()
                ));
        for path in lost {
            error = error.hint(format!("could not be put back: {}", path.display()));
        }
        Ok(error.hint(
            "what the session left is kept; if the change was yours, make it again and run again",
        ))
    }
}

/// Looks again at the programs that verification may start.
fn programs_again(
    before: &ProgramSnapshot,
    who: &str,
    is_reached: &dyn Fn(&Path) -> bool,
) -> Result<Vec<String>> {
    let (changed, new) = before.changed(is_reached);
    if !changed.is_empty() {
        return Err(Error::integrity(format!(
            "programs that verification may start changed while {who} ran: {}",
            list(changed.iter())
        ))
        .because(ErrorCause::Tampering)
        .hint("they are as they were left: install them again before you trust them")
        .hint("what the session left is kept"));
    }
    let named = || format!("new programs in your PATH: {}", list(new.iter()));
    Ok((!new.is_empty()).then(named).into_iter().collect())
}

/// Returns what a user should see of several looks; where some found what stops the run, an error that says all of it.
fn together(looks: Vec<Result<Vec<String>>>) -> Result<Vec<String>> {
    let (mut seen, mut errors) = (Vec::new(), Vec::new());
    for look in looks {
        match look {
            Ok(found) => seen.extend(found),
            Err(error) => errors.push(error),
        }
    }
    errors.sort_by_key(|error| error.cause != Some(ErrorCause::Tampering));
    let mut errors = errors.into_iter();
    let Some(mut first) = errors.next() else {
        return Ok(seen);
    };
    for error in errors {
        first = first.hint(error.to_string());
        first.hints.extend(error.hints);
    }
    first.hints.extend(seen);
    Err(first)
}

/// Returns what a user should see of what changed in their checkout.
fn checkout_report(since: &CheckoutChanges) -> Vec<String> {
    let names = |paths: &[GitPath]| -> String {
        let shown = paths.iter().take(MOST_NAMED);
        let names: Vec<String> = shown.map(|p| one_line(&p.to_text())).collect();
        names.join(", ")
    };
    let mut checkout_report = Vec::new();
    let mut tell = |what: &str, which: &str| {
        let when = "while the unconfined session ran, by it or by you";
        checkout_report.push(format!("{what} {when}{which}"));
    };
    if !since.files.is_empty() {
        let which = format!(": {}", names(&since.files));
        tell("files of your checkout changed", &which);
    }
    if !since.unwatched.is_empty() {
        let which = format!(": {}", names(&since.unwatched));
        tell(
            "git was told not to look at files of your checkout any more",
            &which,
        );
    }
    if since.staged {
        tell("what is staged in your checkout changed", "");
    }
    checkout_report
}
