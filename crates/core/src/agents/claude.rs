//! Claude Code: `claude -p`. What it prints is read in `messages`.
//!
//! Unattended work needs every tool, so permission prompts are skipped: the slot is a private
//! directory with a throwaway git directory, and the driver judges what comes out. A denied tool
//! would end the session as a success that did nothing.
//!
//! Success is never read from `subtype`: it is `success` on API errors too. `is_error` and the exit
//! decide.

use super::descriptor::{AgentProgram, Descriptor, EffortVia, Remedies, SessionOutput, Silence};
use super::payment::{Login, Provider, SettingsFile, claude_settings};
use super::readiness::Needs;
use super::tool_servers::ToolServersVia;
use super::{
    Agent, AgentCommand, Outcome, ProcessExit, Request, Session, class_of_error, messages,
};
use crate::error::Result;

pub(super) struct Claude;

/// The clouds that serve the model to their own accounts.
const PROVIDERS: &[Provider] = &[
    Provider {
        name: "Amazon Bedrock",
        switch: "CLAUDE_CODE_USE_BEDROCK",
        variables: AWS,
        address: "ANTHROPIC_BEDROCK_BASE_URL",
    },
    Provider {
        name: "Amazon Bedrock",
        switch: "CLAUDE_CODE_USE_MANTLE",
        variables: AWS,
        address: "ANTHROPIC_BEDROCK_MANTLE_BASE_URL",
    },
    Provider {
        name: "Claude Platform on AWS",
        switch: "CLAUDE_CODE_USE_ANTHROPIC_AWS",
        variables: AWS,
        address: "ANTHROPIC_AWS_BASE_URL",
    },
    Provider {
        name: "Google Vertex AI",
        switch: "CLAUDE_CODE_USE_VERTEX",
        variables: GOOGLE,
        address: "ANTHROPIC_VERTEX_BASE_URL",
    },
    Provider {
        name: "Claude Platform on Google Cloud",
        switch: "CLAUDE_CODE_USE_ANTHROPIC_GOOGLE_CLOUD",
        variables: GOOGLE,
        address: "ANTHROPIC_GOOGLE_CLOUD_BASE_URL",
    },
    Provider {
        name: "Microsoft Foundry",
        switch: "CLAUDE_CODE_USE_FOUNDRY",
        variables: &["AZURE_*"],
        address: "ANTHROPIC_FOUNDRY_BASE_URL",
    },
];
const AWS: &[&str] = &["AWS_*"];
const GOOGLE: &[&str] = &[
    "CLOUD_ML_REGION",
    "CLOUDSDK_*",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "GOOGLE_CLOUD_PROJECT",
    "VERTEX_*",
];

static DESCRIPTOR: Descriptor = Descriptor {
    name: "claude",
    program: AgentProgram::Named("claude"),
    state: &[".claude", ".claude.json"],
    login: Some(Login {
        home: Some("CLAUDE_CONFIG_DIR"),
        files: &[".claude/.credentials.json"],
        tokens: &["CLAUDE_CODE_OAUTH_TOKEN"],
        keys: &["ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY"],
        addresses: &["ANTHROPIC_BASE_URL"],
        bound: &[
            "ANTHROPIC_CUSTOM_HEADERS",
            "ANTHROPIC_DEFAULT_HAIKU_MODEL",
            "ANTHROPIC_DEFAULT_OPUS_MODEL",
            "ANTHROPIC_DEFAULT_SONNET_MODEL",
            "ANTHROPIC_MODEL",
            "ANTHROPIC_SMALL_FAST_MODEL",
        ],
        providers: PROVIDERS,
        settings: Some(SettingsFile {
            path: ".claude/settings.json",
            read: claude_settings,
        }),
        file_only: true,
        ..Login::BASE
    }),
    needs: Needs {
        // The first that takes `--max-budget-usd`.
        since: Some("2.0.28"),
        ..Needs::BASE
    },
    args: &[
        "-p",
        "--output-format",
        "stream-json",
        "--verbose",
        "--dangerously-skip-permissions",
        // None of the user's own tool servers.
        "--strict-mcp-config",
    ],
    // Versions without `--effort` would refuse to start.
    effort: EffortVia::Variable("CLAUDE_CODE_EFFORT_LEVEL"),
    env: &[
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        // The driver waits and retries by its own clock; ten retries inside hide three minutes of
        // a 401.
        ("CLAUDE_CODE_MAX_RETRIES", "2"),
        ("DISABLE_AUTOUPDATER", "1"),
        ("DISABLE_ERROR_REPORTING", "1"),
        ("DISABLE_TELEMETRY", "1"),
    ],
    // Where the account is found; what another cloud's needs passes when that is switched on.
    keep_env: &[
        "ANTHROPIC_*",
        "CLAUDE_CODE_OAUTH_TOKEN",
        "CLAUDE_CODE_SKIP_*",
        "CLAUDE_CODE_USE_*",
        "CLAUDE_CONFIG_DIR",
    ],
    drop_env: &[
        "CLAUDECODE",
        "CLAUDE_CODE_ENTRYPOINT",
        "CLAUDE_CODE_SESSION_ID",
        "CLAUDE_CODE_SSE_PORT",
    ],
    remedies: Some(Remedies {
        missing: "install Claude Code (`npm install -g @anthropic-ai/claude-code`)",
        auth: "run `claude` once and log in with `/login`, or set ANTHROPIC_API_KEY",
        quota: "add credit to the account, or name another agent",
    }),
    output: SessionOutput::Lines(messages::read),
    tool_servers: ToolServersVia::Json("--mcp-config"),
    silence: Silence::BetweenCalls,
    ..Descriptor::BASE
};

impl Agent for Claude {
    fn descriptor(&self) -> &Descriptor {
        &DESCRIPTOR
    }

    fn command(&self, request: &Request<'_>) -> Result<AgentCommand> {
        let mut command = DESCRIPTOR.command(request)?;
        if let Some(budget) = request.budget_usd {
            let args = ["--max-budget-usd".into(), budget.to_string()];
            command.args.extend(args);
        }
        if request.root {
            // As user 0 the program skips permissions only when it knows that it is contained.
            command.env.push(("IS_SANDBOX".into(), "1".into()));
        }
        Ok(command)
    }

    fn read_end(&self, exit: &ProcessExit, seen: &Session) -> Outcome {
        match own_sentence(seen) {
            Some(fault) => class_of_error(&messages::sentence(fault)),
            // Bare text, or none at all, is an answer too: what it left is judged, not what it said.
            None => super::fallback_outcome(exit, seen),
        }
    }
}

/// Returns the sentence of its own that the program printed in place of a session, where that is all it printed.
fn own_sentence(seen: &Session) -> Option<&str> {
    const OWN: &[&str] = &[
        "API Error",
        "Claude AI usage limit reached|",
        "Claude usage limit reached",
        "Credit balance ",
        "Failed to authenticate",
        "Invalid API key · ",
        "There's an issue with the selected model",
        "You're out of extra usage",
        "You've hit your ",
        "Your account ",
        "Your organization has disabled",
    ];
    // A version that is too old says so in a paragraph, and nothing else.
    const TOO_OLD: &str = "It looks like your version of Claude Code (";
    let plain = seen.plain.as_str().trim();
    if plain.starts_with(TOO_OLD) && !seen.structured {
        return plain.lines().next();
    }
    let own = OWN.iter().any(|own| plain.starts_with(own)) || plain.contains("Please run /login");
    (own && !seen.structured && plain.lines().count() == 1).then_some(plain)
}

#[cfg(test)]
mod tests;
