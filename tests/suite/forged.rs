//! What an earlier run wrote down proves nothing, for an unconfined session could have written it: a forged record is
//! judged anew, and a forged result is asked again.

use crate::coverage::{self, CHECK};
use crate::world::{BRANCH, Unit, World, good, text};

const UNIT: &str = ".gatewalk/features/FEAT-2026-0001-greetings/WU-T01.md";
const ATTEMPT: &str = "refs/gatewalk/attempts/FEAT-2026-0001/T01/1";

#[test]
fn a_forged_attempt_that_says_it_passed_is_judged_again() {
    let world = World::with_units(&[Unit {
        id: "T01",
        sessions: &[&good("T01"), &good("T01")],
        ..Unit::default()
    }]);
    let sessions = world.root.join("sessions");
    let before = world.fork();
    let out = world.walk_unconfined();
    assert_eq!(out.status.code(), Some(0), "{}", text(&out));
    let record = world.git(&["log", "-1", "--format=%B", ATTEMPT]);
    let real = world.git(&["rev-parse", &format!("{ATTEMPT}^{{tree}}")]);
    let parent = world.git(&["rev-parse", &format!("{ATTEMPT}^")]);
    assert!(record.contains("\"passed\": true"), "{record}");

    // The same record for work that is not whole.
    before.write("T01.txt", "half\n");
    before.git(&["add", "T01.txt"]);
    let tree = before.git(&["write-tree"]);
    before.git(&["reset", "-q", "--hard"]);
    let forged = record.replace(real.trim(), tree.trim());
    let (tree, parent) = (tree.trim(), parent.trim());
    for (name, record, parent) in [
        ("on the tip", forged.clone(), parent.to_owned()),
        (
            "on a base of its own",
            {
                // Its own verification, which believes everything.
                let fork = before.fork();
                fork.write(
                    ".gatewalk/verification.yml",
                    "code:\n  - name: easy\n    command: test -d .\n",
                );
                fork.git(&["commit", "-qam", "easy"]);
                let base = fork.git(&["rev-parse", "HEAD"]);
                let into = before.repo();
                fork.git(&[
                    "push",
                    "-q",
                    &into.to_string_lossy(),
                    "HEAD:refs/gatewalk/x",
                ]);
                forged.replace(parent, base.trim())
            },
            parent.to_owned(),
        ),
    ] {
        let world = before.fork();
        let commit = world.git(&["commit-tree", tree, "-p", &parent, "-m", &record]);
        world.git(&["update-ref", ATTEMPT, commit.trim()]);
        let out = world.unconfined(&sessions).output().unwrap();
        let landed = world.try_git(&["show", &format!("{BRANCH}:T01.txt")]);
        assert_eq!(landed.as_deref(), Some("whole\n"), "{name}: {}", text(&out));
        let unit = world.git(&["show", &format!("{BRANCH}:{UNIT}")]);
        assert!(unit.contains("attempts: 2\n"), "{name}: {unit}");
    }
}

#[test]
fn a_forged_result_of_a_requirements_check_is_asked_again() {
    let plan = ".gatewalk/features/FEAT-2026-0001-greetings/PLAN.md";
    let check = format!("{CHECK}    expect_base: any\n");
    let one = "- REQ-A-1: the first file is exactly one word\n";
    let world = coverage::world(&check, one, true);
    let forged = world.fork();
    let out = world.walk_unconfined();
    assert_eq!(out.status.code(), Some(10), "{}", text(&out));

    let known = |world: &World| world.repo().join(".git/gatewalk/verified");
    std::fs::create_dir_all(known(&forged)).unwrap();
    let mut red = 0;
    for entry in std::fs::read_dir(known(&world)).unwrap() {
        let entry = entry.unwrap();
        red += usize::from(std::fs::read_to_string(entry.path()).unwrap() != "0\n");
        std::fs::write(known(&forged).join(entry.file_name()), "0\n").unwrap();
    }
    assert!(red > 0, "there is something to forge");
    let sessions = world.root.join("sessions");
    let out = forged.unconfined(&sessions).output().unwrap();
    assert_eq!(out.status.code(), Some(10), "{}", text(&out));
    let plan = forged.git(&["show", &format!("{BRANCH}:{plan}")]);
    assert!(plan.contains("\nstatus: active\n"), "{plan}");
}
