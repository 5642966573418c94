//! The programs on a runner, with a home of its own there: their login and their address go through the pipe, by name.

use crate::fixture::AgentFixture;

/// Variables that say where the model is, and with which key.
const ACCOUNT: &str = "[ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY, OPENAI_API_KEY]";

pub(crate) fn one_unit_passes_on_a_runner(agent: &str) {
    let Some(fixture) = crate::fixture(agent) else {
        return;
    };
    fixture.server.answer(&["right"]);
    define(&fixture);
    let run = fixture.walk_on("big", "idle_timeout: 2m\n");
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

/// Defines the runner `big`: this machine behind a pipe, with the settings of the programs in another home.
fn define(fixture: &AgentFixture) {
    let far = fixture.home().with_file_name("far");
    std::fs::create_dir_all(far.join(".codex")).expect("a directory");
    let settings = ".codex/config.toml";
    std::fs::copy(fixture.home().join(settings), far.join(settings)).expect("it was written");
    let config = fixture.home().join(".config/gatewalk/config.yml");
    let mut text = std::fs::read_to_string(&config).expect("it was written");
    text.push_str(&format!(
        "runners:\n  big:\n    command: [sh, -c, \"HOME={} exec {{far}}\"]\n    program: {}\n    env: {ACCOUNT}\n",
        far.display(),
        env!("CARGO_BIN_EXE_gatewalk")
    ));
    std::fs::write(config, text).expect("writable");
}
