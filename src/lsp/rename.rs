//! Renaming an id wherever it stands, and the unit's file with it.

use super::navigate::places_of;
use super::state::{Asked, State};
use super::text;
use super::words;
use crate::diagnostic::Span;
use crate::model::feature::{Feature, Member};
use crate::model::id::{FeatureId, LocalKind, UnitId};
use crate::report::lines::Lines;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Answers `textDocument/prepareRename`.
pub(super) fn prepare(state: &State, params: &Value) -> Value {
    let Some(asked) = state.asked(params) else {
        return Value::Null;
    };
    match words::unit_at(&asked) {
        Some((_, member, span)) => {
            json!({ "range": text::range(asked.text, &asked.lines, &span), "placeholder": member.id() })
        }
        None => Value::Null,
    }
}

/// Answers `textDocument/rename`; an error says why the new name cannot be.
pub(super) fn rename(state: &State, params: &Value) -> Result<Value, String> {
    let asked = state.asked(params).ok_or("not a file of a plan")?;
    let (feature, member, _) =
        words::unit_at(&asked).ok_or("only the ids of units can be renamed")?;
    let new = params["newName"].as_str().unwrap_or_default().trim();
    let new = full_id(feature, new).ok_or_else(|| {
        format!("`{new}` is not a unit id of this feature: write `T07` or the whole id")
    })?;
    if feature
        .member(&new)
        .is_some_and(|other| other.id() != member.id())
    {
        return Err(format!("`{new}` is taken"));
    }
    let mut edits: BTreeMap<String, Vec<(Span, String)>> = BTreeMap::new();
    for (path, span) in places_of(&asked, member.id()) {
        edits.entry(path).or_default().push((span, new.clone()));
    }
    let file = renamed_file(&member, &new).filter(|file| !feature.units.contains_key(file));
    if let Some(file) = &file {
        for (path, bytes) in &asked.repository.files {
            let Some(text) = std::str::from_utf8(bytes)
                .ok()
                .filter(|_| path.starts_with(&*feature.dir) && path.ends_with(".md"))
            else {
                continue;
            };
            for span in words::places(text, &member.node.file.value) {
                edits
                    .entry(path.clone())
                    .or_default()
                    .push((span, file.clone()));
            }
        }
    }
    Ok(workspace_edit(&asked, feature, &member, edits, file))
}

/// The whole id: a local part is one of this feature.
fn full_id(feature: &Feature, name: &str) -> Option<String> {
    let id = match (UnitId::parse(name), &feature.plan.id) {
        (Some(id), Some(own)) if id.feature() != own => return None,
        (Some(id), _) => id,
        (None, Some(own)) => FeatureId::unit(own, name)?,
        (None, None) => return None,
    };
    Some(id.to_string())
}

/// The file's name with the new number, when the old name has the old one.
fn renamed_file(member: &Member<'_>, new: &str) -> Option<String> {
    let number = |id: &str| match UnitId::parse(id)?.kind() {
        LocalKind::Task(number) => Some(number),
        _ => None,
    };
    let (old, new) = (number(member.id())?, number(new)?);
    let rest = member
        .node
        .file
        .value
        .strip_prefix(&format!("WU-{old:02}"))?;
    (old != new && rest.starts_with(['-', '.'])).then(|| format!("WU-{new:02}{rest}"))
}

fn workspace_edit(
    asked: &Asked<'_>,
    feature: &Feature,
    member: &Member<'_>,
    edits: BTreeMap<String, Vec<(Span, String)>>,
    file: Option<String>,
) -> Value {
    let mut changes: Vec<Value> = Vec::new();
    for (path, list) in edits {
        let text = asked.repository.text(&path).unwrap_or_default();
        let lines = Lines::new(text);
        let list: Vec<Value> = list
            .iter()
            .map(|(span, new)| json!({ "range": text::range(text, &lines, span), "newText": new }))
            .collect();
        changes.push(json!({ "textDocument": { "uri": asked.repository.uri(&path), "version": null }, "edits": list }));
    }
    // The file moves last: the edits before it name it by its old address.
    if let (Some(file), Some(unit)) = (file, member.unit) {
        changes.push(json!({
            "kind": "rename", "oldUri": asked.repository.uri(unit.path()), "newUri": asked.repository.uri(&feature.path(&file)),
        }));
    }
    json!({ "documentChanges": changes })
}
