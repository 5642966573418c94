//! A diff as tables: a file each, a line a row, with its numbers before and after. A line's number leads to the same page with
//! a form below that line, so that commenting needs no script.

use super::action_page::ActionForm;
use super::{PageFrame, address, command};
use crate::serve::ServedRepository;
use crate::serve::attention::{list, text};
use crate::serve::code_colours::{CodeLanguage, WordKind, language_of, words_of};
use crate::serve::diff_lines::{DiffLine, FileDiff, LineKind, files};
use maud::{Markup, html};
use serde_json::Value;

/// Files with more lines are closed at first.
const OPEN_LINES: usize = 400;

/// Whose lines are commented on, and at which a form stands.
pub(super) struct Commenting<'a> {
    pub(super) frame: &'a PageFrame,
    pub(super) repository: &'a ServedRepository,
    /// The unit, as a status has it.
    pub(super) unit: &'a Value,
    pub(super) attempt: u64,
    /// `path:line`, where a form was asked for.
    pub(super) at: Option<&'a str>,
    /// The one file that is shown, where one was asked for.
    pub(super) file: Option<&'a str>,
}

impl Commenting<'_> {
    /// Returns the address of the page with a form at a line of a file: on this page or on one of the file alone.
    fn line_link(&self, place: &str) -> String {
        let file = self.file.map(|file| ("file", file));
        let mut fields = vec![("at", place)];
        fields.extend(file);
        format!("{}#comment", self.address_with(&fields))
    }

    /// Returns the address of the page with one file's diff alone.
    fn file_link(&self, path: &str) -> String {
        format!("{}#diff", self.address_with(&[("file", path)]))
    }

    fn address_with(&self, more: &[(&str, &str)]) -> String {
        let attempt = self.attempt.to_string();
        let mut fields = vec![
            ("repo", &*self.repository.name),
            ("id", text(self.unit, "id")),
            ("attempt", &attempt),
        ];
        fields.extend(more);
        address("", &fields)
    }

    /// Returns the comments that stand on a line.
    fn on(&self, path: &str, line: u32) -> Vec<&str> {
        let all = list(self.unit, "comments").iter();
        let here =
            all.filter(|c| c["path"] == path && c["line"] == line && c["attempt"] == self.attempt);
        here.map(|c| text(c, "text")).collect()
    }

    fn form(&self, place: &str) -> Markup {
        let id = text(self.unit, "id");
        let attempt = self.attempt.to_string();
        let what = match text(self.unit, "status") {
            "done" => "It has landed: the comment becomes a draft that follows it up",
            _ => "What the next session should read here",
        };
        ActionForm {
            repository: self.repository,
            action: "comment",
            button: "Comment",
            line: format!("gatewalk comment {id} --attempt {attempt} --at {place} \"…\""),
            hidden: vec![("unit", id), ("attempt", &attempt), ("at", place)],
            dangerous: false,
        }
        .with(
            self.frame,
            &html! {
                label for="comment-text" { (what) }
                textarea #comment-text name="text" required maxlength="4000" autofocus {}
            },
        )
    }
}

/// Returns the diff of an attempt.
pub(super) fn diff(record: &Value, commenting: &Commenting<'_>) -> Markup {
    let patch = text(&record["diff"], "text");
    let found = files(patch);
    let is_cut = record["diff"]["cut"] == true;
    html! {
        @if let Some(file) = commenting.file {
            p { "Only " code { (file) } " is shown. " a href={ (commenting.address_with(&[])) "#diff" } { "Show every file" } }
        }
        @if found.is_empty() { p .empty { "Nothing." } }
        @if !found.is_empty() && !commenting.frame.read_only {
            p .meta { "Follow a line's number to write on it." }
        }
        @for file in &found { (file_table(file, commenting)) }
        @if is_cut {
            (all_files(list(&record["diff"], "files"), commenting))
            p .meta { "The diff is long and is cut here. All of it:" }
            p { (command(&format!("git diff {} {}", text(record, "base"), text(record, "kept_at")))) }
        }
    }
}

/// Every file that changed, each with the way to its own diff.
fn all_files(rows: &[Value], commenting: &Commenting<'_>) -> Markup {
    html! {
        @if !rows.is_empty() {
            h3 { "Every file (" (rows.len()) ")" }
            ul .rows {
                @for row in rows {
                    @let path = text(row, "path");
                    li {
                        a href=(commenting.file_link(path)) { code { (path) } }
                        @match (row["added"].as_u64(), row["removed"].as_u64()) {
                            (Some(added), Some(removed)) => { span .plus { "+" (added) } span .minus { "−" (removed) } }
                            _ => { span .meta { "not text" } }
                        }
                    }
                }
            }
        }
    }
}

fn file_table(file: &FileDiff<'_>, commenting: &Commenting<'_>) -> Markup {
    let (added, removed) = file.counts();
    let asked = commenting.at.and_then(|at| at.rsplit_once(':'));
    let is_asked = asked.is_some_and(|(path, _)| Some(path) == file.name.as_deref())
        || commenting.file.is_some();
    let is_text = file.lines.iter().any(|line| line.kind != LineKind::Remark);
    let language = language_of(file.path);
    html! {
        details .file open[file.lines.len() <= OPEN_LINES || is_asked] {
            summary {
                code { (file.path) }
                @if is_text { " " span .plus { "+" (added) } " " span .minus { "−" (removed) } }
                @if file.removed { " " span .meta { "removed" } }
            }
            div .scroll tabindex="0" role="region" aria-label=(file.path) {
                table .diff { tbody { @for line in &file.lines { (row((file, language), line, commenting)) } } }
            }
        }
    }
}

/// A line of code, its words by kind.
fn coloured(line: &str, language: CodeLanguage) -> Markup {
    html! {
        @for (kind, word) in words_of(line, language) {
            @match kind {
                WordKind::Plain => (word),
                WordKind::Comment => i .c { (word) },
                WordKind::Text => i .t { (word) },
                WordKind::Number => i .d { (word) },
                WordKind::Keyword => i .k { (word) },
            }
        }
    }
}

fn row(
    (file, language): (&FileDiff<'_>, Option<CodeLanguage>),
    line: &DiffLine<'_>,
    commenting: &Commenting<'_>,
) -> Markup {
    let language = language.filter(|_| line.kind != LineKind::Remark);
    let named = file.name.as_deref().zip(file.number(line));
    let (class, sign) = match line.kind {
        LineKind::Added => ("added", "+"),
        LineKind::Removed => ("removed", "−"),
        LineKind::Same => ("same", " "),
        LineKind::Remark => ("remark", " "),
    };
    // As what is harmless to print shows it: every line of a file with such line ends has one.
    let code = line.text.strip_suffix("\\u{d}").unwrap_or(line.text);
    let place = named.map(|(name, n)| format!("{name}:{n}"));
    let asked = place
        .as_deref()
        .filter(|place| commenting.at == Some(place));
    html! {
        tr .(class) {
            @for (number, is_named) in [(line.old, file.removed), (line.new, !file.removed)] {
                td .n {
                    @if let Some(n) = number {
                        @match place.as_deref().filter(|_| is_named && !commenting.frame.read_only) {
                            Some(place) => a href=(commenting.line_link(place)) aria-label=(format!("Comment on line {n}")) { (n) },
                            None => (n),
                        }
                    }
                }
            }
            td .sign { (sign) }
            td .code {
                @match language { Some(language) => (coloured(code, language)), None => (code) }
                @if code.len() < line.text.len() { span .meta title="carriage return" { "␍" } }
            }
        }
        @if let Some((name, n)) = named {
            @for comment in commenting.on(name, n) {
                tr .comment { td colspan="4" { div .notice { p { (comment) } } } }
            }
        }
        @if let Some(place) = asked {
            tr .comment #comment { td colspan="4" { (commenting.form(place)) } }
        }
    }
}
