//! Factory's Droid: `droid exec --output-format stream-json`.
//!
//! It reports no cost, and a fault as a sentence of an `error` event.

use super::descriptor::{AgentProgram, Descriptor, EffortVia, Remedies, SessionOutput, Silence};
use super::lenient_json::{Field, detail, unknown};
use super::nested_objects::Nested;
use super::payment::Login;
use super::readiness::{AccountFile, Needs};
use super::{ApiError, Session, Usage};
use serde::Deserialize;

pub(super) static DROID: Descriptor = Descriptor {
    name: "droid",
    program: AgentProgram::Named("droid"),
    state: &[".factory"],
    login: Some(Login {
        files: &[
            ".factory/auth.v2.file",
            ".factory/auth.json",
            ".factory/auth.encrypted",
        ],
        keys: &["FACTORY_API_KEY"],
        ..Login::BASE
    }),
    needs: Needs {
        account_files: Some(&[
            AccountFile::any(".factory/auth.v2.file"),
            AccountFile::any(".factory/auth.json"),
            AccountFile::any(".factory/auth.encrypted"),
            AccountFile::telling(".factory/settings.json", &["ustomModels", "ustom_models"]),
            AccountFile::any(".factory/config.json"),
        ]),
        account_variables: &["FACTORY_API_KEY"],
        ..Needs::BASE
    },
    args: &[
        "exec",
        "--output-format",
        "stream-json",
        "--skip-permissions-unsafe",
    ],
    effort: EffortVia::Switch("--reasoning-effort"),
    env: &[("FACTORY_DROID_AUTO_UPDATE_ENABLED", "false")],
    keep_env: &["FACTORY_API_KEY"],
    silence: Silence::BetweenCalls,
    output: SessionOutput::Events(fold),
    remedies: Some(Remedies {
        missing: "install Droid (`npm install -g droid`)",
        auth: "run `droid` once and log in, or set FACTORY_API_KEY",
        quota: "add credit to the account, or name another agent",
    }),
    ..Descriptor::BASE
};

#[derive(Deserialize, Default)]
#[serde(default)]
struct DroidEvent<'a> {
    #[serde(borrow, rename = "type")]
    kind: Field<'a>,
    id: Field<'a>,
    session_id: Field<'a>,
    model: Field<'a>,
    role: Field<'a>,
    text: Field<'a>,
    #[serde(rename = "toolName")]
    tool: Field<'a>,
    parameters: Field<'a>,
    message: Field<'a>,
    source: Field<'a>,
    usage: Nested<DroidTokens<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct DroidTokens<'a> {
    #[serde(borrow)]
    input_tokens: Field<'a>,
    output_tokens: Field<'a>,
    cache_read_input_tokens: Field<'a>,
    cache_creation_input_tokens: Field<'a>,
}

fn fold(json: &str, seen: &mut Session) -> bool {
    let Ok(event) = serde_json::from_str::<DroidEvent<'_>>(json) else {
        return false;
    };
    match event.kind.text().as_deref() {
        Some("system") => seen.model = event.model.short(200).or(seen.model.take()),
        Some("message") if event.role.text().as_deref() == Some("assistant") => {
            seen.go_on();
            seen.say(&event.text.text().unwrap_or_default());
        }
        Some("message" | "reasoning") => {}
        Some("tool_call") => {
            let tool = event.tool.short(80).unwrap_or_default();
            seen.start_tool(&event.id.id(), &tool, &detail(event.parameters));
        }
        Some("tool_result") => seen.end_tool(&event.id.id()),
        Some("error") => {
            let message = event.message.message();
            // The last one only repeats that it failed.
            let repeats = event.source.text().as_deref() == Some("cli");
            if seen.errors.is_empty() || !repeats {
                seen.fail_for_good(ApiError::reported(None, None, &message));
            }
        }
        Some("completion") => {
            if let Some(tokens) = event.usage.one() {
                seen.usage = Usage {
                    input_tokens: tokens.input_tokens.count(),
                    output_tokens: tokens.output_tokens.count(),
                    cache_read: tokens.cache_read_input_tokens.count(),
                    cache_write: tokens.cache_creation_input_tokens.count(),
                };
            }
            seen.finish();
            seen.is_error.get_or_insert(false);
        }
        _ => return unknown(seen),
    }
    seen.know_id(event.session_id);
    true
}
