//! Any program that speaks the Agent Client Protocol, version 1, over standard input and output:
//! `acp:opencode acp`, `acp:gemini --acp`, `acp:goose acp` …
//!
//! We are the client: one session in the slot, one prompt, in a mode that may write: some programs begin with one that
//! reads only. What the program asks permission for it gets, once; files and terminals of an editor it does not get, for
//! it has the slot's own.
//!
//! A fault is the error of a response. Some programs put theirs into the assistant's mouth and say that
//! all went well: such a session is empty, for nothing of the model's came and nothing was done.

mod acp_wire;
mod client;
mod session_options;
mod updates;

use super::descriptor::{
    AgentProgram, Descriptor, PromptArguments, Remedies, SessionOutput, Silence,
};
use super::tool_servers::ToolServersVia;
use super::{Agent, Conversation, Outcome, ProcessExit, Request, ResultBlock, Session};
use client::Client;

pub(super) struct Acp;

/// The ids of our requests; what comes between `SESSION` and `PROMPT` is asked for where the session offers it.
const INITIALIZE: u64 = 1;
const SESSION: u64 = 2;
const MODEL: u64 = 4;
const PROMPT: u64 = 3;
/// A refused mode or effort ends nothing: the program goes on as it began.
const MODE: u64 = 5;
const EFFORT: u64 = 6;

/// How a turn ended, in the protocol's words.
const REFUSAL: &str = "refusal";
const CANCELLED: &str = "cancelled";

static DESCRIPTOR: Descriptor = Descriptor {
    name: "acp",
    program: AgentProgram::Defined,
    model: None,
    prompt: PromptArguments::Conversation,
    remedies: Some(Remedies {
        missing: "install the program, or correct its `command` in your configuration",
        auth: "log in with the program itself, or keep its key with `env: [NAME]`",
        quota: "add credit to the account, or name another agent",
    }),
    output: SessionOutput::Events(updates::fold),
    end: Session::pause,
    tool_servers: ToolServersVia::Protocol,
    silence: Silence::BetweenCalls,
    ..Descriptor::BASE
};

impl Agent for Acp {
    fn descriptor(&self) -> &Descriptor {
        &DESCRIPTOR
    }

    fn conversation(&self, request: &Request<'_>) -> Option<Box<dyn Conversation>> {
        Some(Box::new(Client::new(request)))
    }

    fn read_end(&self, exit: &ProcessExit, seen: &Session) -> Outcome {
        match super::fallback_outcome(exit, seen) {
            // Nothing ends by itself here: a program that goes before it answered was cut short.
            Outcome::Worked if !seen.finished => Outcome::Protocol,
            Outcome::Worked if seen.terminal_reason.as_deref() == Some(REFUSAL) => {
                Outcome::Blocked("the model refused the request".to_owned())
            }
            Outcome::Worked if only_printed(seen) => Outcome::Empty,
            outcome => outcome,
        }
    }

    fn remedy(&self, outcome: &Outcome) -> Option<&'static str> {
        match outcome {
            Outcome::Protocol => Some(
                "see whether the program speaks the protocol: many need a switch such as `--acp`",
            ),
            outcome => DESCRIPTOR.remedy(outcome),
        }
    }
}

/// Returns whether words are all there is: no tool, no token that was counted, no result.
fn only_printed(seen: &Session) -> bool {
    let counted = seen.usage.output_tokens.unwrap_or(0) > 0;
    seen.tool_calls == 0 && !counted && ResultBlock::last_in(seen.closing_text()).0.is_none()
}
