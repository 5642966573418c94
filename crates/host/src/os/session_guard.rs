//! What a session must not have changed outside its slot: git's settings, refs, the user's files.
//!
//! A confined session cannot; what changed meanwhile is then the user's own doing and only reported. An
//! unconfined one could: what decides what git runs is put back and the run stops.

use super::Os;
use super::confinement::OwnAccount;
use super::protected_state::{Begun, ExposedState, OutsideState, ProtectedState};
use super::ref_guard::WatchedRefs;
use super::settings_guard::{MOST_NAMED, list};
use crate::attempt_id::attempt_id;
use crate::config_snapshot::ConfigSnapshot;
use crate::git::{CheckoutChanges, GitPath};
use crate::lock::driven_elsewhere;
use crate::python_start_up;
use gatewalk_core::driver::driver_event::DriverEvent;
use gatewalk_core::engine::command_end::Tampering;
use gatewalk_core::engine::evidence::one_line;
use gatewalk_core::error::{Error, ErrorCause, Result};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

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
        let mut begun = self.last_look.begin();
        let before = self.watch(&mut begun, bounds, Some(own))?;
        let ran = self.run_distrusting_slots(confined, run);
        let who = match confined {
            true => format!("the session of {unit}"),
            false => format!("the unconfined session of {unit}"),
        };
        Ok((ran, self.look_again(begun, before, &who)?))
    }

    /// Runs what is the user's own doing: what it changes outside of its slot counts for no session.
    pub(super) fn unwatched<T>(&self, run: impl FnOnce() -> T) -> T {
        let _begun = self.last_look.begin();
        run()
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
        let mut begun = self.last_look.begin();
        let before = self.watch(&mut begun, bounds, None)?;
        let ran = self.run_distrusting_slots(confined, run);
        match self.look_again(begun, before, &format!("a command for {unit}")) {
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

    /// Looks again; returns what a user should see. All of it is looked at and put back, whatever else is not as it was: the
    /// next run takes what it finds for the user's.
    fn look_again(
        &self,
        begun: Begun<'_>,
        before: ProtectedState,
        who: &str,
    ) -> Result<Vec<String>> {
        let outside = &before.outside;
        let broken = outside.git_config.broken();
        let mut looks = Vec::new();
        if before.open.is_none() {
            self.note_foreign(broken.iter(), who);
        } else if !broken.is_empty() {
            let what = "what decides what git runs changed";
            looks.push(Err(self.restore_all(
                &outside.git_config,
                &broken,
                (what, who),
            )?));
        }
        let programs = outside
            .programs
            .again(&self.lasting_reach(outside.bounds.as_ref()));
        let around = self.broken_around(outside);
        let changed = outside.programs.changed(&programs);
        let is_same = broken.is_empty() && around.is_empty() && changed == <_>::default();
        looks.extend(self.around_again(&before, around, who));
        looks.push(programs_again(changed, who));
        // Not before the settings were put back: what git would run is decided there.
        if let Some(open) = &before.open
            && (broken.is_empty() || outside.git_config.broken().is_empty())
        {
            looks.push(self.exposed_again(open, who));
        }
        let seen = together(looks)?;
        if is_same {
            begun.keep(before.outside);
        }
        Ok(seen)
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
    fn around_again(
        &self,
        before: &ProtectedState,
        broken: BTreeSet<PathBuf>,
        who: &str,
    ) -> [Result<Vec<String>>; 2] {
        let outside = &before.outside;
        let reached = self.lasting_reach(outside.bounds.as_ref());
        let (mine, foreign): (BTreeSet<PathBuf>, BTreeSet<PathBuf>) =
            broken.into_iter().partition(|path| reached(path));
        self.note_foreign(foreign.iter(), who);
        let what = "what steers verification from outside changed";
        let around = match mine.is_empty() {
            true => Ok(vec![]),
            false => self
                .restore_all(&outside.around, &mine, (what, who))
                .and_then(Err),
        };
        let settings =
            self.agent_settings_again(&before.agent_settings, who, &|path| reached(path));
        [around, settings]
    }

    /// Returns what steers verification from outside the slots and is not as it was, or was not there.
    fn broken_around(&self, before: &OutsideState) -> BTreeSet<PathBuf> {
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

/// Says what became of the programs that verification may start: those that changed, and the new ones.
fn programs_again((changed, new): (Vec<PathBuf>, Vec<PathBuf>), who: &str) -> Result<Vec<String>> {
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
