//! What a panic becomes, whichever thread it is in: exit 70, a report file, and what is safe.

use super::Out;
use gatewalk_core::engine::secrets;
use gatewalk_core::exit::Exit;
use gatewalk_core::parallel::locked;
use gatewalk_host::git::Git;
use std::backtrace::Backtrace;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The panics so far, first one first.
static PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Runs a command; a panic on the way, of any thread, is the exit code of a bug.
pub(super) fn guard(cwd: &Path, out: &Out, command: impl FnOnce() -> Exit) -> Exit {
    std::panic::set_hook(Box::new(keep));
    let exit = catch_unwind(AssertUnwindSafe(command));
    let panics = std::mem::take(&mut *locked(&PANICS));
    let Some(first) = panics.first().and_then(|report| report.lines().next()) else {
        return exit.unwrap_or(Exit::Internal);
    };
    out.note(format!("error: a bug in Gatewalk: {first}"));
    match write(cwd, &panics) {
        Some(path) => out.note(format!(
            "  help: the details are in `{}`; please report them",
            path.display()
        )),
        None => out.note(format!(
            "  help: please report this:\n{}",
            panics.join("\n")
        )),
    }
    out.note(
        "  help: what landed and what a session left is safe in git; run the same command again",
    );
    Exit::Internal
}

/// Keeps a panic's message, place and stack; nothing is printed from the thread it happens in.
fn keep(info: &PanicHookInfo<'_>) {
    let payload = info.payload();
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let message = text.unwrap_or("no message");
    let place = info.location().map(ToString::to_string).unwrap_or_default();
    let thread = std::thread::current();
    let name = thread.name().unwrap_or("unnamed").to_owned();
    let stack = Backtrace::force_capture();
    let report = format!(
        "{message}\nat {place}, in the thread `{name}`\ngatewalk {}\n\n{stack}",
        env!("CARGO_PKG_VERSION")
    );
    let mut panics = locked(&PANICS);
    panics.push(secrets::redact(&report));
}

/// Writes the report beside the driver's other files, else among the temporary ones.
fn write(cwd: &Path, panics: &[String]) -> Option<PathBuf> {
    let state = || Git::discover(cwd).ok().map(|git| git.state_dir());
    // What panicked may panic again.
    let state = catch_unwind(AssertUnwindSafe(state)).ok().flatten();
    let name = format!("panic-{}.txt", std::process::id());
    let places = state.into_iter().chain([std::env::temp_dir()]);
    places.map(|directory| directory.join(&name)).find(|path| {
        let made = path.parent().map(std::fs::create_dir_all);
        made.is_some_and(|made| made.is_ok()) && std::fs::write(path, panics.join("\n\n")).is_ok()
    })
}
