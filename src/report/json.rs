//! The versioned JSON of findings: lines and columns from 1, columns in characters.
//!
//! The form is frozen: keys may be added, none changes its meaning without another version.

use super::lines::{LineColumn, Places};
use super::{rule_of, severity_word};
use gatewalk_core::diagnostic::{Diagnostic, Label, Severity, Span};
use serde_json::{Value, json};
use std::sync::Arc;

/// The version of the form.
const VERSION: u32 = 1;

/// One document with everything.
pub(super) fn document(found: &[Diagnostic], places: &Places<'_>) -> String {
    let count = |severity| found.iter().filter(|d| d.severity == severity).count();
    let fixable = found
        .iter()
        .filter(|d| d.fix.as_ref().is_some_and(|f| f.safe))
        .count();
    let document = json!({
        "version": VERSION,
        "tool": { "name": "gatewalk", "version": env!("CARGO_PKG_VERSION") },
        "summary": {
            "errors": count(Severity::Error),
            "warnings": count(Severity::Warning),
            "infos": count(Severity::Info),
            "fixable": fixable,
        },
        "findings": found.iter().map(|d| finding(d, places)).collect::<Vec<_>>(),
    });
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

/// One document a line.
pub(super) fn lines(found: &[Diagnostic], places: &Places<'_>) -> String {
    found
        .iter()
        .map(|d| format!("{}\n", finding(d, places)))
        .collect()
}

/// Returns one finding as JSON.
pub(crate) fn finding(d: &Diagnostic, places: &Places<'_>) -> Value {
    let mut object = at(&d.primary, places);
    let rule = rule_of(d);
    let more = json!({
        "code": d.code,
        "name": rule.map(gatewalk_core::lint::rule::Rule::name),
        "severity": severity_word(d.severity),
        "message": d.message,
        "label": if d.primary.message.is_empty() { Value::Null } else { json!(d.primary.message) },
        "help": d.help,
        "url": rule.and_then(gatewalk_core::lint::rule::Rule::url),
        "related": d.related.iter().map(|label| {
            let mut related = at(label, places);
            related["message"] = json!(label.message);
            related
        }).collect::<Vec<_>>(),
        "fix": d.fix.as_ref().map(|fix| json!({
            "title": fix.title,
            "safe": fix.safe,
            "edits": fix.edits.iter().map(|edit| {
                let mut value = range(&edit.path, &edit.span, places);
                value["text"] = json!(edit.text);
                value
            }).collect::<Vec<_>>(),
        })),
    });
    if let (Value::Object(object), Value::Object(more)) = (&mut object, more) {
        object.extend(more);
    }
    object
}

fn at(label: &Label, places: &Places<'_>) -> Value {
    range(&label.path, &label.span, places)
}

fn range(path: &Arc<str>, span: &Span, places: &Places<'_>) -> Value {
    let (start, end) = places.of(path, span);
    let place = |place: LineColumn, offset: usize| json!({ "line": place.line, "column": place.column, "offset": offset });
    json!({ "path": &**path, "start": place(start, span.start), "end": place(end, span.end) })
}
