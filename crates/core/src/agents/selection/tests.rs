use super::*;

fn user() -> (Vec<CommandAgent>, PathBuf) {
    let mine = CommandAgent {
        name: "mine".into(),
        args: vec![],
        set: vec![],
        model: None,
        argv: vec!["my-agent".into()],
        prompt: PromptVia::Stdin,
        tool_servers: vec![],
        env_keep: Vec::new(),
        adapter: "command",
        lacking: None,
    };
    (vec![mine], PathBuf::from("/here"))
}

/// Renders the choice: its name, its adapter, what it runs.
fn show(choice: Result<AgentSelection>) -> String {
    match choice {
        Ok(AgentSelection {
            name,
            agent,
            definition,
        }) => {
            let runs = match definition {
                None => "-".to_owned(),
                Some(Definition::Command(command)) => format!("{:?}", command.argv),
                Some(Definition::Script(path)) => path.display().to_string(),
            };
            format!("{name} is {} runs {runs}", agent.name())
        }
        Err(error) => format!("{error} ({})", error.hints.join("; ")),
    }
}

#[test]
fn a_word_of_the_command_line_is_a_chain() {
    for (word, want) in [
        ("claude", &[("claude", None)][..]),
        ("claude,codex", &[("claude", None), ("codex", None)]),
        (
            "claude:opus, codex:gpt-5-codex ,gemini",
            &[
                ("claude", Some("opus")),
                ("codex", Some("gpt-5-codex")),
                ("gemini", None),
            ],
        ),
        (
            "opencode:openrouter/z-ai/glm:free",
            &[("opencode", Some("openrouter/z-ai/glm:free"))],
        ),
        ("claude:", &[("claude", None)]),
        // A program keeps its commas.
        (
            "codex,command:my-agent --tools a,b",
            &[("codex", None), ("command:my-agent --tools a,b", None)],
        ),
        ("script:a,b", &[("script:a,b", None)]),
        ("acp:gemini --acp", &[("acp:gemini --acp", None)]),
        ("claude,", &[("claude", None), ("", None)]),
        ("", &[("", None)]),
    ] {
        assert_eq!(chain_of_word(word), want, "{word}");
    }
}

#[test]
fn a_user_may_name_any_program_and_a_plan_only_agents() {
    let defined = "mine is command runs [\"my-agent\"]";
    let (foreign, hint) = (
        "a plan cannot say what the",
        "agent runs (define the program under `agents:` of your own configuration and name that, or run with `--agent` on the command line)",
    );
    let all: Vec<&str> = ALL.iter().map(|agent| agent.name()).collect();
    let defines = "your own configuration may define it under `agents:`";
    let unknown = format!(
        "no agent is called `gpt` (known agents: {}, mine; {defines})",
        all.join(", ")
    );
    let near = format!("no agent is called `cluade` (did you mean `claude`?; {defines})");
    let no_recording = "`script:` needs a file or a directory (write it as `--agent script:PATH`)";
    let rows = [
        (
            "claude",
            "claude is claude runs -".to_owned(),
            "claude is claude runs -".to_owned(),
        ),
        ("mine", defined.into(), defined.into()),
        (
            "command:/opt/x/my-agent --flag 'a b'",
            "my-agent is command runs [\"/opt/x/my-agent\", \"--flag\", \"a b\"]".into(),
            format!("{foreign} `command` {hint}"),
        ),
        (
            "script:runs",
            "script is script runs /here/runs".into(),
            format!("{foreign} `script` {hint}"),
        ),
        (
            "script:/abs/runs",
            "script is script runs /abs/runs".into(),
            format!("{foreign} `script` {hint}"),
        ),
        (
            "command:",
            "`command:` alone names no program (write it as `--agent 'command:my-agent --flag'`)"
                .into(),
            format!("{foreign} `command` {hint}"),
        ),
        (
            "script:",
            no_recording.into(),
            format!("{foreign} `script` {hint}"),
        ),
        (
            "script",
            no_recording.into(),
            format!("{foreign} `script` {hint}"),
        ),
        (
            "acp",
            "`acp` alone names no program (write it as `--agent 'acp:my-agent --flag'`)".into(),
            format!("{foreign} `acp` {hint}"),
        ),
        ("cluade", near.clone(), near),
        ("gpt", unknown.clone(), unknown),
    ];
    let (defined, cwd) = user();
    let user = UserAgents {
        defined: &defined,
        cwd: &cwd,
    };
    for (word, by_user, by_plan) in rows {
        assert_eq!(show(choose(word, &user)), by_user, "{word} by a user");
        assert_eq!(
            show(choose_planned(word, &user)),
            by_plan,
            "{word} by a plan"
        );
    }
}

#[test]
fn words_are_split_as_a_shell_would() {
    let rows: [(&str, &[&str]); 9] = [
        ("a b  c", &["a", "b", "c"]),
        (" a\tb\n", &["a", "b"]),
        ("'a b' \"c d\"", &["a b", "c d"]),
        ("a'b'\"c\"d", &["abcd"]),
        (r"a\ b \'", &["a b", "'"]),
        (r#""a\"b" "a\nb""#, &["a\"b", "a\\nb"]),
        ("'' x \"\"", &["", "x", ""]),
        ("$HOME `id` *", &["$HOME", "`id`", "*"]),
        ("", &[]),
    ];
    for (line, want) in rows {
        assert_eq!(split_words(line).unwrap(), want, "{line}");
    }
    for line in ["'a", "\"a", "\"a\\", "a\\"] {
        assert!(split_words(line).is_err(), "{line}");
    }
}

#[test]
fn a_word_is_a_recording_a_program_or_a_name() {
    for (word, want) in [
        ("script:sessions", AgentWord::Script("sessions")),
        ("script:", AgentWord::Script("")),
        ("script", AgentWord::Name("script")),
        // Names that only begin alike.
        ("scripted", AgentWord::Name("scripted")),
        ("script-bot", AgentWord::Name("script-bot")),
        ("claude", AgentWord::Name("claude")),
        ("claude:opus", AgentWord::Name("claude:opus")),
        (
            "command:my agent",
            AgentWord::Program {
                adapter: "command",
                line: "my agent",
            },
        ),
    ] {
        assert_eq!(AgentWord::parse(word), want, "{word}");
    }
}
