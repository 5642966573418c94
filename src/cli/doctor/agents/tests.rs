use super::*;
use std::ffi::OsString;

/// A home with files, variables, and what the agent's account is then said to be.
fn check(agent: &str, files: &[&str], env: &[(&str, &str)], want: &str) {
    let home = tempfile::tempdir().unwrap();
    for file in files {
        let path = home.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "{}").unwrap();
    }
    let mut host = Host::default();
    host.env.push(("HOME".into(), home.path().into()));
    host.env.extend(
        env.iter()
            .map(|(n, v)| (OsString::from(n), OsString::from(v))),
    );
    let agent = agents::by_name(agent).unwrap();
    let keep = variables(agent);
    let found = account(agent, &keep, &host);
    let dropped = payment(agent, &keep, &host, None).withheld.join(" ");
    let got = match found {
        Account::File(_) => format!("file -{dropped}"),
        Account::Keys(names) => format!("keys {}", names.join(" ")),
        Account::None => "none".to_owned(),
        Account::Unknown => "unknown".to_owned(),
    };
    assert_eq!(got, want, "{files:?} {env:?}");
}

#[test]
#[cfg(not(target_os = "macos"))]
fn the_account_is_found_by_files_and_names_never_by_values() {
    let key = ("ANTHROPIC_API_KEY", "made-up");
    for (agent, files, env, want) in [
        ("claude", &[][..], &[][..], "none"),
        ("claude", &[], &[key], "keys ANTHROPIC_API_KEY"),
        ("claude", &[], &[("ANTHROPIC_API_KEY", "")], "none"),
        ("claude", &[], &[("OPENAI_API_KEY", "x")], "none"),
        ("claude", &[".claude/.credentials.json"], &[], "file -"),
        (
            "claude",
            &[".claude/.credentials.json"],
            &[key],
            "file -ANTHROPIC_API_KEY",
        ),
        (
            "claude",
            &[".claude/.credentials.json"],
            &[key, ("GATEWALK_KEEP_KEYS", "1")],
            "file -",
        ),
        ("codex", &[".codex/auth.json"], &[], "file -"),
        ("opencode", &[], &[], "unknown"),
        (
            "opencode",
            &[],
            &[("OPENROUTER_API_KEY", "x")],
            "keys OPENROUTER_API_KEY",
        ),
    ] {
        check(agent, files, env, want);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_profile_of_a_program_without_an_account_is_said_to_have_none() {
    let home = tempfile::tempdir().unwrap();
    let bin = home.path().join("bin");
    let logged_in = home.path().join("work");
    std::fs::create_dir_all(&bin).unwrap();
    std::fs::create_dir_all(&logged_in).unwrap();
    std::fs::write(logged_in.join(".credentials.json"), "{}").unwrap();
    // The vendor's program is no script.
    std::fs::copy(std::env::current_exe().unwrap(), bin.join("claude")).unwrap();
    let mut host = Host::default();
    host.env.push(("HOME".into(), home.path().into()));
    host.env.push(("PATH".into(), bin.into()));
    for (directory, level, want) in [
        ("none", Level::Warn, "no login and no key was found"),
        ("work", Level::Ok, "will pay: the program's login"),
    ] {
        let directory = home.path().join(directory).display().to_string();
        let own = CommandAgent {
            name: "claude-work".into(),
            argv: vec![],
            args: vec![],
            set: vec![("CLAUDE_CONFIG_DIR".into(), directory)],
            model: None,
            prompt: agents::PromptVia::Stdin,
            env_keep: vec![],
            tool_servers: vec![],
            adapter: "claude",
            lacking: None,
        };
        let check = own_agent(&own, &host);
        assert_eq!(check.level, level, "{}", check.message);
        assert!(check.message.contains(want), "{}", check.message);
    }
}
