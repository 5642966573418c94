//! What a Makefile of the base reads beside itself: by name, by pattern, there or not yet.

use super::super::guards::{self, PathGlobs};
use super::makefiles::{recipes, rewired};
use crate::engine::changed_file::ChangedFile;
use crate::pattern::TextPattern;
use std::collections::BTreeSet;

/// Returns the files that a Makefile includes and that are not read part by part themselves.
pub(super) fn included(makefile: &str) -> BTreeSet<String> {
    let named = include_patterns(makefile).into_iter();
    named
        .filter(|path| !path.contains(['$', '*']) && !path.ends_with(".mk"))
        .collect()
}

/// A Makefile of the base that reads others.
#[derive(Debug)]
pub(super) struct IncludingMakefile {
    text: String,
    included: PathGlobs,
}

impl IncludingMakefile {
    /// Reads what a Makefile includes: by name, by pattern, there or not yet.
    pub(super) fn of(makefile: &str) -> IncludingMakefile {
        IncludingMakefile {
            text: makefile.to_owned(),
            included: guards::set(
                &include_patterns(makefile)
                    .iter()
                    .map(String::as_str)
                    .collect::<Vec<_>>(),
            ),
        }
    }

    /// Returns whether a file that is read with it changes what it judges by. What cannot be read counts as if it did.
    pub(super) fn is_steered_by(&self, pair: &ChangedFile<'_>, words: &BTreeSet<String>) -> bool {
        let with = |bytes: Option<&[u8]>| {
            let text = std::str::from_utf8(bytes.unwrap_or_default()).ok()?;
            Some(format!("{}\n{text}", self.text))
        };
        self.included.is_match(&pair.change.path)
            && match (with(pair.old), with(pair.new)) {
                (Some(old), Some(new)) => {
                    rewired(&old, &new, words) || recipes(&old, words) != recipes(&new, words)
                }
                _ => true,
            }
    }
}

/// Returns globs of what a Makefile includes; a variable stands for anything, alone for files with the usual ending.
fn include_patterns(makefile: &str) -> Vec<String> {
    static WILDCARD: TextPattern = TextPattern::new(r"\$[({]wildcard\s+([^)}]*)[)}]");
    static VARIABLE: TextPattern = TextPattern::new(r"\$(?:\([^)]*\)|\{[^}]*\})");
    let lines = makefile
        .lines()
        .map(|line| line.trim_start_matches(['-', ' ']));
    let named = lines.filter_map(|line| {
        line.strip_prefix("include ")
            .or_else(|| line.strip_prefix("sinclude "))
    });
    named
        .flat_map(|names| {
            let names = WILDCARD.replace_all(names, "$1");
            let names = VARIABLE.replace_all(&names, "*").into_owned();
            names
                .split_whitespace()
                .map(|name| match name.trim_start_matches("./") {
                    "*" => "**/*.mk".to_owned(),
                    name => name.to_owned(),
                })
                .collect::<Vec<String>>()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::change;
    use super::*;

    #[test]
    fn what_is_included_is_known_by_its_name() {
        let makefile = "include ./settings more.mk\n-include local $(X)\nX = include y\n";
        let named: Vec<String> = included(makefile).into_iter().collect();
        assert_eq!(named.join(" "), "local settings");
    }

    #[test]
    fn what_a_makefile_reads_may_not_change_what_it_judges_by() {
        let makefile = "SUITE = tests/a.sh\n-include local.mk $(wildcard mk/*.mk)\ninclude $(MORE) ${DIR}/x\ncheck:\n\tsh $(SUITE)\n";
        let including = IncludingMakefile::of(makefile);
        let words = ["make", "check"].map(str::to_owned).into();
        for (path, old, new, want) in [
            ("local.mk", "", "SUITE = -c true\n", true),
            ("local.mk", "", "check:\n\ttrue\n", true),
            ("local.mk", "", "docs:\n\ttrue\nOTHER = 1\n", false),
            ("mk/a.mk", "X = 1\n", "X = 1\nSUITE = -c true\n", true),
            ("mk/a.mk", "X = 1\n", "X = 1\nY = 2\n", false),
            ("any/x", "", "SHELL = /bin/true\n", true),
            ("any/where.mk", "", "SHELL = /bin/true\n", true),
            ("any/where.txt", "", "SHELL = /bin/true\n", false),
            ("more.py", "", "SUITE = 1\n", false),
            ("local.mk", "", "\u{0}", false),
        ] {
            let change = change(path, Some(""), Some(""));
            let pair = ChangedFile {
                change: &change,
                old: Some(old.as_bytes()),
                new: Some(new.as_bytes()),
            };
            let steered = including.is_steered_by(&pair, &words);
            assert_eq!(steered, want, "{path}: {new}");
            let unread = ChangedFile {
                new: Some(&[0xff]),
                ..pair
            };
            let read = ["local.mk", "mk/a.mk", "any/x", "any/where.mk"].contains(&path);
            assert_eq!(including.is_steered_by(&unread, &words), read, "{path}");
        }
    }
}
