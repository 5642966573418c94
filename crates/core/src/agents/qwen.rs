//! Qwen Code: `qwen --output-format stream-json`. It speaks Claude Code's events, with cached tokens
//! counted among the input and faults reported as a sentence.

use super::descriptor::{AgentProgram, Descriptor, Remedies, SessionOutput, Silence};
use super::payment::{Login, SettingsFile, qwen_settings};
use super::readiness::{AccountFile, Needs};
use super::tool_servers::ToolServersVia;
use super::{Session, messages};

/// In the environment or in a file of variables.
const ACCOUNT_VARIABLES: &[&str] = &[
    "OPENAI_API_KEY",
    "DASHSCOPE_API_KEY",
    "QWEN_OAUTH",
    "QWEN_HOME",
    "QWEN_CODE_SYSTEM_SETTINGS_PATH",
    "QWEN_CODE_SYSTEM_DEFAULTS_PATH",
];

pub(super) static QWEN: Descriptor = Descriptor {
    name: "qwen",
    program: AgentProgram::Named("qwen"),
    state: &[".qwen"],
    login: Some(Login {
        files: &[".qwen/oauth_creds.json"],
        keys: &["OPENAI_API_KEY", "DASHSCOPE_API_KEY"],
        addresses: &["OPENAI_BASE_URL", "DASHSCOPE_BASE_URL"],
        bound: &["OPENAI_MODEL", "QWEN_MODEL"],
        settings: Some(SettingsFile {
            path: ".qwen/settings.json",
            read: qwen_settings,
        }),
        ..Login::BASE
    }),
    needs: Needs {
        account_files: Some(&[
            AccountFile::any(".qwen/oauth_creds.json"),
            AccountFile::telling(".qwen/settings.json", &["uth", "odelProviders", "env"]),
            AccountFile::telling(
                "/etc/qwen-code/settings.json",
                &["uth", "odelProviders", "env"],
            ),
            AccountFile::telling(".qwen/.env", ACCOUNT_VARIABLES),
            AccountFile::telling(".env", ACCOUNT_VARIABLES),
        ]),
        account_variables: ACCOUNT_VARIABLES,
        // The first that takes `--output-format stream-json`.
        since: Some("0.3.0"),
        ..Needs::BASE
    },
    args: &[
        "--output-format",
        "stream-json",
        "--approval-mode",
        "yolo",
        "--extensions",
        "none",
    ],
    env: &[("QWEN_CODE_SUPPRESS_YOLO_WARNING", "1")],
    keep_env: &["QWEN_*", "OPENAI_*", "DASHSCOPE_*"],
    drop_env: &["QWEN_CODE", "QWEN_CODE_NO_RELAUNCH"],
    output: SessionOutput::Lines(messages::read),
    end,
    remedies: Some(Remedies {
        missing: "install Qwen Code (`npm install -g @qwen-code/qwen-code`)",
        auth: "run `qwen` once and log in, or set OPENAI_API_KEY and OPENAI_BASE_URL",
        quota: "add credit to the account, or name another agent",
    }),
    tool_servers: ToolServersVia::JsonAndNames("--mcp-config", "--allowed-mcp-server-names"),
    silence: Silence::BetweenCalls,
    ..Descriptor::BASE
};

fn end(seen: &mut Session) {
    seen.usage = seen.usage.without_cached();
}
