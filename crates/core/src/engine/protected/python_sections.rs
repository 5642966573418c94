//! The sections of settings of Python, and keys written as a path, that say how tests run.

use crate::path_names::file_name;
use std::collections::BTreeSet;

/// What judges whatever is run.
const ALWAYS: [&str; 14] = [
    "tool.pytest",
    "tool:pytest",
    "pytest",
    "tool.coverage",
    "coverage",
    "tool.hatch.envs",
    "tool.poe",
    "tool.taskipy",
    "tool.nox",
    "tool.pdm.scripts",
    "project.entry-points.pytest",
    "options.entry_points",
    "tool.uv.sources",
    "unittest",
];

/// What tox alone goes by.
const OF_TOX: [&str; 3] = ["tool.tox", "testenv", "tox"];

/// Returns the names of those that judge where the oracle's commands have these words.
pub(super) fn judging(words: &BTreeSet<String>) -> Vec<&'static str> {
    let of_tox = OF_TOX.into_iter().filter(|_| may_run_tox(words));
    ALWAYS.into_iter().chain(of_tox).collect()
}

/// Returns whether the oracle may run tox: not where its commands run tests by themselves, and nothing that runs others.
fn may_run_tox(words: &BTreeSet<String>) -> bool {
    const RUNNERS: [&str; 3] = ["pytest", "py.test", "unittest"];
    const OTHERS: [&str; 14] = [
        "tox", "make", "gmake", "just", "sh", "bash", "nox", "task", "invoke", "doit", "hatch",
        "pdm", "poetry", "npm",
    ];
    let runs_others = |word: &String| {
        let name = file_name(word);
        OTHERS.contains(&name)
            || name.starts_with('$')
            || name.ends_with(".sh")
            || name.ends_with(".py") && !name.contains("test")
    };
    !words.iter().any(|word| RUNNERS.contains(&&**word)) || words.iter().any(runs_others)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tox_is_told_judges_where_it_may_be_run() {
        for (command, want) in [
            ("tox -q", true),
            ("python3 -m pytest -q tests", false),
            ("pytest test_a.py", false),
            ("python3 -m unittest discover -s tests", false),
            ("make check", true),
            ("pytest && make docs", true),
            ("pytest && sh lint.sh", true),
            ("pytest && python3 ci/all.py", true),
            ("pytest && $CHECK", true),
            ("ruff check", true),
        ] {
            let words = command.split_whitespace().map(str::to_owned).collect();
            assert_eq!(judging(&words).contains(&"testenv"), want, "{command}");
            assert!(judging(&words).contains(&"pytest"));
        }
    }
}
