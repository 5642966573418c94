//! What the files of programs that speak to many providers say about accounts.

use super::provider_accounts::{HeldKey, ProviderAccounts};
use serde_json::{Map, Value};

/// Reads JSON with comments and commas too many, as programs allow it in their settings.
pub(super) fn read_settings(text: &str) -> Option<Value> {
    serde_json::from_str(text)
        .or_else(|_| serde_json::from_str(&without_comments(text)))
        .ok()
}

/// Returns the text without comments, and without the commas before a closing bracket.
fn without_comments(text: &str) -> String {
    let mut bare = String::with_capacity(text.len());
    let mut rest = text.trim_start_matches('\u{feff}');
    while let Some(first) = rest.chars().next() {
        let skipped = match first {
            '"' => {
                let end = string_end(rest);
                bare.push_str(&rest[..end]);
                end
            }
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '}' | ']' => {
                if bare.trim_end().ends_with(',') {
                    bare.truncate(bare.trim_end().len() - 1);
                }
                bare.push(first);
                1
            }
            other => {
                bare.push(other);
                other.len_utf8()
            }
        };
        rest = &rest[skipped..];
    }
    bare
}

/// Returns where the string ends that the text begins with.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |end| end + 2)
}

/// Reads the variable by which Copilot's program turns from GitHub to a provider, which is asked whatever GitHub's token is;
/// one of this machine needs no key.
pub(crate) fn copilot_provider(address: &str) -> ProviderAccounts {
    const PROVIDER: &str = "copilot-provider";
    let mut accounts = ProviderAccounts::default();
    if !address.trim().is_empty() {
        accounts.of(PROVIDER);
        accounts.chosen = Some(PROVIDER.to_owned());
    }
    accounts
}

fn object(text: &str) -> Map<String, Value> {
    match read_settings(text) {
        Some(Value::Object(object)) => object,
        _ => Map::new(),
    }
}

fn word<'a>(value: &'a Value, path: &str) -> Option<&'a str> {
    let found = value.pointer(path)?.as_str()?;
    Some(found).filter(|word| !word.is_empty())
}

/// Reads OpenCode's `auth.json`, a login for each provider.
pub(in crate::agents) fn opencode_logins(text: &str) -> ProviderAccounts {
    let mut read = ProviderAccounts::default();
    for (provider, login) in object(text) {
        if login.is_object() {
            read.of(&provider).key = Some(HeldKey::Login);
        }
    }
    read
}

/// Reads OpenCode's `opencode.json`.
pub(in crate::agents) fn opencode_settings(text: &str) -> ProviderAccounts {
    let settings = Value::Object(object(text));
    let mut read = ProviderAccounts::default();
    let providers = settings.get("provider").and_then(Value::as_object);
    for (provider, own) in providers.into_iter().flatten() {
        let account = read.of(provider);
        account.speaks = match word(own, "/npm") {
            Some("@ai-sdk/anthropic") => Some("ANTHROPIC"),
            Some("@ai-sdk/openai") => Some("OPENAI"),
            _ => None,
        };
        account.key = word(own, "/options/apiKey").map(held_key);
        let address = word(own, "/options/baseURL").or_else(|| word(own, "/api"));
        account.address = address.map(str::to_owned);
    }
    let chosen = word(&settings, "/model").and_then(|model| model.split_once('/'));
    if let Some((provider, _)) = chosen {
        read.of(provider);
        read.chosen = Some(provider.to_owned());
    }
    read
}

/// Reads Cline's `providers.json`: a login, or a key and an address, for each provider.
pub(in crate::agents) fn cline_logins(text: &str) -> ProviderAccounts {
    let settings = Value::Object(object(text));
    let mut read = ProviderAccounts::default();
    let providers = settings.get("providers").and_then(Value::as_object);
    for (provider, own) in providers.into_iter().flatten() {
        let account = read.of(provider);
        let held = [
            ("/settings/auth/accessToken", HeldKey::Login),
            ("/settings/apiKey", HeldKey::Settings),
        ];
        let found = held.into_iter().find(|(path, _)| word(own, path).is_some());
        account.key = found.map(|(_, key)| key);
        account.address = word(own, "/settings/baseUrl").map(str::to_owned);
    }
    if let Some(provider) = word(&settings, "/lastUsedProvider") {
        read.of(provider);
        read.chosen = Some(provider.to_owned());
    }
    read
}

/// Returns how a value of the settings holds a key: `{env:NAME}` names its variable.
fn held_key(value: &str) -> HeldKey {
    let named = value
        .strip_prefix("{env:")
        .and_then(|rest| rest.strip_suffix('}'));
    match named {
        Some(name) => HeldKey::Variable(name.to_owned()),
        None => HeldKey::Settings,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_with_comments_and_commas_too_many() {
        for (text, want) in [
            (r#"{"a": 1}"#, Some(r#"{"a":1}"#)),
            ("\u{feff}{\"a\": 1}", Some(r#"{"a":1}"#)),
            (
                "// one\n{/* two */\"a\": [1, 2, ], }",
                Some(r#"{"a":[1,2]}"#),
            ),
            (
                r#"{"a": "x // \" /* y */ ,}",}"#,
                Some(r#"{"a":"x // \" /* y */ ,}"}"#),
            ),
            (
                r#"{"a": "\\", // b
              }"#,
                Some(r#"{"a":"\\"}"#),
            ),
            ("{\"ä\": \"ö\" /* never closed", None),
            ("{\"a", None),
            ("/*", None),
            ("", None),
        ] {
            let read = read_settings(text).map(|value| value.to_string());
            assert_eq!(read.as_deref(), want, "{text}");
        }
    }
}
