//! Goose: `goose run --output-format stream-json`.
//!
//! Provider and model come from the user's `goose configure`; `model` of a unit overrides the
//! latter.

use super::lenient_json::{Field, Nested, detail, fold_line, unknown};
use super::{Agent, AgentCommand, ApiError, Outcome, PromptVia, Request, Session, Usage};
use crate::error::Result;
use serde::Deserialize;

/// The adapter.
pub(super) struct Goose;

impl Agent for Goose {
    fn name(&self) -> &'static str {
        "goose"
    }

    fn probe(&self) -> Option<(&'static str, &'static [&'static str])> {
        Some(("goose", &["--version"]))
    }

    fn state(&self) -> &'static [&'static str] {
        &[".local/share/goose", ".local/state/goose", ".config/goose"]
    }

    fn command(&self, request: &Request<'_>) -> Result<AgentCommand> {
        let prompt = request.prompt_file.to_string_lossy().into_owned();
        let mut args: Vec<String> = ["run", "--no-session", "--output-format", "stream-json"]
            .map(String::from)
            .into();
        if let Some(model) = request.model {
            args.extend(["--model".into(), model.into()]);
        }
        args.extend(["--instructions".into(), prompt]);
        Ok(AgentCommand {
            args,
            env: vec![("GOOSE_MODE".into(), "auto".into())],
            keep_env: [
                "GOOSE_*",
                "ANTHROPIC_*",
                "DATABRICKS_*",
                "GOOGLE_API_KEY",
                "OPENAI_*",
                "OPENROUTER_API_KEY",
            ]
            .map(String::from)
            .into(),
            drop_env: &["GOOSE_TERMINAL"],
            ..AgentCommand::of("goose", PromptVia::File)
        })
    }

    fn read(&self, line: &[u8], seen: &mut Session) {
        fold_line(line, seen, |json, seen| {
            serde_json::from_str(json).is_ok_and(|event| fold(&event, seen))
        });
    }

    fn remedy(&self, outcome: &Outcome) -> Option<&'static str> {
        match outcome {
            Outcome::Missing => Some("install Goose and run `goose configure`"),
            Outcome::Auth => Some("run `goose configure`"),
            Outcome::Quota => Some("add credit at the provider, or name another agent"),
            _ => None,
        }
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct GooseEvent<'a> {
    #[serde(borrow, rename = "type")]
    kind: Field<'a>,
    message: Nested<GooseMessage<'a>>,
    error: Field<'a>,
    input_tokens: Field<'a>,
    output_tokens: Field<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct GooseMessage<'a> {
    #[serde(borrow)]
    role: Field<'a>,
    content: Nested<GooseBlock<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct GooseBlock<'a> {
    #[serde(borrow, rename = "type")]
    kind: Field<'a>,
    id: Field<'a>,
    text: Field<'a>,
    #[serde(rename = "toolCall")]
    call: Nested<GooseToolCall<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct GooseToolCall<'a> {
    #[serde(borrow)]
    value: Nested<Value<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Value<'a> {
    #[serde(borrow)]
    name: Field<'a>,
    arguments: Field<'a>,
}

fn fold(event: &GooseEvent<'_>, seen: &mut Session) -> bool {
    match event.kind.text().as_deref() {
        Some("message") => event
            .message
            .one()
            .into_iter()
            .for_each(|m| message(m, seen)),
        Some("notification") => {}
        Some("error") => {
            let message = event.error.short(2000).unwrap_or_default();
            seen.fail_for_good(ApiError::told(None, None, &message));
        }
        Some("complete") => {
            seen.pause();
            seen.usage = Usage {
                input_tokens: event.input_tokens.count(),
                output_tokens: event.output_tokens.count(),
                ..Usage::default()
            };
            seen.finished = true;
            seen.open.clear();
            seen.is_error.get_or_insert(false);
        }
        _ => return unknown(seen),
    }
    true
}

fn message(message: &GooseMessage<'_>, seen: &mut Session) {
    let said = message.role.text().as_deref() == Some("assistant");
    for block in message.content.many() {
        let id = || block.id.short(200).unwrap_or_default();
        match block.kind.text().as_deref() {
            // Text is streamed in pieces, one message each.
            Some("text") if said => seen.say_piece(&block.text.text().unwrap_or_default()),
            Some("toolRequest") => {
                seen.pause();
                let call = block.call.one().and_then(|call| call.value.one());
                let tool = call.and_then(|call| call.name.short(80));
                let about = call.map(|call| detail(call.arguments));
                seen.start_tool(&id(), &tool.unwrap_or_default(), &about.unwrap_or_default());
            }
            Some("toolResponse") => seen.end_tool(&id()),
            _ => {}
        }
    }
}
