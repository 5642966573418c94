//! Hover: what a key means, how a unit stands, what a rule says.

use super::state::{CursorRequest, State};
use super::{cursor, positions};
use gatewalk_core::diagnostic::Span;
use gatewalk_core::lint::rules;
use gatewalk_core::model::feature::{Feature, PlannedUnit};
use gatewalk_core::model::frontmatter::{Owner, Shape};
use gatewalk_core::model::id::short_id;
use gatewalk_core::model::money::usd_or_unknown;
use gatewalk_core::model::status_machine::{UnitStatus, Word};
use serde_json::{Value, json};
use std::fmt::Write;

/// Answers `textDocument/hover`.
pub(super) fn at(state: &State, params: &Value) -> Value {
    let Some(request) = state.request(params) else {
        return Value::Null;
    };
    let what = rule(&request)
        .or_else(|| unit(&request))
        .or_else(|| requirement(&request))
        .or_else(|| gate(&request))
        .or_else(|| key(&request));
    let (markdown, span) = match (what, finding(&request)) {
        (Some((what, span)), Some((page, _))) => (format!("{what}\n---\n\n{page}"), span),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => return Value::Null,
    };
    json!({
        "contents": { "kind": "markdown", "value": markdown },
        "range": positions::range(request.text, &request.lines, &span),
    })
}

/// A code in a comment.
fn rule(request: &CursorRequest<'_>) -> Option<(String, Span)> {
    let span = cursor::token(request.text, request.at);
    let word = &request.text[span.clone()];
    let rule = rules::TABLE.iter().find(|rule| rule.code == word)?;
    Some((rule.page.to_owned(), span))
}

/// What is found under the cursor.
fn finding(request: &CursorRequest<'_>) -> Option<(String, Span)> {
    let here = |d: &&gatewalk_core::diagnostic::Diagnostic| {
        *d.primary.path == *request.path
            && (d.primary.span.start..=d.primary.span.end).contains(&request.at)
    };
    let d = request.repository.found().find(here)?;
    Some((rules::find(d.code)?.page.to_owned(), d.primary.span.clone()))
}

fn unit(request: &CursorRequest<'_>) -> Option<(String, Span)> {
    let (feature, member, span) = cursor::unit_at(request)?;
    Some((describe(feature, &member), span))
}

fn describe(feature: &Feature, member: &PlannedUnit<'_>) -> String {
    let title = member.unit.map_or_else(
        || "(no file)".to_owned(),
        gatewalk_core::model::unit::Unit::title,
    );
    let mut page = format!("**{}** {title}\n\n", member.id());
    let _ = writeln!(
        page,
        "{} · gate {} · `{}`\n",
        readiness(feature, member),
        feature.gate_number(member.gate),
        member.unit_type().word()
    );
    let edges = |ids: Vec<String>| {
        if ids.is_empty() {
            "nothing".to_owned()
        } else {
            ids.join(", ")
        }
    };
    let status = |id: &str| {
        feature
            .member(id)
            .map_or("unknown".to_owned(), |m| m.status().to_string())
    };
    let on = member
        .node
        .depends_on
        .iter()
        .map(|e| format!("{} ({})", e.value, status(&e.value)));
    let by = feature
        .members()
        .filter(|m| m.node.depends_on.iter().any(|e| e.value == member.id()));
    let _ = writeln!(page, "- waits for: {}", edges(on.collect()));
    let _ = writeln!(
        page,
        "- waited for by: {}",
        edges(by.map(|m| m.id().to_owned()).collect())
    );
    if let Some(unit) = member.unit {
        let planned = unit.front.planned_cost_usd.as_ref().map(|c| c.value);
        let _ = writeln!(
            page,
            "- cost: {} of {} planned",
            usd_or_unknown(unit.lifetime_cost_usd()),
            usd_or_unknown(planned)
        );
    }
    page
}

/// Returns in a few words whether a unit can start.
pub(super) fn readiness(feature: &Feature, member: &PlannedUnit<'_>) -> String {
    let waiting = feature.waiting(member).into_iter().map(|w| {
        let id = w.unit();
        w.in_short(short_id(id))
    });
    let why: Vec<String> = waiting.collect();
    match member.status() {
        _ if member.unit.is_none() => "no file".to_owned(),
        UnitStatus::Pending if why.is_empty() => "pending, ready".to_owned(),
        status @ (UnitStatus::Pending | UnitStatus::Draft) if !why.is_empty() => {
            format!("{status}, waits for {}", why.join(", "))
        }
        status => status.to_string(),
    }
}

/// A requirement: what it says and which units cover it.
fn requirement(request: &CursorRequest<'_>) -> Option<(String, Span)> {
    let (feature, found, span) = cursor::requirement_at(request)?;
    let covers = |m: &PlannedUnit<'_>| {
        let unit = m.unit?;
        let checks = unit.front.checks.iter().flat_map(|c| &c.value);
        let by_check = checks.filter_map(|c| c.value.covers.as_ref());
        let mut all = unit.front.covers.iter().chain(by_check);
        all.any(|list| list.value.0.iter().any(|id| id.value == found.id))
            .then(|| format!("{} ({})", m.id(), m.status()))
    };
    let by: Vec<String> = feature.members().filter_map(|m| covers(&m)).collect();
    let by = if by.is_empty() {
        "nothing yet".to_owned()
    } else {
        by.join(", ")
    };
    let page = format!("**{}**: {}\n\nCovered by {by}.", found.id, found.text);
    Some((page, span))
}

/// A gate's file in the graph.
fn gate(request: &CursorRequest<'_>) -> Option<(String, Span)> {
    let span = cursor::token(request.text, request.at);
    let word = &request.text[span.clone()];
    let feature = cursor::feature_of(request.repository, &request.path)?;
    let index = feature.plan.gates.iter().position(|gate| {
        let file = gate.file.as_ref();
        file.is_some_and(|file| file.value == word)
    })?;
    let units = feature.members_of(index);
    let settled = units.filter(|m| m.status().is_settled()).count();
    let page = format!(
        "**Gate {}**: {}, {settled} of {} units settled",
        feature.gate_number(index),
        feature.gate_status(index),
        feature.members_of(index).count(),
    );
    Some((page, span))
}

fn key(request: &CursorRequest<'_>) -> Option<(String, Span)> {
    let front = cursor::front_of(&request.path, request.text)?;
    if !front.contains(&request.at) {
        return None;
    }
    let start = request.text[..request.at].rfind('\n').map_or(0, |n| n + 1);
    let line = request.text[start..].lines().next().unwrap_or_default();
    let name = line.split(':').next().unwrap_or_default();
    if request.at > start + name.len() {
        return None;
    }
    let key = cursor::keys_of(&request.path)
        .iter()
        .find(|k| k.name == name)?;
    let owner = match key.owner {
        Owner::Author => "you",
        Owner::Session => "the unit's session",
        Owner::Driver => "the driver",
    };
    let words = match key.shape {
        Shape::OneOf(words) => format!("\n\nOne of `{}`.", words().join("`, `")),
        Shape::Duration => "\n\nA duration: `90s`, `15m`, `1h30m`.".to_owned(),
        _ => String::new(),
    };
    let required = if key.required { " Required." } else { "" };
    Some((
        format!(
            "**{}**: {}{words}\n\nWritten by {owner}.{required}",
            key.name, key.doc
        ),
        start..start + name.len(),
    ))
}
