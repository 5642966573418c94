//! A diff as tables: a file each, a line a row, with its numbers before and after.

use super::command;
use crate::serve::attention::text;
use crate::serve::diff_lines::{DiffLine, FileDiff, LineKind, files};
use maud::{Markup, html};
use serde_json::Value;

/// Files with more lines are closed at first.
const OPEN_LINES: usize = 400;

/// Returns the diff of an attempt.
pub(super) fn diff(record: &Value) -> Markup {
    let patch = text(&record["diff"], "text");
    let found = files(patch);
    html! {
        @if found.is_empty() { p .empty { "Nothing." } }
        @for file in &found { (file_table(file)) }
        @if record["diff"]["cut"] == true {
            p .meta { "The diff is long and is cut here. All of it:" }
            p { (command(&format!("git diff {} {}", text(record, "base"), text(record, "kept_at")))) }
        }
    }
}

fn file_table(file: &FileDiff<'_>) -> Markup {
    let (added, removed) = file.counts();
    html! {
        details .file open[file.lines.len() <= OPEN_LINES] {
            summary { code { (file.path) } " " span .plus { "+" (added) } " " span .minus { "−" (removed) } }
            div .scroll tabindex="0" role="region" aria-label=(file.path) {
                table .diff { tbody { @for line in &file.lines { (row(line)) } } }
            }
        }
    }
}

fn row(line: &DiffLine<'_>) -> Markup {
    let (class, sign) = match line.kind {
        LineKind::Added => ("added", "+"),
        LineKind::Removed => ("removed", "−"),
        LineKind::Same => ("same", " "),
        LineKind::Remark => ("remark", " "),
    };
    html! {
        tr .(class) {
            td .n { @if let Some(n) = line.old { (n) } }
            td .n { @if let Some(n) = line.new { (n) } }
            td .sign { (sign) }
            td .code { (line.text) }
        }
    }
}
