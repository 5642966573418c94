use super::{
    ADDRESS_ENDS, AccountFacts, KEY_ENDS, Payer, Payment, aider_settings, cline_logins,
    continue_login, continue_settings, copilot_provider, family, goose_settings, opencode_logins,
    opencode_settings, variables_file,
};
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
            "claude",
            r#"{"env": {"ANTHROPIC_API_KEY": "secret"}}"#,
            &["ANTHROPIC_BASE_URL", "ANTHROPIC_AUTH_TOKEN"],
            format!(
                "the key in the program's settings, {OWN} -ANTHROPIC_AUTH_TOKEN -ANTHROPIC_BASE_URL"
            ),
        ),
        (
            "qwen",
            r#"{"security": {"auth": {"apiKey": "secret"}}, /* mine */ }"#,
            &["OPENAI_BASE_URL"],
            format!("the key in the program's settings, {OWN} -OPENAI_BASE_URL"),
        ),
        // A key of the environment wins there, and takes its address along.
        (
            "qwen",
            r#"{"security": {"auth": {"apiKey": "secret"}}}"#,
            &["OPENAI_API_KEY", "OPENAI_BASE_URL"],
            format!("the account of OPENAI_API_KEY, {GATE}"),
        ),
        (
            "qwen",
            r#"{"modelProviders": {"openai": [{"id": "m", "envKey": "MINE", "baseUrl": "https://set.example"}]}, "model": {"name": "m"}}"#,
            &["MINE", "OPENAI_API_KEY", "OPENAI_BASE_URL"],
            format!("the account of MINE, {set} -OPENAI_API_KEY -OPENAI_BASE_URL"),
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
    const URL: &str = "ANTHROPIC_BASE_URL";
    const KEY: &str = "ANTHROPIC_API_KEY";
    // What the program would do with all of it.
    for (names, want) in [
        (&[][..], format!("the program's login, {OWN}")),
        (&[KEY], format!("the account of {KEY}, {OWN}")),
        (&[URL], format!("the program's login, {GATE}")),
        (&[URL, KEY], format!("the account of {KEY}, {GATE}")),
    ] {
        let mut facts = facts("claude", true, names, "");
        facts.keep_all = true;
        assert_eq!(told(&login("claude").payment(&facts)), want, "{names:?}");
    }
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

#[test]
fn every_program_with_many_providers_reads_its_own_files() {
    let cline = r#"{"lastUsedProvider": "cline", "providers": {"cline": {"settings": {"auth": {"accessToken": "secret"}}},
        "openai-native": {"settings": {"apiKey": "secret", "baseUrl": "https://set.example/v1"}}}}"#;
    let own = "the key in the program's settings";
    let set = "at https://set.example";
    type Reader = fn(&str) -> super::ProviderAccounts;
    let rows: &[(Reader, &str, &[&str], String)] = &[
        (
            cline_logins,
            cline,
            &["CLINE_API_BASE_URL", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"],
            format!("the program's login for cline, {OWN} -CLINE_API_BASE_URL -OPENAI_API_KEY"),
        ),
        (
            cline_logins,
            "{}",
            &["CLINE_API_BASE_URL", "CLINE_API_KEY"],
            format!("the account of CLINE_API_KEY, {GATE}"),
        ),
        (
            continue_settings,
            "models:\n  - {name: a, provider: anthropic, apiKey: secret}\n",
            &["ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "OPENAI_API_KEY"],
            format!("{own}, {OWN} -ANTHROPIC_BASE_URL"),
        ),
        (
            continue_settings,
            "models:\n  - {provider: openai, apiKey: \"${{ secrets.MINE }}\", apiBase: https://set.example}\n",
            &["MINE", "OPENAI_BASE_URL"],
            format!("the account of MINE, {set} -OPENAI_BASE_URL"),
        ),
        (
            continue_login,
            r#"{"accessToken": "secret"}"#,
            &["CONTINUE_API_BASE"],
            format!("the program's login for continue, {OWN} -CONTINUE_API_BASE"),
        ),
        (
            goose_settings,
            "OPENAI_API_KEY: secret\n",
            &["OPENAI_HOST"],
            format!("{own}, {OWN} -OPENAI_HOST"),
        ),
        // Its variables win over its files.
        (
            goose_settings,
            "OPENAI_API_KEY: secret\nGOOSE_PROVIDER: openai\n",
            &["OPENAI_BASE_URL", "OPENAI_API_KEY"],
            format!("the account of OPENAI_API_KEY, {GATE}"),
        ),
        (
            aider_settings,
            "openai-api-key: secret\n",
            &["OPENAI_API_BASE_URL", "OPENAI_API_KEY"],
            format!("{own}, {OWN} -OPENAI_API_BASE_URL -OPENAI_API_KEY"),
        ),
        (
            aider_settings,
            "api-key:\n  - anthropic=secret\n",
            &["ANTHROPIC_BASE_URL"],
            format!("{own}, {OWN} -ANTHROPIC_BASE_URL"),
        ),
        (
            aider_settings,
            "openai-api-base: https://set.example\n",
            &["OPENAI_API_KEY"],
            format!("the account of OPENAI_API_KEY, {OWN}"),
        ),
        (
            copilot_provider,
            "http://127.0.0.1:11434",
            &["GH_TOKEN", "COPILOT_PROVIDER_BASE_URL"],
            format!("an account that only the program knows, {GATE}"),
        ),
        (
            copilot_provider,
            "https://gate.example",
            &[
                "GH_TOKEN",
                "COPILOT_PROVIDER_BASE_URL",
                "COPILOT_PROVIDER_BEARER_TOKEN",
            ],
            format!("the account of COPILOT_PROVIDER_BEARER_TOKEN, {GATE}"),
        ),
        (
            copilot_provider,
            "",
            &["GH_TOKEN"],
            format!("the account of GH_TOKEN, {OWN}"),
        ),
        (
            variables_file,
            "# mine\nexport OPENAI_API_KEY='secret'\nPAGER=less\nSTRIPE_API_KEY=secret\n",
            &["OPENAI_BASE_URL"],
            format!("{own}, {OWN} -OPENAI_BASE_URL"),
        ),
    ];
    for (read, text, names, want) in rows {
        let value = |name: &str| match name.contains("_BASE") || name.contains("_HOST") {
            true => "https://gate.example:8443/v1/secret".to_owned(),
            false => "secret".to_owned(),
        };
        let facts = AccountFacts {
            variables: names.iter().map(|n| ((*n).to_owned(), value(n))).collect(),
            providers: read(text),
            ..AccountFacts::default()
        };
        assert_eq!(
            told(&Payment::of_providers(&facts, |_| true)),
            *want,
            "{text} {names:?}"
        );
    }
}

#[test]
fn an_account_of_a_profile_is_sent_no_credential_of_the_environments() {
    let facts = |names: &[&str], profile: &[&str]| AccountFacts {
        variables: names.iter().map(|n| ((*n).into(), "x".into())).collect(),
        profile: profile.iter().map(|n| (*n).to_owned()).collect(),
        ..AccountFacts::default()
    };
    const URL: &str = "COPILOT_PROVIDER_BASE_URL";
    const KEY: &str = "COPILOT_PROVIDER_API_KEY";
    const BEARER: &str = "COPILOT_PROVIDER_BEARER_TOKEN";
    const FOUNDRY: [&str; 4] = [
        "CLAUDE_CODE_USE_FOUNDRY",
        "ANTHROPIC_FOUNDRY_BASE_URL",
        "ANTHROPIC_FOUNDRY_API_KEY",
        "ANTHROPIC_FOUNDRY_AUTH_TOKEN",
    ];
    const BEDROCK: [&str; 4] = [
        "CLAUDE_CODE_USE_BEDROCK",
        "ANTHROPIC_BEDROCK_BASE_URL",
        "AWS_BEARER_TOKEN_BEDROCK",
        "AWS_ACCESS_KEY_ID",
    ];
    let [at, key, foreign] = [FOUNDRY[1], FOUNDRY[2], FOUNDRY[3]];
    for (agent, names, profile, want) in [
        // The provider would be sent the token before the key.
        (
            "copilot",
            &[URL, KEY, BEARER][..],
            &[URL, KEY][..],
            &[BEARER][..],
        ),
        ("copilot", &[URL, BEARER], &[], &[]),
        (
            "copilot",
            &["AZURE_API_BASE", "AZURE_AD_TOKEN"],
            &["AZURE_API_BASE"],
            &["AZURE_AD_TOKEN"],
        ),
        ("claude", &FOUNDRY, &[FOUNDRY[0], at, key], &[foreign]),
        ("claude", &FOUNDRY, &[FOUNDRY[0]], &[]),
        ("claude", &FOUNDRY, &[], &[]),
        (
            "claude",
            &BEDROCK,
            &[BEDROCK[0], BEDROCK[1]],
            &["AWS_BEARER_TOKEN_BEDROCK"],
        ),
        ("claude", &BEDROCK, &[BEDROCK[0], "AWS_REGION"], &[]),
        ("claude", &BEDROCK, &[BEDROCK[0], BEDROCK[2]], &[BEDROCK[1]]),
    ] {
        let facts = facts(names, profile);
        let payment = match by_name(agent).unwrap().login() {
            Some(login) => login.payment(&facts),
            None => Payment::of_providers(&facts, |_| true),
        };
        assert_eq!(payment.withheld, want, "{agent} {names:?} {profile:?}");
    }
}

/// A key and an address are worth something only together: in every combination of what there can be.
#[test]
fn no_combination_parts_a_key_from_its_address() {
    const NAMES: &[&str] = &[
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_AUTH_TOKEN",
        "ANTHROPIC_BASE_URL",
        "OPENAI_API_KEY",
        "OPENAI_BASE_URL",
        "OPENROUTER_API_KEY",
        "OPENROUTER_BASE_URL",
    ];
    let login = |of: &str| format!(r#"{{"{of}": {{"type": "api", "key": "secret"}}}}"#);
    let held = [None, Some("anthropic"), Some("openai"), Some("openrouter")];
    let mut tried = 0;
    for (chosen, held) in (0..1_u32 << NAMES.len()).flat_map(|n| held.map(|held| (n, held))) {
        for absent in std::iter::once("").chain(NAMES.iter().copied()) {
            let set = NAMES
                .iter()
                .enumerate()
                .filter(|(i, _)| chosen & (1 << i) != 0);
            let names: Vec<&str> = set.map(|(_, name)| *name).collect();
            let facts = AccountFacts {
                variables: names.iter().map(|n| ((*n).into(), "x".into())).collect(),
                providers: held
                    .map(|of| opencode_logins(&login(of)))
                    .unwrap_or_default(),
                ..AccountFacts::default()
            };
            let payment = Payment::of_providers(&facts, |name| name != absent);
            let reaches = |name: &str| {
                name != absent
                    && names.contains(&name)
                    && !payment.withheld.iter().any(|n| n == name)
            };
            for name in NAMES.iter().filter(|name| reaches(name)) {
                let of = family(name, KEY_ENDS)
                    .or_else(|| family(name, ADDRESS_ENDS))
                    .unwrap();
                let by_file = held.is_some_and(|held| held.to_uppercase() == of);
                assert!(!by_file, "{name} beside the login: {names:?}, {held:?}");
                let url = format!("{of}_BASE_URL");
                let whole = !names.contains(&url.as_str()) || reaches(&url);
                assert!(whole, "{name} without its address: {names:?}, {absent}");
            }
            if let Payer::Variable(name) = &payment.payer {
                assert!(
                    reaches(name),
                    "{name} pays and is not there: {names:?}, {absent}"
                );
            }
            tried += 1;
        }
    }
    assert_eq!(tried, 128 * 4 * 8);
}

#[test]
fn no_combination_sends_a_login_to_an_address_of_the_environment() {
    let mut tried = 0;
    for agent in ["claude", "codex", "gemini", "qwen"] {
        let login = login(agent);
        let names: Vec<&str> = login.accounts().collect();
        for (chosen, file) in (0..1_u32 << names.len()).flat_map(|n| [(n, false), (n, true)]) {
            let set = names
                .iter()
                .enumerate()
                .filter(|(i, _)| chosen & (1 << i) != 0);
            let set: Vec<&str> = set.map(|(_, name)| *name).collect();
            let payment = login.payment(&facts(agent, file, &set, ""));
            let reaches =
                |name: &&&str| set.contains(name) && !payment.withheld.iter().any(|n| n == **name);
            let address = login.addresses.iter().any(|name| reaches(&name));
            let credentials: Vec<&str> =
                login.credentials().filter(|name| reaches(&name)).collect();
            let what = format!("{agent}, login {file}, {set:?}: {payment:?}");
            match &payment.payer {
                Payer::Variable(name) => {
                    assert!(credentials.contains(&name.as_str()), "{what}");
                    assert!(!address || credentials == [name.as_str()], "{what}");
                }
                _ => assert!(!address, "{what}"),
            }
            tried += 1;
        }
    }
    assert!(tried > 100, "{tried}");
}

/// What stands in a program's own settings, and whether that names an address, holds a key or prints one.
type OwnSettings = (&'static str, &'static [Holds]);

#[derive(Clone, Copy, PartialEq)]
enum Holds {
    Address,
    Key,
    PrintedKey,
}

const CLAUDE_SETTINGS: &[OwnSettings] = &[
    ("", &[]),
    (
        r#"{"env": {"ANTHROPIC_BASE_URL": "https://set.example"}}"#,
        &[Holds::Address],
    ),
    (
        r#"{"env": {"ANTHROPIC_AUTH_TOKEN": "secret"}}"#,
        &[Holds::Key],
    ),
    (
        r#"{"env": {"ANTHROPIC_API_KEY": "secret", "ANTHROPIC_BASE_URL": "https://set.example"}}"#,
        &[Holds::Key, Holds::Address],
    ),
    (r#"{"apiKeyHelper": "print-key"}"#, &[Holds::PrintedKey]),
    (
        r#"{"apiKeyHelper": "print-key", "env": {"ANTHROPIC_BASE_URL": "https://set.example"}}"#,
        &[Holds::PrintedKey, Holds::Address],
    ),
    (r#"{"env": {"CLAUDE_CODE_USE_BEDROCK": "0"}}"#, &[]),
];

const GEMINI_SETTINGS: &[OwnSettings] = &[
    ("", &[]),
    (
        r#"{"security": {"auth": {"selectedType": "oauth-personal"}}}"#,
        &[],
    ),
    (
        r#"{"security": {"auth": {"selectedType": "gemini-api-key"}}}"#,
        &[],
    ),
];

const QWEN_SETTINGS: &[OwnSettings] = &[
    ("", &[]),
    (
        r#"{"security": {"auth": {"selectedType": "qwen-oauth"}}}"#,
        &[],
    ),
    (
        r#"{"security": {"auth": {"selectedType": "openai", "baseUrl": "https://set.example", "apiKey": "secret"}}}"#,
        &[Holds::Key, Holds::Address],
    ),
    (
        r#"{"security": {"auth": {"selectedType": "openai", "apiKey": "secret"}}}"#,
        &[Holds::Key],
    ),
    (
        r#"{"security": {"auth": {"selectedType": "openai", "baseUrl": "https://set.example"}}}"#,
        &[Holds::Address],
    ),
];

const CODEX_SETTINGS: &[OwnSettings] = &[
    ("", &[]),
    (
        "openai_base_url = 'https://set.example'\n",
        &[Holds::Address],
    ),
    (
        "model_provider = 'own'\n[model_providers.own]\nbase_url = 'https://set.example'\nenv_key = 'OPENAI_API_KEY'\n",
        &[Holds::Address],
    ),
    (
        "model_provider = 'own'\n[model_providers.own]\nbase_url = 'https://set.example'\nexperimental_bearer_token = 'secret'\n",
        &[Holds::Key, Holds::Address],
    ),
    (
        "model_provider = 'own'\n[model_providers.own]\nbase_url = 'https://set.example'\nrequires_openai_auth = true\n",
        &[Holds::Address],
    ),
];

/// Returns what is wrong with what passes, by what the program then would send, and where.
fn parted(login: &Login, facts: &AccountFacts, held: &[Holds]) -> Option<&'static str> {
    let payment = login.payment(facts);
    let mut withheld = payment.withheld.clone();
    withheld.sort_unstable();
    withheld.dedup();
    if withheld.len() < payment.withheld.len() {
        return Some("something is withheld twice");
    }
    let set = |name: &str| facts.variables.iter().any(|(n, _)| n == name);
    let passes = |name: &str| set(name) && !payment.withheld.iter().any(|n| n == name);
    let holds = |what: Holds| held.contains(&what);
    let credentials: Vec<&str> = login.credentials().filter(|name| passes(name)).collect();
    let outside = login.addresses.iter().any(|name| passes(name));
    match &payment.payer {
        // Its accounts are its own: the program looks at no other.
        Payer::Provider(_) => None,
        // Where settings name a variable that nobody set, the program says so itself.
        Payer::Variable(name) if !passes(name) => set(name).then_some("the payer is withheld"),
        Payer::Variable(_) if holds(Holds::Key) && holds(Holds::Address) => {
            Some("the settings' key is passed over")
        }
        Payer::Variable(name) if outside || holds(Holds::Address) => {
            (credentials != [name.as_str()]).then_some("another key goes to the address")
        }
        Payer::Variable(_) => None,
        Payer::Settings if !holds(Holds::Key) && !holds(Holds::PrintedKey) => Some("no such key"),
        Payer::Settings if outside && holds(Holds::Key) => Some("the settings' key goes elsewhere"),
        Payer::Settings if !credentials.is_empty() => Some("a key beside the settings'"),
        Payer::Settings => None,
        _ if outside => Some("a login goes to an address of the environment"),
        _ if credentials.iter().any(|name| !login.tokens.contains(name)) => {
            Some("a key beside the login")
        }
        _ => None,
    }
}

#[test]
fn no_settings_no_switch_and_no_profile_part_a_key_from_its_address() {
    let tried = expect_none_parted(3);
    assert!(tried > 10_000, "{tried}");
}

#[test]
#[ignore = "long"]
fn whatever_is_set_at_once_parts_no_key_from_its_address() {
    let tried = expect_none_parted(u32::MAX);
    assert!(tried > 10_000, "{tried}");
}

/// Expects that no key is parted from its address where so many accounts and switches at most are set at once; returns how
/// many ways were tried.
fn expect_none_parted(most: u32) -> usize {
    let mut tried = 0;
    for (agent, all) in [
        ("claude", CLAUDE_SETTINGS),
        ("codex", CODEX_SETTINGS),
        ("gemini", GEMINI_SETTINGS),
        ("qwen", QWEN_SETTINGS),
    ] {
        let login = login(agent);
        let switches = login.providers.iter().map(|provider| provider.switch);
        let names: Vec<&str> = login.accounts().chain(switches).collect();
        for (chosen, file) in (0..1_u32 << names.len()).flat_map(|n| [(n, false), (n, true)]) {
            if chosen.count_ones() > most {
                continue;
            }
            let set = (0..names.len()).filter(|i| chosen & (1 << i) != 0);
            let set: Vec<&str> = set.map(|i| names[i]).collect();
            // A profile that brings one of them, or none.
            for own in std::iter::once(None).chain(set.iter().copied().map(Some)) {
                for (settings, held) in all {
                    let facts = AccountFacts {
                        profile: own.into_iter().map(str::to_owned).collect(),
                        ..facts(agent, file, &set, settings)
                    };
                    let wrong = parted(&login, &facts, held);
                    let payment = login.payment(&facts);
                    assert_eq!(
                        wrong, None,
                        "{agent}, login {file}, {set:?}, profile {own:?}, {settings}: {payment:?}"
                    );
                    tried += 1;
                }
            }
        }
    }
    tried
}
