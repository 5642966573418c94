//! The main job, end to end: the real binary, real git, agents as processes.

use super::world::{BRANCH, PROGRAM, Unit, World, good, text, two_units};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Output;

fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

#[track_caller]
fn expect(output: &Output, exit: i32) -> String {
    assert_eq!(code(output), exit, "{}", text(output));
    text(output)
}

/// Every file below a directory with its bytes and times: what a read-only command must not change.
fn snapshot(root: &Path) -> BTreeMap<PathBuf, (Vec<u8>, Option<std::time::SystemTime>)> {
    walkdir::WalkDir::new(root)
        .into_iter()
        .map(Result::unwrap)
        .map(|e| {
            let bytes = if e.file_type().is_file() {
                std::fs::read(e.path()).unwrap()
            } else {
                vec![]
            };
            (
                e.path().to_path_buf(),
                (bytes, e.metadata().unwrap().modified().ok()),
            )
        })
        .collect()
}

/// Writes a program called `claude` and returns a `PATH` where it is first.
fn fake_claude(world: &World, script: &str) -> std::ffi::OsString {
    use std::os::unix::fs::PermissionsExt;
    let bin = world.root.join("bin");
    std::fs::create_dir_all(&bin).unwrap();
    let program = bin.join("claude");
    std::fs::write(&program, format!("#!/bin/sh\n{script}")).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut path = bin.into_os_string();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap());
    path
}

#[test]
#[ignore = "long"]
fn the_demo_tells_the_whole_story() {
    let home = tempfile::tempdir().unwrap();
    let keep = home.path().join("demo");
    let output = std::process::Command::new(PROGRAM)
        .args(["demo", "--keep"])
        .arg(&keep)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("HOME", home.path())
        .output()
        .unwrap();
    expect(&output, 0);
    let git = |args: &[&str]| {
        let output = std::process::Command::new("git")
            .args(args)
            .current_dir(keep.join("repository"))
            .output();
        String::from_utf8_lossy(&output.unwrap().stdout).into_owned()
    };
    let trailers = git(&[
        "log",
        "--format=%(trailers:key=Feature,valueonly,separator=%x2C)",
    ]);
    let mut landed: Vec<&str> = trailers.lines().filter(|l| !l.is_empty()).collect();
    landed.sort_unstable();
    let units = [
        "G1-CLOSE-INTERMEDIATE",
        "G1-PLAN",
        "G2-CLOSE",
        "T01",
        "T02",
        "T03",
        "T04",
    ];
    let want: Vec<String> = units
        .iter()
        .map(|u| format!("FEAT-2026-0001/{u}"))
        .collect();
    assert_eq!(landed, want, "one commit a unit");
    assert!(
        git(&["for-each-ref", "refs/gatewalk/attempts"]).contains("T03/1"),
        "the parked attempt is kept"
    );
    assert!(
        git(&[
            "show",
            "HEAD:.gatewalk/features/FEAT-2026-0001-greetings/PLAN.md"
        ])
        .contains("status: done")
    );
    assert_eq!(git(&["status", "--porcelain"]), "");
}

#[test]
fn a_retry_is_told_what_failed_and_lands_as_one_commit() {
    let bad = good("T01").replace("      whole", "      half");
    let world = World::with_units(&[Unit {
        id: "T01",
        sessions: &[&bad, &good("T01")],
        ..Unit::default()
    }]);
    expect(&world.walk(), 0);
    assert_eq!(
        world
            .git(&["log", "--format=%s", "-1", &format!("{BRANCH}~1")])
            .trim(),
        "Unit T01"
    );
    let trailers = world.git(&["log", "-1", "--format=%(trailers)", &format!("{BRANCH}~1")]);
    for line in [
        "Feature: FEAT-2026-0001/T01",
        "Attempt: 2",
        "Attempt-Id: ",
        "Agent: script:",
        "Oracle: ",
    ] {
        assert!(trailers.contains(line), "{line} in {trailers}");
    }
    let prompt = std::fs::read_to_string(
        world
            .repo()
            .join(".git/gatewalk/logs/FEAT-2026-0001_T01/2/prompt.md"),
    )
    .unwrap();
    assert!(prompt.contains("T01.txt is not whole"), "{prompt}");
    let unit = world.read(".gatewalk/features/FEAT-2026-0001-greetings/WU-T01.md");
    assert!(
        unit.contains("status: done\n") && unit.contains("attempts: 2\n"),
        "{unit}"
    );
    let first = world.git(&[
        "show",
        "refs/gatewalk/attempts/FEAT-2026-0001/T01/1:T01.txt",
    ]);
    assert_eq!(first.trim(), "half");
}

#[test]
#[ignore = "long"]
fn an_older_layout_is_driven_in_place_whatever_form_the_agent_prints() {
    let work = r#"p=$(cat); unit=$(printf '%s' "$p" | grep -o 'FEAT-2026-0001/T[0-9]*' | head -1)
echo whole > "$(basename "$unit").txt"
"#;
    let result = r#"I wrote it.\n\n```result\nstatus: complete\nsummary: done\n```"#;
    let rows = [
        (
            "text",
            String::from("printf 'I wrote it.\\n\\n```result\\nstatus: complete\\n```\\n'\n"),
        ),
        (
            "json",
            format!(
                r#"printf '%s\n' '{{"type":"result","subtype":"success","is_error":false,"result":"{result}","total_cost_usd":0.02,"usage":{{"input_tokens":3,"output_tokens":5}}}}'"#
            ),
        ),
        (
            "stream-json",
            format!(
                "printf '%s\\n' '{{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"s\",\"model\":\"m\"}}' '{{\"type\":\"assistant\",\"message\":{{\"id\":\"1\",\"content\":[{{\"type\":\"text\",\"text\":\"hello\"}}],\"usage\":{{\"input_tokens\":3,\"output_tokens\":5}}}}}}' '{{\"session_id\":\"s\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"{result}\",\"type\":\"result\",\"total_cost_usd\":0.02,\"usage\":{{\"input_tokens\":3,\"output_tokens\":5}}}}'"
            ),
        ),
    ];
    for (form, print) in rows {
        let world = two_units();
        world.git(&["mv", ".gatewalk", ".specfuse"]);
        world.git(&["commit", "-qm", "the older layout"]);
        let path = fake_claude(&world, &format!("{work}{print}\n"));
        let output = world
            .command(PROGRAM)
            .arg("loop")
            .env("PATH", &path)
            .output()
            .unwrap();
        expect(&output, 0);
        for unit in ["T01", "T02"] {
            let file = world.read(&format!(
                ".specfuse/features/FEAT-2026-0001-greetings/WU-{unit}.md"
            ));
            assert!(file.contains("status: done\n"), "{form}: {file}");
            assert_eq!(
                file.contains("cost_usd: 0.02\n"),
                form != "text",
                "{form}: unknown cost stays unknown"
            );
            let of_unit = world.git(&[
                "log",
                "--format=%H",
                &format!("--grep=^Feature: FEAT-2026-0001/{unit}$"),
                BRANCH,
            ]);
            assert_eq!(of_unit.lines().count(), 1, "{form}");
        }
        assert_eq!(world.git(&["status", "--porcelain"]), "", "{form}");
        assert!(!world.repo().join(".gatewalk").exists());
    }
}

#[test]
#[ignore = "long"]
fn a_run_changes_nothing_of_a_finished_gate() {
    let world = World::example();
    expect(&world.walk(), 11);
    expect(
        &world.run(&["unblock", "T03", "--reason", "LC_ALL wins"]),
        0,
    );
    expect(&world.walk(), 10);
    let before = (
        world.git(&["rev-parse", BRANCH]),
        world.git(&["for-each-ref"]),
        world.status(),
    );
    expect(&world.walk(), 10);
    let after = (
        world.git(&["rev-parse", BRANCH]),
        world.git(&["for-each-ref"]),
        world.status(),
    );
    assert_eq!(before, after);
}

#[test]
fn a_broken_plan_is_refused_where_it_is_broken() {
    let plan = ".gatewalk/features/FEAT-2026-0001-greetings/PLAN.md";
    let second = "\n```yaml\ngates:\n  - gate: 2\n    file: GATE-02.md\n    work_units: []\n```\n";
    type Break = Box<dyn Fn(&World)>;
    let replace = |from: &'static str, to: &'static str| -> Break {
        Box::new(move |w: &World| {
            let text = w.read(plan);
            assert!(text.contains(from), "{text}");
            w.write(plan, text.replacen(from, to, 1));
        })
    };
    let rows: Vec<(&str, Break, &str)> = vec![
        (
            "a cycle",
            replace("depends_on: []", "depends_on: [FEAT-2026-0001/T02]"),
            "PLAN.md:",
        ),
        (
            "an unknown edge",
            replace("depends_on: []", "depends_on: [FEAT-2026-0001/T77]"),
            "T77",
        ),
        (
            "two graph blocks",
            Box::new(move |w| w.write(plan, w.read(plan) + second)),
            "PLAN.md:",
        ),
        (
            "no gates",
            Box::new(move |w| {
                let text = w.read(plan);
                let start = text.find("gates:").unwrap();
                w.write(plan, format!("{}gates: []\n```\n", &text[..start]));
            }),
            "PLAN.md:",
        ),
        (
            "an empty gate",
            Box::new(move |w| {
                let text = w.read(plan);
                let start = text.find("    work_units:").unwrap();
                w.write(plan, format!("{}    work_units: []\n```\n", &text[..start]));
            }),
            "PLAN.md:",
        ),
        (
            "a missing file",
            Box::new(|w| {
                std::fs::remove_file(
                    w.repo()
                        .join(".gatewalk/features/FEAT-2026-0001-greetings/WU-T02.md"),
                )
                .unwrap();
            }),
            "WU-T02.md",
        ),
    ];
    let spanned = regex::Regex::new(r"\.md:\d+:\d+").unwrap();
    for (name, damage, says) in rows {
        let world = two_units();
        damage(&world);
        world.git(&["add", "-A"]);
        world.git(&["commit", "-qm", name]);
        let before = snapshot(&world.repo().join(".gatewalk"));
        let said = expect(&world.walk(), 3);
        assert!(said.contains(says), "{name}: {said}");
        assert!(spanned.is_match(&said), "{name} says where: {said}");
        assert_eq!(snapshot(&world.repo().join(".gatewalk")), before, "{name}");
        assert!(
            world
                .try_git(&["rev-parse", "--verify", "--quiet", BRANCH])
                .is_none(),
            "{name}: no branch is made"
        );
        assert_eq!(
            world.git(&["for-each-ref", "refs/gatewalk"]),
            "",
            "{name}: nothing was dispatched"
        );
    }
}

#[test]
fn read_only_commands_write_nothing() {
    let world = two_units();
    // Git itself may refresh the index when asked for the first time.
    world.git(&["status"]);
    let before = snapshot(&world.repo());
    for args in [
        &["lint"][..],
        &["status"],
        &["status", "--json"],
        &["loop", "--dry-run"],
        &["loop", "--dry-run", "--json"],
        &["attempts", "list"],
    ] {
        expect(&world.run(args), 0);
        assert_eq!(snapshot(&world.repo()), before, "{args:?}");
    }
    let said = text(&world.run(&["loop", "--dry-run"]));
    let (first, second) = (said.find("/T01").unwrap(), said.find("/T02").unwrap());
    assert!(
        first < second && said.contains("sh check.sh") && said.contains("claude"),
        "{said}"
    );
}

#[test]
fn uncommitted_plan_edits_are_refused_or_committed_first() {
    let world = two_units();
    let unit = ".gatewalk/features/FEAT-2026-0001-greetings/WU-T01.md";
    world.write(
        unit,
        world.read(unit).replace("# Unit T01", "# Unit T01, better"),
    );
    let said = expect(&world.walk(), 3);
    assert!(said.contains("--commit-plan"), "{said}");
    let sessions = world.root.join("sessions");
    let output = world
        .driver(&sessions)
        .arg("--commit-plan")
        .output()
        .unwrap();
    expect(&output, 0);
    assert!(
        world
            .git(&["log", "--format=%s", BRANCH])
            .contains("Unit T01, better")
    );
    assert_eq!(world.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_plan_that_was_never_committed_is_named_and_taken_in() {
    for missing in ["features", "verification.yml"] {
        let world = two_units();
        let missing = format!(".gatewalk/{missing}");
        world.git(&["rm", "-rq", "--cached", &missing]);
        world.git(&["commit", "-qm", "not all of the plan"]);
        let said = expect(&world.walk(), 3);
        let named = said.contains(&format!("`{missing}")) && said.contains("is not committed");
        assert!(named && said.contains("--commit-plan"), "{said}");
        let output = world
            .driver(&world.root.join("sessions"))
            .arg("--commit-plan")
            .output()
            .unwrap();
        expect(&output, 0);
        assert_eq!(world.git(&["status", "--porcelain"]), "");
    }
}

#[test]
fn a_missing_agent_is_an_environment_error_and_charges_nothing() {
    let world = two_units();
    let output = world
        .command(PROGRAM)
        .args(["loop", "--agent", "command:no-such-program-here"])
        .output()
        .unwrap();
    let said = expect(&output, 5);
    assert!(
        said.contains("no-such-program-here") || said.contains("not installed"),
        "{said}"
    );
    assert_eq!(world.git(&["for-each-ref", "refs/gatewalk/attempts"]), "");
}

#[test]
fn a_gate_over_budget_starts_nothing_new() {
    let world = two_units();
    let gate = ".gatewalk/features/FEAT-2026-0001-greetings/GATE-01.md";
    world.write(
        gate,
        world
            .read(gate)
            .replace("status: open\n", "status: open\ncost_budget_usd: 0.01\n"),
    );
    world.git(&["commit", "-qam", "a tight budget"]);
    expect(&world.walk(), 12);
    assert!(
        world
            .read(".gatewalk/features/FEAT-2026-0001-greetings/WU-T01.md")
            .contains("status: done")
    );
    assert!(
        world
            .read(".gatewalk/features/FEAT-2026-0001-greetings/WU-T02.md")
            .contains("status: pending")
    );
    assert!(
        world.read(gate).contains("status: open"),
        "one word never means two things"
    );
}

#[test]
fn a_human_unit_waits_for_its_evidence() {
    let world = two_units();
    let unit = ".gatewalk/features/FEAT-2026-0001-greetings/WU-T01.md";
    world.write(
        unit,
        world
            .read(unit)
            .replace("type: implementation", "type: human"),
    );
    world.git(&["commit", "-qam", "T01 is for a user"]);
    let said = expect(&world.walk(), 11);
    assert!(said.contains("gatewalk done FEAT-2026-0001/T01"), "{said}");
    expect(
        &world.run(&["done", "T01", "--evidence", "did it, see the log"]),
        0,
    );
    assert!(world.read(unit).contains("status: done"));
    expect(&world.run(&["done", "T02", "--evidence", "no"]), 3);
    expect(&world.walk(), 0);
}

#[test]
fn a_unit_that_cannot_pass_is_parked_and_the_rest_goes_on() {
    let bad = good("T01").replace("      whole", "      half");
    let worse = good("T01").replace("      whole", "      a quarter");
    let worst =
        "steps:\n  - write: T01.txt\n    content: |\n      nothing\nresult:\n  status: complete\n";
    let world = World::with_units(&[
        Unit {
            id: "T01",
            front: "max_attempts: 3\n",
            sessions: &[&bad, &worse, worst],
            ..Unit::default()
        },
        Unit {
            id: "T02",
            sessions: &[&good("T02")],
            ..Unit::default()
        },
        Unit {
            id: "T03",
            after: &["T01"],
            sessions: &[&good("T03")],
            ..Unit::default()
        },
    ]);
    let said = expect(&world.walk(), 11);
    assert!(
        said.contains("gatewalk unblock FEAT-2026-0001/T01"),
        "{said}"
    );
    let status = |unit: &str| {
        world.read(&format!(
            ".gatewalk/features/FEAT-2026-0001-greetings/WU-{unit}.md"
        ))
    };
    let board = expect(&world.run(&["board"]), 0);
    for says in [
        "needs you (1)\n  FEAT-2026-0001/T01",
        "waiting (1)\n",
        "done (1)\n",
    ] {
        assert!(board.contains(says), "{board}");
    }
    assert!(status("T01").contains("status: blocked_human"));
    assert!(status("T02").contains("status: done"));
    assert!(
        status("T03").contains("status: pending"),
        "a parked unit is not done for its dependents"
    );
    assert!(
        world
            .git(&["for-each-ref", "refs/gatewalk/attempts"])
            .lines()
            .count()
            >= 3
    );
    expect(&world.run(&["abandon", "T01", "--reason", "not needed"]), 0);
    let said = expect(&world.walk(), 3);
    assert!(
        said.contains("T01"),
        "an abandoned dependency is a diagnosis, not a completion: {said}"
    );
}

#[test]
fn two_units_are_worked_on_at_once_and_both_land() {
    let ids = ["T01", "T02", "T03", "T04"];
    let sessions: Vec<String> = ids.iter().map(|id| good(id)).collect();
    let sessions: Vec<[&str; 1]> = sessions.iter().map(|s| [s.as_str()]).collect();
    let units: Vec<Unit<'_>> = ids
        .iter()
        .zip(&sessions)
        .map(|(id, s)| Unit {
            id,
            sessions: s,
            ..Unit::default()
        })
        .collect();
    let world = World::with_units(&units);
    let output = world
        .driver(&world.root.join("sessions"))
        .args(["--jobs", "2"])
        .output()
        .unwrap();
    expect(&output, 0);
    for id in ids {
        assert_eq!(
            world.git(&["show", &format!("{BRANCH}:{id}.txt")]).trim(),
            "whole"
        );
    }
    assert_eq!(world.git(&["status", "--porcelain"]), "");
}

#[test]
fn json_is_pure_and_ends_with_the_reason() {
    let world = two_units();
    let output = world
        .driver(&world.root.join("sessions"))
        .arg("--json")
        .output()
        .unwrap();
    expect(&output, 0);
    let stdout = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<serde_json::Value> = stdout
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    assert_eq!(lines.last().unwrap()["reason"], "feature_done");
    assert!(
        lines
            .iter()
            .any(|l| l["event"] == "landed" && l["unit"] == "FEAT-2026-0001/T02")
    );
}

#[test]
fn a_scaffold_lints_clean_and_is_not_written_twice() {
    let world = World::with_units(&[]);
    world.git(&["rm", "-rqf", ".gatewalk"]);
    world.write(
        "Cargo.toml",
        "[package]\nname = \"x\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
    );
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "a crate"]);
    let before = snapshot(&world.repo());
    expect(&world.run(&["init", "--dry-run"]), 0);
    assert_eq!(snapshot(&world.repo()), before);
    expect(&world.run(&["init"]), 0);
    assert!(
        world
            .read(".gatewalk/verification.yml")
            .contains("cargo test")
    );
    expect(&world.run(&["lint"]), 0);
    expect(&world.run(&["init"]), 3);
    expect(
        &world.run(&[
            "new",
            "feature",
            "Export to CSV",
            "--goal",
            "People can export.",
        ]),
        0,
    );
    expect(
        &world.run(&["new", "unit", "Stream large exports", "--after", "T01"]),
        0,
    );
    expect(&world.run(&["new", "gate", "Imports"]), 0);
    expect(&world.run(&["lint"]), 0);
    let said = expect(&world.run(&["loop"]), 3);
    assert!(said.contains("not committed"), "{said}");
}

#[test]
fn an_agent_that_only_crashes_is_tried_a_few_times_and_charged_nothing() {
    let world = two_units();
    let path = fake_claude(&world, "cat >/dev/null\necho half > T01.txt\nexit 1\n");
    let output = world
        .command(PROGRAM)
        .arg("loop")
        .env("PATH", &path)
        .output()
        .unwrap();
    let said = expect(&output, 5);
    assert!(said.contains("claude"), "{said}");
    assert_eq!(world.git(&["for-each-ref", "refs/gatewalk/attempts"]), "");
    let kept = world.git(&["for-each-ref", "refs/gatewalk/uncharged"]);
    assert_eq!(
        kept.lines().count(),
        3,
        "what each one left is kept: {kept}"
    );
}

#[test]
fn plain_output_without_a_result_block_leaves_it_to_the_oracle() {
    for script in [
        "cat >/dev/null; echo whole > T01.txt; echo whole > T02.txt; echo more >> x.txt",
        "cat >/dev/null; n=$(ls T*.txt 2>/dev/null | wc -l); echo whole > T0$((n+1)).txt; echo All done",
    ] {
        let world = two_units();
        let path = fake_claude(&world, script);
        let output = world
            .command(PROGRAM)
            .arg("loop")
            .env("PATH", &path)
            .output()
            .unwrap();
        expect(&output, 0);
        assert_eq!(world.git(&["status", "--porcelain"]), "");
    }
}
