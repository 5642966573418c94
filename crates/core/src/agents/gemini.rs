//! Gemini CLI: `gemini --output-format stream-json`.
//!
//! It exits 0 when the stream carried an error; `result.status` decides. While it retries it prints
//! nothing but a line on standard error, which is read when the driver had to stop it.

use super::descriptor::{AgentProgram, Descriptor, Remedies, SessionOutput, Silence};
use super::futile_retry::RepeatedFault;
use super::lenient_json::{Field, detail, unknown};
use super::payment::{Login, Provider, SettingsFile, gemini_settings};
use super::readiness::{AccountFile, KeyRingWords, Needs};
use super::reported_outcome::OWN_LIMIT;
use super::tool_servers::ToolServersVia;
use super::{Agent, ApiError, Outcome, ProcessExit, Session, Usage};
use serde::Deserialize;

/// Lines of standard error that belong to the last fault: its stack included.
const FAULT_LINES: usize = 40;

pub(super) struct Gemini;

/// In the environment or in a file of variables.
const ACCOUNT_VARIABLES: &[&str] = &[
    "GEMINI_API_KEY",
    "GOOGLE_GEMINI_BASE_URL",
    "GOOGLE_GENAI_USE_GCA",
    "GOOGLE_GENAI_USE_VERTEXAI",
    "GEMINI_CLI_USE_COMPUTE_ADC",
    "GEMINI_CLI_HOME",
    "GEMINI_CLI_SYSTEM_SETTINGS_PATH",
    "GEMINI_CLI_SYSTEM_DEFAULTS_PATH",
];

static DESCRIPTOR: Descriptor = Descriptor {
    name: "gemini",
    program: AgentProgram::Named("gemini"),
    state: &[".gemini"],
    login: Some(Login {
        files: &[".gemini/oauth_creds.json"],
        keys: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        addresses: &["GOOGLE_GEMINI_BASE_URL"],
        providers: &[Provider {
            name: "Google Vertex AI",
            switch: "GOOGLE_GENAI_USE_VERTEXAI",
            variables: &["GOOGLE_VERTEX_BASE_URL"],
            address: "GOOGLE_VERTEX_BASE_URL",
        }],
        settings: Some(SettingsFile {
            path: ".gemini/settings.json",
            read: gemini_settings,
        }),
        ..Login::BASE
    }),
    needs: Needs {
        since: Some("0.39.1"),
        before: None,
        account_files: Some(&[
            AccountFile::any(".gemini/oauth_creds.json"),
            AccountFile::any(".gemini/gemini-credentials.json"),
            AccountFile::telling(".gemini/settings.json", &["uth"])
                .or_key_ring(KeyRingWords::Any(&["\"gemini-api-key\""])),
            AccountFile::telling("/etc/gemini-cli/settings.json", &["uth"]),
            AccountFile::telling(".gemini/.env", ACCOUNT_VARIABLES),
            AccountFile::telling(".env", ACCOUNT_VARIABLES),
        ]),
        account_variables: ACCOUNT_VARIABLES,
        login_in_file: "set GEMINI_FORCE_FILE_STORAGE=true and log in again",
    },
    args: &[
        "--output-format",
        "stream-json",
        "--approval-mode",
        "yolo",
        "--skip-trust",
        // No extensions of the user's own.
        "--extensions",
        "none",
    ],
    env: &[("GEMINI_CLI_TRUST_WORKSPACE", "true")],
    keep_env: &[
        "GEMINI_*",
        "GOOGLE_API_KEY",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "GOOGLE_CLOUD_LOCATION",
        "GOOGLE_CLOUD_PROJECT",
        "GOOGLE_GEMINI_BASE_URL",
        "GOOGLE_GENAI_*",
    ],
    drop_env: &["GEMINI_CLI", "GEMINI_CLI_NO_RELAUNCH"],
    output: SessionOutput::Events(fold),
    repeated_fault: |seen| {
        RepeatedFault::of_events(seen).or_else(|| RepeatedFault::of_log(seen, retried(seen)))
    },
    end,
    remedies: Some(Remedies {
        missing: "install Gemini CLI (`npm install -g @google/gemini-cli`)",
        auth: "run `gemini` once and log in, or set GEMINI_API_KEY",
        quota: "raise the project's quota, or name another agent",
    }),
    tool_servers: ToolServersVia::Nothing(&["--allowed-mcp-server-names", "none"]),
    silence: Silence::BetweenCalls,
    ..Descriptor::BASE
};

impl Agent for Gemini {
    fn descriptor(&self) -> &Descriptor {
        &DESCRIPTOR
    }

    fn read_end(&self, exit: &ProcessExit, seen: &Session) -> Outcome {
        let faultless = seen.errors.is_empty() && seen.retrying.is_none();
        let cut = seen.truncated_lines + seen.noise_lines > 0 && seen.tool_calls > 0;
        match exit {
            // It ends without waiting until a large output is written: what it left is judged.
            ProcessExit::Code(0) if !seen.finished && faultless && cut => Outcome::Worked,
            _ => DESCRIPTOR.usual_end(exit, seen),
        }
    }
}

fn end(seen: &mut Session) {
    let stderr = seen.stderr.as_str();
    if seen.finished {
        let cause = stderr.rsplit_once("Error when talking to");
        let cause = cause.map(|(_, cause)| cause.to_owned());
        if let (Some(fault), Some(cause)) = (seen.errors.back_mut(), cause) {
            explain(fault, &cause);
        }
        return;
    }
    if stderr.contains("Reached max session turns") {
        seen.terminal_reason = Some(OWN_LIMIT.into());
        return;
    }
    let fault = retried(seen).last();
    fault.into_iter().for_each(|fault| seen.retry(fault));
}

/// Returns the faults that the end of standard error says were retried.
fn retried(seen: &Session) -> impl Iterator<Item = ApiError> {
    let lines: Vec<&str> = seen.stderr.as_str().lines().collect();
    let last = lines.into_iter().rev().take(FAULT_LINES).rev();
    last.filter(|line| line.starts_with("Attempt ") && line.contains("Retrying "))
        .map(|line| ApiError::reported(None, None, line))
}

/// Adds what standard error holds of the last fault: its status and its end, which the event leaves out.
fn explain(fault: &mut ApiError, cause: &str) {
    // Frames of the stack hold numbers and words of their own.
    let own = cause
        .lines()
        .filter(|line| !line.trim_start().starts_with("at "));
    let own: Vec<&str> = own.collect();
    let told = ApiError::reported(None, None, &own.join(" "));
    fault.status = fault.status.or(told.status);
    fault.reset = fault.reset.take().or(told.reset);
    fault.kind = fault.kind.take().or(told.kind);
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct GeminiEvent<'a> {
    #[serde(borrow, rename = "type")]
    kind: Field<'a>,
    session_id: Field<'a>,
    model: Field<'a>,
    role: Field<'a>,
    content: Field<'a>,
    delta: Field<'a>,
    tool_name: Field<'a>,
    tool_id: Field<'a>,
    parameters: Field<'a>,
    severity: Field<'a>,
    message: Field<'a>,
    status: Field<'a>,
    error: Field<'a>,
    stats: Field<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct GeminiError<'a> {
    #[serde(borrow, rename = "type")]
    kind: Field<'a>,
    message: Field<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct GeminiStats<'a> {
    #[serde(borrow)]
    input_tokens: Field<'a>,
    output_tokens: Field<'a>,
    cached: Field<'a>,
}

fn fold(json: &str, seen: &mut Session) -> bool {
    let Ok(event) = serde_json::from_str::<GeminiEvent<'_>>(json) else {
        return false;
    };
    let id = event.tool_id.id();
    match event.kind.text().as_deref() {
        Some("init") => {
            seen.session_id = event.session_id.short(200);
            seen.model = event.model.short(200);
        }
        Some("message") => {
            if event.role.text().as_deref() == Some("assistant") {
                seen.push_text(&event.content.text().unwrap_or_default());
                if event.delta.read() != Some(true) {
                    seen.pause();
                }
            }
        }
        Some("tool_use") => {
            seen.pause();
            let tool = event.tool_name.short(80).unwrap_or_default();
            seen.start_tool(&id, &tool, &detail(event.parameters));
        }
        Some("tool_result") => seen.end_tool(&id),
        Some("error") => {
            if event.severity.text().as_deref() != Some("warning") {
                let message = event.message.message();
                seen.retry(ApiError::reported(None, None, &message));
            }
        }
        Some("result") => result(&event, seen),
        _ => return unknown(seen),
    }
    true
}

fn result(event: &GeminiEvent<'_>, seen: &mut Session) {
    seen.pause();
    let stats: GeminiStats<'_> = event.stats.read().unwrap_or_default();
    let usage = Usage {
        input_tokens: stats.input_tokens.count(),
        output_tokens: stats.output_tokens.count(),
        cache_read: stats.cached.count(),
        cache_write: None,
    };
    seen.usage = seen.usage.plus(usage.without_cached());
    let unfinished = seen.retrying.take().map(|fault| fault.message);
    seen.finish();
    seen.is_error = Some(false);
    if event.status.text().as_deref() != Some("success") {
        let fault: GeminiError<'_> = event.error.read().unwrap_or_default();
        let message = match fault.message.message() {
            message if message.is_empty() => unfinished.unwrap_or_default(),
            message => message,
        };
        let kind = fault.kind.short(200);
        if kind.as_deref() == Some("FatalTurnLimitedError") {
            seen.terminal_reason = Some(OWN_LIMIT.into());
        }
        seen.fail_for_good(ApiError::reported(None, kind, &message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::Listener;

    #[test]
    fn an_output_that_lost_its_end_is_judged_by_the_work() {
        const INIT: &str = r#"{"type":"init","session_id":"g","model":"m"}"#;
        const TOOL: &str =
            r#"{"type":"tool_use","tool_name":"run_shell_command","tool_id":"1","parameters":{}}"#;
        const CUT: &str = r#"{"type":"tool_result","tool_id":"1","output":"xxx"#;
        const FAULT: &str = r#"{"type":"error","severity":"error","message":"Overloaded"}"#;
        for (lines, exit, want) in [
            (
                &[INIT, TOOL, CUT][..],
                ProcessExit::Code(0),
                Outcome::Worked,
            ),
            (&[INIT, TOOL, CUT], ProcessExit::Code(1), Outcome::Crashed),
            (
                &[INIT, TOOL, FAULT, CUT],
                ProcessExit::Code(0),
                Outcome::Overloaded,
            ),
            (&[INIT, TOOL], ProcessExit::Code(0), Outcome::Protocol),
            (&[INIT, CUT], ProcessExit::Code(0), Outcome::Protocol),
        ] {
            let mut listener = Listener::new(&Gemini);
            lines
                .iter()
                .for_each(|line| listener.line(line.as_bytes(), false));
            assert_eq!(Gemini.outcome(&exit, &listener.end()), want, "{lines:?}");
        }
    }
}
