//! Which lines of a unit no check sees: with the real program, real git and real commands.

use crate::killed::{alive, family, is_at_work, mark};
use crate::processes::eventually;
use crate::world::{PROGRAM, Unit, World};
use serde_json::Value;
use std::process::{Output, Stdio};

const GATE: &str = "README.md";

/// A product of one script and a test of part of it, as a session writes it.
fn product(lines: &str) -> String {
    let lines = lines.replace('\n', "\n      ");
    format!("steps:\n- write: tool.sh\n  content: |\n      {lines}\nresult: complete\n")
}

const SEEN: &str = "case $1 in\nadd) echo $(($2 + $3)) ;;\nesac";
const UNSEEN: &str = "case $1 in\nadd) echo $(($2 + $3)) ;;\nsub) echo $(($2 - $3)) ;;\nesac";

/// One unit whose sessions write these products, judged by a test of `add` and by a formatter.
fn world(witness: &str, products: &[&str]) -> World {
    let sessions: Vec<String> = products.iter().map(|p| product(p)).collect();
    let sessions: Vec<&str> = sessions.iter().map(String::as_str).collect();
    let world = World::with_units(&[Unit {
        id: "T01",
        front: "produces: tool.sh\nmax_attempts: 2\nchecks:\n  - {name: adds, run: 'test \"$(sh tool.sh add 2 3)\" = 5'}\n",
        after: &[],
        sessions: &sessions,
    }]);
    world.write(
        ".gatewalk/verification.yml",
        format!("{witness}code:\n  - {{name: check, command: sh check.sh}}\n  - {{name: lint, command: 'shellcheck() {{ sh -n tool.sh; }}; test ! -f tool.sh || shellcheck'}}\n"),
    );
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "the oracle"]);
    world
}

fn run(world: &World, args: &[&str]) -> Output {
    world.command(PROGRAM).args(args).output().unwrap()
}

fn text(out: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&out.stdout),
        String::from_utf8_lossy(&out.stderr)
    )
}

fn json(out: &Output) -> Value {
    serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{e}: {}", text(out)))
}

#[test]
fn lines_that_no_check_misses_are_found_recorded_and_shown() {
    let world = world("", &[UNSEEN]);
    let walked = world.walk();
    assert!(text(&walked).contains("landed as"), "{}", text(&walked));
    let dry = run(&world, &["witness", "T01", "--dry-run", "--json"]);
    assert_eq!(dry.status.code(), Some(0), "{}", text(&dry));
    assert_eq!(json(&dry)["would_ask"]["hunks"], 1);
    let before = world.git(&["rev-list", "--count", "feat/FEAT-2026-0001-greetings"]);
    let out = run(&world, &["witness", "T01", "--json"]);
    assert_eq!(out.status.code(), Some(1), "{}", text(&out));
    let found = json(&out);
    let places = found["witness"]["unwitnessed"].as_array().unwrap();
    assert_eq!(places.len(), 1, "{found}");
    assert_eq!(
        (&places[0]["path"], &places[0]["first"]),
        (&"tool.sh".into(), &3.into())
    );
    let after = world.git(&["rev-list", "--count", "feat/FEAT-2026-0001-greetings"]);
    assert_ne!(before, after, "it is written down");
    // Asked again it is read.
    let again = run(&world, &["witness", "T01"]);
    assert_eq!(again.status.code(), Some(1));
    assert!(
        !text(&again).contains("taking lines back"),
        "{}",
        text(&again)
    );
    assert_eq!(
        after,
        world.git(&["rev-list", "--count", "feat/FEAT-2026-0001-greetings"])
    );
    for command in [&["status", "FEAT-2026-0001"][..], &["pr"]] {
        let shown = text(&run(&world, command));
        assert!(shown.contains("tool.sh:3"), "{command:?}: {shown}");
    }
    let stats = json(&run(&world, &["stats", "--json"]));
    assert_eq!(stats["total"]["unwitnessed"], 1, "{stats}");
    assert_eq!(run(&world, &["lint"]).status.code(), Some(0));
    assert!(world.read(GATE).starts_with("one"));
}

#[test]
fn where_witness_is_required_a_session_is_sent_back_with_the_lines() {
    let world = world("witness: require\n", &[UNSEEN, SEEN]);
    let out = world.walk();
    let shown = text(&out);
    assert!(
        shown.contains("failed (unwitnessed): no check sees tool.sh:3"),
        "{shown}"
    );
    assert!(shown.contains("landed as"), "{shown}");
    let log = text(&run(&world, &["witness", "T01"]));
    assert!(log.contains("the checks see every change"), "{log}");
}

#[test]
fn a_unit_that_has_not_landed_or_is_not_there_is_refused_in_words() {
    let world = world("", &[SEEN]);
    let out = run(&world, &["witness", "T01"]);
    assert_eq!(out.status.code(), Some(3), "{}", text(&out));
    assert!(text(&out).contains("has not landed"), "{}", text(&out));
    let out = run(&world, &["witness", "T09"]);
    assert_eq!(out.status.code(), Some(3), "{}", text(&out));
    let out = run(&world, &["witness", "T01", "--budget", "soon"]);
    assert_eq!(out.status.code(), Some(2), "{}", text(&out));
}

#[test]
fn lines_that_witness_had_no_time_for_are_counted_and_asked_next_time() {
    let world = world("", &[UNSEEN]);
    world.walk();
    let out = run(&world, &["witness", "T01", "--budget", "0s", "--json"]);
    assert_eq!(json(&out)["witness"]["left"], 1, "{}", text(&out));
    let out = run(&world, &["witness", "T01", "--json"]);
    assert_eq!(json(&out)["witness"]["left"], 0, "{}", text(&out));
    assert_eq!(out.status.code(), Some(1), "{}", text(&out));
}

#[test]
fn survivors_of_a_mutation_tester_are_read_instead() {
    let report = r#"{"outcomes": [{"summary": "MissedMutant", "scenario": {"Mutant": {"file": "tool.sh", "replacement": "0", "span": {"start": {"line": 2, "column": 1}, "end": {"line": 2, "column": 4}}}}}, {"summary": "MissedMutant", "scenario": {"Mutant": {"file": "check.sh", "replacement": "0", "span": {"start": {"line": 1, "column": 1}, "end": {"line": 1, "column": 4}}}}}]}"#;
    let witness = format!(
        "witness:\n  command: |\n    grep -q '^+sub' \"$GATEWALK_DIFF\" && mkdir -p out && cat > out/outcomes.json <<'END'\n    {report}\n    END\n    exit 2\n  report: out/outcomes.json\n"
    );
    let world = world(&witness, &[UNSEEN]);
    world.walk();
    let out = run(&world, &["witness", "T01"]);
    assert_eq!(out.status.code(), Some(1), "{}", text(&out));
    assert!(
        text(&out).contains("tool.sh:2: replaced by 0"),
        "{}",
        text(&out)
    );
    assert!(
        text(&out).contains("1 mutant: 1 mutant that no check sees"),
        "{}",
        text(&out)
    );
    let world = self::world("witness: {command: exit 3, report: out.json}\n", &[UNSEEN]);
    world.walk();
    let out = run(&world, &["witness", "T01"]);
    assert_eq!(out.status.code(), Some(5), "{}", text(&out));
    assert!(
        text(&out).contains("`out.json` is no report"),
        "{}",
        text(&out)
    );
}

#[test]
fn witness_touches_nothing_in_the_checkout() {
    let world = world("", &[UNSEEN]);
    world.walk();
    world.write("mine.txt", "mine");
    let status = world.git(&["status", "--porcelain"]);
    let slow = run(&world, &["witness", "T01", "--budget", "1s"]);
    assert!(slow.status.code().is_some());
    assert_eq!(world.git(&["status", "--porcelain"]), status);
    assert_eq!(world.read("mine.txt"), "mine");
}

#[test]
fn a_killed_witness_leaves_no_process_and_goes_on_where_it_was() {
    let world = world("", &[UNSEEN]);
    std::fs::create_dir(world.root.join("flags")).unwrap();
    let mark = mark(&world);
    // It stays where the line that nobody misses is taken back, as long as nobody says `go`.
    let stay = format!(
        "[ ! -e tool.sh ] || grep -q sub tool.sh || [ -e $HOME/../flags/go ] || {{ {}; }}\n",
        family(&mark)
    );
    world.write("check.sh", stay);
    world.git(&["commit", "-qam", "an oracle that stays"]);
    let walked = world.walk();
    assert!(text(&walked).contains("landed as"), "{}", text(&walked));
    let mut command = world.command(PROGRAM);
    command.args(["witness", "T01"]).stdout(Stdio::null());
    let mut asking = command.stderr(Stdio::null()).spawn().unwrap();
    eventually("a command is asked", || is_at_work(&world));
    asking.kill().unwrap();
    asking.wait().unwrap();
    eventually("nobody is left", || alive(&mark).is_empty());
    assert_eq!(world.git(&["status", "--porcelain"]), "");
    std::fs::write(world.root.join("flags/go"), "").unwrap();
    let out = run(&world, &["witness", "T01", "--json"]);
    assert_eq!(out.status.code(), Some(1), "{}", text(&out));
    let places = &json(&out)["witness"]["unwitnessed"];
    assert_eq!(places[0]["first"], 3, "{places}");
    assert_eq!(places.as_array().unwrap().len(), 1, "{places}");
}
