//! Confinement of what an attempt runs: bubblewrap where it works, else Landlock, else nothing.
//!
//! Invariants: the slot is writable; the repository, its git directory, the other slots and the user's
//! own settings are not; what guards the user's other accounts is not readable. What confines is
//! tried out before it is relied on. Absent on purpose: who wants how much of it (the user's and
//! the project's settings decide), the environment (`process::env`).

mod bounds;
mod bubblewrap;
#[cfg(target_os = "linux")]
mod capabilities;
mod command_line;
mod known_paths;
#[cfg(target_os = "linux")]
mod landlock;
#[cfg(not(target_os = "linux"))]
#[path = "landlock_absent.rs"]
mod landlock;
mod layered_directories;
mod layered_entries;
mod listening_sockets;
mod moved_places;
mod prepared_sandbox;
mod program_files;
mod ruled_places;
mod stand_ins;
mod standby_places;
mod standbys;

pub(crate) use bounds::OWN_MODE;
pub use bounds::{Access, AccessRule, Bounds};
pub(crate) use moved_places::MovedPlaces;
pub(crate) use prepared_sandbox::SlotSandbox;
pub(crate) use stand_ins::{SlotStandIns, StandIns};
pub(crate) use standbys::Standbys;

use super::process::{CommandSpec, StandbyCommand, WrapperStatus};
use gatewalk_core::error::Result;
use prepared_sandbox::StandbyOrder;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The hidden command behind which Landlock is applied.
pub(crate) const CONFINE: &str = "confine";

/// What has it only keep from abstract sockets.
pub(crate) const SOCKETS: &str = "--sockets";
/// What has it wait for the program.
pub(crate) const STANDBY: &str = "--standby";

/// What confines on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Layer {
    /// A mount, process and network namespace, by this program.
    Bubblewrap(PathBuf),
    /// The kernel's file rules, applied by this program.
    Landlock(PathBuf),
    /// No confinement, for this reason.
    None(String),
}

impl Layer {
    /// Returns its word in records: `bubblewrap`, `landlock` or `none`.
    pub fn word(&self) -> &'static str {
        match self {
            Layer::Bubblewrap(_) => "bubblewrap",
            Layer::Landlock(_) => "landlock",
            Layer::None(_) => "none",
        }
    }

    /// Returns whether it confines at all.
    pub(crate) fn is_active(&self) -> bool {
        !matches!(self, Layer::None(_))
    }

    /// Tries what this machine has, the strongest first. `own_program` is this program.
    pub fn probe(env: &[(OsString, OsString)], own_program: &Path) -> Layer {
        let mut why = Vec::new();
        match find_program(OsStr::new("bwrap"), env, Path::new("/")) {
            Some(program) => match bubblewrap::works(&program) {
                Ok(()) => return Layer::Bubblewrap(program),
                Err(error) => why.push(format!("bubblewrap does not work here: {error}")),
            },
            None => why.push("bubblewrap is not installed".to_owned()),
        }
        match landlock::works() {
            true => Layer::Landlock(own_program.to_path_buf()),
            false => {
                why.push("this kernel has no Landlock".to_owned());
                Layer::None(why.join("; "))
            }
        }
    }

    /// Returns the command as it runs confined. A program that cannot be found stays as it is, so that its
    /// absence is reported as such. Bubblewrap's sandbox is one that was set up ahead, where there is one.
    pub(crate) fn confine(
        &self,
        spec: CommandSpec,
        bounds: &Bounds,
        ahead: (&Standbys, SlotSandbox),
    ) -> CommandSpec {
        if !self.is_active() {
            return spec;
        }
        let spec = program_files::with_visible_path(spec, bounds);
        let Some(program) = find_program(&spec.program, &spec.env, &spec.cwd) else {
            return spec;
        };
        let mut bounds = program_files::showing_named(bounds, &spec, &program);
        if matches!(self, Layer::Bubblewrap(_)) {
            listening_sockets::hide(&mut bounds, &spec.cwd);
        }
        let words: Vec<OsString> = std::iter::once(program.into()).chain(spec.args).collect();
        let spec = CommandSpec {
            args: words,
            ..spec
        };
        match self {
            Layer::None(_) => spec,
            Layer::Bubblewrap(bwrap) => in_bubblewrap(bwrap, spec, bounds, ahead),
            Layer::Landlock(own) => behind(own, landlock::arguments(&bounds), spec),
        }
    }
}

/// Returns a command, whose arguments are all its words, behind another program and its arguments.
fn behind(wrapper: &Path, mut args: Vec<OsString>, spec: CommandSpec) -> CommandSpec {
    args.push("--".into());
    args.extend(spec.args);
    CommandSpec {
        program: wrapper.into(),
        args,
        ..spec
    }
}

/// Returns a command as it runs behind bubblewrap.
fn in_bubblewrap(
    bwrap: &Path,
    mut spec: CommandSpec,
    bounds: Bounds,
    (standbys, slot): (&Standbys, SlotSandbox),
) -> CommandSpec {
    let Ok(status) = WrapperStatus::new() else {
        // Without a report, the wrapper's own failure is taken for the command's.
        let built = bubblewrap::command_line(&bounds, &spec.cwd, None);
        return behind(bwrap, built.scoped(&bounds), spec);
    };
    let order = StandbyOrder {
        bwrap: bwrap.to_path_buf(),
        bounds,
        cwd: spec.cwd.clone(),
        slot,
    };
    let (mut built, standby) = standbys.line(&order);
    let leases = std::mem::take(&mut built.leases);
    let report = status.arguments().into_iter();
    let args = report.chain(built.scoped(&order.bounds)).collect();
    let words = spec.args.clone();
    let standby = standby.map(|standby| StandbyCommand { standby, words });
    let status = status.with_standby(standby);
    spec.wrapper = Some(Arc::new(status.keeping(standbys.again(order, leases))));
    behind(bwrap, args, spec)
}

/// Returns what Landlock does on this system beyond files: whether it keeps commands from the network, and signals and
/// abstract sockets inside the process tree.
pub fn landlock_has() -> (bool, bool) {
    (landlock::has_network(), landlock::has_scopes())
}

/// Confines this process by Landlock; it and all it starts may write below `write` only and see `read` only, and
/// reach no server outside where it is `offline` and the kernel knows how.
///
/// # Errors
///
/// Where the kernel has no Landlock, or refuses.
pub fn confine_this_process(read: &[PathBuf], write: &[PathBuf], offline: bool) -> Result<()> {
    landlock::apply(read, write, offline)
}

/// Keeps this process, and all it starts, from abstract sockets of others; a kernel that cannot leaves it as it is.
///
/// # Errors
///
/// Where a kernel that can refuses.
pub fn shut_abstract_sockets() -> Result<()> {
    landlock::scope_sockets()
}

/// Returns the file a program's name means.
pub(crate) fn find_program(
    name: &OsStr,
    env: &[(OsString, OsString)],
    cwd: &Path,
) -> Option<PathBuf> {
    let runnable = |path: &Path| {
        use std::os::unix::fs::PermissionsExt;
        std::fs::metadata(path).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
    };
    if name.as_encoded_bytes().contains(&b'/') {
        return Some(cwd.join(name)).filter(|p| runnable(p));
    }
    let path = env.iter().find(|(n, _)| n == "PATH").map(|(_, v)| v)?;
    std::env::split_paths(path)
        .filter(|dir| dir.is_absolute())
        .map(|dir| dir.join(name))
        .find(|p| runnable(p))
}

#[cfg(test)]
mod tests;
