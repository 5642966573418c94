//! Notices to a user who is elsewhere: a command, a webhook, the desktop, the terminal.
//!
//! A thing is said once: a run that finds it again, with nothing done in between, is silent, a run after a kill too. A
//! notice that fails never fails a run.

mod channels;
mod notice_settings;
mod sent_notices;

use super::user_config_file::UserConfigFile;
use channels::Channel;
use gatewalk_core::engine::notice::{self, NoticeMoment, NoticeStep, QuietHours, SentNotice};
use gatewalk_core::engine::{oracle, secrets};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::status_machine::Word;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

/// What a notice is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopEvent {
    /// A unit or a question waits for the user.
    NeedsYou,
    /// A gate waits for a review.
    Gate,
    /// A budget is used up.
    Budget,
    /// A budget is nearly used up; the run goes on.
    BudgetNear,
    /// The repository, or what decides, is not as it was left.
    Integrity,
    /// The plan, the machine or an agent is in the way.
    Trouble,
    /// The run waits long for an agent.
    LongWait,
    /// The feature is complete.
    Finished,
}

impl Word for StopEvent {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("needs_you", StopEvent::NeedsYou),
        ("gate", StopEvent::Gate),
        ("budget", StopEvent::Budget),
        ("budget_near", StopEvent::BudgetNear),
        ("integrity", StopEvent::Integrity),
        ("trouble", StopEvent::Trouble),
        ("long_wait", StopEvent::LongWait),
        ("finished", StopEvent::Finished),
    ];
}

impl StopEvent {
    /// Returns what an exit code is reported as; nothing for what the user did themselves or sees at once.
    pub fn of(exit: Exit) -> Option<StopEvent> {
        match exit {
            Exit::Success => Some(StopEvent::Finished),
            Exit::AtGate => Some(StopEvent::Gate),
            Exit::NeedsHuman => Some(StopEvent::NeedsYou),
            Exit::BudgetReached => Some(StopEvent::Budget),
            Exit::Integrity => Some(StopEvent::Integrity),
            Exit::InvalidPlan | Exit::Environment | Exit::Internal => Some(StopEvent::Trouble),
            Exit::Findings
            | Exit::Usage
            | Exit::Locked
            | Exit::Interrupted
            | Exit::Terminated
            | Exit::Session(_) => None,
        }
    }
}

/// `notify` of the user's own configuration.
#[derive(Debug, Clone, Default)]
pub struct Notify {
    channels: Vec<Channel>,
    /// What is reported; everything when empty.
    events: Vec<StopEvent>,
    remind_after: Option<Duration>,
    quiet: Option<QuietHours>,
    long_wait: Option<Duration>,
}

/// One thing to say.
#[derive(Debug, Clone)]
pub struct Notice {
    /// What it is about.
    pub event: StopEvent,
    /// What is said again in its place, such as a feature.
    pub about: String,
    /// What it says, as JSON.
    pub content: Value,
    /// What makes it another one; the content where absent.
    pub identity: Option<String>,
}

/// Waits shorter than this are no news, unless the user says otherwise.
const LONG_WAIT: Duration = Duration::from_secs(15 * 60);

impl Notify {
    /// Reads what the user wants reported.
    pub fn read(env: &[(OsString, OsString)]) -> Result<Notify> {
        let Some(file) = UserConfigFile::read(env)? else {
            return Ok(Notify::default());
        };
        match file.root.get("notify") {
            Some(node) => notice_settings::read(&node.value)
                .map_err(|what| file.wrong(node.key_span.start, &what)),
            None => Ok(Notify::default()),
        }
    }

    /// Returns whether the user wants to hear of an event.
    pub fn wants(&self, event: StopEvent) -> bool {
        !self.channels.is_empty() && (self.events.is_empty() || self.events.contains(&event))
    }

    /// Returns from which length on a wait is news.
    pub fn long_wait(&self) -> Duration {
        self.long_wait.unwrap_or(LONG_WAIT)
    }

    fn moment(&self, notice: &Notice) -> NoticeMoment {
        let now = jiff::Zoned::now();
        NoticeMoment {
            now: now.timestamp().as_second(),
            minute_of_day: now.hour().unsigned_abs() as u16 * 60
                + now.minute().unsigned_abs() as u16,
            quiet: self.quiet,
            remind_after: self
                .remind_after
                .and_then(|after| i64::try_from(after.as_secs()).ok()),
            urgent: notice.event == StopEvent::Integrity,
        }
    }

    /// Says something, unless it was said already or it is for later; returns what went wrong.
    ///
    /// `place` is where commands start, and the runtime state's directory, where it is noted what was said.
    pub fn send(
        &self,
        notice: &Notice,
        place: (&Path, &Path),
        env: &[(OsString, OsString)],
    ) -> Option<Error> {
        let (cwd, state_dir) = place;
        let mut content = redacted(&notice.content);
        let identity = notice.identity.clone().unwrap_or(content.to_string());
        let digest = oracle::hex(&Sha256::digest(identity.as_bytes()));
        // A kill between a channel and its note repeats a notice: whoever receives it can tell by this.
        content["id"] = json!(digest[..16]);
        let mut all = sent_notices::read(state_dir);
        let names: BTreeSet<String> = self.channels.iter().map(Channel::name).collect();
        let moment = self.moment(notice);
        let known = all.get(&notice.about).cloned();
        let step = notice::next(known.as_ref(), &digest, &names, &moment);
        let mut sent = known.filter(|sent| sent.digest == digest);
        match step {
            NoticeStep::Silent => return None,
            NoticeStep::Remind => {
                content["reminder"] = json!(true);
                let known = sent.get_or_insert_default();
                known.channels.clear();
                known.reminded = true;
            }
            NoticeStep::Send => {}
        }
        let mut sent = sent.unwrap_or(SentNotice {
            digest,
            at: moment.now,
            ..SentNotice::default()
        });
        let mut failed = None;
        for channel in &self.channels {
            if sent.channels.contains(&channel.name()) {
                continue;
            }
            match channel.send(&content, cwd, env) {
                Ok(()) => {
                    sent.channels.insert(channel.name());
                    all.insert(notice.about.clone(), sent.clone());
                    sent_notices::write(state_dir, &all);
                }
                Err(error) => failed = Some(error),
            }
        }
        failed
    }
}

/// Returns a notice without secrets.
fn redacted(content: &Value) -> Value {
    let text = secrets::redact(&content.to_string());
    serde_json::from_str(&text)
        .unwrap_or_else(|_| json!({ "what": "a notice was withheld: it held a secret" }))
}
