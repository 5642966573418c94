//! From a `CommandSpec` to a running process tree, or to the reason why there is none.

use super::process_tree::ProcessTree;
use super::standby_message::StandbyMessage;
use super::wrapper_status::StandbyCommand;
use super::{CommandSpec, MARKER_VARIABLE, ProcessEnd, Resources, Stdin};
use crate::sys::{Detach, Program};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Seek, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::time::Duration;

/// Tries while another thread's fork holds the just written program open for a moment.
const BUSY_TRIES: u32 = 20;

/// A process tree, and the pipes of its leader's output and errors.
pub(super) type Started = (ProcessTree, [OwnedFd; 2]);

/// Starts the program, and tries again while its file is busy.
pub(super) fn start(spec: &CommandSpec, bounds: Resources) -> Result<Started, ProcessEnd> {
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

fn attempt(spec: &CommandSpec, bounds: Resources) -> io::Result<Started> {
    let lineage = lineage(&spec.marker.value());
    let marker = (OsStr::new(MARKER_VARIABLE), &*lineage);
    let given = spec.env.iter().map(|(name, value)| (&**name, &**value));
    // What is given twice has its last value.
    let env: BTreeMap<&OsStr, &OsStr> = given.chain([marker]).collect();
    let keep = [
        spec.inherit.as_ref().map(|file| file.as_raw_fd()),
        spec.wrapper.as_ref().map(|status| status.descriptor()),
    ];
    let detach = Detach {
        keep,
        tag: Some(spec.marker.tag()),
        outlives: false,
        bounds,
    };
    let (stdin, (out, stdout), (err, stderr)) = (stdin(&spec.stdin)?, io::pipe()?, io::pipe()?);
    let streams = [stdin.as_fd(), stdout.as_fd(), stderr.as_fd()];
    if let Some(tree) = started_ahead(spec, bounds, (&env, streams)) {
        return Ok((tree, [out.into(), err.into()]));
    }
    let program = Program {
        name: &spec.program,
        args: &spec.args,
        directory: &spec.cwd,
        env: &env,
        streams,
        detach,
    };
    let tree = ProcessTree::start(&program, &spec.marker)?;
    Ok((tree, [out.into(), err.into()]))
}

/// Has what was started ahead become the program; none where nothing was, or it is of no use.
fn started_ahead(
    spec: &CommandSpec,
    bounds: Resources,
    (env, streams): (&BTreeMap<&OsStr, &OsStr>, [BorrowedFd<'_>; 3]),
) -> Option<ProcessTree> {
    let status = spec.wrapper.as_ref()?;
    status.use_report(None);
    let StandbyCommand { standby, words } = status.take_standby()?;
    if !standby.waits_with(bounds) {
        standby.discard();
        return None;
    }
    let owned = |(name, value): (&&OsStr, &&OsStr)| (OsString::from(name), OsString::from(value));
    let message = StandbyMessage {
        tag: spec.marker.tag(),
        words,
        env: env.iter().map(owned).collect(),
    };
    let kept = spec.inherit.as_ref().map(|file| file.as_fd());
    let descriptors: Vec<_> = streams.into_iter().chain(kept).collect();
    let begun = standby.become_program(&spec.marker, &message, &descriptors);
    let (tree, report) = begun.ok()?;
    status.use_report(Some(report));
    Some(tree)
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
pub(super) fn lineage(marker: &str) -> OsString {
    let mut value = std::env::var_os(MARKER_VARIABLE).unwrap_or_default();
    if !value.is_empty() {
        value.push(",");
    }
    value.push(marker);
    value
}

fn stdin(stdin: &Stdin) -> io::Result<File> {
    match stdin {
        Stdin::Null => File::open("/dev/null"),
        Stdin::File(path) => File::open(path),
        Stdin::Pipe(end) => end.try_clone(),
        Stdin::Bytes(bytes) => {
            let mut file = tempfile::tempfile()?;
            file.write_all(bytes)?;
            file.rewind()?;
            Ok(file)
        }
    }
}
