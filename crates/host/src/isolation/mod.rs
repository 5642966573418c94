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
mod program_files;
mod ruled_places;
mod stand_ins;

pub(crate) use bounds::OWN_MODE;
pub use bounds::{Access, AccessRule, Bounds};
pub(crate) use moved_places::MovedPlaces;
pub(crate) use stand_ins::{SlotStandIns, StandIns};

use super::process::{CommandSpec, WrapperStatus};
use gatewalk_core::error::Result;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The hidden command behind which Landlock is applied.
pub(crate) const CONFINE: &str = "confine";

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
    /// absence is reported as such. Layered directories are in memory where no stand-ins are given.
    pub(crate) fn confine(
        &self,
        spec: CommandSpec,
        bounds: &Bounds,
        stand_ins: Option<&SlotStandIns>,
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
        let bounds = &bounds;
        let mut status = None;
        let (wrapper, mut args) = match self {
            Layer::None(_) => return spec,
            Layer::Bubblewrap(bwrap) => {
                // Without a report, the wrapper's own failure is taken for the command's.
                let report = WrapperStatus::new().ok();
                let stand_ins = stand_ins.filter(|_| report.is_some());
                let built = bubblewrap::command_line(bounds, &spec.cwd, report.as_ref(), stand_ins);
                status = report.map(|report| Arc::new(report.keeping(built.leases)));
                (bwrap, built.arguments)
            }
            Layer::Landlock(own) => (own, landlock::arguments(bounds)),
        };
        if let (Layer::Bubblewrap(_), Some(own), true) = (self, bounds.scoper(), bounds.network) {
            // The network of the machine has its abstract sockets in it.
            args.extend(["--".into(), own.into(), CONFINE.into(), "--sockets".into()]);
        }
        args.push("--".into());
        args.push(program.into());
        args.extend(spec.args);
        CommandSpec {
            program: wrapper.clone().into(),
            args,
            wrapper: status,
            ..spec
        }
    }
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
