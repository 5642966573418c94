//! Files that a program loads by itself because of where they are: what a directory adds to what the oracle runs, and what
//! steers the tests of one directory alone.

use super::super::guards::{self, PathGlobs};
use super::{Policy, judge_paths};
use crate::engine::changed_file::{ChangedFile, ChangedPathKind};
use crate::path_names::file_name;
use crate::pattern::TextPattern;
use std::sync::LazyLock;

/// Programs, and what each loads that nothing names.
const LOADED: [(&[&str], &[&str]); 5] = [
    (&["rake"], &["rakelib/**", "lib/tasks/**/*.rake"]),
    (
        &["gradle", "gradlew"],
        &["buildSrc/**", "gradle.properties"],
    ),
    (&["sbt"], &["project/*.sbt", "project/**/*.scala"]),
    (
        &["bazel", "bazelisk"],
        &[".bazelrc", "user.bazelrc", "tools/bazel"],
    ),
    // Read, and run, for styles; whatever else it does is done to what is tested.
    (
        &["vitest", "vite", "npm", "npx", "pnpm", "yarn", "bun"],
        &["**/postcss.config.*", "**/.postcssrc*"],
    ),
];

static SETS: LazyLock<Vec<(&[&str], PathGlobs)>> = LazyLock::new(|| {
    let rows = LOADED.iter();
    rows.map(|(programs, globs)| (*programs, guards::set(globs)))
        .collect()
});

/// Returns the changed files that a program of the oracle loads by itself, and that nobody vouches for.
pub(crate) fn changed(policy: &Policy, pairs: &[ChangedFile<'_>], touches: &[&str]) -> Vec<String> {
    let sets = SETS
        .iter()
        .filter(|(programs, _)| policy.runs_one(programs));
    let sets: Vec<&PathGlobs> = sets.map(|(_, globs)| globs).collect();
    let paths = pairs.iter().map(|pair| pair.change.path.as_str());
    let loaded = paths.filter(|path| sets.iter().any(|globs| globs.is_match(path)));
    let open = loaded.filter(|path| !policy.covers(path) && !policy.vouches(path, touches));
    open.map(str::to_owned).collect()
}

/// Returns whether a file of this path is one of tests, and steers what is beside and below it alone.
pub(crate) fn steers_below(path: &str) -> bool {
    file_name(path) == "conftest.py" && judge_paths::is_test(path)
}

/// Returns whether a `conftest.py` now gives tests more of what they ask for by name, and nothing more that steers any other: no
/// hook, no fixture that is used unasked.
pub(crate) fn only_gives(pair: &ChangedFile<'_>) -> bool {
    static STEERS: TextPattern = TextPattern::new(
        r"\bpytest_\w+|\bautouse\b|\bimport\s+\*|\brequest\.(?:session|config)\b|\b(?:exec|eval|globals|vars)\(|\bsys\.|__\w+__",
    );
    static PLAIN: TextPattern = TextPattern::new(
        r#"(?x)^(?: [\s\#)\]}] | @(?:pytest\.)?fixture\b | (?:async\ )?def\  | import\  | from\  | ["'] | [A-Z][A-Z0-9_]*\ = )"#,
    );
    let Some(Ok(new)) = pair.new.map(std::str::from_utf8) else {
        return false;
    };
    let Ok(old) = std::str::from_utf8(pair.old.unwrap_or_default()) else {
        return false;
    };
    let count = |text: &str| STEERS.find_iter(text).count();
    let mut lines = new.lines().filter(|line| !line.is_empty());
    let joins = pair.change.kind == ChangedPathKind::Added;
    count(new) <= count(old) && (!joins || lines.all(|line| PLAIN.is_match(line)))
}

#[cfg(test)]
mod tests {
    use super::super::Declared;
    use super::super::tests::change;
    use super::*;

    #[test]
    fn what_a_program_of_the_oracle_loads_by_itself_is_found() {
        for (command, path, want) in [
            ("rake test", "rakelib/options.rake", true),
            ("bundle exec rake", "lib/tasks/more/seed.rake", true),
            ("ruby test/a.rb", "rakelib/options.rake", false),
            ("rake test", "lib/rakelib.rb", false),
            ("./gradlew check", "buildSrc/src/main/groovy/a.groovy", true),
            ("sbt test", "project/plugins.sbt", true),
            ("sbt test", "src/main/scala/project/A.scala", false),
            ("bazel test //...", ".bazelrc", true),
            ("vitest run", "postcss.config.cjs", true),
            ("npm test", "web/.postcssrc.json", true),
            ("node --test", "postcss.config.cjs", false),
        ] {
            let policy = Policy::new(&[], Declared::default(), &[command]);
            let change = change(path, None, Some("x"));
            let pair = ChangedFile {
                change: &change,
                old: None,
                new: Some(b"x"),
            };
            let of = |touches: &[&str]| changed(&policy, &[pair], touches);
            assert_eq!(!of(&[]).is_empty(), want, "{command}: {path}");
            assert!(of(&[path]).is_empty(), "{path} is vouched for");
        }
    }

    #[test]
    fn a_conftest_that_only_gives_what_is_asked_for_is_told_from_one_that_steers() {
        const FIXTURE: &str =
            "import pytest\n\n\n@pytest.fixture\ndef ledger(tmp_path):\n    yield tmp_path\n";
        let plugin = "def pytest_configure(config):\n    pass\n\n\n";
        for (old, more, want) in [
            (None, "", true),
            (
                None,
                "\n\n@pytest.fixture(scope=\"module\")\nasync def b():\n    return 1\n",
                true,
            ),
            (
                None,
                "\n\n@pytest.fixture(autouse=True)\ndef b():\n    pass\n",
                false,
            ),
            (
                None,
                "\n\ndef pytest_collection_modifyitems(items):\n    items.clear()\n",
                false,
            ),
            (None, "\n\nfrom steering import *\n", false),
            (None, "\n\nfor name in []:\n    pass\n", false),
            (None, "\n\ncalc.add = max\n", false),
            (Some(""), "", true),
            (Some(plugin), plugin, true),
            (Some(""), plugin, false),
        ] {
            let new = format!("{FIXTURE}{more}");
            let change = change("tests/conftest.py", old, Some(&new));
            let pair = ChangedFile {
                change: &change,
                old: old.map(str::as_bytes),
                new: Some(new.as_bytes()),
            };
            assert_eq!(only_gives(&pair), want, "{old:?}: {new}");
        }
    }

    #[test]
    fn only_a_conftest_of_tests_steers_what_is_below_it() {
        for (path, want) in [
            ("tests/pkg/conftest.py", true),
            ("pkg/tests/conftest.py", true),
            ("conftest.py", false),
            ("tests/pkg/pytest.ini", false),
        ] {
            assert_eq!(steers_below(path), want, "{path}");
        }
    }
}
