//! The table of stacks: one row each, one function each.

use super::{DetectedStack, StackCommand, StackDetector, Top};
use serde_json::Value;

/// Every stack, in the order their commands are written.
pub const ROWS: &[StackDetector] = &[
    StackDetector {
        name: "cargo",
        detect: cargo,
    },
    StackDetector {
        name: "node",
        detect: node,
    },
    StackDetector {
        name: "python",
        detect: python,
    },
    StackDetector {
        name: "go",
        detect: go,
    },
    StackDetector {
        name: "maven",
        detect: maven,
    },
    StackDetector {
        name: "gradle",
        detect: gradle,
    },
    StackDetector {
        name: "dotnet",
        detect: dotnet,
    },
    StackDetector {
        name: "make",
        detect: make,
    },
];

const RUST_FILES: &[&str] = &["**/*.rs", "**/Cargo.toml", "Cargo.lock"];

fn cargo(top: &Top<'_>) -> Option<DetectedStack> {
    let manifest = top.text("Cargo.toml")?;
    let mut flags = String::new();
    if manifest.contains("[workspace]") {
        flags.push_str(" --workspace");
    }
    if top.has("Cargo.lock") {
        flags.push_str(" --locked");
    }
    let clippy = StackCommand::check(
        "clippy",
        format!("cargo clippy --all-targets{flags} -- -D warnings"),
    )
    .when(RUST_FILES);
    let fmt = StackCommand::check("fmt", "cargo fmt --all --check").when(&["**/*.rs"]);
    let mut found = DetectedStack {
        cache: vec!["target"],
        code: vec![StackCommand::test(format!("cargo test{flags}"))],
        ..DetectedStack::default()
    };
    // A check that is red on today's code stops every unit, so only what the repository has
    // already set up for itself is switched on.
    let configured =
        top.first(&["clippy.toml", ".clippy.toml"]).is_some() || manifest.contains("lints.clippy");
    if configured {
        &mut found.code
    } else {
        &mut found.suggested
    }
    .push(clippy);
    let formatted = top.first(&["rustfmt.toml", ".rustfmt.toml"]).is_some();
    if formatted {
        &mut found.code
    } else {
        &mut found.suggested
    }
    .push(fmt);
    Some(found)
}

/// One package manager: its lock files, its reproducible install, how it runs a script.
struct Manager {
    name: &'static str,
    locks: &'static [&'static str],
    install: &'static str,
    run: &'static str,
}

const MANAGERS: &[Manager] = &[
    Manager {
        name: "pnpm",
        locks: &["pnpm-lock.yaml"],
        install: "pnpm install --frozen-lockfile",
        run: "pnpm run",
    },
    Manager {
        name: "yarn",
        locks: &["yarn.lock"],
        install: "yarn install --frozen-lockfile",
        run: "yarn run",
    },
    Manager {
        name: "bun",
        locks: &["bun.lock", "bun.lockb"],
        install: "bun install --frozen-lockfile",
        run: "bun run",
    },
    Manager {
        name: "npm",
        locks: &["package-lock.json", "npm-shrinkwrap.json"],
        install: "npm ci",
        run: "npm run",
    },
];

fn node(top: &Top<'_>) -> Option<DetectedStack> {
    let package: Value = serde_json::from_str(&top.text("package.json")?).unwrap_or(Value::Null);
    let named = package["packageManager"].as_str().unwrap_or("");
    let manager = MANAGERS
        .iter()
        .find(|m| named.split('@').next() == Some(m.name))
        .or_else(|| MANAGERS.iter().find(|m| top.first(m.locks).is_some()))
        .or(MANAGERS.last())?;
    let mut found = DetectedStack::default();
    if top.first(manager.locks).is_some() {
        let berry = manager.name == "yarn"
            && (top.has(".yarnrc.yml")
                || (named.starts_with("yarn@") && !named.starts_with("yarn@1")));
        let install = if berry {
            "yarn install --immutable"
        } else {
            manager.install
        };
        // node_modules is not linked here: a clean install would empty the linked directory.
        found.setup = Some(install.to_owned());
    } else if top.has("node_modules") && top.ignores("node_modules") {
        found.link.push("node_modules".to_owned());
    }
    let usable = |name: &str| {
        package["scripts"][name]
            .as_str()
            .is_some_and(script_can_fail)
    };
    let run = |name: &str| format!("{} {name}", manager.run);
    if let Some(name) = ["test", "test:ci", "test:unit"]
        .into_iter()
        .find(|name| usable(name))
    {
        found.code.push(StackCommand::test(run(name)));
    }
    for (name, scripts) in [
        ("lint", &["lint"] as &[&str]),
        (
            "types",
            &["typecheck", "type-check", "check-types", "types"],
        ),
        ("format", &["format:check", "format-check", "check-format"]),
    ] {
        if let Some(script) = scripts.iter().find(|script| usable(script)) {
            found.code.push(StackCommand::check(name, run(script)));
        }
    }
    if usable("build") {
        found
            .code
            .push(StackCommand::check("build", run("build")).broad("30m"));
    }
    Some(found)
}

/// A script is no oracle when it never ends, repairs instead of reporting, or passes whatever
/// happens; npm's own default test script is the commonest of these.
fn script_can_fail(script: &str) -> bool {
    let script = script.trim();
    let endless = script.contains("--watch") && !script.contains("=false");
    let repairs = script.contains("--fix") || script.contains("--write");
    let passes = script.is_empty()
        || script.contains("no test specified")
        || matches!(script, "true" | ":" | "exit 0")
        || script.ends_with("|| true")
        || script.ends_with("|| exit 0")
        || (script.starts_with("echo ") && !script.contains('&'));
    !(endless || repairs || passes)
}

fn python(top: &Top<'_>) -> Option<DetectedStack> {
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
    found.code.push(if uses_pytest(top) {
        StackCommand::test(format!("{runner} pytest -q"))
    } else {
        let directory = top
            .first(&["tests", "test"])
            .map(|dir| format!(" -s {dir} -t ."))
            .unwrap_or_default();
        StackCommand::test(format!("{runner} unittest discover{directory}"))
    });
    if top.first(&["ruff.toml", ".ruff.toml"]).is_some() || top.says("pyproject.toml", "[tool.ruff")
    {
        found.code.push(
            StackCommand::check("lint", format!("{runner} ruff check ."))
                .when(&["**/*.py", "**/*.toml"]),
        );
    }
    let typed = top.has("mypy.ini") || top.says("pyproject.toml", "[tool.mypy]");
    if typed {
        found.cache.push(".mypy_cache");
        found
            .suggested
            .push(StackCommand::check("types", format!("{runner} mypy .")).when(&["**/*.py"]));
    }
    Some(found)
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
        .any(|name| top.says(name, "pytest"))
}

fn go(top: &Top<'_>) -> Option<DetectedStack> {
    let workspace = !top.has("go.mod") && top.has("go.work");
    if !workspace && !top.has("go.mod") {
        return None;
    }
    // In a workspace without a root module `./...` matches nothing, so the modules are listed.
    let line = |verb: &str| match workspace {
        true => format!("go list -f '{{{{.Dir}}}}/...' -m | xargs go {verb}"),
        false => format!("go {verb} ./..."),
    };
    let mut found = DetectedStack {
        code: vec![
            StackCommand::test(line("test")),
            StackCommand::check("vet", line("vet")).when(&["**/*.go", "**/go.mod"]),
        ],
        ..DetectedStack::default()
    };
    if top
        .first(&[".golangci.yml", ".golangci.yaml", ".golangci.toml"])
        .is_some()
    {
        found
            .code
            .push(StackCommand::check("lint", "golangci-lint run").when(&["**/*.go"]));
    }
    Some(found)
}

fn maven(top: &Top<'_>) -> Option<DetectedStack> {
    top.first(&["pom.xml"])?;
    let maven = if top.has("mvnw") { "./mvnw" } else { "mvn" };
    let verify = StackCommand::check("verify", format!("{maven} -B -ntp verify")).broad("45m");
    let test = StackCommand::test(format!("{maven} -B -ntp test")).timeout("30m");
    Some(DetectedStack {
        code: vec![test, verify],
        ..DetectedStack::default()
    })
}

fn gradle(top: &Top<'_>) -> Option<DetectedStack> {
    top.first(&[
        "build.gradle",
        "build.gradle.kts",
        "settings.gradle",
        "settings.gradle.kts",
    ])?;
    let gradle = if top.has("gradlew") {
        "./gradlew"
    } else {
        "gradle"
    };
    // A daemon would outlive the attempt and be ended with it.
    let check = StackCommand::check("check", format!("{gradle} --no-daemon check")).broad("45m");
    let test = StackCommand::test(format!("{gradle} --no-daemon test")).timeout("30m");
    Some(DetectedStack {
        cache: vec![".gradle", "build"],
        code: vec![test, check],
        ..DetectedStack::default()
    })
}

fn dotnet(top: &Top<'_>) -> Option<DetectedStack> {
    let by_ending = |endings: &[&str]| {
        let mut names: Vec<&String> = top
            .listing
            .iter()
            .filter(|name| endings.iter().any(|end| name.ends_with(end)))
            .collect();
        names.sort();
        names.first().map(|name| (*name).clone())
    };
    let target =
        by_ending(&[".sln", ".slnx"]).or_else(|| by_ending(&[".csproj", ".fsproj", ".vbproj"]))?;
    let target = quoted(&target);
    let mut found = DetectedStack {
        cache: vec!["obj"],
        ..DetectedStack::default()
    };
    // The target is named because `dotnet` refuses to choose between two in one directory.
    found
        .code
        .push(StackCommand::test(format!("dotnet test {target} --nologo")).timeout("30m"));
    if top.has("packages.lock.json") {
        found.setup = Some(format!("dotnet restore {target} --locked-mode"));
    }
    if top.has(".editorconfig") {
        let run = format!("dotnet format {target} --verify-no-changes");
        found
            .suggested
            .push(StackCommand::check("format", run).when(&["**/*.cs", "**/*.fs"]));
    }
    Some(found)
}

/// Returns a name as one shell word.
fn quoted(name: &str) -> String {
    match name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
        && !name.starts_with('-')
    {
        true => name.to_owned(),
        false => format!("'./{}'", name.replace('\'', r"'\''")),
    }
}

fn make(top: &Top<'_>) -> Option<DetectedStack> {
    let text = top.text(top.first(&["GNUmakefile", "makefile", "Makefile"])?)?;
    let targets = make_targets(&text);
    let has = |name: &str| targets.iter().any(|target| target == name);
    let mut found = DetectedStack::default();
    if let Some(target) = ["test", "tests", "check"]
        .into_iter()
        .find(|target| has(target))
    {
        found
            .code
            .push(StackCommand::test(format!("make {target}")));
    }
    if has("lint") {
        found.code.push(StackCommand::check("lint", "make lint"));
    }
    Some(found)
}

/// Returns the targets a makefile defines by name: rules at the start of a line, not variables.
fn make_targets(text: &str) -> Vec<String> {
    let rules = text
        .lines()
        .filter(|line| !line.starts_with(['\t', ' ', '#', '.']));
    rules
        .filter_map(|line| {
            let (names, rest) = line.split_once(':')?;
            let rest = rest.trim_start_matches(':');
            let variable = rest.starts_with('=') || names.contains(['=', '?', '+']);
            (!variable).then(|| {
                names
                    .split_whitespace()
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            })
        })
        .flatten()
        .collect()
}
