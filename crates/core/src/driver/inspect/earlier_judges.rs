//! What only judges use but for files that units of the feature changed before: those speak for nothing, or one unit would make
//! the product use a helper of tests, and the next one weaken it.

use super::UnitDiff;
use crate::driver::run_loop::Driver;
use crate::engine::changed_file::{ChangedFile, ChangedPathKind};
use crate::engine::protected::code_paths::is_code;
use crate::engine::protected::product_reads::may_speak;
use crate::engine::protected::{Policy, adds_apart};
use crate::error::Result;
use crate::model::unit::Unit;
use crate::path_names::{extension, file_name};
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// Changed files that only judges used before the feature.
#[derive(Default)]
pub(super) struct EarlierJudges {
    /// Those that may judge.
    pub(super) doubted: Vec<String>,
    /// Sources that only tests used.
    pub(super) aids: Vec<String>,
}

impl Driver<'_> {
    /// Returns the changed files that may have judged before the feature, other than by what joined them, and for which since
    /// then something of the feature may speak.
    pub(super) fn judging_before(
        &self,
        diff: &UnitDiff<'_>,
        pairs: &[ChangedFile<'_>],
        policy: &Policy,
    ) -> Result<EarlierJudges> {
        let touches = Unit::list(&diff.unit.front.touches);
        let open = |pair: &&ChangedFile<'_>| {
            let path = &pair.change.path;
            pair.change.kind != ChangedPathKind::Added
                && !policy.covers(path)
                && !policy.vouches(path, &touches)
                && !adds_apart(pair)
        };
        let mut asked: Vec<ChangedFile<'_>> = pairs.iter().filter(open).copied().collect();
        if asked.is_empty() {
            return Ok(EarlierJudges::default());
        }
        let silent = self.changed_in_feature(diff)?;
        let speaking = self.speaking(diff, silent)?;
        asked.retain(|pair| speaking.iter().any(|(by, text)| may_use(by, text, pair)));
        if asked.is_empty() {
            return Ok(EarlierJudges::default());
        }
        let earlier = UnitDiff {
            silent: silent.clone(),
            base_paths: OnceCell::new(),
            of_feature: OnceCell::new(),
            ..*diff
        };
        let (mut doubted, _) = self.doubted(&earlier, &asked, policy)?;
        let referred = self.referred(&earlier, &asked, policy)?;
        doubted.extend(referred.into_iter().map(|file| file.path));
        let aids = self.changed_aids(&earlier, &asked, policy)?;
        Ok(EarlierJudges { doubted, aids })
    }

    /// Returns what of some files may speak for the product, with its text on the base.
    fn speaking(
        &self,
        diff: &UnitDiff<'_>,
        changed: &BTreeSet<String>,
    ) -> Result<Vec<(String, String)>> {
        let state = format!("{}/", self.layout.dir());
        let speaks = |path: &&String| {
            !path.starts_with(&state)
                && (is_code(path) || may_speak(path) || !file_name(path).contains('.'))
        };
        let paths: Vec<String> = changed.iter().filter(speaks).cloned().collect();
        let mut texts = Vec::new();
        self.read_all(&diff.plan.tree, &paths, |path, text| {
            texts.push((path.to_owned(), text.to_owned()));
            true
        })?;
        Ok(texts)
    }
}

/// Returns whether a text may name a file, its directory, or all files of its kind.
fn may_use(by: &str, text: &str, pair: &ChangedFile<'_>) -> bool {
    let path = pair.change.path.as_str();
    let name = file_name(path);
    let stem = name.split('.').find(|part| !part.is_empty());
    let directory = path.rsplit_once('/').map(|(above, _)| file_name(above));
    let kind = Some(extension(path)).filter(|end| !end.is_empty() && !is_code(path));
    by != path
        && [stem, directory, kind]
            .into_iter()
            .flatten()
            .any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use crate::driver::test_run::{machine, run, story};

    const TOOLS: (&str, &str) = ("tools.py", "def same(a, b):\n    return a == b\n");
    const SUMS: (&str, &str) = ("data/sums.txt", "1 2 3\n");
    const TWO: &str = "G1: T01 max_attempts=1; T02 after=T01 max_attempts=1";

    /// Returns what becomes of two units, where a test uses `calc.py` and something else, and what is broken shows by that.
    fn ends(situation: &str, shared: (&str, &str), product: &str, sessions: &str) -> String {
        let oracle = format!(
            "code:\n  - {{name: work, command: lacks-one broken {}}}\n",
            shared.0
        );
        let machine = machine(situation, &oracle, sessions);
        let test = "import unittest\nimport calc\nimport tools\nclass A(unittest.TestCase):\n    sums = open('data/sums.txt')\n";
        for (path, text) in [shared, ("calc.py", product), ("tests/test_a.py", test)] {
            machine.world().user_commits(path, text);
        }
        run(&machine).unwrap();
        story(&machine)
    }

    #[test]
    fn what_the_feature_itself_came_to_use_speaks_for_no_judge_of_before() {
        let weakened = "landed T01, failed T02#1 tests_weakened, parked T02";
        let landed = "landed T01, landed T02, gate 1 passed";
        let named = TWO.replace("after=T01", "after=T01 touches=[tools.py,broken]");
        let imports = "+calc.py=import·tools¶; -tools.py +broken";
        let reads = "+calc.py=open('data/sums.txt')¶; -data/sums.txt +broken";
        let plain = "def add(a, b):\n    return a + b\n";
        for (situation, shared, product, sessions, want) in [
            (TWO, TOOLS, plain, imports, weakened),
            (TWO, SUMS, plain, reads, weakened),
            // Nothing is broken by it.
            (
                TWO,
                TOOLS,
                plain,
                "+calc.py=import·tools¶; -tools.py +b.txt",
                landed,
            ),
            (&named, TOOLS, plain, imports, landed),
            // It was the product's before.
            (
                TWO,
                TOOLS,
                "import tools\n",
                "+a.txt; -tools.py +broken",
                landed,
            ),
            (
                TWO,
                SUMS,
                "open('data/sums.txt')\n",
                "+a.txt; -data/sums.txt +broken",
                landed,
            ),
        ] {
            let story = ends(situation, shared, product, sessions);
            assert_eq!(
                story, want,
                "{situation}, {shared:?}, {product}: {sessions}"
            );
        }
    }
}
