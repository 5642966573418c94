//! Python: the interpreter that has the packages, and what tests, checks and types the code.

use super::python_tests::{PythonTests, REQUIREMENTS, has_file, is_required, test_run, tests};
use super::{DetectedStack, StackCommand, Top};

/// Plug-ins of pytest, each with what in its settings needs it.
const PLUGINS: [(&str, &str); 7] = [
    ("--cov", "pytest-cov"),
    ("--numprocesses", "pytest-xdist"),
    ("-n ", "pytest-xdist"),
    ("asyncio_mode", "pytest-asyncio"),
    ("--timeout", "pytest-timeout"),
    ("--benchmark", "pytest-benchmark"),
    ("DJANGO_SETTINGS_MODULE", "pytest-django"),
];

/// Where pytest's settings stand: the file, and the heading of the table.
const SETTINGS: [(&str, &str); 5] = [
    ("pytest.ini", "[pytest]"),
    (".pytest.ini", "[pytest]"),
    ("tox.ini", "[pytest]"),
    ("setup.cfg", "[tool:pytest]"),
    ("pyproject.toml", "[tool.pytest.ini_options]"),
];

/// Extras and groups that bring what tests need.
const EXTRAS: &[&str] = &["test", "tests", "testing", "dev"];

/// Files at the top level that make a repository a Python project.
const MANIFESTS: &[&str] = &[
    "pyproject.toml",
    "uv.lock",
    "pdm.lock",
    "setup.py",
    "setup.cfg",
    "Pipfile",
    "tox.ini",
    "noxfile.py",
    "pytest.ini",
    "manage.py",
];

pub(super) fn python(top: &Top<'_>) -> Option<DetectedStack> {
    top.first(MANIFESTS).or_else(|| top.first(REQUIREMENTS))?;
    Some(project(top))
}

/// Finds tests written in Python where nothing else says what the repository is.
pub(super) fn bare_python(top: &Top<'_>) -> Option<DetectedStack> {
    let found = python(top).is_none().then(|| project(top))?;
    (!found.code.is_empty()).then_some(found)
}

fn project(top: &Top<'_>) -> DetectedStack {
    let mut found = DetectedStack::default();
    let tests = tests(top);
    let runner = runner(top, tests, &mut found);
    // Without an installed package the code is found where it lies.
    let is_src_layout = top.0.paths.iter().any(|path| {
        path.starts_with("src/") && path.ends_with("/__init__.py") && path.matches('/').count() == 2
    });
    let path = match is_src_layout && runner.starts_with("python3") {
        true => "PYTHONPATH=src ",
        false => "",
    };
    if let Some(run) = test_run(top, tests, runner) {
        found.code.push(StackCommand::test(format!("{path}{run}")));
    }
    let configured = top.first(&["ruff.toml", ".ruff.toml"]).is_some()
        || top.contains("pyproject.toml", "[tool.ruff");
    if configured {
        let lint = StackCommand::check("lint", format!("{runner} ruff check ."))
            .when(&["**/*.py", "**/*.toml"]);
        match is_required(top, "ruff") {
            true => found.code.push(lint),
            false => found.suggested.push(lint),
        }
    }
    let typed = top.has("mypy.ini") || top.contains("pyproject.toml", "[tool.mypy]");
    if typed {
        found.cache.push(".mypy_cache");
        found
            .suggested
            .push(StackCommand::check("types", format!("{runner} mypy .")).when(&["**/*.py"]));
    }
    found
}

/// Returns the interpreter, and notes how it gets its packages.
fn runner(top: &Top<'_>, tests: Option<PythonTests>, found: &mut DetectedStack) -> &'static str {
    if top.has("uv.lock") {
        found.setup = Some("uv sync --locked".to_owned());
        found.made.push(".venv");
        "uv run --locked python -m"
    } else if top.has("pdm.lock") {
        found.setup = Some("pdm sync".to_owned());
        found.made.push(".venv");
        "pdm run python -m"
    } else if top.has("Pipfile.lock") {
        found.setup = Some("pipenv sync --dev".to_owned());
        "pipenv run python -m"
    } else if top.has("poetry.lock") {
        found.setup = Some("poetry install --no-interaction".to_owned());
        "poetry run python -m"
    } else if top.has(".venv") && top.ignores(".venv") {
        found.link.push(".venv".to_owned());
        ".venv/bin/python -m"
    } else if top.0.installs {
        found.setup = Some(install(top, tests));
        found.made.extend([".venv", "*.egg-info"]);
        ".venv/bin/python -m"
    } else {
        found.notes.push(
            "Python: the commands use the python3 on PATH; it must have the project's packages. \
             An ignored .venv can be linked instead: `link: [.venv]` and `.venv/bin/python -m …`."
                .to_owned(),
        );
        "python3 -m"
    }
}

/// Returns the set-up of an environment of the slot's own.
fn install(top: &Top<'_>, tests: Option<PythonTests>) -> String {
    let manifest = top.text("pyproject.toml").unwrap_or_default();
    let is_package = manifest.contains("[project]")
        || manifest.contains("[tool.poetry]")
        || top.first(&["setup.py", "setup.cfg"]).is_some();
    let mut wanted = Vec::new();
    if is_package {
        let settings = top.text("setup.cfg").unwrap_or_default();
        let extra = named_in(&manifest, "[project.optional-dependencies]")
            .or_else(|| named_in(&settings, "[options.extras_require]"));
        wanted.push(match extra {
            Some(extra) => format!("-e '.[{extra}]'"),
            None => "-e .".to_owned(),
        });
    }
    if let Some(group) = named_in(&manifest, "[dependency-groups]") {
        wanted.push(format!("--group {group}"));
    }
    // What tests need seldom repeats what the project itself needs.
    let listed = |name: &&&str| has_file(top, name);
    let (project, tested) = REQUIREMENTS.split_last().unzip();
    let tested = tested.into_iter().flatten().find(listed);
    let lists = tested.into_iter().chain(project.filter(listed));
    wanted.extend(lists.map(|name| format!("-r {name}")));
    if tests == Some(PythonTests::Pytest) {
        wanted.push("pytest".to_owned());
        wanted.extend(plugins(top));
    }
    let venv = "python3 -m venv .venv";
    match wanted.is_empty() {
        true => venv.to_owned(),
        false => format!(
            "{venv} && .venv/bin/python -m pip install --quiet {}",
            wanted.join(" ")
        ),
    }
}

/// Returns the plug-ins without which pytest refuses its own settings.
fn plugins(top: &Top<'_>) -> impl Iterator<Item = String> {
    let table = |(file, heading): &(&str, &str)| {
        let text = top.text(file)?;
        let (_, body) = text.split_once(heading)?;
        let lines = body.lines().take_while(|line| !line.starts_with('['));
        Some(lines.collect::<Vec<_>>().join("\n"))
    };
    let settings: Vec<String> = SETTINGS.iter().filter_map(table).collect();
    let mut wanted: Vec<&str> = PLUGINS
        .iter()
        .filter(|(word, _)| settings.iter().any(|text| text.contains(word)))
        .map(|(_, plugin)| *plugin)
        .collect();
    wanted.dedup();
    wanted.into_iter().map(str::to_owned)
}

/// Returns the first of the test extras that a table of the manifest has.
fn named_in(manifest: &str, table: &str) -> Option<&'static str> {
    let (_, body) = manifest.split_once(table)?;
    let keys: Vec<&str> = body
        .lines()
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| Some(line.split_once('=')?.0.trim()))
        .collect();
    EXTRAS.iter().copied().find(|extra| keys.contains(extra))
}
