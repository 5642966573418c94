//! The product's part of a diff as hunks: lines that were added, each run with the lines that stood in its place.

use super::blocks::NumberedLines;
use super::quiet_lines::{kind_of, quiet};
pub(super) use crate::line_diff::lines_of;
use crate::line_diff::{self, DiffOp};
use crate::path_names::file_name;
use std::ops::Range;

/// The largest file that is looked at.
pub(crate) const LARGEST: usize = 1024 * 1024;

/// Most hunks that are kept of one diff; what is beyond is counted as left.
const MOST_LINES: usize = 20_000;

/// A changed file of the product.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ChangedText {
    pub(crate) path: String,
    /// Its text on the base; empty where it is new.
    pub(crate) old: String,
    /// Its text in the work; empty where it is gone.
    pub(crate) new: String,
    /// Bytes of the new text that judge: tests inside a source file.
    pub(crate) judging: Vec<Range<usize>>,
}

/// One run of changed lines.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Hunk {
    /// Index of its file.
    pub(super) file: usize,
    /// The lines of the new text, from 0.
    pub(super) lines: Range<usize>,
    /// What stood there before, with its line ends.
    pub(super) old: String,
    /// How many lines that was.
    pub(super) removed: usize,
}

/// Returns whether nothing ever runs a file of this path: prose, and stubs that only say types.
pub(crate) fn is_never_run(path: &str) -> bool {
    let name = file_name(path).to_ascii_uppercase();
    let named = [
        "LICENSE",
        "COPYING",
        "NOTICE",
        "AUTHORS",
        "CHANGELOG",
        "README",
        "CODEOWNERS",
    ];
    let kinds = [
        "md", "markdown", "mdx", "rst", "txt", "adoc", "org", "rtf", "pyi",
    ];
    kinds.contains(&&*kind_of(path)) || name.ends_with(".D.TS") || named.contains(&&*name)
}

/// Returns the hunks of a file that a check could see, and how many others there are.
pub(super) fn hunks(file: usize, text: &ChangedText) -> (Vec<Hunk>, u32) {
    let (old, new) = (lines_of(&text.old), lines_of(&text.new));
    if is_never_run(&text.path) || old.len() + new.len() > MOST_LINES {
        return (vec![], 1);
    }
    let quiet_old = quiet(&text.path, &old);
    let quiet_new = quiet(&text.path, &new);
    let judging = judging_lines(&new, &text.judging);
    let (mut found, mut others) = (Vec::new(), 0);
    for op in line_diff::operations(&old, &new) {
        if matches!(op, DiffOp::Equal { .. }) {
            continue;
        }
        let (before, after) = (op.old_range(), op.new_range());
        let heard = before.clone().any(|at| !quiet_old[at]);
        let nothing = after.is_empty() && !heard
            || is_layout(&text.path, &old[before.clone()], &new[after.clone()]);
        let mut whole = Hunk {
            file,
            lines: after.clone(),
            old: old[before.clone()].concat(),
            removed: before.len(),
        };
        let lines = NumberedLines {
            text: &new,
            quiet: &quiet_new,
        };
        if nothing {
            others += 1;
        } else if after.is_empty() {
            found.push(whole);
        } else {
            let count = found.len();
            for (nth, run) in outside(&after, &judging).into_iter().enumerate() {
                // What stood there goes with the first run.
                let restores = nth == 0 && heard;
                if !restores && !lines.can_be_missed(&run) {
                    continue;
                }
                if nth > 0 {
                    (whole.old, whole.removed) = (String::new(), 0);
                }
                whole.lines = run;
                found.push(whole.clone());
            }
            others += u32::from(found.len() == count);
        }
    }
    (found, others)
}

/// Whether two runs of lines differ in nothing but their layout, in a kind of file where that means nothing.
fn is_layout(path: &str, old: &[&str], new: &[&str]) -> bool {
    let indented = [
        "py", "pyi", "yml", "yaml", "makefile", "mk", "nim", "hs", "fs", "coffee", "pug", "haml",
        "sass", "elm", "gd",
    ];
    if indented.contains(&&*kind_of(path)) {
        return false;
    }
    let plain = |lines: &[&str]| -> String {
        let text = lines.concat();
        text.chars().filter(|c| !c.is_whitespace()).collect()
    };
    plain(old) == plain(new)
}

/// Returns, of each line, whether it is in one of the ranges of bytes.
fn judging_lines(lines: &[&str], judging: &[Range<usize>]) -> Vec<bool> {
    let mut start = 0;
    let mut is_inside = |line: &&str| {
        let here = start..start + line.len();
        start = here.end;
        judging
            .iter()
            .any(|r| r.start < here.end && here.start < r.end)
    };
    lines.iter().map(&mut is_inside).collect()
}

/// Returns the runs of lines that do not judge.
fn outside(lines: &Range<usize>, judging: &[bool]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for at in lines.clone().filter(|at| !judging[*at]) {
        match runs.last_mut() {
            Some(run) if run.end == at => run.end = at + 1,
            _ => runs.push(at..at + 1),
        }
    }
    runs
}

/// Lines of a file that are taken back: what is removed, and what is put there instead.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TakenLines<'h> {
    pub(super) lines: Range<usize>,
    pub(super) instead: &'h str,
}

/// Returns a text with lines taken back, which are in order and apart.
pub(super) fn without(text: &str, taken: &[TakenLines<'_>]) -> String {
    let lines = lines_of(text);
    let mut left = String::with_capacity(text.len());
    let mut at = 0;
    for part in taken {
        left.push_str(&lines[at..part.lines.start].concat());
        left.push_str(part.instead);
        at = part.lines.end;
    }
    left.push_str(&lines[at..].concat());
    left
}

/// Returns the lines of the new text that are not in the old one, from 1.
pub(crate) fn changed_lines(text: &ChangedText) -> Vec<Range<u32>> {
    let (old, new) = (lines_of(&text.old), lines_of(&text.new));
    let ops = line_diff::operations(&old, &new);
    let changed = ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. }));
    let lines = changed.map(|op| op.new_range());
    let lines = lines.filter(|lines| !lines.is_empty());
    lines
        .map(|l| l.start as u32 + 1..l.end as u32 + 1)
        .collect()
}

/// Returns the diff of some files in the form that `git diff` prints.
pub(crate) fn unified_diff(files: &[ChangedText]) -> String {
    let one = |text: &ChangedText| {
        let side = |mark: char, text_of: &str| match text_of.is_empty() {
            true => "/dev/null".to_owned(),
            false => format!("{mark}/{}", text.path),
        };
        let (old, new) = (side('a', &text.old), side('b', &text.new));
        let unified = line_diff::unified((&old, &text.old), (&new, &text.new));
        format!("diff --git a/{0} b/{0}\n{unified}", text.path)
    };
    files.iter().map(one).collect()
}
