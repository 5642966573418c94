//! A feature of `loop --all` that cannot run keeps none of the others from their work, and is in the list with what to do.

use crate::many_features::{add_feature, all, landed, list};
use crate::world::{BRANCH, PROGRAM, Unit, World, after_shell, ended, good, text, two_units};
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

const FEATURE: &str = ".gatewalk/features/FEAT-2026-0001-greetings";

const SECOND: &str = "feat/FEAT-2026-0002-more2";

/// Two features of one unit each; the first one's session runs a shell line.
fn two_features(shell: &str) -> World {
    let first = after_shell("T01", shell);
    let world = World::with_units(&[Unit::with("T01", &[&first])]);
    add_feature(&world, 2, &[Unit::with("T21", &[&good("T21")])]);
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "two features"]);
    world
}

fn row<'a>(wanted: &'a [Value], feature: &str) -> &'a Value {
    let of = |row: &&Value| row["feature"] == feature;
    wanted.iter().find(of).expect("it is in the list")
}

/// Runs all of them: the second one lands, the first one is in the list with these words. Returns its row.
#[track_caller]
fn only_the_first_waits(world: &World, exit: i32, what: &str) -> Value {
    let night = all(world, "sessions", &["--json", "--sandbox", "off"]);
    assert_eq!(night.status.code(), Some(exit), "{}", text(&night));
    assert!(landed(world, SECOND, "FEAT-2026-0002/T21"), "{what}");
    let wanted = list(&night);
    let row = row(&wanted, "FEAT-2026-0001").clone();
    assert!(row["what"].as_str().unwrap().contains(what), "{row}");
    for next in row["next"].as_array().unwrap() {
        assert!(next.as_str().unwrap().starts_with("gatewalk "), "{row}");
    }
    row
}

#[test]
fn a_branch_that_is_held_keeps_only_its_own_feature_from_running() {
    let world = two_features("true");
    world.git(&["branch", BRANCH]);
    world.git(&["worktree", "add", "-q", "../there", BRANCH]);
    let row = only_the_first_waits(&world, 5, "is checked out in the worktree");
    let why = row["why"].to_string();
    assert!(why.contains("switch --detach"), "{row}");
}

#[test]
fn a_branch_that_is_taken_during_a_session_ends_only_its_own_feature() {
    let world = two_features("true");
    let shell = format!(
        "git -C '{}' worktree add -q ../there {BRANCH}",
        world.repo().display()
    );
    std::fs::write(
        world.root.join("sessions/T01.1.yml"),
        after_shell("T01", &shell),
    )
    .unwrap();
    only_the_first_waits(&world, 5, "is checked out in the worktree");
}

#[test]
fn a_feature_that_another_driver_walks_is_left_to_it() {
    let world = two_features("true");
    world.git(&["worktree", "add", "-q", "-b", "aside", "../there"]);
    let (begun, go) = (world.root.join("begun"), world.root.join("go"));
    let agent = world.root.join("agent.sh");
    let script = format!(
        "cat >/dev/null; : > {}; until [ -e {} ]; do sleep 0.02; done; echo whole > T01.txt",
        begun.display(),
        go.display()
    );
    std::fs::write(&agent, script).unwrap();
    let mut other = world
        .command(PROGRAM)
        .current_dir(world.root.join("there"))
        .args(["loop", "--feature", "FEAT-2026-0001", "--sandbox", "off"])
        .arg("--agent")
        .arg(format!("command:sh {}", agent.display()))
        .stdout(Stdio::null())
        .stderr(std::fs::File::create(world.root.join("said")).unwrap())
        .spawn()
        .unwrap();
    while !begun.exists() && other.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    let row = only_the_first_waits(&world, 4, "another driver is at work: pid");
    std::fs::write(&go, "").unwrap();
    let ended = other.wait().unwrap();
    let said = std::fs::read_to_string(world.root.join("said")).unwrap();
    assert!(ended.success(), "{said}");
    assert_eq!(row["next"][0], "gatewalk status FEAT-2026-0001");
    assert!(landed(&world, BRANCH, "FEAT-2026-0001/T01"));
}

#[test]
fn of_two_features_with_one_branch_the_second_waits_for_the_first() {
    let world = two_features("true");
    let plan = ".gatewalk/features/FEAT-2026-0001-greetings/PLAN.md";
    world.write(plan, world.read(plan).replace(BRANCH, SECOND));
    world.git(&["commit", "-qam", "one branch"]);
    let night = all(&world, "sessions", &["--json"]);
    assert_eq!(night.status.code(), Some(3), "{}", text(&night));
    let wanted = list(&night);
    let second = row(&wanted, "FEAT-2026-0002");
    let what = second["what"].as_str().unwrap();
    assert!(what.contains("and so has FEAT-2026-0001"), "{second}");
    assert_eq!(second["next"][0], "gatewalk loop --feature FEAT-2026-0002");
    let again = all(&world, "sessions", &[]);
    assert_eq!(again.status.code(), Some(0), "{}", text(&again));
    assert!(landed(&world, SECOND, "FEAT-2026-0001/T01"));
    assert!(landed(&world, SECOND, "FEAT-2026-0002/T21"));
}

/// Starts of git that a command takes, counted by a program of that name before the real one on `PATH`.
fn git_starts(world: &World, verb: &[&str]) -> usize {
    let bin = world.root.join("bin");
    let counted = world.root.join("git-starts");
    let path = std::env::var("PATH").unwrap();
    std::fs::create_dir_all(&bin).unwrap();
    let script = format!(
        "#!/bin/sh\necho >>'{}'\nPATH='{path}' exec git \"$@\"\n",
        counted.display()
    );
    std::fs::write(bin.join("git"), script).unwrap();
    std::fs::set_permissions(bin.join("git"), PermissionsExt::from_mode(0o755)).unwrap();
    std::fs::write(&counted, "").unwrap();
    let mut command = world.command(PROGRAM);
    command.env("PATH", format!("{}:{path}", bin.display()));
    let output = command.args(verb).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{verb:?}: {}", text(&output));
    std::fs::read(&counted).unwrap().len()
}

#[test]
fn a_list_of_features_asks_git_no_more_often_for_more_of_them() {
    let world = two_features("true");
    world.git(&["branch", BRANCH]);
    world.git(&["worktree", "add", "-q", "../there", BRANCH]);
    let verbs = [
        &["status"][..],
        &["status", "--json"],
        &["board"],
        &["inbox"],
        &["stats"],
        &["lint"],
        &["why", "FEAT-2026-0001/T01"],
        &["review", "FEAT-2026-0001"],
    ];
    let of_two = verbs.map(|verb| git_starts(&world, verb));
    for number in 3..=9 {
        let unit = format!("T{number}1");
        add_feature(&world, number, &[Unit::with(&unit, &[&good(&unit)])]);
    }
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "nine features"]);
    assert_eq!(verbs.map(|verb| git_starts(&world, verb)), of_two);
    let held = text(&world.run(&["status", "FEAT-2026-0001"]));
    assert!(held.contains("is checked out in the worktree"), "{held}");
}

#[test]
#[ignore = "long"]
fn a_feature_on_the_repositorys_own_branch_is_named_by_lint_a_dry_run_and_the_run() {
    let plan = format!("{FEATURE}/PLAN.md");
    for (branch, base, elsewhere, finding, said) in [
        (
            "main",
            "",
            "",
            "units land on `main` itself",
            "units land on `main` itself; ",
        ),
        (
            "own",
            "own",
            "",
            "`base` is `own` as well",
            "units land on `own` itself; ",
        ),
        (
            "own",
            "",
            "own",
            "",
            "units land on `own` itself, the default branch of `origin`",
        ),
        ("own", "main", "main", "", ""),
    ] {
        let world = two_units();
        let text = world.read(&plan);
        let base = match base {
            "" => String::new(),
            base => format!("\nbase: {base}"),
        };
        let own = format!("branch: {branch}{base}");
        world.write(&plan, text.replace(&format!("branch: {BRANCH}"), &own));
        world.git(&["commit", "-qam", "its branch"]);
        if branch == "own" && said.contains("itself; ") {
            world.git(&["branch", "own"]);
        }
        if !elsewhere.is_empty() {
            world.write(
                ".git/refs/remotes/origin/HEAD",
                format!("ref: refs/remotes/origin/{elsewhere}\n"),
            );
        }
        let shown = ended(&world.run(&["lint"]), 0, finding);
        assert_eq!(shown.contains("GW716"), !finding.is_empty(), "{shown}");
        for shown in [
            ended(&world.run(&["loop", "--dry-run"]), 0, said),
            ended(&world.walk(), 0, said),
        ] {
            assert_eq!(shown.contains("units land on"), !said.is_empty(), "{shown}");
        }
        let landed = world.git(&["log", "--format=%s", branch]);
        assert!(landed.contains("T02"), "{landed}");
    }
}

#[test]
fn two_directories_with_one_id_are_named_as_what_they_are() {
    let world = two_units();
    world.sh(&format!(
        "cp -r {FEATURE} {FEATURE}-again; sed -i 's/^branch: .*/branch: again/' {FEATURE}-again/PLAN.md; git add -A; git commit -qm again"
    ));
    ended(&world.run(&["lint"]), 1, "GW210");
    for command in [
        &["loop", "--feature", "FEAT-2026-0001"][..],
        &["loop", "--dry-run", "--feature", "FEAT-2026-0001"],
        &["loop"],
        &["review", "--feature", "FEAT-2026-0001"],
        &["unblock", "FEAT-2026-0001/T01", "--reason", "x"],
    ] {
        let shown = ended(&world.run(command), 3, "two directories have the same id");
        assert!(!shown.contains("say which"), "{shown}");
    }
}

#[test]
#[ignore = "long"]
fn what_a_checkout_or_a_name_keeps_from_starting_is_said_in_words() {
    let world = two_units();
    let of_plan = |from: &str, to: &str| {
        let plan = format!("{FEATURE}/PLAN.md");
        let text = world.read(&plan);
        world.write(&plan, text.replace(from, to));
        world.git(&["commit", "-qam", "a plan"]);
    };
    for (branch, other) in [("feat/x/y", "feat/x"), ("feat", "feat/x/z")] {
        of_plan(&format!("branch: {BRANCH}"), &format!("branch: {branch}"));
        world.git(&["branch", other]);
        let why = format!("the branch `{branch}` while there is one called `{other}`");
        for args in [&["loop", "--dry-run"][..], &["loop"]] {
            let shown = ended(&world.run(args), 5, &why);
            assert!(
                shown.contains(&format!("git branch -m {other} ")),
                "{shown}"
            );
        }
        world.git(&["branch", "-D", other]);
        of_plan(&format!("branch: {branch}"), &format!("branch: {BRANCH}"));
    }
    let sync = world.run(&["sync", "--remote", "upstream"]);
    ended(&sync, 5, "there is no remote `upstream`");
    let upwards = world.run(&["-C", "..", "status"]);
    ended(&upwards, 5, "is not in a git repository");
    world.git(&["switch", "-q", "--orphan", "empty"]);
    for args in [&["loop"][..], &["status"]] {
        let shown = ended(
            &world.run(args),
            5,
            "you are on `empty`, a branch that has no",
        );
        assert!(shown.contains("git switch main"), "{shown}");
    }
    world.git(&["switch", "-q", "main"]);
    // What a sparse checkout leaves out is read from the commit.
    ended(&world.walk(), 0, "");
    let world = two_units();
    world.git(&["switch", "-qc", BRANCH]);
    world.write(&format!("{FEATURE}/events.jsonl"), "");
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "a log"]);
    world.git(&["sparse-checkout", "set", "--no-cone", "/*.sh"]);
    ended(&world.walk(), 0, "");
}

#[test]
fn drafts_that_were_not_filled_in_are_not_armed_and_a_slug_names_what_is_given_up() {
    let world = two_units();
    for title in ["Write more", "Read more"] {
        ended(&world.run(&["new", "feature", title]), 0, "");
    }
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "plans"]);
    let shown = ended(
        &world.run(&["arm", "write-more"]),
        3,
        "left to be filled in: FEAT-2026-0002/T01",
    );
    assert!(
        shown.contains("gatewalk lint .gatewalk/features/FEAT-2026-0002-"),
        "{shown}"
    );
    for name in ["write-more", ".gatewalk/features/FEAT-2026-0003-read-more"] {
        let given = world.run(&["abandon", name, "--reason", "enough"]);
        ended(&given, 0, "is abandoned");
    }
}
