//! Performs a recorded session in the slot it is started in, as the process behind the `script`
//! agent.
//!
//! It prints one JSON event a line, which `agents::script` reads. A path that leads out of the
//! slot, also through a symbolic link, ends the session with an error unless the step allows it: a
//! recording from a bug report must not write over its reader's files by accident. This guards
//! against mistakes only; a recording with a `shell` step is a program.
//!
//! The same recording in the same slot always does and prints the same.

mod step_actions;

use self::step_actions::act;
use gatewalk_core::agents::recording::{self, RecordedAction, Recording};
use gatewalk_core::agents::script::NO_RECORDING;
use gatewalk_core::agents::{ApiError, Reset};
use gatewalk_core::error::{Error, Result};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The largest recording that is read.
const MAX_BYTES: u64 = gatewalk_core::model::yaml::MAX_YAML_BYTES as u64;

/// The session that is replayed.
#[derive(Debug, Clone, Copy)]
pub struct ReplayedSession<'a> {
    /// A recording, or a directory of them.
    pub script: &'a Path,
    /// The unit it works on.
    pub unit: &'a str,
    /// Which attempt on the unit it is.
    pub attempt: u32,
}

/// Replays in `cwd` what is recorded for a session.
///
/// Returns the status to exit with. Whatever goes wrong with the recording is reported as an event;
/// an `Err` means that not even that was possible.
pub fn replay(session: &ReplayedSession<'_>, cwd: &Path, out: &mut dyn Write) -> Result<i32> {
    let ReplayedSession {
        script,
        unit,
        attempt,
    } = *session;
    let mut printer = ReplayPrinter { out };
    let id = format!("script-{}-{attempt}", unit.replace('/', "-"));
    match load(script, unit, attempt) {
        Ok((recording, directory)) => {
            printer.event(&json!({"event": "session", "id": id, "model": recording.model}))?;
            perform(&recording, &directory, cwd, &mut printer)
        }
        Err(error) => {
            printer.event(&json!({"event": "session", "id": id}))?;
            printer.error(&error)?;
            printer.event(&json!({"event": "end"}))?;
            Ok(1)
        }
    }
}

/// Returns the recording for this unit and attempt with its directory, or the error to report.
fn load(script: &Path, unit: &str, attempt: u32) -> Result<(Recording, PathBuf), ApiError> {
    let fail = |kind: &str, message: String| ApiError {
        kind: Some(kind.into()),
        message,
        ..ApiError::default()
    };
    let missing = || {
        let message = format!(
            "nothing is recorded for {unit}, attempt {attempt}, in {}",
            script.display()
        );
        fail(NO_RECORDING, message)
    };
    let file = if script.is_dir() {
        let names = recording::file_names(unit, attempt)
            .into_iter()
            .map(|name| script.join(name));
        names
            .into_iter()
            .find(|path| path.is_file())
            .ok_or_else(missing)?
    } else {
        script.to_owned()
    };
    let size = fs::metadata(&file).map_err(|_| missing())?.len();
    if size > MAX_BYTES {
        return Err(fail(
            "invalid_recording",
            format!("{}: {size} bytes are too many", file.display()),
        ));
    }
    let invalid = |why: String| fail("invalid_recording", format!("{}: {why}", file.display()));
    let text = fs::read_to_string(&file).map_err(|error| invalid(error.to_string()))?;
    let recordings = recording::parse(&text).map_err(invalid)?;
    let found = recording::pick(&recordings, unit, attempt).ok_or_else(missing)?;
    let directory = file.parent().unwrap_or(&file).to_owned();
    Ok((found.clone(), directory))
}

fn perform(
    recording: &Recording,
    directory: &Path,
    cwd: &Path,
    printer: &mut ReplayPrinter<'_>,
) -> Result<i32> {
    for (number, step) in recording.steps.iter().enumerate() {
        if let RecordedAction::Say(text) = &step.action {
            printer.event(&json!({"event": "text", "text": text}))?;
            continue;
        }
        let (tool, detail) = step.action.label();
        printer.event(
            &json!({"event": "tool", "id": number.to_string(), "tool": tool, "detail": detail}),
        )?;
        if let Err(why) = act(step, directory, cwd) {
            let message = format!("step {}, {tool} {detail}: {why}", number + 1);
            printer.error(&ApiError {
                kind: Some("replay".into()),
                message,
                ..ApiError::default()
            })?;
            printer.event(&json!({"event": "end"}))?;
            return Ok(1);
        }
        printer.event(&json!({"event": "tool_end", "id": number.to_string()}))?;
    }
    conclude(recording, printer)
}

/// Reports what a recording ends with, and returns its exit status.
fn conclude(recording: &Recording, printer: &mut ReplayPrinter<'_>) -> Result<i32> {
    let usage = recording.usage;
    if !usage.is_unknown() || recording.cost_usd.is_some() {
        printer.event(&json!({
            "event": "usage",
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "cache_read": usage.cache_read,
            "cache_write": usage.cache_write,
            "cost_usd": recording.cost_usd,
        }))?;
    }
    if let Some(body) = &recording.result {
        let text = format!("```result\n{}\n```", body.trim_end());
        printer.event(&json!({"event": "text", "text": text}))?;
    }
    if let Some(error) = &recording.error {
        printer.error(error)?;
    }
    let exit = recording
        .exit
        .unwrap_or(i32::from(recording.error.is_some()));
    // A session that dies says no last word; one that reports an error does.
    if exit == 0 || recording.error.is_some() {
        printer.event(&json!({"event": "end"}))?;
    }
    Ok(exit)
}

struct ReplayPrinter<'o> {
    out: &'o mut dyn Write,
}

impl ReplayPrinter<'_> {
    /// Prints one event and hands it over at once: the driver watches for signs of life.
    fn event(&mut self, event: &Value) -> Result<()> {
        let done = writeln!(self.out, "{event}").and_then(|()| self.out.flush());
        done.map_err(|error| {
            Error::environment("cannot print the session's events").with_source(error)
        })
    }

    fn error(&mut self, error: &ApiError) -> Result<()> {
        let mut event = json!({"event": "error", "status": error.status, "kind": error.kind, "message": error.message});
        match &error.reset {
            Some(Reset::At(at)) => event["reset_at"] = (*at).into(),
            Some(Reset::After(seconds)) => event["reset_after"] = (*seconds).into(),
            Some(Reset::Clock(clock)) => event["reset_clock"] = clock.to_string().into(),
            None => {}
        }
        self.event(&event)
    }
}

#[cfg(test)]
mod tests;
