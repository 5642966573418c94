//! The sections of settings of Python, and keys written as a path, that say how tests run.

/// What judges whatever is run.
const ALWAYS: [&str; 14] = [
    "tool.pytest",
    "tool:pytest",
    "pytest",
    "tool.coverage",
    "coverage",
    "tool.hatch.envs",
    "tool.poe",
    "tool.taskipy",
    "tool.nox",
    "tool.pdm.scripts",
    "project.entry-points.pytest",
    "options.entry_points",
    "tool.uv.sources",
    "unittest",
];

/// What tox alone goes by.
const OF_TOX: [&str; 3] = ["tool.tox", "testenv", "tox"];

/// Returns the names of those that judge, where the oracle may run tox and where not.
pub(super) fn judging(may_run_tox: bool) -> Vec<&'static str> {
    let of_tox = OF_TOX.into_iter().filter(|_| may_run_tox);
    ALWAYS.into_iter().chain(of_tox).collect()
}

/// Returns whether commands of the oracle may run tox: not where each of them is known to run no others.
pub(super) fn may_run_tox(shells: &[&str]) -> bool {
    let opaque = |shell: &&str| shell.contains(['$', '`', '\\', '<']);
    let plain: Vec<String> = shells.iter().map(|s| s.replace("2>&1", "")).collect();
    let commands = plain
        .iter()
        .flat_map(|s| s.split([';', '&', '|', '\n', '(', ')']));
    let mut commands = commands.filter(|command| !command.trim().is_empty());
    shells.iter().any(opaque) || !commands.all(runs_no_other)
}

/// What looks at sources, as a program or as a module.
const CHECKERS: [&str; 8] = [
    "ruff",
    "mypy",
    "flake8",
    "pylint",
    "black",
    "isort",
    "pycodestyle",
    "pyflakes",
];

/// Returns whether a command runs no other program: it runs tests or looks at files, by itself.
fn runs_no_other(command: &str) -> bool {
    const PROGRAMS: [&str; 19] = [
        "pytest", "py.test", "pyright", "bandit", "true", "test", "[", "cd", "echo", "printf",
        "grep", "cat", "ls", "mkdir", "diff", "cmp", "export", "head", "tail",
    ];
    const MODULES: [&str; 4] = ["pytest", "unittest", "doctest", "compileall"];
    let set = |word: &&str| word.contains('=') && !word.starts_with("PATH=") || *word == "!";
    let mut words = command.split_whitespace().skip_while(set).peekable();
    let Some(program) = words.next() else {
        return true;
    };
    let rest: Vec<&str> = words.collect();
    let module = |words: &[&str]| {
        let at = words.iter().position(|word| *word == "-m");
        let (options, named) = words.split_at(at.unwrap_or(words.len()));
        let are_options = options
            .iter()
            .all(|word| word.starts_with('-') && *word != "-c");
        are_options
            && named
                .get(1)
                .is_some_and(|name| MODULES.contains(name) || CHECKERS.contains(name))
    };
    let covered = |words: &[&str]| match words {
        ["run", rest @ ..] => module(rest),
        ["report" | "html" | "xml" | "json" | "combine" | "erase", ..] => true,
        _ => false,
    };
    match program {
        "coverage" => covered(&rest),
        _ if program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') == "python" => {
            module(&rest) || matches!(rest[..], ["-m", "coverage", ..]) && covered(&rest[2..])
        }
        _ => PROGRAMS.contains(&program) || CHECKERS.contains(&program),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tox_is_told_judges_where_it_may_be_run() {
        for (command, want) in [
            ("tox -q", true),
            ("python3 -m pytest -q tests", false),
            ("A=1 python3.12 -B -m pytest -q tests 2>&1 | tail -5", false),
            ("pytest test_a.py", false),
            ("python3 -m unittest discover -s tests", false),
            ("coverage run -m pytest && coverage report", false),
            ("python -m coverage run -m unittest", false),
            ("pytest && ruff check .", false),
            ("make check", true),
            ("pytest && make docs", true),
            ("pytest && sh lint.sh", true),
            ("pytest && python3 ci/all.py", true),
            ("pytest && $CHECK", true),
            ("pytest && ./check", true),
            ("pytest && python run_tests.py", true),
            ("pipenv run pytest", true),
            ("uv run pytest", true),
            ("pytest; rake", true),
            ("pytest; dash -c x", true),
            ("yarn test && pytest", true),
            ("coverage run all.py && pytest", true),
            ("PATH=bin pytest", true),
            ("python -c 'import all' -m pytest", true),
            ("pytest\nunknown", true),
        ] {
            let may = may_run_tox(&[command]);
            assert_eq!(may, want, "{command}");
            assert_eq!(judging(may).contains(&"testenv"), want, "{command}");
            assert!(judging(may).contains(&"pytest"));
        }
        assert!(may_run_tox(&["pytest", "invoke test"]));
    }
}
