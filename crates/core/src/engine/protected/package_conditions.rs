//! Conditions of a package of Node for which only a command of the oracle asks: what they lead to is judged, and others who
//! use the package get something else.

use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Conditions that whoever uses the package meets, too.
const OF_USERS: [&str; 8] = [
    "node", "import", "require", "default", "types", "browser", "deno", "bun",
];

/// Returns what `exports` of a manifest gives under conditions that the oracle names, itself or by a script of the base, each with
/// the keys that lead there.
pub(super) fn asked(
    before: &Map<String, Value>,
    of: &Map<String, Value>,
    words: &BTreeSet<String>,
) -> BTreeSet<String> {
    let scripts = before.get("scripts").and_then(Value::as_object);
    let scripts = scripts.into_iter().flat_map(Map::values);
    let scripts = scripts.filter_map(Value::as_str);
    let scripts = scripts.flat_map(|script| script.split([' ', '"', '\'', '=']));
    let words = words.iter().flat_map(|word| word.split('='));
    let words: BTreeSet<&str> = scripts.chain(words).collect();
    let mut found = BTreeSet::new();
    if let Some(exports) = of.get("exports") {
        collect(exports, "", &words, &mut found);
    }
    found
}

fn collect(value: &Value, above: &str, words: &BTreeSet<&str>, found: &mut BTreeSet<String>) {
    for (key, value) in value.as_object().into_iter().flatten() {
        let path = format!("{above} {key}");
        let is_condition = !key.starts_with('.') && !OF_USERS.contains(&key.as_str());
        if is_condition && words.contains(key.as_str()) {
            found.insert(format!("{path} {value}"));
        }
        collect(value, &path, words, found);
    }
}

/// Returns whether names of Node's kind stand for files of the project, whoever asks: where there were none, nobody loses one.
pub(super) fn only_names_files(imports: &Value) -> bool {
    let is_file = |value: &Value| {
        let path = value.as_str().unwrap_or_default();
        path.starts_with("./") && !path.contains("..")
    };
    let names = imports.as_object();
    names.is_some_and(|names| names.values().all(is_file))
}

/// Returns whether Jest's settings only say more than before which files are looked at for coverage.
pub(super) fn only_coverage_joins(before: Option<&Value>, after: Option<&Value>) -> bool {
    const KEY: &str = "collectCoverageFrom";
    let (Some(before), Some(after)) = (before, after.and_then(Value::as_object)) else {
        return false;
    };
    let mut rest = after.clone();
    rest.remove(KEY).is_some() && *before == Value::Object(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_the_oracle_asks_a_package_for_is_found() {
        let dev = r#"{"exports": {".": {"dev": "./a.js", "default": "./b.js"}}}"#;
        let script =
            r#"{"scripts": {"test": "node --conditions=dev --test"}, "exports": "./b.js"}"#;
        for (command, before, after, want) in [
            ("node -C dev --test", "{}", dev, true),
            ("node --conditions=dev --test", "{}", dev, true),
            ("npm test", script, dev, true),
            ("node --test", "{}", dev, false),
            (
                "node --test",
                "{}",
                r#"{"exports": {".": {"node": "./a.js", "default": "./b.js"}}}"#,
                false,
            ),
            // A file that is called so is no condition.
            (
                "node -C dev --test",
                "{}",
                r#"{"exports": {"./dev": "./dev.js"}}"#,
                false,
            ),
        ] {
            let read = |text| serde_json::from_str::<Map<String, Value>>(text).unwrap();
            let words = command.split(' ').map(str::to_owned).collect();
            let found = asked(&read(before), &read(after), &words);
            assert_eq!(!found.is_empty(), want, "{command}: {after}");
        }
    }
}
