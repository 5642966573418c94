//! Git held back, by a lock that a killed git left or because its directory may not be written to: what each command says of
//! it, and that the work of a session is kept.

use crate::world::{BRANCH, PROGRAM, World, ended, two_units};

#[test]
#[ignore = "long"]
fn a_run_that_ends_at_a_lock_of_its_branch_says_that_the_work_is_kept_and_the_next_one_lands_it() {
    let lock = format!(".git/refs/heads/{BRANCH}.lock");
    for all in [&[][..], &["--all"]] {
        let world = two_units();
        let walk = |world: &World| {
            let mut driver = world.driver(&world.root.join("sessions"));
            driver.args(all).output().unwrap()
        };
        world.git(&["branch", BRANCH]);
        world.write(&lock, "");
        ended(&world.run(&["status"]), 0, "nothing can land");
        let kept = "what sessions left is kept (`gatewalk attempts show FEAT-2026-0001/T01`)";
        let said = ended(&walk(&world), 5, kept);
        let is_whole = said.contains("remove the lock file it names") && !said.contains("e.g.");
        assert!(is_whole, "{said}");
        let shown = ["attempts", "show", "FEAT-2026-0001/T01"];
        ended(&world.run(&shown), 0, "attempt 1");
        let status = ended(&world.run(&["status"]), 0, "nothing can land");
        assert!(status.contains(&lock), "{status}");
        std::fs::remove_file(world.repo().join(&lock)).unwrap();
        // There is one session for each unit, and it is not asked for again.
        ended(&walk(&world), 0, "is done");
        let status = ended(&world.run(&["status"]), 0, "done");
        assert!(!status.contains("is there"), "{status}");
    }
}

#[test]
#[ignore = "long"]
fn a_lock_of_the_index_that_stays_keeps_the_checkout_behind_and_status_says_so() {
    let world = two_units();
    world.git(&["switch", "-qc", BRANCH]);
    world.write(".git/index.lock", "");
    let follows = "your checkout follows no landing";
    let status = ended(&world.run(&["status"]), 0, follows);
    assert!(!status.contains("has not followed"), "{status}");
    ended(&world.walk(), 0, "your checkout stays as it is");
    let status = ended(
        &world.run(&["status"]),
        0,
        "your checkout has not followed its branch",
    );
    // A feature that is done lands nothing more, and what holds the checkout back is said all the same.
    assert!(status.contains(follows), "{status}");
    assert!(!world.repo().join("T02.txt").exists());
    std::fs::remove_file(world.repo().join(".git/index.lock")).unwrap();
    // A run, even one that has nothing to do, brings the checkout along.
    world.walk();
    assert_eq!(world.git(&["status", "--porcelain"]), "");
    assert_eq!(world.read("T02.txt"), "whole\n");
    let status = ended(&world.run(&["status"]), 0, "done");
    assert!(
        !status.contains("has not followed") && !status.contains(follows),
        "{status}"
    );
}

/// Runs the program where git's directory is read-only, for root too; nothing where that cannot be made so.
fn with_read_only_git(world: &World, args: &[&str]) -> Option<std::process::Output> {
    let git = world.repo().join(".git");
    let mut command = world.bubblewrap()?;
    command.arg("--ro-bind").args([&git, &git]);
    Some(command.arg(PROGRAM).args(args).output().unwrap())
}

#[test]
fn where_the_git_directory_cannot_be_written_to_each_command_says_what_has_to_be_mended() {
    let world = two_units();
    let write = "help: you must be able to write there";
    for (args, exit, says) in [
        (
            "status",
            0,
            "cannot be written to: make it writable for you",
        ),
        (
            "why T01",
            0,
            "cannot be written to: make it writable for you",
        ),
        ("loop --dry-run", 0, "a run would stop: "),
        (
            "loop --dry-run",
            0,
            "cannot be written to: make it writable for you",
        ),
        ("loop", 5, "help: the git directory must be writable"),
        ("loop --all", 5, "help: the git directory must be writable"),
        ("check", 5, write),
        ("check T01", 5, write),
        ("abandon T01 --reason x", 5, write),
        ("block --reason x", 5, write),
    ] {
        let args: Vec<&str> = args.split(' ').collect();
        let Some(output) = with_read_only_git(&world, &args) else {
            return;
        };
        ended(&output, exit, says);
    }
    let status = ended(&world.run(&["status"]), 0, "pending");
    assert!(!status.contains("cannot be written"), "{status}");
}
