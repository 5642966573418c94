//! `GW111`. See `placeholder.md`.

use crate::diagnostic::{Severity, Span};
use crate::lint::context::{FileCx, FileKind};
use crate::lint::finding_sink::{FindingSink, MAX_PER_FILE};
use crate::model::unit::PLACEHOLDER_OPEN;
use crate::model::yaml::{Kind, Node};
use crate::pattern::TextPattern;
use memchr::memmem;

/// What people leave behind in prose: a line that begins so, or the braces of a template.
static LEFT_IN_PROSE: TextPattern = TextPattern::new(
    r"^\s*(?:[-*+]\s+|\d+[.)]\s+)?(?:\[[ x]\]\s+)?(?P<word>(?:TODO|TBD|FIXME|XXX)\b[:.]?)|(?P<braces>\{\{\s*[A-Za-z][\w .-]*\}\})",
);

/// One of these is in every such line: most files have none.
const MARKS: [&str; 5] = ["TODO", "TBD", "FIXME", "XXX", "{{"];

/// What a template leaves in a value: `feat/<slug>`.
static LEFT_IN_A_VALUE: TextPattern = TextPattern::new(r"<[A-Za-z][\w -]*>");

pub(super) fn check(file: &FileCx<'_>, out: &mut FindingSink) {
    let written_by_hand = matches!(
        file.kind,
        FileKind::Plan | FileKind::Gate | FileKind::Unit | FileKind::Verification
    );
    if file.settled || !written_by_hand {
        return;
    }
    let marked = memmem::find_iter(file.text.as_bytes(), PLACEHOLDER_OPEN).map(|at| {
        let rest = &file.text[at..];
        at..at + rest.find('>').map_or(PLACEHOLDER_OPEN.len(), |n| n + 1)
    });
    let marked: Vec<Span> = marked.collect();
    let mut guessed = Vec::new();
    let is_oracle = file.kind == FileKind::Verification;
    if let Some(doc) = file.doc.filter(|_| is_oracle || !out.errors_only) {
        in_prose(&doc.text, doc.body.start, &mut guessed);
        if let Some(front) = &doc.front {
            in_values(&front.root, &mut guessed);
        }
    }
    guessed.retain(|span| marked.iter().all(|m| !m.contains(&span.start)));
    // A template leaves many in a file, and one command mends none of them: they are one finding.
    if let Some(first) = marked.first() {
        let found = out
            .at(
                &file.path,
                first.clone(),
                marked_message(file.text, &marked),
            )
            .help(HELP);
        // Without its commands the oracle proves nothing, whatever the state of the units.
        let stops = match file.kind {
            FileKind::Unit => file.live,
            _ => is_oracle,
        };
        if !stops {
            found.severity(Severity::Warning);
        }
    }
    for span in guessed {
        let found = out.at(&file.path, span, "this was left to be filled in");
        let found = found.help(HELP);
        if !is_oracle {
            found.severity(Severity::Warning);
        }
    }
}

const HELP: &str = "replace it by what it asks for, or take the line out";

/// How many lines the message names; the others are in the file.
const NAMED_LINES: usize = 12;

fn marked_message(text: &str, marked: &[Span]) -> String {
    if marked.len() == 1 {
        return "this was left to be filled in".to_owned();
    }
    let (mut at, mut line) = (0, 1);
    let mut lines = Vec::new();
    for span in marked.iter().take(NAMED_LINES) {
        line += text[at..span.start].matches('\n').count();
        at = span.start;
        lines.push(line.to_string());
    }
    let more = if marked.len() > NAMED_LINES {
        ", …"
    } else {
        ""
    };
    let (count, lines) = (marked.len(), lines.join(", "));
    format!("{count} places were left to be filled in, in lines {lines}{more}")
}

/// Looks at the lines outside code.
fn in_prose(text: &str, start: usize, found: &mut Vec<Span>) {
    let body = &text.as_bytes()[start..];
    if !MARKS
        .iter()
        .any(|mark| memmem::find(body, mark.as_bytes()).is_some())
    {
        return;
    }
    let mut at = start;
    let mut fenced = false;
    for line in text[start..].split_inclusive('\n') {
        if found.len() > MAX_PER_FILE {
            break;
        }
        let bare = line.trim_start();
        if bare.starts_with("```") || bare.starts_with("~~~") {
            fenced = !fenced;
        } else if !fenced && line.contains(['T', 'F', 'X', '{']) {
            for hit in LEFT_IN_PROSE.captures_iter(line) {
                let hit = hit.name("word").or_else(|| hit.name("braces"));
                let in_code = |at: usize| line[..at].matches('`').count() % 2 == 1;
                let hit = hit.filter(|hit| !in_code(hit.start()));
                found.extend(hit.map(|hit| at + hit.start()..at + hit.end()));
            }
        }
        at += line.len();
    }
}

fn in_values(node: &Node, found: &mut Vec<Span>) {
    match &node.kind {
        Kind::Scalar { text, .. } => {
            if text.contains('<') && LEFT_IN_A_VALUE.is_match(text) {
                found.push(node.span.clone());
            }
        }
        Kind::Sequence(items) => items.iter().for_each(|item| in_values(item, found)),
        Kind::Mapping(_) => {
            // What a command does with `<` is its own affair.
            let entries = node.entries().iter();
            let named = entries.filter(|e| !matches!(e.key.as_str(), "run" | "feature_oracle"));
            named.for_each(|entry| in_values(&entry.value, found));
        }
    }
}
