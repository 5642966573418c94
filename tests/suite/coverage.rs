//! Covered is what a requirement's checks say on the tip: while one is red no feature is done, whatever its
//! units, its verdict or a user's `arm` say.

use crate::cycle::Stage;
use crate::world::{Unit, World, good, text};

const PLAN: &str = ".gatewalk/features/FEAT-2026-0001-greetings/PLAN.md";
pub(super) const CHECK: &str = "covers: [REQ-A-1]\nchecks:\n  - name: exactly\n    run: test \"$(cat T01.txt)\" = whole\n    covers: [REQ-A-1]\n";

/// A second session that may rewrite what the first one brought.
fn second(rewrites: bool) -> String {
    let more = "  - write: T01.txt\n    content: |\n      whole, and longer\n";
    let steps = format!("steps:\n{}", if rewrites { more } else { "" });
    good("T02").replacen("steps:\n", &steps, 1)
}

/// Two units: the first is checked, as `front` says, for what the requirements want; the second may undo it.
pub(super) fn world(front: &str, requirements: &str, rewrites: bool) -> World {
    let world = World::with_units(&[
        Unit {
            id: "T01",
            front,
            sessions: &[&good("T01")],
            ..Unit::default()
        },
        Unit {
            id: "T02",
            after: &["T01"],
            sessions: &[&second(rewrites)],
            ..Unit::default()
        },
    ]);
    let plan = world.read(PLAN);
    let with = format!("# Files\n\n## Requirements\n\n{requirements}\n");
    world.write(PLAN, plan.replacen("# Files\n", &with, 1));
    world.git(&["commit", "-qam", "requirements"]);
    world
}

#[test]
#[ignore = "long"]
fn no_feature_is_done_while_a_check_of_a_requirement_is_red_on_the_tip() {
    let one = "- REQ-A-1: the first file is exactly one word\n";
    let missing = "- REQ-A-1: the first file is exactly one word\n- REQ-A-2: nobody checks this\n";
    let deferred = "- REQ-A-1: the first file is exactly one word\n- REQ-A-2: nobody checks this (deferred: later)\n";
    for (requirements, rewrites, exit, said) in [
        (one, false, 0, ""),
        (deferred, false, 0, ""),
        (
            one,
            true,
            10,
            "REQ-A-1 is not covered: `exactly` of FEAT-2026-0001/T01 FAILS",
        ),
        // Nobody worked on it: it came after the plan, or was missed.
        (
            missing,
            false,
            10,
            "REQ-A-2 is not covered: no unit covers it",
        ),
    ] {
        let world = world(CHECK, requirements, rewrites);
        let out = world.walk();
        assert_eq!(out.status.code(), Some(exit), "{}", text(&out));
        assert!(text(&out).contains(said), "{}", text(&out));
        let status = if exit == 0 { "done" } else { "active" };
        let plan = world.read(PLAN);
        assert!(plan.contains(&format!("\nstatus: {status}\n")), "{plan}");
        if exit == 0 {
            continue;
        }
        // Nor does a user's `arm` finish it, until the plan says that it does without.
        let out = world.run(&["arm"]);
        assert_eq!(out.status.code(), Some(3), "{}", text(&out));
        assert!(text(&out).contains("(deferred: why)"), "{}", text(&out));
        let deferring: Vec<String> = plan
            .lines()
            .map(|l| match l.starts_with("- REQ-") {
                true => format!("{l} (deferred: another feature brings it)\n"),
                false => format!("{l}\n"),
            })
            .collect();
        world.write(PLAN, deferring.concat());
        let out = world.run(&["arm", "--commit-plan"]);
        assert_eq!(out.status.code(), Some(0), "{}", text(&out));
        assert!(world.read(PLAN).contains("\nstatus: done\n"));
    }
}

#[test]
#[ignore = "long"]
fn a_session_cannot_say_met_over_a_red_check() {
    let stage = Stage::two_gates();
    let path = ".gatewalk/features/FEAT-2026-0001-greetings/PLAN.md";
    let plan = stage.read(path);
    let more = "- REQ-GREET-5: nothing is said about help.\n\n## Out of scope";
    stage.write(path, &plan.replacen("## Out of scope", more, 1));
    // Green when its unit lands, red once the second gate brings help.
    let unit = ".gatewalk/features/FEAT-2026-0001-greetings/WU-01-several-names.md";
    let check = "checks:\n  - name: no-help\n    run: test ! -e tests/test_help.sh\n    covers: [REQ-GREET-5]\n    expect_base: green\n";
    stage.write(unit, &stage.read(unit).replacen("checks:\n", check, 1));
    stage.commit("One more requirement");
    stage.walk(11, &[]);
    stage.run(0, &["unblock", "T03", "--reason", "LC_ALL wins over LANG"]);
    stage.walk(10, &[]);
    stage.run(0, &["arm"]);
    // The recorded session finds every criterion met, the one whose check is red included.
    let file = stage.sessions.join("G2-CLOSE.yml");
    let honest = std::fs::read_to_string(&file).expect("there");
    let entry = "      ### REQ-GREET-5\n\n      - criterion: nothing is said about help.\n      - state: met\n      - shown by: I looked\n      - follow-up:\n";
    let at = honest.find("### REQ-GREET-4").expect("the last entry");
    let end = at + honest[at..].find("follow-up:\n").expect("its end") + "follow-up:\n".len();
    let session = format!("{}\n{entry}{}", &honest[..end], &honest[end..]);
    std::fs::write(&file, session).expect("written");
    let (out, err) = stage.walk(11, &[]);
    assert!(err.contains("requirement_not_covered"), "{out}\n{err}");
    let (why, _) = stage.run(0, &["why", "G2-CLOSE"]);
    assert!(
        why.contains(
            "no  requirements_covered: REQ-GREET-5: `no-help` of FEAT-2026-0001/T01 FAILS"
        ),
        "{why}"
    );
    assert!(stage.read(path).contains("\nstatus: active\n"));
    // Without the requirement the recorded session closes.
    let plan = stage.read(path);
    let deferred = "nothing is said about help. (deferred: nobody asked for it)";
    stage.write(
        path,
        &plan.replacen("nothing is said about help.", deferred, 1),
    );
    stage.run(
        0,
        &[
            "unblock",
            "G2-CLOSE",
            "--reason",
            "it is deferred",
            "--changed",
            "the requirement is another feature's",
            "--commit-plan",
        ],
    );
    std::fs::write(&file, honest).expect("written");
    stage.walk(0, &["--force-full-close"]);
    assert!(stage.read(path).contains("\nstatus: done\n"));
}
