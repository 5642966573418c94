//! What a session reports beside its work: kept in the log, read by the sessions and the user it concerns.

use crate::world::{Unit, World, text};

const FEATURE: &str = ".gatewalk/features/FEAT-2026-0001-greetings";

const REPORTING: &str = "steps:\n  - write: T01.txt\n    content: |\n      whole\n\
    usage: {input_tokens: 10, output_tokens: 5, cost_usd: 0.01}\n\
    result:\n  status: complete\n  summary: The file carries one line.\n  \
    acceptance_criteria: [check.sh ended with 0]\n  \
    follow_ups: [The README still names the old file, 'token = \"ghp_x7Kd92mQpL4vT8sWzR1bN6cYfH3jG5aEoU0i\"']\n";

fn reporting_world() -> World {
    let world = World::with_units(&[
        Unit::with("T01", &[REPORTING]),
        Unit {
            id: "T02",
            after: &["T01"],
            ..Unit::default()
        },
        Unit::with("T03", &[]),
    ]);
    let gate = format!("{FEATURE}/GATE-01.md");
    let notes = "\n## Reflection notes\n\nThe build got slow.\n";
    world.write(&gate, world.read(&gate) + notes);
    let closing = format!("{FEATURE}/WU-90-close.md");
    let unit = world
        .read(&format!("{FEATURE}/WU-T02.md"))
        .replace("/T02\ntype: implementation", "/G1-CLOSE\ntype: close");
    world.write(&closing, unit);
    let plan = format!("{FEATURE}/PLAN.md");
    let node = "      - id: FEAT-2026-0001/G1-CLOSE\n        file: WU-90-close.md\n        depends_on: [FEAT-2026-0001/T02, FEAT-2026-0001/T03]\n```\n";
    let text = world.read(&plan);
    let (graph, _) = text.rsplit_once("```").unwrap();
    world.write(&plan, format!("{graph}{node}"));
    let verification = ".gatewalk/verification.yml";
    let doc = "doc:\n  - name: check\n    command: sh check.sh\n";
    world.write(verification, world.read(verification) + doc);
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "closing"]);
    world
}

#[test]
fn a_sessions_report_reaches_the_log_its_dependants_its_planner_and_the_user() {
    let world = reporting_world();
    let walked = text(&world.walk());
    let log = world.read(&format!("{FEATURE}/events.jsonl"));
    for wanted in [
        "The file carries one line.",
        "check.sh ended with 0",
        "The README still names the old file",
    ] {
        assert!(log.contains(wanted), "{wanted}: {walked}\n{log}");
    }
    assert!(!log.contains("ghp_x7Kd92"), "a secret is kept: {log}");

    let prompt = |unit: &str| text(&world.run(&["prompt", unit]));
    let dependant = prompt("T02");
    assert!(
        dependant.contains("The file carries one line."),
        "{dependant}"
    );
    assert!(
        dependant.contains("The README still names the old file"),
        "{dependant}"
    );
    assert!(!prompt("T03").contains("The file carries one line."));

    let closing = prompt("G1-CLOSE");
    assert!(closing.contains("The build got slow."), "{closing}");
    assert!(
        closing.contains("The README still names the old file"),
        "{closing}"
    );

    let shown = text(&world.run(&["attempts", "show", "T01"]));
    assert!(shown.contains("check.sh ended with 0"), "{shown}");
}

#[test]
fn a_note_of_the_arming_is_in_the_prompts_of_the_armed_units() {
    let world = World::with_units(&[Unit::with("T01", &[]), Unit::with("T02", &[])]);
    let unit = format!("{FEATURE}/WU-T01.md");
    world.write(&unit, world.read(&unit).replace("pending", "draft"));
    world.git(&["commit", "-qam", "draft"]);
    let armed = world.run(&["arm", "--note", "Keep the old spelling."]);
    assert!(armed.status.success(), "{}", text(&armed));
    let prompt = |unit: &str| text(&world.run(&["prompt", unit]));
    assert!(prompt("T01").contains("Keep the old spelling."));
    assert!(!prompt("T02").contains("Keep the old spelling."));
}
