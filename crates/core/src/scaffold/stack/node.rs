//! JavaScript and TypeScript: one of four package managers, and the scripts that can fail.

use super::{CaseForm, DetectedStack, StackCommand, Top, unread_manifests};
use serde_json::Value;

/// How many test files are looked into for the runner they ask for.
const FILES_READ: usize = 20;

/// One package manager: its lock files, its reproducible install, how it runs a script.
struct Manager {
    name: &'static str,
    locks: &'static [&'static str],
    install: &'static str,
    /// The install where there is no lock file; it must not write one.
    unlocked: &'static str,
    run: &'static str,
    /// The tests of every package of a workspace.
    each: Option<&'static str>,
}

const MANAGERS: &[Manager] = &[
    Manager {
        name: "pnpm",
        locks: &["pnpm-lock.yaml"],
        install: "pnpm install --frozen-lockfile",
        unlocked: "pnpm install --no-lockfile",
        run: "pnpm run",
        each: Some("pnpm --recursive --if-present run test"),
    },
    Manager {
        name: "yarn",
        locks: &["yarn.lock"],
        install: "yarn install --frozen-lockfile",
        unlocked: "yarn install --no-lockfile",
        run: "yarn run",
        each: None,
    },
    Manager {
        name: "bun",
        locks: &["bun.lock", "bun.lockb"],
        install: "bun install --frozen-lockfile",
        unlocked: "bun install --no-save",
        run: "bun run",
        each: Some("bun run --filter '*' test"),
    },
    Manager {
        name: "npm",
        locks: &["package-lock.json", "npm-shrinkwrap.json"],
        install: "npm ci",
        unlocked: "npm install --no-package-lock --no-audit --no-fund",
        run: "npm run",
        each: Some("npm run test --workspaces --if-present"),
    },
];

/// The scripts that check something, by the names they go by.
const CHECKS: &[(&str, &[&str])] = &[
    ("lint", &["lint"]),
    (
        "types",
        &["typecheck", "type-check", "check-types", "types"],
    ),
    ("format", &["format:check", "format-check", "check-format"]),
];

/// Finds how dependencies come into a slot.
fn install(found: &mut DetectedStack, top: &Top<'_>, package: &Value, manager: &Manager) {
    let named = package["packageManager"].as_str().unwrap_or("");
    let locked = manager
        .locks
        .iter()
        .any(|lock| top.has(lock) && !top.ignores(lock));
    if locked {
        let newer_yarn = named.starts_with("yarn@") && !named.starts_with("yarn@1");
        let install = match manager.name {
            "yarn" if newer_yarn || top.has(".yarnrc.yml") => "yarn install --immutable",
            _ => manager.install,
        };
        // node_modules is not linked here: a clean install would empty the linked directory.
        found.setup = Some(install.to_owned());
        found.made.push("node_modules");
    } else if top.has("node_modules") && top.ignores("node_modules") {
        found.link.push("node_modules".to_owned());
    } else if packages(package).next().is_some() {
        found.setup = Some(manager.unlocked.to_owned());
        found.made.push("node_modules");
    }
}

pub(super) fn node(top: &Top<'_>) -> Option<DetectedStack> {
    let package = unread_manifests::json(&top.text("package.json")?);
    let named = package["packageManager"].as_str().unwrap_or("");
    let manager = MANAGERS
        .iter()
        .find(|m| named.split('@').next() == Some(m.name))
        .or_else(|| MANAGERS.iter().find(|m| top.first(m.locks).is_some()))
        .or(MANAGERS.last())?;
    let mut found = DetectedStack::default();
    install(&mut found, top, &package, manager);
    let script = |name: &str| package["scripts"][name].as_str();
    let usable = |name: &str| script(name).is_some_and(script_can_fail);
    let run = |name: &str| format!("{} {name}", manager.run);
    let tests = ["test", "test:ci", "test:unit"]
        .into_iter()
        .find(|name| usable(name));
    if let Some(name) = tests {
        let passes_on = match manager.name {
            "npm" => format!("{} --", run(name)),
            _ => run(name),
        };
        let by_cases = script(name).and_then(|text| CaseForm::of_script(&passes_on, text));
        let test = StackCommand::test(run(name));
        found.code.push(StackCommand { by_cases, ..test });
    } else if let Some(each) = manager.each.filter(|_| packages_test(top, &package)) {
        found.code.push(StackCommand::test(each));
    } else if uses_own_runner(top) {
        found.code.push(StackCommand::test("node --test"));
    }
    // What the tests run anyway, by themselves or before them, is not run twice.
    let covered = tests.map_or_else(Vec::new, |name| scripts_run_by(&package, name));
    let is_new = |name: &str| usable(name) && !covered.iter().any(|c| c == name);
    for (name, scripts) in CHECKS {
        let Some(found_script) = scripts.iter().find(|name| is_new(name)) else {
            continue;
        };
        let command = StackCommand::check(name, run(found_script));
        match script(found_script).is_some_and(|text| is_installed(&package, text)) {
            true => found.code.push(command),
            false => found.suggested.push(command),
        }
    }
    if is_new("build") {
        found
            .code
            .push(StackCommand::check("build", run("build")).broad("30m"));
    }
    Some(found)
}

/// Returns whether tests are written for the runner that Node itself has.
fn uses_own_runner(top: &Top<'_>) -> bool {
    let is_test = |path: &&String| {
        let is_script = [".js", ".mjs", ".cjs"]
            .iter()
            .any(|end| path.ends_with(end));
        is_script && path.contains("test") && !path.contains("node_modules/")
    };
    let mut tests = top.0.paths.iter().filter(is_test).take(FILES_READ);
    tests.any(|path| top.contains(path, "node:test"))
}

/// Returns whether a workspace without a test script of its own has packages with one.
fn packages_test(top: &Top<'_>, package: &Value) -> bool {
    let is_workspace = !package["workspaces"].is_null() || top.has("pnpm-workspace.yaml");
    let manifests = top.0.paths.iter();
    let mut manifests = manifests.filter(|path| path.ends_with("/package.json"));
    is_workspace
        && manifests.any(|path| {
            let text = top.text(path).unwrap_or_default();
            let package = unread_manifests::json(&text);
            package["scripts"]["test"]
                .as_str()
                .is_some_and(script_can_fail)
        })
}

/// The packages that an install brings.
fn packages(package: &Value) -> impl Iterator<Item = &str> {
    ["dependencies", "devDependencies"]
        .into_iter()
        .filter_map(|kind| package[kind].as_object())
        .flat_map(|table| table.keys().map(String::as_str))
}

/// The programs of checks that a project must bring itself, and the package of each.
const CHECKERS: &[(&str, &str)] = &[
    ("eslint", "eslint"),
    ("standard", "standard"),
    ("xo", "xo"),
    ("tslint", "tslint"),
    ("jshint", "jshint"),
    ("prettier", "prettier"),
    ("tsc", "typescript"),
    ("biome", "@biomejs/biome"),
    ("oxlint", "oxlint"),
];

/// Returns whether a script starts no checker that the project does not depend on.
fn is_installed(package: &Value, script: &str) -> bool {
    let program = script.split_whitespace().next().unwrap_or_default();
    let needed = CHECKERS.iter().find(|(name, _)| *name == program);
    needed.is_none_or(|(_, needed)| packages(package).any(|name| name == *needed))
}

/// Returns the scripts that run when a script runs: its `pre` and `post`, and those they name.
fn scripts_run_by(package: &Value, name: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut todo = vec![name.to_owned()];
    while let Some(name) = todo.pop() {
        for name in [name.clone(), format!("pre{name}"), format!("post{name}")] {
            let Some(text) = package["scripts"][&name].as_str() else {
                continue;
            };
            if found.contains(&name) {
                continue;
            }
            todo.extend(scripts_named_in(package, text));
            found.push(name);
        }
    }
    found
}

fn scripts_named_in(package: &Value, text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let runs = |word: &str| {
        matches!(
            word,
            "npm" | "pnpm" | "yarn" | "bun" | "run" | "run-s" | "run-p" | "npm-run-all"
        )
    };
    let is_script = |word: &str| package["scripts"][word].is_string();
    let mut named = Vec::new();
    let mut listing = false;
    for word in words {
        let word = word.trim_end_matches(';');
        if matches!(word, "&&" | "||" | "|" | "&") {
            listing = false;
        } else if runs(word) {
            listing = true;
        } else if listing && is_script(word) {
            named.push(word.to_owned());
        }
    }
    named
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
