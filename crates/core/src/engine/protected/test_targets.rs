//! How CMake builds what tests run: a definition that only their program has tells the product who runs it.

use crate::pattern::TextPattern;
use std::collections::BTreeSet;

/// A command and what it is given. None of those that matter holds other brackets than those of its expressions.
static COMMAND: TextPattern =
    TextPattern::new(r"(?m)^[ \t]*(\w+)[ \t]*\(((?:[^()#]|\([^()]*\))*)\)");

/// Commands that say how one target is built.
const BUILDING: [&str; 7] = [
    "target_compile_definitions",
    "target_compile_options",
    "target_compile_features",
    "target_precompile_headers",
    "target_link_options",
    "set_target_properties",
    "set_property",
];

/// Returns whether a program that tests run is built otherwise than before, beside what its sources and libraries are.
pub(super) fn built_otherwise(old: &str, new: &str) -> bool {
    let tested = tested(&format!("{old}\n{new}"));
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

/// Returns the targets that tests run, by the commands that add tests.
fn tested(text: &str) -> BTreeSet<String> {
    let targets: BTreeSet<String> = commands(text)
        .filter(|(name, _)| name == "add_executable")
        .filter_map(|(_, words)| words.into_iter().next())
        .collect();
    let adds = |name: &str| {
        name == "add_test" || name.ends_with("discover_tests") || name.ends_with("add_tests")
    };
    let run = commands(text).filter(|(name, _)| adds(name));
    run.flat_map(|(_, words)| words)
        .filter(|word| targets.contains(word))
        .collect()
}

fn commands(text: &str) -> impl Iterator<Item = (String, Vec<String>)> {
    COMMAND.captures_iter(text).map(|found| {
        let words = found[2].split_whitespace();
        let words = words
            .map(|word| word.trim_matches('"').to_owned())
            .collect();
        (found[1].to_ascii_lowercase(), words)
    })
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
}
