//! Makefiles: the recipes that check, what all recipes share, and what the oracle has made.

use super::manifests::blocks;
use regex::Regex;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Returns whether what all recipes of a Makefile share is not as it was: variables it had or uses, its shell, its flags.
pub(super) fn rewired(old: &str, new: &str) -> bool {
    let (before, after) = (assignments(old), assignments(new));
    let lost = before.iter().any(|line| !after.contains(line));
    let names: BTreeSet<&str> = before.iter().map(|(name, _)| &**name).collect();
    let reset = after.iter().any(|assignment| {
        let name = &*assignment.0;
        let used = [format!("$({name})"), format!("${{{name}}}")];
        !before.contains(assignment)
            && (names.contains(name) || used.iter().any(|name| old.contains(name)))
    });
    let phony = |text: &str| -> BTreeSet<String> {
        let lines = text.lines().filter_map(|line| line.strip_prefix(".PHONY"));
        let words = lines.flat_map(|line| line.split([' ', '\t', ':']).map(str::to_owned));
        words.collect()
    };
    // A target that is no longer phony is made by a file of its name.
    let unmade = !phony(old).is_subset(&phony(new));
    lost || reset || unmade || shared_settings(new) > shared_settings(old)
}

/// Returns the variables that a Makefile sets, and each line that does, without spaces.
fn assignments(text: &str) -> Vec<(String, String)> {
    static LINE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^ *(?:(?:export|override|private) +)*([A-Za-z_][\w.-]*)\s*[:?+!]{0,3}=")
            .expect("a constant pattern, compiled by the tests")
    });
    let lines = text.lines().filter_map(|line| {
        let name = LINE.captures(line)?.get(1)?.as_str().to_owned();
        Some((name, line.split_whitespace().collect()))
    });
    lines.collect()
}

fn shared_settings(text: &str) -> usize {
    const WORDS: [&str; 17] = [
        "SHELL",
        ".SHELLFLAGS",
        "MAKEFLAGS",
        "GNUMAKEFLAGS",
        ".IGNORE",
        ".ONESHELL",
        ".SILENT",
        ".DEFAULT",
        ".POSIX",
        "PATH",
        "VPATH",
        "vpath",
        "include",
        "-include",
        "sinclude",
        "define",
        "set",
    ];
    let lines = text.lines().map(|line| {
        line.trim_start_matches(' ')
            .trim_start_matches("export ")
            .trim_start_matches("override ")
    });
    let shared = lines.filter(|line| {
        let mut words = line.split(|c: char| c.is_whitespace() || ":=?+".contains(c));
        words.next().is_some_and(|first| WORDS.contains(&first)) || line.starts_with('%')
    });
    shared.count() + text.matches("$(eval").count()
}

/// Returns the recipes whose target's name says that they check, and those the oracle names.
pub(super) fn recipes<'t>(text: &'t str, words: &BTreeSet<String>) -> Vec<Vec<&'t str>> {
    let is_target = |line: &str| {
        line.starts_with(|c: char| c.is_ascii_alphanumeric() || "_@.%$/".contains(c))
            && line.contains(':')
            && !line.contains(":=")
    };
    let judges = |target: &str| {
        words.contains(target)
            || target
                .split(|c: char| !c.is_ascii_alphanumeric())
                .any(|word| {
                    matches!(
                        word,
                        "test" | "tests" | "check" | "verify" | "ci" | "lint" | "spec" | "e2e"
                    )
                })
    };
    let mut blocks = blocks(text, is_target);
    blocks.retain(|block| {
        let line = block.first().copied().unwrap_or_default();
        let targets = line.split(':').next().unwrap_or_default();
        is_target(line) && !line.starts_with(".PHONY") && targets.split_whitespace().any(judges)
    });
    // What stands between a recipe and the next target is not the recipe's.
    for block in &mut blocks {
        let body = block.iter().skip(1);
        let recipe = body
            .take_while(|line| line.starts_with(['\t', ' ', '#']))
            .count();
        block.truncate(1 + recipe);
    }
    blocks
}

/// Returns the targets without a file that a Makefile has made for the words of a command, with all that they need.
pub(super) fn asked_targets(makefile: &str, words: &BTreeSet<String>) -> BTreeSet<String> {
    if !words.iter().any(|word| matches!(&**word, "make" | "gmake")) {
        return BTreeSet::new();
    }
    let rules = makefile
        .lines()
        .filter(|line| !line.starts_with(['\t', ' ', '#']));
    let rules: Vec<(&str, &str)> = rules
        .filter_map(|line| line.split_once(':'))
        .filter(|(_, needs)| !needs.starts_with('='))
        .collect();
    let phony = rules.iter().filter(|(name, _)| name.trim() == ".PHONY");
    let phony: BTreeSet<&str> = phony.flat_map(|(_, all)| all.split_whitespace()).collect();
    let mut asked: BTreeSet<String> = words.clone();
    // Without a word of its own, the first target is made.
    asked.extend(
        rules
            .iter()
            .map(|(name, _)| name.trim().to_owned())
            .find(|n| !n.starts_with('.')),
    );
    let mut made = BTreeSet::new();
    for _ in 0..4 {
        for (names, needs) in &rules {
            if names.split_whitespace().any(|name| asked.contains(name)) {
                made.extend(names.split_whitespace().map(str::to_owned));
                let needs = needs.split(['#', ';']).next().unwrap_or_default();
                asked.extend(needs.split_whitespace().map(str::to_owned));
            }
        }
    }
    // One that is made of parts, or in a directory, is a file.
    made.retain(|name| !phony.contains(&**name) && !name.contains(['.', '/', '%', '$']));
    made
}

/// Returns the files that a Makefile includes and that are not read part by part themselves.
pub(super) fn included(makefile: &str) -> BTreeSet<String> {
    let lines = makefile
        .lines()
        .map(|line| line.trim_start_matches(['-', ' ']));
    let named = lines.filter_map(|line| {
        line.strip_prefix("include ")
            .or_else(|| line.strip_prefix("sinclude "))
    });
    let named = named.flat_map(str::split_whitespace);
    let named = named.map(|path| path.trim_start_matches("./"));
    let whole = named.filter(|path| !path.contains(['$', '*']) && !path.ends_with(".mk"));
    whole.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_oracle_has_made_is_known_with_all_that_it_needs() {
        let makefile = "all: app\n\ncheck: unit lint # both\n\tsh a.sh\nunit:\n\tsh b.sh\nlint:\n\ttrue\napp: main.o\n\tcc\nX := 1\ndocs:\n\ttrue\n.PHONY: lint\n";
        for (command, want) in [
            ("make check", "all app check unit"),
            ("make docs", "all app docs"),
            ("sh check", ""),
        ] {
            let words = command.split(' ').map(str::to_owned).collect();
            let made: Vec<String> = asked_targets(makefile, &words).into_iter().collect();
            assert_eq!(made.join(" "), want, "{command}");
        }
    }

    #[test]
    fn what_is_included_is_known_by_its_name() {
        let makefile = "include ./settings more.mk\n-include local $(X)\nX = include y\n";
        let named: Vec<String> = included(makefile).into_iter().collect();
        assert_eq!(named.join(" "), "local settings");
    }

    #[test]
    fn a_target_that_is_no_longer_phony_is_rewired() {
        let old = ".PHONY: check unit\ncheck:\n\ttrue\n";
        for (new, want) in [
            (old.to_owned(), false),
            (old.replace("unit", "unit more"), false),
            (old.replace(" unit", ""), true),
            (old.replace(".PHONY: check unit\n", ""), true),
        ] {
            assert_eq!(rewired(old, &new), want, "{new}");
        }
    }
}
