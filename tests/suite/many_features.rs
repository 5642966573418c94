//! `loop --all`: several features, one driver, one pool of slots; and what is wanted in the morning.

use super::crash::kills;
use super::sample::Share;
use crate::world::{Unit, World, copy, ended, good, text};
use serde_json::Value;
use std::process::Output;

const DIR: &str = ".gatewalk/features/FEAT-2026-0001-greetings";

/// A session that asks the user.
const ASKS: &str = "result:\n  status: blocked\n  blocked_reason: which colour?\n  summary: asks\n";

/// Adds a feature of one gate to a world, on a branch of its own; its sessions come along.
pub(crate) fn add_feature(world: &World, number: usize, units: &[Unit<'_>]) {
    let other = World::with_units(units);
    let id = format!("FEAT-2026-000{number}");
    let dir = format!(".gatewalk/features/{id}-more{number}");
    let rename = |text: &str| {
        text.replace("FEAT-2026-0001", &id)
            .replace("-greetings", &format!("-more{number}"))
    };
    for file in std::fs::read_dir(other.repo().join(DIR)).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let text = rename(&other.read(&format!("{DIR}/{name}")));
        world.write(&format!("{dir}/{name}"), text);
    }
    let roadmap = ".gatewalk/roadmap.md";
    let row = format!("| {id} | Have more files | active |\n");
    world.write(roadmap, world.read(roadmap) + &row);
    copy(&other.root.join("sessions"), &world.root.join("sessions"));
    copy(&other.root.join("sessions"), &world.root.join("answered"));
}

pub(crate) fn all(world: &World, sessions: &str, args: &[&str]) -> Output {
    let mut command = world.driver(&world.root.join(sessions));
    command.args(["--all"]).args(args).output().unwrap()
}

/// The morning's world: the first feature waits at a gate, the second will park, the third will finish.
fn three_features() -> World {
    let world = World::example();
    let (asks, t22, t31) = (ASKS, good("T22"), good("T31"));
    add_feature(
        &world,
        2,
        &[
            Unit {
                id: "T21",
                sessions: &[asks],
                ..Unit::default()
            },
            Unit {
                id: "T22",
                after: &["T21"],
                sessions: &[&t22],
                ..Unit::default()
            },
        ],
    );
    std::fs::remove_file(world.root.join("answered/T21.1.yml")).unwrap();
    std::fs::write(world.root.join("answered/T21.yml"), good("T21")).unwrap();
    add_feature(
        &world,
        3,
        &[Unit {
            id: "T31",
            sessions: &[&t31],
            ..Unit::default()
        }],
    );
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "three features"]);
    let mut first = world.driver(&world.root.join("answered"));
    let gate = first
        .args(["--feature", "FEAT-2026-0001"])
        .output()
        .unwrap();
    assert_eq!(gate.status.code(), Some(10), "{}", text(&gate));
    world
}

pub(crate) fn list(output: &Output) -> Vec<Value> {
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = lines.lines().last().unwrap_or_default();
    let last: Value = serde_json::from_str(last).unwrap_or_else(|_| panic!("{}", text(output)));
    assert_eq!(last["event"], "all_stopped", "{last}");
    last["wanted"].as_array().unwrap().clone()
}

pub(crate) fn landed(world: &World, branch: &str, unit: &str) -> bool {
    let log = world.git(&["log", "--format=%(trailers:key=Feature,valueonly)", branch]);
    log.contains(unit)
}

#[test]
#[ignore = "long"]
fn the_mornings_list_is_right_and_every_line_of_it_runs() {
    let world = three_features();
    let night = all(&world, "sessions", &["--jobs", "2", "--json"]);
    assert_eq!(night.status.code(), Some(11), "{}", text(&night));
    let wanted = list(&night);
    let rows: Vec<(&str, &str, u64)> = wanted
        .iter()
        .map(|row| {
            let text = |key: &str| row[key].as_str().unwrap();
            (
                text("feature"),
                text("reason"),
                row["unblocks"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        rows,
        [
            ("FEAT-2026-0001", "at_gate", 2),
            ("FEAT-2026-0002", "needs_human", 2),
            ("FEAT-2026-0003", "feature_done", 0),
        ]
    );
    assert!(landed(
        &world,
        "feat/FEAT-2026-0003-more3",
        "FEAT-2026-0003/T31"
    ));
    assert!(!landed(
        &world,
        "feat/FEAT-2026-0002-more2",
        "FEAT-2026-0003/T31"
    ));

    let next = wanted
        .iter()
        .flat_map(|row| row["next"].as_array().unwrap());
    let commands: Vec<&str> = next.filter_map(Value::as_str).collect();
    assert!(commands.len() >= 4, "{commands:?}");
    for line in &commands {
        let args: Vec<String> = line
            .strip_prefix("gatewalk ")
            .unwrap_or_else(|| panic!("no command: {line}"))
            .split(' ')
            .map(|word| word.replace("\"…\"", "green"))
            .collect();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let ran = world.run(&args);
        assert!(ran.status.success(), "{line}: {}", text(&ran));
    }

    // What was sent back to work is reviewed once more.
    let day = all(&world, "answered", &["--jobs", "2", "--json"]);
    assert_eq!(day.status.code(), Some(10), "{}", text(&day));
    let wanted = list(&day);
    let reasons: Vec<&Value> = wanted.iter().map(|row| &row["reason"]).collect();
    assert_eq!(reasons, ["at_gate", "feature_done"]);
    assert!(world.run(&["arm", "FEAT-2026-0002"]).status.success());
    assert!(landed(
        &world,
        "feat/FEAT-2026-0002-more2",
        "FEAT-2026-0002/T22"
    ));
    let done = text(&world.run(&["status", "--json"]));
    assert_eq!(done.matches("\"status\":\"active\"").count(), 0, "{done}");
}

#[test]
#[ignore = "long"]
fn a_loop_that_meets_several_active_features_offers_all_of_them() {
    let world = three_features();
    let refused = world.run(&["loop"]);
    assert_eq!(refused.status.code(), Some(3));
    let said = text(&refused);
    assert!(said.contains("`gatewalk loop --all`"), "{said}");
    let before = world.git(&["for-each-ref"]);
    let dry = all(&world, "sessions", &["--dry-run"]);
    let said = text(&dry);
    assert!(dry.status.success(), "{said}");
    for id in ["FEAT-2026-0002", "FEAT-2026-0003"] {
        assert!(said.contains(id), "{id}: {said}");
    }
    assert_eq!(
        world.git(&["for-each-ref"]),
        before,
        "a dry run writes nothing"
    );
}

#[test]
#[ignore = "long"]
fn a_plan_with_a_fault_keeps_none_of_the_others_from_their_work() {
    let world = three_features();
    let gate = ".gatewalk/features/FEAT-2026-0002-more2/GATE-01.md";
    world.write(gate, "---\ngate: one\nstatus: open\n---\n\n# Gate\n");
    world.git(&["commit", "-qam", "broken"]);
    let night = all(&world, "sessions", &["--json"]);
    let wanted = list(&night);
    assert!(landed(
        &world,
        "feat/FEAT-2026-0003-more3",
        "FEAT-2026-0003/T31"
    ));
    let broken = wanted
        .iter()
        .find(|row| row["feature"] == "FEAT-2026-0002")
        .unwrap();
    assert_eq!(broken["reason"], "error", "{broken}");
    let next = broken["next"][0].as_str().unwrap();
    assert!(next.starts_with("gatewalk lint"), "{broken}");
}

#[test]
#[ignore = "long"]
fn a_killed_run_of_several_features_is_finished_by_a_plain_rerun() {
    if !cfg!(any(debug_assertions, feature = "test-fakes")) {
        eprintln!("SKIPPED: a release build without the feature `test-fakes` has no crash points");
        return;
    }
    let before = three_features();
    drop(std::fs::remove_dir_all(before.repo().join(".git/gatewalk")));
    let log = before.root.join("points");
    let driver = |world: &World| {
        let mut command = world.unconfined(&before.root.join("sessions"));
        command.args(["--all", "--jobs", "4"]);
        command
    };
    let calm = before.fork();
    let ended = driver(&calm)
        .env("GATEWALK_TEST_POINTS", &log)
        .output()
        .unwrap();
    assert_eq!(ended.status.code(), Some(11), "{}", text(&ended));
    let points = std::fs::read_to_string(&log).unwrap().lines().count();
    assert!(points > 60, "only {points} points");
    for point in kills(Share::first_of(points / 3)).of((3..=points).collect()) {
        let world = before.fork();
        let killed = driver(&world)
            .env("GATEWALK_TEST_KILL_AT", point.to_string())
            .output()
            .unwrap();
        let again = driver(&world).output().unwrap();
        let said = format!("point {point}: {}\nthen {}", text(&killed), text(&again));
        assert_eq!(again.status.code(), Some(11), "{said}");
        assert!(
            world.try_git(&["fsck", "--no-dangling"]).is_some(),
            "{said}"
        );
        for (branch, unit) in [
            ("feat/FEAT-2026-0002-more2", "FEAT-2026-0002/T21"),
            ("feat/FEAT-2026-0003-more3", "FEAT-2026-0003/T31"),
        ] {
            let files = |world: &World| {
                let tree = world.git(&["ls-tree", "-r", "--name-only", branch]);
                let subjects = world.git(&["log", "--format=%s", branch]);
                format!("{tree}{subjects}")
            };
            assert_eq!(files(&world), files(&calm), "{unit}: {said}");
        }
        let attempts = world.git(&[
            "for-each-ref",
            "--format=%(refname)",
            "refs/gatewalk/attempts",
        ]);
        let wanted = calm.git(&[
            "for-each-ref",
            "--format=%(refname)",
            "refs/gatewalk/attempts",
        ]);
        assert_eq!(
            attempts, wanted,
            "an attempt is charged twice or lost: {said}"
        );
    }
}

#[test]
#[ignore = "long"]
fn what_a_run_may_spend_counts_for_all_of_its_features() {
    let world = three_features();
    let capped = ["--jobs", "1", "--json", "--budget-usd"];
    let spend = |usd: &'static str| all(&world, "answered", &[&capped[..], &[usd]].concat());
    // Each session costs a cent: the first is as much as may be spent.
    let night = spend("0.01");
    // The first feature waits at its gate, which comes before money.
    assert_eq!(night.status.code(), Some(10), "{}", text(&night));
    let wanted = list(&night);
    let row = wanted.iter().find(|row| row["reason"] == "budget").unwrap();
    assert_eq!(row["feature"], "FEAT-2026-0002, FEAT-2026-0003", "{row}");
    assert_eq!(row["next"][0], "gatewalk loop --all");
    assert_eq!(row["unblocks"], 2, "{row}");
    let what = row["what"].as_str().unwrap();
    assert!(
        what.contains("this run has used $0.01 of its $0.01 budget"),
        "{what}"
    );
    // Another run counts anew.
    let next = spend("5");
    assert_eq!(next.status.code(), Some(10), "{}", text(&next));
    for wrong in ["0", "-1", "much", "inf", "NaN"] {
        let refused = all(&world, "answered", &[&format!("--budget-usd={wrong}")]);
        assert_eq!(
            refused.status.code(),
            Some(2),
            "{wrong}: {}",
            text(&refused)
        );
    }
}

#[test]
#[ignore = "long"]
fn plans_that_are_refused_are_in_the_list_and_reported_each_by_itself() {
    let world = three_features();
    let received = world.root.join("received");
    let config = world.root.join("home/.config/gatewalk/config.yml");
    let before = std::fs::read_to_string(&config).unwrap();
    let notify = format!(
        "{before}notify:\n  command: \"cat >> '{0}'; echo >> '{0}'\"\n  events: trouble\n",
        received.display()
    );
    std::fs::write(config, notify).unwrap();
    for feature in ["0002-more2", "0003-more3"] {
        let gate = format!(".gatewalk/features/FEAT-2026-{feature}/GATE-01.md");
        world.write(&gate, "---\ngate: one\nstatus: open\n---\n\n# Gate\n");
        world.git(&["commit", "-qam", "broken"]);
    }
    for _ in 0..2 {
        let night = all(&world, "sessions", &["--json"]);
        assert_eq!(night.status.code(), Some(10), "{}", text(&night));
        let errors = list(&night)
            .iter()
            .filter(|row| row["reason"] == "error")
            .count();
        assert_eq!(errors, 2, "{}", text(&night));
    }
    let reported = std::fs::read_to_string(&received).unwrap();
    let reported: Vec<Value> = reported
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let about: Vec<&Value> = reported.iter().map(|notice| &notice["feature"]).collect();
    assert_eq!(about, ["FEAT-2026-0002", "FEAT-2026-0003"], "each once");
    for notice in &reported {
        let next = notice["next"][0].as_str().unwrap();
        assert!(next.starts_with("gatewalk lint "), "{notice}");
    }
}

#[test]
fn work_that_collides_is_named_to_the_session_that_does_it_again() {
    let world = World::with_units(&[
        Unit {
            id: "T01",
            front: "touches: [T01.txt]\n",
            ..Unit::default()
        },
        Unit {
            id: "T02",
            front: "touches: [T01.txt]\n",
            ..Unit::default()
        },
    ]);
    // Both are at work before one of them is done.
    let agent = world.root.join("agent.sh");
    let script = r#"unit=${GATEWALK_UNIT##*/}
prompt=$ROOT/prompt-$unit
[ -e "$prompt" ] && prompt=$prompt-again
cat > "$prompt"
for other in T01 T02; do
  until [ -e "$ROOT/prompt-$other" ]; do sleep 0.02; done
done
printf 'whole, by %s\n' "$unit" > T01.txt
printf '%s\n' '```result' 'status: complete' "summary: written by $unit" '```'
"#;
    let script = script.replace("$ROOT", &world.root.display().to_string());
    std::fs::write(&agent, script).unwrap();
    let run = world
        .command(crate::world::PROGRAM)
        .args(["loop", "--json", "--jobs", "2", "--optimistic", "--agent"])
        .arg(format!("command:sh {}", agent.display()))
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(0), "{}", text(&run));
    let again: Vec<&str> = ["T01", "T02"]
        .into_iter()
        .filter(|unit| world.root.join(format!("prompt-{unit}-again")).exists())
        .collect();
    let [later] = again[..] else {
        panic!("one of the two is done again: {again:?}: {}", text(&run))
    };
    let earlier = if later == "T01" { "T02" } else { "T01" };
    let prompt = std::fs::read_to_string(world.root.join(format!("prompt-{later}-again"))).unwrap();
    for part in [
        "# The session before collided with other work",
        &format!("FEAT-2026-0001/{earlier} changed the same places"),
        "- `T01.txt`",
        &format!("summary: written by {later}"),
    ] {
        assert!(prompt.contains(part), "{part}: {prompt}");
    }
    assert_eq!(
        world.git(&["show", &format!("{}:T01.txt", crate::world::BRANCH)]),
        format!("whole, by {later}\n")
    );
}

#[test]
fn where_no_feature_is_active_a_run_of_all_has_nothing_to_do() {
    let world = World::with_units(&[Unit::with("T01", &[&good("T01")])]);
    assert_eq!(all(&world, "sessions", &[]).status.code(), Some(0));
    let refs = world.git(&["for-each-ref"]);
    let json = all(&world, "sessions", &["--json"]);
    assert_eq!(json.status.code(), Some(0), "{}", text(&json));
    assert_eq!(list(&json), Vec::<Value>::new());
    for args in [&[][..], &["--dry-run"]] {
        let idle = all(&world, "sessions", args);
        assert_eq!(idle.status.code(), Some(0), "{}", text(&idle));
        assert!(
            text(&idle).contains("no feature is active"),
            "{}",
            text(&idle)
        );
    }
    assert_eq!(world.git(&["for-each-ref"]), refs);
    // One that is planned is named with what makes it active; and no feature at all is a mistake.
    let planned = World::with_units(&[Unit::with("T01", &[])]);
    let plan = format!("{DIR}/PLAN.md");
    planned.write(
        &plan,
        planned
            .read(&plan)
            .replace("status: active", "status: planned"),
    );
    planned.git(&["commit", "-qam", "not yet"]);
    let idle = text(&all(&planned, "sessions", &[]));
    assert!(idle.contains("next: gatewalk arm FEAT-2026-0001"), "{idle}");
    for word in ["Active", "in_progress"] {
        planned.sh(&format!(
            "sed -i 's/^status: .*/status: {word}/' {plan}; git commit -qam {word}"
        ));
        let unread = planned.run(&["loop"]);
        let said = ended(
            &unread,
            3,
            &format!("FEAT-2026-0001 (`{word}` is no status)"),
        );
        assert!(
            said.contains("gatewalk lint") && !said.contains("gatewalk arm"),
            "{said}"
        );
    }
    let bare = World::bare();
    bare.git(&["init", "-q", "-b", "main"]);
    bare.write(".gatewalk/verification.yml", "code: []\n");
    bare.git(&["add", "-A"]);
    bare.git(&["commit", "-qm", "empty"]);
    assert_eq!(all(&bare, "sessions", &[]).status.code(), Some(3));
}
