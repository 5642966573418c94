//! What is wrong with a file because something else is: left out, so that the cause is what is read.

use crate::diagnostic::{Diagnostic, Severity, Span};
use crate::model::layout;
use crate::path_names::parent;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How much of what else is found in a file a finding explains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Explains {
    /// Guesses about keys, values and what they would say.
    Meaning,
    /// Everything else in its file.
    All,
}

/// Returns what a finding explains of the others in its file.
fn explains(finding: &Diagnostic) -> Option<Explains> {
    match finding.code {
        "GW101" | "GW102" | "GW103" => Some(Explains::Meaning),
        "GW124" => Some(Explains::All),
        "GW112" if finding.primary.span == (0..0) => Some(Explains::All),
        _ => None,
    }
}

/// Findings that say nothing where the file's YAML was not read.
fn is_about_meaning(finding: &Diagnostic) -> bool {
    let form = [
        "GW101", "GW102", "GW103", "GW111", "GW112", "GW113", "GW114", "GW124",
    ];
    // What a key says that was not read is unknown, and so is whether it is there.
    let kept = form.contains(&finding.code)
        || matches!(&finding.code[..3], "GW4" | "GW7") && finding.code != "GW715";
    !kept
}

/// What units are found to lack where the sets of commands were not read: none at all, one they name, a command of one.
const ABOUT_SETS: [&str; 3] = ["GW601", "GW605", "GW616"];

/// A file of a unit, or its line in the graph, that was not read: what it would cover is unknown.
const UNREAD: [&str; 6] = ["GW101", "GW102", "GW103", "GW112", "GW124", "GW306"];

/// Drops what follows from an error elsewhere: in a unit's file, in the graph, in `verification.yml`.
fn drop_what_other_files_explain(found: &mut Vec<Diagnostic>) {
    let errors = || found.iter().filter(|f| f.severity == Severity::Error);
    let paths = |is_cause: &dyn Fn(&Diagnostic) -> bool| -> BTreeSet<Arc<str>> {
        let causes = errors().filter(|finding| is_cause(finding));
        causes.map(|f| f.primary.path.clone()).collect()
    };
    let unread = paths(&|f| UNREAD.contains(&f.code) || is_about_the_graphs_keys(f));
    let unread: BTreeSet<String> = unread.iter().map(|p| parent(p).to_owned()).collect();
    let misread_graphs = paths(&is_about_the_graphs_keys);
    let no_sets = paths(&|f| {
        let in_sets = f.primary.path.ends_with(layout::VERIFICATION);
        let misnamed = f.code == "GW622" && f.fix.is_some();
        in_sets && (matches!(f.code, "GW106" | "GW107" | "GW128") || misnamed)
    });
    let misplaced: Vec<(Arc<str>, Span)> = errors()
        .filter(|f| f.code == "GW702")
        .map(|f| (f.primary.path.clone(), f.primary.span.clone()))
        .collect();
    let misnamed: BTreeSet<String> = errors()
        .filter(|f| matches!(f.code, "GW306" | "GW702"))
        .filter_map(|f| {
            let meant = &f.fix.as_ref()?.edits.first()?.text;
            Some(format!("{}/{meant}", parent(&f.primary.path)))
        })
        .collect();
    found.retain(|finding| {
        let path = &finding.primary.path;
        let plan = || format!("{}/{}", parent(path), layout::PLAN);
        let in_misread_graph = || misread_graphs.contains(&*plan());
        !match finding.code {
            "GW613" => unread.contains(parent(path)),
            "GW601" => !no_sets.is_empty(),
            "GW309" => in_misread_graph(),
            "GW313" => in_misread_graph() || misnamed.contains(&**path),
            "GW306" => misplaced.contains(&(path.clone(), finding.primary.span.clone())),
            _ => false,
        }
    });
}

/// Returns whether a key of the graph was not read: the gates and units below it are not there then.
fn is_about_the_graphs_keys(finding: &Diagnostic) -> bool {
    let plan = finding.primary.path.rsplit('/').next() == Some(layout::PLAN);
    let is_an_item = || finding.message.starts_with("`work_units`");
    plan && (matches!(finding.code, "GW105" | "GW106") || finding.code == "GW107" && is_an_item())
}

/// Drops what follows from an unreadable file: what is guessed of its keys, of a plan's files that its graph would
/// name, and of the commands that units ask for.
pub(super) fn drop_consequences(found: &mut Vec<Diagnostic>) {
    let mut causes: BTreeMap<Arc<str>, Explains> = BTreeMap::new();
    for finding in found.iter() {
        if let Some(explains) = explains(finding) {
            let known = causes.entry(finding.primary.path.clone());
            let known = known.or_insert(explains);
            *known = explains.max(*known);
        }
    }
    drop_what_other_files_explain(found);
    if causes.is_empty() {
        return;
    }
    let plan_beside =
        |path: &str| causes.contains_key(&*format!("{}/{}", parent(path), layout::PLAN));
    let no_sets = causes.keys().any(|path| {
        let name = path.rsplit_once('/').map(|(_, name)| name);
        name == Some(layout::VERIFICATION)
    });
    found.retain(|finding| {
        if no_sets && ABOUT_SETS.contains(&finding.code) {
            return false;
        }
        let orphan = finding.code == "GW313" && plan_beside(&finding.primary.path);
        !orphan
            && match causes.get(&finding.primary.path) {
                Some(Explains::All) => explains(finding) == Some(Explains::All),
                Some(Explains::Meaning) => !is_about_meaning(finding),
                None => true,
            }
    });
}
