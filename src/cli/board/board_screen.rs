//! `board --watch` on a terminal: a screen that is drawn anew when something changes or a key is pressed. What it shows is what
//! commands print with `--json`, asked as the pages ask.

use super::board_view::BoardView;
use super::raw_terminal::RawTerminal;
use super::terminal_keys::{TerminalKey, keys_of};
use crate::cli::Context;
use crate::serve::{BoundedCommands, ServedRepository};
use gatewalk_core::error::Result;
use gatewalk_core::exit::Exit;
use gatewalk_core::parallel::locked;
use gatewalk_host::own_program::OwnProgram;
use gatewalk_host::signals;
use serde_json::Value;
use std::io::Read;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// How often is looked whether something changed.
const LOOK: Duration = Duration::from_millis(500);
/// How long the screen waits for news before it looks at its size and at signals.
const TICK: Duration = Duration::from_millis(250);

/// What reaches the screen.
enum ScreenNews {
    Pressed(Vec<TerminalKey>),
    Status(Arc<Value>),
    Attempt(String, Arc<Value>),
    Trouble(String),
    /// The keyboard is gone, and the user with it.
    InputEnded,
}

/// Where the screen's data come from.
struct BoardSource {
    repository: ServedRepository,
    runner: BoundedCommands,
    /// The unit whose last attempt is looked at.
    unit: Mutex<Option<String>>,
    wakes: Condvar,
}

/// Shows the screen until the user goes.
pub(super) fn run(context: &Context) -> Result<Exit> {
    let source = Arc::new(BoardSource {
        repository: ServedRepository::open(&context.cwd, &[])?,
        runner: BoundedCommands::new(OwnProgram::find()?),
        unit: Mutex::default(),
        wakes: Condvar::new(),
    });
    let stop = signals::install()?;
    let terminal = RawTerminal::enter()?;
    let (send, news) = channel();
    let (keys, data) = (send.clone(), Arc::clone(&source));
    // Both end with the process: one waits for a key, the other for a change.
    std::thread::spawn(move || read_keys(&keys));
    std::thread::spawn(move || data.report_changes(&send));
    let mut view = BoardView::new();
    let mut drawn = None;
    while !stop.sleep(Duration::ZERO) {
        let size = terminal.size();
        let wanted = (view.lines(size), size);
        if drawn.as_ref() != Some(&wanted) {
            terminal.draw(&wanted.0, size.0);
            drawn = Some(wanted);
        }
        match take(&mut view, &news) {
            true => source.look_at(view.wanted()),
            false => break,
        }
    }
    Ok(Exit::Success)
}

/// Takes what has come, or waits a moment for it; returns whether the user stays.
fn take(view: &mut BoardView, news: &Receiver<ScreenNews>) -> bool {
    let mut next = news.recv_timeout(TICK);
    loop {
        match next {
            Ok(ScreenNews::Pressed(keys)) => {
                if keys.into_iter().any(|key| view.press(key)) {
                    return false;
                }
            }
            Ok(ScreenNews::Status(status)) => {
                view.status = status;
                view.trouble = None;
            }
            Ok(ScreenNews::Attempt(unit, attempt)) => view.attempt = Some((unit, attempt)),
            Ok(ScreenNews::Trouble(why)) => view.trouble = Some(why),
            Err(RecvTimeoutError::Timeout) => return true,
            Ok(ScreenNews::InputEnded) | Err(RecvTimeoutError::Disconnected) => return false,
        }
        match news.try_recv() {
            Ok(more) => next = Ok(more),
            Err(_) => return true,
        }
    }
}

fn read_keys(news: &Sender<ScreenNews>) {
    let mut bytes = [0; 256];
    loop {
        let report = match std::io::stdin().lock().read(&mut bytes) {
            Ok(0) | Err(_) => ScreenNews::InputEnded,
            Ok(read) => ScreenNews::Pressed(keys_of(&bytes[..read])),
        };
        let is_over = matches!(report, ScreenNews::InputEnded);
        if news.send(report).is_err() || is_over {
            return;
        }
    }
}

impl BoardSource {
    /// Asks for the last attempt of a unit, from now on.
    fn look_at(&self, unit: Option<&str>) {
        let mut wanted = locked(&self.unit);
        if wanted.as_deref() != unit {
            *wanted = unit.map(str::to_owned);
            self.wakes.notify_one();
        }
    }

    /// Reports what changed, as long as anybody listens.
    fn report_changes(&self, news: &Sender<ScreenNews>) {
        let mut status: Option<Arc<Value>> = None;
        let mut attempt: Option<Arc<Value>> = None;
        loop {
            let read = self.repository.json(&self.runner, &["status", "--json"]);
            let changed = match read {
                Err(error) => {
                    // What comes back as it was is news again: it ends the trouble.
                    status = None;
                    Some(ScreenNews::Trouble(error.to_string()))
                }
                Ok(new) => news_of(&mut status, new).map(ScreenNews::Status),
            };
            if changed.is_some_and(|changed| news.send(changed).is_err()) {
                return;
            }
            let wanted = self.wanted();
            if let Some(unit) = &wanted
                && let Some(new) = self.attempt(unit)
                && let Some(new) = news_of(&mut attempt, new)
                && news.send(ScreenNews::Attempt(unit.clone(), new)).is_err()
            {
                return;
            }
            let unit = locked(&self.unit);
            let same = |unit: &mut Option<String>| *unit == wanted;
            drop(self.wakes.wait_timeout_while(unit, LOOK, same));
        }
    }

    fn wanted(&self) -> Option<String> {
        let unit = locked(&self.unit);
        unit.clone()
    }

    /// Returns the last attempt of a unit; shown beside the rest, so one that cannot be read is only not shown.
    fn attempt(&self, unit: &str) -> Option<Arc<Value>> {
        let words = [
            "attempts",
            "show",
            "--json",
            "--diff",
            "--transcript",
            "--",
            unit,
        ];
        self.repository.json(&self.runner, &words).ok()
    }
}

/// Returns a value where it is another one than the last.
fn news_of(last: &mut Option<Arc<Value>>, new: Arc<Value>) -> Option<Arc<Value>> {
    let is_same = last.as_ref().is_some_and(|last| Arc::ptr_eq(last, &new));
    (!is_same).then(|| last.insert(new).clone())
}
