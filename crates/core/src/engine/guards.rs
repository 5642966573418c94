//! What a diff must and must not hold. All of it is free: it runs before any command.

mod control_plane;
mod glob_overlap;
mod guarded_unit;
pub(crate) mod idle_attributes;
pub(crate) mod marked_comments;
mod path_globs;
mod spelling;
mod state_notes;

pub(crate) use self::control_plane::CONTROL_PLANE;
pub use self::control_plane::is_control;
use self::control_plane::{CONTROL_SET, replaces_control_directory};
pub use self::glob_overlap::overlap;
pub use self::guarded_unit::Subject;
pub use self::path_globs::{PathGlobs, glob, matches, set};
pub(crate) use self::path_globs::{PathPattern, exact_set};
use self::spelling::{folded, misleads};
pub(crate) use self::state_notes::may_be_declared;
use super::evidence::one_line;
use super::failure_class::FailureClass;
use super::plan_revision::PlanRevision;
use crate::engine::changed_file::{ChangedPath, ChangedPathKind};
use crate::model::unit::Unit;
use crate::path_names::file_name;

/// A guard that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// What kind of failure an attempt with it is.
    pub class: FailureClass,
    /// What is wrong, for the next session and the user.
    pub message: String,
    /// The paths it is about; empty where it is about none.
    pub paths: Vec<String>,
}

/// What the guards find in a diff.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// What fails the attempt.
    pub(crate) violations: Vec<Violation>,
    /// What is unusual, although it does not fail the attempt: it holds the gate until the user has seen it.
    pub(crate) notices: Vec<String>,
    /// What the user may want to see, and what holds nothing.
    pub(crate) shown: Vec<String>,
    /// What a planner did to what had been planned before.
    pub(crate) revisions: Vec<PlanRevision>,
}

/// Looks at a diff. Edits of the unit's own file are not in it: they are put back beforehand.
pub(crate) fn inspect(subject: &Subject<'_>, changes: &[ChangedPath], history_ok: bool) -> Report {
    let mut report = Report::default();
    let changes: Vec<&ChangedPath> = changes
        .iter()
        .filter(|c| !subject.is_driver_file(&c.path))
        .collect();
    if !history_ok {
        report.violations.push(Violation {
            class: FailureClass::HistoryRewritten,
            message: "the slot's history no longer descends from its base commit".to_owned(),
            paths: vec![],
        });
    }
    if changes.is_empty() {
        report.violations.push(Violation {
            class: FailureClass::EmptyDiff,
            message: "the session changed nothing; a unit's work must be in its diff".to_owned(),
            paths: vec![],
        });
        return report;
    }
    control_plane(subject, &changes, &mut report);
    submodules(&changes, &mut report);
    kept_out(subject, &changes, &mut report);
    deliverables(subject, &changes, &mut report);
    look_alikes(&changes, &mut report);
    prose_for_agents(&changes, &mut report);
    report
}

fn control_plane(subject: &Subject<'_>, changes: &[&ChangedPath], report: &mut Report) {
    let front = &subject.unit.front;
    let mut declared = Unit::list(&front.touches_control_plane);
    let named = exact_set(&declared);
    declared.extend(Unit::list(&front.produces));
    let declared = exact_set(&declared);
    let protect = set(subject.protect);
    let state = format!("{}/", subject.layout.dir());
    let (mut refused, mut shown, mut idle_ones) = (Vec::new(), Vec::new(), Vec::new());
    for change in changes {
        let path = folded(&change.path);
        let idle = change.regular && subject.idle_attributes.contains(&change.path);
        let guarded = CONTROL_SET.is_match(&path) && !idle
            || protect.is_match(&path)
            || !change.regular && replaces_control_directory(&path);
        if !guarded {
            idle_ones.extend(idle.then(|| change.path.clone()));
            continue;
        }
        // Only what may be declared opens in a state directory, and only where its name is written exactly.
        if path.starts_with(".gatewalk") || path.starts_with(".specfuse") {
            let exact = change.path.starts_with(&state);
            let plain = change.regular || change.kind == ChangedPathKind::Deleted;
            let opened =
                named.is_match(&change.path) && may_be_declared(subject.layout, &change.path);
            if !exact || !plain || !opened && !subject.may_write(&change.path) {
                refused.push(change.path.clone());
            } else if opened {
                shown.push(change.path.clone());
            }
        } else if declared.is_match(&change.path) {
            shown.push(change.path.clone());
        } else {
            refused.push(change.path.clone());
        }
    }
    if !refused.is_empty() {
        report.violations.push(Violation {
            class: FailureClass::OracleModified,
            message:
                "the attempt changed files that decide how work is judged; leave them as they are, or have a user name them under `touches_control_plane` in the unit"
                    .to_owned(),
            paths: refused,
        });
    }
    if !idle_ones.is_empty() {
        report.shown.push(format!(
            "git attributes by which pages alone show files: {}",
            idle_ones.join(", ")
        ));
    }
    if !shown.is_empty() {
        report.shown.push(format!(
            "declared control-plane change: {}",
            shown.join(", ")
        ));
    }
}

/// Refuses what cannot land: a session's change in a submodule would have to be a commit there first.
fn submodules(changes: &[&ChangedPath], report: &mut Report) {
    // Who changes `.gitmodules` moves or removes a submodule, which is a change of this repository.
    if changes.iter().any(|c| c.path == ".gitmodules") {
        return;
    }
    let places: Vec<String> = changes
        .iter()
        .filter(|c| c.kind == ChangedPathKind::Submodule)
        .map(|c| c.path.clone())
        .collect();
    if !places.is_empty() {
        report.violations.push(Violation {
            class: FailureClass::SubmoduleChanged,
            message: "files of a submodule changed, and a run cannot commit in a submodule: leave it as it is. Its change belongs in its own repository, and the new commit of it into a commit of yours"
                .to_owned(),
            paths: places,
        });
    }
}

fn kept_out(subject: &Subject<'_>, changes: &[&ChangedPath], report: &mut Report) {
    let front = &subject.unit.front;
    let state = format!("{}/", subject.layout.dir());
    let product = changes
        .iter()
        .filter(|c| !c.path.starts_with(&state))
        .map(|c| c.path.clone());
    let forbidden = set(&Unit::list(&front.do_not_touch));
    let inside: Vec<_> = product.filter(|p| forbidden.is_match(p)).collect();
    if !inside.is_empty() {
        report.violations.push(Violation {
            class: FailureClass::OutOfScope,
            message: "the unit's `do_not_touch` covers these".to_owned(),
            paths: inside,
        });
    }
}

/// Returns whether a path is what `produces` names. A name with an ending is a file, never a directory of files.
pub(crate) fn delivers(pattern: &str, path: &str) -> bool {
    let name = file_name(pattern);
    let is_file =
        name.trim_start_matches('.').contains('.') && !pattern.contains(['*', '?', '[', '{']);
    match is_file {
        true => pattern.strip_prefix("./").unwrap_or(pattern) == path,
        false => matches(pattern, path),
    }
}

fn deliverables(subject: &Subject<'_>, changes: &[&ChangedPath], report: &mut Report) {
    let there = |pattern: &str| {
        changes
            .iter()
            .any(|c| c.kind != ChangedPathKind::Deleted && c.regular && delivers(pattern, &c.path))
    };
    let missing: Vec<String> = Unit::list(&subject.unit.front.produces)
        .into_iter()
        .filter(|pattern| !there(pattern))
        .map(str::to_owned)
        .collect();
    if !missing.is_empty() {
        report.violations.push(Violation {
            class: FailureClass::MissingDeliverable,
            message: "the unit's `produces` names files that are not in its diff as regular files"
                .to_owned(),
            paths: missing,
        });
    }
}

/// Returns paths that a reader, or another file system, takes for others.
fn look_alikes(changes: &[&ChangedPath], report: &mut Report) {
    let there = |c: &&&ChangedPath| c.kind != ChangedPathKind::Deleted;
    let odd: Vec<String> = changes
        .iter()
        .filter(there)
        .filter(|c| misleads(&c.path))
        .map(|c| one_line(&c.path))
        .collect();
    if !odd.is_empty() {
        report.notices.push(format!(
            "paths that are not what they look like: {}",
            odd.join(", ")
        ));
    }
}

/// Shows changes of what later sessions are told as they start.
fn prose_for_agents(changes: &[&ChangedPath], report: &mut Report) {
    const NAMES: [&str; 7] = [
        "agents.md",
        "agents.override.md",
        "claude.md",
        "claude.local.md",
        "gemini.md",
        "qwen.md",
        "warp.md",
    ];
    let is_prose = |path: &str| {
        let name = file_name(path).to_lowercase();
        NAMES.contains(&&*name)
    };
    let paths = changes.iter().map(|c| c.path.as_str());
    let found: Vec<String> = paths.filter(|p| is_prose(p)).map(one_line).collect();
    if !found.is_empty() {
        report.shown.push(format!(
            "instructions that later sessions read changed: {}",
            found.join(", ")
        ));
    }
}

#[cfg(test)]
mod tests;
