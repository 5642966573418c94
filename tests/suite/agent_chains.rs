//! Chains of agents, each with its model, and what one session finds out for the whole run.

use crate::agents::{BEGIN, classes, own_loop, program, said, two_units};
use crate::world::{PROGRAM, Unit, World, text};
use serde_json::Value;

const END: &str =
    r#"say '{"type":"result","is_error":false,"usage":{"input_tokens":1,"output_tokens":1}}'"#;

fn one_unit(front: &str) -> World {
    World::with_units(&[Unit {
        id: "T01",
        front,
        ..Unit::default()
    }])
}

fn dispatched(events: &[Value]) -> Vec<String> {
    let sessions = events.iter().filter(|e| e["event"] == "dispatched");
    sessions
        .map(|e| format!("{} {}", e["agent"].as_str().unwrap(), e["model"]))
        .collect()
}

#[test]
#[ignore = "long"]
fn a_chain_asks_each_program_for_its_own_model() {
    // The codex that takes over prints what it was started with.
    let codex = r#"echo "args $*" >&2; echo whole > T01.txt; printf '{"type":"thread.started","thread_id":"t"}\n{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}\n'"#;
    let refused = "fail 401 'invalid key'; exit 1";
    // The first attempt is not good enough, and the ladder's model is not paid for.
    let climbs = format!("case \"$*\" in *opus-2*) {refused};; esac; echo half > T01.txt; {END}");
    for (front, claude, sessions, args) in [
        (
            "agent: [claude, codex]\nmodel: opus\neffort: high\n",
            refused,
            &["claude \"opus\"", "codex null"][..],
            "model_reasoning_effort=\"high\" -",
        ),
        (
            "agent: [{claude: opus}, {codex: gpt-5-codex, effort: low}]\neffort: high\n",
            refused,
            &["claude \"opus\"", "codex \"gpt-5-codex\""],
            "--model gpt-5-codex -c model_reasoning_effort=\"low\" -",
        ),
        (
            "agent: [{claude: opus}, {codex: gpt-5-codex, effort: low}]\nladder: [{model: opus-2, effort: max}]\n",
            &climbs,
            &[
                "claude \"opus\"",
                "claude \"opus-2\"",
                "codex \"gpt-5-codex\"",
            ],
            "--model gpt-5-codex -c model_reasoning_effort=\"xhigh\" -",
        ),
    ] {
        let world = one_unit(front);
        program(&world, "claude", &format!("{BEGIN}{claude}"));
        program(&world, "codex", codex);
        let output = own_loop(&world).output().unwrap();
        let (code, events) = said(&output);
        assert_eq!(code, Some(0), "{front}: {}", text(&output));
        assert_eq!(dispatched(&events), sessions, "{front}");
        let charged = sessions.len() - 1;
        let log = format!(".git/gatewalk/logs/FEAT-2026-0001_T01/{charged}/session.log");
        let log = world.read(&log);
        assert!(log.contains(args), "{front}: {log}");
        assert!(!log.contains("--model opus"), "{front}: {log}");
    }
}

#[test]
fn a_profile_that_is_not_defined_here_stops_before_anything_runs_or_is_passed_over() {
    let works = format!("{BEGIN}echo whole > T01.txt; {END}");
    for (front, exit, sessions) in [
        ("agent: glm\n", 5, &[][..]),
        ("agent: [glm, claude]\n", 0, &["claude null"]),
    ] {
        let world = one_unit(front);
        program(&world, "claude", &works);
        let planned = text(&world.run(&["loop", "--dry-run"]));
        let why = "cannot start: no agent is called `glm`";
        assert!(planned.contains(why), "{planned}");
        let output = own_loop(&world).output().unwrap();
        let (code, events) = said(&output);
        assert_eq!(code, Some(exit), "{front}: {}", text(&output));
        assert_eq!(dispatched(&events), sessions, "{front}");
        let shown = text(&output);
        assert!(shown.contains("no agent is called `glm`"), "{shown}");
        let ran = events.iter().any(|event| event["event"] == "base_check");
        assert_eq!(ran, exit == 0, "{events:#?}");
    }
}

#[test]
fn a_chain_of_the_command_line_has_its_own_models() {
    let world = one_unit("agent: gemini\nmodel: pro\n");
    program(
        &world,
        "claude",
        &format!("{BEGIN}fail 401 'invalid key'; exit 1"),
    );
    program(
        &world,
        "codex",
        r#"echo whole > T01.txt; printf '{"type":"thread.started","thread_id":"t"}\n{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}\n'"#,
    );
    let unknown = own_loop(&world)
        .args(["--agent", "claude:opus,codx"])
        .output()
        .unwrap();
    assert_eq!(unknown.status.code(), Some(3), "{}", text(&unknown));
    assert!(text(&unknown).contains("did you mean `codex`?"));
    let output = own_loop(&world)
        .args(["--agent", "claude:opus,codex"])
        .output()
        .unwrap();
    let (code, events) = said(&output);
    assert_eq!(code, Some(0), "{}", text(&output));
    assert_eq!(dispatched(&events), ["claude \"opus\"", "codex null"]);
}

#[test]
fn the_model_of_a_plan_reaches_a_second_account_of_the_same_program_and_no_other() {
    let world = one_unit("agent: [claude, claude-work, other]\nmodel: opus\n");
    let config = world.root.join("home/.config/gatewalk");
    std::fs::create_dir_all(&config).unwrap();
    std::fs::write(
        config.join("config.yml"),
        "agents:\n  claude-work:\n    speaks: claude\n    set: {CLAUDE_CONFIG_DIR: ~/.claude-work}\n  other:\n    command: [own, \"{model}\"]\n",
    )
    .unwrap();
    program(
        &world,
        "claude",
        &format!("{BEGIN}fail 401 'invalid key'; exit 1"),
    );
    program(&world, "own", "echo whole > T01.txt");
    let output = own_loop(&world).output().unwrap();
    let (code, events) = said(&output);
    assert_eq!(code, Some(0), "{}", text(&output));
    let want = ["claude \"opus\"", "claude-work \"opus\"", "other null"];
    assert_eq!(dispatched(&events), want);
}

#[test]
fn a_dry_run_says_what_each_agent_of_a_chain_is_asked_for_at_each_attempt() {
    let profile =
        "agents:\n  glm: {speaks: claude, model: glm-5}\n  gem: {speaks: gemini, model: g-3}\n";
    for (front, want) in [
        (
            "agent: [{claude: opus}, glm, codex]\n",
            "agent: claude (model opus), then glm (model glm-5), then codex (its own model)\n   prompt",
        ),
        (
            "agent: [claude, codex]\neffort: low\n",
            "agent: claude, then codex, its own model, effort low\n   prompt",
        ),
        // One that is told no effort is shown none, and so is a profile that speaks as it does.
        (
            "agent: [claude, gemini, gem]\neffort: low\n",
            "agent: claude (its own model, effort low), then gemini (its own model), then gem (model g-3)\n   prompt",
        ),
        (
            "agent: [claude, {codex: gpt-5-codex, effort: high}]\nladder: [{model: opus}, {model: opus, effort: max}]\nmax_attempts: 9\n",
            "agent: claude (its own model), then codex (model gpt-5-codex, effort high)\n   \
             from attempt 2 on: claude (model opus), then codex (model gpt-5-codex, effort high)\n   \
             from attempt 3 on: claude (model opus, effort max), then codex (model gpt-5-codex, effort max)\n   prompt",
        ),
    ] {
        let world = one_unit(front);
        let config = world.root.join("home/.config/gatewalk");
        std::fs::create_dir_all(&config).unwrap();
        std::fs::write(config.join("config.yml"), profile).unwrap();
        let told = text(&world.run(&["loop", "--dry-run"]));
        // What is not installed is said between.
        let told: String = told
            .split_inclusive('\n')
            .filter(|line| !line.contains("cannot start"))
            .collect();
        assert!(told.contains(want), "{told}");
    }
}

#[test]
fn a_model_that_is_not_there_is_asked_for_once_in_a_run() {
    let world = two_units("agent: claude\nmodel: opus-9\n");
    program(
        &world,
        "claude",
        &format!("{BEGIN}fail 404 'model: opus-9'; exit 1"),
    );
    let output = own_loop(&world).output().unwrap();
    let (code, events) = said(&output);
    assert_eq!(code, Some(5), "{}", text(&output));
    assert_eq!(classes(&events), ["protocol"], "{}", text(&output));
    assert!(
        text(&output).contains("name a model that it has"),
        "{}",
        text(&output)
    );
}

#[test]
fn a_question_in_place_of_work_waits_for_an_answer_that_the_next_session_reads() {
    let world = one_unit("agent: claude\n");
    let ask = r#"say '{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"I looked at it.\n\nWhich database should it use, Postgres or SQLite?"}]}}'"#;
    // The prompt is standard input, so this program reads it.
    let script = format!(
        "{BEGIN}if grep -q 'Answer: Postgres' \"$GATEWALK_PROMPT_COPY\" 2>/dev/null; then write; else {ask}; fi; {END}"
    );
    program(&world, "claude", &script);
    let path = world.root.join("bin/claude");
    let copy = world.root.join("home/prompt");
    let program = std::fs::read_to_string(&path).unwrap();
    let reads = program
        .replace("cat >/dev/null", &format!("cat > '{}'", copy.display()))
        .replace("$GATEWALK_PROMPT_COPY", &copy.to_string_lossy());
    std::fs::write(&path, reads).unwrap();
    let output = own_loop(&world).output().unwrap();
    let (code, events) = said(&output);
    assert_eq!(code, Some(11), "{}", text(&output));
    assert_eq!(
        classes(&events),
        ["blocked"],
        "asked once: {}",
        text(&output)
    );
    let question = "Which database should it use, Postgres or SQLite?";
    for args in [
        &["why", "T01"][..],
        &["attempts", "show", "T01"],
        &["answer"],
        &["status"],
    ] {
        let output = world.run(args);
        let asked = text(&output).contains(question) || args == ["status"];
        assert!(asked, "{args:?}: {}", text(&output));
    }
    let next = text(&world.run(&["why", "T01"]));
    assert!(next.contains("next: gatewalk answer 1"), "{next}");
    for (args, says) in [
        (&["answer", "Postgres"][..], "gatewalk answer 1"),
        (&["answer", "T07", "Postgres"], "no unit"),
        (&["answer", "2", "Postgres"], "open: 1"),
    ] {
        let refused = world.run(args);
        assert_eq!(
            refused.status.code(),
            Some(2),
            "{args:?}: {}",
            text(&refused)
        );
        assert!(
            text(&refused).contains(says),
            "{args:?}: {}",
            text(&refused)
        );
    }
    let output = world.run(&["answer", "t01", "Postgres"]);
    assert!(output.status.success(), "{}", text(&output));
    assert!(
        text(&output).contains("T01 is pending again"),
        "{}",
        text(&output)
    );
    // A gate that stopped for an answer is the user's to pass.
    let output = own_loop(&world).output().unwrap();
    assert_eq!(output.status.code(), Some(10), "{}", text(&output));
    assert!(text(&output).contains("\"landed\""), "{}", text(&output));
    let none = text(&world.run(&["answer", "--feature", "FEAT-2026-0001"]));
    assert!(none.contains("no open questions"), "{none}");
}

#[test]
fn a_plan_or_a_refusal_in_place_of_work_is_told_to_one_more_session_and_shown_where_the_user_looks()
{
    let says = |text: &str| {
        format!(
            r#"{{"type":"assistant","message":{{"id":"m","content":[{{"type":"text","text":"{text}"}}]}}}}"#
        )
    };
    let plan = r#"{"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"ExitPlanMode","input":{"plan":"Here is the plan:\n\n1. Write the file that is missing.\n2. Run the check."}}]}}"#;
    for (said_instead, shown) in [
        (
            says("I am sorry, but I cannot help with that request."),
            "I cannot help with that request",
        ),
        (
            plan.to_owned(),
            "Here is the plan: 1. Write the file that is missing.",
        ),
    ] {
        let world = one_unit("agent: claude\n");
        program(
            &world,
            "claude",
            &format!("{BEGIN}say '{said_instead}'; {END}"),
        );
        let mut walk = world.command(PROGRAM);
        let path = format!("{}:/usr/bin:/bin", world.root.join("bin").display());
        let output = walk.env("PATH", path).arg("loop").output().unwrap();
        assert_eq!(output.status.code(), Some(11), "{}", text(&output));
        let why = world.run(&["why", "T01"]);
        let show = world.run(&["attempts", "show", "T01"]);
        for output in [&output, &why, &show] {
            assert!(text(output).contains(shown), "{}", text(output));
        }
        let prompt = |n: u32| format!(".git/gatewalk/logs/FEAT-2026-0001_T01/{n}/prompt.md");
        let second = world.read(&prompt(2));
        let told = second.split_once("# The attempt before failed").unwrap().1;
        assert!(
            told.contains(shown) && told.contains("Nobody reads a plan"),
            "{told}"
        );
        assert!(
            !world.repo().join(prompt(3)).exists(),
            "twice the same ends it"
        );
    }
}

#[test]
fn an_answer_and_an_output_of_many_megabytes_are_no_fault() {
    let world = one_unit("agent: claude\n");
    // One line each: what a tool printed, and the last event, with its type at its end.
    let script = format!(
        "{BEGIN}write; printf '{{\"type\":\"user\",\"message\":{{\"content\":[{{\"type\":\"tool_result\",\"tool_use_id\":\"t\",\"content\":\"'; head -c 11000000 /dev/zero | tr '\\0' x; printf '\"}}]}}}}\\n{{\"is_error\":false,\"result\":\"'; head -c 3000000 /dev/zero | tr '\\0' y; printf '\",\"usage\":{{\"input_tokens\":7,\"output_tokens\":5}},\"type\":\"result\"}}\\n'"
    );
    program(&world, "claude", &script);
    let output = own_loop(&world).output().unwrap();
    let (code, events) = said(&output);
    assert_eq!(
        code,
        Some(0),
        "{}",
        text(&output).chars().take(3000).collect::<String>()
    );
    let ended = events
        .iter()
        .find(|e| e["event"] == "session_ended")
        .unwrap();
    assert_eq!(ended["class"], "worked");
    assert_eq!(ended["output_tokens"], 5, "{ended}");
}
