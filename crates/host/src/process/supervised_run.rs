//! Running a program until it has ended, once more where what confines it did not start it.

use super::output::{CappedLog, HeadTail};
use super::output_pipes::Taps;
use super::poll_loop::{CHUNK, Loop};
use super::readers::Reader;
use super::start::start;
use super::supervise::ActiveClock;
use super::wrapper_status::CONFINED_STARTS;
use super::{CommandSpec, ProcessEnd, ProcessOutcome, ProgramRun};
use crate::crash;
use std::time::{Duration, Instant};

/// Runs the program, once more where the one that confines it failed before it started the command.
pub(super) fn supervise(program: &ProgramRun<'_>, reader: &mut dyn Reader) -> ProcessOutcome {
    let mut outcome = run_once(program, reader);
    for _ in 1..CONFINED_STARTS {
        if wrapper_error(program.spec, &outcome).is_none() {
            return outcome;
        }
        outcome = run_once(program, reader);
    }
    if let Some(error) = wrapper_error(program.spec, &outcome) {
        outcome.ended = error;
    }
    outcome
}

/// Starts the program and stays with it until nothing of it is left.
pub(super) fn run_once(program: &ProgramRun<'_>, reader: &mut dyn Reader) -> ProcessOutcome {
    let limits = program.limits;
    if program.stop.is_raised() {
        return not_started(ProcessEnd::Cancelled);
    }
    let mut log_error = None;
    let log = program.log.and_then(|path| {
        CappedLog::create(path, limits.log_head, limits.log_tail)
            .map_err(|e| log_error = Some(format!("cannot create `{}`: {e}", path.display())))
            .ok()
    });
    // A program may have run for a while before we do again.
    let clock = ActiveClock::new(Instant::now());
    let started = match crash::around("start a program", || start(program.spec, limits.resources)) {
        Ok(started) => started,
        Err(ended) => return not_started(ended),
    };
    let taps = Taps {
        reader,
        log,
        stderr_tail: HeadTail::new(0, 8 * 1024),
        buffer: vec![0; CHUNK],
        stop: None,
    };
    let mut outcome = Loop::new((started, clock), limits, taps, program.stop).run();
    outcome.log_error = log_error.or(outcome.log_error);
    outcome
}

/// Returns how a run ended whose confining program failed before it started the command: the exit code is its own.
pub(super) fn wrapper_error(spec: &CommandSpec, outcome: &ProcessOutcome) -> Option<ProcessEnd> {
    let status = spec.wrapper.as_ref()?;
    if !matches!(outcome.ended, ProcessEnd::Exited(code) if code != 0)
        || status.started_its_command()
    {
        return None;
    }
    let stderr = String::from_utf8_lossy(&outcome.stderr_tail);
    let last = stderr.lines().map(str::trim).rfind(|line| !line.is_empty());
    Some(ProcessEnd::SpawnFailed {
        missing: false,
        message: format!(
            "the sandbox cannot be set up: {}",
            last.unwrap_or("no reason given")
        ),
    })
}

pub(super) fn not_started(ended: ProcessEnd) -> ProcessOutcome {
    ProcessOutcome {
        ended,
        duration: Duration::ZERO,
        stdout_bytes: 0,
        stderr_bytes: 0,
        stderr_tail: Vec::new(),
        strays: 0,
        survivors: 0,
        log_error: None,
    }
}
