//! `abandon --remove`: a draft that nobody worked on leaves the plan, file and all; everything else is refused and stays.

use crate::world::{Unit, World, ended, good};

const DIR: &str = ".gatewalk/features/FEAT-2026-0001-greetings";
const DRAFT: &str = "FEAT-2026-0001/T03";

/// A pending unit, a draft, and a draft that a third one waits for.
fn world() -> World {
    let first = good("T01");
    let world = World::with_units(&[
        Unit::with("T01", &[&first]),
        Unit::with("T02", &[]),
        Unit::with("T03", &[]),
        Unit {
            id: "T04",
            after: &["T02"],
            ..Unit::default()
        },
    ]);
    for draft in ["T02", "T03", "T04"] {
        let path = format!("{DIR}/WU-{draft}.md");
        let page = world
            .read(&path)
            .replace("status: pending", "status: draft");
        world.write(&path, page);
    }
    world.git(&["commit", "-qam", "drafts"]);
    world
}

fn remove(world: &World, unit: &str) -> std::process::Output {
    world.run(&["abandon", unit, "--remove", "--reason", "not needed"])
}

#[test]
fn a_removed_draft_leaves_the_plan_and_its_id_stays_spent() {
    let world = world();
    ended(&remove(&world, "T03"), 0, "next: gatewalk loop");
    assert!(!world.repo().join(DIR).join("WU-T03.md").exists());
    assert!(!world.read(&format!("{DIR}/PLAN.md")).contains("T03"));
    let commit = world.git(&["log", "-1", "--format=%s%n%b"]);
    assert!(
        commit.contains(&format!("Remove the draft {DRAFT}")) && commit.contains("not needed"),
        "{commit}"
    );
    assert_eq!(world.git(&["status", "--porcelain"]), "");
    ended(&world.run(&["log", DRAFT]), 0, "not needed");
    ended(&world.run(&["lint", "--fail-on", "error"]), 0, "");
    // Its number is not given again, and what was pending runs as before.
    ended(
        &world.run(&["new", "unit", "Another"]),
        0,
        "WU-05-another.md",
    );
    world.git(&["clean", "-qfd"]);
    world.git(&["checkout", "-q", "."]);
    ended(&world.walk(), 10, "landed as");
}

#[test]
fn what_is_no_untouched_draft_is_not_taken_out() {
    let world = world();
    let tip = world.git(&["rev-parse", "HEAD"]);
    for (unit, why) in [
        ("T01", "it is `pending`, and only a draft is taken out"),
        ("T02", "FEAT-2026-0001/T04 would wait for nothing"),
        ("T09", "has no unit `T09`"),
        ("greetings", "has no unit `greetings`"),
    ] {
        ended(&remove(&world, unit), 3, why);
    }
    world.write(&format!("{DIR}/WU-T03.md"), "mine\n");
    ended(&remove(&world, "T03"), 3, "WU-T03.md");
    assert_eq!(world.read(&format!("{DIR}/WU-T03.md")), "mine\n");
    assert_eq!(world.git(&["rev-parse", "HEAD"]), tip);
}
