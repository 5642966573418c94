//! Units beside tests that fail already: what they may still fail, and what is refused, with real runners.

use crate::sample::sample;
use crate::world::{BRANCH, Unit, World, ended, good, text};
use std::process::Output;

/// A runner that prints the file `cases` as TAP, and fails where that holds a failure.
const RUNNER: &str = "cat cases; ! grep -q '^not ok' cases";

/// A session that writes files.
fn session(files: &[(&str, &str)]) -> String {
    let mut text = "steps:\n".to_owned();
    for (path, content) in files {
        text.push_str(&format!("  - write: {path}\n    content: {content:?}\n"));
    }
    text + "usage: {input_tokens: 1, output_tokens: 1, cost_usd: 0.01}\nresult: {status: complete, summary: x}\n"
}

fn verification(more: &str) -> String {
    format!(
        "code:\n  - name: tests\n    command: {RUNNER:?}\n    judge: no_new_failures\n    report: {{format: tap}}\n{more}"
    )
}

fn world(session: &str, more: &str) -> World {
    let world = World::with_units(&[Unit {
        id: "T01",
        front: "max_attempts: 1\n",
        sessions: &[session],
        ..Unit::default()
    }]);
    world.write("cases", "1..3\nok 1 - a\nnot ok 2 - b\nok 3 - c\n");
    world.write(".gatewalk/verification.yml", verification(more));
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "a red test"]);
    world
}

#[test]
fn an_inherited_failure_stops_nothing_and_is_listed_until_it_is_gone() {
    let world = world(&good("T01"), "");
    let walked = ended(
        &world.walk(),
        0,
        "inherited: tests: 1 still fail as before the work: b",
    );
    assert!(
        walked.contains("`tests`: 1 fail as on the base: b"),
        "{walked}"
    );
    ended(
        &world.run(&["status", "FEAT-2026-0001"]),
        0,
        "inherited: tests: 1 still fail",
    );
    ended(&world.run(&["pr"]), 0, "## Inherited failures");
    let json = text(&world.run(&["status", "--json"]));
    assert!(json.contains("\"inherited\""), "{json}");
    ended(&world.run(&["verify", "T01"]), 0, "same as on record");
}

#[test]
#[ignore = "long"]
fn a_new_failure_a_vanished_case_an_unreadable_report_and_an_empty_one_are_refused() {
    for (cases, class, why) in [
        (
            "1..3\nnot ok 1 - a\nnot ok 2 - b\nok 3 - c\n",
            "verification",
            "a: fails and did not before",
        ),
        (
            "1..2\nok 1 - a\nnot ok 2 - b\n",
            "verification",
            "c: ran before and does not now",
        ),
        (
            "1..3\nok 1 - a\nnot ok 2 - b\nok 3 - c # SKIP\n",
            "verification",
            "c: ran before and does not now",
        ),
        ("1..3\nok 1 - a\n", "unproven", "announces 3 points"),
        ("nothing to see\n", "unproven", "no plan line"),
        ("1..0\n", "unproven", "no case that ran"),
    ] {
        let session = session(&[("T01.txt", "whole\n"), ("cases", cases)]);
        let world = world(&session, "");
        let walked = ended(&world.walk(), 11, class);
        let shown = text(&world.run(&["attempts", "show", "T01"]));
        assert!(
            walked.contains(why) || shown.contains(why),
            "{walked}\n{shown}"
        );
    }
}

#[test]
fn a_base_that_does_not_compile_is_named_with_the_words_of_its_compiler() {
    let oracle = "code:\n  - name: tests\n    command: \"cat cases || { echo 'error: cannot find value `tax`' >&2; exit 101; }\"\n    judge: no_new_failures\n    report: {format: tap}\n";
    let mended = session(&[("T01.txt", "whole\n"), ("cases", "1..1\nok 1 - a\n")]);
    let laid_out = |front: &str| {
        let world = World::with_units(&[Unit {
            id: "T01",
            front,
            sessions: &[&mended],
            ..Unit::default()
        }]);
        world.write(".gatewalk/verification.yml", oracle);
        world.git(&["add", "-A"]);
        world.git(&["commit", "-qm", "it does not compile"]);
        world
    };
    let world = laid_out("");
    let refused = ended(&world.walk(), 11, "cannot find value `tax`");
    assert!(refused.contains("expects_red"), "{refused}");
    // Where it was refused before, `status` knows without asking again.
    let status = ended(
        &world.run(&["status"]),
        0,
        "by its cases, which a run names",
    );
    assert!(status.contains("tests"), "{status}");
    // By hand there is no check of the base before, and the way out is the same.
    world.git(&["switch", "-q", BRANCH]);
    world.write("cases", "1..1\nok 1 - a\n");
    let refused = ended(&world.run(&["land", "T01"]), 1, "the base shows nothing");
    assert!(refused.contains("cannot find value `tax`"), "{refused}");
    assert!(refused.contains("next: mend the base"), "{refused}");
    ended(&laid_out("expects_red: [tests]\n").walk(), 0, "T01  landed");
    // A program that is not there is no report that cannot be read.
    let world = laid_out("");
    let missing = oracle
        .replace("cat cases ||", "no-such-runner ||")
        .replace("exit 101", "exit 127");
    world.write(".gatewalk/verification.yml", missing);
    world.git(&["commit", "-qam", "no runner"]);
    ended(&world.walk(), 11, "correct what `tests` starts");
}

#[test]
fn the_list_of_known_failures_is_all_that_may_fail_and_only_shrinks() {
    let listed = world(&good("T01"), "    known_failures: [b]\n");
    listed.git(&["branch", BRANCH]);
    ended(&listed.run(&["lint", "--fail-on", "error"]), 0, "");
    let grown = verification("    known_failures: [b, c]\n");
    listed.write(".gatewalk/verification.yml", &grown);
    ended(&listed.run(&["lint"]), 1, "GW623");
    listed.git(&["switch", "-q", BRANCH]);
    listed.git(&["commit", "-qam", "grow the list"]);
    let refused = ended(&listed.walk(), 3, "GW623");
    assert!(refused.contains("may only shrink"), "{refused}");
    listed.write(
        ".gatewalk/verification.yml",
        verification("    known_failures: []\n"),
    );
    listed.git(&["commit", "-qam", "nothing may fail"]);
    ended(&listed.walk(), 11, "`known_failures` does not name: b");
    listed.write(
        ".gatewalk/verification.yml",
        verification("    known_failures: [b]\n"),
    );
    listed.git(&["commit", "-qam", "again"]);
    ended(&listed.walk(), 3, "GW623");
}

#[test]
fn a_listed_case_that_passes_again_is_named_for_removal() {
    let cases = "1..3\nok 1 - a\nok 2 - b\nok 3 - c\n";
    let mended = session(&[("T01.txt", "whole\n"), ("cases", cases)]);
    let world = world(&mended, "    known_failures: [b]\n");
    ended(
        &world.walk(),
        0,
        "pass now, so `known_failures` can lose them: b",
    );
}

#[test]
fn check_and_land_judge_by_cases_too() {
    let world = world(&good("T01"), "");
    world.git(&["branch", BRANCH]);
    world.git(&["switch", "-q", BRANCH]);
    ended(&world.run(&["check"]), 0, "passes");
    world.write("cases", "1..3\nnot ok 1 - a\nnot ok 2 - b\nok 3 - c\n");
    world.write("T01.txt", "whole\n");
    ended(&world.run(&["check"]), 1, "does not pass");
    ended(&world.run(&["land", "T01"]), 1, "did not land");
    world.git(&["restore", "cases"]);
    ended(&world.run(&["land", "T01"]), 0, "T01 is done");
}

#[test]
fn a_report_in_a_file_is_the_one_that_this_run_wrote() {
    // The report is ignored, so that the base's is still there when the work is judged.
    let oracle = "code:\n  - name: tests\n    command: cp cases out/report.tap\n    judge: no_new_failures\n    report: {format: tap, path: out/report.tap}\n";
    let broken = "steps:\n  - shell: rm cases\n  - write: T01.txt\n    content: whole\nusage: {input_tokens: 1, output_tokens: 1, cost_usd: 0.01}\nresult: {status: complete, summary: x}\n";
    let world = world(broken, "");
    world.write(".gatewalk/verification.yml", oracle);
    world.write("cases", "1..2\nok 1 - a\nok 2 - b\n");
    world.write("out/.gitkeep", "");
    world.write(".gitignore", "out/report.tap\n");
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "a report in a file"]);
    ended(&world.walk(), 11, "unproven");
    let shown = text(&world.run(&["attempts", "show", "T01"]));
    assert!(
        shown.contains("left no report at `out/report.tap`"),
        "{shown}"
    );
}

#[test]
fn a_report_a_class_is_read_as_one_and_none_of_an_earlier_run_counts() {
    let suite = |name: &str, inner: &str| {
        format!(
            "<testsuite name='{name}'><testcase classname='{name}' name='t'>{inner}</testcase></testsuite>"
        )
    };
    let oracle = "code:\n  - name: tests\n    command: mkdir -p out && cp src/*.xml out\n    judge: no_new_failures\n    report: {format: junit, path: 'out/TEST-*.xml'}\n";
    let laid_out = |session: &str| {
        let world = world(session, "");
        world.write(".gatewalk/verification.yml", oracle);
        world.write(".gitignore", "out/\n");
        world.write("src/TEST-a.xml", suite("a", ""));
        world.write("src/TEST-b.xml", suite("b", "<failure/>"));
        world.git(&["add", "-A"]);
        world.git(&["commit", "-qm", "a report a class"]);
        world
    };
    let fine = laid_out(&good("T01"));
    ended(&fine.walk(), 0, "`tests`: 1 fail as on the base: b::t");
    let gone = "steps:\n  - shell: rm src/TEST-a.xml\n  - write: T01.txt\n    content: whole\nusage: {input_tokens: 1, output_tokens: 1, cost_usd: 0.01}\nresult: {status: complete, summary: x}\n";
    let world = laid_out(gone);
    ended(&world.walk(), 11, "verification");
    let shown = text(&world.run(&["attempts", "show", "T01"]));
    assert!(
        shown.contains("a::t: ran before and does not now"),
        "{shown}"
    );
}

#[test]
fn a_report_outside_and_a_runner_that_stops_early_are_findings() {
    let world = world(&good("T01"), "");
    for (command, report, code) in [
        ("true-test", "{format: tap, path: ../report.tap}", "GW624"),
        ("true-test", "{format: tap, path: /tmp/report.tap}", "GW624"),
        (
            "pytest -q --maxfail=1",
            "{format: pytest, path: log}",
            "GW625",
        ),
        ("cargo test", "{format: cargo}", "GW625"),
    ] {
        let oracle = format!(
            "code:\n  - name: tests\n    command: {command:?}\n    judge: no_new_failures\n    report: {report}\n"
        );
        world.write(".gatewalk/verification.yml", &oracle);
        let found = text(&world.run(&["lint"]));
        assert!(found.contains(code), "{command} {report}: {found}");
    }
}

/// A runner of one stack: its command, its report, its files, which hold an inherited failure, and the same broken by a unit.
struct Runner<'a> {
    /// A program without which the row is skipped, with its arguments.
    asks: &'a [&'a str],
    oracle: String,
    files: &'a [(&'a str, &'a str)],
    /// What the base fails.
    inherited: &'a str,
    /// A file that breaks another case, and what is said of that.
    breaks: (&'a str, &'a str, &'a str),
}

fn runs(asks: &[&str]) -> bool {
    let command = std::process::Command::new(asks[0])
        .args(&asks[1..])
        .output();
    command.is_ok_and(|output| output.status.success())
}

/// Walks with toolchains that do not ask a home who they are.
fn walk(world: &World) -> Output {
    let asked = std::process::Command::new("rustc")
        .args(["--print", "sysroot"])
        .output();
    let sysroot = asked.map(|o| String::from_utf8_lossy(&o.stdout).trim().to_owned());
    let all = std::env::var("PATH").unwrap_or_default();
    let mut command = world.driver(&world.root.join("sessions"));
    command.env("PATH", format!("{}/bin:{all}", sysroot.unwrap_or_default()));
    command.output().unwrap()
}

fn real_world(runner: &Runner<'_>, session: &str) -> World {
    let world = world(session, "");
    world.write(".gatewalk/verification.yml", &runner.oracle);
    for (path, content) in runner.files {
        world.write(path, content);
    }
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "a real runner"]);
    world
}

#[test]
#[ignore = "long"]
fn real_runners_are_read_and_a_failure_of_their_own_is_told_from_an_inherited_one() {
    let oracle = |command: &str, report: &str| {
        format!(
            "code:\n  - name: tests\n    command: {command:?}\n    judge: no_new_failures\n    report: {report}\n"
        )
    };
    const NODE: &str = "const {test} = require('node:test'); const assert = require('assert'); const {add} = require('./add.js');\ntest('adds', () => assert.equal(add(1, 2), 3));\ntest('is # broken', () => assert.equal(add(0.1, 0.2), 0.3));\n";
    const ADD: &str = "exports.add = (a, b) => a + b;\n";
    const ADDS_WRONG: &str = "exports.add = (a, b) => a + b + 1;\n";
    const PYTHON: &str = "from add import add\n\ndef test_adds():\n    assert add(1, 2) == 3\n\ndef test_broken():\n    assert add(0.1, 0.2) == 0.3\n";
    const GO: &str = "package m\n\nimport \"testing\"\n\nfunc TestAdds(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal()\n\t}\n}\n\nfunc TestBroken(t *testing.T) { t.Fatal(\"not yet\") }\n";
    const RUST: &str = "/// Adds.\n///\n/// ```\n/// assert_eq!(m::add(1, 2), 4);\n/// ```\npub fn add(a: u32, b: u32) -> u32 {\n    a + b\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(super::add(1, 2), 3);\n    }\n}\n";
    let rust_wrong = RUST
        .replace("    a + b\n", "    a + b + 2\n")
        .replace("/// Adds.", "/// Adds.\n/// And more.");
    let node = &["node", "--test", "--version"][..];
    let pytest = format!(
        "{}/venv/bin/python",
        std::env::var("GATEWALK_TOOLS").unwrap_or_default()
    );
    let python = match runs(&[&pytest, "-m", "pytest", "--version"]) {
        true => pytest.as_str(),
        false => "python3",
    };
    let rows = [
        Runner {
            asks: node,
            oracle: oracle(
                "node --test --test-reporter=tap > report.tap",
                "{format: tap, path: report.tap}",
            ),
            files: &[
                ("a.test.js", NODE),
                ("add.js", ADD),
                (".gitignore", "report.*\n"),
            ],
            inherited: "is",
            breaks: ("add.js", ADDS_WRONG, "adds: fails and did not before"),
        },
        Runner {
            asks: node,
            oracle: oracle("node --test --test-reporter=junit", "{format: junit}"),
            files: &[("a.test.js", NODE), ("add.js", ADD)],
            inherited: "is # broken",
            breaks: ("add.js", ADDS_WRONG, "adds: fails and did not before"),
        },
        Runner {
            asks: &["go", "version"],
            oracle: oracle(
                "GOFLAGS=-mod=mod go test -vet=off -json ./...",
                "{format: go-json}",
            ),
            files: &[
                ("go.mod", "module m\n\ngo 1.18\n"),
                (
                    "add.go",
                    "package m\n\nfunc Add(a, b int) int { return a + b }\n",
                ),
                ("add_test.go", GO),
            ],
            inherited: "m.TestBroken",
            breaks: (
                "b/b_test.go",
                "package b\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) { undefined() }\n",
                "m/b: fails and did not before",
            ),
        },
        Runner {
            asks: &["cargo", "--version"],
            oracle: oracle(
                "RUSTC_BOOTSTRAP=1 cargo test -q --offline --no-fail-fast -- -Z unstable-options --format json",
                "{format: cargo-json}",
            ),
            files: &[
                (
                    "Cargo.toml",
                    "[package]\nname = \"m\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n",
                ),
                ("src/lib.rs", RUST),
                (".gitignore", "target\nCargo.lock\n"),
            ],
            inherited: "src/lib.rs - add",
            breaks: (
                "src/lib.rs",
                &rust_wrong,
                "tests::adds: fails and did not before",
            ),
        },
        Runner {
            asks: &["cargo", "--version"],
            oracle: oracle("cargo test --offline --no-fail-fast", "{format: cargo}"),
            files: &[
                (
                    "Cargo.toml",
                    "[package]\nname = \"m\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n",
                ),
                ("src/lib.rs", RUST),
                (".gitignore", "target\nCargo.lock\n"),
            ],
            inherited: "src/lib.rs - add",
            breaks: (
                "src/lib.rs",
                &rust_wrong,
                "tests::adds: fails and did not before",
            ),
        },
        Runner {
            asks: &["prove", "--version"],
            oracle: oracle("prove -v -e sh t", "{format: tap}"),
            files: &[
                (
                    "t/add.t",
                    ". ./add.sh\necho 1..2\ntest \"$(add 1 2)\" = 3 || printf 'not '\necho ok 1 - adds\necho not ok 2 - rounds\n",
                ),
                ("add.sh", "add() { echo $(($1 + $2)); }\n"),
            ],
            inherited: "rounds",
            breaks: (
                "add.sh",
                "add() { echo $(($1 + $2 + 1)); }\n",
                "adds: fails and did not before",
            ),
        },
        Runner {
            asks: &["bats", "--version"],
            oracle: oracle("bats --tap t", "{format: tap}"),
            files: &[
                (
                    "t/add.bats",
                    "@test 'adds' {\n  . ./add.sh\n  [ \"$(add 1 2)\" = 3 ]\n}\n@test 'rounds' {\n  false\n}\n",
                ),
                ("add.sh", "add() { echo $(($1 + $2)); }\n"),
            ],
            inherited: "rounds",
            breaks: (
                "add.sh",
                "add() { echo $(($1 + $2 + 1)); }\n",
                "adds: fails and did not before",
            ),
        },
        Runner {
            asks: &[python, "-m", "pytest", "--version"],
            oracle: oracle(
                &format!("{python} -m pytest -q -p no:cacheprovider --junitxml report.xml"),
                "{format: junit, path: report.xml}",
            ),
            files: &[
                ("test_add.py", PYTHON),
                ("add.py", "def add(a, b):\n    return a + b\n"),
                (".gitignore", "report.xml\n__pycache__\n"),
            ],
            inherited: "test_add::test_broken",
            breaks: (
                "add.py",
                "def add(a, b):\n    return a + b + 1\n",
                "test_add::test_adds: fails and did not before",
            ),
        },
    ];
    let here = rows.into_iter().filter(|runner| {
        let is_here = runs(runner.asks);
        if !is_here {
            println!("SKIPPED: `{}` does not run here", runner.asks.join(" "));
        }
        is_here
    });
    let tried = sample("test runners", here, 3);
    for runner in &tried {
        let fine = real_world(runner, &good("T01"));
        let walked = ended(
            &walk(&fine),
            0,
            "inherited: tests: 1 still fail as before the work",
        );
        assert!(walked.contains(runner.inherited), "{walked}");
        let (path, content, why) = runner.breaks;
        let broken = real_world(runner, &session(&[("T01.txt", "whole\n"), (path, content)]));
        ended(&walk(&broken), 11, "verification");
        let shown = text(&broken.run(&["attempts", "show", "T01"]));
        assert!(shown.contains(why), "no `{why}`: {shown}");
    }
    assert!(!tried.is_empty(), "no runner is installed");
}
