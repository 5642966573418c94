//! Quick fixes, comments that allow a finding, and inlay hints.

use super::hover::readiness;
use super::state::{CursorRequest, State};
use super::{cursor, positions};
use crate::report::lines::Lines;
use gatewalk_core::diagnostic::{Diagnostic, Edit, Severity};
use serde_json::{Map, Value, json};

/// What the protocol calls a repair of one finding.
const QUICK_FIX: &str = "quickfix";

/// Answers `textDocument/codeAction`.
pub(super) fn at(state: &State, params: &Value) -> Value {
    let start =
        json!({ "textDocument": params["textDocument"], "position": params["range"]["start"] });
    let Some(request) = state.request(&start) else {
        return json!([]);
    };
    let found = in_selection(&request, &params["range"]["end"]);
    let mut actions = Vec::new();
    for d in &found {
        if let Some(fix) = &d.fix {
            let action = CodeAction {
                title: &fix.title,
                kind: QUICK_FIX,
                edits: fix.edits.iter().collect(),
                diagnostics: given(params, d),
                preferred: fix.safe,
            };
            actions.push(action.value(&request));
        }
    }
    for d in found.iter().filter(|d| d.severity != Severity::Error) {
        let title = format!("Allow {} here, with a reason", d.code);
        let edit = allow(&request, d);
        let action = CodeAction {
            title: &title,
            kind: QUICK_FIX,
            edits: vec![&edit],
            diagnostics: given(params, d),
            preferred: false,
        };
        actions.push(action.value(&request));
    }
    let all = safe_edits(&request);
    if !all.is_empty() {
        let action = CodeAction {
            title: "Repair everything that is safe",
            kind: "source.fixAll",
            edits: all,
            diagnostics: json!([]),
            preferred: false,
        };
        actions.push(action.value(&request));
    }
    if let Some(only) = params["context"]["only"].as_array() {
        actions.retain(|action| is_wanted(action, only));
    }
    Value::Array(actions)
}

/// The findings of all the selected lines, not the exact columns: that is where users look for the lamp.
fn in_selection<'a>(request: &CursorRequest<'a>, end: &Value) -> Vec<&'a Diagnostic> {
    let text = request.text;
    let end = positions::offset(text, &request.lines, end).max(request.at);
    let from = text[..request.at].rfind('\n').map_or(0, |n| n + 1);
    let to = text[end..].find('\n').map_or(text.len(), |n| end + n);
    let here = |d: &&Diagnostic| {
        let span = &d.primary.span;
        let last = span.end.saturating_sub(1).max(span.start);
        *d.primary.path == *request.path && span.start <= to && from <= last
    };
    request.repository.found().filter(here).collect()
}

/// The safe repairs of a file; what lies in another repair's way waits for the next time.
fn safe_edits<'a>(request: &CursorRequest<'a>) -> Vec<&'a Edit> {
    let own = request.repository.found();
    let own = own.filter(|d| *d.primary.path == *request.path);
    let mut apart: Vec<&Edit> = Vec::new();
    for fix in own.filter_map(|d| d.fix.as_ref()).filter(|f| f.safe) {
        let clash = |a: &Edit, b: &Edit| {
            a.path == b.path && a.span.start <= b.span.end && b.span.start <= a.span.end
        };
        let free = |edit: &Edit| apart.iter().all(|other| !clash(edit, other));
        if fix.edits.iter().all(free) {
            apart.extend(&fix.edits);
        }
    }
    apart
}

/// Whether an editor that asked for some kinds of actions wants this one.
fn is_wanted(action: &Value, only: &[Value]) -> bool {
    let kind = action["kind"].as_str().unwrap_or_default();
    only.iter().filter_map(Value::as_str).any(|only| {
        let rest = kind.strip_prefix(only);
        only.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    })
}

/// The editor's own copies of the finding, so that it can say which are dealt with.
fn given(params: &Value, d: &Diagnostic) -> Value {
    let all = params["context"]["diagnostics"]
        .as_array()
        .into_iter()
        .flatten();
    Value::Array(
        all.filter(|g| g["code"] == json!(d.code))
            .cloned()
            .collect(),
    )
}

/// A change that is offered.
struct CodeAction<'a> {
    title: &'a str,
    kind: &'static str,
    edits: Vec<&'a Edit>,
    /// The findings that it deals with, in the editor's own copies.
    diagnostics: Value,
    preferred: bool,
}

impl CodeAction<'_> {
    fn value(&self, request: &CursorRequest<'_>) -> Value {
        let mut changes = Map::new();
        for edit in &self.edits {
            let text = request.repository.text(&edit.path).unwrap_or_default();
            let change = json!({ "range": positions::range(text, &Lines::new(text), &edit.span), "newText": edit.text });
            let list = changes
                .entry(request.repository.uri(&edit.path))
                .or_insert_with(|| json!([]));
            list.as_array_mut()
                .expect("made on the line above")
                .push(change);
        }
        json!({ "title": self.title, "kind": self.kind, "diagnostics": self.diagnostics, "isPreferred": self.preferred, "edit": { "changes": changes } })
    }
}

/// The comment that allows a finding, on the line above it.
fn allow(request: &CursorRequest<'_>, d: &Diagnostic) -> Edit {
    let start = request.text[..d.primary.span.start.min(request.text.len())]
        .rfind('\n')
        .map_or(0, |n| n + 1);
    let line = request.text[start..].lines().next().unwrap_or_default();
    let indent = &line[..line.len() - line.trim_start().len()];
    let in_yaml = cursor::front_of(&request.path, request.text)
        .is_some_and(|front| front.contains(&start))
        || cursor::feature_of(request.repository, &request.path).is_some_and(|f| {
            *f.plan.doc.path == *request.path
                && f.plan
                    .graph_span
                    .as_ref()
                    .is_some_and(|g| g.contains(&start))
        });
    let words = format!("gatewalk: allow {} why this is right here", d.code);
    let text = if in_yaml {
        format!("{indent}# {words}\n")
    } else {
        format!("{indent}<!-- {words} -->\n")
    };
    Edit {
        path: d.primary.path.clone(),
        span: start..start,
        text,
    }
}

/// Answers `textDocument/inlayHint`: whether a unit can start, behind its id in the graph and behind
/// its status in its file.
pub(super) fn hints(state: &State, params: &Value) -> Value {
    let start =
        json!({ "textDocument": params["textDocument"], "position": params["range"]["start"] });
    let Some(request) = state.request(&start) else {
        return json!([]);
    };
    let end = positions::offset(request.text, &request.lines, &params["range"]["end"]);
    let Some(feature) = cursor::feature_of(request.repository, &request.path) else {
        return json!([]);
    };
    let mut hints = Vec::new();
    for member in feature.members() {
        let at = if *feature.plan.doc.path == *request.path {
            member.node.id.span.end
        } else if let Some(unit) = member
            .unit
            .filter(|u| **u.path() == *request.path && u.front.status.is_some())
        {
            unit.span_of("status").end
        } else {
            continue;
        };
        if (request.at..=end).contains(&at) {
            hints.push(json!({
                "position": positions::position(request.text, &request.lines, at),
                "label": format!("  {}", readiness(feature, &member)),
                "paddingLeft": true,
            }));
        }
    }
    Value::Array(hints)
}
