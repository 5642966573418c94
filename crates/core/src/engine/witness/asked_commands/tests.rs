use super::*;
use crate::model::unit::ExpectBase;

fn command(name: &str, shell: &str, check: bool) -> OracleCommand {
    OracleCommand {
        name: name.to_owned(),
        shell: shell.to_owned(),
        timeout: Duration::from_secs(100),
        when: vec![],
        source: match check {
            true => CommandSource::Check(ExpectBase::Red),
            false => CommandSource::Set("code".to_owned()),
        },
        expects_red: false,
        judge: crate::engine::oracle::CommandJudge::Exit,
        needs: vec![],
        parallel: false,
        inputs: vec![],
    }
}

#[test]
fn the_quick_commands_that_see_behaviour_are_asked_checks_first() {
    let chosen = |commands: &[(&str, f64, bool)]| -> Vec<String> {
        let timed = commands.iter().map(|(shell, seconds, check)| TimedCommand {
            command: command(shell, shell, *check),
            seconds: *seconds,
        });
        let chosen = choose(timed.collect());
        chosen.into_iter().map(|c| c.command.shell).collect()
    };
    for (commands, want) in [
        (&[][..], &[][..]),
        (
            &[("pytest", 3.0, false), ("sh a.sh", 9.0, true)],
            &["sh a.sh", "pytest"],
        ),
        (
            &[("pytest", 3.0, false), ("go test", 2.0, false)],
            &["go test", "pytest"],
        ),
        (
            &[("pytest", 3.0, false), ("ruff check", 0.1, false)],
            &["pytest"],
        ),
        (&[("cargo fmt --check", 1.0, false)], &["cargo fmt --check"]),
        (
            &[("cargo test", 60.0, false), ("e2e", 61.0, true)],
            &["cargo test"],
        ),
        (
            &[
                ("slow", 90.0, true),
                ("slower", 95.0, true),
                ("e2e", 80.0, false),
            ],
            &["e2e"],
        ),
    ] {
        assert_eq!(chosen(commands), want, "{commands:?}");
    }
}

#[test]
fn a_command_that_looks_at_the_form_is_known() {
    let form = [
        "cargo fmt --check",
        "cargo +nightly fmt",
        "cargo clippy -- -D warnings",
        "cd a && ruff .",
        "npx eslint src",
        "npm run lint",
        "uv run mypy .",
        "python -m black --check .",
        "make fmt",
        "RUSTFLAGS=x cargo check",
        "gofmt -l . | ruff",
        "git diff --check",
        "./node_modules/.bin/tsc",
        "set -e; cargo fmt --check; cargo clippy",
    ];
    let behaviour = [
        "cargo test",
        "pytest -q",
        "npm test",
        "make check",
        "ruff check . && pytest",
        "go test ./...",
        "sh check.sh",
        "git log",
        "python -m unittest",
        "node --test",
        "",
        "cd a",
    ];
    let kept = |shell: &str| {
        let timed = |shell: &str, seconds| TimedCommand {
            command: command(shell, shell, false),
            seconds,
        };
        let chosen = choose(vec![timed(shell, 1.0), timed("the tests", 2.0)]);
        chosen.len() == 2
    };
    for shell in form {
        assert!(!kept(shell), "{shell}");
    }
    for shell in behaviour {
        assert!(kept(shell), "{shell}");
    }
}

#[test]
fn a_command_gets_a_few_times_its_usual_time_and_never_more_than_its_limit() {
    let of = |seconds: f64| {
        let timed = TimedCommand {
            command: command("a", "a", false),
            seconds,
        };
        allowance(&timed).as_secs()
    };
    assert_eq!([of(0.1), of(4.0), of(10.0), of(30.0)], [20, 20, 50, 100]);
}
