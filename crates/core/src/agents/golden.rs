//! Golden tests of every adapter, driven by `tests/fixtures/transcripts/<agent>/`.
//!
//! `<case>/expect.txt` holds one line for each way the recorded process may have ended,
//! `<end> => <what is understood>`; `command.txt` the command line with and without the options of
//! a unit. Set `GATEWALK_BLESS=1` to rewrite both, and read the diff.

use super::*;
use crate::model::status_machine::Word;
use std::fs;
use std::path::PathBuf;

/// What every adapter of a program must have met.
const CASES: &[&str] = &[
    "ok",
    "refusal",
    "limit",
    "overload",
    "server-error",
    "cut",
    "hang",
    "auth",
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/transcripts")
}

fn bless() -> bool {
    std::env::var_os("GATEWALK_BLESS").is_some()
}

fn replay(agent: &'static dyn Agent, directory: &Path) -> Session {
    let mut listener = Listener::new(agent);
    let stdout = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.file_stem().is_some_and(|stem| stem == "stdout"))
        .unwrap_or_else(|| panic!("{} has no stdout", directory.display()));
    let stdout = fs::read(stdout).unwrap();
    for line in stdout.split_inclusive(|byte| *byte == b'\n') {
        listener.line(line.strip_suffix(b"\n").unwrap_or(line), false);
    }
    listener.stderr(&fs::read(directory.join("stderr.txt")).unwrap_or_default());
    listener.end()
}

fn exit(word: &str) -> ProcessExit {
    let number = |rest: &str| rest.parse().expect("a number");
    match word.split_once(' ') {
        Some(("code", code)) => ProcessExit::Code(number(code)),
        Some(("signal", signal)) => ProcessExit::Signal(number(signal)),
        _ => match word {
            "wall" => ProcessExit::WallLimit,
            "idle" => ProcessExit::IdleLimit,
            "cancelled" => ProcessExit::Cancelled,
            other => panic!("`{other}` is no end"),
        },
    }
}

/// Renders what was understood: class, tokens, cost, tools, retries, last words.
fn render(agent: &dyn Agent, exit: &ProcessExit, seen: &Session) -> String {
    let count = |n: Option<u64>| n.map_or("?".to_owned(), |n| n.to_string());
    let outcome = agent.outcome(exit, seen);
    let reset = match &outcome {
        Outcome::Limit { reset: Some(reset) } => format!(" {reset:?}"),
        _ => String::new(),
    };
    format!(
        "{}{reset} | {}+{} tokens, cache {}/{}, ${} | {} tools, {} denied, {} retries, {} unknown | {}",
        outcome.class().word(),
        count(seen.usage.input_tokens),
        count(seen.usage.output_tokens),
        count(seen.usage.cache_read),
        count(seen.usage.cache_write),
        seen.cost_usd
            .map_or("?".to_owned(), |cost| format!("{cost:.4}")),
        seen.tool_calls,
        seen.denials,
        seen.retries,
        seen.unknown_events,
        seen.closing_text().trim_end().lines().last().unwrap_or("-"),
    )
}

fn directories(agent: &dyn Agent) -> Vec<PathBuf> {
    let mut directories: Vec<PathBuf> = fs::read_dir(root().join(agent.name()))
        .map(|entries| entries.map(|entry| entry.unwrap().path()).collect())
        .unwrap_or_default();
    directories.retain(|path| path.join("expect.txt").is_file());
    directories.sort();
    directories
}

/// Agents that are programs of others: those that have recordings.
fn programs() -> impl Iterator<Item = &'static dyn Agent> {
    let recorded = |agent: &&dyn Agent| root().join(agent.name()).is_dir();
    ALL.iter()
        .copied()
        .filter(move |agent| agent.probe().is_some() || recorded(agent))
}

#[test]
fn every_recording_of_every_agent_is_understood() {
    let mut checked = 0;
    for agent in programs() {
        for directory in directories(agent) {
            let file = directory.join("expect.txt");
            let text = fs::read_to_string(&file).unwrap();
            let seen = replay(agent, &directory);
            let mut got = String::new();
            for line in text.lines() {
                let (end, _) = line.split_once(" =>").unwrap_or((line, ""));
                got += &format!("{end} => {}\n", render(agent, &exit(end), &seen));
                checked += 1;
            }
            if bless() {
                fs::write(&file, &got).unwrap();
                continue;
            }
            assert_eq!(got, text, "{}", directory.display());
        }
    }
    assert!(checked > 50, "{checked}");
}

#[test]
fn every_agent_has_met_success_and_every_kind_of_failure() {
    for agent in programs() {
        let directory = root().join(agent.name());
        let known: Vec<String> = directories(agent)
            .iter()
            .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
            .collect();
        for case in CASES {
            assert!(
                known.iter().any(|name| name == case),
                "{} lacks a recording of `{case}`",
                directory.display()
            );
        }
    }
}

#[test]
fn no_failure_counts_as_work_however_the_program_exits() {
    for agent in programs() {
        for case in ["limit", "overload", "server-error", "auth", "cut"] {
            let seen = replay(agent, &root().join(agent.name()).join(case));
            for end in [ProcessExit::Code(0), ProcessExit::Code(1)] {
                let outcome = agent.outcome(&end, &seen);
                assert_ne!(outcome, Outcome::Worked, "{} {case} {end:?}", agent.name());
                assert!(outcome.is_infra(), "{} {case} {end:?}", agent.name());
            }
        }
    }
}

#[test]
fn every_command_line_is_for_unattended_work() {
    let own = Definition::Command(CommandAgent {
        name: "mine".into(),
        args: vec![],
        set: vec![],
        model: None,
        argv: vec!["my-agent".into(), "--model={model}".into()],
        prompt: PromptVia::Stdin,
        tool_servers: vec![],
        env_keep: vec![],
        adapter: "command",
        lacking: None,
    });
    for agent in programs() {
        let full = Request {
            prompt_file: Path::new("/log/prompt.md"),
            prompt: "-- do it",
            model: Some("model-1"),
            effort: Some("high"),
            unit: "FEAT-2026-0042/T01",
            attempt: 2,
            budget_usd: Some(1.5),
            slot: Path::new("/slot"),
            definition: agent.takes_program().then_some(&own),
            root: true,
            own_program: Path::new("/bin/gatewalk"),
        };
        let bare = Request {
            model: None,
            effort: None,
            budget_usd: None,
            root: false,
            ..full
        };
        let mut got = String::new();
        for request in [bare, full] {
            let command = agent.command(&request).unwrap();
            for (name, value) in &command.env {
                got += &format!("{name}={value} ");
            }
            got += &format!(
                "{} {} < {:?}\n",
                command.program,
                command.args.join(" ").replace('\n', "\\n"),
                command.prompt
            );
        }
        let file = root().join(agent.name()).join("command.txt");
        if bless() {
            fs::write(&file, &got).unwrap();
        }
        let want = fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(got, want, "{}", file.display());
    }
}

#[test]
fn noise_broken_lines_and_unknown_events_never_stop_an_adapter() {
    let noise: [&[u8]; 6] = [
        b"npm warn deprecated",
        b"{broken",
        b"{\"type\":\"news\",\"x\":[1,{\"y\":null}]}",
        b"{\"type\":7}",
        b"\xff\xfe\x00",
        b"[]",
    ];
    for agent in programs() {
        let directory = root().join(agent.name()).join("ok");
        let calm = replay(agent, &directory);
        let path = ["stdout.jsonl", "stdout.json", "stdout.txt"]
            .map(|name| directory.join(name))
            .into_iter()
            .find(|path| path.is_file())
            .unwrap();
        let mut listener = Listener::new(agent);
        for line in fs::read(path).unwrap().split(|byte| *byte == b'\n') {
            noise.iter().for_each(|line| listener.line(line, false));
            listener.line(line, false);
        }
        let seen = listener.end();
        assert_eq!(seen.usage, calm.usage, "{}", agent.name());
        assert_eq!(
            agent.outcome(&ProcessExit::Code(0), &seen),
            Outcome::Worked,
            "{}",
            agent.name()
        );
    }
}

#[test]
fn a_prompt_too_long_for_an_argument_is_named_as_a_file() {
    let long = "x".repeat(ARGUMENT_CAP + 1);
    let request = |prompt| Request {
        prompt_file: Path::new("/log/prompt.md"),
        prompt,
        model: None,
        effort: None,
        unit: "u",
        attempt: 1,
        budget_usd: None,
        slot: Path::new("/slot"),
        definition: None,
        root: false,
        own_program: Path::new("/bin/gatewalk"),
    };
    assert_eq!(request("short").prompt_argument(), "short");
    assert!(request(&long).prompt_argument().contains("/log/prompt.md"));
}
