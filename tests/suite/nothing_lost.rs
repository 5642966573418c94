//! Work that landed is never reversed, done again, replaced or dropped without a word.

use super::world::{BRANCH, World, after_shell, ended, good, text, two_units, two_units_with};

const FEATURE: &str = ".gatewalk/features/FEAT-2026-0001-greetings";

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
    world.sh(&format!("git worktree add -q -b {BRANCH} ../there"));
    let words = [
        "is checked out in the worktree",
        "git -C",
        "switch --detach",
    ];
    refused(&world, 5, &words);
    let status = world.git(&["-C", there.to_str().unwrap(), "status", "--porcelain"]);
    assert_eq!(status, "");
    world.sh("git -C ../there switch -q --detach");
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
    let session = after_shell("T01", &take);
    std::fs::write(world.root.join("sessions/T01.1.yml"), session).unwrap();
    let output = world.walk_unconfined();
    let shown = text(&output);
    assert_eq!(output.status.code(), Some(5), "{shown}");
    assert!(shown.contains("is checked out in the worktree"), "{shown}");
    let there = world.root.join("there");
    let status = world.git(&["-C", there.to_str().unwrap(), "status", "--porcelain"]);
    assert_eq!(status, "");
    world.sh("git worktree remove ../there");
    std::fs::write(world.root.join("sessions/T01.1.yml"), good("T01")).unwrap();
    done(&world);
}

#[test]
fn a_worktree_whose_directory_is_gone_holds_nothing_up() {
    let world = two_units();
    world.sh(&format!(
        "git worktree add -q -b {BRANCH} ../there; rm -r ../there"
    ));
    done(&world);
}

#[test]
fn a_log_too_large_to_be_read_is_an_error_and_never_replaced() {
    let world = two_units();
    let line = "{\"seq\":1}\n";
    let log = line.repeat(17 * 1024 * 1024 / line.len());
    world.write(&format!("{FEATURE}/events.jsonl"), &log);
    world.sh("git add -A; git commit -qm log");
    refused(&world, 3, &["events.jsonl` has 17 MiB"]);
}

#[test]
fn a_branch_that_only_the_remote_has_is_fetched_not_done_again() {
    let world = two_units();
    done(&world);
    world.sh(&format!(
            "git clone -q --bare . ../origin; git remote add origin ../origin; git fetch -q origin; git checkout -q main; git branch -q -D {BRANCH}; git for-each-ref --format='delete %(refname)' refs/gatewalk | git update-ref --stdin"
        ),
    );
    let fetch = format!("git fetch origin {BRANCH}:{BRANCH}");
    refused(&world, 3, &[&fetch]);
    let output = world.run(&["loop", "--dry-run"]);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output));
    let status = text(&world.run(&["status"]));
    assert!(status.contains(&fetch), "{status}");
    world.sh(&fetch);
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

#[test]
#[ignore = "long"]
fn a_log_that_the_checkout_has_stale_or_cut_short_comes_back() {
    let log = format!("{FEATURE}/events.jsonl");
    for (name, script) in [
        ("cut short", "head -c 200 LOG > x; mv x LOG"),
        ("an earlier version", "head -n 1 LOG > x; mv x LOG"),
        (
            "an earlier version, staged",
            "head -n 1 LOG > x; mv x LOG; git add LOG",
        ),
        ("empty", ": > LOG"),
        ("gone", "rm LOG"),
        (
            "a roadmap cut short",
            "head -c 20 .gatewalk/roadmap.md > x; mv x .gatewalk/roadmap.md; : > LOG",
        ),
    ] {
        let world = two_units();
        let session = world.root.join("sessions/T02.1.yml");
        std::fs::rename(&session, world.root.join("later")).unwrap();
        world.walk();
        assert_eq!(
            world.read("T01.txt"),
            "whole\n",
            "{name}: the first has landed"
        );
        let before = world.read(&log);
        world.sh(&script.replace("LOG", &log));
        std::fs::rename(world.root.join("later"), &session).unwrap();
        done(&world);
        let after = world.read(&log);
        assert!(after.starts_with(&before) && after != before, "{name}");
        assert_eq!(world.uncommitted(), [""; 0], "{name}");
    }
}

#[test]
fn an_edit_of_the_log_is_still_the_users_to_settle() {
    let world = two_units();
    std::fs::remove_file(world.root.join("sessions/T02.1.yml")).unwrap();
    world.walk();
    let log = format!("{FEATURE}/events.jsonl");
    world.write(&log, "mine\n");
    refused(&world, 3, &["uncommitted edits"]);
    assert_eq!(world.read(&log), "mine\n");
}

/// A repository with a submodule at `sub`, of one file.
fn with_submodule(session: &str) -> World {
    let world = two_units_with(&[session, &good("T01")]);
    world.sh("git init -q -b main ../inner; cd ../inner; echo one > lib; git add lib; git commit -qm one; cd ../repo; git -c protocol.file.allow=always submodule --quiet add ../inner sub; git commit -qm sub",
    );
    world
}

#[test]
fn a_change_inside_a_submodule_is_refused_before_verification_and_kept() {
    let world = with_submodule(&after_shell("T01", "echo two > sub/lib"));
    let output = world.walk();
    let shown = text(&output);
    assert_eq!(
        output.status.code(),
        Some(0),
        "the next session passes: {shown}"
    );
    assert!(shown.contains("files of a submodule changed"), "{shown}");
    let kept = world.git(&[
        "show",
        "refs/gatewalk/attempts/FEAT-2026-0001/T01/1:sub/lib",
    ]);
    assert_eq!(kept, "two\n");
    let link = world.git(&["ls-tree", BRANCH, "sub"]);
    assert!(link.starts_with("160000 "), "{link}");
}

#[test]
fn a_unit_parked_for_a_submodule_is_sent_into_the_submodule_not_to_its_touches() {
    let change = after_shell("T01", "echo two > sub/lib");
    let world = two_units_with(&[&change, &change]);
    world.sh("git init -q -b main ../inner; cd ../inner; echo one > lib; git add lib; git commit -qm one; cd ../repo; git -c protocol.file.allow=always submodule --quiet add ../inner sub; git commit -qm sub",
    );
    let shown = ended(&world.walk(), 11, "failed (submodule_changed): files of a");
    assert!(shown.contains("in its own repository"), "{shown}");
    for wrong in ["widen", "gatewalk land"] {
        assert!(!shown.contains(wrong), "{wrong}: {shown}");
    }
}

#[test]
fn a_submodule_that_setup_fetched_is_no_change_until_something_in_it_is() {
    for (script, refused) in [("true", false), ("echo two > sub/lib", true)] {
        // The session stands for a set-up that fetches: what counts is what lies there afterwards.
        let fetch = "git -c protocol.file.allow=always clone -q ../../../../../inner sub";
        let inner = "$HOME/../inner";
        let fetch = fetch.replace("../../../../../inner", inner);
        let world = with_submodule(&after_shell("T01", &format!("{fetch} && {script}")));
        world.sh("git submodule --quiet deinit -f --all; rm -rf .git/modules");
        let output = world.walk_unconfined();
        let shown = text(&output);
        assert_eq!(output.status.code(), Some(0), "{shown}");
        assert_eq!(
            shown.contains("files of a submodule changed"),
            refused,
            "{shown}"
        );
    }
}

#[test]
fn a_required_filter_runs_on_what_lands_or_nothing_does() {
    let world = two_units_with(&[&after_shell("T01", "echo BIG > a.bin")]);
    world.write(".gitattributes", "*.bin filter=lfs\n");
    world.sh("git config filter.lfs.required true; git config filter.lfs.smudge 'sed s/pointer/BIG/'; git config filter.lfs.clean 'no-such-lfs clean'; git add -A; git commit -qm lfs",
    );
    let output = world.walk();
    let shown = text(&output);
    assert_eq!(output.status.code(), Some(5), "{shown}");
    assert!(
        shown.contains("must go through the filter `lfs`"),
        "{shown}"
    );
    world.sh("git config filter.lfs.clean 'sed s/BIG/pointer/'");
    done(&world);
    assert_eq!(
        world.git(&["show", &format!("{BRANCH}:a.bin")]),
        "pointer\n"
    );
    assert_eq!(
        world.read("a.bin"),
        "BIG\n",
        "the checkout has it as the filter shows it"
    );
    assert_eq!(world.uncommitted(), [""; 0]);
}

#[test]
fn a_partial_clone_stops_with_the_command_that_fetches_what_is_missing() {
    let full = two_units();
    full.sh(&format!(
            "git config uploadpack.allowFilter true; git config uploadpack.allowAnySHA1InWant true; git checkout -q -b {BRANCH}; echo more > more; git add -A; git commit -qm more; git checkout -q main; git clone -q --filter=blob:none --no-local \"file://$PWD\" ../partial; git -C ../partial branch -q {BRANCH} origin/{BRANCH}"
        ),
    );
    let run = |args: &[&str]| {
        let mut driver = full.driver(&full.root.join("sessions"));
        driver.args(args).current_dir(full.root.join("partial"));
        driver.output().unwrap()
    };
    let output = run(&[]);
    let shown = text(&output);
    assert_eq!(output.status.code(), Some(5), "{shown}");
    assert!(shown.contains("partial clone"), "{shown}");
    let command = shown
        .lines()
        .find_map(|line| Some(&line[line.find("git rev-list")?..]));
    full.sh(&format!("cd ../partial; {}", command.unwrap()));
    let output = run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let mut doctor = full.command(super::world::PROGRAM);
    let doctor = doctor
        .arg("doctor")
        .current_dir(full.root.join("partial"))
        .output()
        .unwrap();
    assert!(
        text(&doctor).contains("a partial clone"),
        "{}",
        text(&doctor)
    );
}

#[test]
fn a_run_looks_at_the_free_space_before_it_fills_a_slot() {
    let world = two_units();
    let mut driver = world.driver(&world.root.join("sessions"));
    let output = driver
        .env("GATEWALK_TEST_FREE_SPACE", "1000")
        .output()
        .unwrap();
    let shown = text(&output);
    assert_eq!(output.status.code(), Some(5), "{shown}");
    assert!(shown.contains("MiB are free at"), "{shown}");
    assert!(!shown.contains("fsck"), "{shown}");
    done(&world);
}
