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

/// A command with its words.
type BuildCommand = (String, Vec<String>);

/// Returns a build file without what joined in it for sources that are taken away; nothing where it names none of them. The
/// base says what stays: there only the name of such a source goes.
pub(crate) fn without_sources(base: &str, text: &str, gone: &[&str]) -> Option<String> {
    let names = |word: &str| {
        let word = word.trim_matches('"');
        gone.iter().any(|path| {
            word.strip_suffix(path)
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        })
    };
    let before: Vec<BuildCommand> = commands(base).collect();
    let now: Vec<BuildCommand> = commands(text).collect();
    let listed = listed(&before, &now, &names);
    let dropped = dropped(&before, &now, &names);
    let is_gone = |at: usize, word: &str| {
        let listed = listed.contains(&(at, word.trim_matches('"').to_owned()));
        listed || names(word)
    };
    let mut places = 0..;
    let reduced = COMMAND.replace_all(text, |found: &Captures<'_>| {
        let at = places.next().unwrap_or_default();
        let words = || found[2].split_whitespace();
        let left = || {
            words()
                .filter(|word| !is_gone(at, word))
                .collect::<Vec<_>>()
        };
        match (dropped.contains(&at), words().any(|word| is_gone(at, word))) {
            (true, _) => String::new(),
            (false, true) => format!("{}({})", &found[1], left().join(" ")),
            (false, false) => found[0].to_owned(),
        }
    });
    let named = now
        .iter()
        .any(|(_, words)| words.iter().any(|word| names(word)));
    (named || !listed.is_empty()).then(|| reduced.into_owned())
}

/// Returns the places of the commands that joined for sources which names tell, or for the targets and tests made of them.
fn dropped(
    before: &[BuildCommand],
    now: &[BuildCommand],
    names: &dyn Fn(&str) -> bool,
) -> BTreeSet<usize> {
    let of_base: BTreeSet<(&str, Option<&String>)> = before
        .iter()
        .map(|(name, words)| (name.as_str(), words.first()))
        .collect();
    let joined = |(name, words): &BuildCommand| !of_base.contains(&(name.as_str(), words.first()));
    let named =
        |command: &BuildCommand| command.1.iter().any(|word| names(word)) && joined(command);
    let adds = now
        .iter()
        .filter(|command| command.0.starts_with("add_") && named(command));
    let targets: BTreeSet<&String> = adds.filter_map(|(_, words)| words.first()).collect();
    let of_base = tests_and_targets(before);
    let in_the_way = |words: &[String]| {
        words
            .iter()
            .any(|word| targets.contains(word) && !of_base.contains(word))
    };
    let tests = now
        .iter()
        .filter(|(name, words)| name == "add_test" && in_the_way(words));
    let tests: BTreeSet<&String> = tests
        .filter_map(|(_, words)| {
            let mut words = words.iter();
            words.find(|word| *word != "NAME" && !of_base.contains(*word))
        })
        .collect();
    let goes = |command: &BuildCommand| {
        named(command)
            || in_the_way(&command.1)
            || command.1.iter().any(|word| tests.contains(word))
    };
    let places = now.iter().enumerate();
    places
        .filter(|(_, command)| goes(command))
        .map(|(at, _)| at)
        .collect()
}

/// Returns the items that joined a list of the build, by their commands' places, and of which a loop makes a name that is gone.
fn listed(
    before: &[BuildCommand],
    now: &[BuildCommand],
    names: &dyn Fn(&str) -> bool,
) -> BTreeSet<(usize, String)> {
    let mut found = BTreeSet::new();
    let mut loops: Vec<usize> = Vec::new();
    for (at, (name, words)) in now.iter().enumerate() {
        match &**name {
            "foreach" => loops.push(at),
            "endforeach" => {
                loops.pop();
            }
            _ => {}
        }
        for place in &loops {
            let Some(variable) = now[*place].1.first() else {
                continue;
            };
            let variable = format!("${{{variable}}}");
            let made = |item: &str| {
                let mut words = words.iter().filter(|word| word.contains(&variable));
                words.any(|word| names(&word.replace(&variable, item)))
            };
            let items = items(now, *place).into_iter();
            let joined =
                items.filter(|(place, item)| made(item) && !has_item(before, &now[*place], item));
            found.extend(joined.map(|(place, item)| (place, item.clone())));
        }
    }
    found
}

/// Returns whether a list of the base has an item, too.
fn has_item(before: &[BuildCommand], (name, words): &BuildCommand, item: &String) -> bool {
    let mut alike = before
        .iter()
        .filter(|(other, of_base)| other == name && of_base.first() == words.first());
    alike.any(|(_, of_base)| of_base.contains(item))
}

/// Returns what a loop goes through, by the places of the commands that name it.
fn items(commands: &[BuildCommand], at: usize) -> Vec<(usize, &String)> {
    let mut found = Vec::new();
    for word in commands[at].1.iter().skip(1) {
        let list = word
            .strip_prefix("${")
            .and_then(|word| word.strip_suffix('}'));
        let list = list.unwrap_or(word);
        found.push((at, word));
        for (place, (name, words)) in commands[..at].iter().enumerate() {
            let values = match &**name {
                "set" => words.strip_prefix(&[list.to_owned()]),
                "list" => words.strip_prefix(&["APPEND".to_owned(), list.to_owned()]),
                _ => None,
            };
            found.extend(values.into_iter().flatten().map(|value| (place, value)));
        }
    }
    found
}

/// Returns the names of the targets and tests of a build file.
fn tests_and_targets(commands: &[BuildCommand]) -> BTreeSet<&String> {
    let adds = commands.iter().filter(|(name, _)| name.starts_with("add_"));
    adds.filter_map(|(_, words)| words.iter().find(|word| *word != "NAME"))
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

fn commands(text: &str) -> impl Iterator<Item = BuildCommand> {
    COMMAND.captures_iter(text).map(|found| words_of(&found))
}

fn words_of(found: &Captures<'_>) -> BuildCommand {
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
        // Of what loops go through, only what joined goes.
        let body = "  add_executable(${n} tests/${n}.c)\n  add_test(NAME ${n} COMMAND ${n})\nendforeach()\n";
        for (before, now) in [
            ("foreach(n t)\n", "foreach(n t u)\n"),
            (
                "set(ALL t)\nforeach(n ${ALL})\n",
                "set(ALL t u)\nforeach(n ${ALL})\n",
            ),
            (
                "set(ALL t)\nforeach(n IN LISTS ALL)\n",
                "set(ALL t u)\nforeach(n IN LISTS ALL)\n",
            ),
        ] {
            let (before, now) = (format!("{before}{body}"), format!("{now}{body}"));
            assert_eq!(
                without_sources(&before, &now, &["tests/u.c"]),
                Some(before.clone())
            );
            assert_eq!(without_sources(&before, &before, &["tests/t.c"]), None);
        }
        // What the base runs stays, whatever it is built of now.
        let swapped = base.replace("add_library(calc a.c)", "add_library(calc tests/u.c)");
        let left = without_sources(base, &swapped, &["tests/u.c"]).unwrap();
        assert!(
            left.contains("add_library(calc)") && left.contains("COMMAND t"),
            "{left}"
        );
    }
}
