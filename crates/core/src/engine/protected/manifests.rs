//! The parts of manifests that judge: scripts in `package.json`, pytest's section of `pyproject.toml`, the recipe of
//! `make test`, what keeps Cargo from running a test.

use super::build_files::{self, LineRules};
use super::makefiles::{recipes, rewired};
use super::package_conditions::{self, only_coverage_joins, only_names_files};
use super::text_lines::blocks;
use super::{pytest_marks, python_sections};
use crate::engine::changed_file::{ChangedFile, ChangedPathKind};
use crate::path_names::{MAKEFILES, file_name};
use crate::pattern::TextPattern;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// A manifest that this module can take apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manifest {
    Json,
    Sections,
    Cargo,
    Recipes,
    /// Read by its lines.
    Lines(&'static LineRules),
}

/// Returns what a file of this path is read as.
pub(super) fn kind(path: &str) -> Option<Manifest> {
    match file_name(path) {
        "package.json" | "composer.json" | "deno.json" => Some(Manifest::Json),
        "pyproject.toml" | "setup.cfg" | "tox.ini" => Some(Manifest::Sections),
        "Cargo.toml" => Some(Manifest::Cargo),
        "justfile" | "Justfile" => Some(Manifest::Recipes),
        name if MAKEFILES.contains(&name) || name.ends_with(".mk") => Some(Manifest::Recipes),
        name => build_files::rules_of(name).map(Manifest::Lines),
    }
}

/// Returns whether a file of this path is read part by part.
pub(super) fn is_manifest(path: &str) -> bool {
    kind(path).is_some()
}

/// Returns whether the judging part of a manifest changed; an empty text stands for no file.
pub(super) fn changed(
    manifest: Manifest,
    (old, new): (&str, &str),
    words: &BTreeSet<String>,
    may_run_tox: bool,
) -> bool {
    match manifest {
        Manifest::Json => json(old, new, words),
        Manifest::Sections => {
            let names = python_sections::judging(may_run_tox);
            judging_texts(old, &names).ne(judging_texts(new, &names))
                || !old.is_empty() && build_files::rerouted_toml(old, new)
        }
        Manifest::Cargo => {
            !old.is_empty() && (cargo(old, new) || build_files::rerouted_toml(old, new))
        }
        Manifest::Lines(rules) => build_files::lines_changed(rules, old, new),
        Manifest::Recipes if old.is_empty() => false,
        Manifest::Recipes => {
            let runs = |w: &String| matches!(&**w, "make" | "gmake" | "just");
            words.iter().any(runs) && rewired(old, new, words)
                || recipes(old, words) != recipes(new, words)
        }
    }
}

/// Lines of manifests that take a dependency from a path or an address.
static REROUTES: TextPattern = TextPattern::new(
    r#"(?m)^\s*replace\s+\S+.*=>|^\[patch\.|^\[replace\]|^[^#\n]*=\s*\{[^}\n]*\b(?:path|git|url)\s*=|^\[tool\.uv\.sources|@\s*(?:file:|git\+|https?://)|^\s*(?:-e\s+)?(?:git\+|https?://)"#,
);

/// Likewise where they lead out of the repository, in a manifest that joins: parts of one project name each other by paths.
static OUTSIDE: TextPattern = TextPattern::new(
    r#"(?m)^[^#\n]*=\s*\{[^}\n]*\b(?:git|url)\s*=|^[^#\n]*=\s*\{[^}\n]*\bpath\s*=\s*["'](?:/|~)|^\s*replace\s+\S+.*=>\s*/|@\s*(?:file:|git\+|https?://)|^\s*(?:-e\s+)?(?:git\+|https?://|file:)|:\s*"(?:file:|link:)(?:/|~)"#,
);

/// Returns the manifests that have more of those than before.
pub(super) fn rerouted<'p>(pairs: &[ChangedFile<'p>]) -> Vec<&'p str> {
    let manifest = |path: &str| {
        let name = file_name(path);
        matches!(
            name,
            "package.json" | "Cargo.toml" | "go.mod" | "go.work" | "pyproject.toml"
        ) || name.starts_with("requirements") && name.ends_with(".txt")
    };
    let count = |path: &str, bytes: Option<&[u8]>, joined: bool| {
        let text = String::from_utf8_lossy(bytes.unwrap_or_default());
        match (joined, path.ends_with("package.json")) {
            (true, _) => OUTSIDE.find_iter(&text).count(),
            (false, true) => build_files::count_elsewhere(&text),
            (false, false) => REROUTES.find_iter(&text).count(),
        }
    };
    let before = |pair: &ChangedFile<'_>, joined: bool| {
        // One that moved is as it was.
        let name = file_name(&pair.change.path);
        let moved = pairs.iter().filter(|p| {
            p.change.kind == ChangedPathKind::Deleted && file_name(&p.change.path) == name
        });
        let old = moved.filter(|_| joined).chain([pair]);
        old.map(|p| count(name, p.old, joined)).max().unwrap_or(0)
    };
    let grew = |pair: &&ChangedFile<'p>| {
        let path = &pair.change.path;
        let joined = pair.change.kind == ChangedPathKind::Added;
        let own = if joined {
            0
        } else {
            build_files::own_parts(pair)
        };
        manifest(path) && count(path, pair.new, joined) > before(pair, joined) + own
    };
    pairs
        .iter()
        .filter(grew)
        .map(|p| p.change.path.as_str())
        .collect()
}

/// Keys of a JSON manifest that say how tests run. Of `scripts`, only those the base has.
const JSON_KEYS: [&str; 15] = [
    "jest",
    "mocha",
    "ava",
    "tap",
    "vitest",
    "nyc",
    "c8",
    "babel",
    "type",
    "test",
    "imports",
    "overrides",
    "resolutions",
    "pnpm",
    "packageManager",
];

fn json(old: &str, new: &str, words: &BTreeSet<String>) -> bool {
    let read = |text: &str| match text {
        "" => Some(Map::new()),
        text => serde_json::from_str::<Map<String, Value>>(text).ok(),
    };
    let (Some(before), Some(after)) = (read(old), read(new)) else {
        return old != new;
    };
    // How much is covered decides only where a least is asked for.
    let least = "overageThreshold";
    let counts = old.contains(least) || words.iter().any(|word| word.contains(least));
    let keys = JSON_KEYS.iter().any(|key| {
        let (was, is) = (before.get(*key), after.get(*key));
        let adds = match *key {
            "type" => was.is_none(),
            "imports" => was.is_none() && is.is_some_and(only_names_files),
            "jest" => !counts && only_coverage_joins(was, is),
            _ => false,
        };
        was != is && !adds
    });
    let scripts = ["scripts", "tasks"].iter().any(|key| {
        let (before, after) = (before.get(*key), after.get(*key));
        let Some(before) = before.and_then(Value::as_object) else {
            return false;
        };
        let after = |name: &str| after.and_then(|scripts| scripts.get(name));
        before.iter().any(|(name, script)| {
            // A new `pretest` or `posttest` runs around the old `test`.
            let around = ["pre", "post"].map(|word| format!("{word}{name}"));
            let wrapped = around
                .iter()
                .any(|name| !before.contains_key(name) && after(name).is_some());
            after(name) != Some(script) || wrapped
        })
    });
    let members = |map: &Map<String, Value>| map.get("workspaces").map(Value::to_string);
    let left = members(&before).is_some_and(|text| {
        let now = members(&after).unwrap_or_default();
        quoted(&text).any(|member| !now.contains(&*member))
    });
    keys || scripts
        || left
        || script_settings(&before, &before) != script_settings(&before, &after)
        || package_conditions::asked(&before, &before, words)
            != package_conditions::asked(&before, &after, words)
        || build_files::runs_by_itself(&before, &after)
        || build_files::rerouted_json(&before, &after)
}

/// Returns what scripts are given by `npm_package_config_…`: a value under each name that those of the base have for it.
fn script_settings(before: &Map<String, Value>, of: &Map<String, Value>) -> Vec<Option<String>> {
    static NAMED: TextPattern = TextPattern::new(r"npm_package_config_(\w+)");
    let scripts = before
        .get("scripts")
        .map_or_else(String::new, Value::to_string);
    let names = NAMED.captures_iter(&scripts);
    names
        .map(|found| setting(of.get("config")?, &found[1]))
        .collect()
}

/// Returns the value that npm has under a name: those of objects in objects are joined by `_`.
fn setting(values: &Value, name: &str) -> Option<String> {
    let values = values.as_object()?;
    if let Some(value) = values.get(name) {
        return Some(value.to_string());
    }
    let mut inner = values.iter().filter_map(|(key, value)| {
        let rest = name.strip_prefix(key.as_str())?.strip_prefix('_')?;
        setting(value, rest)
    });
    inner.next()
}

/// Returns the words in quotes, with their quotes.
fn quoted(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split('"')
        .skip(1)
        .step_by(2)
        .map(|w| format!("\"{w}\""))
}

/// Returns a section's name without what may stand around it.
fn heading(line: &str) -> String {
    let line = line.split('#').next().unwrap_or_default();
    line.chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '[' | ']' | '"' | '\''))
        .collect()
}

/// Returns the sections under these names, and keys written as a path, without what chooses no test.
fn judging_texts(text: &str, names: &[&str]) -> impl Iterator<Item = String> {
    let sections = sections_of(text, names).into_iter();
    sections.map(|lines| pytest_marks::without(&heading(lines[0]), &lines.join("\n")))
}

/// Returns the lines of a file of settings that stand under these names, or begin with one as a path.
pub(super) fn sections(text: &str, names: &[&str]) -> Vec<String> {
    let found = sections_of(text, names).concat();
    found.into_iter().map(str::to_owned).collect()
}

fn sections_of<'t>(text: &'t str, names: &[&str]) -> Vec<Vec<&'t str>> {
    let judges = |head: &str| names.iter().any(|name| head.starts_with(name));
    let mut found: Vec<Vec<&str>> = Vec::new();
    for block in blocks(text, |line| line.trim_start().starts_with('[')) {
        let head = block.first().map_or_else(String::new, |line| heading(line));
        if judges(&head) {
            found.push(block);
            continue;
        }
        let inner = block.into_iter().filter(|line| {
            let key = heading(line);
            key.starts_with("pytest") && key.contains('=')
                || judges(&key) && key.contains('=')
                || key.starts_with("tool=")
                || line.contains("pytest11")
        });
        found.push(inner.collect());
    }
    found.retain(|block| !block.is_empty());
    found
}

/// Returns whether Cargo is now kept from running a test, or runs another one in its place.
fn cargo(old: &str, new: &str) -> bool {
    let starts = |line: &str| line.trim_start().starts_with('[');
    let steering = |text: &str| -> Vec<String> {
        let lines = text.lines().map(|line| {
            let line = line.split('#').next().unwrap_or_default();
            line.split_whitespace().collect::<String>()
        });
        let mut lines: Vec<String> = lines.filter(|line| steers_cargo(line)).collect();
        lines.sort();
        lines
    };
    let of = |text: &str, name: &str| -> Vec<String> {
        let blocks = blocks(text, starts).into_iter();
        let named = blocks.filter(|block| block.first().is_some_and(|line| heading(line) == name));
        named.map(|block| block.join("\n")).collect()
    };
    let (before, after) = (steering(old), steering(new));
    let steered = after.iter().any(|line| {
        let count = |lines: &[String]| lines.iter().filter(|l| *l == line).count();
        count(&after) > count(&before)
    });
    let (had, tests) = (of(old, "test"), of(new, "test"));
    // One with a path may take the name, and so the place, of a file that is there.
    let replaced = tests.iter().any(|test| {
        let moved = test.lines().any(|l| heading(l).starts_with("path="));
        moved && !had.contains(test)
    });
    let lost = replaced || had.iter().any(|test| !tests.contains(test));
    let paths = |text: &str| -> Vec<String> {
        let lib = of(text, "lib").join("\n");
        // Under another name, tests would find another crate in its place.
        let lines = lib.lines().map(heading);
        let leads = |line: &String| ["path=", "name="].iter().any(|key| line.starts_with(key));
        lines.filter(leads).collect()
    };
    let workspace = of(new, "workspace").join("\n");
    let left = of(old, "workspace")
        .iter()
        .any(|block| quoted(block).any(|member| !workspace.contains(&*member)));
    let switched = switched_for_tests(new).any(|line| !switched_for_tests(old).any(|l| l == line));
    steered || lost || paths(old) != paths(new) || left || switched || loses_features(&of, old, new)
}

/// Returns the lines by which tests alone are built with features of the crate itself.
fn switched_for_tests(text: &str) -> impl Iterator<Item = String> {
    let blocks = blocks(text, |line: &str| line.trim_start().starts_with('['));
    let for_tests = blocks.into_iter().filter(|block| {
        let head = block.first().map(|line| heading(line));
        head.is_some_and(|head| head.contains("dev-dependencies"))
    });
    let lines = for_tests.flat_map(|block| {
        let plain = |line: &str| line.split_whitespace().collect::<String>();
        let is_one = block
            .first()
            .is_some_and(|line| line.contains("dependencies."));
        match is_one {
            true => vec![plain(&block.join(","))],
            false => block.iter().map(|line| plain(line)).collect(),
        }
    });
    lines.filter(|line| {
        let own = [r#"path=".""#, r#"path="./""#];
        own.iter().any(|own| line.contains(own)) && line.contains("features=")
    })
}

/// Returns whether what is built by itself has less than before, or more of what was there to be asked for.
fn loses_features(of: &dyn Fn(&str, &str) -> Vec<String>, old: &str, new: &str) -> bool {
    static DEFAULT: TextPattern = TextPattern::new(r"(?m)^default\s*=\s*\[([^\]]*)\]");
    let (before, after) = (
        of(old, "features").join("\n"),
        of(new, "features").join("\n"),
    );
    let default = |text: &str| -> BTreeSet<String> {
        let list = DEFAULT.captures(text);
        list.map_or_else(BTreeSet::new, |list| quoted(&list[1]).collect())
    };
    let (had, has) = (default(&before), default(&after));
    let known = |feature: &String| {
        let name = feature.trim_matches('"');
        before
            .lines()
            .any(|line| heading(line).starts_with(&format!("{name}=")))
    };
    !had.is_subset(&has) || has.difference(&had).any(known)
}

fn steers_cargo(line: &str) -> bool {
    matches!(
        line,
        "harness=false"
            | "autotests=false"
            | "test=false"
            | "doctest=false"
            | "debug-assertions=false"
            | "overflow-checks=false"
    ) || [
        "required-features=",
        "exclude=",
        "default-members=",
        "build=",
        "[patch",
        "[replace]",
    ]
    .iter()
    .any(|start| line.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::changed_file::ChangedPath;

    #[test]
    fn a_dependency_from_elsewhere_is_found_also_in_a_manifest_that_joins() {
        for (path, old, new, found) in [
            (
                "pyproject.toml",
                None,
                "dependencies = [\"x @ file:///tmp/x\"]\n",
                true,
            ),
            ("requirements.txt", None, "git+https://host/x\n", true),
            ("a/Cargo.toml", None, "x = { path = \"/tmp/x\" }\n", true),
            ("a/Cargo.toml", None, "x = { path = \"../x\" }\n", false),
            ("Cargo.toml", Some(""), "x = { path = \"../x\" }\n", true),
            (
                "a/Cargo.toml",
                Some(""),
                "x = { path = \"../../x\" }\n",
                true,
            ),
            ("a/Cargo.toml", Some(""), "x = { path = \"../x\" }\n", false),
            (
                "Cargo.toml",
                Some(""),
                "x = { path = \"crates/x\" }\n",
                false,
            ),
            (
                "Cargo.toml",
                Some("x = \"1\"\n"),
                "x = { path = \"x\" }\n",
                true,
            ),
            (
                "Cargo.toml",
                Some(""),
                "x = { path = \"x\", git = \"y\" }\n",
                true,
            ),
            (
                "package.json",
                None,
                "{\"dependencies\": {\"x\": \"file:/tmp/x\"}}",
                true,
            ),
            (
                "package.json",
                None,
                "{\"repository\": {\"url\": \"git+https://host/x\"}}",
                false,
            ),
            (
                "pyproject.toml",
                None,
                "[project.urls]\nHome = \"https://host/x\"\n",
                false,
            ),
        ] {
            let change = |path: &str, kind| ChangedPath {
                path: path.to_owned(),
                kind,
                regular: true,
                unstartable: false,
            };
            let kind = match old {
                Some(_) => ChangedPathKind::Modified,
                None => ChangedPathKind::Added,
            };
            let added = change(path, kind);
            let file = ChangedFile {
                change: &added,
                old: old.map(str::as_bytes),
                new: Some(new.as_bytes()),
            };
            assert_eq!(!rerouted(&[file]).is_empty(), found, "{path}: {new}");
            let gone = change(&format!("old/{path}"), ChangedPathKind::Deleted);
            let gone = ChangedFile {
                change: &gone,
                old: Some(new.as_bytes()),
                new: None,
            };
            let moved = old.is_none() && !rerouted(&[file, gone]).is_empty();
            assert!(!moved, "{path}: {new}");
        }
    }
}
