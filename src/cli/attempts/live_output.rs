//! `gatewalk attempts show --follow`: what a session says and does, as it does; for one that is over,
//! the whole of it.

use crate::cli::Context;
use crate::cli::unit_command::{OpenFeature, ViewArgs};
use gatewalk_core::agents::{self, Listener, Session, UserAgents};
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_host::lock::DriverLock;
use gatewalk_host::os::{log_dir, read_in_flight};
use gatewalk_host::process::LINE_CAP;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

/// How often the log is looked at.
const LOOK: Duration = Duration::from_millis(200);
/// How long a session that has just been noted may take to open its log.
const PATIENCE: Duration = Duration::from_secs(30);

/// Follows the attempt that runs, or shows the one that is named, or else the last.
pub(super) fn run(
    context: &Context,
    common: &ViewArgs,
    unit: &str,
    number: Option<u32>,
) -> Result<Exit> {
    let opened = OpenFeature::read(context, common.feature.as_deref(), Some(unit))?;
    let id = opened.unit(unit)?.id().to_owned();
    let state = opened.repository.git.state_dir();
    let running = running(&state, &id)?.filter(|(n, _)| number.is_none_or(|number| number == *n));
    let attempts = opened.attempts()?;
    let of_unit = attempts
        .charged
        .get(id.as_str())
        .cloned()
        .unwrap_or_default();
    let ended = match number {
        Some(number) => of_unit.iter().find(|a| a.number == number),
        None => of_unit.last(),
    };
    let found = running.or_else(|| ended.map(|a| (a.number, a.agent.clone())));
    let Some((number, agent)) = found else {
        return Err(Error::plan(format!("{id} has no such attempt"))
            .hint("nothing of it runs, and none is kept: see `gatewalk attempts list`"));
    };
    let host = context.host()?;
    let user = UserAgents {
        defined: &host.agents,
        cwd: &host.cwd,
    };
    let choice = agents::choose(&agent, &user)?;
    context
        .out
        .note(format!("{id}, attempt {number}, {}", sanitize(&agent)));
    let log = log_dir(&state, &id, number).join("session.log");
    let mut view = Screen::new(context, Listener::new(choice.agent));
    follow(
        &log,
        &mut view,
        || matches!(self::running(&state, &id), Ok(Some((n, _))) if n == number),
    )?;
    Ok(Exit::Success)
}

/// Returns the attempt of a unit that a living driver runs.
fn running(state: &Path, unit: &str) -> Result<Option<(u32, String)>> {
    if DriverLock::holder(&state.join("lock")).is_none() {
        return Ok(None);
    }
    let notes = read_in_flight(state)?;
    let note = notes.into_iter().find(|note| note.unit == unit);
    Ok(note.map(|note| (note.number, note.agent)))
}

/// Reads the log to its end, and on as long as the session runs.
fn follow(log: &Path, view: &mut Screen<'_>, runs: impl Fn() -> bool) -> Result<()> {
    let started = Instant::now();
    let mut file = loop {
        // Asked first: a session that ends now has written all of its log.
        let goes_on = runs();
        match File::open(log) {
            Ok(file) => break file,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                if !goes_on || started.elapsed() > PATIENCE {
                    return Err(Error::environment("its log is gone").hint(
                        "logs live in the git directory and are kept only there; \
                         what it left is under `gatewalk attempts show`",
                    ));
                }
            }
            Err(e) => return Err(Error::io("read", log, &e)),
        }
        std::thread::sleep(LOOK);
    };
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let goes_on = runs();
        loop {
            let read = file
                .read(&mut buffer)
                .map_err(|e| Error::io("read", log, &e))?;
            if read == 0 {
                break;
            }
            view.take(&buffer[..read]);
        }
        if !goes_on {
            view.finish();
            return Ok(());
        }
        std::thread::sleep(LOOK);
    }
}

/// Turns the program's output into lines for a user: what it says, what it does.
struct Screen<'a> {
    context: &'a Context,
    listener: Listener,
    partial: Vec<u8>,
    /// The line is longer than anything that is read.
    too_long: bool,
    progress: Progress,
}

/// What of a session has been shown.
#[derive(Default)]
pub(super) struct Progress {
    text: String,
    plain: String,
    doing: String,
}

impl Progress {
    /// Returns what is new, as lines: what the session says, what it does.
    pub(super) fn after(&mut self, session: &Session) -> Vec<String> {
        let new_text = added(&mut self.text, session.text.as_str());
        let new_output = added(&mut self.plain, session.plain.as_str());
        let does = doing(session);
        let mut lines: Vec<String> = [new_text, new_output]
            .iter()
            .filter(|text| !text.trim().is_empty())
            .map(|text| text.trim_end().to_owned())
            .collect();
        if does != self.doing && !does.is_empty() {
            lines.push(format!("  → {does}"));
        }
        self.doing = does;
        lines
    }
}

impl<'a> Screen<'a> {
    fn new(context: &'a Context, listener: Listener) -> Screen<'a> {
        Screen {
            context,
            listener,
            partial: Vec::new(),
            too_long: false,
            progress: Progress::default(),
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            if self.partial.len() + part.len() <= LINE_CAP {
                self.partial.extend_from_slice(part);
            } else {
                self.too_long = true;
            }
            if part.ends_with(b"\n") {
                self.line();
            }
        }
    }

    fn line(&mut self) {
        let line = std::mem::take(&mut self.partial);
        let line = line.strip_suffix(b"\n").unwrap_or(&line);
        let too_long = std::mem::take(&mut self.too_long);
        self.listener.line(line, too_long);
        for line in self.progress.after(self.listener.session()) {
            self.context.out.line(sanitize(&line));
        }
    }

    fn finish(&mut self) {
        if !self.partial.is_empty() || self.too_long {
            self.line();
        }
    }
}

fn doing(session: &Session) -> String {
    session.now().map_or(String::new(), |now| {
        format!("{} {}", now.tool, now.detail).trim_end().to_owned()
    })
}

/// Returns the whole lines that are new, and keeps all of it.
fn added(before: &mut String, now: &str) -> String {
    let whole = &now[..now.rfind('\n').map_or(0, |at| at + 1)];
    // When its beginning was dropped for its length, the last line stands for what came.
    let new = whole
        .strip_prefix(before.as_str())
        .unwrap_or_else(|| whole.trim_end().rsplit('\n').next().unwrap_or_default())
        .to_owned();
    if before.as_str() != whole {
        whole.clone_into(before);
    }
    new
}
