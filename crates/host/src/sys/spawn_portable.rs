//! Starts a program by the standard library, which copies this process for it.

use super::Program;
use rustix::process::Pid;
use std::io;
use std::os::fd::BorrowedFd;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

/// Starts the program; whoever starts it reaps it.
///
/// # Errors
///
/// What the system says.
pub(crate) fn spawn(program: &Program<'_>) -> io::Result<Pid> {
    let stream = |fd: BorrowedFd<'_>| fd.try_clone_to_owned().map(Stdio::from);
    let [input, output, errors] = program.streams;
    let mut command = Command::new(program.name);
    command
        .args(program.args)
        .current_dir(program.directory)
        .env_clear()
        .envs(program.env)
        .stdin(stream(input)?)
        .stdout(stream(output)?)
        .stderr(stream(errors)?);
    let detach = program.detach;
    // SAFETY: `apply` makes only raw system calls, which are async-signal-safe, and touches no memory but its copy of `detach`.
    unsafe {
        command.pre_exec(move || super::apply(&detach).map_err(io::Error::from));
    }
    command.spawn().map(|child| Pid::from_child(&child))
}
