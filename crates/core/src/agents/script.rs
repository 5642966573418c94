//! Replays a recorded session: for the demo, for tests, and for walking a plan without spending
//! anything.
//!
//! The session runs as a process like any other: this program's own hidden `replay-session`, whose
//! effects are in `gatewalk_host::replay`. Here is only how it is started, and the events it prints; the
//! format of a recording is in `recording`.

use super::lenient_json::Field;
use super::{
    Agent, AgentCommand, ApiError, Definition, Outcome, ProcessExit, PromptVia, Request, Reset,
    Session, Usage,
};
use crate::error::{Error, Result};
use serde::Deserialize;

/// The adapter.
pub(super) struct Script;

/// The hidden subcommand that replays.
pub const SUBCOMMAND: &str = "replay-session";

/// The kind of the error that says that nothing is recorded for this unit and attempt.
pub const NO_RECORDING: &str = "no_recording";

impl Agent for Script {
    fn name(&self) -> &'static str {
        "script"
    }

    fn probe(&self) -> Option<(&'static str, &'static [&'static str])> {
        None
    }

    fn command(&self, request: &Request<'_>) -> Result<AgentCommand> {
        let Some(Definition::Script(path)) = request.definition else {
            return Err(Error::internal(
                "the `script` agent was started without a recording",
            ));
        };
        let text = |path: &std::path::Path| {
            let text = path.to_str().map(str::to_owned);
            text.ok_or_else(|| Error::usage(format!("`{}` is not a UTF-8 path", path.display())))
        };
        let attempt = request.attempt.to_string();
        let args = [
            SUBCOMMAND,
            "--unit",
            request.unit,
            "--attempt",
            &attempt,
            "--",
            &text(path)?,
        ];
        Ok(AgentCommand {
            program: text(request.own_program)?,
            args: args.map(str::to_owned).into(),
            env: Vec::new(),
            keep_env: Vec::new(),
            drop_env: &[],
            prompt: PromptVia::Stdin,
        })
    }

    fn read(&self, line: &[u8], seen: &mut Session) {
        let line = String::from_utf8_lossy(line);
        match serde_json::from_str::<ScriptEvent<'_>>(&line) {
            Ok(event) if fold(&event, seen) => seen.structured = true,
            _ => seen.plain_line(&line),
        }
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
    input_tokens: Field<'a>,
    output_tokens: Field<'a>,
    cache_read: Field<'a>,
    cache_write: Field<'a>,
    cost_usd: Field<'a>,
}

fn fold(event: &ScriptEvent<'_>, seen: &mut Session) -> bool {
    let id = event.id.short(200).unwrap_or_default();
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
                message: event.message.short(2000).unwrap_or_default(),
                reset: event
                    .reset_at
                    .read()
                    .map(Reset::At)
                    .or(event.reset_after.count().map(Reset::After)),
            });
        }
        Some("end") => {
            seen.finished = true;
            seen.open.clear();
        }
        Some(_) if seen.structured => seen.unknown_events += 1,
        _ => return false,
    }
    true
}

#[cfg(test)]
mod tests;
