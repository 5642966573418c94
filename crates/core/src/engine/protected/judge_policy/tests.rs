use super::super::tests::change;
use super::*;

fn policy(command: &str, (directory, name): (&str, &str), text: &str) -> Policy {
    let mut policy = Policy::new(&[], Declared::default(), &[command]);
    policy.reads((directory, name), text);
    policy
}

fn answer(path: &str, new: &str, asks: impl Fn(&ChangedFile<'_>) -> bool) -> bool {
    let change = change(path, Some(""), Some(""));
    asks(&ChangedFile {
        change: &change,
        old: Some(b""),
        new: Some(new.as_bytes()),
    })
}

#[test]
fn a_file_in_the_place_of_what_is_made_is_known_in_each_directory() {
    let policy = policy("make -C lib check", ("lib", "Makefile"), "check:\n\ttrue\n");
    for (path, want) in [
        ("lib/check", true),
        ("lib/check/x", true),
        ("check", false),
        ("lib/checks", false),
    ] {
        assert_eq!(policy.is_target(path), want, "{path}");
    }
}

#[test]
fn tools_are_known_by_what_the_oracle_runs_in_turn() {
    let noqa = "x  # noqa\n";
    for (command, file, text, want) in [
        ("make check", "Makefile", "check:\n\truff check\n", true),
        ("make check", "GNUmakefile", "check:\n\truff check\n", true),
        (
            "make check",
            "Makefile",
            "check:\n\ttrue\nfmt:\n\truff check\n",
            false,
        ),
        (
            "npm run lint",
            "package.json",
            r#"{"scripts": {"lint": "ruff check"}}"#,
            true,
        ),
        (
            "npm test",
            "package.json",
            r#"{"scripts": {"lint": "ruff check"}}"#,
            false,
        ),
        ("tox -q", "tox.ini", "commands = ruff check\n", true),
        ("pytest", "tox.ini", "commands = ruff check\n", false),
    ] {
        let policy = policy(command, ("", file), text);
        let silences = answer("a.py", noqa, |pair| policy.silences(pair, &[*pair]));
        assert_eq!(silences, want, "{command}: {text}");
        assert_eq!(
            policy.steers_linters("ruff.toml"),
            want,
            "{command}: {text}"
        );
    }
}

#[test]
fn a_module_in_a_root_of_imports_takes_the_place_of_a_runners() {
    let policy = policy("PYTHONPATH=src pytest", ("", "x"), "");
    assert!(policy.is_shadow("src/difflib.py") && policy.is_shadow("difflib.py"));
    assert!(!policy.is_shadow("app/difflib.py") && !policy.is_shadow("src/own.py"));
}

#[test]
fn a_script_that_is_reached_and_goes_on_after_a_failure_is_found() {
    let mut policy = policy("sh run.sh", ("", "x"), "");
    policy.reach(["lib.sh".to_owned()]);
    for (path, text, want) in [
        ("lib.sh", "set +e\n", true),
        ("lib.sh", "set +e\nx\nset -e\n", false),
        ("lib.sh", "x\n", false),
        ("other.sh", "set +e\n", false),
    ] {
        assert_eq!(
            answer(path, text, |pair| policy.goes_on(pair)),
            want,
            "{path}: {text}"
        );
    }
}

#[test]
fn a_script_called_as_a_program_is_steers_where_it_may_be_found() {
    for (command, path, want) in [
        ("cargo test", "scripts/test", false),
        ("cargo test", "bin/test", true),
        ("cargo test", "scripts/cargo", true),
        ("PATH=scripts:$PATH make", "scripts/test", true),
    ] {
        let policy = policy(command, ("", "x"), "");
        assert_eq!(policy.steers_others(path), want, "{command}: {path}");
    }
}

#[test]
fn presets_of_cmake_steer_where_they_are_asked_for() {
    let none = (("", "x"), "");
    let spelt = (("", "Makefile"), "check:\n\tcmake --preset=dev\n");
    for (command, ((directory, name), text), want) in [
        ("cmake -S . -B build && ctest --test-dir build", none, false),
        ("cmake --preset dev && ctest", none, true),
        ("cmake --build --preset=dev", none, true),
        ("make check && cmake -S . -B build", spelt, true),
        ("make check", none, true),
        ("sh check.sh", none, true),
    ] {
        let policy = policy(command, (directory, name), text);
        assert_eq!(policy.steers_others("CMakePresets.json"), want, "{command}");
    }
}
