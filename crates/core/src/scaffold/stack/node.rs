//! JavaScript and TypeScript: one of four package managers, and the scripts that can fail.

use super::{DetectedStack, StackCommand, Top};
use serde_json::Value;

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

/// The scripts that check something, by the names they go by.
const CHECKS: &[(&str, &[&str])] = &[
    ("lint", &["lint"]),
    (
        "types",
        &["typecheck", "type-check", "check-types", "types"],
    ),
    ("format", &["format:check", "format-check", "check-format"]),
];

pub(super) fn node(top: &Top<'_>) -> Option<DetectedStack> {
    let package: Value = serde_json::from_str(&top.text("package.json")?).unwrap_or(Value::Null);
    let named = package["packageManager"].as_str().unwrap_or("");
    let manager = MANAGERS
        .iter()
        .find(|m| named.split('@').next() == Some(m.name))
        .or_else(|| MANAGERS.iter().find(|m| top.first(m.locks).is_some()))
        .or(MANAGERS.last())?;
    let mut found = DetectedStack::default();
    if top.first(manager.locks).is_some() {
        let newer_yarn = named.starts_with("yarn@") && !named.starts_with("yarn@1");
        let install = match manager.name {
            "yarn" if newer_yarn || top.has(".yarnrc.yml") => "yarn install --immutable",
            _ => manager.install,
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
    for (name, scripts) in CHECKS {
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
