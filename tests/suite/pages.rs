//! The pages a newcomer follows, followed: every shell block, in order, where the page says one stands.

use crate::cycle::Stage;
use crate::stub_agents::WORK;
use std::path::Path;

/// Where a page begins, as the commands that lead there.
const NOTHING: &str = "";
const PLANNED: &str = "gatewalk init --try\ngit add --all && git commit --quiet --message Plans\n\
     gatewalk draft 'Every name that is given is greeted on a line of its own'\n";
const ARMED: &str = "gatewalk arm\n";
const LANDED: &str = "gatewalk loop\n";
/// A test that today's program does not pass.
const RED: &str = "echo '[ \"$(sh greet.sh Ada Alan | wc -l)\" -eq 2 ]' > tests/test_two.sh\n\
     git add --all && git commit --quiet --message 'Ask for two lines'\n";

fn text_of(page: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{page}: {error}"))
}

/// Returns the shell blocks of a page.
fn blocks(page: &str) -> Vec<String> {
    let text = text_of(page);
    let blocks = text.split("```sh\n").skip(1);
    blocks
        .filter_map(|block| Some(block.split_once("\n```")?.0.to_owned()))
        .collect()
}

/// Runs a script as a newcomer's shell would: an empty home, a path, and nothing else. Returns what it printed.
fn follow(stage: &Stage, directory: &Path, script: &str, page: &str) -> String {
    let program = env!("CARGO_BIN_EXE_gatewalk");
    // A program by name, so that scripts of a page find it too.
    stage.stub("gatewalk", &format!("exec '{program}' \"$@\""));
    let out = stage
        .command("sh")
        .args(["-c", &format!("set -e\n{script}\n")])
        .current_dir(directory)
        .env("USER", "ada")
        .stdin(std::process::Stdio::null())
        .output()
        .expect("it runs");
    let printed = format!(
        "{}{}",
        String::from_utf8_lossy(&out.stdout),
        String::from_utf8_lossy(&out.stderr)
    );
    assert_eq!(out.status.code(), Some(0), "{page}: {printed}");
    printed
}

/// Follows a page from where `before` leads, with programs in the place of the agents, and expects what it prints.
fn expect_page(page: &str, before: &[&str], parts: &[&str]) {
    let stage = Stage::greeter();
    for agent in ["claude", "codex"] {
        stage.stub_agent(agent, WORK);
    }
    stage.stub("sbatch", "exec sh \"$1\"");
    let mut blocks = blocks(page);
    // These two are for a checkout of the program, and `.ci/run` runs them.
    blocks.retain(|block| !block.starts_with("cargo "));
    assert!(!blocks.is_empty(), "{page} has no commands");
    let script = format!("{}{}", before.concat(), blocks.join("\n"));
    let printed = follow(&stage, &stage.repository, &script, page);
    for part in parts {
        assert!(printed.contains(part), "{page}: {part}: {printed}");
    }
}

#[test]
fn getting_started_works_as_it_stands() {
    let page = "docs/getting-started.md";
    let blocks = blocks(page);
    assert!(blocks.len() >= 8, "{}", blocks.len());
    let stage = Stage::empty();
    let printed = follow(&stage, &stage.home, &blocks.join("\n"), page);
    for part in [
        "attempt 1 failed",
        "1 of 1 requirements covered",
        "Hello, Ada!\nHello, Alan!",
        "## Units",
        "cannot git push origin feat/",
    ] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
}

#[test]
fn the_readme_leads_to_a_first_feature() {
    expect_page(
        "README.md",
        &[NOTHING],
        &["is drafted", "landed as", "is done: every gate passed"],
    );
}

#[test]
#[ignore = "long"]
fn the_first_feature_of_the_cookbook_is_finished() {
    expect_page(
        "docs/cookbook/first-feature.md",
        &[NOTHING],
        &[
            "green   make test",
            "landed as",
            "is done: every gate passed",
        ],
    );
}

#[test]
#[ignore = "long"]
fn the_pipeline_page_lints_checks_and_verifies() {
    let before = [PLANNED, ARMED, LANDED];
    expect_page("docs/cookbook/ci.md", &before, &["same as on record"]);
}

#[test]
#[ignore = "long"]
fn the_page_on_several_agents_lands_work_of_another_one() {
    let page = "docs/cookbook/several-agents.md";
    expect_page(page, &[PLANNED, ARMED], &["with codex", "landed as"]);
}

#[test]
#[ignore = "long"]
fn the_page_on_gateways_pays_at_the_gateway() {
    let page = "docs/cookbook/gateways.md";
    let parts = ["https://gateway.example", "with glm", "landed as"];
    expect_page(page, &[PLANNED, ARMED], &parts);
}

#[test]
#[ignore = "long"]
fn the_page_on_a_monorepo_judges_by_package() {
    let page = "docs/cookbook/monorepo.md";
    expect_page(page, &[PLANNED, ARMED], &["pass greeter", "landed as"]);
}

#[test]
#[ignore = "long"]
fn the_page_on_inherited_red_finds_it_and_lands_the_work() {
    let page = "docs/cookbook/inherited-red.md";
    let parts = [
        "red before anybody worked",
        "no session was spent",
        "landed as",
    ];
    expect_page(page, &[PLANNED, RED, ARMED], &parts);
}

#[test]
#[ignore = "long"]
fn the_page_on_night_runs_leaves_a_report() {
    let page = "docs/cookbook/night-runs.md";
    expect_page(page, &[PLANNED, ARMED], &["landed as"]);
}

#[test]
#[ignore = "long"]
fn the_page_on_clusters_runs_from_the_queue() {
    let page = "docs/cookbook/hpc.md";
    expect_page(page, &[PLANNED, ARMED], &["landed as"]);
}

#[test]
fn no_page_of_the_cookbook_is_left_out() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cookbook");
    let this = text_of("tests/suite/pages.rs");
    for entry in std::fs::read_dir(directory).expect("pages") {
        let name = entry.expect("readable").file_name();
        let name = name.to_str().expect("UTF-8");
        let page = format!("docs/cookbook/{name}");
        if !blocks(&page).is_empty() {
            assert!(
                this.contains(&format!("\"{page}\"")),
                "{page} is not followed"
            );
        }
    }
}
