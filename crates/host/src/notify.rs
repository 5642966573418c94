//! Reporting a stop outside the terminal: a command of the user's own, and the terminal's own signal.
//!
//! A stop is reported once: a run that ends as the last one did, with nothing done in between, is silent. A report that
//! fails never fails a run.

use super::user_config::{self, wrong};
use super::user_tool::{self, ToolCommand};
use gatewalk_core::engine::secrets;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::frontmatter::{FromYaml, OneOrMany};
use gatewalk_core::model::status_machine::Word;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::Path;

/// Why a run ended, as far as a report is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopEvent {
    /// A unit or a question waits for the user.
    NeedsYou,
    /// A gate waits for a review.
    Gate,
    /// A budget is used up.
    Budget,
    /// The repository, or what decides, is not as it was left.
    Integrity,
    /// The plan, the machine or an agent is in the way.
    Trouble,
    /// The feature is complete.
    Finished,
}

impl Word for StopEvent {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("needs_you", StopEvent::NeedsYou),
        ("gate", StopEvent::Gate),
        ("budget", StopEvent::Budget),
        ("integrity", StopEvent::Integrity),
        ("trouble", StopEvent::Trouble),
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
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notify {
    /// A shell command that reads the stop as JSON from its standard input.
    command: Option<String>,
    /// Whether the terminal rings, and shows a message where it can.
    terminal: bool,
    /// What is reported; everything when empty.
    events: Vec<StopEvent>,
}

impl Notify {
    /// Reads what the user wants reported.
    pub fn read(env: &[(OsString, OsString)]) -> Result<Notify> {
        let Some((path, root)) = user_config::read(env)? else {
            return Ok(Notify::default());
        };
        let Some(node) = root.get("notify") else {
            return Ok(Notify::default());
        };
        let mut found = Notify::default();
        let mut notes = Vec::new();
        for entry in node.value.entries() {
            match &*entry.key {
                "command" => found.command = String::from_yaml(&entry.value, "command", &mut notes),
                "terminal" => {
                    found.terminal =
                        bool::from_yaml(&entry.value, "terminal", &mut notes).unwrap_or(false);
                }
                "events" => {
                    let words = OneOrMany::<String>::from_yaml(&entry.value, "events", &mut notes);
                    for word in words.into_iter().flat_map(|list| list.0) {
                        let event = StopEvent::from_word(&word.value).ok_or_else(|| {
                            let all = StopEvent::WORDS.iter().map(|(word, _)| *word);
                            let all = all.collect::<Vec<_>>().join(", ");
                            wrong(
                                &path,
                                &format!(
                                    "`notify`: there is no event `{}`; there are {all}",
                                    word.value
                                ),
                            )
                        })?;
                        found.events.push(event);
                    }
                }
                other => {
                    let what = format!("`notify` has command, terminal and events, not `{other}`");
                    return Err(wrong(&path, &what));
                }
            }
        }
        match notes.first() {
            Some(note) => Err(wrong(&path, &note.message)),
            None => Ok(found),
        }
    }

    /// Returns whether the user wants to be notified of an event.
    pub fn wants(&self, event: StopEvent) -> bool {
        let is_heard = self.command.is_some() || self.terminal;
        is_heard && (self.events.is_empty() || self.events.contains(&event))
    }

    /// Reports a stop, unless it is the one that was reported last; returns what went wrong.
    ///
    /// `state_dir` is the runtime state's directory, where the last report is noted.
    pub fn report(
        &self,
        stop: &Value,
        place: (&Path, &Path),
        env: &[(OsString, OsString)],
    ) -> Option<Error> {
        let (cwd, state_dir) = place;
        let text = secrets::redact(&stop.to_string());
        let digest = gatewalk_core::engine::oracle::hex(&Sha256::digest(text.as_bytes()));
        let last = state_dir.join("notified");
        if std::fs::read_to_string(&last).is_ok_and(|known| known.trim() == digest) {
            return None;
        }
        if self.terminal {
            ring(stop);
        }
        let failed = self
            .command
            .as_deref()
            .and_then(|command| run(command, &text, cwd, env).err());
        if failed.is_none() {
            // Losing this repeats a report, no more.
            drop(std::fs::write(&last, digest));
        }
        failed
    }
}

fn run(command: &str, text: &str, cwd: &Path, env: &[(OsString, OsString)]) -> Result<()> {
    let ran = user_tool::run(&ToolCommand {
        program: "sh",
        args: &["-c", command],
        input: text,
        cwd,
        env,
    })?;
    ran.ok("the command of `notify`").map(drop)
}

/// Rings, and shows a message in terminals that know how (OSC 9, as iTerm2, kitty, WezTerm and others read it).
fn ring(stop: &Value) {
    let mut terminal = std::io::stderr().lock();
    if !terminal.is_terminal() {
        return;
    }
    let what: String = stop["what"]
        .as_str()
        .unwrap_or_default()
        .chars()
        .filter(|c| !c.is_control())
        .collect();
    // A terminal that is gone has nobody before it.
    drop(write!(terminal, "\u{1b}]9;gatewalk: {what}\u{7}\u{7}"));
}
