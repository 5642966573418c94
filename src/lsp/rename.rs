//! Renaming an id wherever it stands, and a unit's file with it.

use super::navigate::{self, WordLocation};
use super::state::{CursorRequest, State};
use super::{cursor, positions};
use crate::report::lines::Lines;
use gatewalk_core::lint::requirements;
use gatewalk_core::model::feature::{Feature, PlannedUnit};
use gatewalk_core::model::id::{FeatureId, LocalKind, UnitId, short_id};
use gatewalk_core::model::layout;
use gatewalk_core::path_names::file_name;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Replacements by file's URI.
type Edits = BTreeMap<String, Vec<(WordLocation, String)>>;

/// Answers `textDocument/prepareRename`.
pub(super) fn prepare(state: &State, params: &Value) -> Value {
    let Some(request) = state.request(params) else {
        return Value::Null;
    };
    let (span, name) = match cursor::unit_at(&request) {
        // `T01` stays short: what is shown is what is replaced.
        Some((_, _, span)) => (span.clone(), request.text[span].to_owned()),
        None => match cursor::requirement_at(&request) {
            Some((_, requirement, span)) => (span, requirement.id),
            None => match cursor::feature_at(&request) {
                Some((_, id, span)) => (span, id),
                None => return Value::Null,
            },
        },
    };
    json!({ "range": positions::range(request.text, &request.lines, &span), "placeholder": name })
}

/// Answers `textDocument/rename`; an error says why the new name cannot be.
pub(super) fn rename(state: &State, params: &Value) -> Result<Value, String> {
    let request = state.request(params).ok_or("not a file of a plan")?;
    let new = params["newName"].as_str().unwrap_or_default().trim();
    let renaming = Renaming {
        state,
        request: &request,
        new,
    };
    if let Some((feature, member, _)) = cursor::unit_at(&request) {
        return renaming.unit(feature, &member);
    }
    let Some((feature, requirement, _)) = cursor::requirement_at(&request) else {
        let (feature, id, _) = cursor::feature_at(&request)
            .ok_or("only the ids of features, units and requirements can be renamed")?;
        return renaming.whole_feature(feature, &id);
    };
    if !requirements::looks_like_an_id(new) {
        return Err(format!(
            "`{new}` is not a requirement's id, as `REQ-CART-1`"
        ));
    }
    let taken = requirements::of(&feature.plan);
    if taken.iter().any(|r| r.id == new && r.id != requirement.id) {
        return Err(format!("`{new}` is taken"));
    }
    let mut edits = Edits::new();
    for place in navigate::places_in(request.repository, &feature.dir, &requirement.id) {
        let edit = (place, new.to_owned());
        edits.entry(edit.0.0.clone()).or_default().push(edit);
    }
    Ok(workspace_edit(state, &request, edits, None))
}

/// What is renamed where, and into what.
struct Renaming<'a> {
    state: &'a State,
    request: &'a CursorRequest<'a>,
    new: &'a str,
}

impl Renaming<'_> {
    /// A feature that nobody has worked on yet: its id in every file, and its directory.
    fn whole_feature(&self, feature: &Feature, old: &str) -> Result<Value, String> {
        let Renaming {
            state,
            request,
            new,
        } = *self;
        let new = FeatureId::parse(new)
            .ok_or_else(|| format!("`{new}` is not a feature's id, as `FEAT-2026-0042`"))?;
        let named = |f: &Feature| f.plan.id.as_ref().is_some_and(|id| *id == new);
        if request.repository.workspace.features().any(named) && new.as_str() != old {
            return Err(format!("`{}` is taken", new.as_str()));
        }
        if feature.others.contains_key(layout::EVENTS) {
            return Err(format!(
                "`{old}` has been worked on: its log and its commits call it so for good"
            ));
        }
        let mut edits = Edits::new();
        for (path, bytes) in &request.repository.files {
            let text = std::str::from_utf8(bytes)
                .ok()
                .filter(|_| path.ends_with(".md"));
            for span in text.into_iter().flat_map(|text| cursor::heads(text, old)) {
                let edit = ((path.clone(), span), new.as_str().to_owned());
                edits.entry(path.clone()).or_default().push(edit);
            }
        }
        let directory = file_name(&feature.dir);
        let renamed = directory
            .strip_prefix(old)
            .filter(|_| state.client.renames_files);
        let moved = renamed.map(|rest| {
            let parent = feature.dir.strip_suffix(directory).unwrap_or_default();
            let uri = |path: &str| request.repository.uri(path);
            let target = format!("{parent}{}{rest}", new.as_str());
            json!({ "kind": "rename", "oldUri": uri(&feature.dir), "newUri": uri(&target) })
        });
        Ok(workspace_edit(state, request, edits, moved))
    }

    fn unit(&self, feature: &Feature, member: &PlannedUnit<'_>) -> Result<Value, String> {
        let Renaming {
            state,
            request,
            new,
        } = *self;
        let id = full_id(feature, new).ok_or_else(|| {
            format!("`{new}` is not a unit id of this feature: write `T07` or the whole id")
        })?;
        if feature
            .member(&id)
            .is_some_and(|other| other.id() != member.id())
        {
            return Err(format!("`{id}` is taken"));
        }
        if is_in_log(feature, member.id()) {
            return Err(format!(
                "`{}` has been worked on: its log and its commits call it so for good",
                member.id()
            ));
        }
        let mut edits = Edits::new();
        let mut push = |place: WordLocation, text: &str| {
            let list = edits.entry(place.0.clone()).or_default();
            list.push((place, text.to_owned()));
        };
        for place in navigate::places_of(request.repository, member.id()) {
            push(place, &id);
        }
        let local = |id: &str| short_id(id).to_owned();
        for place in navigate::places_in(request.repository, &feature.dir, &local(member.id())) {
            push(place, &local(&id));
        }
        let file = renamed_file(member, &id).filter(|file| !feature.units.contains_key(file));
        // An editor that cannot move a file must not be given its new name either.
        let file = file.filter(|_| state.client.renames_files);
        if let Some(file) = &file {
            let old = &member.node.file.value;
            for place in navigate::places_in(request.repository, &feature.dir, old) {
                push(place, file);
            }
        }
        let moved = file.zip(member.unit).map(|(file, unit)| {
            let (old, new) = (unit.path(), feature.path(&file));
            let uri = |path: &str| request.repository.uri(path);
            json!({ "kind": "rename", "oldUri": uri(old), "newUri": uri(&new) })
        });
        Ok(workspace_edit(state, request, edits, moved))
    }
}

/// Returns whether anything that happened to a unit is on record.
fn is_in_log(feature: &Feature, unit: &str) -> bool {
    let log = feature.others.get(layout::EVENTS);
    let log = log.map(|bytes| String::from_utf8_lossy(bytes));
    log.is_some_and(|log| log.contains(&format!("\"{unit}\"")))
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
fn renamed_file(member: &PlannedUnit<'_>, new: &str) -> Option<String> {
    let number = |id: &str| match UnitId::parse(id)?.kind() {
        LocalKind::Task(number) => Some(number),
        _ => None,
    };
    let (old, new) = (number(member.id())?, number(new)?);
    let file = &member.node.file.value;
    let rest = file.strip_prefix(&format!("WU-{old:02}"))?;
    (old != new && rest.starts_with(['-', '.'])).then(|| format!("WU-{new:02}{rest}"))
}

fn workspace_edit(
    state: &State,
    request: &CursorRequest<'_>,
    edits: Edits,
    moved: Option<Value>,
) -> Value {
    let mut by_uri: Vec<(String, Vec<Value>)> = Vec::new();
    for (path, list) in edits {
        let text = request.repository.text(&path).unwrap_or_default();
        let lines = Lines::new(text);
        let edit = |((_, span), new): &(WordLocation, String)| json!({ "range": positions::range(text, &lines, span), "newText": new });
        by_uri.push((
            request.repository.uri(&path),
            list.iter().map(edit).collect(),
        ));
    }
    if !state.client.document_changes {
        let changes: Map<String, Value> = by_uri
            .into_iter()
            .map(|(uri, list)| (uri, Value::Array(list)))
            .collect();
        return json!({ "changes": changes });
    }
    let change =
        |(uri, list)| json!({ "textDocument": { "uri": uri, "version": null }, "edits": list });
    let mut changes: Vec<Value> = by_uri.into_iter().map(change).collect();
    // The file moves last: the edits before it name it by its old address.
    changes.extend(moved);
    json!({ "documentChanges": changes })
}
