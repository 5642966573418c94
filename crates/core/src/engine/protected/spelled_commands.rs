//! What stands behind a command of the oracle: the recipes of `make check`, the scripts of `npm test`.

use super::makefiles::{needed_targets, rules};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Returns the recipes that a Makefile runs for the words of a command.
pub(super) fn asked_recipes(makefile: &str, words: &BTreeSet<String>) -> String {
    if !words.iter().any(|word| matches!(&**word, "make" | "gmake")) {
        return String::new();
    }
    let needed = needed_targets(makefile, words);
    let (mut asked, mut recipes) = (false, String::new());
    for line in makefile.lines() {
        if let Some(command) = line.strip_prefix('\t').filter(|_| asked) {
            recipes.push_str(command.trim_start_matches(['@', '-']));
            recipes.push('\n');
        } else if let [(targets, _)] = rules(line)[..] {
            asked = targets
                .split_whitespace()
                .any(|target| needed.contains(target));
        }
    }
    recipes
}

/// Returns the scripts of a `package.json` that the words of a command run, and those that they run in turn.
pub(super) fn asked_scripts(text: &str, words: &BTreeSet<String>) -> String {
    const MANAGERS: [&str; 4] = ["npm", "yarn", "pnpm", "bun"];
    let manifest = serde_json::from_str::<Map<String, Value>>(text).unwrap_or_default();
    let scripts = manifest.get("scripts").and_then(Value::as_object);
    let Some(scripts) = scripts.filter(|_| MANAGERS.iter().any(|name| words.contains(*name)))
    else {
        return String::new();
    };
    let mut asked = words.clone();
    let mut found = String::new();
    for _ in 0..3 {
        found.clear();
        for (name, script) in scripts {
            let around = ["pre", "post"].map(|word| name.strip_prefix(word));
            let runs = |name: &str| asked.contains(name);
            if runs(name) || around.into_iter().flatten().any(runs) {
                found.push_str(script.as_str().unwrap_or_default());
                found.push('\n');
            }
        }
        asked.extend(found.split_whitespace().map(str::to_owned));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(command: &str) -> BTreeSet<String> {
        command.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn the_recipes_that_are_run_are_those_of_what_is_asked_for() {
        let makefile = "check: lint\n\t@pytest\nlint: x\n\truff check\nfmt:\n\tblack .\nX := 1\n";
        assert_eq!(
            asked_recipes(makefile, &words("make check")),
            "pytest\nruff check\n"
        );
        assert_eq!(asked_recipes(makefile, &words("sh check")), "");
    }

    #[test]
    fn the_scripts_that_are_run_are_those_that_are_asked_for() {
        let manifest = r#"{"scripts": {"test": "npm run lint && jest", "pretest": "tsc", "lint": "eslint .", "fmt": "prettier ."}}"#;
        for (command, want) in [
            ("npm test", "npm run lint && jest\ntsc\neslint .\n"),
            ("npm run fmt", "prettier .\n"),
            ("sh test", ""),
        ] {
            assert_eq!(asked_scripts(manifest, &words(command)), want, "{command}");
        }
        assert_eq!(asked_scripts("{", &words("npm test")), "");
    }
}
