//! From a `CommandSpec` to a running process tree, or to the reason why there is none.

use super::process_tree::ProcessTree;
use super::{CommandSpec, MARKER_VARIABLE, ProcessEnd, Resources, Stdin};
use std::fs::File;
use std::io::{self, Seek, Write};
use std::os::fd::AsRawFd;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Tries while another thread's fork holds the just written program open for a moment.
const BUSY_TRIES: u32 = 20;

/// Starts the program, and tries again while its file is busy.
pub(super) fn start(spec: &CommandSpec, bounds: Resources) -> Result<ProcessTree, ProcessEnd> {
    for _ in 0..BUSY_TRIES {
        match attempt(spec, bounds) {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(Duration::from_millis(5));
            }
            result => return result.map_err(|error| failure(spec, &error)),
        }
    }
    attempt(spec, bounds).map_err(|error| failure(spec, &error))
}

fn attempt(spec: &CommandSpec, bounds: Resources) -> io::Result<ProcessTree> {
    let mut command = Command::new(&spec.program);
    command.args(&spec.args).current_dir(&spec.cwd);
    command
        .env_clear()
        .envs(spec.env.iter().map(|(name, value)| (name, value)));
    command.env(MARKER_VARIABLE, lineage(&spec.marker.value()));
    command
        .stdin(stdin(&spec.stdin)?)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let keep = [
        spec.inherit.as_ref().map(|file| file.as_raw_fd()),
        spec.wrapper.as_ref().map(|status| status.descriptor()),
    ];
    ProcessTree::spawn(&mut command, &spec.marker, keep, bounds)
}

fn failure(spec: &CommandSpec, error: &io::Error) -> ProcessEnd {
    let program = spec.program.to_string_lossy();
    let failed = |missing, message| ProcessEnd::SpawnFailed { missing, message };
    if !spec.cwd.is_dir() {
        return failed(
            false,
            format!(
                "cannot run `{program}` in `{}`: {error}",
                spec.cwd.display()
            ),
        );
    }
    match &spec.stdin {
        Stdin::File(path) if !path.is_file() => failed(
            false,
            format!(
                "cannot read `{}`, the input of `{program}`: {error}",
                path.display()
            ),
        ),
        _ => failed(
            error.kind() == io::ErrorKind::NotFound,
            format!("cannot run `{program}`: {error}"),
        ),
    }
}

/// Returns the marker variable: a driver that is itself started by a run keeps its ancestors' markers.
pub(super) fn lineage(marker: &str) -> std::ffi::OsString {
    let mut value = std::env::var_os(MARKER_VARIABLE).unwrap_or_default();
    if !value.is_empty() {
        value.push(",");
    }
    value.push(marker);
    value
}

fn stdin(stdin: &Stdin) -> io::Result<Stdio> {
    Ok(match stdin {
        Stdin::Null => Stdio::null(),
        Stdin::File(path) => File::open(path)?.into(),
        Stdin::Pipe(end) => end.try_clone()?.into(),
        Stdin::Bytes(bytes) => {
            let mut file = tempfile::tempfile()?;
            file.write_all(bytes)?;
            file.rewind()?;
            file.into()
        }
    })
}
