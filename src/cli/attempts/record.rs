//! `gatewalk attempts record`: an attempt as a session that the `script` agent replays, so that a plan
//! can run again for nothing, and a bug report is a file.

use crate::cli::Context;
use crate::cli::unit_command::{OpenFeature, ViewArgs};
use gatewalk_core::agents::recording::{RecordedAction, RecordedStep, Recording, render};
use gatewalk_core::agents::{ApiError, SessionClass, Usage};
use gatewalk_core::engine::attempt_record::{AttemptRecord, SessionNote};
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::id::short_id;
use gatewalk_core::path_names::is_below;
use gatewalk_host::git::{Change, MODE_EXECUTABLE, MODE_GITLINK, MODE_SYMLINK};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The largest text that stands in the recording itself; larger and binary files lie beside it.
const INLINE: usize = 32 * 1024;
/// The largest file that is recorded.
const LARGEST: u64 = 64 << 20;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The unit; every unit of the feature when absent
    unit: Option<String>,
    /// The attempt's number; every attempt when absent
    number: Option<u32>,
    /// The directory to write into
    #[arg(long, value_name = "DIR", default_value = "sessions")]
    to: PathBuf,
    #[command(flatten)]
    common: ViewArgs,
}

/// What becomes of one attempt: the recording, the files beside it, what was left out.
struct AttemptRecording {
    /// The recording's file name without its ending, and the head of the name of its directory.
    name: String,
    recording: Recording,
    files: Vec<(String, Vec<u8>)>,
    left_out: Vec<String>,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let opened = OpenFeature::read(
        context,
        args.common.feature.as_deref(),
        args.unit.as_deref(),
    )?;
    let attempts = chosen(&opened, args)?;
    if attempts.is_empty() {
        return Err(Error::plan("there is no such attempt").hint("see `gatewalk attempts list`"));
    }
    let directory = context.cwd.join(&args.to);
    let mut written = Vec::new();
    for attempt in &attempts {
        let local = short_id(&attempt.unit);
        let name = format!("{local}.{}", attempt.number);
        let recording = recording(&opened, attempt, name.clone())?;
        let path = directory.join(format!("{name}.yml"));
        if path.exists() {
            return Err(Error::usage(format!("`{}` exists already", path.display()))
                .hint("name another directory with `--to`"));
        }
        for (file, bytes) in &recording.files {
            write(&directory.join(file), bytes)?;
        }
        write(&path, render(&recording.recording).as_bytes())?;
        for what in &recording.left_out {
            context
                .out
                .note(format!("{name}: left out: {}", sanitize(what)));
        }
        written.push(path);
    }
    if args.common.json {
        context.out.json(&json!({"recorded": written}));
    } else {
        for path in &written {
            context.out.line(path.display().to_string());
        }
        context.out.note(format!(
            "next: gatewalk loop --agent script:{}",
            args.to.display()
        ));
    }
    Ok(Exit::Success)
}

fn chosen(opened: &OpenFeature<'_>, args: &Args) -> Result<Vec<AttemptRecord>> {
    let units = match &args.unit {
        Some(unit) => vec![opened.unit(unit)?.id().to_owned()],
        None => opened
            .feature()
            .members()
            .map(|m| m.id().to_owned())
            .collect(),
    };
    let mut attempts = Arc::unwrap_or_clone(opened.attempts()?.charged);
    Ok(units
        .iter()
        .flat_map(|id| {
            attempts
                .remove(id.as_str())
                .map_or_else(Vec::new, Arc::unwrap_or_clone)
        })
        .filter(|attempt| args.number.is_none_or(|number| attempt.number == number))
        .collect())
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let parent = path.parent().unwrap_or(path);
    std::fs::create_dir_all(parent)
        .and_then(|()| std::fs::write(path, bytes))
        .map_err(|e| Error::io("write", path, &e))
}

fn recording(
    opened: &OpenFeature<'_>,
    attempt: &AttemptRecord,
    name: String,
) -> Result<AttemptRecording> {
    let mut recording = AttemptRecording::of_session(attempt, name);
    let git = &opened.repository.git;
    let changes = git.diff(attempt.base, attempt.tree)?;
    deletions(&changes, &mut recording);
    for change in &changes {
        let Some(path) = change.path.as_str() else {
            recording
                .left_out
                .push(format!("{} (its name is not UTF-8)", change.path.to_text()));
            continue;
        };
        let (Some(new), old) = (change.new, change.old) else {
            continue;
        };
        if new.mode == MODE_GITLINK {
            recording
                .left_out
                .push(format!("{path} (a repository of its own)"));
            continue;
        }
        if old.is_none_or(|old| old.oid != new.oid || is_link(old.mode) != is_link(new.mode)) {
            let blob = git.read_blobs(&[new.oid], LARGEST)?.pop().flatten();
            match blob {
                Some(bytes) => recording.content(path, new.mode, bytes),
                None => recording.left_out.push(format!("{path} (it is too large)")),
            }
        }
        let executable = |mode: u32| mode == MODE_EXECUTABLE;
        if !is_link(new.mode) && executable(new.mode) != old.is_some_and(|o| executable(o.mode)) {
            let mode = if executable(new.mode) { 0o755 } else { 0o644 };
            recording.push(RecordedAction::Chmod(path.to_owned(), mode));
        }
    }
    Ok(recording)
}

fn is_link(mode: u32) -> bool {
    mode == MODE_SYMLINK
}

impl AttemptRecording {
    /// Returns a recording that ends as the session did and changes nothing yet.
    fn of_session(attempt: &AttemptRecord, name: String) -> AttemptRecording {
        let figures = &attempt.figures;
        let mut recording = Recording {
            unit: Some(attempt.unit.clone()),
            attempt: Some(attempt.number),
            model: attempt.model.clone(),
            usage: Usage {
                input_tokens: figures.input_tokens,
                output_tokens: figures.output_tokens,
                cache_read: figures.cache_read_input_tokens,
                cache_write: figures.cache_creation_input_tokens,
            },
            cost_usd: figures.cost_usd,
            ..Recording::default()
        };
        ending(attempt, &mut recording);
        AttemptRecording {
            name,
            recording,
            files: Vec::new(),
            left_out: Vec::new(),
        }
    }

    fn content(&mut self, path: &str, mode: u32, bytes: Vec<u8>) {
        let owned = path.to_owned();
        match String::from_utf8(bytes) {
            Ok(target) if is_link(mode) => self.push(RecordedAction::Symlink(owned, target)),
            Ok(text) if text.len() <= INLINE => self.push(RecordedAction::Write(owned, text)),
            other => {
                let bytes =
                    other.map_or_else(std::string::FromUtf8Error::into_bytes, String::into_bytes);
                let file = format!("{}.files/{}", self.name, self.files.len());
                self.push(RecordedAction::Copy(owned, file.clone()));
                self.files.push((file, bytes));
            }
        }
    }

    fn push(&mut self, action: RecordedAction) {
        self.recording.steps.push(RecordedStep {
            action,
            outside: false,
        });
    }
}

/// First everything that goes, so that what comes finds its place free.
fn deletions(changes: &[Change], recording: &mut AttemptRecording) {
    let gone = |change: &&Change| match (change.old, change.new) {
        (Some(_), None) => true,
        (Some(old), Some(new)) => is_link(old.mode) != is_link(new.mode),
        _ => false,
    };
    let gone: Vec<&str> = changes
        .iter()
        .filter(gone)
        .filter_map(|c| c.path.as_str())
        .collect();
    for path in &gone {
        recording.push(RecordedAction::Delete((*path).to_owned()));
    }
    // A file where a directory was: the directory is empty by now, and still there.
    for path in changes
        .iter()
        .filter(|c| c.old.is_none())
        .filter_map(|c| c.path.as_str())
    {
        if gone.iter().any(|gone| is_below(gone, path)) {
            recording.push(RecordedAction::Delete(path.to_owned()));
        }
    }
}

/// How it ended, as far as a recording can end so: time does not pass in one.
fn ending(attempt: &AttemptRecord, recording: &mut Recording) {
    let session = &attempt.session;
    let summary = session.summary.clone().unwrap_or_default();
    match session.class.known() {
        Some(
            SessionClass::Worked
            | SessionClass::TimedOut
            | SessionClass::Idle
            | SessionClass::Budget,
        ) => {
            recording.result = Some(result("complete", "summary", &summary));
        }
        Some(SessionClass::Blocked) => {
            let reason = session.blocked_reason.clone().unwrap_or_default();
            recording.result = Some(result("blocked", "blocked_reason", &reason));
        }
        _ => {
            let notes: Vec<&str> = session.notes.iter().map(SessionNote::text).collect();
            recording.error = Some(ApiError {
                kind: Some(session.class.to_string()),
                message: notes.join("; "),
                ..ApiError::default()
            });
        }
    }
}

fn result(status: &str, key: &str, text: &str) -> String {
    format!("status: {status}\n{key}: {}\n", json!(text))
}
