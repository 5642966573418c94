//! PURE. Task lists of other tools as outlines: what a tool's files say goes into the pages word for word, as quotes; what has no
//! place in a plan is listed. Nothing is dropped without a word.
//!
//! A format is a file and a row in its table. Deliberately not here: reading files, ids, and judging the plan, which the linter
//! does.

mod backlog_tasks;
mod bmad_stories;
mod checklist;
mod open_spec;
mod spec_kit;
mod task_master;

use super::plan_outline::PlanOutline;
use crate::error::{Error, Result};
use crate::model::status_machine::words;

/// The most units of one feature: closing ones are numbered from 90.
const MOST: usize = 89;

/// A tool whose files are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportFormat {
    /// `tasks.md` of spec-kit.
    SpecKit,
    /// The task files of Backlog.md.
    Backlog,
    /// `tasks.json` of task-master.
    TaskMaster,
    /// A change of OpenSpec: `proposal.md`, `tasks.md`, `specs/`.
    OpenSpec,
    /// The story files of BMAD.
    Bmad,
    /// A list with boxes to tick.
    Checklist,
}

words!(ImportFormat {
    "spec-kit" => ImportFormat::SpecKit,
    "backlog" => ImportFormat::Backlog,
    "task-master" => ImportFormat::TaskMaster,
    "openspec" => ImportFormat::OpenSpec,
    "bmad" => ImportFormat::Bmad,
    "checklist" => ImportFormat::Checklist,
});

/// A file to import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// Its path, as the user named it.
    pub path: String,
    /// The whole file, as it was read.
    pub text: String,
}

/// Something that did not become a unit, or not all of it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct LeftOut {
    /// The file, and where in it.
    pub place: String,
    /// The words that were left out.
    pub text: String,
    /// Why it was left out.
    pub why: String,
}

/// A plan as another tool's files have it, and what did not fit ours.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ImportedPlan {
    /// The feature that becomes of it.
    pub outline: PlanOutline,
    /// What has no place in it.
    pub left_out: Vec<LeftOut>,
    /// The files that became no unit and are quoted in the plan, whole or in part.
    pub quoted: Vec<String>,
}

impl ImportedPlan {
    fn leave_out(&mut self, place: impl Into<String>, text: &str, why: &str) {
        self.left_out.push(LeftOut {
            place: place.into(),
            text: text.trim().to_owned(),
            why: why.to_owned(),
        });
    }

    /// Adds what belongs to the whole, under the name of its file.
    fn quote(&mut self, file: &SourceFile, text: &str) {
        if !text.trim().is_empty() {
            let all = &mut self.outline.text;
            if !all.is_empty() {
                all.push_str("\n\n");
            }
            all.push_str(&format!("{}:\n\n{}", file.path, text.trim_end()));
            self.quoted.push(file.path.clone());
        }
    }
}

/// Returns the tool that wrote some files.
pub fn detect(files: &[SourceFile]) -> Option<ImportFormat> {
    let named = |name: &str| {
        files
            .iter()
            .find(|f| f.path.rsplit('/').next() == Some(name))
    };
    let any = |test: &dyn Fn(&SourceFile) -> bool| files.iter().any(test);
    if any(&|f| f.path.ends_with(".json") && f.text.contains("\"tasks\"")) {
        return Some(ImportFormat::TaskMaster);
    }
    if named("proposal.md").is_some() && named("tasks.md").is_some() {
        return Some(ImportFormat::OpenSpec);
    }
    if any(&|f| spec_kit::is_one(&f.text)) {
        return Some(ImportFormat::SpecKit);
    }
    if any(&|f| backlog_tasks::is_one(&f.text)) {
        return Some(ImportFormat::Backlog);
    }
    if any(&|f| bmad_stories::is_one(&f.text)) {
        return Some(ImportFormat::Bmad);
    }
    any(&|f| checklist::is_one(&f.text)).then_some(ImportFormat::Checklist)
}

/// Reads the files of a tool.
///
/// Fails as a fault of the plan where no task is open, more are than a feature takes, or the tool's file cannot be read.
pub fn read(format: ImportFormat, files: &[SourceFile]) -> Result<ImportedPlan> {
    let mut plan = match format {
        ImportFormat::SpecKit => spec_kit::read(files),
        ImportFormat::Backlog => backlog_tasks::read(files),
        ImportFormat::TaskMaster => task_master::read(files)?,
        ImportFormat::OpenSpec => open_spec::read(files)?,
        ImportFormat::Bmad => bmad_stories::read(files),
        ImportFormat::Checklist => checklist::read(files),
    };
    let count = plan.outline.units.len();
    if count == 0 {
        return Err(nothing_open(format, &plan));
    }
    if count > MOST {
        let many = format!("{count} open tasks are more than the {MOST} units of one feature");
        return Err(Error::plan(many)
            .hint(in_parts(files))
            .hint("nothing was written"));
    }
    let outline = &mut plan.outline;
    outline.source = match files {
        [one] => one.path.clone(),
        many => format!("{} files of {format}", many.len()),
    };
    if outline.title.trim().is_empty() {
        outline.title = format!("Imported from {}", outline.source);
    }
    if outline.goal.trim().is_empty() {
        outline.goal = format!("Every task of \"{}\" is done.", outline.title.trim());
    }
    Ok(plan)
}

fn nothing_open(format: ImportFormat, plan: &ImportedPlan) -> Error {
    let error = Error::plan(format!("no open task was found, read as {format}"));
    let error = match (plan.left_out.len(), format) {
        (0, ImportFormat::SpecKit | ImportFormat::OpenSpec | ImportFormat::Checklist) => error
            .hint("a task is an item of a list with a box: `- [ ] …`")
            .hint("`--format` names the tool"),
        (0, _) => error.hint("`--format` names the tool"),
        (done, _) => error.hint(format!(
            "all {done} were left out, such as those that are done: their boxes, or their status, say so"
        )),
    };
    error.hint("nothing was written")
}

/// How a list that is too long is imported in parts: the sections of the only file, with the tasks that are open in them.
fn in_parts(files: &[SourceFile]) -> String {
    let [file] = files else {
        return "import them in parts: name the files of one part".to_owned();
    };
    let list = checklist::items(&file.text);
    let mut sections: Vec<(&str, usize)> = Vec::new();
    for item in list.items.iter().filter(|item| item.over.is_none()) {
        match sections.last_mut() {
            Some((section, count)) if *section == item.section => *count += 1,
            _ => sections.push((&item.section, 1)),
        }
    }
    let named = sections.iter().filter(|(section, _)| !section.is_empty());
    let largest = named.max_by_key(|(_, count)| *count);
    let example = largest.map(|(section, count)| format!(", such as `{section}` ({count} tasks)"));
    format!(
        "import it in parts: copy one into a file of its own{}, and name that file",
        example.unwrap_or_default()
    )
}

/// Returns the first heading of level one.
fn heading(text: &str) -> Option<&str> {
    text.lines()
        .find_map(|line| line.strip_prefix("# "))
        .map(str::trim)
}

/// Returns whether a status means that nothing is left to do: by its first word, whatever marks stand around it.
fn is_over(status: &str) -> bool {
    let mut words = status.split(|c: char| !c.is_alphanumeric());
    let first = words.find(|word| !word.is_empty()).unwrap_or_default();
    matches!(
        first.to_lowercase().as_str(),
        "done"
            | "complete"
            | "completed"
            | "closed"
            | "archived"
            | "cancelled"
            | "canceled"
            | "deferred"
            | "obsolete"
    )
}

/// Returns the units that a list of places stands for, where some places are of tasks that were left out.
fn present(after: &[usize], places: &[Option<usize>]) -> Vec<usize> {
    let mut units: Vec<usize> = after
        .iter()
        .filter_map(|at| places.get(*at).copied().flatten())
        .collect();
    units.sort_unstable();
    units.dedup();
    units
}

#[cfg(test)]
mod tests;
