//! The guided first run: by options, by questions on a terminal, and what is left out where nobody answers.

use crate::cycle::Stage;
use crate::lint_cases::is_deaf_to_interrupts;
use crate::stub_agents::WORK;
use std::io::{Read, Write};
use std::process::Stdio;

const SENTENCE: &str = "Every name that is given is greeted. Also the last one.";
const TITLE: &str = "Every name that is given is greeted";

impl Stage {
    /// Runs `init` on a terminal of its own, with these lines typed; nothing where no terminal can be made.
    fn init_on_a_terminal(&self, args: &str, typed: &str) -> Option<String> {
        let program = env!("CARGO_BIN_EXE_gatewalk");
        let mut child = match self
            .command("script")
            .args(["-qec", &format!("{program} init {args}"), "/dev/null"])
            .env("TERM", "dumb")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
        {
            Ok(child) => child,
            Err(_) => {
                println!("skipped: no `script` here to make a terminal");
                return None;
            }
        };
        std::io::Write::write_all(&mut child.stdin.take().expect("piped"), typed.as_bytes())
            .expect("typed");
        let out = child.wait_with_output().expect("it ends");
        Some(String::from_utf8_lossy(&out.stdout).into_owned())
    }

    /// Runs `init` on a terminal of its own: each answer is typed once its question is shown. Returns what was shown and the
    /// exit code; nothing where no terminal can be made.
    fn conversation(&self, answers: &[(&str, &str)]) -> Option<(String, Option<i32>)> {
        let program = env!("CARGO_BIN_EXE_gatewalk");
        // What is deaf as it starts stays so, and Ctrl-C is one of the answers.
        let hears = match is_deaf_to_interrupts() {
            true => "env --default-signal=INT ",
            false => "",
        };
        let spawned = self
            .command("script")
            .args(["-qec", &format!("{hears}{program} init"), "/dev/null"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let Ok(mut child) = spawned else {
            println!("skipped: no `script` here to make a terminal");
            return None;
        };
        let mut keys = child.stdin.take().expect("piped");
        let mut shown = child.stdout.take().expect("piped");
        let mut seen = String::new();
        for (question, answer) in answers {
            let mut bytes = [0; 4096];
            while !seen.contains(question) {
                let read = shown.read(&mut bytes).expect("readable");
                assert!(read > 0, "it ended without {question}: {seen}");
                seen += &String::from_utf8_lossy(&bytes[..read]);
            }
            keys.write_all(answer.as_bytes()).expect("typed");
        }
        shown.read_to_string(&mut seen).expect("it ends");
        let exit = child.wait().expect("it ends").code();
        Some((seen, exit))
    }

    fn plan_of_the_first_feature(&self) -> Option<String> {
        let features = self.repository.join(".gatewalk/features");
        let entry = std::fs::read_dir(features).ok()?.next()?.ok()?;
        std::fs::read_to_string(entry.path().join("PLAN.md")).ok()
    }
}

#[test]
fn options_say_what_a_terminal_would_be_asked() {
    let stage = Stage::greeter();
    stage.stub_agent("claude", WORK);
    let (out, err) = stage.run(
        0,
        &[
            "init",
            "--try",
            "--default-agent",
            "claude",
            "--probe",
            "--feature",
            SENTENCE,
        ],
    );
    assert!(err.contains("tried claude: "), "{err}");
    assert!(
        out.contains("new    .gatewalk/config.yml") && out.contains("PLAN.md"),
        "{out}"
    );
    assert!(
        stage
            .read(".gatewalk/config.yml")
            .contains("\nagent: \"claude\"\n")
    );
    let plan = stage.plan_of_the_first_feature().expect("written");
    assert!(plan.contains(&format!("\ntitle: {TITLE}\n")), "{plan}");
    assert!(plan.contains(SENTENCE), "{plan}");
    assert!(stage.read(".gatewalk/roadmap.md").contains(TITLE));
    let (found, _) = stage.run(0, &["lint", "--json"]);
    assert!(!found.contains("\"severity\":\"error\""), "{found}");
}

#[test]
fn an_agent_that_cannot_work_stops_the_first_run_before_anything_is_written() {
    let stage = Stage::greeter();
    stage.stub_agent("claude", "exit 3");
    for (exit, args, part) in [
        (
            2,
            &["--default-agent", "cluade"][..],
            "no agent is called `cluade`",
        ),
        (5, &["--default-agent", "droid"], "`droid` cannot work here"),
        (
            5,
            &["--default-agent", "claude", "--probe"],
            "`claude` was tried and failed",
        ),
        (2, &["--probe"], "--default-agent"),
        (2, &["--feature", "  "], "needs a sentence"),
    ] {
        let all = [&["init", "--try"], args].concat();
        let (_, err) = stage.run(exit, &all);
        assert!(err.contains(part), "{args:?}: {err}");
        let needs_a_trial = args.contains(&"--probe") && args.len() > 1;
        assert_eq!(err.contains("trying "), needs_a_trial, "{args:?}: {err}");
        assert!(!stage.repository.join(".gatewalk").exists(), "{args:?}");
    }
}

#[test]
fn a_dry_run_tries_nothing_and_writes_nothing() {
    let stage = Stage::greeter();
    stage.stub_agent("claude", "exit 3");
    let args = [
        "init",
        "--dry-run",
        "--default-agent",
        "claude",
        "--probe",
        "--feature",
        SENTENCE,
    ];
    let (_, err) = stage.run(0, &args);
    assert!(
        err.contains(&format!("a first feature `{TITLE}` would be written too")),
        "{err}"
    );
    assert_eq!(stage.git(&["status", "--porcelain"]), "");
}

#[test]
fn on_a_terminal_what_no_option_says_is_asked() {
    let stage = Stage::greeter();
    stage.stub_agent("claude", WORK);
    // Run the commands, a mistyped agent, the first one, try it, use it by hand too, a yes in place of a sentence, a sentence.
    let typed = format!("perhaps\ny\ncluade\ny\ny\ny\nyes\n{SENTENCE}\n");
    let Some(shown) = stage.init_on_a_terminal("", &typed) else {
        return;
    };
    for part in [
        "run each once now, to write only what passes? [Y/n]",
        "`perhaps` is neither yes nor no",
        "green   make test",
        "agents that are here:",
        "`cluade` is not in the list",
        "which of them does the work? [claude",
        "let claude write one file in a throwaway repository now?",
        "do you also use claude by hand? it gets a block in CLAUDE.md and the skills",
        "what should be built first",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(
        stage
            .read(".gatewalk/config.yml")
            .contains("\nagent: \"claude\"\n"),
        "{shown}"
    );
    let skill = stage.read(".claude/skills/gatewalk-plan/SKILL.md");
    assert!(skill.contains("name: gatewalk-plan"), "{shown}");
    assert!(stage.read("CLAUDE.md").contains("gatewalk lint"), "{shown}");
    let plan = stage.plan_of_the_first_feature().expect("written");
    assert!(plan.contains(&format!("\ntitle: {TITLE}\n")), "{plan}");
}

/// The questions in their order: a part of each, and an answer after which the next one comes.
const CONVERSATION: [(&str, &str); 5] = [
    ("[Y/n]", "n\n"),
    ("or `none`]", "claude\n"),
    ("in a throwaway repository now?", "n\n"),
    ("by hand?", "y\n"),
    ("what should be built first", SENTENCE),
];

#[test]
fn a_conversation_that_is_left_at_any_question_wrote_nothing() {
    let stage = Stage::greeter();
    stage.stub_agent("claude", WORK);
    for (at, (question, _)) in CONVERSATION.iter().enumerate() {
        for (key, words) in [("\u{4}", "nothing was written"), ("\u{3}", "")] {
            let mut typed = CONVERSATION;
            typed[at].1 = key;
            let Some((seen, exit)) = stage.conversation(&typed[..=at]) else {
                return;
            };
            assert_eq!(exit, Some(130), "{key:?} at {question}: {seen}");
            assert!(seen.contains(words), "{key:?} at {question}: {seen}");
            let left = stage.git(&["status", "--porcelain", "--ignored"]);
            assert_eq!(left, "", "{key:?} at {question}");
        }
    }
    // A trial of the commands has the signals, and has written nothing either.
    let after_trial = [("[Y/n]", "y\n"), ("or `none`]", "\u{3}")];
    let (seen, exit) = stage.conversation(&after_trial).expect("a terminal");
    assert_eq!(exit, Some(130), "{seen}");
    assert!(seen.contains("green   make test"), "{seen}");
    assert!(!stage.repository.join(".gatewalk").exists(), "{seen}");
}

#[test]
fn what_no_option_says_and_no_answer_is_left_out() {
    for (args, typed) in [("--no-input", ""), ("", "n\nnone\n\n")] {
        let stage = Stage::greeter();
        stage.stub_agent("claude", WORK);
        let Some(shown) = stage.init_on_a_terminal(args, typed) else {
            return;
        };
        assert_eq!(
            shown.contains("which of them"),
            args != "--no-input",
            "{args}: {shown}"
        );
        assert!(
            stage
                .read(".gatewalk/config.yml")
                .contains("\n# agent: claude "),
            "{shown}"
        );
        assert_eq!(stage.plan_of_the_first_feature(), None, "{shown}");
    }
}

#[test]
fn skills_are_written_once_for_the_agents_that_share_them_and_edits_stay() {
    let stage = Stage::greeter();
    let (out, _) = stage.run(
        0,
        &[
            "init",
            "--no-try",
            "--agent",
            "claude,codex,opencode,gemini",
        ],
    );
    for agent in [".claude", ".agents"] {
        let path = format!("{agent}/skills/gatewalk-plan/SKILL.md");
        assert_eq!(out.matches(&path).count(), 1, "{out}");
        assert!(stage.read(&path).starts_with("---\nname: gatewalk-plan\n"));
    }
    stage.write(
        ".claude/skills/gatewalk-why/SKILL.md",
        "---\nname: gatewalk-why\ndescription: Mine.\n---\n",
    );
    std::fs::remove_file(
        stage
            .repository
            .join(".claude/skills/gatewalk-plan/SKILL.md"),
    )
    .expect("removed");
    let (out, err) = stage.run(0, &["init", "--agent", "claude"]);
    assert!(
        err.contains("kept   .claude/skills/gatewalk-why/SKILL.md (edited"),
        "{err}"
    );
    assert_eq!(out.lines().count(), 1, "{out}");
    assert!(
        stage
            .read(".claude/skills/gatewalk-why/SKILL.md")
            .contains("Mine.")
    );
    let (_, err) = stage.run(0, &["init", "--agent", "codex"]);
    assert!(err.contains("they know already"), "{err}");
}

#[test]
fn the_program_reports_where_it_came_from_and_what_would_update_it() {
    let stage = Stage::greeter();
    let (long, _) = stage.run(0, &["--version"]);
    let (short, _) = stage.run(0, &["-V"]);
    assert!(long.starts_with(&short.trim_end().to_owned()), "{long}");
    assert_eq!(short.lines().count(), 1, "{short}");
    assert!(long.contains("\nfrom a build of a checkout: "), "{long}");
    assert!(
        long.contains("\nto update: git pull && cargo build --release"),
        "{long}"
    );
    // Elsewhere than where anything installs programs.
    let copy = stage.home.join("somewhere/gatewalk");
    std::fs::create_dir_all(copy.parent().expect("a directory")).expect("made");
    // By a process of its own: one that another test starts meanwhile would keep a file open that this one writes.
    let made = std::process::Command::new("cp")
        .args([env!("CARGO_BIN_EXE_gatewalk").as_ref(), copy.as_os_str()])
        .status();
    assert!(made.is_ok_and(|status| status.success()), "copied");
    let out = std::process::Command::new(&copy)
        .arg("--version")
        .output()
        .expect("it runs");
    assert!(String::from_utf8_lossy(&out.stdout).contains("from a copy of the program: "));
    let (_, err) = stage.run(3, &["upgrade"]);
    assert!(err.contains("never updates itself"), "{err}");
    stage.run(0, &["init", "--no-try"]);
    let (_, err) = stage.run(0, &["upgrade"]);
    assert!(
        err.contains("never updates itself; this would: git pull"),
        "{err}"
    );
    let (out, _) = stage.run(0, &["upgrade", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(value["program"]["origin"], "a build of a checkout", "{out}");
}
