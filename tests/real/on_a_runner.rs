//! The programs on a runner, with a home of its own there: their login and their address go through the pipe, by name.

use crate::fixture::AgentFixture;
use std::path::PathBuf;

/// Variables that say where the model is, and with which key.
const ACCOUNT: &str = "[ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY, OPENAI_API_KEY]";

/// A machine of its own behind a pipe.
pub(crate) fn one_unit_passes_on_a_runner(agent: &str) {
    let Some(fixture) = crate::fixture(agent) else {
        return;
    };
    let home = far_home(&fixture).display().to_string();
    define(&fixture, &format!("[sh, -c, \"HOME={home} exec {{far}}\"]"));
    one_unit_passes(&fixture);
}

/// A host with a network of its own, which reaches the model through the connection: its `127.0.0.1` is not ours.
pub(crate) fn one_unit_passes_on_a_host(agent: &str) {
    let Ok(config) = std::env::var("GATEWALK_SSH_CONFIG") else {
        return crate::say(
            "SKIPPED: `tests/places/namespaces.sh cargo test --test real on_a_host` makes the host",
        );
    };
    let Some(fixture) = crate::fixture(agent) else {
        return;
    };
    let home = far_home(&fixture).display().to_string();
    let path = fixture.path().to_string_lossy().into_owned();
    let port = fixture
        .server
        .url()
        .rsplit_once(':')
        .expect("a port")
        .1
        .to_owned();
    define(
        &fixture,
        &format!(
            "[ssh, -F, {config}, -R, \"{port}:127.0.0.1:{port}\", one, \"env HOME={home} PATH={path} {{far}}\"]"
        ),
    );
    one_unit_passes(&fixture);
}

fn one_unit_passes(fixture: &AgentFixture) {
    fixture.server.answer(&["right"]);
    let run = fixture.walk_on("big", "");
    run.expect_exit(0);
    let landed = fixture.landed("hello.txt");
    assert_eq!(landed.as_deref(), Some("right\n"), "{run}");
    let ended = run.ended();
    assert_eq!(ended.len(), 1, "{run}");
    assert_eq!(ended[0]["class"], "worked", "{run}");
    assert_eq!(ended[0]["runner"], "big", "{run}");
    assert_eq!(ended[0]["output_tokens"], 100, "counted at home: {run}");
    assert_eq!(fixture.attempts(), 1, "{run}");
    fixture.expect_no_process(&run);
}

/// Makes another home, with the settings of the programs.
fn far_home(fixture: &AgentFixture) -> PathBuf {
    let far = fixture.home().with_file_name("far");
    std::fs::create_dir_all(far.join(".codex")).expect("a directory");
    let settings = ".codex/config.toml";
    std::fs::copy(fixture.home().join(settings), far.join(settings)).expect("it was written");
    far
}

/// Defines the runner `big`.
fn define(fixture: &AgentFixture, command: &str) {
    let config = fixture.home().join(".config/gatewalk/config.yml");
    let mut text = std::fs::read_to_string(&config).expect("it was written");
    text.push_str(&format!(
        "runners:\n  big:\n    command: {command}\n    program: {}\n    env: {ACCOUNT}\n",
        env!("CARGO_BIN_EXE_gatewalk")
    ));
    std::fs::write(config, text).expect("writable");
}
