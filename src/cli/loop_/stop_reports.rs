//! Reporting stops, and what happens on the way, where the user wants to hear of it. A report that fails never fails a run.

use crate::cli::Context;
use crate::cli::watch::{Printer, budget_near};
use gatewalk_core::driver::driver_event::{DriverEvent, Watcher};
use gatewalk_core::engine::action::BudgetScope;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::parallel::locked;
use gatewalk_host::heartbeat::{DriverActivity, Heartbeat};
use gatewalk_host::notify::{Notice, Notify, StopEvent};
use gatewalk_host::state_repository::Repository;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// What the user wants to hear, and what is needed to report it.
pub(super) struct StopReports<'c> {
    context: &'c Context,
    sender: Arc<NoticeSender>,
}

/// Says one thing after the other, each once.
struct NoticeSender {
    notify: Notify,
    env: Vec<(OsString, OsString)>,
    cwd: PathBuf,
    /// When this run began: what is counted by run is news again in the next.
    began: jiff::Timestamp,
    /// What was said is read and noted by one at a time.
    turn: Mutex<()>,
}

impl NoticeSender {
    fn send(&self, notice: &Notice) -> Option<Error> {
        let repository = Repository::open(&self.cwd).ok()?;
        let state_dir = repository.git.state_dir();
        let _turn = locked(&self.turn);
        self.notify.send(notice, (&self.cwd, &state_dir), &self.env)
    }
}

impl<'c> StopReports<'c> {
    /// Reads what the user wants to hear.
    pub(super) fn read(context: &'c Context) -> Result<StopReports<'c>> {
        let env: Vec<_> = std::env::vars_os().collect();
        let notify = Notify::read(&env)?;
        let sender = Arc::new(NoticeSender {
            notify,
            env,
            cwd: context.cwd.clone(),
            began: jiff::Timestamp::now(),
            turn: Mutex::default(),
        });
        Ok(StopReports { context, sender })
    }

    /// Reports how a feature's run ended.
    pub(super) fn stop(&self, stopped: &Value, exit: Exit) {
        let about = stopped["feature"].as_str().unwrap_or_default();
        self.stopped(stopped, exit, (about.to_owned(), None));
    }

    /// Reports that the run may spend no more: once, whichever of its features finds it.
    pub(super) fn run_budget(&self, stopped: &Value) {
        let about = "the budget of a run".to_owned();
        let identity = Some(self.sender.began.to_string());
        self.stopped(stopped, Exit::BudgetReached, (about, identity));
    }

    fn stopped(&self, stopped: &Value, exit: Exit, (about, identity): (String, Option<String>)) {
        let event = StopEvent::of(exit).filter(|event| self.sender.notify.wants(*event));
        let Some(event) = event else {
            return;
        };
        let notice = Notice {
            event,
            about,
            content: stopped.clone(),
            identity,
        };
        if let Some(error) = self.sender.send(&notice) {
            let out = &self.context.out;
            out.note(format!("this stop was not reported: {error}"));
        }
    }

    /// Reports an error that ended a run.
    pub(super) fn error(&self, error: &Error) {
        let exit = error.exit();
        self.stop(&stopped_by(error, &error.hints), exit);
    }

    /// Reports an error that keeps one of several features from its work.
    pub(super) fn feature_error(&self, (feature, next): (&str, &[String]), error: &Error) {
        let mut stopped = stopped_by(error, next);
        stopped["feature"] = feature.into();
        self.stop(&stopped, error.exit());
    }

    /// Returns who watches a run: prints, reports what is news, and shows that the driver is alive.
    pub(super) fn watch<'p>(&self, printer: &'p Printer, heartbeat: Heartbeat) -> RunWatcher<'p> {
        RunWatcher {
            printer,
            heartbeat,
            sender: self.sender.clone(),
            sending: Mutex::default(),
        }
    }
}

fn stopped_by(error: &Error, next: &[String]) -> Value {
    json!({
        "event": "stopped", "reason": "error", "exit": error.exit().code(), "what": error.to_string(), "next": next,
    })
}

/// Hears a run's events: prints them, keeps the heartbeat, sends notices.
pub(super) struct RunWatcher<'p> {
    printer: &'p Printer,
    heartbeat: Heartbeat,
    sender: Arc<NoticeSender>,
    sending: Mutex<Vec<JoinHandle<()>>>,
}

impl RunWatcher<'_> {
    /// Sends a notice beside the run, which does not wait for it. One that fails is said by the stop's own.
    fn send(&self, notice: Notice) {
        let sender = self.sender.clone();
        let send = move || drop(sender.send(&notice));
        if let Ok(thread) = std::thread::Builder::new().spawn(send) {
            let mut sending = locked(&self.sending);
            sending.push(thread);
        }
    }

    /// Returns what is news about an event.
    fn news(&self, event: &DriverEvent) -> Option<Notice> {
        match event {
            DriverEvent::BudgetNear {
                feature,
                whose,
                spent_usd,
                budget_usd,
            } => Some(Notice {
                event: StopEvent::BudgetNear,
                about: match whose {
                    BudgetScope::Run => "near the budget of a run".to_owned(),
                    _ => format!("{feature} budget of {whose}"),
                },
                content: json!({
                    "event": "budget_near", "feature": feature, "spent_usd": spent_usd, "budget_usd": budget_usd,
                    "what": budget_near(feature, *whose, (*spent_usd, *budget_usd)),
                }),
                identity: Some(match whose {
                    // Another run counts anew.
                    BudgetScope::Run => self.sender.began.to_string(),
                    _ => format!("{whose} {budget_usd}"),
                }),
            }),
            DriverEvent::Waiting { until, why } => {
                let at: jiff::Timestamp = until.parse().ok()?;
                let left = at.duration_since(jiff::Timestamp::now());
                let is_long = left.unsigned_abs() >= self.sender.notify.long_wait();
                // A wait that a re-run finds again ends at the same time, give or take; the next one does not.
                let hour = (at.as_second() + 1800) / 3600;
                (is_long && left.is_positive()).then(|| Notice {
                    event: StopEvent::LongWait,
                    about: format!("a long wait: {why}"),
                    content: json!({
                        "event": "long_wait", "until": until, "why": why, "what": format!("waiting until {}: {why}", at.strftime("%Y-%m-%d %H:%M UTC")),
                    }),
                    identity: Some(format!("{why} {hour}")),
                })
            }
            _ => None,
        }
    }
}

impl Watcher for RunWatcher<'_> {
    fn report(&self, event: &DriverEvent) {
        self.heartbeat.note(match event {
            DriverEvent::Waiting { .. } => DriverActivity::Waiting,
            _ => DriverActivity::Working,
        });
        self.printer.report(event);
        let news = self.news(event);
        if let Some(notice) = news.filter(|n| self.sender.notify.wants(n.event)) {
            self.send(notice);
        }
    }

    fn is_live(&self) -> bool {
        self.printer.is_live()
    }
}

impl Drop for RunWatcher<'_> {
    fn drop(&mut self) {
        let mut sending = locked(&self.sending);
        for thread in sending.drain(..) {
            drop(thread.join());
        }
    }
}
