//! bubblewrap's command line.
//!
//! The root is bound read-only; the rules follow, outer paths first, so that inner ones win. The network
//! is a namespace of its own with only the loopback, unless it is wanted.

use super::bounds::{Access, Bounds};
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long the try-out may take.
const TRIAL: Duration = Duration::from_secs(3);

/// Most entries of a directory that is layered; a larger one is only read.
const MOST_ENTRIES: usize = 400;

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
];

/// Tries the namespaces out.
pub(super) fn works(program: &Path) -> Result<(), String> {
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
            Some(status) if status.success() => return Ok(()),
            Some(status) => {
                let mut message = String::new();
                if let Some(mut stderr) = child.stderr.take() {
                    use std::io::Read;
                    // What it message only explains; without it the exit status does.
                    drop(stderr.by_ref().take(400).read_to_string(&mut message));
                }
                let message = message.lines().next().unwrap_or_default().to_owned();
                return Err(if message.is_empty() {
                    status.to_string()
                } else {
                    message
                });
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

/// Returns the arguments up to the program.
pub(super) fn arguments(bounds: &Bounds, cwd: &Path) -> Vec<OsString> {
    let mut line = CommandLine(BASE.iter().map(OsString::from).collect());
    if !bounds.network {
        line.0.push("--unshare-net".into());
    }
    for rule in bounds.rules() {
        let path = &rule.path;
        // `--dev` mounts directories of its own there.
        if path.starts_with("/dev") {
            continue;
        }
        match rule.access {
            Access::Write => line.two("--bind", path, path),
            Access::Read => line.two("--ro-bind", path, path),
            Access::Hidden if path.is_dir() => {
                line.one("--tmpfs", path);
                line.one("--remount-ro", path);
            }
            Access::Hidden => line.two("--ro-bind", Path::new("/dev/null"), path),
            Access::Layered => line.layer(bounds, path),
            Access::Private => {
                match bounds.backing(path) {
                    Some(backing) => line.two("--bind", backing, path),
                    None => line.one("--tmpfs", path),
                }
                for entry in bounds.shown_in(path) {
                    line.two("--ro-bind-try", &entry, &entry);
                }
            }
        }
    }
    line.one("--chdir", cwd);
    line.0
}

/// A command line that grows.
struct CommandLine(Vec<OsString>);

impl CommandLine {
    fn one(&mut self, how: &str, path: &Path) {
        self.0.extend([how.into(), path.as_os_str().into()]);
    }

    fn two(&mut self, how: &str, from: &Path, to: &Path) {
        self.0
            .extend([how.into(), from.as_os_str().into(), to.as_os_str().into()]);
    }

    /// Shows a directory's entries read-only in a directory of their own, where what is new is thrown away.
    fn layer(&mut self, bounds: &Bounds, path: &Path) {
        let entries: Vec<_> = match std::fs::read_dir(path) {
            Ok(entries) => entries.filter_map(Result::ok).collect(),
            Err(_) => vec![],
        };
        if entries.len() > MOST_ENTRIES {
            return self.two("--ro-bind", path, path);
        }
        self.one("--tmpfs", path);
        for entry in entries {
            let inside = entry.path();
            // What has a rule of its own follows.
            if bounds.has(&inside) {
                continue;
            }
            match entry.file_type() {
                Ok(kind) if kind.is_symlink() => {
                    if let Ok(target) = std::fs::read_link(&inside) {
                        self.two("--symlink", &target, &inside);
                    }
                }
                Ok(kind) if kind.is_dir() || kind.is_file() => {
                    self.two("--ro-bind-try", &inside, &inside);
                }
                // Sockets and pipes are doors.
                _ => {}
            }
        }
    }
}
