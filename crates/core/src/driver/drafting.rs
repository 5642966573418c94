//! Drafting a feature: one session after another in a slot until the linter has nothing to refuse,
//! or the tries are used. What every session leaves is pinned before it is looked at.

pub use super::draft_session::{DraftAssignment, Drafted};
use super::draft_session::{DraftLook, DraftMap, DraftSessions, DraftSubject};
use super::driver_event::Watcher;
use super::ports::{History, Machine, TreeWrite};
use crate::engine::evidence::{counted, sanitize};
use crate::engine::feature_draft::{self, DraftInput};
use crate::engine::proposed_touches;
use crate::error::{Error, Result};
use crate::lint;
use crate::model::edit::FileEdits;
use crate::model::feature::Feature;
use crate::model::layout::{self, Layout};
use crate::model::workspace::Workspace;
use crate::object_id::ObjectId;
use crate::path_names::file_name;
use std::time::Duration;

/// Most findings that a retry is given.
const FINDINGS: usize = 40;

/// A feature that is to be drafted.
pub struct FeatureTask<'a> {
    /// Which, and by whom.
    pub assignment: DraftAssignment<'a>,
    /// Which state directory the project has.
    pub layout: Layout,
    /// The prepared files, the roadmap included.
    pub prepared: &'a [(String, String)],
}

fn as_write((path, text): &(String, String)) -> TreeWrite {
    (path.clone(), Some(text.as_bytes().into()))
}

/// Drafts a feature, its files and the roadmap with its row: runs sessions until the linter refuses nothing.
pub fn run(
    machine: &dyn Machine,
    watcher: &dyn Watcher,
    task: &FeatureTask<'_>,
) -> Result<Drafted<FileEdits>> {
    let draft = DraftRun::begin(machine, task)?;
    let sessions = DraftSessions {
        machine,
        watcher,
        what: "Draft",
        assignment: &task.assignment,
        timeout: Duration::from_secs(60 * 60),
    };
    sessions.until_taken(&draft, draft.prepared_tree)
}

/// One feature being drafted.
struct DraftRun<'a> {
    machine: &'a dyn Machine,
    task: &'a FeatureTask<'a>,
    prepared_tree: ObjectId,
    prepared: Workspace,
    map: DraftMap,
}

impl<'a> DraftRun<'a> {
    fn begin(machine: &'a dyn Machine, task: &'a FeatureTask<'a>) -> Result<DraftRun<'a>> {
        let base_tree = machine.tree_of(&task.assignment.base)?;
        let edits: Vec<TreeWrite> = task.prepared.iter().map(as_write).collect();
        let prepared_tree = machine.edit_tree(&base_tree, &edits)?;
        let prepared = workspace(machine, task, &prepared_tree)?;
        Ok(DraftRun {
            machine,
            task,
            prepared_tree,
            prepared,
            map: task.assignment.map(machine, &base_tree)?,
        })
    }

    /// Returns everything that is wrong with what a session left.
    fn findings(&self, tree: &ObjectId) -> Result<Vec<String>> {
        let task = self.task;
        let own = format!("{}/", task.assignment.dir);
        let outside: Vec<String> = self
            .machine
            .diff(&self.prepared_tree, tree)?
            .into_iter()
            .map(|c| c.path)
            .filter(|p| !p.starts_with(&own))
            .collect();
        let after = workspace(self.machine, task, tree)?;
        let Some(drafted) = feature_of(&after, task) else {
            return Ok(vec![format!("`{}/PLAN.md` is gone", task.assignment.dir)]);
        };
        let mut wrong = feature_draft::look(feature(&self.prepared, task)?, drafted, &outside);
        let errors = lint::feature_errors(&after, drafted);
        wrong.extend(errors.iter().map(|d| {
            let file = file_name(&d.primary.path);
            sanitize(&format!("{file}: {} {}", d.code, d.message))
        }));
        wrong.truncate(FINDINGS);
        Ok(wrong)
    }
}

impl DraftSubject for DraftRun<'_> {
    type Draft = FileEdits;

    fn prompt(&self, tree: &ObjectId, findings: &[String]) -> Result<String> {
        let now = workspace(self.machine, self.task, tree)?;
        let prompt = feature_draft::prompt(&DraftInput {
            workspace: &self.prepared,
            feature: feature_of(&now, self.task).unwrap_or(feature(&self.prepared, self.task)?),
            source: self.task.assignment.source,
            map: &self.map.text,
            findings,
        });
        Ok(prompt.text())
    }

    fn look(&self, tree: &ObjectId) -> Result<DraftLook<FileEdits>> {
        let findings = self.findings(tree)?;
        Ok(match findings.first() {
            None => DraftLook::Taken(files((self.machine, self.task), tree, &self.map.paths)?),
            Some(first) => DraftLook::Not {
                note: format!(
                    "the draft has {}: {first}",
                    counted(findings.len(), "finding")
                ),
                findings,
            },
        })
    }
}

fn workspace(history: &dyn History, task: &FeatureTask<'_>, tree: &ObjectId) -> Result<Workspace> {
    Ok(Workspace::parse(
        task.layout,
        &history.state_files(tree, task.layout)?,
    ))
}

fn feature_of<'w>(workspace: &'w Workspace, task: &FeatureTask<'_>) -> Option<&'w Feature> {
    workspace.feature_in(task.assignment.dir)
}

fn feature<'w>(workspace: &'w Workspace, task: &FeatureTask<'_>) -> Result<&'w Feature> {
    feature_of(workspace, task).ok_or_else(|| Error::internal("the prepared feature is not there"))
}

/// Returns the drafted directory's files and the prepared roadmap. A unit that does not say what it touches is given a
/// proposal: `paths` are those of the repository.
fn files(
    (history, task): (&dyn History, &FeatureTask<'_>),
    tree: &ObjectId,
    paths: &[String],
) -> Result<FileEdits> {
    let own = format!("{}/", task.assignment.dir);
    let drafted = history.state_files(tree, task.layout)?;
    let mut files: FileEdits = drafted
        .iter()
        .filter(|(path, _)| path.starts_with(&own))
        .map(|(path, bytes)| {
            let text = String::from_utf8_lossy(bytes).into_owned();
            let name = file_name(path);
            let proposed = layout::is_unit_file(name)
                .then(|| proposed_touches::into_unit(&text, paths))
                .flatten();
            (path.clone(), proposed.unwrap_or(text))
        })
        .collect();
    let roadmap = task.layout.path(layout::ROADMAP);
    files.extend(task.prepared.iter().filter(|(p, _)| *p == roadmap).cloned());
    Ok(files)
}
