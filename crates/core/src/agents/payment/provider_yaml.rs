//! Accounts in files of YAML and of variables: Continue's, Goose's, Aider's.

use super::provider_accounts::{HeldKey, ProviderAccounts};
use super::{ADDRESS_ENDS, KEY_ENDS, family};
use crate::model::yaml::{Node, parse};

/// Providers of models: a key or an address of another name in a file of variables has nothing to do with an agent.
const PROVIDERS: &[&str] = &[
    "ANTHROPIC",
    "AZURE",
    "AZURE_OPENAI",
    "DATABRICKS",
    "DEEPSEEK",
    "GEMINI",
    "GOOGLE",
    "GROQ",
    "MISTRAL",
    "OPENAI",
    "OPENROUTER",
    "XAI",
];

fn top(text: &str) -> Option<Node> {
    parse(text, 0).0
}

fn word<'a>(node: &'a Node, key: &str) -> Option<&'a str> {
    let word = node.get(key)?.value.as_str()?.trim();
    Some(word).filter(|word| !word.is_empty())
}

/// Reads Continue's `config.yaml`, or the `config.json` before it: models with a provider, a key and an address each.
pub(in crate::agents) fn continue_settings(text: &str) -> ProviderAccounts {
    let mut read = ProviderAccounts::default();
    let Some(settings) = top(text) else {
        return read;
    };
    let models = settings.get("models").map(|entry| entry.value.items());
    for model in models.into_iter().flatten() {
        let Some(provider) = word(model, "provider") else {
            continue;
        };
        let account = read.of(provider);
        let key = word(model, "apiKey").map(|key| secret_of(key).unwrap_or(HeldKey::Settings));
        account.key = account.key.take().or(key);
        let address = word(model, "apiBase").map(str::to_owned);
        account.address = account.address.take().or(address);
        read.chosen.get_or_insert_with(|| provider.to_owned());
    }
    read
}

/// Returns the variable of `${{ secrets.NAME }}`.
fn secret_of(value: &str) -> Option<HeldKey> {
    let inside = value.strip_prefix("${{")?.strip_suffix("}}")?.trim();
    let name = inside.strip_prefix("secrets.")?;
    Some(HeldKey::Variable(name.to_owned()))
}

/// Reads Continue's `auth.json`, the login at its own service.
pub(in crate::agents) fn continue_login(text: &str) -> ProviderAccounts {
    let mut read = ProviderAccounts::default();
    if text.contains("\"accessToken\"") {
        read.of("continue").key = Some(HeldKey::Login);
    }
    read
}

/// Reads Goose's `secrets.yaml` and `config.yaml`, which hold its variables; those of the environment win.
pub(in crate::agents) fn goose_settings(text: &str) -> ProviderAccounts {
    let mut read = ProviderAccounts::default();
    let settings = top(text);
    let entries = settings.iter().flat_map(Node::entries);
    for entry in entries {
        let value = entry.value.as_str().unwrap_or_default();
        add_variable(&entry.key, value, &HeldKey::Fallback, &mut read);
    }
    let provider = settings
        .as_ref()
        .and_then(|settings| word(settings, "GOOSE_PROVIDER"));
    if let Some(provider) = provider {
        read.of(provider);
        read.chosen = Some(provider.to_owned());
    }
    read
}

/// Reads Aider's `.aider.conf.yml`: `openai-api-key` is as `OPENAI_API_KEY`, and wins over it.
pub(in crate::agents) fn aider_settings(text: &str) -> ProviderAccounts {
    let mut read = ProviderAccounts::default();
    let settings = top(text);
    for entry in settings.iter().flat_map(Node::entries) {
        let name = entry.key.to_uppercase().replace('-', "_");
        let value = entry.value.as_str().unwrap_or_default();
        add_variable(&name, value, &HeldKey::Settings, &mut read);
        // `api-key` is a provider and its key, or a list of such; `set-env` a list of variables.
        let items = entry.value.items().iter().filter_map(Node::as_str);
        for (name, value) in items.chain([value]).filter_map(|pair| pair.split_once('=')) {
            match entry.key.as_str() {
                "api-key" => read.of(name.trim()).key = Some(HeldKey::Settings),
                "set-env" => add_variable(name.trim(), value, &HeldKey::Settings, &mut read),
                _ => {}
            }
        }
    }
    read
}

/// Reads a file of variables, which win over those of the environment.
pub(in crate::agents) fn variables_file(text: &str) -> ProviderAccounts {
    let mut read = ProviderAccounts::default();
    for line in text.lines() {
        let line = line.trim();
        let line = line.strip_prefix("export ").unwrap_or(line);
        if let Some((name, value)) = line.split_once('=') {
            let value = value.trim().trim_matches(['"', '\'']);
            add_variable(name.trim(), value, &HeldKey::Settings, &mut read);
        }
    }
    read
}

fn add_variable(name: &str, value: &str, held: &HeldKey, read: &mut ProviderAccounts) {
    let known = |of: &&str| !value.is_empty() && PROVIDERS.contains(of);
    let name = name.strip_prefix("AIDER_").unwrap_or(name);
    if let Some(of) = family(name, KEY_ENDS).filter(known) {
        read.of(&of.to_lowercase()).key = Some(held.clone());
    } else if let Some(of) = family(name, ADDRESS_ENDS).filter(known) {
        read.of(&of.to_lowercase()).address = Some(value.to_owned());
    }
}
