//! What changed in armed units since they were armed, as lines to read.

use gatewalk_core::engine::contract;
use gatewalk_core::engine::top_path::top_path;
use gatewalk_core::error::Result;
use gatewalk_core::model::feature::PlannedUnit;
use gatewalk_core::model::layout;
use gatewalk_core::model::unit::Unit;
use gatewalk_core::model::workspace::{FileSet, Workspace};
use gatewalk_host::git::GitPath;
use gatewalk_host::state_repository::{Repository, Selected};
use std::sync::Arc;

/// How many changes of a unit and its plan are looked through for the version that was armed.
const LOOKED_THROUGH: usize = 200;

/// Most lines that are shown of one difference.
const SHOWN_LINES: usize = 20;

/// A unit that is not what was armed.
#[derive(serde::Serialize)]
pub(crate) struct ContractChange {
    pub(crate) unit: String,
    /// The lines that went, behind `- `, and those that came, behind `+ `.
    pub(crate) lines: Vec<String>,
}

/// Returns the units of a feature that wait for a session and are not what was armed, each with the difference.
pub(crate) fn of_feature(repository: &Repository, selected: &Selected) -> Vec<ContractChange> {
    let feature = selected.feature();
    let changed = contract::changed(feature);
    let change = |(member, armed): &(_, String)| {
        let member: &PlannedUnit<'_> = member;
        let unit = member.unit?;
        let now = contract::text(feature, member);
        // What cannot be read is only not shown.
        let before = armed_text(repository, selected, (member, armed))
            .ok()
            .flatten();
        let lines = match before {
            Some(before) => shorten(contract::difference(&before, &now)),
            None => vec![format!(
                "(the version that was armed was not found: git log -p -- {})",
                top_path(unit.path())
            )],
        };
        Some(ContractChange {
            unit: member.id().to_owned(),
            lines,
        })
    };
    changed.iter().filter_map(change).collect()
}

/// Looks for the text of a unit's contract as it was armed in the history of its file and its plan.
fn armed_text(
    repository: &Repository,
    selected: &Selected,
    (member, armed): (&PlannedUnit<'_>, &str),
) -> Result<Option<String>> {
    let feature = selected.feature();
    let gate = feature.gate(member.gate).map(|gate| &gate.doc.path);
    let unit = member.unit.map(Unit::path);
    let plan: Arc<str> = format!("{}/{}", selected.dir, layout::PLAN).into();
    let git = &repository.git;
    let paths: Vec<GitPath> = [Some(&plan), unit, gate]
        .into_iter()
        .flatten()
        .map(|path| GitPath::new(path.as_bytes()))
        .collect();
    for commit in git.commits_touching(selected.commit, &paths, LOOKED_THROUGH)? {
        let mut files = FileSet::new();
        for path in &paths {
            if let Some(bytes) = git.file_at(commit, path)? {
                files.insert(path.to_string(), bytes.into());
            }
        }
        let old = Workspace::parse(repository.layout, &files);
        let Some(old) = old.feature_in(&selected.dir) else {
            continue;
        };
        let was = old.member(member.id()).filter(|m| m.unit.is_some());
        if let Some(was) = was.filter(|was| contract::is_as(armed, old, was)) {
            return Ok(Some(contract::text(old, &was)));
        }
    }
    Ok(None)
}

fn shorten(mut lines: Vec<String>) -> Vec<String> {
    if lines.len() > SHOWN_LINES {
        let more = lines.len() - SHOWN_LINES;
        lines.truncate(SHOWN_LINES);
        lines.push(format!("… and {more} more lines"));
    }
    lines
}
