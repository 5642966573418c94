//! The one file with `unsafe`: what a child does between `fork` and `exec`.
//!
//! Invariant: only async-signal-safe calls, no allocation, no lock. Everything else goes through
//! safe wrappers elsewhere.
#![allow(unsafe_code)]

use std::os::fd::{BorrowedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::Command;

/// What the child does to itself before it becomes the program.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Detach {
    /// A descriptor the program keeps although the driver opened it close-on-exec.
    pub(crate) keep: Option<RawFd>,
    /// The family's tag (see `process::family`), inherited by everything the program starts.
    pub(crate) tag: Option<u64>,
    /// Whether the program is to go on when the driver dies.
    pub(crate) outlives: bool,
}

/// Makes the command start in a session of its own, tagged, and told when the driver dies.
///
/// A session and not only a group: a program in a background group that asks something on the
/// terminal is stopped by the kernel and hangs; without a terminal it fails at once instead.
pub(crate) fn detach(command: &mut Command, detach: Detach) {
    let hook = move || {
        rustix::process::setsid()?;
        if let Some(raw) = detach.keep {
            // SAFETY: the caller holds the file open until `spawn` has returned, and this runs in
            // the child, whose descriptor table is a copy: the number is open for this call.
            let fd = unsafe { BorrowedFd::borrow_raw(raw) };
            rustix::io::fcntl_setfd(fd, rustix::io::FdFlags::empty())?;
        }
        #[cfg(target_os = "linux")]
        {
            use rustix::process::{Resource, Rlimit, Signal, setrlimit};
            // Both are extras: a kernel or a container that refuses them must not stop the run.
            if let Some(tag) = detach.tag {
                let _ = setrlimit(
                    Resource::Rttime,
                    Rlimit {
                        current: Some(tag),
                        maximum: Some(tag),
                    },
                );
            }
            if !detach.outlives {
                let _ = rustix::process::set_parent_process_death_signal(Some(Signal::TERM));
            }
        }
        Ok(())
    };
    // SAFETY: the hook makes only raw system calls (setsid, fcntl, prlimit, prctl), which are
    // async-signal-safe, and touches no memory but its own copied `Detach`.
    unsafe {
        command.pre_exec(hook);
    }
}
