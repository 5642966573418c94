//! Applying fixes to texts, as values: nothing here touches the disk.

use crate::diagnostic::{Edit, Fix};
use crate::model::layout::Layout;
use crate::model::workspace::{FileSet, Workspace};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Rounds after which fixing stops, should two fixes undo each other.
const MAX_ROUNDS: usize = 8;

/// The files that fixing changed, and what it left.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FixReport {
    /// The files that changed.
    pub files: FileSet,
    /// How many findings were repaired.
    pub count: usize,
}

/// Repairs what can be repaired until nothing is left to do, of the fixes that are wanted of the files at a path.
pub fn fix(
    layout: Layout,
    files: &FileSet,
    options: &super::Options,
    wanted: impl Fn(&str, &Fix) -> bool,
) -> FixReport {
    let mut now = files.clone();
    let mut fixed = FixReport::default();
    for _ in 0..MAX_ROUNDS {
        let found = super::run(&Workspace::parse(layout, &now), options);
        let fixes = found
            .iter()
            .filter_map(|d| d.fix.as_ref().filter(|fix| wanted(&d.primary.path, fix)));
        let (changed, count) = one_round(&now, fixes);
        if changed.is_empty() {
            break;
        }
        fixed.count += count;
        for (path, bytes) in changed {
            now.insert(path.clone(), bytes.clone());
            fixed.files.insert(path, bytes);
        }
    }
    fixed
        .files
        .retain(|path, bytes| files.get(path) != Some(bytes));
    fixed
}

/// Applies every fix that overlaps none before it; returns the changed files.
fn one_round<'a>(files: &FileSet, fixes: impl Iterator<Item = &'a Fix>) -> (FileSet, usize) {
    let mut edits: BTreeMap<&str, Vec<&Edit>> = BTreeMap::new();
    let mut count = 0;
    for fix in fixes {
        let overlaps = |edit: &Edit| {
            edits.get(&*edit.path).is_some_and(|taken| {
                taken
                    .iter()
                    .any(|t| t.span.start <= edit.span.end && edit.span.start <= t.span.end)
            })
        };
        // A text that is not UTF-8 was read with replacement characters: its offsets are not the file's.
        let readable = |edit: &Edit| {
            files
                .get(&*edit.path)
                .is_some_and(|bytes| std::str::from_utf8(bytes).is_ok())
        };
        if fix.edits.iter().any(|e| overlaps(e) || !readable(e)) {
            continue;
        }
        count += 1;
        for edit in &fix.edits {
            edits.entry(&edit.path).or_default().push(edit);
        }
    }
    let mut changed = FileSet::new();
    for (path, edits) in edits {
        let Some(bytes) = files.get(path) else {
            continue;
        };
        let text = apply(&String::from_utf8_lossy(bytes), &edits);
        if text.as_bytes() != &**bytes {
            changed.insert(path.to_owned(), Arc::from(text.into_bytes()));
        }
    }
    (changed, count)
}

/// Returns the text with the edits made; they must not overlap.
pub(crate) fn apply(text: &str, edits: &[&Edit]) -> String {
    let mut edits: Vec<&&Edit> = edits.iter().collect();
    edits.sort_by_key(|e| (e.span.start, e.span.end));
    let mut new = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        let (Some(kept), Some(_)) = (text.get(at..edit.span.start), text.get(edit.span.clone()))
        else {
            continue;
        };
        new.push_str(kept);
        new.push_str(&edit.text);
        at = edit.span.end;
    }
    new.push_str(text.get(at..).unwrap_or_default());
    new
}
