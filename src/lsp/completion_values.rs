//! What completes the value of a key: words, ids, paths, the names of commands and rules.

use super::completion_item::{CompletionItem, FILE, PROPERTY, REFERENCE, VALUE};
use super::state::CursorRequest;
use super::yaml_position::YamlPosition;
use gatewalk_core::lint::rule::Rule;
use gatewalk_core::lint::{requirements, rules};
use gatewalk_core::model::feature::Feature;
use gatewalk_core::model::frontmatter::{Key, Shape};
use gatewalk_core::model::layout;
use gatewalk_core::model::verification::Verification;

/// The most paths that are offered at once.
const MAX_PATHS: usize = 200;

/// Keys whose values are paths.
const PATH_KEYS: &[&str] = &[
    "produces",
    "touches",
    "do_not_touch",
    "generated_surfaces",
    "touches_tests",
    "touches_control_plane",
    "protect",
    "protected_tests",
    "when",
];

/// Where something is completed in frontmatter or a YAML file.
pub(super) struct ValuePlace<'a> {
    pub(super) request: &'a CursorRequest<'a>,
    pub(super) feature: Option<&'a Feature>,
    pub(super) position: &'a YamlPosition<'a>,
    /// The line up to the cursor.
    pub(super) line: &'a str,
}

pub(super) fn values(place: &ValuePlace<'_>, key: &Key) -> Vec<CompletionItem> {
    let ValuePlace {
        request,
        feature,
        position,
        line,
    } = *place;
    let verification = &request.repository.workspace.verification;
    let words = |words: &[&str]| {
        let item = |word: &&str| CompletionItem::plain(VALUE, word, key.doc);
        words.iter().map(item).collect()
    };
    match (key.name, &key.shape) {
        ("covers", _) => {
            let known = feature.map(|f| requirements::of(&f.plan));
            let known = known.into_iter().flatten();
            let new = known.filter(|r| !line.contains(&r.id));
            new.map(|r| CompletionItem::plain(VALUE, &r.id, r.text))
                .collect()
        }
        ("extra_gates", _) => {
            let names = verification.set_names().into_iter();
            names
                .map(|n| CompletionItem::plain(VALUE, n, "a set of verification.yml"))
                .collect()
        }
        ("expects_red", _) => command_names(verification, |_| true),
        ("needs", _) => command_names(verification, |set| position.parents.first() == Some(&set)),
        ("agent", _) => gatewalk_core::agents::ALL
            .iter()
            .map(|agent| CompletionItem::plain(VALUE, agent.name(), key.doc))
            .collect(),
        ("id", _) => feature.map(ids).unwrap_or_default(),
        ("severity", _) if position.key == Some("severity") => vec![],
        ("severity", _) if position.key.is_none() => rules::TABLE.iter().map(severity).collect(),
        ("severity", _) => ["error", "warning", "info", "off"]
            .map(|w| CompletionItem::plain(VALUE, w, "errors cannot be lowered"))
            .into(),
        (name, _) if PATH_KEYS.contains(&name) => paths(request, line),
        (_, Shape::OneOf(closed)) => words(&closed()),
        (_, Shape::Bool) => words(&["true", "false"]),
        _ => vec![],
    }
}

/// The commands of the sets that are wanted.
fn command_names(
    verification: &Verification,
    wanted: impl Fn(&str) -> bool,
) -> Vec<CompletionItem> {
    if verification.sets.is_empty() {
        return names_in(&verification.text);
    }
    let sets = verification.sets.iter().filter(|s| wanted(&s.name.value));
    sets.flat_map(|set| &set.commands)
        .map(|c| CompletionItem::plain(VALUE, c.value.name(), c.value.shell()))
        .collect()
}

/// The names of commands, read from the lines of a file that cannot be read while it is typed in.
fn names_in(text: &str) -> Vec<CompletionItem> {
    let name = |line: &str| {
        let name = line.trim_start_matches([' ', '-']).strip_prefix("name:")?;
        Some(CompletionItem::plain(
            VALUE,
            name.trim().trim_matches(['"', '\'']),
            "",
        ))
    };
    text.lines().filter_map(name).collect()
}

fn severity(rule: &Rule) -> CompletionItem {
    CompletionItem {
        insert: format!("{}: ", rule.name()),
        ..CompletionItem::plain(
            PROPERTY,
            &rule.name(),
            format!("{} · {}", rule.code, rule.summary()),
        )
    }
}

/// The ids of the graph, then those of files that are not in it; while the graph is being typed
/// and cannot be read, that is all of them.
pub(super) fn ids(feature: &Feature) -> Vec<CompletionItem> {
    let in_graph = feature.members().map(|m| (m.id().to_owned(), m.unit));
    let mut ids: Vec<_> = in_graph.collect();
    for unit in feature.units.values() {
        let Some(id) = unit.front.id.as_ref().map(|id| &id.value) else {
            continue;
        };
        if !ids.iter().any(|(known, _)| known == id) {
            ids.push((id.clone(), Some(unit)));
        }
    }
    let detail =
        |unit: &gatewalk_core::model::unit::Unit| format!("{} · {}", unit.status(), unit.title());
    ids.into_iter()
        .map(|(id, unit)| {
            CompletionItem::plain(REFERENCE, &id, unit.map(detail).unwrap_or_default())
        })
        .collect()
}

/// The entries of the directory that the path before the cursor names.
pub(super) fn paths(request: &CursorRequest<'_>, line: &str) -> Vec<CompletionItem> {
    let typed = line.rsplit([' ', '[', ',', '"', '\'']).next();
    let typed = typed.unwrap_or_default();
    let directory = typed.rfind('/').map_or("", |n| &typed[..=n]);
    if gatewalk_core::lint::paths::is_absolute(directory)
        || gatewalk_core::lint::paths::leaves(directory)
    {
        return vec![];
    }
    let Ok(entries) = std::fs::read_dir(request.repository.root.join(directory)) else {
        return vec![];
    };
    let ours = [
        ".git",
        layout::Layout::Gatewalk.dir(),
        layout::Layout::Specfuse.dir(),
    ];
    let mut names: Vec<String> = entries
        .filter_map(std::result::Result::ok)
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let slash = if entry.file_type().is_ok_and(|t| t.is_dir()) {
                "/"
            } else {
                ""
            };
            (!ours.contains(&name.as_str())).then(|| format!("{directory}{name}{slash}"))
        })
        .collect();
    names.sort();
    names.truncate(MAX_PATHS);
    let item = |name: &String| CompletionItem::plain(FILE, name, "");
    names.iter().map(item).collect()
}
