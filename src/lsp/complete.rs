//! Completion: keys, words of a key, ids, files, paths, set names and requirements.

use super::state::{Asked, State};
use super::text;
use super::words;
use crate::diagnostic::Span;
use crate::lint::requirements;
use crate::model::feature::Feature;
use crate::model::front::{Key, Owner, Shape};
use crate::model::layout;
use serde_json::{Value, json};

/// The kinds of the protocol.
const PROPERTY: u32 = 10;
const VALUE: u32 = 12;
const FILE: u32 = 17;
const REFERENCE: u32 = 18;

/// The most paths that are offered at once.
const MAX_PATHS: usize = 200;

struct Item {
    label: String,
    kind: u32,
    detail: String,
    insert: String,
}

/// Answers `textDocument/completion`.
pub(super) fn at(state: &State, params: &Value) -> Value {
    let Some(asked) = state.asked(params) else {
        return json!([]);
    };
    let start = asked.text[..asked.at].rfind('\n').map_or(0, |n| n + 1);
    let line = &asked.text[start..asked.at];
    let word = start_of_word(asked.text, start, asked.at);
    let items = items(&asked, line);
    let range = text::range(asked.text, &asked.lines, &word);
    let list = items.into_iter().map(|item| {
        json!({
            "label": item.label, "kind": item.kind, "detail": item.detail, "filterText": item.label,
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

fn items(asked: &Asked<'_>, line: &str) -> Vec<Item> {
    let feature = words::feature_of(asked.repository, &asked.path);
    let in_front = words::front_of(&asked.path, asked.text)
        .is_some_and(|front| (front.start..=front.end).contains(&asked.at));
    if in_front {
        return in_frontmatter(asked, feature, line);
    }
    let in_graph = feature.is_some_and(|f| {
        *f.plan.doc.path == *asked.path
            && f.plan
                .graph_span
                .as_ref()
                .is_some_and(|g| (g.start..=g.end).contains(&asked.at))
    });
    match feature {
        Some(feature) if in_graph => in_the_graph(feature, asked, line),
        // In prose only what begins like an id is completed.
        Some(feature)
            if line
                .rsplit([' ', '(', '`'])
                .next()
                .is_some_and(|w| w.starts_with("FEAT-") || w.starts_with("INIT-")) =>
        {
            ids(feature)
        }
        _ => vec![],
    }
}

fn in_frontmatter(asked: &Asked<'_>, feature: Option<&Feature>, line: &str) -> Vec<Item> {
    let keys = words::keys_of(&asked.path);
    if !line.contains(':') && !line.starts_with([' ', '-']) {
        let front = words::front_of(&asked.path, asked.text).unwrap_or(0..0);
        let front = &asked.text[front];
        let there = |key: &&Key| {
            !front.lines().any(|l| {
                l.strip_prefix(key.name)
                    .is_some_and(|rest| rest.starts_with(':'))
            })
        };
        return keys
            .iter()
            .filter(there)
            .filter(|k| k.owner != Owner::Driver)
            .map(key_item)
            .collect();
    }
    let Some(key) = key_of_line(asked, line).and_then(|name| keys.iter().find(|k| k.name == name))
    else {
        return in_a_check(line);
    };
    values(asked, feature, key, line)
}

fn key_item(key: &Key) -> Item {
    let insert = match key.shape {
        Shape::List(_) | Shape::Table(_) | Shape::Map(_) => format!("{}:", key.name),
        _ => format!("{}: ", key.name),
    };
    Item {
        label: key.name.to_owned(),
        kind: PROPERTY,
        detail: key.doc.to_owned(),
        insert,
    }
}

/// The top-level key whose value the cursor is in.
fn key_of_line<'t>(asked: &Asked<'t>, line: &'t str) -> Option<&'t str> {
    if !line.starts_with([' ', '-']) {
        return line.split(':').next();
    }
    let before = asked.text[..asked.at].lines().rev();
    before
        .into_iter()
        .find(|l| l.starts_with(|c: char| c.is_ascii_alphabetic()))
        .and_then(|l| l.split(':').next())
}

fn in_a_check(line: &str) -> Vec<Item> {
    let keys = crate::model::unit::Check::KEYS;
    if line.contains(':') {
        vec![]
    } else {
        keys.iter().map(key_item).collect()
    }
}

fn values(asked: &Asked<'_>, feature: Option<&Feature>, key: &Key, line: &str) -> Vec<Item> {
    let verification = &asked.repository.workspace.verification;
    let plain = |label: &str, detail: &str| Item {
        label: label.to_owned(),
        kind: VALUE,
        detail: detail.to_owned(),
        insert: label.to_owned(),
    };
    match (key.name, &key.shape) {
        ("covers", _) => feature
            .map(|f| requirements::of(&f.plan))
            .unwrap_or_default()
            .iter()
            .map(|r| plain(&r.id, &r.text))
            .collect(),
        ("checks", _) => match line.trim_start_matches([' ', '-']).split_once(':') {
            Some(("expect_base", _)) => ["red", "green", "any"]
                .map(|w| plain(w, "what the check says on the base"))
                .into(),
            Some(("covers", _)) => feature
                .map(|f| requirements::of(&f.plan))
                .unwrap_or_default()
                .iter()
                .map(|r| plain(&r.id, &r.text))
                .collect(),
            Some(_) => vec![],
            None => crate::model::unit::Check::KEYS
                .iter()
                .map(key_item)
                .collect(),
        },
        ("extra_gates", _) => verification
            .set_names()
            .into_iter()
            .map(|n| plain(n, "a set of verification.yml"))
            .collect(),
        ("expects_red", _) => {
            let commands = verification.sets.iter().flat_map(|s| &s.commands);
            commands
                .map(|c| plain(c.value.name(), c.value.shell()))
                .collect()
        }
        (
            "produces"
            | "touches"
            | "do_not_touch"
            | "generated_surfaces"
            | "touches_control_plane"
            | "protect",
            _,
        ) => paths(asked, line),
        ("id", _) => feature.map(ids).unwrap_or_default(),
        (_, Shape::OneOf(list)) => list().into_iter().map(|w| plain(w, key.doc)).collect(),
        (_, Shape::Bool) => ["true", "false"].map(|w| plain(w, key.doc)).into(),
        _ => vec![],
    }
}

fn in_the_graph(feature: &Feature, asked: &Asked<'_>, line: &str) -> Vec<Item> {
    let bare = line.trim_start_matches([' ', '-']);
    if bare.starts_with("file:") {
        let files = feature.units.keys().chain(feature.gates.keys());
        let listed = |file: &str| {
            words::places(
                &asked.text[feature.plan.graph_span.clone().unwrap_or(0..0)],
                file,
            )
            .is_empty()
        };
        let mut files: Vec<&String> = files.collect();
        // What is not listed yet is most likely meant.
        files.sort_by_key(|file| !listed(file));
        return files
            .into_iter()
            .map(|f| Item {
                label: f.clone(),
                kind: FILE,
                detail: feature.path(f),
                insert: f.clone(),
            })
            .collect();
    }
    if bare.starts_with("depends_on")
        || bare.starts_with("id:")
        || bare.starts_with("FEAT")
        || bare.is_empty() && line.ends_with("- ")
    {
        return ids(feature);
    }
    let keys = ["id", "file", "depends_on", "gate", "work_units"];
    if bare.contains(':') {
        vec![]
    } else {
        keys.map(|k| Item {
            label: k.into(),
            kind: PROPERTY,
            detail: "a key of the graph".into(),
            insert: format!("{k}: "),
        })
        .into()
    }
}

fn ids(feature: &Feature) -> Vec<Item> {
    feature
        .members()
        .map(|m| Item {
            label: m.id().to_owned(),
            kind: REFERENCE,
            detail: m
                .unit
                .map_or_else(String::new, |u| format!("{} · {}", m.status(), u.title())),
            insert: m.id().to_owned(),
        })
        .collect()
}

/// The entries of the folder that the path before the cursor names.
fn paths(asked: &Asked<'_>, line: &str) -> Vec<Item> {
    let typed = line
        .rsplit([' ', '[', ',', '"', '\''])
        .next()
        .unwrap_or_default();
    let folder = typed.rfind('/').map_or("", |n| &typed[..=n]);
    if crate::lint::paths::is_absolute(folder) || crate::lint::paths::leaves(folder) {
        return vec![];
    }
    let Ok(entries) = std::fs::read_dir(asked.repository.root.join(folder)) else {
        return vec![];
    };
    let mut names: Vec<String> = entries
        .filter_map(std::result::Result::ok)
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let is_folder = entry.file_type().is_ok_and(|t| t.is_dir());
            let ours = [
                ".git",
                layout::Layout::Gatewalk.dir(),
                layout::Layout::Specfuse.dir(),
            ]
            .contains(&name.as_str());
            (!ours).then(|| format!("{folder}{name}{}", if is_folder { "/" } else { "" }))
        })
        .collect();
    names.sort();
    names.truncate(MAX_PATHS);
    names
        .into_iter()
        .map(|n| Item {
            label: n.clone(),
            kind: FILE,
            detail: String::new(),
            insert: n,
        })
        .collect()
}
