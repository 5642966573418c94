//! How CMake builds what tests run: a definition that only their program has tells the product who runs it.

use crate::pattern::TextPattern;
use regex::Captures;
use std::collections::BTreeSet;

/// A command and what it is given. None of those that matter holds other brackets than those of its expressions.
static COMMAND: TextPattern =
    TextPattern::new(r"(?m)^[ \t]*(\w+)[ \t]*\(((?:[^()#]|\([^()]*\))*)\)");

/// Commands that say how one target is built, or one test is run.
const BUILDING: [&str; 8] = [
    "set_tests_properties",
    "target_compile_definitions",
    "target_compile_options",
    "target_compile_features",
    "target_precompile_headers",
    "target_link_options",
    "set_target_properties",
    "set_property",
];

/// Returns whether a test of the base is run otherwise than before, or its program built so, beside what its sources and
/// libraries are.
pub(super) fn built_otherwise(old: &str, new: &str) -> bool {
    let tested = tested(old);
    let before = building(old, &tested);
    building(new, &tested).difference(&before).next().is_some()
}

/// Returns the commands, without blanks between their words, that say how one of some targets is built, and those that a build
/// with tests alone has.
fn building(text: &str, tested: &BTreeSet<String>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut only_with_tests = 0_u32;
    for (name, words) in commands(text) {
        let all = || format!("{name} {}", words.join(" "));
        match &*name {
            "if" if only_with_tests > 0 || words.iter().any(|word| word.contains("BUILD_TEST")) => {
                only_with_tests += 1;
            }
            "endif" => only_with_tests = only_with_tests.saturating_sub(1),
            _ if BUILDING.contains(&&*name) && words.iter().any(|word| tested.contains(word)) => {
                found.insert(all());
            }
            "add_compile_definitions" | "add_definitions" | "add_compile_options"
                if only_with_tests > 0 =>
            {
                found.insert(all());
            }
            _ => {}
        }
    }
    found
}

/// Returns a build file without what joined in it for sources that are taken away; nothing where it names none of them. The
/// base says what stays: there only the name of such a source goes.
pub(crate) fn without_sources(base: &str, text: &str, gone: &[&str]) -> Option<String> {
    let is_gone = |word: &str| {
        gone.iter().any(|path| {
            word.strip_suffix(path)
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        })
    };
    let names = |word: &str| is_gone(word.trim_matches('"'));
    let of_base: BTreeSet<(String, Option<String>)> = commands(base)
        .map(|(name, words)| (name, words.into_iter().next()))
        .collect();
    let joined = |(name, words): &(String, Vec<String>)| {
        !of_base.contains(&(name.clone(), words.first().cloned()))
    };
    let mut targets: BTreeSet<String> = BTreeSet::new();
    let mut any = false;
    for (name, words) in commands(text) {
        let taken = words.iter().any(|word| names(word));
        any |= taken;
        if taken && name.starts_with("add_") && joined(&(name, words.clone())) {
            targets.extend(words.into_iter().next());
        }
    }
    let of_base = tests_and_targets(base);
    let in_the_way = |words: &[String]| {
        words
            .iter()
            .any(|word| targets.contains(word) && !of_base.contains(word))
    };
    let tests: BTreeSet<String> = commands(text)
        .filter(|(name, words)| name == "add_test" && in_the_way(words))
        .filter_map(|(_, words)| {
            words
                .into_iter()
                .find(|word| word != "NAME" && !of_base.contains(word))
        })
        .collect();
    let reduced = COMMAND.replace_all(text, |found: &Captures<'_>| {
        let (name, words) = words_of(found);
        let goes = joined(&(name, words.clone())) && words.iter().any(|word| names(word))
            || in_the_way(&words)
            || words.iter().any(|word| tests.contains(word));
        let left = || {
            found[2]
                .split_whitespace()
                .filter(|word| !names(word))
                .collect::<Vec<_>>()
                .join(" ")
        };
        match (goes, words.iter().any(|word| names(word))) {
            (true, _) => String::new(),
            (false, true) => format!("{}({})", &found[1], left()),
            (false, false) => found[0].to_owned(),
        }
    });
    any.then(|| reduced.into_owned())
}

/// Returns the names of the targets and tests of a build file.
fn tests_and_targets(text: &str) -> BTreeSet<String> {
    let adds = commands(text).filter(|(name, _)| name.starts_with("add_"));
    adds.filter_map(|(_, words)| words.into_iter().find(|word| word != "NAME"))
        .collect()
}

/// Returns the tests that are there and the targets that they run, by the commands that add tests.
fn tested(text: &str) -> BTreeSet<String> {
    let targets: BTreeSet<String> = commands(text)
        .filter(|(name, _)| name == "add_executable")
        .filter_map(|(_, words)| words.into_iter().next())
        .collect();
    let adds = |name: &str| {
        name == "add_test" || name.ends_with("discover_tests") || name.ends_with("add_tests")
    };
    let run = commands(text).filter(|(name, _)| adds(name));
    run.flat_map(|(_, words)| {
        let named = words
            .iter()
            .skip_while(|word| *word == "NAME")
            .take(1)
            .cloned();
        let run = words.iter().filter(|word| targets.contains(*word)).cloned();
        named.chain(run).collect::<Vec<_>>()
    })
    .collect()
}

fn commands(text: &str) -> impl Iterator<Item = (String, Vec<String>)> {
    COMMAND.captures_iter(text).map(|found| words_of(&found))
}

fn words_of(found: &Captures<'_>) -> (String, Vec<String>) {
    let words = found[2].split_whitespace();
    let words = words.map(|word| word.trim_matches('"').to_owned());
    (found[1].to_ascii_lowercase(), words.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_the_program_of_tests_is_built_with_is_found() {
        let base = "add_library(calc a.c)\nadd_executable(t a.c tests/t.c)\nadd_executable(app main.c)\nadd_test(NAME adds COMMAND t)\n";
        for (more, want) in [
            ("target_compile_definitions(t PRIVATE CHECKED=1)\n", true),
            ("target_compile_options(\n  t\n  PRIVATE -DCHECKED)\n", true),
            (
                "SET_TARGET_PROPERTIES(t PROPERTIES COMPILE_FLAGS \"-DX\")\n",
                true,
            ),
            (
                "set_property(TARGET t PROPERTY COMPILE_DEFINITIONS X)\n",
                true,
            ),
            (
                "target_compile_definitions(t PRIVATE $<$<CONFIG:Debug>:X>)\n",
                true,
            ),
            (
                "if(BUILD_TESTING)\n  add_compile_definitions(X)\nendif()\n",
                true,
            ),
            ("set_property(TEST adds PROPERTY ENVIRONMENT X=1)\n", true),
            (
                "set_tests_properties(adds PROPERTIES ENVIRONMENT X=1)\n",
                true,
            ),
            (
                "add_executable(u a.c tests/u.c)\ntarget_compile_definitions(u PRIVATE X)\nadd_test(NAME two COMMAND u)\nset_tests_properties(two PROPERTIES TIMEOUT 3)\n",
                false,
            ),
            ("target_compile_definitions(app PRIVATE X)\n", false),
            ("target_compile_definitions(calc PUBLIC X)\n", false),
            ("add_compile_definitions(X)\n", false),
            ("target_link_libraries(t PRIVATE calc)\n", false),
            (
                "if(BUILD_TESTING)\n  add_subdirectory(tests)\nendif()\nadd_compile_definitions(X)\n",
                false,
            ),
            ("# target_compile_definitions(t PRIVATE X)\n", false),
        ] {
            let new = format!("{base}{more}");
            assert_eq!(built_otherwise(base, &new), want, "{more}");
            assert!(!built_otherwise(&new, &new) && !built_otherwise(&new, base));
        }
    }

    #[test]
    fn a_build_is_left_without_what_joined_for_a_source_that_is_taken_away() {
        let base = "add_library(calc a.c)\nadd_executable(t tests/t.c)\nadd_test(NAME adds COMMAND t)\nset(MORE tests/m.c)\n";
        for (more, left) in [
            (
                "add_executable(u a.c tests/u.c)\ntarget_link_libraries(u calc)\nadd_test(NAME two COMMAND u)\nset_tests_properties(two PROPERTIES TIMEOUT 3)\n",
                "\n\n\n\n",
            ),
            ("my_test(two tests/u.c)\n", "\n"),
            (
                "add_library(m m.c)\nadd_executable(u\n  ${CMAKE_SOURCE_DIR}/tests/u.c)\n",
                "add_library(m m.c)\n\n",
            ),
        ] {
            let text = format!("{base}{more}");
            let want = format!("{base}{left}");
            assert_eq!(
                without_sources(base, &text, &["tests/u.c"]),
                Some(want),
                "{more}"
            );
        }
        let more = base.replace("tests/t.c", "tests/t.c tests/u.c");
        assert_eq!(
            without_sources(base, &more, &["tests/u.c"]),
            Some(base.to_owned())
        );
        assert_eq!(without_sources(base, base, &["tests/u.c"]), None);
        // What the base runs stays, whatever it is built of now.
        let swapped = base.replace("add_library(calc a.c)", "add_library(calc tests/u.c)");
        let left = without_sources(base, &swapped, &["tests/u.c"]).unwrap();
        assert!(
            left.contains("add_library(calc)") && left.contains("COMMAND t"),
            "{left}"
        );
    }
}
