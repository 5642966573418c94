//! Python: the interpreter that has the packages, and what tests, checks and types the code.

use super::{DetectedStack, StackCommand, Top};

pub(super) fn python(top: &Top<'_>) -> Option<DetectedStack> {
    top.first(&[
        "pyproject.toml",
        "uv.lock",
        "setup.py",
        "setup.cfg",
        "requirements.txt",
        "Pipfile",
    ])?;
    let mut found = DetectedStack::default();
    let runner = if top.has("uv.lock") {
        found.setup = Some("uv sync --locked".to_owned());
        "uv run --locked python -m"
    } else if top.has("poetry.lock") {
        found.setup = Some("poetry install --no-interaction".to_owned());
        "poetry run python -m"
    } else if top.has(".venv") && top.ignores(".venv") {
        found.link.push(".venv".to_owned());
        ".venv/bin/python -m"
    } else {
        found.notes.push(
            "Python: the commands use the python3 on PATH; it must have the project's packages. \
             An ignored .venv can be linked instead: `link: [.venv]` and `.venv/bin/python -m …`."
                .to_owned(),
        );
        "python3 -m"
    };
    found.code.push(StackCommand::test(test_run(top, runner)));
    if top.first(&["ruff.toml", ".ruff.toml"]).is_some()
        || top.contains("pyproject.toml", "[tool.ruff")
    {
        found.code.push(
            StackCommand::check("lint", format!("{runner} ruff check ."))
                .when(&["**/*.py", "**/*.toml"]),
        );
    }
    let typed = top.has("mypy.ini") || top.contains("pyproject.toml", "[tool.mypy]");
    if typed {
        found.cache.push(".mypy_cache");
        found
            .suggested
            .push(StackCommand::check("types", format!("{runner} mypy .")).when(&["**/*.py"]));
    }
    Some(found)
}

fn test_run(top: &Top<'_>, runner: &str) -> String {
    let directory = top.first(&["tests", "test"]);
    match directory {
        _ if uses_pytest(top) => format!("{runner} pytest -q"),
        Some(dir) => format!("{runner} unittest discover -s {dir} -t ."),
        None => format!("{runner} unittest discover"),
    }
}

fn uses_pytest(top: &Top<'_>) -> bool {
    top.first(&["pytest.ini", ".pytest.ini", "conftest.py"])
        .is_some()
        || [
            "pyproject.toml",
            "setup.cfg",
            "tox.ini",
            "uv.lock",
            "Pipfile",
            "requirements.txt",
        ]
        .into_iter()
        .chain([
            "requirements-dev.txt",
            "dev-requirements.txt",
            "requirements-test.txt",
        ])
        .any(|name| top.contains(name, "pytest"))
}
