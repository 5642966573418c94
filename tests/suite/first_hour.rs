//! What a newcomer does first: `init`, a plan, `lint`.

use crate::cycle::Stage;
use crate::world::ended;

impl Stage {
    /// A repository with a Makefile, committed.
    fn made_with(makefile: &str) -> Stage {
        let stage = Stage::empty();
        stage.write("Makefile", makefile);
        stage.commit("A program");
        stage
    }

    fn verification(&self) -> String {
        let path = self.repository.join(".gatewalk/verification.yml");
        std::fs::read_to_string(path).expect("written")
    }
}

#[test]
fn init_runs_what_it_proposes_once_and_writes_what_passed() {
    let stage =
        Stage::made_with("test:\n\t@echo fine\nlint:\n\t@echo 'error: a tab' >&2; exit 3\n");
    let (_, err) = stage.run(0, &["init", "--try"]);
    assert!(err.contains("green   make test"), "{err}");
    assert!(
        err.contains("red     make lint: exit 2: error: a tab"),
        "{err}"
    );
    let text = stage.verification();
    for part in [
        "\n  - name: tests\n    command: \"make test\"\n",
        "\n  # lint: exit 2: error: a tab\n  # - name: lint\n",
        "# Each command that is switched on was run once on ",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    stage.run(0, &["lint"]);
    let ignored = stage.git(&["status", "--short", "--untracked-files=all"]);
    assert!(
        ignored.lines().all(|line| line.contains(".gatewalk/")),
        "{ignored}"
    );
}

#[test]
fn init_holds_units_to_the_cases_that_pass_where_some_fail_already() {
    let stage = Stage::empty();
    stage.write(
        "t/sums.t",
        "print \"1..2\\nok 1 - adds\\nnot ok 2 - rounds\\n\"",
    );
    stage.write("cpanfile", "");
    stage.commit("One case is red");
    let (_, err) = stage.run(0, &["init", "--try"]);
    assert!(err.contains("cases   1 known to fail"), "{err}");
    let text = stage.verification();
    for part in [
        "passed, but for the cases it names.\n",
        "\n    command: \"prove -v -lr t\"\n    judge: no_new_failures\n    report: {format: tap}\n    known_failures:\n      - \"",
        "rounds\"\n",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let (out, _) = stage.run(0, &["lint"]);
    assert!(!out.contains("error"), "{out}");
}

#[test]
fn init_reads_the_cases_of_a_red_run_that_prints_them() {
    let tap = "TAP version 13\\n\\043 adds\\nok 1 sums\\n\\043 rounds\\nnot ok 2 up\\n\\n1..2\\n";
    let stage = Stage::made_with(&format!("test:\n\t@printf '{tap}'; exit 1\n"));
    let (_, err) = stage.run(0, &["init", "--try"]);
    assert!(err.contains("cases   1 known to fail"), "{err}");
    let text = stage.verification();
    let judged = "\n    command: \"make test\"\n    judge: no_new_failures\n    report: {format: tap}\n    known_failures:\n      - \"rounds > up\"\n";
    assert!(text.contains(judged), "{text}");
    let (out, _) = stage.run(0, &["lint"]);
    assert!(!out.contains("error"), "{out}");
    // A package as it is published, without its tests.
    let none = "TAP version 13\\nnot ok 1 - no tests specified\\n1..1\\n\\043 failed 1 test\\n";
    let stage = Stage::made_with(&format!("test:\n\t@printf '{none}'; exit 1\n"));
    let (_, err) = stage.run(0, &["init", "--try"]);
    assert!(
        err.contains("was green, and no file looks like a test"),
        "{err}"
    );
    assert!(!err.contains("known to fail"), "{err}");
    let text = stage.verification();
    assert!(
        text.contains("# tests: exit 2: not ok 1 - no tests specified\n"),
        "{text}"
    );
}

#[test]
fn init_names_manifests_that_it_cannot_read() {
    let stage = Stage::made_with("test:\n\t@echo fine\n");
    stage.write(
        "package.json",
        "{\n  \"scripts\": {\"test\": \"jest\",}\n}\n",
    );
    stage.write("pyproject.toml", "[project\n");
    std::fs::write(
        stage.repository.join("Cargo.toml"),
        b"[package]\nname = \"\xff\xfe\n",
    )
    .unwrap();
    stage.commit("Broken");
    for args in [&["init", "--dry-run"][..], &["init", "--no-try"]] {
        let (_, err) = stage.run(0, args);
        for named in [
            "`package.json` cannot be read: trailing comma at line 2 column ",
            "`pyproject.toml` cannot be read: ",
            "`Cargo.toml` cannot be read: ",
            " at line 2 column ",
            "What is proposed was found without it.",
        ] {
            assert!(err.contains(named), "{named}: {err}");
        }
    }
    assert!(
        stage
            .verification()
            .contains("\n# `package.json` cannot be read: ")
    );
}

#[test]
fn init_asks_no_runner_that_is_not_installed_for_its_cases() {
    let stage = Stage::empty();
    stage.write(".gitignore", ".venv\n");
    stage.write("tests/test_a.py", "import pytest\n");
    stage.commit("What runs the tests is not here");
    let python = ".venv/bin/python";
    stage.write(
        python,
        "#!/bin/sh\necho \"$0: No module named pytest\" >&2\nexit 1\n",
    );
    let path = stage.repository.join(python);
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let (_, err) = stage.run(0, &["init", "--try"]);
    assert!(err.contains("No module named pytest"), "{err}");
    assert!(!err.contains("--junitxml"), "{err}");
}

#[test]
fn init_writes_no_test_command_that_it_saw_fail() {
    let stage = Stage::made_with("test:\n\t@echo 'cannot find cc' >&2; exit 1\n");
    let (_, err) = stage.run(0, &["init", "--yes"]);
    assert!(err.contains("no test command was green"), "{err}");
    let text = stage.verification();
    assert!(
        text.contains("\n  # tests: exit 2: cannot find cc\n"),
        "{text}"
    );
    let (out, _) = stage.run(1, &["lint"]);
    assert!(out.contains("GW111"), "{out}");
}

#[test]
fn init_asks_git_what_is_ignored() {
    for (ignored, locked) in [("Cargo.lock\n*.swp\n", false), ("/target\n", true)] {
        let stage = Stage::empty();
        stage.write(
            "Cargo.toml",
            "[package]\nname = \"x\"\nversion = \"0.1.0\"\n",
        );
        stage.write("Cargo.lock", "version = 4\n");
        // Not in the repository's own file: only git knows of this one.
        std::fs::create_dir_all(stage.repository.join(".git/info")).expect("a directory");
        stage.write(".git/info/exclude", ignored);
        stage.commit("A crate");
        stage.run(0, &["init", "--no-try"]);
        let text = stage.verification();
        assert_eq!(text.contains("--locked"), locked, "{text}");
        let config = std::fs::read_to_string(stage.repository.join(".gatewalk/config.yml"));
        let caches = config.expect("written").contains("cache: [target]");
        assert_eq!(caches, locked);
    }
}

#[test]
fn init_runs_nothing_unasked_and_says_that_nothing_is_shown() {
    for args in [&["init"][..], &["init", "--no-try"]] {
        let stage = Stage::made_with("test:\n\t@touch ran && exit 1\n");
        let (_, err) = stage.run(0, args);
        assert!(!err.contains("make test"), "{err}");
        let text = stage.verification();
        assert!(text.contains("# Nothing here was run yet"), "{text}");
    }
    let stage = Stage::empty();
    stage.write("Makefile", "test:\n\ttrue\n");
    let (_, err) = stage.run(0, &["init", "--try"]);
    assert!(err.contains("there is no commit yet"), "{err}");
}

#[test]
fn a_state_directory_that_lacks_only_its_oracle_gets_one_and_keeps_the_rest() {
    let world = crate::world::two_units();
    world.write("Makefile", "test:\n\tsh check.sh\n");
    world.write(".gatewalk/config.yml", "base_check: lazy\n");
    world.git(&["rm", "-q", ".gatewalk/verification.yml"]);
    let lacks = world.run(&["init"]);
    ended(
        &lacks,
        3,
        "git checkout HEAD -- :/.gatewalk/verification.yml",
    );
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "no oracle"]);
    ended(&world.run(&["lint"]), 1, "`gatewalk init` proposes one");
    ended(
        &world.run(&["init"]),
        0,
        "new    .gatewalk/verification.yml",
    );
    assert!(
        world
            .read(".gatewalk/verification.yml")
            .contains("make test")
    );
    assert_eq!(world.read(".gatewalk/config.yml"), "base_check: lazy\n");
    ended(&world.run(&["init"]), 3, "exists already");
}
