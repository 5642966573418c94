//! Going to definitions, finding references, and the outline of a file.

use super::open_repository::OpenRepository;
use super::state::{CursorRequest, State};
use super::{cursor, positions};
use gatewalk_core::diagnostic::Span;
use gatewalk_core::model::document::{Document, Front};
use gatewalk_core::model::feature::Feature;
use gatewalk_core::model::id::short_id;
use gatewalk_core::path_names::is_below;
use serde_json::{Value, json};

/// The kinds of the protocol.
const MODULE: u32 = 2;
const STRING: u32 = 15;
const KEY: u32 = 20;
const EVENT: u32 = 24;

/// Answers `textDocument/definition`: an id leads to its unit, a file of the graph to that file, a
/// requirement to its bullet.
pub(super) fn definition(state: &State, params: &Value) -> Value {
    let Some(request) = state.request(params) else {
        return Value::Null;
    };
    if let Some((_, member, _)) = cursor::unit_at(&request) {
        return match member.unit {
            Some(unit) => request
                .repository
                .location(unit.path(), &unit.span_of("id")),
            None => Value::Null,
        };
    }
    let word = &request.text[cursor::token(request.text, request.at)];
    let Some(feature) = cursor::feature_of(request.repository, &request.path) else {
        return Value::Null;
    };
    if let Some(gate) = feature.gates.get(word) {
        return request.repository.location(&gate.doc.path, &(0..0));
    }
    if let Some((_, found, _)) = cursor::requirement_at(&request) {
        return request
            .repository
            .location(&feature.plan.doc.path, &found.span);
    }
    let other = request
        .repository
        .workspace
        .features
        .iter()
        .find(|f| f.plan.id.as_ref().is_some_and(|id| id.as_str() == word));
    other.map_or(Value::Null, |f| {
        request
            .repository
            .location(&f.plan.doc.path, &f.plan.doc.key_span("feature_id"))
    })
}

/// A path and the bytes of a word in it.
pub(super) type WordLocation = (String, Span);

/// Returns every place of a word: frontmatter, graph and prose of all features, and the roadmap.
pub(super) fn places_of(repository: &OpenRepository, word: &str) -> Vec<WordLocation> {
    places_in(repository, "", word)
}

/// Returns every place of a word in the Markdown files of one directory.
pub(super) fn places_in(repository: &OpenRepository, dir: &str, word: &str) -> Vec<WordLocation> {
    let inside = |path: &str| (dir.is_empty() || is_below(path, dir)) && path.ends_with(".md");
    let files = repository.files.iter().filter(|(path, _)| inside(path));
    let texts = files.filter_map(|(path, bytes)| Some((path, std::str::from_utf8(bytes).ok()?)));
    texts
        .flat_map(|(path, text)| {
            let places = cursor::places(text, word).into_iter();
            places.map(|span| (path.clone(), span))
        })
        .collect()
}

/// Answers `textDocument/references`.
pub(super) fn references(state: &State, params: &Value) -> Value {
    let Some(request) = state.request(params) else {
        return json!([]);
    };
    let repository = request.repository;
    let mut places = match cursor::unit_at(&request) {
        Some((feature, member, _)) => {
            // In its own feature a unit is often called `T01` alone.
            let local = short_id(member.id());
            let mut places = places_of(repository, member.id());
            if local != member.id() {
                places.extend(places_in(repository, &feature.dir, local));
            }
            places
        }
        None => {
            let word = &request.text[cursor::token(request.text, request.at)];
            match cursor::requirement_at(&request) {
                Some((feature, _, _)) => places_in(repository, &feature.dir, word),
                None if word.len() > 2 && word.contains('-') => places_of(repository, word),
                None => vec![],
            }
        }
    };
    places.sort_by(|a, b| (&a.0, a.1.start).cmp(&(&b.0, b.1.start)));
    let location = |(path, span): &WordLocation| repository.location(path, span);
    Value::Array(places.iter().map(location).collect())
}

/// Answers `textDocument/documentSymbol`.
pub(super) fn symbols(state: &State, params: &Value) -> Value {
    let Some(request) = state.request(params) else {
        return json!([]);
    };
    let document = Document::parse(request.path.as_str().into(), request.text.as_bytes());
    let mut found: Vec<Symbol> = document.front.iter().map(of_frontmatter).collect();
    found.extend(document.sections().iter().map(|section| Symbol {
        name: section.name.clone(),
        kind: STRING,
        all: section.heading.start..section.content.end.max(section.heading.end),
        own: section.heading.clone(),
        ..Symbol::default()
    }));
    let feature = cursor::feature_of(request.repository, &request.path);
    if let Some(feature) = feature.filter(|f| *f.plan.doc.path == *request.path) {
        found.extend((0..feature.plan.gates.len()).map(|gate| of_gate(feature, gate)));
    }
    Value::Array(found.iter().map(|s| s.as_json(&request)).collect())
}

/// An entry of a file's outline.
#[derive(Default)]
struct Symbol {
    name: String,
    detail: String,
    kind: u32,
    all: Span,
    own: Span,
    children: Vec<Symbol>,
}

impl Symbol {
    fn as_json(&self, request: &CursorRequest<'_>) -> Value {
        let range = |span: &Span| positions::range(request.text, &request.lines, span);
        let name = if self.name.is_empty() {
            "(unnamed)"
        } else {
            &self.name
        };
        json!({
            "name": name, "detail": self.detail, "kind": self.kind,
            "range": range(&self.all), "selectionRange": range(&self.own),
            "children": self.children.iter().map(|c| c.as_json(request)).collect::<Vec<_>>(),
        })
    }
}

fn of_frontmatter(front: &Front) -> Symbol {
    let keys = front.root.entries().iter().map(|e| Symbol {
        name: e.key.to_string(),
        detail: e.value.as_str().unwrap_or("").to_owned(),
        kind: KEY,
        all: e.key_span.start..e.value.span.end.max(e.key_span.end),
        own: e.key_span.clone(),
        ..Symbol::default()
    });
    Symbol {
        name: "frontmatter".to_owned(),
        kind: MODULE,
        all: front.span.clone(),
        own: front.span.start..front.span.start,
        children: keys.collect(),
        ..Symbol::default()
    }
}

fn of_gate(feature: &Feature, index: usize) -> Symbol {
    let gate = &feature.plan.gates[index];
    let units = feature.members_of(index).map(|m| Symbol {
        name: m.id().to_owned(),
        detail: m.status().to_string(),
        kind: EVENT,
        all: m.node.span.clone(),
        own: m.node.id.span.clone(),
        ..Symbol::default()
    });
    let number = gate.number.as_ref().map(|n| n.span.clone());
    Symbol {
        name: format!("gate {}", feature.gate_number(index)),
        detail: feature.gate_status(index).to_string(),
        kind: MODULE,
        all: gate.span.clone(),
        own: number.unwrap_or(gate.span.start..gate.span.start),
        children: units.collect(),
    }
}
