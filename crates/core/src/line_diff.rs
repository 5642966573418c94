//! The difference of two texts by lines.
//!
//! Lines become numbers first: the library is compiled anew for each kind of item that it compares, and behind its own
//! door with every algorithm that it knows, which was a tenth of the program.

use similar::algorithms::{Capture, Compact, Replace, myers};
pub(crate) use similar::{ChangeTag, DiffOp};
use std::collections::HashMap;
use std::ops::Range;

/// How many lines a patch shows around a change.
const CONTEXT: usize = 3;

/// Returns the lines of a text with their ends.
pub(crate) fn lines_of(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// Returns how the one list of lines becomes the other.
pub(crate) fn operations(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut numbers: Vec<usize> = Vec::with_capacity(old.len() + new.len());
    for line in old.iter().chain(new) {
        let next = known.len();
        numbers.push(*known.entry(line).or_insert(next));
    }
    let (old, new) = numbers.split_at(old.len());
    let mut found = Compact::new(Replace::new(Capture::new()), old, new);
    match myers::diff(&mut found, old, 0..old.len(), new, 0..new.len()) {
        Ok(()) => found.into_inner().into_inner().into_ops(),
        Err(never) => match never {},
    }
}

/// Returns the lines of an operation, each with what becomes of it.
pub(crate) fn lines_in<'t>(
    op: &DiffOp,
    (old, new): (&[&'t str], &[&'t str]),
) -> Vec<(ChangeTag, &'t str)> {
    let tagged = |lines: &[&'t str], tag| -> Vec<_> { lines.iter().map(|l| (tag, *l)).collect() };
    let before = &old[op.old_range()];
    if let DiffOp::Equal { .. } = op {
        return tagged(before, ChangeTag::Equal);
    }
    let mut lines = tagged(before, ChangeTag::Delete);
    lines.extend(tagged(&new[op.new_range()], ChangeTag::Insert));
    lines
}

/// Returns the changes of a file, as `patch` reads them: each side's name and text.
pub fn unified((old_name, old): (&str, &str), (new_name, new): (&str, &str)) -> String {
    let (old, new) = (lines_of(old), lines_of(new));
    let mut patch = String::new();
    for group in similar::group_diff_ops(operations(&old, &new), CONTEXT) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else {
            continue;
        };
        if patch.is_empty() {
            patch = format!("--- {old_name}\n+++ {new_name}\n");
        }
        let before = place(first.old_range().start..last.old_range().end);
        let after = place(first.new_range().start..last.new_range().end);
        patch.push_str(&format!("@@ -{before} +{after} @@\n"));
        for (tag, line) in group.iter().flat_map(|op| lines_in(op, (&old, &new))) {
            patch.push_str(&format!("{tag}{line}"));
            if !line.ends_with('\n') {
                patch.push_str("\n\\ No newline at end of file\n");
            }
        }
    }
    patch
}

/// Returns the lines of a hunk as its head names them; none are the line before them.
fn place(lines: Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        count => format!("{},{count}", lines.start + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_shows_what_changed_and_three_lines_around_it() {
        let lines = |numbers: Range<usize>| numbers.map(|n| format!("{n}\n")).collect::<String>();
        let old = lines(1..21);
        for (new, want) in [
            (old.clone(), ""),
            (
                old.replacen("2\n", "two\n", 1).replacen("20\n", "20", 1),
                "@@ -1,5 +1,5 @@\n 1\n-2\n+two\n 3\n 4\n 5\n@@ -17,4 +17,4 @@\n 17\n 18\n 19\n-20\n+20\n\\ No newline at end of file\n",
            ),
            (String::new(), ""),
        ] {
            let patch = unified(("a/x", &old), ("b/x", &new));
            let head = "--- a/x\n+++ b/x\n";
            match (new.is_empty(), want) {
                (true, _) => assert!(patch.starts_with(&format!("{head}@@ -1,20 +0,0 @@\n-1\n"))),
                (_, "") => assert_eq!(patch, ""),
                _ => assert_eq!(patch, format!("{head}{want}")),
            }
        }
        let added = unified(("a", ""), ("b", "x\n"));
        assert_eq!(added, "--- a\n+++ b\n@@ -0,0 +1 @@\n+x\n");
    }
}
