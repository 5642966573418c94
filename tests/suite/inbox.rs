//! What sessions notice is not lost: it is listed until somebody settles it, each way in one commit.

use crate::world::{Unit, World, text};
use serde_json::Value;

const FEATURE: &str = ".gatewalk/features/FEAT-2026-0001-greetings";

const NOTICING: &str = "steps:\n  - write: T01.txt\n    content: |\n      whole\n\
    result:\n  status: complete\n  summary: done\n  follow_ups: [The README names the old file, 'the key is ghp_x7Kd92mQpL4vT8sWzR1bN6cYfH3jG5aEoU0i']\n";

fn world() -> World {
    let world = World::with_units(&[
        Unit {
            id: "T01",
            sessions: &[NOTICING],
            ..Unit::default()
        },
        Unit {
            id: "T02",
            after: &["T01"],
            ..Unit::default()
        },
    ]);
    let human = format!("{FEATURE}/WU-T02.md");
    let unit = world
        .read(&human)
        .replace("type: implementation", "type: human");
    world.write(&human, unit);
    let plan = format!("{FEATURE}/PLAN.md");
    world.write(
        &plan,
        world.read(&plan) + "\n## Open questions\n\n- [ ] Which name is the real one?\n",
    );
    world.git(&["commit", "-qam", "a question"]);
    let walked = world.walk();
    assert_eq!(walked.status.code(), Some(11), "{}", text(&walked));
    world
}

fn items(world: &World) -> Vec<(String, String, String)> {
    let listed = world.run(&["inbox", "--json"]);
    assert!(listed.status.success(), "{}", text(&listed));
    let listed: Value = serde_json::from_slice(&listed.stdout).unwrap();
    let word = |item: &Value, key: &str| item[key].as_str().unwrap().to_owned();
    let items = listed["items"].as_array().unwrap().iter();
    items
        .map(|i| (word(i, "kind"), word(i, "text"), word(i, "id")))
        .collect()
}

#[test]
fn what_a_session_notices_is_listed_without_its_secrets() {
    let world = world();
    let before = world.git(&["for-each-ref"]);
    let open = items(&world);
    let kinds: Vec<&str> = open.iter().map(|(kind, ..)| kind.as_str()).collect();
    assert_eq!(kinds, ["question", "follow_up", "follow_up"], "{open:?}");
    assert_eq!(open[1].1, "The README names the old file");
    assert!(!format!("{open:?}").contains("ghp_x7Kd92"), "{open:?}");
    let shown = text(&world.run(&["inbox"]));
    assert!(shown.contains("The README names the old file"), "{shown}");
    assert_eq!(
        world.git(&["for-each-ref"]),
        before,
        "looking changes nothing"
    );
}

#[test]
#[ignore = "long"]
fn each_way_settles_an_item_in_one_commit() {
    let gh = "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$0.args\"\necho https://example.org/issues/7\n";
    for (verb, extra, holds) in [
        ("unit", vec![], "WU-"),
        ("lesson", vec!["--paths", "README.md"], "LEARNINGS.md"),
        ("issue", vec![], "events.jsonl"),
        ("drop", vec!["--reason", "done by hand"], "events.jsonl"),
        ("feature", vec![], "events.jsonl"),
    ] {
        let world = world();
        let bin = world.root.join("bin");
        std::fs::create_dir(&bin).unwrap();
        std::fs::write(bin.join("gh"), gh).unwrap();
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(bin.join("gh"), mode).unwrap();
        let open = items(&world);
        let (_, told, id) = &open[1];
        let mut command = world.command(crate::world::PROGRAM);
        let path = std::env::var("PATH").unwrap();
        command.env("PATH", format!("{}:{path}", bin.display()));
        let settled = command
            .args(["inbox", verb, id])
            .args(&extra)
            .output()
            .unwrap();
        assert!(settled.status.success(), "{verb}: {}", text(&settled));
        let rest = items(&world);
        assert!(
            rest.iter().all(|(_, text, _)| text != told),
            "{verb}: {rest:?}"
        );
        assert_eq!(rest.len(), open.len() - 1, "{verb}: {rest:?}");
        let changed = world.git(&["show", "--format=%s", "--name-only", crate::world::BRANCH]);
        assert!(changed.contains(holds), "{verb}: {changed}");
        let twice = world.run(&["inbox", "drop", id, "--reason", "again"]);
        assert_eq!(twice.status.code(), Some(2), "{verb}: {}", text(&twice));
        match verb {
            "unit" => {
                let status = text(&world.run(&["status", "--json"]));
                assert!(status.contains("\"draft\""), "{status}");
                let lint = world.run(&["lint", "--fail-on", "error"]);
                assert!(lint.status.success(), "{}", text(&lint));
            }
            "issue" => {
                let args = std::fs::read_to_string(bin.join("gh.args")).unwrap();
                assert!(args.contains(told.as_str()), "{args}");
            }
            "feature" => assert!(
                world.status().contains("FEAT-2026-0002"),
                "{}",
                world.status()
            ),
            _ => {}
        }
    }
}

#[test]
fn what_a_feature_at_its_last_gate_leaves_is_offered_only_what_it_can_become() {
    let world = World::with_units(&[Unit::with("T01", &[NOTICING])]);
    let plan = format!("{FEATURE}/PLAN.md");
    let supervised = "status: active\nautonomy_default: supervised";
    let text_of_plan = world.read(&plan).replace("status: active", supervised);
    world.write(&plan, text_of_plan);
    world.git(&["commit", "-qam", "supervised"]);
    let mut walked = world.walk();
    while text(&walked).contains("landed as") {
        walked = world.walk();
    }
    assert_eq!(walked.status.code(), Some(10), "{}", text(&walked));
    assert!(
        text(&walked).contains("gate 1 of FEAT-2026-0001 is the last one"),
        "{}",
        text(&walked)
    );
    let shown = text(&world.run(&["review"]));
    assert!(
        shown.contains("FEAT-2026-0001: gate 1 waits for review\n"),
        "{shown}"
    );
    let listed = text(&world.run(&["inbox"]));
    let next = listed
        .lines()
        .filter_map(|l| l.strip_prefix("next: gatewalk "));
    for line in next.collect::<Vec<_>>() {
        let line = line.replace("\"…\"", "settled");
        let ran = world.run(&line.split(' ').collect::<Vec<_>>());
        // The first of them settles it.
        let settled = text(&ran).contains("nothing that is open has the id");
        assert!(ran.status.success() || settled, "{line}: {}", text(&ran));
    }
    assert_eq!(items(&world).len(), 1, "{:?}", items(&world));
}

#[test]
fn questions_are_answered_wherever_they_were_asked() {
    let world = world();
    crate::many_features::add_feature(&world, 2, &[Unit::with("T21", &[])]);
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "another feature"]);
    // Only one of the two active features asks something.
    let listed = text(&world.run(&["answer"]));
    assert!(
        listed.contains("1  Which name is the real one?"),
        "{listed}"
    );
    let other = ".gatewalk/features/FEAT-2026-0002-more2/PLAN.md";
    world.write(
        other,
        world.read(other) + "\n## Open questions\n\n- [ ] And how long?\n",
    );
    world.git(&["commit", "-qam", "another question"]);
    let refused = world.run(&["answer", "1", "so"]);
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused));
    assert!(
        text(&refused).contains("--feature ID"),
        "{}",
        text(&refused)
    );
    let answered = world.run(&["answer", "1", "so", "--feature", "FEAT-2026-0002"]);
    assert!(answered.status.success(), "{}", text(&answered));
    let answered = world.run(&["answer", "1", "so"]);
    assert!(answered.status.success(), "{}", text(&answered));
    let none = text(&world.run(&["answer"]));
    assert!(!none.contains("several"), "{none}");
}
