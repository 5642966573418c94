//! The real programs, driven by `gatewalk loop`, against a model server of our own on loopback.
//!
//! Not part of `cargo test`: run it with `cargo test --test real`. A program that is neither on `PATH`
//! nor in the directory `GATEWALK_AGENTS` is skipped, and the test says so. Nothing leaves the machine:
//! the model is `server`, the key is made up, and the home directory is a temporary one.

mod accounts;
mod cycle;
mod delegation;
mod fixture;
mod on_a_runner;
mod scenes;
mod server;

use fixture::{AgentFixture, Run};
use scenes::every_end_is_recorded_as_it_was_served;
use server::Mood;
use std::io::Write;

/// Declares tests that call a function of the same name with an agent.
macro_rules! cases {
    ($agent:expr; $($case:ident),+ $(,)?) => {
        $(
            #[test]
            fn $case() {
                super::$case($agent);
            }
        )+
    };
}

/// Declares the cases of one agent, in a module of its name.
macro_rules! agent {
    ($name:ident) => {
        agent!($name, stringify!($name));
    };
    ($name:ident, $agent:expr) => {
        mod $name {
            cases!(
                $agent;
                a_unit_that_fails_is_tried_again_and_passes,
                a_limit_is_waited_out_without_an_attempt,
                a_hang_is_ended_and_leaves_no_process,
                the_doctor_probes_it,
            );
        }
    };
}

agent!(claude);
agent!(codex);
agent!(opencode);

/// Tests run in the order of their names: these are the longest, and wait the most, so they are among the first.
mod all_scenes {
    macro_rules! scenes {
        ($($name:ident, $agent:expr);+ $(;)?) => {
            $(
                #[test]
                fn $name() {
                    crate::every_end_is_recorded_as_it_was_served($agent);
                }
            )+
        };
    }

    scenes!(
        acp, crate::fixture::OWN;
        claude, "claude";
        cline, "cline";
        codex, "codex";
        continue_, "continue";
        copilot, "copilot";
        droid, "droid";
        gemini, "gemini";
        opencode, "opencode";
        qwen, "qwen";
    );
}

#[test]
fn aider_without_tools_writes_in_text() {
    one_unit_passes("aider");
}

// A program of the user's own configuration, spoken to by the Agent Client Protocol.
agent!(acp, super::fixture::OWN);

/// Returns a bench for the program, or `None`, said aloud, where it is not installed.
pub(crate) fn fixture(agent: &str) -> Option<AgentFixture> {
    let fixture = AgentFixture::new(agent);
    if fixture.is_none() {
        say(&format!(
            "skipped: `{agent}` is neither on PATH nor in the directory GATEWALK_AGENTS"
        ));
    }
    fixture
}

/// Prints past the test runner's capture: a skip that nobody sees looks like a pass, and a table is there to be read.
pub(crate) fn say(text: &str) {
    drop(writeln!(std::io::stderr(), "{text}"));
}

/// Programs that print no tokens.
pub(crate) const COUNTS_NOTHING: &[&str] = &["copilot", "continue"];

/// Its program hands work to a process of its own that runs on: to the user's, which no sandbox confines.
#[test]
fn cline_does_not_work_in_a_process_of_the_users() {
    let Some(fixture) = fixture("cline") else {
        return;
    };
    let command = "printf '%s\\n' \"${OF_THE_USER:-right}\" > hello.txt";
    fixture.server.commands(&[command.to_owned()]);
    let own = ["--json", "--auto-approve", "true", "Write hello.txt"];
    let mut cline = fixture.command("cline");
    cline
        .current_dir(fixture.home())
        .env("OF_THE_USER", "wrong");
    let out = cline.args(own).output().expect("cline runs");
    assert!(out.status.success(), "{out:?}");
    let run = fixture.walk("");
    assert!(
        fixture.end_processes() > 0,
        "the user's did not run on: {run}"
    );
    run.expect_exit(0);
    assert_eq!(fixture.landed("hello.txt").as_deref(), Some("right\n"));
}

#[test]
fn claude_works_on_a_runner_as_here() {
    on_a_runner::one_unit_passes_on_a_runner("claude");
}

#[test]
fn codex_works_on_a_runner_as_here() {
    on_a_runner::one_unit_passes_on_a_runner("codex");
}

#[test]
fn claude_works_on_a_host_as_here() {
    on_a_runner::one_unit_passes_on_a_host("claude");
}

#[test]
fn codex_works_on_a_host_as_here() {
    on_a_runner::one_unit_passes_on_a_host("codex");
}

fn one_unit_passes(agent: &str) {
    let Some(fixture) = fixture(agent) else {
        return;
    };
    fixture.server.answer(&["right"]);
    let run = fixture.walk("");
    run.expect_exit(0);
    assert_eq!(
        fixture.landed("hello.txt").as_deref(),
        Some("right\n"),
        "{run}"
    );
    let ended = run.ended();
    assert_eq!(ended.len(), 1, "{run}");
    assert_eq!(ended[0]["class"], "worked", "{run}");
    let counted = ended[0]["output_tokens"].as_u64().is_some_and(|n| n > 0);
    assert!(counted || COUNTS_NOTHING.contains(&agent), "{run}");
    fixture.expect_no_process(&run);
}

fn a_unit_that_fails_is_tried_again_and_passes(agent: &str) {
    let Some(mut fixture) = fixture(agent) else {
        return;
    };
    fixture.start_lightly();
    fixture.server.answer(&["wrong", "right"]);
    let run = fixture.walk("");
    run.expect_exit(0);
    assert_eq!(
        fixture.landed("hello.txt").as_deref(),
        Some("right\n"),
        "{run}"
    );
    assert_eq!(run.count("failed"), 1, "{run}");
    assert_eq!(fixture.attempts(), 2, "{run}");
    // The second session was told what the first one met.
    assert!(
        fixture.server.heard("wrong"),
        "no evidence in the second prompt: {run}"
    );
}

fn a_limit_is_waited_out_without_an_attempt(agent: &str) {
    let Some(mut fixture) = fixture(agent) else {
        return;
    };
    fixture.start_lightly();
    fixture.server.answer(&["right"]);
    fixture.server.mood(Mood::Limited);
    // The limit ends once the driver has said that it waits.
    let run = fixture.walk_until("", "waiting", |server| server.mood(Mood::Calm));
    run.expect_exit(0);
    assert_eq!(run.count("waiting"), 1, "{run}");
    assert_eq!(run.ended()[0]["class"], "limit", "{run}");
    let last = run.ended().last().map(|end| &end["class"]);
    assert_eq!(
        last.and_then(|class| class.as_str()),
        Some("worked"),
        "{run}"
    );
    assert_eq!(
        fixture.landed("hello.txt").as_deref(),
        Some("right\n"),
        "{run}"
    );
    assert_eq!(fixture.attempts(), 1, "the limit cost an attempt: {run}");
}

fn a_hang_is_ended_and_leaves_no_process(agent: &str) {
    let Some(mut fixture) = fixture(agent) else {
        return;
    };
    fixture.start_lightly();
    fixture.server.answer(&["right"]);
    fixture.server.mood(Mood::HangsAfterTool);
    // The server is well again once the driver has reported that it waits.
    let run = fixture.walk_until("idle_timeout: 20s\n", "waiting", |server| {
        server.mood(Mood::Calm)
    });
    run.expect_exit(0);
    let ended = run.ended();
    assert_eq!(ended[0]["class"], "network", "{run}");
    let notes = ended[0]["notes"].to_string();
    assert!(notes.contains("nothing was heard of it"), "{run}");
    assert!(
        run.count("silent") > 0,
        "the silence was not told first: {run}"
    );
    assert_eq!(fixture.attempts(), 1, "the hang cost an attempt: {run}");
    fixture.expect_no_process(&run);
}

fn the_doctor_probes_it(agent: &str) {
    let Some(mut fixture) = fixture(agent) else {
        return;
    };
    fixture.start_lightly();
    fixture.server.answer(&["hello"]);
    let (exit, output) = fixture.probe();
    assert_eq!(exit, Some(0), "{output}");
    let check = &output["checks"][0];
    assert_eq!(check["level"], "ok", "{output}");
    assert_eq!(check["session"]["class"], "worked", "{output}");
    fixture.server.mood(Mood::RefusesKey);
    let (exit, output) = fixture.probe();
    assert_eq!(exit, Some(5), "{output}");
    assert_eq!(output["checks"][0]["session"]["class"], "auth", "{output}");
    assert!(output["checks"][0]["remedy"].is_string(), "{output}");
}

#[test]
fn an_agent_without_an_account_hands_over_to_the_next_of_the_chain() {
    let (Some(first), Some(_)) = (fixture("claude"), fixture("codex")) else {
        return;
    };
    first.server.answer(&["right"]);
    first.server.mood(Mood::RefusesAnthropic);
    let run: Run = first.walk_as("agent: [claude, codex]\n");
    run.expect_exit(0);
    let classes: Vec<String> = run
        .ended()
        .iter()
        .map(|e| e["class"].as_str().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(classes, ["auth", "worked"], "{run}");
    assert_eq!(
        run.count("waiting"),
        0,
        "a refused key is not waited for: {run}"
    );
    assert_eq!(first.attempts(), 1, "{run}");
}
