//! The only `unsafe` of the program: what a child does to itself before it becomes another program, which descriptors it
//! inherits, and how memory is compared where the system does it slowly.
//!
//! Invariant: what runs in the child makes async-signal-safe calls only, and allocates and locks nothing.
#![expect(
    unsafe_code,
    reason = "a child that is not a program yet is unsafe, and so are a descriptor named by its number and plain memory"
)]

mod memory;
#[cfg(target_os = "linux")]
mod spawn;
#[cfg(not(target_os = "linux"))]
#[path = "spawn_portable.rs"]
mod spawn;

pub(crate) use spawn::spawn;

use rustix::process::Pid;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::fd::{BorrowedFd, RawFd};
use std::path::Path;

/// A program to start: in a session of its own, and signalled when the driver dies.
///
/// A session and not only a group: a program in a background group that asks something on the
/// terminal is stopped by the kernel and hangs; without a terminal it fails at once instead.
#[derive(Debug)]
pub(crate) struct Program<'a> {
    /// Its name, looked up in the `PATH` of `env`, or its path, from `directory`.
    pub(crate) name: &'a OsStr,
    /// The arguments after its name.
    pub(crate) args: &'a [OsString],
    /// Where it starts.
    pub(crate) directory: &'a Path,
    /// Its whole environment.
    pub(crate) env: &'a BTreeMap<&'a OsStr, &'a OsStr>,
    /// Its standard input, output and error. The runtime keeps the numbers of ours taken, so that none of these is one of them.
    pub(crate) streams: [BorrowedFd<'a>; 3],
    /// What it changes about itself.
    pub(crate) detach: Detach,
}

/// What the child changes about itself before it becomes the program.
#[derive(Debug, Clone, Copy, Default)]
#[cfg_attr(
    not(target_os = "linux"),
    expect(dead_code, reason = "two are Linux's")
)]
pub(crate) struct Detach {
    /// Descriptors the program keeps although the driver opened them close-on-exec.
    pub(crate) keep: [Option<RawFd>; 2],
    /// The tag of its process tree (see `process::process_tree`), inherited by everything it starts; on Linux.
    pub(crate) tag: Option<u64>,
    /// Whether the program keeps running when the driver dies; elsewhere than on Linux it does.
    pub(crate) outlives: bool,
    /// The limits of each of its processes.
    pub(crate) bounds: Resources,
}

/// Limits of a process; where one is `None`, the driver's own applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resources {
    /// Processes and threads of this user, over all programs.
    pub(crate) processes: Option<u64>,
    /// Bytes of one file.
    pub(crate) file_bytes: Option<u64>,
    /// Seconds of processor time of one process.
    pub(crate) cpu_seconds: Option<u64>,
    /// Bytes of address space of one process.
    pub(crate) memory_bytes: Option<u64>,
    /// Bytes of a core dump.
    pub(crate) core_bytes: Option<u64>,
}

impl Resources {
    /// Limits that no honest work reaches, but a fork bomb, an endless file or an endless loop does.
    pub(crate) const GENEROUS: Resources = Resources {
        processes: Some(32_768),
        file_bytes: Some(64 << 30),
        cpu_seconds: Some(24 * 60 * 60),
        memory_bytes: None,
        core_bytes: Some(0),
    };
}

impl Default for Resources {
    fn default() -> Self {
        Resources::GENEROUS
    }
}

/// Lowers the limits of this process, and never raises one. A limit that cannot be set stays as it was.
fn lower_limits(bounds: Resources) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    for (resource, wanted) in [
        (Resource::Nproc, bounds.processes),
        (Resource::Fsize, bounds.file_bytes),
        (Resource::Cpu, bounds.cpu_seconds),
        (Resource::As, bounds.memory_bytes),
        (Resource::Core, bounds.core_bytes),
    ] {
        let Some(wanted) = wanted else { continue };
        let present = getrlimit(resource);
        let lower = |limit: Option<u64>| limit.map_or(wanted, |limit| limit.min(wanted));
        let lowered = Rlimit {
            current: Some(lower(present.current)),
            maximum: Some(lower(present.maximum)),
        };
        let _ = setrlimit(resource, lowered);
    }
}

/// Keeps what the program was started with beside its standard streams (a lock that a shell or a timer holds, a file of another
/// program) from everything that it starts: a session would read and write there without opening anything.
///
/// Call first of all, while nothing else runs: whoever closes one of them meanwhile may find another closed.
pub fn keep_inherited_descriptors() {
    const STANDARD_ERROR: RawFd = 2;
    let list = match cfg!(target_os = "linux") {
        true => "/proc/self/fd",
        false => "/dev/fd",
    };
    let entries = std::fs::read_dir(list).into_iter().flatten().flatten();
    let numbers: Vec<RawFd> = entries
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect();
    for raw in numbers.into_iter().filter(|raw| *raw > STANDARD_ERROR) {
        // SAFETY: nothing else runs, so that a descriptor that was listed is still open; the list's own is closed by now, and
        // a number that is not open is refused by the kernel.
        let fd = unsafe { BorrowedFd::borrow_raw(raw) };
        let _ = rustix::io::fcntl_setfd(fd, rustix::io::FdFlags::CLOEXEC);
    }
}

/// Does to this process, a child that is not the program yet, what is asked for. Raw system calls only.
fn apply(detach: &Detach) -> rustix::io::Result<()> {
    rustix::process::setsid()?;
    for raw in detach.keep.into_iter().flatten() {
        // SAFETY: the caller holds the file open until the program has started, and this process has a copy of the table of
        // descriptors: the number is open for this call.
        let fd = unsafe { BorrowedFd::borrow_raw(raw) };
        rustix::io::fcntl_setfd(fd, rustix::io::FdFlags::empty())?;
    }
    lower_limits(detach.bounds);
    if let Some(tag) = detach.tag {
        set_tag(None, tag);
    }
    #[cfg(target_os = "linux")]
    if !detach.outlives {
        let term = Some(rustix::process::Signal::TERM);
        // An extra, as the tag is: a kernel or a container that refuses must not stop the run.
        let _ = rustix::process::set_parent_process_death_signal(term);
    }
    Ok(())
}

/// Gives a process, or this one, the tag of its process tree, which what it starts inherits; on Linux.
pub(crate) fn set_tag(pid: Option<Pid>, tag: u64) {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, Rlimit, prlimit};
        let tag = Rlimit {
            current: Some(tag),
            maximum: Some(tag),
        };
        let _ = prlimit(pid, Resource::Rttime, tag);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (pid, tag);
}
