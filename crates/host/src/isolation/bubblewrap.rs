//! bubblewrap's command line.
//!
//! The root is bound read-only; the rules follow, outer paths first, so that inner ones win. The network
//! is a namespace of its own with only the loopback, unless it is wanted.

use super::bounds::{Access, Bounds};
use super::command_line::CommandLine;
use super::layered_directories::LayeredDirectories;
use super::stand_ins::{SlotStandIns, StandInLease};
use super::{CONFINE, SOCKETS};
use crate::process::CONFINED_STARTS;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long the try-out may take: a busy machine must not be taken for one without namespaces.
const TRIAL: Duration = Duration::from_secs(30);

const BASE: &[&str] = &[
    "--die-with-parent",
    "--unshare-pid",
    "--unshare-ipc",
    "--cap-drop",
    "ALL",
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    // User 0 without capabilities still owns these files, and bubblewrap covers only what it may write itself.
    "--ro-bind",
    "/proc/sys",
    "/proc/sys",
];

/// Tries the namespaces out; says why they cannot be had.
pub(super) fn works(program: &Path) -> Result<(), String> {
    let mut why = String::new();
    for _ in 0..CONFINED_STARTS {
        match trial(program)? {
            TrialEnd::Worked => return Ok(()),
            TrialEnd::Failed(said) => why = said,
        }
    }
    Err(why)
}

/// How a trial ended that was seen to end.
enum TrialEnd {
    Worked,
    Failed(String),
}

fn trial(program: &Path) -> Result<TrialEnd, String> {
    let mut child = Command::new(program)
        .args(BASE)
        .args(["--unshare-net", "--tmpfs", "/tmp", "--", "true"])
        .env_clear()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| e.to_string())?;
    let deadline = Instant::now() + TRIAL;
    let mut nap = Duration::from_micros(200);
    loop {
        match child.try_wait().map_err(|e| e.to_string())? {
            Some(status) if status.success() => return Ok(TrialEnd::Worked),
            Some(status) => {
                let mut message = String::new();
                if let Some(mut stderr) = child.stderr.take() {
                    use std::io::Read;
                    // What it says only explains; without it the exit status does.
                    drop(stderr.by_ref().take(400).read_to_string(&mut message));
                }
                let message = message.lines().next().unwrap_or_default().to_owned();
                return Ok(TrialEnd::Failed(match message.is_empty() {
                    true => status.to_string(),
                    false => message,
                }));
            }
            None if Instant::now() > deadline => {
                // It may have ended meanwhile; either way it is gone now.
                drop(child.kill());
                drop(child.wait());
                return Err("it does not answer".to_owned());
            }
            None => {
                std::thread::sleep(nap);
                nap = (nap * 2).min(Duration::from_millis(5));
            }
        }
    }
}

/// A command line, and what it needs for as long as it runs.
#[derive(Debug)]
pub(super) struct WrapperLine {
    /// The arguments up to the program.
    pub(super) arguments: Vec<OsString>,
    /// What stands on the disk for it.
    pub(super) leases: Vec<StandInLease>,
}

impl WrapperLine {
    /// Returns the arguments with what keeps a process in these bounds from abstract sockets.
    pub(super) fn scoped(mut self, bounds: &Bounds) -> Vec<OsString> {
        if let Some(own) = bounds.scoper() {
            self.arguments
                .extend(["--".into(), own.into(), CONFINE.into(), SOCKETS.into()]);
        }
        self.arguments
    }
}

/// Returns the command line up to the program, without where it reports to.
pub(super) fn command_line(
    bounds: &Bounds,
    cwd: &Path,
    stand_ins: Option<&SlotStandIns>,
) -> WrapperLine {
    let mut line = CommandLine(BASE.iter().map(OsString::from).collect());
    if !bounds.network {
        line.0.push("--unshare-net".into());
    }
    let mut layered = LayeredDirectories::new(bounds, stand_ins);
    for rule in bounds.rules() {
        let path = &rule.path;
        match rule.access {
            Access::Write => line.two("--bind", path, path),
            // Each mount has bubblewrap read the list of all of them anew.
            Access::Read if is_read_around(bounds, path) => {}
            Access::Read => line.two("--ro-bind", path, path),
            // Nothing can be mounted where nothing is.
            Access::Hidden if bounds.is_inside_hidden(path) => {}
            Access::Hidden => line.hide(path, path),
            Access::Layered => layered.show(path, &mut line),
            Access::Private => {
                match bounds.backing(path) {
                    Some(backing) => line.two("--bind", backing, path),
                    // `--dev` mounts empty directories of its own there.
                    None if path.starts_with("/dev") => {}
                    None => line.one("--tmpfs", path),
                }
                for entry in bounds.shown_in(path) {
                    line.two("--ro-bind-try", &entry, &entry);
                }
            }
        }
    }
    line.one("--chdir", cwd);
    WrapperLine {
        arguments: line.0,
        leases: layered.leases,
    }
}

/// Returns whether what is around a path is mounted so that it can be read, with all that is in it. What is shown of a
/// private directory is mounted so.
fn is_read_around(bounds: &Bounds, path: &Path) -> bool {
    match bounds.rule_around(path) {
        Some(access) => matches!(access, Access::Read | Access::Private),
        None => !["/dev", "/proc"]
            .iter()
            .any(|apart| path.starts_with(apart)),
    }
}
