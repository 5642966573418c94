//! Source code of the base that only tests use, beside the product: loaders, marks, fakes, crates that only tests depend on.
//! It compares nothing and names no product, so only what becomes of the tests with either version of it can show what a
//! change of it means.

use super::code_paths::is_code;
use super::judge_references::names_one;
use super::judging_chain::stem;
use super::name_pattern::NamePattern;
use super::run_targets::joined;
use super::{Policy, judging_content, product_reads};
use crate::engine::changed_file::{ChangedFile, ChangedPathKind};
use crate::path_names::{extension, file_name, parent};
use crate::pattern::TextPattern;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Directories of sources: who imports what is in them says nothing of one of them.
const OF_SOURCES: [&str; 5] = ["src", "app", "cmd", "pkg", "web"];

/// A changed source of which it matters who imports it.
#[derive(Debug)]
pub(crate) struct TestAid {
    pub(crate) path: String,
    /// The directory at the root that it is in; with a slash behind it, and empty at the root.
    place: String,
    imported: NamePattern,
    is_product: bool,
    /// Whether a judge imports it together with something else.
    only_beside: bool,
}

impl TestAid {
    /// Returns what there is to ask of a change of a source that is no crate's; nothing where nothing is.
    pub(crate) fn of(policy: &Policy, pair: &ChangedFile<'_>) -> Option<TestAid> {
        const BY_LAYOUT: [&str; 5] = ["java", "kt", "scala", "cs", "swift"];
        let path = pair.change.path.as_str();
        let parts: Vec<&str> = path.split('/').collect();
        // Whoever uses a library of Ruby or Perl has this directory on the path.
        let is_library = parts[0] == "lib" && ["rb", "pm"].contains(&extension(path));
        let placed = (OF_SOURCES.contains(&parts[0]) || is_library) && parts.len() > 1;
        let known =
            pair.change.kind == ChangedPathKind::Added || !(is_code(path) || is_program(pair));
        let elsewhere = BY_LAYOUT.contains(&extension(path))
            || extension(path) == "rs" && (parts.contains(&"src") || parts.len() == 1);
        let go_at_root = extension(path) == "go" && parts.len() == 1;
        if known || placed || elsewhere || go_at_root || policy.covers(path) {
            return None;
        }
        let (place, imported) = match parts.len() {
            _ if !is_code(path) => (String::new(), called(path)),
            1 => (String::new(), product_reads::import_pattern(path)),
            _ => (format!("{}/", parts[0]), imported_below(parts[0], path)),
        };
        Some(TestAid {
            path: path.to_owned(),
            place,
            imported,
            is_product: false,
            only_beside: false,
        })
    }

    /// Returns whether some sources are one with it.
    fn is_one_with(&self, path: &str) -> bool {
        match self.place.is_empty() {
            true => path == self.path,
            false => path.starts_with(&self.place),
        }
    }

    /// Returns whether it is called what makes things for tests is.
    fn makes_for_tests(&self) -> bool {
        const NAMES: [&str; 12] = [
            "builders",
            "doubles",
            "fabricators",
            "factories",
            "fakes",
            "mocks",
            "mothers",
            "stubs",
            "testing",
            "testkit",
            "testutil",
            "testutils",
        ];
        let mut names = [stem(&self.path), self.place.trim_end_matches('/')].into_iter();
        names.any(|name| NAMES.contains(&name))
    }

    /// Returns the names of the sources that are not one with it.
    pub(crate) fn others<'s>(&self, sources: &'s [String]) -> BTreeSet<&'s str> {
        let others = sources.iter().filter(|path| !self.is_one_with(path));
        let own = [stem(&self.path), self.place.trim_end_matches('/')];
        let names = others.map(|path| named_as(path));
        names.filter(|name| !own.contains(name)).collect()
    }

    /// Takes in a source of the product, and what others there are. What makes things for tests uses the product by its nature.
    pub(crate) fn hears_product(&mut self, path: &str, text: &str, others: &BTreeSet<&str>) {
        self.is_product |= match self.is_one_with(path) {
            true => !self.makes_for_tests() && names_one(&asking_part(path, text), others),
            false => self.imported.is_match(text),
        };
    }

    /// Takes in a test or a script that judges. A test that imports it alone tests it.
    pub(crate) fn hears_judge(&mut self, path: &str, text: &str, others: &BTreeSet<&str>) {
        if !self.place.is_empty() && path.starts_with(&self.place) {
            self.is_product = true;
        }
        if !self.imported.is_match(&without_namesakes(&self.path, text)) {
            return;
        }
        let tests = judging_content::holds_tests(path, Some(text.as_bytes()))
            || judging_content::decides(text);
        let directory = parent(path);
        // Tests of Go are in the package that they test, and those of a crate beside it.
        let beside = extension(path) == "go" && format!("{directory}/") != self.place
            || extension(path) == "rs"
            || names_one(&asking_part(path, text), others);
        match tests && !beside {
            true => self.is_product = true,
            false => self.only_beside = true,
        }
    }

    /// Returns whether it may still be one.
    pub(crate) fn may_aid(&self) -> bool {
        !self.is_product
    }

    /// Returns whether only tests use it.
    pub(crate) fn aids(&self) -> bool {
        self.only_beside && !self.is_product
    }
}

/// Returns a text of Python without the lines that import another source of the same name, from another package.
fn without_namesakes<'t>(path: &str, text: &'t str) -> Cow<'t, str> {
    static FROM: TextPattern = TextPattern::new(
        r"^\s*(?:from|import)\s+(?:\w+\.)*(\w+)\.(\w+)(?:\s+(?:import|as)\b[^\n]*)?\s*$",
    );
    let package = file_name(parent(path));
    if extension(path) != "py" || package.is_empty() || stem(path) == "__init__" {
        return Cow::Borrowed(text);
    }
    let is_other = |line: &str| {
        let found = FROM.captures(line);
        found.is_some_and(|found| &found[2] == stem(path) && &found[1] != package)
    };
    let lines = text.split_inclusive('\n').filter(|line| !is_other(line));
    Cow::Owned(lines.collect())
}

/// Returns whether a file without an ending is a program.
fn is_program(pair: &ChangedFile<'_>) -> bool {
    !file_name(&pair.change.path).contains('.')
        && pair.old.is_some_and(|old| old.starts_with(b"#!"))
}

/// Returns what calls a program by its name.
fn called(path: &str) -> NamePattern {
    let name = regex::escape(file_name(path));
    let source = format!(r"(?m)(?:^|[\s/\x22'`(|;&]){name}(?:[\s\x22'`)|;&]|$)");
    NamePattern::new(source, [file_name(path)])
}

/// Returns what imports a source below a directory at the root, or others that are there.
fn imported_below(directory: &str, path: &str) -> NamePattern {
    let (all, own) = (
        product_reads::imports(directory),
        product_reads::imports(path),
    );
    let name = regex::escape(directory);
    let source = format!(r#"(?m){all}|["'`/.\s]{name}/|^\s*from\s+{name}\b|{own}"#);
    let names = [directory, path]
        .map(product_reads::imported_names)
        .concat();
    NamePattern::new(source, names.into_iter().chain([directory]))
}

/// Returns the name that a source is known by: its directory's where its own says nothing.
fn named_as(path: &str) -> &str {
    const INSIDE: [&str; 4] = ["__init__", "index", "mod", "main"];
    let directory = file_name(parent(path));
    match stem(path) {
        own if INSIDE.contains(&own) => directory,
        own => own,
    }
}

/// Returns the part of a source that says what it uses, where a language sets that apart.
fn asking_part(path: &str, text: &str) -> String {
    static ASKS: TextPattern =
        TextPattern::new(r"\b(?:import|from|require|importlib|__import__)\b");
    match extension(path) {
        "py" | "js" | "mjs" | "cjs" | "ts" | "tsx" | "jsx" => {
            let lines: Vec<&str> = text.lines().filter(|line| ASKS.is_match(line)).collect();
            lines.join("\n")
        }
        _ => text.to_owned(),
    }
}

/// Returns the directories of the crates that only tests of others depend on, by a path. `manifests` are those of a tree,
/// each with its text.
pub(crate) fn crates_of_tests(manifests: &[(String, String)]) -> BTreeSet<String> {
    let read = manifests.iter().filter_map(|(path, text)| {
        let directory = parent(path);
        Some((directory, toml::from_str::<toml::Table>(text).ok()?))
    });
    let read: BTreeMap<&str, toml::Table> = read.collect();
    let shared = read.get("").and_then(|root| root.get("workspace"));
    let shared = shared.and_then(|workspace| workspace.get("dependencies"));
    let at = |directory: &str, name: &str, asked: &toml::Value| {
        let inherits = asked.get("workspace").is_some();
        let (from, asked) = match inherits {
            true => ("", shared?.get(name)?),
            false => (directory, asked),
        };
        Some(joined(from, asked.get("path")?.as_str()?))
    };
    let mut by_tests = BTreeSet::new();
    let mut by_product: Vec<(&str, String)> = Vec::new();
    for (directory, manifest) in &read {
        for (table, names) in dependencies(manifest) {
            for (name, asked) in names {
                match (at(directory, name, asked), table) {
                    (None, _) => {}
                    (Some(to), "dev-dependencies") => drop(by_tests.insert(to)),
                    (Some(to), _) => by_product.push((directory, to)),
                }
            }
        }
    }
    by_tests.retain(|to| by_product.iter().all(|(_, used)| used != to));
    by_tests
}

/// Returns the tables of dependencies of a manifest, also those of one platform.
fn dependencies(manifest: &toml::Table) -> Vec<(&'static str, &toml::Table)> {
    const TABLES: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];
    let platforms = manifest.get("target").and_then(toml::Value::as_table);
    let platforms = platforms.into_iter().flat_map(toml::Table::values);
    let all = platforms
        .filter_map(toml::Value::as_table)
        .chain([manifest]);
    let found =
        all.flat_map(|from| TABLES.map(|table| Some((table, from.get(table)?.as_table()?))));
    found.flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::super::Declared;
    use super::super::tests::change;
    use super::*;

    fn aid(path: &str) -> Option<TestAid> {
        let change = change(path, Some("old"), Some("new"));
        let pair = ChangedFile {
            change: &change,
            old: Some(b"old"),
            new: Some(b"new"),
        };
        TestAid::of(&Policy::new(&[], Declared::default(), &[]), &pair)
    }

    #[test]
    fn a_source_that_only_tests_use_beside_the_product_aids_them() {
        const BOTH: &str = "import unittest, calc, marks\nclass A(unittest.TestCase):\n";
        const ALONE: &str = "import unittest, marks\nclass A(unittest.TestCase):\n";
        let judge = "tests/test_a.py";
        for (path, own, product, by, text, want) in [
            ("marks.py", "", "", judge, BOTH, true),
            ("marks.py", "", "import marks", judge, BOTH, false),
            ("marks.py", "import calc", "", judge, BOTH, false),
            (
                "builders.py",
                "import calc",
                "",
                judge,
                "import unittest, calc, builders\nclass A(unittest.TestCase):\n",
                true,
            ),
            (
                "builders.py",
                "import calc",
                "import builders",
                judge,
                "import unittest, calc, builders\nclass A(unittest.TestCase):\n",
                false,
            ),
            ("marks.py", "# calc\n", "", judge, BOTH, true),
            ("marks.py", "", "", judge, ALONE, false),
            ("marks.py", "", "", judge, "import calc", false),
            (
                "marks.py",
                "",
                "",
                "tests/conftest.py",
                "from marks import a",
                true,
            ),
            ("marks/a.py", "", "", judge, BOTH, true),
            ("marks/a.py", "", "", judge, ALONE, false),
            (
                "lib/sums.py",
                "",
                "",
                judge,
                "import unittest, calc\nfrom src.sums import add\nclass A(unittest.TestCase):\n",
                false,
            ),
            (
                "lib/sums.py",
                "",
                "",
                judge,
                "import unittest, calc\nfrom lib.sums import add\nclass A(unittest.TestCase):\n",
                true,
            ),
            (
                "marks/a.js",
                "",
                "",
                "tests/a.js",
                "require('../marks/a'); require('../calc'); assert(a)",
                true,
            ),
            (
                "marks/a.go",
                "",
                "",
                "calc_test.go",
                "\t\"x/marks\"\n",
                true,
            ),
            (
                "marks/a.go",
                "",
                "",
                "marks/a_test.go",
                "package marks\n",
                false,
            ),
            (
                "kit/a.rs",
                "",
                "",
                "tests/it.rs",
                "#[path = \"../kit/a.rs\"]\nmod a;\n",
                true,
            ),
            (
                "kit/a.sh",
                "",
                "",
                "tests/t.sh",
                "for f in kit/*.sh; do . $f; done\n[ calc = 3 ]\n",
                true,
            ),
            (
                "pl/Same.pm",
                "",
                "",
                "t/a.t",
                "use Test::More; use calc;\nuse Same;\n",
                true,
            ),
        ] {
            let mut aid = aid(path).unwrap();
            let sources = ["calc.py".to_owned(), path.to_owned()];
            let others = aid.others(&sources);
            aid.hears_product(path, own, &others);
            aid.hears_product("calc.py", product, &others);
            aid.hears_judge(by, text, &others);
            assert_eq!(aid.aids(), want, "{path}: {own}, {product}, {text}");
        }
    }

    #[test]
    fn what_stands_where_products_do_or_is_judged_by_its_crate_is_not_asked_about() {
        for path in [
            "src/marks.py",
            "main.go",
            "helpers/src/a.rs",
            "notes.md",
            "tests/a.py",
            "bin/a",
            "lib/slop/option.rb",
            "lib/A.pm",
        ] {
            assert!(aid(path).is_none(), "{path}");
        }
    }

    #[test]
    fn a_crate_that_only_tests_depend_on_is_found() {
        let of = |manifests: &[(&str, &str)]| {
            let owned = |(path, text): &(&str, &str)| ((*path).to_owned(), (*text).to_owned());
            let found = crates_of_tests(&manifests.iter().map(owned).collect::<Vec<_>>());
            found.into_iter().collect::<Vec<_>>().join(" ")
        };
        let by_tests = "[dev-dependencies]\nhelpers = { path = \"helpers\" }\n";
        for (manifests, want) in [
            (&[("Cargo.toml", by_tests)][..], "helpers"),
            (
                &[
                    ("Cargo.toml", by_tests),
                    (
                        "a/Cargo.toml",
                        "[dependencies]\nh = { path = \"../helpers\" }\n",
                    ),
                ],
                "",
            ),
            (
                &[
                    (
                        "Cargo.toml",
                        "[workspace.dependencies]\nh = { path = \"k/h\" }\n",
                    ),
                    (
                        "a/Cargo.toml",
                        "[target.'cfg(unix)'.dev-dependencies]\nh.workspace = true\n",
                    ),
                ],
                "k/h",
            ),
            (&[("Cargo.toml", "[dev-dependencies]\nrand = \"1\"\n")], ""),
            (&[("Cargo.toml", "no manifest")], ""),
        ] {
            assert_eq!(of(manifests), want, "{manifests:?}");
        }
    }
}
