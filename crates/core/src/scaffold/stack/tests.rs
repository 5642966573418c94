use super::*;
use crate::scaffold::PLACEHOLDER_OPEN;

/// Top-level files as `(name, content)`.
type Files = &'static [(&'static str, &'static str)];

fn stack(files: Files) -> Stack {
    let listing: Vec<String> = files.iter().map(|(name, _)| (*name).to_owned()).collect();
    let read = |name: &str| {
        files
            .iter()
            .find(|(n, _)| *n == name)
            .map(|(_, text)| (*text).to_owned())
    };
    of_files(&read, &listing, false)
}

/// Detects a repository whose tracked files are these and whose top level follows from them.
pub(crate) fn of_files(
    read: &dyn Fn(&str) -> Option<String>,
    paths: &[String],
    installs: bool,
) -> Stack {
    let mut listing: Vec<String> = paths
        .iter()
        .map(|path| path.split('/').next().unwrap_or_default().to_owned())
        .collect();
    listing.dedup();
    let gitignore = read(".gitignore").unwrap_or_default();
    detect(&RepositoryFiles {
        read,
        listing: &listing,
        paths,
        is_ignored: &|name| crate::scaffold::initial_files::ignored(&gitignore, name),
        installs,
    })
}

/// Describes a stack in one line: kinds, then setup, links and commands.
fn shown(stack: &Stack) -> String {
    let mut parts = vec![stack.kinds.join("+")];
    parts.extend(stack.setup.iter().map(|setup| format!("setup={setup}")));
    parts.extend((!stack.link.is_empty()).then(|| format!("link={}", stack.link.join(","))));
    parts.extend((!stack.cache.is_empty()).then(|| format!("cache={}", stack.cache.join(","))));
    for command in &stack.code {
        parts.push(format!(
            "{}{}={}",
            command.name,
            if command.broad { "*" } else { "" },
            command.run
        ));
    }
    parts.join(" | ")
}

const BARE: &str = "[package]\nname = \"x\"\n";
const ROOT: &str = "[workspace]\nmembers = []\n";
const TESTED: &str = r#"{"scripts": {"test": "vitest run"}}"#;

#[test]
fn each_stack_gets_the_commands_that_are_right_for_it() {
    let rows: &[(Files, &str)] = &[
        (&[("Cargo.toml", BARE)], "cargo | tests=cargo test"),
        (
            &[("Cargo.toml", BARE), (".gitignore", "/target\n")],
            "cargo | cache=target | tests=cargo test",
        ),
        (
            &[
                ("build.gradle", ""),
                (".gitignore", ".gradle/\n[Bb]uild/\nbin/\n"),
            ],
            "gradle | cache=.gradle,build | tests=gradle --no-daemon test | check*=gradle --no-daemon check",
        ),
        (
            &[("Cargo.toml", BARE), ("Cargo.lock", "")],
            "cargo | tests=cargo test --locked",
        ),
        (
            &[
                ("Cargo.toml", ROOT),
                ("Cargo.lock", ""),
                ("clippy.toml", ""),
                ("rustfmt.toml", ""),
            ],
            "cargo | tests=cargo test --workspace --locked \
             | clippy=cargo clippy --all-targets --workspace --locked -- -D warnings | fmt=cargo fmt --all --check",
        ),
        (
            &[("Cargo.toml", "[package]\n[lints.clippy]\nall = \"warn\"\n")],
            "cargo | tests=cargo test | clippy=cargo clippy --all-targets -- -D warnings",
        ),
        (
            &[("package.json", TESTED), ("package-lock.json", "{}")],
            "node | setup=npm ci | tests=npm run test",
        ),
        (
            &[("package.json", TESTED), ("npm-shrinkwrap.json", "{}")],
            "node | setup=npm ci | tests=npm run test",
        ),
        (
            &[("package.json", TESTED), ("pnpm-lock.yaml", "")],
            "node | setup=pnpm install --frozen-lockfile | tests=pnpm run test",
        ),
        (
            &[("package.json", TESTED), ("yarn.lock", "")],
            "node | setup=yarn install --frozen-lockfile | tests=yarn run test",
        ),
        (
            &[
                ("package.json", TESTED),
                ("yarn.lock", ""),
                (".yarnrc.yml", ""),
            ],
            "node | setup=yarn install --immutable | tests=yarn run test",
        ),
        (
            &[("package.json", TESTED), ("bun.lock", "")],
            "node | setup=bun install --frozen-lockfile | tests=bun run test",
        ),
        (
            // The field decides between two lock files; its own lock file decides the install.
            &[
                (
                    "package.json",
                    r#"{"packageManager": "pnpm@9.1.0", "scripts": {"test": "jest"}}"#,
                ),
                ("package-lock.json", "{}"),
            ],
            "node | tests=pnpm run test",
        ),
        (
            &[
                (
                    "package.json",
                    r#"{"packageManager": "yarn@4.1.0", "scripts": {"test": "jest"}}"#,
                ),
                ("yarn.lock", ""),
            ],
            "node | setup=yarn install --immutable | tests=yarn run test",
        ),
        (
            &[
                (
                    "package.json",
                    r#"{"scripts": {"test": "jest", "lint": "eslint .", "typecheck": "tsc --noEmit", "build": "vite build"}, "devDependencies": {"eslint": "9", "typescript": "5"}}"#,
                ),
                ("package-lock.json", "{}"),
            ],
            "node | setup=npm ci | tests=npm run test | lint=npm run lint | types=npm run typecheck | build*=npm run build",
        ),
        (
            &[
                (
                    "package.json",
                    r#"{"scripts": {"test": "jest --watch", "test:ci": "jest", "lint": "eslint --fix ."}}"#,
                ),
                ("node_modules", ""),
                (".gitignore", "node_modules/\n"),
            ],
            "node | link=node_modules | tests=npm run test:ci",
        ),
        (
            &[(
                "package.json",
                r#"{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}"#,
            )],
            "node",
        ),
        (
            &[("package.json", r#"{"scripts": {"test": "jest || true"}}"#)],
            "node",
        ),
        (&[("package.json", "not json")], "node"),
        (
            &[
                (
                    "pyproject.toml",
                    "[dependency-groups]\ndev = [\"ruff\"]\n[tool.pytest.ini_options]\n[tool.ruff]\n",
                ),
                ("uv.lock", ""),
            ],
            "python | setup=uv sync --locked | tests=uv run --locked python -m pytest -q \
             | lint=uv run --locked python -m ruff check .",
        ),
        (
            &[
                ("pyproject.toml", ""),
                ("tests/__init__.py", ""),
                ("tests/test_a.py", "from unittest import TestCase\n"),
            ],
            "python | tests=python3 -m unittest discover -s tests -t .",
        ),
        (
            &[("requirements.txt", "pytest==8\n")],
            "python | tests=python3 -m pytest -q",
        ),
        (
            &[("setup.py", ""), ("test_a.py", "import unittest\n")],
            "python | tests=python3 -m unittest discover",
        ),
        // Settings of a checker are no sign that it is installed, and a test directory none of tests.
        (
            &[
                ("pyproject.toml", "[tool.ruff]\nline-length = 100\n"),
                ("src/x/__init__.py", ""),
                ("tests/test_a.py", "import pytest\n"),
            ],
            "python | tests=PYTHONPATH=src python3 -m pytest -q",
        ),
        (&[("pyproject.toml", ""), ("tests/data.txt", "")], "python"),
        (
            &[
                ("setup.py", ""),
                ("tests/test_a.py", "class A(unittest.TestCase):\n"),
            ],
            "python | tests=python3 -m unittest discover -s tests",
        ),
        (
            &[
                ("setup.py", ""),
                ("x/test_a.py", "def test_a():\n    assert True\n"),
            ],
            "python | tests=python3 -m pytest -q",
        ),
        // A lock file that git ignores is in no slot.
        (
            &[
                ("Cargo.toml", BARE),
                ("Cargo.lock", ""),
                (".gitignore", "Cargo.lock\n"),
            ],
            "cargo | tests=cargo test",
        ),
        // Dependencies without a lock file are installed, and no script runs twice.
        (
            &[(
                "package.json",
                r#"{"scripts": {"pretest": "npm run lint", "lint": "eslint .", "test": "npm run types && mocha", "types": "tsc"}, "devDependencies": {"eslint": "9", "mocha": "10"}}"#,
            )],
            "node | setup=npm install --no-package-lock --no-audit --no-fund | tests=npm run test",
        ),
        (
            &[(
                "package.json",
                r#"{"scripts": {"test": "mocha", "lint": "standard"}, "devDependencies": {"mocha": "10"}}"#,
            )],
            "node | setup=npm install --no-package-lock --no-audit --no-fund | tests=npm run test",
        ),
        (
            &[
                ("pyproject.toml", ""),
                ("poetry.lock", ""),
                ("conftest.py", ""),
            ],
            "python | setup=poetry install --no-interaction | tests=poetry run python -m pytest -q",
        ),
        (
            &[
                ("requirements.txt", ""),
                (".venv", ""),
                (".gitignore", "/.venv\n"),
                ("test/__init__.py", ""),
                ("test/test_a.py", "import unittest\n"),
            ],
            "python | link=.venv | tests=.venv/bin/python -m unittest discover -s test -t .",
        ),
        (
            &[("go.mod", "module x\n")],
            "go | tests=go test ./... | vet=go vet ./...",
        ),
        (
            &[("go.work", ""), (".golangci.yml", "")],
            "go | tests=go list -f '{{.Dir}}/...' -m | xargs go test \
             | vet=go list -f '{{.Dir}}/...' -m | xargs go vet | lint=golangci-lint run",
        ),
        (
            &[("pom.xml", ""), ("mvnw", "")],
            "maven | tests=./mvnw -B -ntp test | verify*=./mvnw -B -ntp verify",
        ),
        (
            &[("pom.xml", "")],
            "maven | tests=mvn -B -ntp test | verify*=mvn -B -ntp verify",
        ),
        (
            &[("build.gradle.kts", ""), ("gradlew", "")],
            "gradle | tests=./gradlew --no-daemon test | check*=./gradlew --no-daemon check",
        ),
        (
            &[("settings.gradle", "")],
            "gradle | tests=gradle --no-daemon test | check*=gradle --no-daemon check",
        ),
        (
            &[
                ("B.sln", ""),
                ("A.csproj", ""),
                ("A.sln", ""),
                ("packages.lock.json", ""),
            ],
            "dotnet | setup=dotnet restore A.sln --locked-mode | tests=dotnet test A.sln --nologo",
        ),
        (
            &[("My App.fsproj", "")],
            "dotnet | tests=dotnet test './My App.fsproj' --nologo",
        ),
        (
            &[(
                "Makefile",
                "CC := cc\n.PHONY: check deploy\nall test: all.o\n\tcc\nlint:\n",
            )],
            "make | tests=make test | lint=make lint",
        ),
        (
            &[("GNUmakefile", "check::\n\t./run\n")],
            "make | tests=make check",
        ),
        (
            &[("Makefile", "test = yes\ntest := 1\n# test:\n\ttest: x\n")],
            "make",
        ),
        (
            &[("Cargo.toml", BARE), ("Makefile", "test:\n\tcargo test\n")],
            "cargo+make | cargo-tests=cargo test",
        ),
        (
            &[
                ("package.json", "{}"),
                ("Makefile", "test:\n\tsh tests/run.sh\n"),
            ],
            "node+make | make-tests=make test",
        ),
        (
            &[
                ("Cargo.toml", BARE),
                ("package.json", TESTED),
                ("package-lock.json", ""),
                ("uv.lock", ""),
            ],
            "cargo+node+python | setup=npm ci && uv sync --locked | cargo-tests=cargo test \
             | node-tests=npm run test",
        ),
        (
            &[
                ("go.mod", ""),
                (".env", "SECRET=1"),
                (".gitignore", ".env\n"),
            ],
            "go | link=.env | tests=go test ./... | vet=go vet ./...",
        ),
        (
            &[("go.mod", ""), (".env", "tracked=1")],
            "go | tests=go test ./... | vet=go vet ./...",
        ),
        (
            &[
                ("test_a.py", "def test_a():\n    assert True\n"),
                ("a.py", ""),
            ],
            "python files | tests=python3 -m pytest -q",
        ),
        // A C project whose tests happen to be driven by Python is what its makefile says.
        (
            &[
                ("Makefile", "test:\n\tpytest\n"),
                ("tests/test_a.py", "import pytest\n"),
            ],
            "make | tests=make test",
        ),
        (
            &[("tests/run.sh", "#!/usr/bin/env bash\n"), ("a.sh", "")],
            "script | tests=bash tests/run.sh",
        ),
        (
            &[("go.mod", ""), ("test.sh", "go test ./...\n")],
            "go | tests=go test ./... | vet=go vet ./...",
        ),
        (
            &[("script/test", "#!/opt/x\n")],
            "script | tests=./script/test",
        ),
        (
            &[("requirements-dev.txt", "pytest\n"), ("a.py", "")],
            "python | tests=python3 -m pytest -q",
        ),
        (
            &[
                ("manage.py", ""),
                ("shop/tests.py", "from django.test import TestCase\n"),
            ],
            "python | tests=python3 manage.py test",
        ),
        (
            &[
                ("Gemfile", ""),
                ("spec/a_spec.rb", ""),
                (".rubocop.yml", ""),
            ],
            "ruby | setup=bundle install --quiet | tests=bundle exec rspec",
        ),
        (
            &[
                ("Gemfile", ""),
                ("Rakefile", "Rake::TestTask.new\n"),
                ("test/test_a.rb", ""),
            ],
            "ruby | setup=bundle install --quiet | tests=bundle exec rake test",
        ),
        (
            &[("composer.json", "{}"), ("phpunit.xml.dist", "")],
            "php | setup=composer install --no-interaction --no-progress --quiet | tests=vendor/bin/phpunit",
        ),
        (
            &[("mix.exs", ""), (".gitignore", "/_build/\n/deps/\n")],
            "elixir | setup=mix deps.get | cache=deps,_build | tests=mix test",
        ),
        (
            &[("deno.json", r#"{"tasks": {"test": "deno test -R"}}"#)],
            "deno | tests=deno task test",
        ),
        (
            &[("deno.jsonc", "{}")],
            "deno | tests=deno test --allow-all",
        ),
        (
            &[
                ("CMakeLists.txt", "add_subdirectory(tests)\n"),
                ("tests/CMakeLists.txt", "enable_testing()\n"),
            ],
            "cmake | tests=cmake -S . -B build && cmake --build build --parallel 2 \
             && ctest --test-dir build --output-on-failure --no-tests=error",
        ),
        (
            &[("CMakeLists.txt", "add_library(a a.c)\n")],
            "cmake | build=cmake -S . -B build && cmake --build build --parallel 2",
        ),
        (&[("Package.swift", ""), ("Sources/a.swift", "")], "swift"),
        (
            &[("Package.swift", ""), ("Tests/a.swift", "")],
            "swift | tests=swift test",
        ),
        (
            &[("justfile", "x := 'test'\ntest *args: build\n\tcargo\n")],
            "just | tests=just test",
        ),
        (
            &[
                ("package.json", r#"{"workspaces": ["packages/*"]}"#),
                ("packages/a/package.json", TESTED),
                ("package-lock.json", ""),
            ],
            "node | setup=npm ci | tests=npm run test --workspaces --if-present",
        ),
        (
            &[("Cargo.toml", BARE), ("justfile", "test:\n\tcargo test\n")],
            "cargo+just | cargo-tests=cargo test",
        ),
        (
            &[
                ("package.json", "{}"),
                ("test/a.js", "require('node:test')\n"),
            ],
            "node | tests=node --test",
        ),
        (&[("package.json", "{}"), ("test/a.js", "x\n")], "node"),
        (
            &[("a.sh", ""), ("test/a.bats", "")],
            "bats | tests=bats --recursive test",
        ),
        // Projects in directories go before tests that merely lie around.
        (
            &[
                ("api/test_a.py", "def test_a():\n    assert True\n"),
                ("api/setup.py", ""),
                ("web/go.mod", ""),
            ],
            "python+go | api-python-tests=cd api && python3 -m pytest -q \
             | web-go-tests=cd web && go test ./... | web-go-vet=cd web && go vet ./...",
        ),
        // Where the top level has no tests, its directories are asked.
        (
            &[
                ("README.md", ""),
                ("backend/pyproject.toml", "[tool.pytest.ini_options]\n"),
                ("docs/package.json", TESTED),
                ("my web/package.json", TESTED),
                ("my web/package-lock.json", ""),
            ],
            "python+node | setup=(cd './my web' && npm ci) \
             | backend-python-tests=cd backend && python3 -m pytest -q \
             | my-web-node-tests=cd './my web' && npm run test",
        ),
        (
            &[("core/go.mod", "module x\n"), ("LICENSE", "")],
            "go | tests=cd core && go test ./... | vet=cd core && go vet ./...",
        ),
        // Names in letters of others are written in ASCII, and numbered where nothing is left to tell them apart.
        (
            &[
                ("проект/go.mod", "module x\n"),
                ("前端/go.mod", "module y\n"),
                ("后端/go.mod", "module z\n"),
            ],
            "go | proekt-go-tests=cd './проект' && go test ./... | proekt-go-vet=cd './проект' && go vet ./... \
             | directory-go-tests=cd './前端' && go test ./... | directory-go-vet=cd './前端' && go vet ./... \
             | directory-go-2-tests=cd './后端' && go test ./... | directory-go-2-vet=cd './后端' && go vet ./...",
        ),
        // And those below a directory without any.
        (
            &[
                ("services/a/pyproject.toml", "[tool.pytest.ini_options]\n"),
                ("services/a/tests/test_a.py", "def test_a():\n    pass\n"),
                ("services/b/go.mod", ""),
                ("services/b/vendor/go.mod", ""),
                ("web/package.json", TESTED),
                ("web/kit/package.json", TESTED),
            ],
            "python+go+node | services-a-python-tests=cd services/a && python3 -m pytest -q \
             | services-b-go-tests=cd services/b && go test ./... | services-b-go-vet=cd services/b && go vet ./... \
             | web-node-tests=cd web && npm run test",
        ),
        (&[("README.md", "cargo test"), ("src", "")], ""),
        (&[], ""),
    ];
    for (files, want) in rows {
        assert_eq!(shown(&stack(files)), *want, "{files:?}");
    }
}

#[test]
fn without_tests_the_file_says_so_and_no_shell_accepts_it() {
    let untested: &[Files] = &[
        &[],
        &[("package.json", r#"{"scripts": {"build": "vite build"}}"#)],
        &[("Makefile", "all:\n")],
    ];
    for files in untested {
        let text = stack(files).verification();
        assert!(text.contains(PLACEHOLDER_OPEN), "{files:?}:\n{text}");
        let (_, rest) = text
            .split_once(&format!("\"{PLACEHOLDER_OPEN}"))
            .expect("a quoted command");
        let command = format!(
            "{PLACEHOLDER_OPEN}{}",
            rest.split('"').next().expect("a closing quote")
        );
        let status = std::process::Command::new("sh")
            .args(["-c", &command])
            .output()
            .expect("sh runs")
            .status;
        assert!(!status.success(), "`{command}` passed");
    }
    let tested = stack(&[("go.mod", "")]).verification();
    assert!(!tested.contains(PLACEHOLDER_OPEN), "{tested}");
}

#[test]
fn the_written_file_reads_as_intended() {
    let text = stack(&[
        (
            "package.json",
            r#"{"scripts": {"test": "jest", "build": "vite build"}}"#,
        ),
        ("package-lock.json", "{}"),
        ("Cargo.toml", BARE),
        (".env", ""),
        (".gitignore", ".env*\n"),
    ])
    .verification();
    let want = "\
# Detected: cargo, node.
# Nothing here was run yet: a command that is red on your code as it is stops every unit.

# Once per slot, and again when a lock file changes.
setup: \"npm ci\"
# Ignored paths a slot takes from your checkout.
link: [.env]
code:
  - name: cargo-tests
    command: \"cargo test\"
  - name: node-tests
    command: \"npm run test\"
  - name: node-build
    command: \"npm run build\"
    timeout: 30m
    tier: broad
  # Green on your code today? Then switch these on; red ones would stop every unit.
  # - name: cargo-clippy
  #   command: \"cargo clippy --all-targets -- -D warnings\"
  #   when: [\"**/*.rs\", \"**/Cargo.toml\", \"Cargo.lock\"]
  # - name: cargo-fmt
  #   command: \"cargo fmt --all --check\"
  #   when: [\"**/*.rs\"]

# Closing and planning units: what they leave must be a valid plan.
doc:
  - name: plan-lint
    command: '\"${GATEWALK_BIN:-gatewalk}\" lint \"$GATEWALK_FEATURE_DIR\"'
plannext:
  - name: plan-lint
    command: '\"${GATEWALK_BIN:-gatewalk}\" lint \"$GATEWALK_FEATURE_DIR\"'
";
    assert!(text.ends_with(want), "{text}");
}

#[test]
fn what_a_trial_showed_is_written_and_what_it_did_not_is_a_comment_with_its_reason() {
    let stack = stack(&[("Cargo.toml", BARE), ("Cargo.lock", "")]);
    let outcome = |name: &str, outcome| (name.to_owned(), outcome);
    let failed = TrialOutcome::Failed("exit 1: Diff in src/lib.rs:3".to_owned());
    let trial = StackTrial {
        commit: "abc1234".to_owned(),
        outcomes: [
            outcome("tests", TrialOutcome::Passed),
            outcome("clippy", TrialOutcome::Passed),
            outcome("fmt", failed),
        ]
        .into(),
    };
    assert!(trial.shows_tests(&stack));
    let text = stack.clone().tried(trial).verification();
    for part in [
        "# Each command that is switched on was run once on abc1234 and passed.\n",
        "\n  - name: tests\n",
        "\n  - name: clippy\n",
        "  # Not switched on, each with the reason. Red ones would stop every unit.\n  \
         # fmt: exit 1: Diff in src/lib.rs:3\n  # - name: fmt\n",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    // Tests that are red leave the line that lint reports and every shell refuses.
    let trial = StackTrial::default();
    assert!(!trial.shows_tests(&stack));
    let text = stack.tried(trial).verification();
    assert!(text.contains(PLACEHOLDER_OPEN), "{text}");
    assert!(text.contains("  # tests: it was not run\n"), "{text}");
}

#[test]
fn a_makefile_that_wraps_the_tests_is_not_switched_on_beside_them() {
    let stack = stack(&[
        ("package.json", TESTED),
        ("Makefile", "test:\n\tnpm test\n"),
    ]);
    let passed = |name: &str| (name.to_owned(), TrialOutcome::Passed);
    let trial = StackTrial {
        commit: "abc1234".to_owned(),
        outcomes: [passed("node-tests"), passed("make-tests")].into(),
    };
    let text = stack.tried(trial).verification();
    assert!(text.contains("\n  - name: node-tests\n"), "{text}");
    assert!(
        text.contains("  # make-tests: it repeats the tests above\n"),
        "{text}"
    );
}

#[test]
fn what_python_depends_on_is_installed_where_this_machine_lacks_it() {
    let files = |name: &str| match name {
        "pyproject.toml" => Some(
            "[project]\nname = \"x\"\n[project.optional-dependencies]\ntest = [\"pytest\"]\n"
                .to_owned(),
        ),
        _ => None,
    };
    let stack = of_files(&files, &["pyproject.toml".to_owned()], true);
    assert_eq!(
        shown(&stack),
        "python | setup=python3 -m venv .venv && .venv/bin/python -m pip install --quiet -e '.[test]' pytest \
         | tests=.venv/bin/python -m pytest -q"
    );
    assert_eq!(stack.made, [".venv", "*.egg-info"]);
}

#[test]
fn the_plug_ins_that_pytest_s_settings_name_are_installed_with_it() {
    for (name, settings, plugins) in [
        (
            "tox.ini",
            "[testenv]\ncommands = pytest -n 4\n[pytest]\naddopts = -q\n    --cov=x\n",
            " pytest-cov",
        ),
        (
            "setup.cfg",
            "[tool:pytest]\naddopts = -n auto --timeout=5\n[x]\na = --cov\n",
            " pytest-xdist pytest-timeout",
        ),
        (
            "pyproject.toml",
            "[tool.pytest.ini_options]\nasyncio_mode = \"auto\"\n",
            " pytest-asyncio",
        ),
        ("pytest.ini", "[pytest]\naddopts = -q\n", ""),
    ] {
        let files = |other: &str| (other == name).then(|| settings.to_owned());
        let paths = [name.to_owned(), "tests/conftest.py".to_owned()];
        let stack = of_files(&files, &paths, true);
        let setup = stack.setup.unwrap_or_default();
        assert!(
            setup.ends_with(&format!(" pytest{plugins}")),
            "{name}: {setup}"
        );
    }
}
