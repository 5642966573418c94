//! What commands report of figures and of kept work: unknown is never zero, and what is called kept is found.

use crate::world::{BRANCH, Unit, World, ended, good, text, two_units_with};

const FEATURE: &str = ".gatewalk/features/FEAT-2026-0001-greetings";

fn of_unknown_cost(id: &str) -> String {
    good(id).replace(", cost_usd: 0.01", "")
}

fn json_of(world: &World, args: &[&str]) -> serde_json::Value {
    let output = world.run(args);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", text(&output)))
}

#[test]
fn an_unknown_cost_is_unknown_wherever_it_is_shown() {
    let world = World::with_units(&[Unit {
        id: "T01",
        front: "planned_cost_usd: 1\n",
        sessions: &[&of_unknown_cost("T01")],
        ..Unit::default()
    }]);
    world.walk();
    let gate = format!("{FEATURE}/GATE-01.md");
    let waits = world.read(&gate).replace("passed", "awaiting_review");
    world.write(
        &gate,
        waits.replace("status: open", "status: awaiting_review"),
    );
    let plan = format!("{FEATURE}/PLAN.md");
    world.write(
        &plan,
        world.read(&plan).replace("status: done", "status: active"),
    );
    world.git(&["commit", "-qam", "back to review"]);
    for args in [
        &["review"][..],
        &["pr"],
        &["stats"],
        &["status"],
        &["learnings"],
    ] {
        let shown = text(&world.run(args));
        assert!(
            !shown.contains("$0.00") && !shown.contains("$-"),
            "{args:?}: {shown}"
        );
    }
    assert!(text(&world.run(&["review"])).contains("unknown, planned $1.00"));
    assert!(text(&world.run(&["pr"])).contains("cost unknown"));
    let stats = json_of(&world, &["stats", "--json"]);
    assert!(stats["total"]["all"]["cost_usd"].is_null(), "{stats}");
}

#[test]
fn nothing_is_called_kept_of_a_unit_that_was_parked_before_any_session() {
    let world = World::with_units(&[Unit {
        id: "T01",
        front: "checks:\n  - name: there\n    run: test -f README.md\n",
        sessions: &[&good("T01")],
        ..Unit::default()
    }]);
    let walked = world.walk();
    let shown = text(&walked);
    assert_eq!(walked.status.code(), Some(11), "{shown}");
    assert!(shown.contains("parked before any attempt"), "{shown}");
    for wrong in ["kept under", "attempts show"] {
        assert!(!shown.contains(wrong), "{wrong}: {shown}");
    }
}

#[test]
fn a_clone_says_that_it_keeps_nothing_of_what_was_tried_elsewhere() {
    let bad = good("T01").replace("whole", "half");
    let world = World::with_units(&[Unit::with("T01", &[&bad, &bad])]);
    ended(&world.walk(), 11, "parked after 2 attempts");
    let clone = World::bare();
    std::fs::remove_dir(clone.repo()).unwrap();
    let there = world.repo();
    let (from, to) = (there.to_str().unwrap(), clone.repo());
    world.git(&["clone", "-q", "-b", BRANCH, from, to.to_str().unwrap()]);
    let nothing = "2 attempts, of which this clone keeps nothing";
    for (args, exit) in [
        (&["loop", "--agent", "script:."][..], 11),
        (&["why", "T01"], 0),
        (&["attempts", "list"], 0),
        (&["attempts", "show", "T01"], 3),
    ] {
        let shown = ended(&clone.run(args), exit, nothing);
        assert!(shown.contains("git fetch ITS-PATH"), "{shown}");
    }
    let refs = "refs/gatewalk/attempts/*:refs/gatewalk/attempts/*";
    clone.git(&["fetch", "-q", from, refs]);
    ended(&clone.run(&["attempts", "show", "T01"]), 0, "half");
}

#[test]
fn the_attempts_of_one_unit_are_listed_by_its_name() {
    let world = two_units_with(&[&good("T01"), &good("T02")]);
    world.walk();
    for (unit, other) in [("T01", "/T02"), ("FEAT-2026-0001/T02", "/T01")] {
        for more in [&[][..], &["--json"]] {
            let args = [&["attempts", "list", unit], more].concat();
            let shown = ended(&world.run(&args), 0, unit);
            assert!(!shown.contains(other), "{args:?}: {shown}");
        }
    }
    for name in ["T01/1", "FEAT-2026-0001/T01/1"] {
        ended(&world.run(&["attempts", "show", name]), 0, "T01");
    }
    let of_none = world.run(&["attempts", "list", "T09"]);
    ended(&of_none, 3, "has no unit `T09`");
}

#[test]
fn a_log_of_a_unit_that_never_was_is_refused() {
    let world = World::with_units(&[Unit::with("T01", &[&good("T01")])]);
    ended(&world.run(&["log", "T01"]), 0, "nothing has happened yet");
    for name in ["T99", "FEAT-2026-0001/T99", "T1"] {
        ended(
            &world.run(&["log", name]),
            3,
            "its units: FEAT-2026-0001/T01",
        );
    }
}

#[test]
fn what_a_dry_run_does_first_is_a_word_and_every_object_has_a_version() {
    let world = World::with_units(&[Unit {
        id: "T01",
        sessions: &[&good("T01")],
        ..Unit::default()
    }]);
    let dry = json_of(&world, &["loop", "--dry-run", "--json"]);
    assert_eq!(dry["first"], "check_base FEAT-2026-0001/T01", "{dry}");
    world.walk();
    for args in [
        &["loop", "--dry-run", "--feature", "FEAT-2026-0001", "--json"][..],
        &["status", "--json"],
        &["stats", "--json"],
        &["attempts", "list", "--feature", "FEAT-2026-0001", "--json"],
        &["pr", "--json"],
        &["lint", "--format", "json"],
    ] {
        let shown = json_of(&world, args);
        assert_eq!(shown["version"], 1, "{args:?}: {shown}");
    }
}

#[test]
fn a_changed_oracle_is_reason_enough_to_unblock() {
    let bad = "steps:\n  - write: T01.txt\n    content: broken\nusage: {input_tokens: 1, output_tokens: 1}\nresult:\n  status: complete\n";
    let world = World::with_units(&[Unit {
        id: "T01",
        sessions: &[bad, bad],
        ..Unit::default()
    }]);
    assert_eq!(world.walk().status.code(), Some(11));
    let unblock = ["unblock", "T01", "--reason", "try again"];
    let refused = world.run(&unblock);
    assert_eq!(refused.status.code(), Some(3), "{}", text(&refused));
    let verification = ".gatewalk/verification.yml";
    world.write(
        verification,
        world
            .read(verification)
            .replace("sh check.sh", "sh check.sh all"),
    );
    world.git(&["commit", "-qam", "another oracle"]);
    let unblocked = world.run(&unblock);
    assert!(unblocked.status.success(), "{}", text(&unblocked));
}

#[test]
fn a_retrys_prompt_has_no_keys_of_the_driver_and_status_counts_attempts_without_refs() {
    let world = World::with_units(&[Unit {
        id: "T01",
        front: "attempts: 2\ncost_usd: 0.5\nmax_attempts: 4\n",
        ..Unit::default()
    }]);
    let prompt = text(&world.run(&["prompt", "T01"]));
    assert!(prompt.contains("max_attempts: 4"), "{prompt}");
    assert!(!prompt.contains("cost_usd: 0.5"), "{prompt}");
    let status = json_of(&world, &["status", "--json"]);
    assert!(status.to_string().contains("\"attempts\":2"), "{status}");
}

#[test]
fn questions_of_the_one_planned_feature_are_answered_without_its_name() {
    let world = World::with_units(&[Unit {
        id: "T01",
        ..Unit::default()
    }]);
    let plan = format!("{FEATURE}/PLAN.md");
    let planned = world
        .read(&plan)
        .replace("status: active", "status: planned");
    world.write(
        &plan,
        planned + "\n## Open questions\n\n- [ ] blocking: which one?\n",
    );
    world.git(&["commit", "-qam", "planned"]);
    let listed = world.run(&["answer"]);
    assert!(text(&listed).contains("which one?"), "{}", text(&listed));
    let answered = world.run(&["answer", "1", "the first"]);
    assert!(answered.status.success(), "{}", text(&answered));
}
