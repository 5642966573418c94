//! Replays a recorded session: for the demo, for tests, and for walking a plan without spending
//! anything.
//!
//! The session runs as a process like any other: this program's own hidden `replay-session`, whose
//! effects are in `gatewalk_host::replay`. Here is only how it is started, and the events it prints; the
//! format of a recording is in `recording`.

use super::descriptor::{Descriptor, SessionOutput, utf8};
use super::lenient_json::{Field, fold_line, unknown};
use super::{
    Agent, AgentCommand, ApiError, ClockTime, Definition, Outcome, ProcessExit, Request, Reset,
    Session, Usage,
};
use crate::error::{Error, Result};
use serde::Deserialize;

pub(super) struct Script;

/// The hidden subcommand that replays.
pub const SUBCOMMAND: &str = "replay-session";

/// The kind of the error that says that nothing is recorded for this unit and attempt.
pub const NO_RECORDING: &str = "no_recording";

static DESCRIPTOR: Descriptor = Descriptor {
    name: "script",
    args: &[SUBCOMMAND],
    model: None,
    output: SessionOutput::Lines(read),
    ..Descriptor::BASE
};

impl Agent for Script {
    fn descriptor(&self) -> &Descriptor {
        &DESCRIPTOR
    }

    fn command(&self, request: &Request<'_>) -> Result<AgentCommand> {
        let Some(Definition::Script(path)) = request.definition else {
            return Err(Error::internal(
                "the `script` agent was started without a recording",
            ));
        };
        let attempt = request.attempt.to_string();
        let unit = ["--unit", request.unit, "--attempt", &attempt, "--"];
        let mut command = DESCRIPTOR.command(request)?;
        command.args.extend(unit.map(str::to_owned));
        command.args.push(utf8(path)?.to_owned());
        Ok(command)
    }

    fn outcome(&self, exit: &ProcessExit, seen: &Session) -> Outcome {
        match seen.errors.back().and_then(|error| error.kind.as_deref()) {
            Some(NO_RECORDING) => Outcome::Missing,
            _ => super::fallback_outcome(exit, seen),
        }
    }

    fn remedy(&self, outcome: &Outcome) -> Option<&'static str> {
        (*outcome == Outcome::Missing)
            .then_some("add a recording for this unit, named after it: `T01.yml`, or `T01.1.yml` for its first attempt")
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct ScriptEvent<'a> {
    #[serde(borrow)]
    event: Field<'a>,
    id: Field<'a>,
    model: Field<'a>,
    tool: Field<'a>,
    detail: Field<'a>,
    text: Field<'a>,
    status: Field<'a>,
    kind: Field<'a>,
    message: Field<'a>,
    reset_at: Field<'a>,
    reset_after: Field<'a>,
    reset_clock: Field<'a>,
    input_tokens: Field<'a>,
    output_tokens: Field<'a>,
    cache_read: Field<'a>,
    cache_write: Field<'a>,
    cost_usd: Field<'a>,
}

/// Reads an event. Any other line was printed by a step, as is right.
fn read(line: &[u8], seen: &mut Session) {
    let noise = seen.noise_lines;
    fold_line(line, seen, fold);
    seen.noise_lines = noise;
}

fn fold(json: &str, seen: &mut Session) -> bool {
    let Ok(event) = serde_json::from_str::<ScriptEvent<'_>>(json) else {
        return false;
    };
    let id = event.id.id();
    match event.event.text().as_deref() {
        Some("session") => {
            seen.session_id = Some(id);
            seen.model = event.model.short(200);
        }
        Some("tool") => {
            let detail = event.detail.text().unwrap_or_default();
            seen.start_tool(&id, &event.tool.short(80).unwrap_or_default(), &detail);
        }
        Some("tool_end") => seen.end_tool(&id),
        Some("text") => seen.say(&event.text.text().unwrap_or_default()),
        Some("usage") => {
            seen.usage = seen.usage.plus(Usage {
                input_tokens: event.input_tokens.count(),
                output_tokens: event.output_tokens.count(),
                cache_read: event.cache_read.count(),
                cache_write: event.cache_write.count(),
            });
            seen.cost_usd = event.cost_usd.number().or(seen.cost_usd);
        }
        Some("error") => {
            seen.is_error = Some(true);
            seen.fail(ApiError {
                status: event.status.read(),
                kind: event.kind.short(200),
                message: event.message.message(),
                reset: event
                    .reset_at
                    .read()
                    .map(Reset::At)
                    .or(event.reset_after.count().map(Reset::After))
                    .or_else(|| Some(Reset::Clock(ClockTime::parse(&event.reset_clock.text()?)?))),
            });
        }
        Some("end") => seen.finish(),
        Some(_) => return unknown(seen),
        None => return false,
    }
    true
}

#[cfg(test)]
mod tests;
