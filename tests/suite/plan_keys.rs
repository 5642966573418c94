//! What keys of PLAN.md change in a run, through the real binary.

use crate::world::{BRANCH, Unit, World, good, text};

const FEATURE: &str = ".gatewalk/features/FEAT-2026-0001-greetings";

fn one_unit() -> World {
    World::with_units(&[Unit {
        id: "T01",
        sessions: &[&good("T01")],
        ..Unit::default()
    }])
}

fn plan_says(world: &World, line: &str) {
    let plan = format!("{FEATURE}/PLAN.md");
    let text = world.read(&plan);
    world.write(
        &plan,
        text.replacen("planned_cost_usd", &format!("{line}\nplanned_cost_usd"), 1),
    );
    world.git(&["commit", "-qam", "the plan says so"]);
}

#[test]
fn the_branch_starts_at_its_base_with_the_plan_in_effect() {
    let world = one_unit();
    world.git(&["switch", "-qc", "release"]);
    world.write("release.txt", "released\n");
    world.git(&["rm", "-rq", "--cached", ".gatewalk"]);
    world.git(&["add", "release.txt"]);
    world.git(&["commit", "-qm", "release"]);
    let release = world.git(&["rev-parse", "HEAD"]);
    world.git(&["switch", "-qf", "main"]);
    plan_says(&world, "base: release");
    let walked = world.walk();
    assert_eq!(walked.status.code(), Some(0), "{}", text(&walked));
    assert_eq!(world.git(&["merge-base", BRANCH, "release"]), release);
    assert_eq!(
        world.git(&["show", &format!("{BRANCH}:release.txt")]),
        "released\n"
    );
    assert_eq!(
        world.git(&["show", &format!("{BRANCH}:T01.txt")]),
        "whole\n"
    );
    assert_eq!(world.status(), format!("# branch.head {BRANCH}"));
}

#[test]
fn a_base_that_is_not_here_is_refused_before_anything() {
    let world = one_unit();
    plan_says(&world, "base: relaese");
    let status = text(&world.run(&["status"]));
    assert!(
        status.contains("next: `base: relaese`")
            && status.contains("make the branch, correct `base`"),
        "{status}"
    );
    for args in [&["loop", "--dry-run"][..], &["loop"]] {
        let refused = world.run(args);
        let shown = text(&refused);
        assert_eq!(refused.status.code(), Some(3), "{shown}");
        assert!(shown.contains("names no branch that is here"), "{shown}");
        assert!(
            world
                .try_git(&["rev-parse", "-q", "--verify", BRANCH])
                .is_none()
        );
    }
}

#[test]
fn a_supervised_feature_stops_after_each_landing_and_passes_no_gate_by_itself() {
    let world = crate::world::two_units();
    plan_says(&world, "autonomy_default: supervised");
    let tip = |unit: &str| {
        let subject = world.git(&[
            "log",
            "-1",
            "--format=%(trailers:key=Feature,valueonly)",
            BRANCH,
        ]);
        assert!(subject.contains(unit), "{subject}");
    };
    let first = world.walk();
    let said = text(&first);
    assert_eq!(first.status.code(), Some(10), "{said}");
    assert!(said.contains("landed: FEAT-2026-0001/T01"), "{said}");
    assert!(
        said.contains("next: gatewalk loop --feature FEAT-2026-0001"),
        "{said}"
    );
    tip("T01");
    let second = world.walk();
    assert_eq!(second.status.code(), Some(10), "{}", text(&second));
    let gate = world.git(&["show", &format!("{BRANCH}:{FEATURE}/GATE-01.md")]);
    assert!(gate.contains("status: awaiting_review"), "{gate}");
    let armed = world.run(&["arm", "FEAT-2026-0001"]);
    assert_eq!(armed.status.code(), Some(0), "{}", text(&armed));
    let third = world.run(&["loop", "--feature", "greetings"]);
    assert_eq!(third.status.code(), Some(0), "{}", text(&third));
}
