//! Work that landed is never reversed, done again, replaced or dropped without a word.

use super::world::{BRANCH, World, good, text, two_units};

const FEATURE: &str = ".gatewalk/features/FEAT-2026-0001-greetings";

fn sh(world: &World, script: &str) {
    let output = world.command("sh").args(["-ec", script]).output().unwrap();
    assert!(output.status.success(), "{script}: {}", text(&output));
}

/// Expects a refusal with this exit code and these words, before anything was started or moved.
#[track_caller]
fn refused(world: &World, exit: i32, words: &[&str]) {
    let refs = world.git(&["for-each-ref"]);
    let output = world.walk();
    let shown = text(&output);
    assert_eq!(output.status.code(), Some(exit), "{shown}");
    for word in words {
        assert!(shown.contains(word), "no `{word}` in {shown}");
    }
    assert_eq!(world.git(&["for-each-ref"]), refs, "{shown}");
}

#[track_caller]
fn done(world: &World) {
    let output = world.walk();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    for id in ["T01", "T02"] {
        let landed = world.git(&["show", &format!("{BRANCH}:{id}.txt")]);
        assert_eq!(landed, "whole\n");
    }
}

#[test]
fn a_branch_that_another_worktree_has_checked_out_is_not_moved_under_it() {
    let world = two_units();
    let there = world.root.join("there");
    sh(&world, &format!("git worktree add -q -b {BRANCH} ../there"));
    let words = [
        "is checked out in the worktree",
        "git -C",
        "switch --detach",
    ];
    refused(&world, 5, &words);
    let status = world.git(&["-C", there.to_str().unwrap(), "status", "--porcelain"]);
    assert_eq!(status, "");
    sh(&world, "git -C ../there switch -q --detach");
    done(&world);
}

#[test]
fn a_worktree_that_takes_the_branch_during_a_session_is_not_fallen_behind() {
    let world = two_units();
    // The user's checkout stays on `main`, so that git lets a worktree take the branch.
    let take = format!(
        "cd '{}' && git checkout -q main && git worktree add -q ../there {BRANCH}",
        world.repo().display()
    );
    let session = super::world::after_shell("T01", &take);
    std::fs::write(world.root.join("sessions/T01.1.yml"), session).unwrap();
    let output = world.walk_unconfined();
    let shown = text(&output);
    assert_eq!(output.status.code(), Some(5), "{shown}");
    assert!(shown.contains("is checked out in the worktree"), "{shown}");
    let there = world.root.join("there");
    let status = world.git(&["-C", there.to_str().unwrap(), "status", "--porcelain"]);
    assert_eq!(status, "");
    sh(&world, "git worktree remove ../there");
    std::fs::write(world.root.join("sessions/T01.1.yml"), good("T01")).unwrap();
    done(&world);
}

#[test]
fn a_worktree_whose_directory_is_gone_holds_nothing_up() {
    let world = two_units();
    sh(
        &world,
        &format!("git worktree add -q -b {BRANCH} ../there; rm -r ../there"),
    );
    done(&world);
}

#[test]
fn a_log_too_large_to_be_read_is_an_error_and_never_replaced() {
    let world = two_units();
    let line = "{\"seq\":1}\n";
    let log = line.repeat(17 * 1024 * 1024 / line.len());
    world.write(&format!("{FEATURE}/events.jsonl"), &log);
    sh(&world, "git add -A; git commit -qm log");
    refused(&world, 3, &["events.jsonl` has 17 MiB"]);
}

#[test]
fn a_branch_that_only_the_remote_has_is_fetched_not_done_again() {
    let world = two_units();
    done(&world);
    sh(
        &world,
        &format!(
            "git clone -q --bare . ../origin; git remote add origin ../origin; git fetch -q origin; git checkout -q main; git branch -q -D {BRANCH}; git for-each-ref --format='delete %(refname)' refs/gatewalk | git update-ref --stdin"
        ),
    );
    let fetch = format!("git fetch origin {BRANCH}:{BRANCH}");
    refused(&world, 3, &[&fetch]);
    let output = world.run(&["loop", "--dry-run"]);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output));
    sh(&world, &fetch);
    let before = world.git(&["rev-parse", BRANCH]);
    world.walk();
    assert_eq!(
        world.git(&["rev-parse", BRANCH]),
        before,
        "nothing is done again"
    );
}

#[test]
fn without_an_identity_nothing_starts_and_gits_own_remedy_is_shown() {
    for setting in ["user.name=Ada", "user.useConfigOnly=true"] {
        let world = two_units();
        let (key, value) = setting.split_once('=').unwrap();
        world.git(&["config", key, value]);
        let mut driver = world.driver(&world.root.join("sessions"));
        for role in ["AUTHOR", "COMMITTER"] {
            driver.env_remove(format!("GIT_{role}_NAME"));
            driver.env_remove(format!("GIT_{role}_EMAIL"));
        }
        let output = driver.output().unwrap();
        let shown = text(&output);
        assert_eq!(output.status.code(), Some(5), "{setting}: {shown}");
        assert!(shown.contains("git config --global user.email"), "{shown}");
        assert_eq!(world.git(&["for-each-ref", "refs/gatewalk", BRANCH]), "");
        world.git(&["config", "user.name", "Eve"]);
        world.git(&["config", "user.email", "eve@example.org"]);
        assert_eq!(driver.output().unwrap().status.code(), Some(0));
        let author = world.git(&["log", "-1", "--format=%an <%ae>", BRANCH]);
        assert_eq!(author, "Eve <eve@example.org>\n");
    }
}
