//! Whose credential reaches which server, as the server saw it.
//!
//! A proxy that is not there stands for the rest of the network: a session that goes home fails at once.

use crate::fixture;
use crate::fixture::AgentFixture;
use crate::server::Server;

pub(crate) const NO_NETWORK: &str = "http://127.0.0.1:9";

/// Logs the program in on disk.
pub(crate) fn log_in(fixture: &AgentFixture) {
    let home = fixture.home();
    std::fs::create_dir_all(home.join(".claude")).expect("a directory");
    let claude = r#"{"claudeAiOauth": {"accessToken": "sk-ant-oat01-login", "refreshToken": "sk-ant-ort01-login",
        "expiresAt": 4102444800000, "scopes": ["user:inference", "user:profile"], "subscriptionType": "max"}}"#;
    let codex = r#"{"auth_mode": "apikey", "OPENAI_API_KEY": "sk-login"}"#;
    let google = r#"{"access_token": "sk-login", "refresh_token": "sk-refresh", "token_type": "Bearer",
        "expiry_date": 4102444800000, "resource_url": "portal.qwen.ai"}"#;
    for directory in [".gemini", ".qwen"] {
        std::fs::create_dir_all(home.join(directory)).expect("a directory");
        std::fs::write(home.join(directory).join("oauth_creds.json"), google).expect("writable");
    }
    let many = r#"{"anthropic": {"type": "api", "key": "sk-login"}, "openai": {"type": "api", "key": "sk-login"}}"#;
    let data = home.join(".local/share/opencode");
    std::fs::create_dir_all(&data).expect("a directory");
    std::fs::write(data.join("auth.json"), many).expect("writable");
    std::fs::write(home.join(".claude/.credentials.json"), claude).expect("writable");
    std::fs::write(home.join(".codex/auth.json"), codex).expect("writable");
}

/// Probes the agent with a login on disk and these variables; returns what the server was sent.
fn received(agent: &str, login: bool, account: Variables) -> Option<Vec<String>> {
    let mut fixture = fixture(agent)?;
    fixture.start_lightly();
    if login {
        log_in(&fixture);
    }
    let url = fixture.server.url();
    let none = [
        "ANTHROPIC_BASE_URL",
        "ANTHROPIC_API_KEY",
        "OPENAI_API_KEY",
        "OPENAI_BASE_URL",
        "GEMINI_API_KEY",
        "GOOGLE_GEMINI_BASE_URL",
    ];
    fixture
        .account
        .extend(none.map(|name| (name, String::new())));
    fixture.account.extend([
        ("HTTPS_PROXY", NO_NETWORK.to_owned()),
        ("NO_PROXY", "127.0.0.1".to_owned()),
        ("CLAUDE_CODE_MAX_RETRIES", "0".to_owned()),
    ]);
    // What it knows of thousands of models takes seconds to read.
    std::fs::write(fixture.home().join(fixture::MODELS), KNOWN_PROVIDERS).expect("writable");
    let filled = account
        .iter()
        .map(|(name, value)| (*name, value.replace("URL", &url)));
    fixture.account.extend(filled);
    fixture.server.answer(&["hello"]);
    let (_, reported) = fixture.probe();
    let credentials = fixture.server.credentials();
    assert!(!reported.to_string().contains("sk-"), "{reported}");
    Some(credentials)
}

/// The providers that OpenCode knows by name, as far as they are tried here.
const KNOWN_PROVIDERS: &str = r#"{
    "anthropic": {"id": "anthropic", "name": "Anthropic", "env": ["ANTHROPIC_API_KEY"], "npm": "@ai-sdk/anthropic", "models": {
        "claude-sonnet-4-5": {"id": "claude-sonnet-4-5", "name": "Sonnet", "release_date": "2025-09-29", "attachment": true,
            "reasoning": true, "temperature": true, "tool_call": true, "limit": {"context": 200000, "output": 64000}}}},
    "openai": {"id": "openai", "name": "OpenAI", "env": ["OPENAI_API_KEY"], "npm": "@ai-sdk/openai", "models": {
        "gpt-5.1": {"id": "gpt-5.1", "name": "GPT", "release_date": "2025-11-13", "attachment": true, "reasoning": true,
            "temperature": false, "tool_call": true, "limit": {"context": 400000, "output": 128000}}}}
}"#;

type Variables = &'static [(&'static str, &'static str)];

type Combination = (&'static str, bool, Variables, &'static [&'static str]);

const URL: (&str, &str) = ("ANTHROPIC_BASE_URL", "URL");
const KEY: (&str, &str) = ("ANTHROPIC_API_KEY", "sk-key");
const TOKEN: (&str, &str) = ("ANTHROPIC_AUTH_TOKEN", "sk-token");
const BEARER: &str = "authorization: bearer sk-token";
const GEMINI_URL: (&str, &str) = ("GOOGLE_GEMINI_BASE_URL", "URL");
const GEMINI_KEY: (&str, &str) = ("GEMINI_API_KEY", "sk-key");
const OPENAI_URL: (&str, &str) = ("OPENAI_BASE_URL", "URL/v1");
const OPENAI_KEY: (&str, &str) = ("OPENAI_API_KEY", "sk-own");
const OWN: &str = "authorization: bearer sk-own";
const FOUNDRY: (&str, &str) = ("CLAUDE_CODE_USE_FOUNDRY", "1");
const FOUNDRY_URL: (&str, &str) = ("ANTHROPIC_FOUNDRY_BASE_URL", "URL");
const FOUNDRY_KEY: (&str, &str) = ("ANTHROPIC_FOUNDRY_API_KEY", "sk-foundry");
const BEDROCK: (&str, &str) = ("CLAUDE_CODE_USE_BEDROCK", "1");
const BEDROCK_URL: (&str, &str) = ("ANTHROPIC_BEDROCK_BASE_URL", "URL");
const BEDROCK_TOKEN: (&str, &str) = ("AWS_BEARER_TOKEN_BEDROCK", "sk-bedrock");
const ANTHROPIC: (&str, &str) = (
    "OPENCODE_CONFIG_CONTENT",
    r#"{"model": "anthropic/claude-sonnet-4-5", "small_model": "anthropic/claude-sonnet-4-5"}"#,
);
const OPENAI: (&str, &str) = (
    "OPENCODE_CONFIG_CONTENT",
    r#"{"model": "openai/gpt-5.1", "small_model": "openai/gpt-5.1"}"#,
);
const REGION: (&str, &str) = ("AWS_REGION", "us-east-1");

/// An agent, whether a login is on disk, the variables, and what the server is sent.
const COMBINATIONS: &[Combination] = &[
    ("claude", false, &[URL, KEY], &["x-api-key: sk-key"]),
    ("claude", false, &[URL, TOKEN], &[BEARER]),
    ("claude", false, &[URL, TOKEN, KEY], &[BEARER]),
    ("claude", true, &[URL, TOKEN], &[BEARER]),
    ("claude", true, &[URL, KEY], &["x-api-key: sk-key"]),
    ("claude", true, &[URL, TOKEN, KEY], &[BEARER]),
    ("claude", true, &[URL], &[]),
    (
        "claude",
        true,
        &[URL, ("CLAUDE_CODE_OAUTH_TOKEN", "sk-oauth")],
        &[],
    ),
    (
        "claude",
        true,
        &[FOUNDRY, FOUNDRY_URL, FOUNDRY_KEY],
        &["x-api-key: sk-foundry"],
    ),
    (
        "claude",
        true,
        &[FOUNDRY, FOUNDRY_URL, FOUNDRY_KEY, KEY, TOKEN],
        &["x-api-key: sk-foundry"],
    ),
    (
        "claude",
        true,
        &[BEDROCK, BEDROCK_URL, BEDROCK_TOKEN, REGION],
        &["authorization: bearer sk-bedrock"],
    ),
    (
        "claude",
        true,
        &[BEDROCK, BEDROCK_URL, BEDROCK_TOKEN, REGION, KEY],
        &["authorization: bearer sk-bedrock"],
    ),
    (
        "claude",
        true,
        &[
            ("CLAUDE_CODE_USE_ANTHROPIC_AWS", "1"),
            ("ANTHROPIC_AWS_BASE_URL", "URL"),
            ("ANTHROPIC_AWS_API_KEY", "sk-aws"),
            ("ANTHROPIC_AWS_WORKSPACE_ID", "w"),
            REGION,
        ],
        &["x-api-key: sk-aws"],
    ),
    // The provider of the settings names this variable.
    ("codex", true, &[OPENAI_KEY], &[OWN]),
    ("codex", false, &[OPENAI_KEY], &[OWN]),
    (
        "codex",
        true,
        &[OPENAI_KEY, ("CODEX_API_KEY", "sk-other")],
        &[OWN],
    ),
    ("codex", true, &[OPENAI_KEY, OPENAI_URL], &[OWN]),
    (
        "gemini",
        true,
        &[GEMINI_URL, GEMINI_KEY],
        &["x-goog-api-key: sk-key"],
    ),
    (
        "gemini",
        false,
        &[GEMINI_URL, GEMINI_KEY],
        &["x-goog-api-key: sk-key"],
    ),
    (
        "gemini",
        true,
        &[GEMINI_URL, GEMINI_KEY, ("GOOGLE_API_KEY", "sk-other")],
        &["x-goog-api-key: sk-key"],
    ),
    ("gemini", true, &[GEMINI_URL], &[]),
    ("qwen", true, &[OPENAI_URL, OPENAI_KEY], &[OWN]),
    ("qwen", false, &[OPENAI_URL, OPENAI_KEY], &[OWN]),
    (
        "qwen",
        true,
        &[OPENAI_URL, OPENAI_KEY, ("DASHSCOPE_API_KEY", "sk-other")],
        &[OWN],
    ),
    ("qwen", true, &[OPENAI_URL], &[]),
    // Their settings hold address and key; a key of the environment is nobody's there.
    (
        "opencode",
        false,
        &[OPENAI_KEY],
        &["authorization: bearer made-up"],
    ),
    // Its login wins over a key of the environment, and would follow the address of one.
    // (It asks the provider for a minute before it gives up, so that two of the eight cases are tried here.)
    ("opencode", true, &[ANTHROPIC, URL, KEY], &[]),
    ("opencode", true, &[OPENAI, OPENAI_URL], &[]),
    (
        "opencode",
        false,
        &[ANTHROPIC, URL, KEY],
        &["x-api-key: sk-key"],
    ),
    ("opencode", false, &[OPENAI, OPENAI_URL, OPENAI_KEY], &[OWN]),
    ("opencode", false, &[ANTHROPIC, URL, OPENAI_KEY], &[]),
    (
        "opencode",
        true,
        &[OPENAI_KEY],
        &["authorization: bearer made-up"],
    ),
    (
        "cline",
        false,
        &[OPENAI_KEY, OPENAI_URL],
        &["authorization: bearer made-up"],
    ),
    (
        "continue",
        false,
        &[OPENAI_KEY, OPENAI_URL],
        &["authorization: bearer made-up"],
    ),
    // The provider's key is in the variables that every test of it has; GitHub's token is none of the provider's.
    (
        "copilot",
        false,
        &[GITHUB],
        &["authorization: bearer made-up"],
    ),
    ("copilot", false, &[GITHUB, COPILOT_BEARER], &[BEARER]),
    ("copilot", false, &[GITHUB, COPILOT_NO_KEY], &[]),
    (
        "copilot",
        false,
        &[
            GITHUB,
            ("COPILOT_PROVIDER_TYPE", "anthropic"),
            ("COPILOT_PROVIDER_BASE_URL", "URL"),
        ],
        &["x-api-key: made-up"],
    ),
    // GitHub's token goes to GitHub alone.
    (
        "copilot",
        false,
        &[
            GITHUB,
            ("COPILOT_API_URL", "URL"),
            ("COPILOT_PROVIDER_BASE_URL", ""),
            COPILOT_NO_KEY,
            ("COPILOT_OFFLINE", ""),
        ],
        &[],
    ),
];
const GITHUB: (&str, &str) = ("GH_TOKEN", "gho_sk-github");
const COPILOT_BEARER: (&str, &str) = ("COPILOT_PROVIDER_BEARER_TOKEN", "sk-token");
const COPILOT_NO_KEY: (&str, &str) = ("COPILOT_PROVIDER_API_KEY", "");

/// Declares a test for each agent.
macro_rules! combinations {
    ($($name:ident: $agent:expr),+ $(,)?) => {
        $(
            #[test]
            fn $name() {
                super::is_sent_its_own($agent);
            }
        )+

        const AGENTS: &[&str] = &[$($agent),+];
    };
}

mod no_server_is_sent_a_credential_that_is_not_its_own {
    combinations! {
        claude: "claude",
        codex: "codex",
        gemini: "gemini",
        qwen: "qwen",
        opencode: "opencode",
        cline: "cline",
        continue_: "continue",
        copilot: "copilot",
    }

    #[test]
    fn every_agent_of_the_table_has_a_test() {
        let missing = |(agent, ..): &&super::Combination| !AGENTS.contains(agent);
        assert_eq!(super::COMBINATIONS.iter().find(missing), None);
    }
}

fn is_sent_its_own(agent: &str) {
    let own: Vec<&Combination> = COMBINATIONS
        .iter()
        .filter(|(of, ..)| *of == agent)
        .collect();
    if fixture(agent).is_none() {
        return;
    }
    let try_it = |(_, login, account, _): &&Combination| received(agent, *login, account);
    // Some wait a minute for a provider that is not there.
    let all: Vec<Option<Vec<String>>> = std::thread::scope(|threads| {
        let begun: Vec<_> = own
            .iter()
            .map(|one| threads.spawn(move || try_it(one)))
            .collect();
        begun
            .into_iter()
            .map(|one| one.join().expect("no panic"))
            .collect()
    });
    let mut table = String::from("\nagent     login  variables -> what the server was sent\n");
    let mut wrong = Vec::new();
    for ((_, login, account, want), got) in std::iter::zip(own, all) {
        let got = got.expect("it was here before");
        let names: Vec<&str> = account.iter().map(|(name, _)| *name).collect();
        let row = format!("{agent:9} {login:5}  {} -> {got:?}", names.join(" "));
        if got != *want {
            wrong.push(format!("{row}, not {want:?}"));
        }
        table += &(row + "\n");
    }
    crate::say(&table);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_account_of_a_profile_is_sent_no_token_of_the_environments() {
    let Some(mut fixture) = fixture("copilot") else {
        return;
    };
    fixture
        .account
        .push((COPILOT_BEARER.0, COPILOT_BEARER.1.to_owned()));
    let own = fixture.home().join(".config/gatewalk/config.yml");
    let url = fixture.server.url();
    let profile = format!(
        "agents:\n  own-copilot:\n    speaks: copilot\n    model: own\n    set: {{COPILOT_PROVIDER_BASE_URL: \"{url}/v1\", COPILOT_PROVIDER_API_KEY: sk-own}}\n"
    );
    std::fs::write(own, profile).expect("writable");
    fixture.agent = "own-copilot".to_owned();
    fixture.server.answer(&["hello"]);
    let (exit, reported) = fixture.probe();
    assert_eq!(exit, Some(0), "{reported}");
    assert_eq!(fixture.server.credentials(), [OWN]);
}

/// Walks with a model and an effort, as the plan names them; returns the server that was asked, or `None` without the program.
fn asked(agent: &str, model: &str) -> Option<Server> {
    let mut fixture = fixture(agent)?;
    fixture.start_lightly();
    fixture.server.answer(&["right"]);
    let keys = format!("agent: {agent}\nmodel: {model}\neffort: high\n");
    let run = fixture.walk_as(&keys);
    run.expect_exit(0);
    Some(fixture.server.clone())
}

#[test]
fn the_model_and_the_effort_of_a_unit_reach_the_server_with_the_key() {
    const BEARER: &str = "authorization: bearer made-up";
    let high = Some("high");
    for (agent, model, sent, effort, credential) in [
        (
            "claude",
            "claude-opus-4-8",
            "claude-opus-4-8",
            high,
            "x-api-key: made-up",
        ),
        ("codex", "gpt-5.5", "gpt-5.5", high, BEARER),
        ("opencode", "own/model", "model", high, BEARER),
        (
            "gemini",
            "gemini-2.5-pro",
            "gemini-2.5-pro",
            None,
            "x-goog-api-key: made-up",
        ),
        ("qwen", "own-2", "own-2", None, BEARER),
        ("copilot", "own-2", "own-2", high, BEARER),
        ("cline", "own-2", "own-2", high, BEARER),
        ("continue", "own", "own", None, BEARER),
        (fixture::OWN, "own/model", "model", high, BEARER),
    ] {
        let Some(server) = asked(agent, model) else {
            continue;
        };
        let want = (sent.to_owned(), effort.map(str::to_owned));
        let asked = server.asked();
        assert!(asked.contains(&want), "{agent}: {asked:?}");
        assert_eq!(server.credentials(), [credential], "{agent}");
    }
}
