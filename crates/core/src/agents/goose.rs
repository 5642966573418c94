//! Goose: `goose run --output-format stream-json`.
//!
//! Provider and model come from the user's `goose configure`; `model` of a unit overrides the
//! latter.

use super::descriptor::{
    AgentProgram, Descriptor, PromptArguments, Remedies, SessionOutput, Silence,
};
use super::lenient_json::{Field, detail, unknown};
use super::nested_objects::Nested;
use super::payment::{AccountSource, SourcePlace, goose_settings};
use super::readiness::{AccountFile, KeyRingWords, Needs};
use super::{ApiError, Session, Usage};
use serde::Deserialize;

/// Providers that work with a key alone, which it keeps in a key ring unless there is a file of secrets.
const KEYED: &[&str] = &[
    "GOOSE_PROVIDER: anthropic",
    "GOOSE_PROVIDER: google",
    "GOOSE_PROVIDER: openrouter",
];

pub(super) static GOOSE: Descriptor = Descriptor {
    name: "goose",
    program: AgentProgram::Named("goose"),
    state: &[".local/share/goose", ".local/state/goose", ".config/goose"],
    accounts: &[own("secrets.yaml"), own("config.yaml")],
    needs: Needs {
        account_files: Some(&[
            AccountFile::any(".config/goose/secrets.yaml"),
            AccountFile::any(".config/goose/config.yaml").or_key_ring(KeyRingWords::Any(KEYED)),
        ]),
        account_variables: &[
            "GOOSE_PROVIDER",
            "GOOSE_PATH_ROOT",
            "ANTHROPIC_API_KEY",
            "ANTHROPIC_AUTH_TOKEN",
            "DATABRICKS_HOST",
            "DATABRICKS_TOKEN",
            "GOOGLE_API_KEY",
            "OPENAI_API_KEY",
            "OPENROUTER_API_KEY",
        ],
        login_in_file: "set GOOSE_DISABLE_KEYRING=1 and run `goose configure` again",
        ..Needs::BASE
    },
    args: &["run", "--no-session", "--output-format", "stream-json"],
    prompt: PromptArguments::File("--instructions"),
    env: &[("GOOSE_MODE", "auto")],
    keep_env: &[
        "GOOSE_*",
        "ANTHROPIC_*",
        "DATABRICKS_*",
        "GOOGLE_API_KEY",
        "OPENAI_*",
        "OPENROUTER_*",
    ],
    drop_env: &["GOOSE_TERMINAL"],
    output: SessionOutput::Events(fold),
    remedies: Some(Remedies {
        missing: "install Goose and run `goose configure`",
        auth: "run `goose configure`",
        quota: "add credit at the provider, or name another agent",
    }),
    silence: Silence::BetweenCalls,
    ..Descriptor::BASE
};

const fn own(path: &'static str) -> AccountSource {
    AccountSource {
        place: SourcePlace::File {
            root: None,
            otherwise: ".config/goose",
            path,
        },
        read: goose_settings,
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

fn fold(json: &str, seen: &mut Session) -> bool {
    let Ok(event) = serde_json::from_str::<GooseEvent<'_>>(json) else {
        return false;
    };
    match event.kind.text().as_deref() {
        Some("message") => event
            .message
            .one()
            .into_iter()
            .for_each(|m| message(m, seen)),
        Some("notification") => {}
        Some("error") => {
            let message = event.error.message();
            seen.fail_for_good(ApiError::reported(None, None, &message));
        }
        Some("complete") => {
            seen.pause();
            seen.usage = Usage {
                input_tokens: event.input_tokens.count(),
                output_tokens: event.output_tokens.count(),
                ..Usage::default()
            };
            seen.finish();
            seen.is_error.get_or_insert(false);
        }
        _ => return unknown(seen),
    }
    true
}

fn message(message: &GooseMessage<'_>, seen: &mut Session) {
    let by_agent = message.role.text().as_deref() == Some("assistant");
    for block in message.content.many() {
        let id = || block.id.id();
        match block.kind.text().as_deref() {
            // Text is streamed in pieces, one message each.
            Some("text") if by_agent && own_fault(block).is_some() => {
                let fault = own_fault(block).unwrap_or_default();
                seen.fail_for_good(ApiError::reported(None, None, &fault));
            }
            Some("text") if by_agent => {
                seen.go_on();
                seen.push_text(&block.text.text().unwrap_or_default());
            }
            Some("toolRequest") => {
                seen.go_on();
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

/// Returns the fault that the program put into the assistant's mouth.
fn own_fault(block: &GooseBlock<'_>) -> Option<String> {
    let text = block.text.text()?;
    let fault = text.strip_prefix("Ran into this error: ")?;
    fault.lines().next().map(str::to_owned)
}
