//! What lies in a checkout and is not in effect: edits of what decides a run, that of another branch, and symbolic links.

use crate::world::{BRANCH, World, ended, text, two_units};

const FEATURE: &str = ".gatewalk/features/FEAT-2026-0001-greetings";
const ORACLE: &str = ".gatewalk/verification.yml";

fn stricter(world: &World) {
    let oracle = world.read(ORACLE);
    world.write(
        ORACLE,
        oracle.replace("sh check.sh", "sh check.sh && test -s README.md"),
    );
}

#[test]
fn an_oracle_that_is_edited_and_not_committed_is_named_wherever_a_run_is_spoken_of() {
    let world = two_units();
    let says = "`.gatewalk/verification.yml` has edits that are not committed";
    for args in [&["status"][..], &["loop", "--dry-run"], &["check"]] {
        assert!(!text(&world.run(args)).contains(says), "{args:?}");
    }
    stricter(&world);
    for args in [
        &["status"][..],
        &["status", "--json"],
        &["loop", "--dry-run"],
        &["loop", "--dry-run", "--json"],
        &["check"],
    ] {
        ended(&world.run(args), 0, says);
    }
    ended(&world.walk(), 0, says);
}

#[test]
fn an_oracle_that_another_branch_has_otherwise_is_named() {
    let world = two_units();
    world.git(&["branch", BRANCH]);
    stricter(&world);
    world.git(&["commit", "-qam", "stricter"]);
    let says = format!("on `main`, which you have checked out, is not that of `{BRANCH}`");
    ended(&world.run(&["loop", "--dry-run"]), 0, &says);
    ended(&world.walk(), 0, &says);
}

#[test]
fn a_dry_run_says_what_would_stop_the_run() {
    let world = two_units();
    let unit = format!("{FEATURE}/WU-T01.md");
    world.write(&unit, world.read(&unit) + "\n");
    let said = ended(&world.run(&["loop", "--dry-run"]), 0, "a run would stop");
    assert!(
        said.contains("WU-T01.md") && said.contains("--commit-plan"),
        "{said}"
    );
    ended(&world.walk(), 3, "uncommitted edits");
}

#[test]
fn a_committed_link_in_the_place_of_what_a_run_reads_is_refused_as_one() {
    for path in [
        ORACLE.to_owned(),
        ".gatewalk/config.yml".to_owned(),
        format!("{FEATURE}/WU-T01.md"),
    ] {
        let world = two_units();
        let name = path.rsplit('/').next().unwrap();
        let target = world.read(&path);
        world.write(
            "elsewhere",
            if target.is_empty() {
                "sandbox: require\n"
            } else {
                &target
            },
        );
        drop(std::fs::remove_file(world.repo().join(&path)));
        let up = "../".repeat(path.matches('/').count());
        let link = world.repo().join(&path);
        std::os::unix::fs::symlink(format!("{up}elsewhere"), link).unwrap();
        world.git(&["add", "-A"]);
        world.git(&["commit", "-qm", "a link"]);
        let says = format!("error[GW128]: `{name}` is read by nobody: it is a symbolic link");
        let said = ended(&world.walk(), 3, &says);
        assert!(said.contains("has 1 error\n"), "{said}");
        ended(&world.run(&["loop", "--dry-run"]), 3, &says);
        if path == ORACLE {
            ended(&world.run(&["check"]), 3, &says);
            ended(&world.run(&["check", "T01"]), 3, &says);
        }
    }
}

#[test]
fn names_in_other_letters_mean_the_same() {
    let world = two_units();
    for args in [
        &["why", "t01"][..],
        &["status", "Greetings"],
        &["status", "feat-2026-0001"],
        &["loop", "--dry-run", "--feature", "GREETINGS"],
    ] {
        ended(&world.run(args), 0, "FEAT-2026-0001");
    }
}

#[test]
fn words_of_a_refusal_are_those_of_the_command_line() {
    let world = two_units();
    world.git(&["remote", "add", "origin", "/nowhere"]);
    for (args, exit, says) in [
        (&["answer", "1", ""][..], 2, "the answer says nothing"),
        (
            &["comment", "T01", "--at", "a:1", ""],
            2,
            "the comment says nothing",
        ),
        (
            &["abandon", "T01", "--reason", ""],
            2,
            "`--reason` says nothing",
        ),
        (&["log", "--last", "0"], 2, "--last"),
        (&["loop", "--jobs", "x"], 2, "it is no whole number"),
        (
            &["learnings", "--add", "x", "--paths", "/etc"],
            2,
            "inside the repository",
        ),
        (
            &["new", "unit", "More", "--feature", "nope"],
            3,
            "no feature `nope`",
        ),
        (&["sync"], 5, "\n        fatal: Could not read"),
    ] {
        ended(&world.run(args), exit, says);
    }
}
