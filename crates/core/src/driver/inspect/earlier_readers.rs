//! What reads files, or knows who runs it, by a source that an earlier unit of the feature left: one unit would bring that, and the
//! next one the call.

use super::UnitDiff;
use crate::driver::run_loop::Driver;
use crate::engine::changed_file::ChangedFile;
use crate::engine::protected::another_hand::around;
use crate::engine::protected::reworded_test::reading;
use crate::engine::protected::source_words::{SourceWords, brings_more};
use crate::error::Result;
use crate::path_names::{file_name, parent};
use std::borrow::Cow;

/// Names of files that are known by the directory they are in.
const KNOWN_BY_DIRECTORY: [&str; 4] = ["__init__", "index", "main", "mod"];

impl Driver<'_> {
    /// Returns whether a changed source may read files by itself, or is or names one that does and that the feature changed before.
    pub(super) fn may_read_tests(
        &self,
        diff: &UnitDiff<'_>,
        product: &[ChangedFile<'_>],
    ) -> Result<bool> {
        self.may_do(reading, diff, product)
    }

    /// Returns likewise whether it may know who runs it.
    pub(super) fn may_know_its_runner(
        &self,
        diff: &UnitDiff<'_>,
        product: &[ChangedFile<'_>],
    ) -> Result<bool> {
        self.may_do(around, diff, product)
    }

    fn may_do(
        &self,
        words: SourceWords,
        diff: &UnitDiff<'_>,
        product: &[ChangedFile<'_>],
    ) -> Result<bool> {
        if product.iter().any(|pair| brings_more(words, pair)) {
            return Ok(true);
        }
        let asked = product
            .iter()
            .filter(|pair| words(&pair.change.path).is_some());
        let asked: Vec<(&str, Cow<'_, str>)> = asked
            .map(|pair| {
                (
                    &*pair.change.path,
                    String::from_utf8_lossy(pair.new.unwrap_or_default()),
                )
            })
            .collect();
        if asked.is_empty() {
            return Ok(false);
        }
        let earlier = self.changed_in_feature(diff)?.iter();
        let earlier: Vec<String> = earlier
            .filter(|path| {
                let mut asked = asked.iter();
                words(path).is_some() && asked.any(|(own, text)| own == path || names(text, path))
            })
            .cloned()
            .collect();
        let mut found = false;
        self.read_all(&diff.plan.tree, &earlier, |path, text| {
            found |= words(path).is_some_and(|words| words.is_match(text));
            !found
        })?;
        Ok(found)
    }
}

/// Returns whether a text may name a source.
fn names(text: &str, path: &str) -> bool {
    let stem = file_name(path).split('.').next().unwrap_or_default();
    let word = match KNOWN_BY_DIRECTORY.contains(&stem) {
        true => file_name(parent(path)),
        false => stem,
    };
    !word.is_empty() && text.contains(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::test_run::{machine, run, story};

    #[test]
    fn a_reader_of_an_earlier_unit_is_asked_for_with_whoever_calls_it() {
        let oracle =
            "code:\n  - {name: tests, command: holds tests/test_a.py == 4 unless plain.py}\n";
        let found = "landed T01, failed T02#1 tests_weakened, parked T02";
        let landed = "landed T01, landed T02, gate 1 passed";
        for (sessions, want) in [
            ("+texts.py=open(at); -plain.py +a.py=import·texts", found),
            (
                "+texts.py=open(at); -plain.py -texts.py +texts.py=open(it)",
                found,
            ),
            ("+texts.py=x; -plain.py +a.py=import·texts", landed),
            ("+texts.py=open(at); -plain.py +a.py=x", landed),
            ("+texts.py=open(at); -plain.py +a.txt=texts", landed),
        ] {
            let situation = "G1: T01 max_attempts=1; T02 after=T01 max_attempts=1";
            let machine = machine(situation, oracle, sessions);
            for (path, text) in [
                ("tests/test_a.py", "assert f(2) == 4\n"),
                ("plain.py", "x = 1\n"),
            ] {
                machine.world().user_commits(path, text);
            }
            run(&machine).unwrap();
            assert_eq!(story(&machine), want, "{sessions}");
        }
    }

    #[test]
    fn a_source_is_named_by_its_stem_or_its_directory() {
        for (text, path, want) in [
            ("import texts\n", "lib/texts.py", true),
            ("import lib\n", "lib/__init__.py", true),
            ("import lib\n", "lib/texts.py", false),
            ("x\n", "index.js", false),
        ] {
            assert_eq!(names(text, path), want, "{text} {path}");
        }
    }
}
