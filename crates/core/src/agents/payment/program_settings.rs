//! What a program's own settings say about accounts; a file each, read as far as it concerns them.

use super::provider_files::read_settings;
use super::{ADDRESS_ENDS, family};
use serde_json::Value;

/// What the program's own settings choose.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProgramSettings {
    /// The address that requests go to, where it is not the usual one.
    pub(crate) address: Option<String>,
    /// Whether they decide for a model or a provider that they do not choose.
    pub(crate) decides_besides: bool,
    /// Whether they hold a key, or a program that prints one.
    pub(crate) has_key: bool,
    /// Whether what holds it is such a program: then it may be anybody's, a gateway's too.
    pub(crate) prints_key: bool,
    /// Whether their key wins over one of the environment.
    pub(crate) key_wins: bool,
    /// Whether they choose the program's login.
    pub(crate) uses_login: bool,
    /// Whether they choose a key over the login.
    pub(crate) ignores_login: bool,
    /// The provider they choose in place of the program's own.
    pub(crate) provider: Option<String>,
    /// The variables that this provider reads.
    pub(crate) variables: Vec<String>,
    /// The model they choose.
    pub model: Option<String>,
    /// The tool servers they name.
    pub tool_servers: Vec<String>,
    /// Whether they keep the login in a key ring.
    pub key_ring: bool,
    /// Variables they set for the program.
    pub(super) environment: Vec<(String, String)>,
}

impl ProgramSettings {
    /// Returns whether they decide who is paid, or where requests go.
    pub fn decides(&self) -> bool {
        self.address.is_some() || self.has_key || self.decides_besides
    }

    pub(super) fn variable(&self, name: &str) -> Option<&str> {
        let found = self.environment.iter().find(|(n, _)| n == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// Returns the scheme, host and port of an address: the rest may hold a secret.
pub(super) fn origin(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    match scheme {
        "" => host.to_owned(),
        scheme => format!("{scheme}://{host}"),
    }
}

fn text(value: &Value, path: &str) -> Option<String> {
    let found = value.pointer(path)?.as_str()?;
    (!found.is_empty()).then(|| found.to_owned())
}

/// Reads Claude Code's `settings.json`: its `env` wins over the environment.
pub(in crate::agents) fn claude_settings(json: &str) -> ProgramSettings {
    let Ok(value) = serde_json::from_str::<Value>(json) else {
        return ProgramSettings::default();
    };
    let set = |name: &str| text(&value, &format!("/env/{name}"));
    let environment = value.get("env").and_then(Value::as_object);
    let held = set("ANTHROPIC_AUTH_TOKEN").or_else(|| set("ANTHROPIC_API_KEY"));
    let printed = text(&value, "/apiKeyHelper").is_some();
    ProgramSettings {
        address: set("ANTHROPIC_BASE_URL"),
        decides_besides: environment.into_iter().flatten().any(|(name, _)| {
            name.starts_with("ANTHROPIC_") && family(name, ADDRESS_ENDS).is_some()
        }),
        prints_key: printed && held.is_none(),
        key_wins: held.is_some(),
        has_key: printed || held.is_some(),
        model: set("ANTHROPIC_MODEL").or_else(|| text(&value, "/model")),
        environment: environment
            .into_iter()
            .flatten()
            .filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())))
            .collect(),
        ..ProgramSettings::default()
    }
}

/// Reads the `settings.json` of Gemini CLI, and of Qwen Code that descends from it.
pub(in crate::agents) fn gemini_settings(json: &str) -> ProgramSettings {
    let Some(value) = read_settings(json) else {
        return ProgramSettings::default();
    };
    let kind =
        text(&value, "/security/auth/selectedType").or_else(|| text(&value, "/selectedAuthType"));
    ProgramSettings {
        address: text(&value, "/security/auth/baseUrl"),
        has_key: text(&value, "/security/auth/apiKey").is_some(),
        uses_login: matches!(
            kind.as_deref(),
            Some("oauth-personal" | "login-with-google" | "qwen-oauth")
        ),
        ignores_login: matches!(
            kind.as_deref(),
            Some("gemini-api-key" | "vertex-ai" | "openai")
        ),
        model: text(&value, "/model/name"),
        ..ProgramSettings::default()
    }
}

/// Reads Qwen Code's `settings.json`: a model of `modelProviders` has its own address, and its own variable for the key.
pub(in crate::agents) fn qwen_settings(json: &str) -> ProgramSettings {
    let mut settings = gemini_settings(json);
    let value = read_settings(json).unwrap_or_default();
    let lists = value.get("modelProviders").and_then(Value::as_object);
    for (provider, models) in lists.into_iter().flatten() {
        for model in models.as_array().into_iter().flatten() {
            let (key, address) = (text(model, "/envKey"), text(model, "/baseUrl"));
            settings.decides_besides |= key.is_some() || address.is_some();
            let chosen = settings.model.is_some() && text(model, "/id") == settings.model;
            if chosen && settings.provider.is_none() && key.is_some() {
                settings.provider = Some(provider.clone());
                settings.variables.extend(key);
                settings.address = address.or(settings.address.take());
            }
        }
    }
    settings
}

/// Reads Codex's `config.toml`: a provider of the user's own has its own variable for the key.
pub(in crate::agents) fn codex_settings(toml: &str) -> ProgramSettings {
    let Ok(root) = toml.parse::<toml::Table>() else {
        return ProgramSettings::default();
    };
    let profile = root
        .get("profile")
        .and_then(toml::Value::as_str)
        .and_then(|name| root.get("profiles")?.get(name));
    let top = |key: &str| {
        let own = profile.and_then(|profile| profile.get(key));
        own.or_else(|| root.get(key))
            .and_then(toml::Value::as_str)
            .map(str::to_owned)
    };
    let mut settings = ProgramSettings {
        address: top("openai_base_url"),
        model: top("model"),
        tool_servers: names(root.get("mcp_servers")),
        key_ring: top("cli_auth_credentials_store").as_deref() == Some("keyring"),
        ..ProgramSettings::default()
    };
    let name = top("model_provider").filter(|name| name != "openai");
    if let Some(name) = name {
        let provider = root.get("model_providers").and_then(|all| all.get(&name));
        custom_provider(name, provider, &mut settings);
    }
    settings
}

/// Returns the names in a table of servers.
fn names(table: Option<&toml::Value>) -> Vec<String> {
    let table = table.and_then(toml::Value::as_table);
    table
        .into_iter()
        .flatten()
        .map(|(name, _)| name.clone())
        .collect()
}

fn custom_provider(name: String, provider: Option<&toml::Value>, settings: &mut ProgramSettings) {
    let of = |key: &str| provider.and_then(|provider| provider.get(key));
    let word = |key: &str| of(key).and_then(toml::Value::as_str).map(str::to_owned);
    let headers = of("env_http_headers").and_then(toml::Value::as_table);
    settings.provider = Some(name);
    settings.address = word("base_url");
    settings.uses_login = of("requires_openai_auth").and_then(toml::Value::as_bool) == Some(true);
    settings.has_key = of("experimental_bearer_token").is_some() || of("auth").is_some();
    settings.variables.extend(word("env_key"));
    let named = headers
        .into_iter()
        .flatten()
        .filter_map(|(_, name)| name.as_str());
    settings.variables.extend(named.map(str::to_owned));
}
