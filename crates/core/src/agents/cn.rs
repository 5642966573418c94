//! Continue: `cn -p --format json`.
//!
//! It does not read standard input: the prompt is an argument, and one too long for that is named as
//! a file to read. It prints one object when all is over, and a fault as one on standard error; no
//! tokens, no cost, no tool calls.

use super::descriptor::{
    AgentProgram, Descriptor, PromptArguments, Remedies, SessionOutput, Silence,
};
use super::lenient_json::{Field, unknown};
use super::payment::{
    AccountSource, ProviderAccounts, SourcePlace, continue_login, continue_settings,
};
use super::readiness::{AccountFile, Needs};
use super::{ApiError, Session};
use serde::Deserialize;
use serde_json::Value;

/// In the environment or in a file of variables.
const ACCOUNT_VARIABLES: &[&str] = &[
    "ANTHROPIC_API_KEY",
    "CONTINUE_API_KEY",
    "CONTINUE_USE_BEDROCK",
    "CONTINUE_GLOBAL_DIR",
];

pub(super) static CONTINUE: Descriptor = Descriptor {
    name: "continue",
    program: AgentProgram::Named("cn"),
    state: &[".continue"],
    accounts: &[
        own("config.json", continue_settings),
        own("config.yaml", continue_settings),
        own("auth.json", continue_login),
    ],
    needs: Needs {
        account_files: Some(&[
            AccountFile::any(".continue/config.yaml"),
            AccountFile::any(".continue/config.json"),
            AccountFile::any(".continue/config.ts"),
            AccountFile::any(".continue/auth.json"),
            AccountFile::telling(".continue/.env", ACCOUNT_VARIABLES),
            AccountFile::telling(".env", ACCOUNT_VARIABLES),
        ]),
        account_variables: ACCOUNT_VARIABLES,
        ..Needs::BASE
    },
    args: &["--print", "--format", "json", "--auto"],
    prompt: PromptArguments::Last,
    env: &[("CONTINUE_TELEMETRY_ENABLED", "0")],
    keep_env: &[
        "CONTINUE_*",
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_BASE_URL",
        "OPENAI_API_KEY",
        "OPENAI_BASE_URL",
    ],
    output: SessionOutput::Events(fold),
    end,
    remedies: Some(Remedies {
        missing: "install Continue (`npm install -g @continuedev/cli`)",
        auth: "run `cn login`, or put the key into ~/.continue/config.yaml",
        quota: "add credit at the provider, or name another agent",
    }),
    // Its commands have limits of their own, and are printed when they are over.
    silence: Silence::Always,
    ..Descriptor::BASE
};

const fn own(path: &'static str, read: fn(&str) -> ProviderAccounts) -> AccountSource {
    AccountSource {
        place: SourcePlace::File {
            root: Some("CONTINUE_GLOBAL_DIR"),
            otherwise: ".continue",
            path,
        },
        read,
    }
}

fn end(seen: &mut Session) {
    let stderr = seen.stderr.as_str().lines().rev();
    let mut reported =
        stderr.filter_map(|line| serde_json::from_str::<ContinueEvent<'_>>(line).ok());
    let failed = reported.find(|event| event.status.text().as_deref() == Some("error"));
    if let Some(message) = failed.and_then(|event| event.message.short(2000)) {
        return seen.fail_for_good(ApiError::reported(None, None, &message));
    }
    // An answer that is JSON already is printed as it is.
    let answer = seen.plain.as_str().trim().to_owned();
    let object = || serde_json::from_str::<serde_json::Map<String, Value>>(&answer);
    if !seen.structured && object().is_ok() {
        seen.structured = true;
        seen.say(&answer);
        seen.finish();
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct ContinueEvent<'a> {
    #[serde(borrow)]
    response: Field<'a>,
    status: Field<'a>,
    message: Field<'a>,
}

fn fold(json: &str, seen: &mut Session) -> bool {
    let Ok(event) = serde_json::from_str::<ContinueEvent<'_>>(json) else {
        return false;
    };
    let (Some(response), Some(status)) = (event.response.text(), event.status.text()) else {
        return unknown(seen);
    };
    seen.say(&response);
    seen.is_error = Some(status != "success");
    seen.finished = true;
    true
}
