use super::{AccountFacts, Payment, opencode_logins, opencode_settings};
use crate::agents::{Login, by_name};

fn login(agent: &str) -> Login {
    by_name(agent).unwrap().login().unwrap()
}

fn facts(agent: &str, file: bool, names: &[&str], settings: &str) -> AccountFacts {
    let read = login(agent).settings.unwrap().read;
    let value = |name: &str| match name.contains("URL") {
        true => "https://user:secret@gate.example:8443/v1/secret?key=secret".to_owned(),
        false => "secret".to_owned(),
    };
    AccountFacts {
        login_file: file,
        variables: names.iter().map(|n| ((*n).to_owned(), value(n))).collect(),
        settings: read(settings),
        ..AccountFacts::default()
    }
}

fn told(payment: &Payment) -> String {
    let text = payment.to_string();
    assert!(!text.contains("secret"), "{text}");
    format!("{text} -{}", payment.withheld.join(" -"))
        .trim_end_matches(" -")
        .to_owned()
}

const OWN: &str = "at the provider's own address";
const GATE: &str = "at https://gate.example:8443";

#[test]
fn a_key_and_its_address_pass_together_or_not_at_all() {
    const URL: &str = "ANTHROPIC_BASE_URL";
    const KEY: &str = "ANTHROPIC_API_KEY";
    const TOKEN: &str = "ANTHROPIC_AUTH_TOKEN";
    const OAUTH: &str = "CLAUDE_CODE_OAUTH_TOKEN";
    let login = "the program's login";
    let of = |name: &str| format!("the account of {name}");
    for (file, names, want) in [
        (
            false,
            &[][..],
            format!("an account that only the program knows, {OWN}"),
        ),
        (false, &[KEY], format!("{}, {OWN}", of(KEY))),
        (false, &[TOKEN], format!("{}, {OWN}", of(TOKEN))),
        (
            false,
            &[URL],
            format!("an account that only the program knows, {OWN} -{URL}"),
        ),
        (false, &[URL, KEY], format!("{}, {GATE}", of(KEY))),
        (false, &[URL, TOKEN], format!("{}, {GATE}", of(TOKEN))),
        // What is not the gateway's stays away from it.
        (
            false,
            &[URL, TOKEN, KEY],
            format!("{}, {GATE} -{KEY}", of(TOKEN)),
        ),
        (false, &[URL, OAUTH], format!("{login}, {OWN} -{URL}")),
        (
            false,
            &[URL, OAUTH, TOKEN],
            format!("{}, {GATE} -{OAUTH}", of(TOKEN)),
        ),
        (false, &[OAUTH, KEY], format!("{login}, {OWN} -{KEY}")),
        (true, &[], format!("{login}, {OWN}")),
        (true, &[KEY], format!("{login}, {OWN} -{KEY}")),
        (true, &[TOKEN], format!("{login}, {OWN} -{TOKEN}")),
        (true, &[URL], format!("{login}, {OWN} -{URL}")),
        (
            true,
            &[URL, "ANTHROPIC_MODEL"],
            format!("{login}, {OWN} -{URL} -ANTHROPIC_MODEL"),
        ),
        (true, &[URL, KEY], format!("{}, {GATE}", of(KEY))),
        (true, &[URL, TOKEN], format!("{}, {GATE}", of(TOKEN))),
        (
            true,
            &[URL, TOKEN, OAUTH],
            format!("{}, {GATE} -{OAUTH}", of(TOKEN)),
        ),
        (
            true,
            &["CLAUDE_CODE_USE_BEDROCK", KEY],
            format!("the account at Amazon Bedrock, {OWN}"),
        ),
        (
            true,
            &["CLAUDE_CODE_USE_BEDROCK", "ANTHROPIC_BEDROCK_BASE_URL", URL],
            format!("the account at Amazon Bedrock, {GATE}"),
        ),
        (
            true,
            &["CLAUDE_CODE_USE_ANTHROPIC_AWS", "ANTHROPIC_AWS_BASE_URL"],
            format!("the account at Claude Platform on AWS, {GATE}"),
        ),
    ] {
        let payment = self::login("claude").payment(&facts("claude", file, names, ""));
        assert_eq!(told(&payment), want, "login {file}, {names:?}");
    }
}

#[test]
fn the_programs_own_settings_are_one_with_the_environment() {
    let gateway = r#"{"env": {"ANTHROPIC_BASE_URL": "https://set.example/x", "ANTHROPIC_AUTH_TOKEN": "secret"}}"#;
    let address = r#"{"env": {"ANTHROPIC_BASE_URL": "https://set.example/x"}}"#;
    let helper = r#"{"apiKeyHelper": "print-key"}"#;
    let codex =
        "model_provider = 'own'\n[model_providers.own]\nbase_url = 'https://set.example/v1'\n";
    let codex_key = format!("{codex}env_key = 'OWN_KEY'\n");
    let codex_openai = format!("{codex}env_key = 'OPENAI_API_KEY'\n");
    let codex_login = format!("{codex}requires_openai_auth = true\n");
    let key_chosen = r#"{"security": {"auth": {"selectedType": "gemini-api-key"}}}"#;
    let login_chosen = r#"{"security": {"auth": {"selectedType": "oauth-personal"}}}"#;
    let set = "at https://set.example";
    for (agent, settings, names, want) in [
        (
            "claude",
            gateway,
            &["ANTHROPIC_API_KEY"][..],
            format!("the key in the program's settings, {set} -ANTHROPIC_API_KEY"),
        ),
        (
            "claude",
            address,
            &["ANTHROPIC_AUTH_TOKEN"],
            format!("the account of ANTHROPIC_AUTH_TOKEN, {set}"),
        ),
        (
            "claude",
            address,
            &["ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"],
            format!("the program's login, {set} -ANTHROPIC_AUTH_TOKEN -ANTHROPIC_BASE_URL"),
        ),
        (
            "claude",
            helper,
            &["ANTHROPIC_BASE_URL"],
            format!("the key in the program's settings, {GATE}"),
        ),
        (
            "claude",
            helper,
            &["ANTHROPIC_BASE_URL", "ANTHROPIC_AUTH_TOKEN"],
            format!("the account of ANTHROPIC_AUTH_TOKEN, {GATE}"),
        ),
        (
            "codex",
            &codex_key,
            &["OWN_KEY", "OPENAI_API_KEY"],
            format!("the account of OWN_KEY, {set} -OPENAI_API_KEY"),
        ),
        (
            "codex",
            &codex_openai,
            &["OPENAI_API_KEY"],
            format!("the account of OPENAI_API_KEY, {set}"),
        ),
        (
            "codex",
            &codex_login,
            &["OPENAI_API_KEY"],
            format!("the program's login, {set} -OPENAI_API_KEY"),
        ),
        (
            "codex",
            "",
            &["OPENAI_API_KEY", "OPENAI_BASE_URL"],
            format!("the program's login, {OWN} -OPENAI_API_KEY -OPENAI_BASE_URL"),
        ),
        (
            "codex",
            "",
            &["CODEX_API_KEY", "OPENAI_BASE_URL"],
            format!("the account of CODEX_API_KEY, {GATE}"),
        ),
        (
            "gemini",
            key_chosen,
            &["GEMINI_API_KEY"],
            format!("the account of GEMINI_API_KEY, {OWN}"),
        ),
        (
            "gemini",
            "",
            &["GEMINI_API_KEY"],
            format!("the program's login, {OWN} -GEMINI_API_KEY"),
        ),
        (
            "gemini",
            login_chosen,
            &["GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL"],
            format!("the program's login, {OWN} -GEMINI_API_KEY -GOOGLE_GEMINI_BASE_URL"),
        ),
        (
            "qwen",
            "",
            &["OPENAI_API_KEY", "OPENAI_BASE_URL"],
            format!("the account of OPENAI_API_KEY, {GATE}"),
        ),
    ] {
        let payment = login(agent).payment(&facts(agent, true, names, settings));
        assert_eq!(told(&payment), want, "{agent} {settings} {names:?}");
    }
    let passes = login("codex")
        .payment(&facts("codex", true, &["OWN_KEY"], &codex_key))
        .extra;
    assert_eq!(passes, ["OWN_KEY"]);
}

#[test]
fn a_profile_with_an_account_takes_nothing_from_outside() {
    let outside = [
        "ANTHROPIC_BASE_URL",
        "ANTHROPIC_AUTH_TOKEN",
        "ANTHROPIC_API_KEY",
    ];
    for (profile, want) in [
        (
            &["ANTHROPIC_API_KEY"][..],
            format!(
                "the account of ANTHROPIC_API_KEY, {OWN} -ANTHROPIC_AUTH_TOKEN -ANTHROPIC_BASE_URL"
            ),
        ),
        (
            &["ANTHROPIC_BASE_URL", "ANTHROPIC_AUTH_TOKEN"],
            format!("the account of ANTHROPIC_AUTH_TOKEN, {GATE} -ANTHROPIC_API_KEY"),
        ),
    ] {
        let mut facts = facts("claude", true, &outside, "");
        facts.profile = profile.iter().map(|n| (*n).to_owned()).collect();
        let mut payment = login("claude").payment(&facts);
        payment.withheld.dedup();
        assert_eq!(told(&payment), want, "{profile:?}");
    }
    let lonely = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|n| (*n).to_owned()).collect();
        login("claude").address_without_key(&names)
    };
    assert_eq!(lonely(&["ANTHROPIC_BASE_URL"]), Some("ANTHROPIC_BASE_URL"));
    assert_eq!(lonely(&["ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"]), None);
}

#[test]
fn a_key_whose_address_does_not_reach_the_session_stays_with_it() {
    let of = |names: &[&str], passing: &[&str], keep_all| {
        let value = |name: &str| match name.ends_with("_KEY") || name.ends_with("_TOKEN") {
            true => "secret".to_owned(),
            false => format!("https://{}.example/secret", name.to_lowercase()),
        };
        let facts = AccountFacts {
            variables: names.iter().map(|n| ((*n).to_owned(), value(n))).collect(),
            keep_all,
            ..AccountFacts::default()
        };
        told(&Payment::of_providers(&facts, |name| {
            passing.contains(&name)
        }))
    };
    const KEY: &str = "ANTHROPIC_API_KEY";
    const URL: &str = "ANTHROPIC_BASE_URL";
    const OTHER: &str = "OPENROUTER_API_KEY";
    let gate = "at https://anthropic_base_url.example";
    for (names, passing, want) in [
        (
            &[KEY][..],
            &[KEY][..],
            format!("the account of {KEY}, {OWN}"),
        ),
        (
            &[KEY, URL],
            &[KEY, URL],
            format!("the account of {KEY}, {gate}"),
        ),
        (
            &[KEY, URL],
            &[KEY],
            format!("an account that only the program knows, {OWN} -{KEY}"),
        ),
        (
            &[KEY, URL, OTHER],
            &[KEY, OTHER],
            format!("the account of {OTHER}, {OWN} -{KEY}"),
        ),
        // A key is not said to go to another's address.
        (
            &[URL, OTHER],
            &[URL, OTHER],
            format!("the account of {OTHER}, {OWN}"),
        ),
        (
            &[URL],
            &[URL],
            format!("an account that only the program knows, {gate}"),
        ),
        (
            &["OPENAI_API_KEY", "OPENAI_API_BASE"],
            &["OPENAI_API_KEY"],
            format!("an account that only the program knows, {OWN} -OPENAI_API_KEY"),
        ),
        (
            &["PAGER_HOST"],
            &["PAGER"],
            format!("an account that only the program knows, {OWN}"),
        ),
    ] {
        assert_eq!(of(names, passing, false), want, "{names:?}, {passing:?}");
    }
    assert_eq!(
        of(&[KEY, URL], &[KEY], true),
        format!("the account of {KEY}, {gate}")
    );
}

#[test]
fn the_user_may_let_everything_pass() {
    let mut facts = facts(
        "claude",
        true,
        &["ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"],
        "",
    );
    facts.keep_all = true;
    assert!(login("claude").payment(&facts).withheld.is_empty());
}

/// What OpenCode's files say, one after the other, and who is paid with these variables.
fn opencode(files: &[&str], names: &[&str]) -> String {
    let value = |name: &str| match name.contains("URL") {
        true => "https://gate.example:8443/v1/secret".to_owned(),
        false => "secret".to_owned(),
    };
    let mut facts = AccountFacts {
        variables: names.iter().map(|n| ((*n).to_owned(), value(n))).collect(),
        ..AccountFacts::default()
    };
    for text in files {
        let logins = text.contains("\"type\"");
        let read = if logins {
            opencode_logins
        } else {
            opencode_settings
        };
        facts.providers.add(read(text));
    }
    told(&Payment::of_providers(&facts, |_| true))
}

#[test]
fn a_login_for_a_provider_follows_no_address_of_the_environment() {
    const KEY: &str = "ANTHROPIC_API_KEY";
    const URL: &str = "ANTHROPIC_BASE_URL";
    const OTHER: &str = "OPENAI_API_KEY";
    const OTHER_URL: &str = "OPENAI_BASE_URL";
    let login = r#"{"anthropic": {"type": "oauth", "access": "secret"}}"#;
    let model = r#"{"model": "anthropic/claude"}"#;
    let key = r#"{"provider": {"anthropic": {"options": {"apiKey": "secret"}}}} // mine"#;
    let address = r#"{"provider": {"anthropic": {"options": {"baseURL": "https://set.example"}}}}"#;
    let speaks =
        r#"{"provider": {"mine": {"npm": "@ai-sdk/anthropic", "options": {"apiKey": "secret"}}}}"#;
    let named = r#"{"provider": {"anthropic": {"options": {"apiKey": "{env:MINE}"}}}}"#;
    let named_own =
        r#"{"provider": {"anthropic": {"options": {"apiKey": "{env:ANTHROPIC_API_KEY}"}}}}"#;
    let set = "at https://set.example";
    let kept = "the program's login for anthropic";
    let own = "the key in the program's settings";
    for (files, names, want) in [
        (&[login][..], &[][..], format!("{kept}, {OWN}")),
        (&[login], &[URL], format!("{kept}, {OWN} -{URL}")),
        (&[login], &[KEY], format!("{kept}, {OWN} -{KEY}")),
        (
            &[login],
            &[URL, KEY],
            format!("{kept}, {OWN} -{URL} -{KEY}"),
        ),
        // Another provider's key and address are whole.
        (&[login], &[OTHER, OTHER_URL], format!("{kept}, {OWN}")),
        (
            &[login, r#"{"model": "openai/gpt"}"#],
            &[OTHER, OTHER_URL, URL],
            format!("the account of {OTHER}, {GATE} -{URL}"),
        ),
        (
            &[login, address],
            &[URL, KEY],
            format!("{kept}, {set} -{URL} -{KEY}"),
        ),
        (&[key], &[URL], format!("{own}, {OWN} -{URL}")),
        (
            &[address, model],
            &[KEY],
            format!("the account of {KEY}, {set}"),
        ),
        (
            &[address, model],
            &[KEY, URL],
            format!("an account that only the program knows, {set} -{KEY} -{URL}"),
        ),
        (&[speaks], &[URL], format!("{own}, {OWN} -{URL}")),
        (
            &[named],
            &["MINE", URL, KEY],
            format!("the account of MINE, {OWN} -{URL} -{KEY}"),
        ),
        (
            &[named_own],
            &[URL, KEY],
            format!("the account of {KEY}, {GATE}"),
        ),
        (
            &[named_own, address],
            &[URL, KEY],
            format!("the account of {KEY}, {set} -{URL}"),
        ),
        (
            &["{", "[]", "null"],
            &[URL, KEY],
            format!("the account of {KEY}, {GATE}"),
        ),
    ] {
        assert_eq!(opencode(files, names), want, "{files:?} {names:?}");
    }
}
