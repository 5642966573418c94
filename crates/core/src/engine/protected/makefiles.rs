//! Makefiles: the recipes that check, what all recipes share, and what the oracle has made.

use super::judging_content::decides;
use super::text_lines::blocks;
use crate::pattern::TextPattern;
use std::collections::BTreeSet;

/// Returns whether what all recipes of a Makefile share is not as it was: variables it had or uses, its shell, its flags.
pub(super) fn rewired(old: &str, new: &str, words: &BTreeSet<String>) -> bool {
    let before = assignments(old);
    let after = with_sources_of_before((old, &before), new);
    let needed = needed_targets(old, words);
    let aside = |name: &str| is_aside(old, name, &needed) && is_aside(new, name, &needed);
    let lost = before
        .iter()
        .any(|line| !after.contains(line) && !aside(&line.0));
    let names: BTreeSet<&str> = before.iter().map(|(name, _)| &**name).collect();
    let reset = after.iter().any(|assignment| {
        let name = &*assignment.0;
        let used = [format!("$({name})"), format!("${{{name}}}")];
        !before.contains(assignment)
            && !aside(name)
            && (names.contains(name) || used.iter().any(|name| old.contains(name)))
    });
    let phony = |text: &str| -> BTreeSet<String> {
        let lines = text.lines().filter_map(|line| line.strip_prefix(".PHONY"));
        let words = lines.flat_map(|line| line.split([' ', '\t', ':']).map(str::to_owned));
        words.collect()
    };
    // A target that is no longer phony is made by a file of its name.
    let unmade = !phony(old).is_subset(&phony(new));
    let moved = asks_for_no_target(old, words) && default_goal(old) != default_goal(new);
    let set = set_for_judges(new, &needed) > set_for_judges(old, &needed);
    lost || reset || unmade || moved || set || shared_settings(new) > shared_settings(old)
}

/// Variables that make's own recipes use without a word in the file.
const BUILT_IN: &[&str] = &[
    "AR",
    "ARFLAGS",
    "AS",
    "ASFLAGS",
    "CC",
    "CFLAGS",
    "CPP",
    "CPPFLAGS",
    "CXX",
    "CXXFLAGS",
    "FC",
    "FFLAGS",
    "LD",
    "LDFLAGS",
    "LDLIBS",
    "LEX",
    "LFLAGS",
    "LOADLIBES",
    "MAKE",
    "RM",
    "YACC",
    "YFLAGS",
];

/// Returns whether a variable is used, and only by recipes that nobody has made for the oracle, as far as one file tells.
fn is_aside(text: &str, name: &str, needed: &BTreeSet<String>) -> bool {
    const OPEN: [&str; 4] = ["include", "export", "eval", ".SECONDEXPANSION"];
    let hidden = OPEN.iter().any(|word| text.contains(word)) || BUILT_IN.contains(&name);
    if hidden || needed.iter().any(|target| target.contains('$')) {
        return false;
    }
    let own = |line: &str| assignments(line).iter().any(|(own, _)| own == name);
    // A name with a variable or a pattern in it may be any.
    let is_needed = |target: &str| target.contains(['$', '%', '.']) || needed.contains(target);
    let (mut judges, mut used) = (true, false);
    for line in text.lines() {
        let recipe = line.starts_with('\t');
        if let Some((targets, _)) = line.split_once(':').filter(|_| !recipe) {
            judges = targets.split_whitespace().any(is_needed);
        }
        if line.contains(name) && (recipe || !own(line)) {
            if judges || !recipe {
                return false;
            }
            used = true;
        }
    }
    used
}

/// Returns the variables that a Makefile sets, and each line that does, without spaces.
fn assignments(text: &str) -> Vec<(String, String)> {
    static LINE: TextPattern =
        TextPattern::new(r"^ *(?:(?:export|override|private) +)*([A-Za-z_][\w.-]*)\s*[:?+!]{0,3}=");
    let lines = text.lines().filter_map(|line| {
        let name = LINE.captures(line)?.get(1)?.as_str().to_owned();
        Some((name, line.split_whitespace().collect()))
    });
    lines.collect()
}

/// Returns the variables that a Makefile sets; what only lists sources to be compiled, and has those of before and more, as it
/// was before.
fn with_sources_of_before(
    (old, had): (&str, &[(String, String)]),
    new: &str,
) -> Vec<(String, String)> {
    static LIST: TextPattern = TextPattern::new(
        r"(?m)^ *([A-Za-z_][\w.-]*)\s*[:?]{0,2}=((?:[ \t]*(?:\\\n)?[ \t]*[\w./+][\w./+-]*\.(?:c|cc|cpp|cxx|f90))+)[ \t]*$",
    );
    let lists = |text: &str| -> Vec<(String, String)> {
        let found = LIST.captures_iter(text);
        found
            .map(|list| (list[1].to_owned(), list[2].to_owned()))
            .collect()
    };
    let words = |list: &str| -> Vec<String> {
        let words = list.split_whitespace().filter(|word| *word != "\\");
        words.map(str::to_owned).collect()
    };
    let mut set = assignments(new);
    let once = |all: &[(String, String)], name: &str| {
        all.iter().filter(|(other, _)| other == name).count() == 1
    };
    let after = lists(new);
    for (name, list) in &lists(old) {
        let grown = after.iter().find(|(other, _)| other == name);
        let grown = grown.is_some_and(|(_, more)| words(more).starts_with(&words(list)));
        if grown && once(had, name) && once(&set, name) {
            set.retain(|(other, _)| other != name);
            set.extend(had.iter().find(|(other, _)| other == name).cloned());
        }
    }
    set
}

/// Returns how many variables are set for what the oracle has made, or for all targets of a pattern.
fn set_for_judges(text: &str, needed: &BTreeSet<String>) -> usize {
    static SETTING: TextPattern = TextPattern::new(
        r"(?m)^([^\t:=#\n]+):[ \t]*(?:(?:export|override|private) +)*[A-Za-z_][\w.-]*[ \t]*[:?+!]{0,3}=",
    );
    let judges = |target: &str| target.contains('%') || needed.contains(target);
    let settings = SETTING.captures_iter(text);
    let found = settings.filter(|found| found[1].split_whitespace().any(judges));
    found.count()
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
    // Variables that programs go by which recipes run.
    static STEERS: TextPattern = TextPattern::new(
        r"^(?:PYTHON(?:OPTIMIZE|PATH|STARTUP|HOME|WARNINGS|BREAKPOINT)|PYTEST_\w+|NODE_(?:OPTIONS|PATH)|RUBY(?:OPT|LIB)|PERL5\w+|GOFLAGS|GOENV|GOWORK|RUST(?:FLAGS|C|C_WRAPPER)|CARGO_\w+|BASH_ENV|ENV|LD_\w+|DYLD_\w+|JAVA_TOOL_OPTIONS|MAVEN_OPTS|GRADLE_OPTS|HARNESS_\w+|TESTOPTS|CTEST_\w+)$",
    );
    let lines = text.lines().map(|line| {
        line.trim_start_matches(' ')
            .trim_start_matches("export ")
            .trim_start_matches("override ")
    });
    let shared = lines.filter(|line| {
        let mut words = line.split(|c: char| c.is_whitespace() || ":=?+".contains(c));
        let first = words.next().unwrap_or_default();
        WORDS.contains(&first) || STEERS.is_match(first) || line.starts_with('%')
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
    // What is made without a word, as by a recipe of another Makefile, judges where it decides.
    let runs_make = words.iter().any(|word| matches!(&**word, "make" | "gmake"));
    let unasked = runs_make && asks_for_no_target(text, words);
    let goal = default_goal(text).filter(|_| unasked);
    let mut blocks = blocks(text, is_target);
    blocks.retain(|block| {
        let line = block.first().copied().unwrap_or_default();
        let targets = line.split(':').next().unwrap_or_default();
        let is_goal = targets
            .split_whitespace()
            .any(|target| goal == Some(target));
        let decides = || {
            block
                .iter()
                .skip(1)
                .any(|line| decides(line.trim_start_matches(['\t', '@', '-'])))
        };
        is_target(line)
            && !line.starts_with(".PHONY")
            && (targets.split_whitespace().any(judges) || is_goal && decides())
    });
    // What stands between a recipe and the next target is not the recipe's.
    for block in &mut blocks {
        let body = block.iter().skip(1);
        let recipe = body
            .take_while(|line| line.starts_with(['\t', ' ', '#']))
            .count();
        block.truncate(1 + recipe);
        // What a head says of its target is not asked for; behind a `;` it may be the shell's.
        if let Some(head) = block.first_mut().filter(|head| !head.contains(';')) {
            *head = head.split('#').next().unwrap_or_default().trim_end();
        }
    }
    blocks
}

/// Returns the targets without a file that a Makefile has made for the words of a command, with all that they need.
pub(super) fn asked_targets(makefile: &str, words: &BTreeSet<String>) -> BTreeSet<String> {
    if !words.iter().any(|word| matches!(&**word, "make" | "gmake")) {
        return BTreeSet::new();
    }
    let rules = rules(makefile);
    let phony = rules.iter().filter(|(name, _)| name.trim() == ".PHONY");
    let phony: BTreeSet<&str> = phony.flat_map(|(_, all)| all.split_whitespace()).collect();
    let names = rules.iter().flat_map(|(names, _)| names.split_whitespace());
    let needed = needed_targets(makefile, words);
    // One that is made of parts, or in a directory, is a file.
    let made = names
        .filter(|name| needed.contains(*name) && !phony.contains(name))
        .filter(|name| !name.contains(['.', '/', '%', '$']));
    made.map(str::to_owned).collect()
}

/// Returns globs of what a Makefile makes only to mark that something is done: where it is there already, nothing is done.
pub(super) fn marks(makefile: &str, words: &BTreeSet<String>) -> Vec<String> {
    static VARIABLE: TextPattern = TextPattern::new(r"\$\([^)\s]*\)|\$\{[^}\s]*\}|%");
    if !words.iter().any(|word| matches!(&**word, "make" | "gmake")) {
        return vec![];
    }
    let is_rule = |line: &str| !line.starts_with(['\t', ' ', '#']) && line.contains(':');
    let only_touched = |block: &[&str], target: &str| {
        let names = ["$@", "$(@)", "${@}", target];
        let naming = block[1..]
            .iter()
            .filter(|line| names.iter().any(|name| line.contains(name)));
        let naming: Vec<&&str> = naming.collect();
        let touches = |line: &str| {
            let last = line.rsplit([';', '&']).next().unwrap_or_default();
            last.trim_start_matches(['\t', '@', '-', ' '])
                .starts_with("touch ")
        };
        matches!(naming[..], [line] if touches(line))
    };
    let mut globs = Vec::new();
    for block in blocks(makefile, is_rule) {
        let head = block.first().copied().unwrap_or_default();
        let Some((targets, _)) = head.split_once(':') else {
            continue;
        };
        let targets = targets.split_whitespace();
        let touched = targets.filter(|target| only_touched(&block, target));
        let touched = touched.map(|target| VARIABLE.replace_all(target, "*").into_owned());
        globs.extend(touched.filter(|glob| glob.contains(char::is_alphanumeric)));
    }
    globs
}

/// Returns what a Makefile makes for the words of a command, its first target and what those need, whatever it is.
pub(super) fn needed_targets(makefile: &str, words: &BTreeSet<String>) -> BTreeSet<String> {
    let rules = rules(makefile);
    let mut needed: BTreeSet<String> = words.clone();
    // Without a word of its own, the first target is made.
    needed.extend(
        rules
            .iter()
            .map(|(name, _)| name.trim().to_owned())
            .find(|n| !n.starts_with('.')),
    );
    for _ in 0..4 {
        for (names, needs) in &rules {
            if names.split_whitespace().any(|name| needed.contains(name)) {
                let needs = needs.split(['#', ';']).next().unwrap_or_default();
                needed.extend(needs.split_whitespace().map(str::to_owned));
            }
        }
    }
    needed
}

fn asks_for_no_target(makefile: &str, words: &BTreeSet<String>) -> bool {
    let names = rules(makefile)
        .into_iter()
        .flat_map(|(names, _)| names.split_whitespace());
    let mut names = names.filter(|name| !name.starts_with('.'));
    names.all(|name| !words.contains(name))
}

/// Returns what is made where no target is asked for.
fn default_goal(makefile: &str) -> Option<&str> {
    let set = makefile.lines().rev().find_map(|line| {
        let value = line.trim().strip_prefix(".DEFAULT_GOAL")?;
        Some(value.trim_start_matches([' ', ':', '?', '=']).trim())
    });
    let targets = rules(makefile)
        .into_iter()
        .flat_map(|(names, _)| names.split_whitespace());
    let mut targets = targets.filter(|name| !name.starts_with('.') && !name.contains('%'));
    set.or_else(|| targets.next())
}

/// Returns the targets of each rule, and what they need.
pub(super) fn rules(makefile: &str) -> Vec<(&str, &str)> {
    let lines = makefile
        .lines()
        .filter(|line| !line.starts_with(['\t', ' ', '#']));
    let rules = lines.filter_map(|line| line.split_once(':'));
    rules.filter(|(_, needs)| !needs.starts_with('=')).collect()
}

#[cfg(test)]
mod tests;
