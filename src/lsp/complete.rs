//! Completion: keys, words of a key, ids, files, paths, set names, requirements and rules.

use super::completion_item::{CompletionItem, FILE, PROPERTY, VALUE};
use super::completion_values::{ValuePlace, ids, paths, values};
use super::state::{CursorRequest, State};
use super::yaml_position::{self, YamlPosition};
use super::{cursor, positions};
use gatewalk_core::diagnostic::Span;
use gatewalk_core::lint::rule::Rule;
use gatewalk_core::lint::rules;
use gatewalk_core::model::feature::Feature;
use gatewalk_core::model::frontmatter::{Key, Owner, Shape};
use gatewalk_core::model::layout;
use gatewalk_core::model::verification::{TYPE_SETS, Verification, VerificationCommand};
use gatewalk_core::model::witness_settings::WitnessSettings;
use serde_json::{Value, json};

/// Answers `textDocument/completion`.
pub(super) fn at(state: &State, params: &Value) -> Value {
    let Some(request) = state.request(params) else {
        return json!([]);
    };
    let start = request.text[..request.at].rfind('\n').map_or(0, |n| n + 1);
    let line = &request.text[start..request.at];
    let word = start_of_word(request.text, start, request.at);
    let range = positions::range(request.text, &request.lines, &word);
    let items = items(&request, line).into_iter().enumerate();
    let list = items.map(|(place, item)| {
        json!({
            "label": item.label, "kind": item.kind, "detail": item.detail, "filterText": item.label,
            "sortText": format!("{place:04}"),
            "textEdit": { "range": range, "newText": item.insert },
        })
    });
    Value::Array(list.collect())
}

/// From the last separator before the cursor up to the cursor.
fn start_of_word(text: &str, line: usize, at: usize) -> Span {
    let before = &text[line..at];
    let start = before
        .rfind([' ', '[', ',', '"', '\'', '`', '('])
        .map_or(0, |n| n + 1);
    line + start..at
}

fn items(request: &CursorRequest<'_>, line: &str) -> Vec<CompletionItem> {
    if line.contains("gatewalk: allow") {
        let rule = |rule: &Rule| CompletionItem::plain(VALUE, rule.code, rule.name());
        return rules::TABLE.iter().map(rule).collect();
    }
    let feature = cursor::feature_of(request.repository, &request.path);
    let inside = |span: &Span| (span.start..=span.end).contains(&request.at);
    if let Some(front) = cursor::front_of(&request.path, request.text).filter(inside) {
        let place = yaml_position::of(&request.text[front.start..request.at]);
        return in_frontmatter(&ValuePlace {
            request,
            feature,
            position: &place,
            line,
        });
    }
    let Some(feature) = feature else {
        return vec![];
    };
    if *feature.plan.doc.path == *request.path {
        let block = feature.plan.doc.fenced("yaml");
        if let Some(block) = block.into_iter().find(|block| inside(&block.span)) {
            let place = yaml_position::of(&request.text[block.span.start..request.at]);
            return in_the_graph(feature, request, &place, &block.span);
        }
    }
    // In prose only what begins like an id is completed.
    let word = line.rsplit([' ', '(', '`']).next().unwrap_or_default();
    match ["FEAT-", "INIT-"].iter().any(|head| word.starts_with(head)) {
        true => ids(feature),
        false => vec![],
    }
}

fn in_frontmatter(place: &ValuePlace<'_>) -> Vec<CompletionItem> {
    let ValuePlace {
        request,
        position,
        line,
        ..
    } = *place;
    let mut keys = cursor::keys_of(&request.path);
    let mut parents = position.parents.as_slice();
    if request.path.ends_with(layout::VERIFICATION) {
        let verification = &request.repository.workspace.verification;
        match parents {
            [] if position.key.is_none() => return sets(verification),
            [] => return vec![],
            ["setup"] => return vec![],
            ["link"] => return paths(request, line),
            ["witness", rest @ ..] => (keys, parents) = (WitnessSettings::KEYS, rest),
            [_, rest @ ..] => (keys, parents) = (VerificationCommand::KEYS, rest),
        }
    }
    // Tables inside tables: the keys of the innermost one, and the key whose value is wanted.
    let mut wanted = None;
    for parent in parents {
        let Some(key) = keys.iter().find(|k| k.name == *parent) else {
            return vec![];
        };
        match table_of(&key.shape) {
            Some(inner) => keys = inner,
            None => wanted = Some(key),
        }
    }
    if let Some(key) = wanted {
        return values(place, key);
    }
    match position.key {
        Some(name) => keys
            .iter()
            .find(|k| k.name == name)
            .map(|key| values(place, key))
            .unwrap_or_default(),
        None => keys
            .iter()
            .filter(|key| !parents.is_empty() || !is_there(request, key.name))
            .filter(|key| key.owner != Owner::Driver)
            .map(CompletionItem::key)
            .collect(),
    }
}

fn table_of(shape: &Shape) -> Option<&'static [Key]> {
    match shape {
        Shape::Table(keys) => Some(keys()),
        Shape::List(inner) | Shape::OneOrMany(inner) => table_of(inner),
        _ => None,
    }
}

/// Whether the frontmatter has that key already.
fn is_there(request: &CursorRequest<'_>, key: &str) -> bool {
    let front = cursor::front_of(&request.path, request.text).unwrap_or(0..0);
    request.text[front].lines().any(|line| {
        line.strip_prefix(key)
            .is_some_and(|rest| rest.starts_with(':'))
    })
}

fn sets(verification: &Verification) -> Vec<CompletionItem> {
    let known = verification.set_names();
    let sets = TYPE_SETS.iter().filter(|name| !known.contains(name));
    let sets = sets.map(|name| (*name, "commands, chosen by a unit's type"));
    let settings = [
        ("setup", "runs once a slot, and when a lock file changes"),
        ("link", "ignored paths a slot takes from the checkout"),
        ("witness", "whether the checks see each change"),
    ];
    let all = settings.into_iter().chain(sets);
    all.map(|(name, detail)| CompletionItem {
        insert: format!("{name}:"),
        ..CompletionItem::plain(PROPERTY, name, detail)
    })
    .collect()
}

fn in_the_graph(
    feature: &Feature,
    request: &CursorRequest<'_>,
    place: &YamlPosition<'_>,
    block: &Span,
) -> Vec<CompletionItem> {
    match (place.key.or(place.parents.last().copied()), place.key) {
        (Some("file"), _) => files(feature, &request.text[block.clone()]),
        (Some("id"), _) => ids(feature),
        (Some("depends_on"), _) => {
            // A unit does not wait for itself, nor twice for another one.
            let gates = feature.plan.gates.iter().flat_map(|gate| &gate.units);
            let own = gates
                .into_iter()
                .find(|unit| (unit.span.start..=unit.span.end).contains(&request.at));
            let there = |id: &str| {
                own.is_some_and(|own| {
                    own.id.value == id || own.depends_on.iter().any(|e| e.value == id)
                })
            };
            let all = ids(feature).into_iter();
            all.filter(|item| !there(&item.label)).collect()
        }
        (Some("work_units"), None) => graph_keys(&["id", "file", "depends_on"]),
        (Some("gates"), None) => graph_keys(&["gate", "file", "work_units"]),
        _ => vec![],
    }
}

fn graph_keys(names: &[&str]) -> Vec<CompletionItem> {
    let item = |name: &&str| CompletionItem {
        insert: format!("{name}: "),
        ..CompletionItem::plain(PROPERTY, name, "a key of the graph")
    };
    names.iter().map(item).collect()
}

/// The files of the directory; what is not listed yet is most likely meant.
fn files(feature: &Feature, graph: &str) -> Vec<CompletionItem> {
    let listed = |file: &str| !cursor::places(graph, file).is_empty();
    let gates = feature.gates.keys().map(String::as_str);
    let mut files: Vec<&str> = feature.units.keys().chain(gates).collect();
    files.sort_by_key(|file| listed(file));
    files
        .into_iter()
        .map(|file| CompletionItem::plain(FILE, file, feature.path(file)))
        .collect()
}
