//! Starts a program without a copy of this process.
//!
//! `fork` copies the tables of all memory, and every page that is written afterwards faults: milliseconds for each start once the
//! plans of thousands of features are in memory. The standard library avoids that only where nothing is to be done in the child,
//! so this does what a C library's `posix_spawn` does: the child borrows the memory, on a stack of its own, and the thread
//! that started it stands still until it has become the program.

use super::Program;
use rustix::io::{Errno, retry_on_intr};
use rustix::process::{Pid, WaitOptions};
use std::ffi::{CStr, CString, OsStr, c_char, c_int, c_void};
use std::io::{self, Read};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;

/// Bytes of the child's stack: a few frames, and room for what the kernel puts on it.
const STACK: usize = 128 * 1024;
/// Where programs are looked for without a `PATH`, as `execvp` does.
const DEFAULT_PATH: &str = "/bin:/usr/bin";
/// What runs a text without a first line that names a program, as `execvp` does.
const SHELL: &CStr = c"/bin/sh";
/// The exit code of a child that did not become the program. Nobody sees it: the reason is reported.
const NOT_STARTED: c_int = 127;
/// The highest number of a signal.
const LAST_SIGNAL: c_int = 64;

/// Starts the program; whoever starts it reaps it.
///
/// # Errors
///
/// What the system says, and `InvalidInput` where a text has a byte of zero.
pub(crate) fn spawn(program: &Program<'_>) -> io::Result<Pid> {
    let texts = Texts::of(program)?;
    let (mut failure, report) = io::pipe()?;
    let mut child = Child::new(program, &texts, report.as_fd());
    let mut stack = vec![MaybeUninit::<u128>::uninit(); STACK / size_of::<u128>()];
    let signals = BlockedSignals::all();
    // SAFETY: the child runs `become_program` on `stack`, which is aligned and grows down from its end, and uses `child`. Both
    // outlive it, and nothing else uses them meanwhile, for this thread stands still until the child is the program or has
    // ended. All signals are blocked, so that no handler of ours runs in the child.
    let (started, error) = unsafe {
        let pid = libc::clone(
            become_program,
            stack.as_mut_ptr_range().end.cast(),
            libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD,
            ptr::from_mut(&mut child).cast(),
        );
        (pid, io::Error::last_os_error())
    };
    drop(signals);
    drop(report);
    let pid = Pid::from_raw(started.max(0)).ok_or(error)?;
    let mut number = [0; size_of::<c_int>()];
    // The other end closes as the program starts.
    match failure.read_exact(&mut number) {
        Ok(()) => {
            let _ = retry_on_intr(|| rustix::process::waitpid(Some(pid), WaitOptions::empty()));
            Err(io::Error::from_raw_os_error(c_int::from_ne_bytes(number)))
        }
        Err(_) => Ok(pid),
    }
}

/// The texts that the kernel is given: a child must not allocate.
struct Texts {
    /// Where the program may be, in the order to try.
    candidates: Vec<CString>,
    arguments: Vec<CString>,
    environment: Vec<CString>,
    directory: CString,
}

impl Texts {
    fn of(program: &Program<'_>) -> io::Result<Texts> {
        let words = std::iter::once(program.name).chain(program.args.iter().map(|arg| &**arg));
        let variables = program.env.iter();
        let variables = variables.map(|(name, value)| [name, value].map(|text| text.as_bytes()));
        Ok(Texts {
            candidates: candidates(program)?,
            arguments: words
                .map(|word| text(word.as_bytes()))
                .collect::<io::Result<_>>()?,
            environment: variables
                .map(|pair| text(&pair.join(&b'=')))
                .collect::<io::Result<_>>()?,
            directory: text(program.directory.as_os_str().as_bytes())?,
        })
    }
}

/// Returns where the program may be: the path that it is, or its name in each directory of the `PATH` it is given.
fn candidates(program: &Program<'_>) -> io::Result<Vec<CString>> {
    let name = program.name.as_bytes();
    if name.contains(&b'/') {
        return Ok(vec![text(name)?]);
    }
    let path = program.env.get(OsStr::new("PATH"));
    let path = path.map_or(OsStr::new(DEFAULT_PATH), |path| *path);
    let directories = path.as_bytes().split(|byte| *byte == b':');
    let paths = directories.map(|one| Path::new(OsStr::from_bytes(one)).join(program.name));
    paths
        .map(|path| text(path.as_os_str().as_bytes()))
        .collect()
}

fn text(bytes: &[u8]) -> io::Result<CString> {
    CString::new(bytes).map_err(io::Error::from)
}

/// Returns where each text is, and the end of the list.
fn pointers(texts: &[CString]) -> Vec<*const c_char> {
    let each = texts.iter().map(|text| text.as_ptr());
    each.chain([ptr::null()]).collect()
}

/// A child that is not the program yet: what it uses of this process's memory.
struct Child<'a> {
    texts: &'a Texts,
    arguments: Vec<*const c_char>,
    /// Those of a shell that runs the program: its name, the program's path, the rest.
    shell_arguments: Vec<*const c_char>,
    environment: Vec<*const c_char>,
    program: &'a Program<'a>,
    report: BorrowedFd<'a>,
}

impl<'a> Child<'a> {
    fn new(program: &'a Program<'a>, texts: &'a Texts, report: BorrowedFd<'a>) -> Self {
        let arguments = pointers(&texts.arguments);
        let mut shell_arguments = vec![SHELL.as_ptr()];
        shell_arguments.extend(&arguments);
        Child {
            texts,
            arguments,
            shell_arguments,
            environment: pointers(&texts.environment),
            program,
            report,
        }
    }

    /// Becomes the program, or returns why not.
    fn become_program(&mut self) -> Errno {
        match self.prepare() {
            Ok(()) => self.execute(),
            Err(error) => error,
        }
    }

    fn prepare(&self) -> rustix::io::Result<()> {
        let [input, output, errors] = self.program.streams;
        rustix::stdio::dup2_stdin(input)?;
        rustix::stdio::dup2_stdout(output)?;
        rustix::stdio::dup2_stderr(errors)?;
        rustix::process::chdir(self.texts.directory.as_c_str())?;
        super::apply(&self.program.detach)?;
        forget_handlers();
        Ok(())
    }

    /// Tries each place, as `execvp` does; one that may not be used is the reason, where there is no other.
    fn execute(&mut self) -> Errno {
        let mut reason = Errno::NOENT;
        for path in &self.texts.candidates {
            let mut error = execute(path, &self.arguments, &self.environment);
            if error == Errno::NOEXEC
                && let Some(place) = self.shell_arguments.get_mut(1)
            {
                *place = path.as_ptr();
                error = execute(SHELL, &self.shell_arguments, &self.environment);
            }
            match error {
                Errno::NOENT | Errno::NOTDIR => {}
                Errno::ACCESS => reason = error,
                _ => return error,
            }
        }
        reason
    }
}

/// Becomes the program at a path, or returns why not.
fn execute(path: &CStr, arguments: &[*const c_char], environment: &[*const c_char]) -> Errno {
    // SAFETY: both lists end with a null pointer, and what they point to lives as long as `Texts`.
    unsafe {
        libc::execve(path.as_ptr(), arguments.as_ptr(), environment.as_ptr());
    }
    last_error()
}

fn last_error() -> Errno {
    Errno::from_io_error(&io::Error::last_os_error()).unwrap_or(Errno::NOEXEC)
}

/// Where the child begins.
extern "C" fn become_program(child: *mut c_void) -> c_int {
    // SAFETY: `spawn` passes a `Child`, and uses it no more until this has ended.
    let child = unsafe { &mut *child.cast::<Child<'_>>() };
    let error = child.become_program();
    let _ = rustix::io::write(child.report, &error.raw_os_error().to_ne_bytes());
    // SAFETY: ends the child alone, without what this process does at its own end.
    unsafe { libc::_exit(NOT_STARTED) }
}

/// Lets every signal do to this process what it does to a new one, and unblocks all.
///
/// What is ignored stays so over a start, but for the broken pipes that the runtime ignores for us.
fn forget_handlers() {
    for signal in 1..=LAST_SIGNAL {
        let mut present = MaybeUninit::<libc::sigaction>::zeroed();
        // SAFETY: the kernel writes one whole structure, or refuses a number that is none; zeroes are a default one.
        unsafe {
            if libc::sigaction(signal, ptr::null(), present.as_mut_ptr()) == 0
                && (signal == libc::SIGPIPE
                    || present.assume_init_ref().sa_sigaction != libc::SIG_IGN)
            {
                libc::signal(signal, libc::SIG_DFL);
            }
        }
    }
    set_blocked_signals(&signal_set(libc::sigemptyset));
}

/// All signals of this thread, blocked until it is dropped.
struct BlockedSignals(libc::sigset_t);

impl BlockedSignals {
    fn all() -> Self {
        BlockedSignals(set_blocked_signals(&signal_set(libc::sigfillset)))
    }
}

impl Drop for BlockedSignals {
    fn drop(&mut self) {
        set_blocked_signals(&self.0);
    }
}

fn signal_set(fill: unsafe extern "C" fn(*mut libc::sigset_t) -> c_int) -> libc::sigset_t {
    let mut set = MaybeUninit::zeroed();
    // SAFETY: both functions that are passed write one whole set; zeroes are an empty one.
    unsafe {
        fill(set.as_mut_ptr());
        set.assume_init()
    }
}

/// Blocks these signals of this thread and no others, and returns those that were blocked.
fn set_blocked_signals(set: &libc::sigset_t) -> libc::sigset_t {
    let mut before = MaybeUninit::zeroed();
    // SAFETY: reads one set and writes another; zeroes are an empty one.
    unsafe {
        libc::pthread_sigmask(libc::SIG_SETMASK, set, before.as_mut_ptr());
        before.assume_init()
    }
}
