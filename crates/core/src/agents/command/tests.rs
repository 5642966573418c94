use super::*;
use crate::agents::{CommandAgent, Listener, Outcome, ProcessExit};
use std::path::Path;

fn start(argv: &[&str], prompt: PromptVia) -> String {
    let definition = Definition::Command(CommandAgent {
        name: "mine".into(),
        args: vec![],
        set: vec![],
        model: None,
        argv: argv.iter().map(|word| (*word).to_owned()).collect(),
        prompt,
        tool_servers: vec![],
        env_keep: vec!["MINE_*".into()],
        adapter: "command",
        lacking: None,
    });
    let request = Request {
        prompt_file: Path::new("/log/prompt.md"),
        prompt: "do it",
        model: Some("big"),
        effort: None,
        unit: "FEAT-2026-0042/T01",
        attempt: 1,
        budget_usd: None,
        slot: Path::new("/slot"),
        definition: Some(&definition),
        root: false,
        own_program: Path::new("/bin/gatewalk"),
    };
    match CommandAdapter.command(&request) {
        Ok(command) => {
            assert_eq!(
                (command.prompt, command.keep_env),
                (prompt, vec!["MINE_*".to_owned()])
            );
            format!("{} {:?}", command.program, command.args)
        }
        Err(error) => error.to_string(),
    }
}

#[test]
fn the_prompt_reaches_the_program_as_defined() {
    let rows: &[(&[&str], PromptVia, &str)] = &[
        (&["mine", "--yes"], PromptVia::Stdin, r#"mine ["--yes"]"#),
        (
            &["mine", "-m", "{model}"],
            PromptVia::Stdin,
            r#"mine ["-m", "big"]"#,
        ),
        (
            &["mine", "--yes"],
            PromptVia::Argument,
            r#"mine ["--yes", "do it"]"#,
        ),
        (&["mine"], PromptVia::File, r#"mine ["/log/prompt.md"]"#),
        (
            &["mine", "--from={prompt_file}", "-v"],
            PromptVia::File,
            r#"mine ["--from=/log/prompt.md", "-v"]"#,
        ),
        (&[], PromptVia::Stdin, "agent `mine` has an empty command"),
    ];
    for (argv, prompt, want) in rows {
        assert_eq!(start(argv, *prompt), *want);
    }
}

#[test]
fn plain_text_is_judged_by_the_exit_and_the_result_block() {
    let rows = [
        ("done", ProcessExit::Code(0), Outcome::Worked),
        ("", ProcessExit::Code(0), Outcome::Worked),
        (
            "{\"type\":\"result\",\"is_error\":true}",
            ProcessExit::Code(0),
            Outcome::Worked,
        ),
        (
            "401 unauthorized, rate limit",
            ProcessExit::Code(3),
            Outcome::Crashed,
        ),
        (
            "```result\nstatus: complete\n```",
            ProcessExit::Code(1),
            Outcome::Crashed,
        ),
        (
            "```result\nstatus: blocked\nblocked_reason: why\n```",
            ProcessExit::Code(0),
            Outcome::Blocked("why".into()),
        ),
        ("", ProcessExit::Code(127), Outcome::Missing),
        ("half", ProcessExit::WallLimit, Outcome::TimedOut),
        ("half", ProcessExit::IdleLimit, Outcome::Idle),
        ("half", ProcessExit::Budget, Outcome::Budget),
        ("half", ProcessExit::Signal(9), Outcome::Crashed),
    ];
    for (text, exit, want) in rows {
        let mut listener = Listener::new(&CommandAdapter);
        text.lines()
            .for_each(|line| listener.line(line.as_bytes(), false));
        assert_eq!(
            CommandAdapter.outcome(&exit, &listener.end()),
            want,
            "{text:?} {exit:?}"
        );
    }
}
