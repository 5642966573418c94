//! SARIF 2.1.0, for code scanning services.

use super::lines::Places;
use super::rule_of;
use gatewalk_core::diagnostic::{Diagnostic, Label, Severity, Span};
use gatewalk_core::lint::rule::Rule;
use gatewalk_core::lint::rules;
use serde_json::{Value, json};
use std::sync::Arc;

const ROOT: &str = "%SRCROOT%";

pub(super) fn document(found: &[Diagnostic], places: &Places<'_>) -> String {
    let document = json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "gatewalk",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules::TABLE.iter().map(rule).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": found.iter().map(|d| result(d, places)).collect::<Vec<_>>(),
        }],
    });
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

fn rule(rule: &Rule) -> Value {
    let mut value = json!({
        "id": rule.code,
        "name": rule.name(),
        "shortDescription": { "text": rule.summary() },
        "fullDescription": { "text": rule.summary() },
        "help": { "text": rule.page, "markdown": rule.page },
        "defaultConfiguration": { "level": level(rule.severity) },
    });
    if let Some(url) = rule.url() {
        value["helpUri"] = json!(url);
    }
    value
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn result(d: &Diagnostic, places: &Places<'_>) -> Value {
    let text = d.help.as_ref().map_or_else(
        || d.message.clone(),
        |help| format!("{}\n{help}", d.message),
    );
    let related = d.related.iter().enumerate().map(|(index, label)| {
        let mut location = location(label, places);
        location["id"] = json!(index + 1);
        location["message"] = json!({ "text": label.message });
        location
    });
    let index = rule_of(d).and_then(|rule| rules::TABLE.iter().position(|r| r.code == rule.code));
    let mut value = json!({
        "ruleId": d.code,
        "level": level(d.severity),
        "message": { "text": text },
        "locations": [location(&d.primary, places)],
        "relatedLocations": related.collect::<Vec<_>>(),
        "partialFingerprints": { "gatewalk/v1": super::fingerprint(d) },
    });
    if let Some(index) = index {
        value["ruleIndex"] = json!(index);
    }
    if let Some(fix) = &d.fix {
        let mut changes: Vec<Value> = Vec::new();
        for edit in &fix.edits {
            changes.push(json!({
                "artifactLocation": artifact(&edit.path),
                "replacements": [{
                    "deletedRegion": region(&edit.path, &edit.span, places),
                    "insertedContent": { "text": edit.text },
                }],
            }));
        }
        value["fixes"] =
            json!([{ "description": { "text": fix.title }, "artifactChanges": changes }]);
    }
    value
}

fn location(label: &Label, places: &Places<'_>) -> Value {
    json!({ "physicalLocation": {
        "artifactLocation": artifact(&label.path),
        "region": region(&label.path, &label.span, places),
    }})
}

fn region(path: &Arc<str>, span: &Span, places: &Places<'_>) -> Value {
    let (start, end) = places.of(path, span);
    json!({ "startLine": start.line, "startColumn": start.column, "endLine": end.line, "endColumn": end.column })
}

fn artifact(path: &str) -> Value {
    json!({ "uri": uri_path(path), "uriBaseId": ROOT })
}

/// Percent-encodes what a URI cannot hold as it is.
pub(crate) fn uri_path(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                uri.push(char::from(byte))
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
