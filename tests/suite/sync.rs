//! Two clones and a bare remote: only one walks a feature, and nothing of what both did is lost.

use crate::world::{BRANCH, Unit, World, ended, good, text};

const DIR: &str = ".gatewalk/features/FEAT-2026-0001-greetings";

/// Two clones of one remote, with two units to walk.
fn clones() -> (World, World) {
    let first = World::with_units(&[
        Unit::with("T01", &[&good("T01")]),
        Unit::with("T02", &[&good("T02")]),
    ]);
    let remote = first.root.join("remote.git");
    let remote = remote.to_str().unwrap();
    first.git(&["init", "-q", "--bare", remote]);
    first.git(&["remote", "add", "origin", remote]);
    first.git(&["branch", BRANCH]);
    first.git(&["push", "-q", "origin", "main"]);
    let second = first.fork();
    (first, second)
}

fn tip(world: &World) -> String {
    world.git(&["rev-parse", BRANCH])
}

fn on_remote(world: &World, name: &str) -> String {
    world.git(&["ls-remote", "origin", name])
}

/// Makes a commit on the feature's branch by hand.
fn commits(world: &World, path: &str, content: &str) {
    world.git(&["switch", "-q", BRANCH]);
    world.write(path, content);
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", &format!("write {path}")]);
}

#[test]
#[ignore = "long"]
fn only_the_clone_with_the_lease_walks_and_the_other_goes_on_after_it() {
    let (first, second) = clones();
    let taken = ended(
        &first.run(&["sync"]),
        0,
        "this clone may walk FEAT-2026-0001 until",
    );
    assert!(taken.contains("on `origin` is at"), "{taken}");
    let held = ended(
        &second.run(&["sync"]),
        4,
        "FEAT-2026-0001 is held by another clone until",
    );
    assert!(held.contains("gatewalk sync FEAT-2026-0001"), "{held}");
    let refused = ended(&second.walk(), 4, "is held by another clone");
    assert!(refused.contains("nothing was started"), "{refused}");
    ended(
        &second.run(&["loop", "--all"]),
        4,
        "is held by another clone",
    );
    ended(&second.run(&["status"]), 0, "  lease: held by ");
    ended(
        &first.run(&["status"]),
        0,
        "  lease: this clone may walk it until ",
    );
    let json = text(&second.run(&["sync", "--json"]));
    assert!(json.contains("\"held_by_another\":true"), "{json}");
    ended(&first.walk(), 0, "is done");
    let there = on_remote(&first, BRANCH);
    ended(
        &first.run(&["sync", "--dry-run"]),
        0,
        "is ahead of `origin`",
    );
    assert_eq!(on_remote(&first, BRANCH), there, "a dry run pushes nothing");
    ended(
        &first.run(&["sync", "--release"]),
        0,
        "no clone holds FEAT-2026-0001",
    );
    ended(&first.run(&["lint", "--fail-on", "error"]), 0, "");
    ended(&second.run(&["sync"]), 0, "here is at");
    assert_eq!(tip(&second), tip(&first));
    assert!(
        second
            .git(&["show", &format!("{BRANCH}:T02.txt")])
            .contains("whole")
    );
    ended(&second.run(&["sync"]), 0, "nothing to push or to fetch");
}

#[test]
fn a_run_that_syncs_takes_the_lease_pushes_and_gives_it_back() {
    let (first, second) = clones();
    let config = first.read(".gatewalk/config.yml") + "sync: origin\n";
    commits(&first, ".gatewalk/config.yml", &config);
    ended(
        &first.walk(),
        4,
        "shared through `origin`, and this clone does not hold it",
    );
    let mut run = first.driver(&first.root.join("sessions"));
    ended(&run.arg("--sync").output().unwrap(), 0, "is done");
    assert!(on_remote(&first, BRANCH).starts_with(tip(&first).trim()));
    ended(&second.run(&["sync"]), 0, "this clone may walk");
    assert_eq!(tip(&second), tip(&first));
    let twice = text(&second.run(&["status"]));
    assert!(twice.contains("done"), "{twice}");
}

#[test]
fn what_went_on_in_both_clones_is_joined_and_verified() {
    let (first, second) = clones();
    commits(&first, "a.txt", "a\n");
    commits(&second, "b.txt", "b\n");
    ended(&first.run(&["sync", "--release"]), 0, "");
    let joined = ended(
        &second.run(&["sync"]),
        0,
        "merged both sides, and verified that",
    );
    assert!(joined.contains("on `origin` is at"), "{joined}");
    let parents = second.git(&["log", "-1", "--format=%P", BRANCH]);
    assert_eq!(parents.split_whitespace().count(), 2, "{parents}");
    assert_eq!(second.read("a.txt"), "a\n");
    assert_eq!(second.git(&["status", "--porcelain"]), "");
    // Only one of them changed files outside the plans: nothing new is to be verified.
    ended(&second.run(&["sync", "--release"]), 0, "");
    commits(&second, "c.txt", "c\n");
    ended(&second.run(&["sync", "--release"]), 0, "");
    commits(&first, &format!("{DIR}/NOTES.md"), "# Notes\n");
    ended(
        &first.run(&["sync"]),
        0,
        "only one of them changed files outside the plans",
    );
    assert_eq!(first.read("c.txt"), "c\n");
}

#[test]
fn a_branch_that_cannot_be_joined_is_handed_over_and_nothing_moves() {
    for (mine, theirs, code, what) in [
        (("T01.txt", "half\n"), ("b.txt", "b\n"), 1, "does not pass"),
        (
            ("a.txt", "one\n"),
            ("a.txt", "two\n"),
            11,
            "both sides changed a.txt",
        ),
    ] {
        let (first, second) = clones();
        commits(&first, theirs.0, theirs.1);
        commits(&second, mine.0, mine.1);
        ended(&first.run(&["sync", "--release"]), 0, "");
        let (here, there) = (tip(&second), on_remote(&second, BRANCH));
        let all = ended(&second.run(&["sync"]), code, what);
        assert!(
            all.contains("git merge refs/gatewalk/synced/FEAT-2026-0001"),
            "{all}"
        );
        assert_eq!((tip(&second), on_remote(&second, BRANCH)), (here, there));
        assert_eq!(second.git(&["status", "--porcelain"]), "");
    }
}

#[test]
fn a_unit_that_landed_in_both_clones_is_a_person_s_to_settle() {
    let (first, second) = clones();
    ended(&first.walk(), 0, "is done");
    let walked = second
        .driver(&first.root.join("sessions"))
        .output()
        .unwrap();
    ended(&walked, 0, "is done");
    ended(&first.run(&["sync", "--release"]), 0, "");
    let here = tip(&second);
    let all = ended(
        &second.run(&["sync"]),
        11,
        "landed on both sides: FEAT-2026-0001/T01",
    );
    assert!(all.contains("nothing is lost"), "{all}");
    assert_eq!(tip(&second), here);
}

#[test]
fn a_feature_that_a_clone_does_not_know_is_found_by_its_lease() {
    let (first, second) = clones();
    commits(&first, &format!("{DIR}/NOTES.md"), "# Notes\n");
    ended(&first.run(&["sync", "--release"]), 0, "");
    second.git(&["branch", "-D", "-q", BRANCH]);
    second.git(&["rm", "-rq", DIR]);
    second.git(&["commit", "-qm", "without the plan"]);
    ended(
        &second.run(&["sync", "FEAT-2026-0009"]),
        3,
        "FEAT-2026-0009",
    );
    ended(
        &second.run(&["sync", "FEAT-2026-0001"]),
        0,
        "this clone may walk",
    );
    assert_eq!(tip(&second), tip(&first));
}

#[test]
fn a_remote_that_is_not_there_or_refuses_changes_nothing() {
    let (first, _second) = clones();
    let refused = ended(
        &first.run(&["sync", "--remote", "elsewhere"]),
        5,
        "elsewhere",
    );
    assert!(refused.contains("nothing was changed"), "{refused}");
    ended(
        &first.run(&["sync", "--remote=-x"]),
        2,
        "is not the name of a remote",
    );
    ended(
        &first.run(&["sync", "--for", "5s"]),
        2,
        "at least one minute",
    );
    let hooks = first.root.join("remote.git/hooks");
    std::fs::create_dir_all(&hooks).unwrap();
    let hook = hooks.join("pre-receive");
    std::fs::write(&hook, "#!/bin/sh\necho no >&2\nexit 1\n").unwrap();
    std::fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    ended(&first.run(&["sync"]), 5, "git push origin");
    assert_eq!(on_remote(&first, "refs/gatewalk/*"), "");
    ended(&first.walk(), 0, "is done");
}
