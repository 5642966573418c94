//! Build files whose lines say what is tested, and where dependencies come from: read by lines, for no two are of a kind.

use super::test_targets;
use super::text_words::{hyphenated, words};
use crate::engine::changed_file::ChangedFile;
use crate::path_names::{extension, file_name};
use crate::pattern::TextPattern;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// What the lines of one kind of file say about tests; words in small letters, without spaces.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct LineRules {
    /// A line with one of these stays.
    keep: &'static [&'static str],
    /// No line with one of these joins.
    mute: &'static [&'static str],
}

const MAVEN: LineRules = LineRules {
    keep: &[
        "surefire",
        "failsafe",
        "junit",
        "testng",
        "<include",
        "testsourcedirectory",
    ],
    mute: &[
        "skip",
        "testfailureignore",
        "<exclude",
        "testsourcedirectory",
        "<groups",
        "argline",
        "<test>",
    ],
};
const GRADLE: LineRules = LineRules {
    keep: &["junit", "testng", "usejunit", "testimplementation"],
    mute: &[
        "ignorefailures",
        "enabled=false",
        "onlyif",
        "excludetestsmatching",
        "excludetags",
        "exclude'**",
        "exclude(\"**",
        "setsrcdirs",
        "jvmargs",
        "failonnodiscoveredtests",
        "includebuild",
        "substitute",
    ],
};
const CMAKE: LineRules = LineRules {
    keep: &[
        "enable_testing",
        "add_test",
        "discover_tests",
        "include(ctest)",
    ],
    mute: &[
        "will_fail",
        "disabledtrue",
        "skip_return_code",
        "skip_regular",
        "pass_regular",
        "ctest_",
        "_emulator",
        "test_launcher",
        "test_include_file",
    ],
};
const TASKS: LineRules = LineRules {
    keep: &["test", "check"],
    mute: &["ignore_error", "should_fail", "enabled:false", "\"manual\""],
};
const VITE: LineRules = LineRules {
    keep: &["test", "vitest"],
    // Settings from elsewhere, or under a name that is made up while it is read, may be tests' too.
    mute: &[
        "test:",
        "test=",
        "vitest",
        "setupfiles",
        "from\".",
        "from'.",
        "require(\".",
        "require('.",
        "[\"",
        "['",
        "[`",
        // What makes other sources of what tests import.
        "alias:{\".",
        "alias:{'.",
        "find:",
        "resolveid(",
        "resolveid:",
        "transform(",
        "transform:",
        "load(",
        "load:",
        "configurevitest",
    ],
};
const GO: LineRules = LineRules {
    keep: &[],
    mute: &["replace", "=>", "toolchain"],
};
const REQUIREMENTS: LineRules = LineRules {
    keep: &["pytest", "hypothesis", "coverage", "tox", "nox"],
    mute: &[
        "@file:",
        "@git+",
        "git+",
        "file:",
        "-e",
        "--editable",
        "--index-url",
        "--extra-index-url",
        "--find-links",
    ],
};

/// Returns the rules for a file of this name.
pub(super) fn rules_of(name: &str) -> Option<&'static LineRules> {
    let lower = name.to_lowercase();
    Some(match &*lower {
        "pom.xml" => &MAVEN,
        "build.gradle" | "build.gradle.kts" | "settings.gradle" | "settings.gradle.kts" => &GRADLE,
        "cmakelists.txt" => &CMAKE,
        "taskfile.yml"
        | "taskfile.yaml"
        | "rakefile"
        | "mix.exs"
        | "meson.build"
        | "build.bazel"
        | "package.swift"
        | "turbo.json"
        | "nx.json"
        | "lerna.json"
        | "pnpm-workspace.yaml"
        | "build.xml"
        | "dune"
        | "dune-project" => &TASKS,
        "go.mod" | "go.work" => &GO,
        _ if lower.ends_with(".cmake") => &CMAKE,
        _ if lower.starts_with("vite.config.") => &VITE,
        _ if lower.starts_with("requirements") && lower.ends_with(".txt") => &REQUIREMENTS,
        _ => return None,
    })
}

/// Returns the rules for a file at the root in which a program that the oracle runs finds what it is asked to do.
pub(super) fn task_rules(path: &str, programs: &BTreeSet<String>) -> Option<&'static LineRules> {
    /// Programs and files whose names tell nothing of each other.
    const OTHERWISE: [(&str, &str); 11] = [
        ("autoreconf", "configure.ac"),
        ("buck2", "buck"),
        ("cake", "build.cake"),
        ("doit", "dodo.py"),
        ("earthly", "earthfile"),
        ("inv", "tasks.py"),
        ("invoke", "tasks.py"),
        ("mage", "magefile.go"),
        ("ninja", "build.ninja"),
        ("scons", "sconstruct"),
        ("waf", "wscript"),
    ];
    let name = path.to_lowercase();
    let of_program = |program: &String| {
        let rest = name.strip_prefix(program.as_str());
        let own = rest.is_some_and(|rest| {
            rest.starts_with("file") || rest.starts_with(['.', '_', '-']) && program.len() > 2
        });
        own || program == "qmake" && name.ends_with(".pro") || OTHERWISE.contains(&(program, &name))
    };
    (!name.contains('/') && programs.iter().any(of_program)).then_some(&TASKS)
}

/// Returns whether a path is of code that a package manager has put into the tree.
pub(super) fn is_vendored(path: &str) -> bool {
    ["go", "php", "rs"].contains(&extension(path))
        && (path.starts_with("vendor/") || path.contains("/vendor/"))
}

/// Returns whether a line that says what is tested is gone, or one that mutes joined.
pub(super) fn lines_changed(rules: &LineRules, old: &str, new: &str) -> bool {
    let lines = |text: &str| -> BTreeSet<String> {
        let plain = |line: &str| -> String {
            let line = line.chars().filter(|c| !c.is_whitespace());
            line.flat_map(char::to_lowercase).collect()
        };
        text.lines()
            .map(plain)
            .filter(|line| !line.is_empty())
            .collect()
    };
    let has = |words: &[&str], line: &String| words.iter().any(|word| line.contains(word));
    let (before, after) = (lines(old), lines(new));
    before.difference(&after).any(|line| has(rules.keep, line))
        || after.difference(&before).any(|line| has(rules.mute, line))
        || *rules == CMAKE && test_targets::built_otherwise(old, new)
}

/// Scripts that a package manager runs by itself when it installs.
const BY_ITSELF: [&str; 10] = [
    "preinstall",
    "install",
    "postinstall",
    "prepare",
    "preprepare",
    "postprepare",
    "prepublish",
    "prepublishOnly",
    "dependencies",
    "pnpm:devPreinstall",
];

/// Returns whether a package manager would run a script by itself that the base does not have.
pub(super) fn runs_by_itself(before: &Map<String, Value>, after: &Map<String, Value>) -> bool {
    let script = |map: &Map<String, Value>, name: &str| {
        map.get("scripts").and_then(|s| s.get(name)).cloned()
    };
    !before.is_empty()
        && BY_ITSELF
            .iter()
            .any(|name| script(after, name).is_some() && script(before, name).is_none())
}

/// Lists of dependencies in a manifest of JSON.
const LISTS: [&str; 4] = [
    "dependencies",
    "devDependencies",
    "peerDependencies",
    "optionalDependencies",
];

fn elsewhere(value: &str) -> bool {
    const STARTS: [&str; 10] = [
        "file:", "link:", "portal:", "git", "http", "github:", "npm:", "patch:", "./", "../",
    ];
    STARTS.iter().any(|start| value.starts_with(start))
}

/// Returns how many dependencies of a manifest of JSON come from elsewhere than the registry. An address in another place is
/// none: that of a homepage, say.
pub(super) fn count_elsewhere(text: &str) -> usize {
    let Ok(manifest) = serde_json::from_str::<Map<String, Value>>(text) else {
        return 0;
    };
    let lists = LISTS
        .iter()
        .filter_map(|list| manifest.get(*list)?.as_object());
    let sources = lists.flat_map(Map::values).filter_map(Value::as_str);
    sources.filter(|source| elsewhere(source)).count()
}

/// Returns whether a dependency that the base has now comes from elsewhere.
pub(super) fn rerouted_json(before: &Map<String, Value>, after: &Map<String, Value>) -> bool {
    LISTS.iter().any(|list| {
        let (before, after) = (before.get(*list), after.get(*list));
        let names = before.and_then(Value::as_object).into_iter().flatten();
        names.into_iter().any(|(name, value)| {
            let now = after
                .and_then(|after| after.get(name))
                .and_then(Value::as_str);
            now.is_some_and(|now| Some(now) != value.as_str() && elsewhere(now))
        })
    })
}

/// Likewise in a manifest of TOML: a key the base has, now with a path or a repository.
pub(super) fn rerouted_toml(old: &str, new: &str) -> bool {
    static ELSEWHERE: TextPattern =
        TextPattern::new(r#"^\s*"?([\w.-]+)"?\s*=\s*\{[^}]*\b(?:path|git|url|package)\s*="#);
    let names: BTreeSet<&str> = old
        .lines()
        .filter_map(|line| line.split_once('='))
        .map(|(name, _)| name.trim().trim_matches('"'))
        .collect();
    let kept: BTreeSet<&str> = old.lines().map(str::trim).collect();
    new.lines()
        .filter(|line| !kept.contains(line.trim()))
        .any(|line| {
            let name = ELSEWHERE.captures(line).and_then(|c| c.get(1));
            name.is_some_and(|name| names.contains(name.as_str()))
        })
}

/// Returns how many dependencies of a manifest of TOML are new and are parts of the same project, in a directory of their own.
pub(super) fn own_parts(pair: &ChangedFile<'_>) -> usize {
    static PART: TextPattern = TextPattern::new(
        r#"(?m)^\s*([\w-]+)\s*=\s*\{([^}\n]*)\bpath\s*=\s*["']([^"'\n]+)["']([^}\n]*)\}"#,
    );
    let text =
        |bytes: Option<&[u8]>| String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned();
    let (old, new) = (text(pair.old), text(pair.new));
    // What is in quotes is no key.
    let keys = old.split('"').step_by(2).collect::<Vec<&str>>().join("\n");
    let known: BTreeSet<&str> = words(&keys).chain(hyphenated(&keys)).collect();
    let depth = pair.change.path.matches('/').count();
    let stays = |path: &str| {
        let up = path.split('/').take_while(|part| *part == "..").count();
        !path.starts_with(['/', '~'])
            && up <= depth
            && !path.split('/').skip(up).any(|part| part == "..")
    };
    let parts = PART.captures_iter(&new);
    let parts = parts.filter(|part| {
        let more = format!("{}{}", &part[2], &part[4]);
        let elsewhere = ["git", "url", "package"]
            .iter()
            .any(|key| more.contains(key));
        !elsewhere && !known.contains(&part[1]) && stays(&part[3])
    });
    parts.count()
}

/// Returns whether a file of this path pins what is installed, and is written from a manifest.
pub(super) fn is_lock_file(path: &str) -> bool {
    const NAMES: &[&str] = &[
        "package-lock.json",
        "npm-shrinkwrap.json",
        "pnpm-lock.yaml",
        "bun.lockb",
        "go.sum",
        "Package.resolved",
        "gradle.lockfile",
    ];
    let name = file_name(path);
    NAMES.contains(&name) || name.ends_with(".lock")
}

/// Returns whether a file of this path says what is to be installed.
pub(super) fn is_manifest(path: &str) -> bool {
    const NAMES: &[&str] = &[
        "package.json",
        "Cargo.toml",
        "pyproject.toml",
        "setup.py",
        "setup.cfg",
        "go.mod",
        "Gemfile",
        "composer.json",
        "mix.exs",
        "Pipfile",
        "pubspec.yaml",
        "Package.swift",
        "deno.json",
        "pnpm-workspace.yaml",
        "flake.nix",
    ];
    let name = file_name(path);
    NAMES.contains(&name)
        || [".csproj", ".gemspec", ".txt", ".in"]
            .iter()
            .any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_program_is_asked_to_do_is_found_beside_it() {
        for (program, path, want) in [
            ("gulp", "gulpfile.js", true),
            ("grunt", "Gruntfile.js", true),
            ("xmake", "xmake.lua", true),
            ("poe", "poe_tasks.toml", true),
            ("scons", "SConstruct", true),
            ("invoke", "tasks.py", true),
            ("qmake", "calc.pro", true),
            ("python3", "tasks.py", false),
            ("gulp", "sub/gulpfile.js", false),
            ("calc", "calculator.py", false),
            ("sh", "sh.c", false),
        ] {
            let programs = BTreeSet::from([program.to_owned()]);
            assert_eq!(
                task_rules(path, &programs).is_some(),
                want,
                "{program} {path}"
            );
        }
    }
}
