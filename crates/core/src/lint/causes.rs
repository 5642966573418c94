//! What is wrong with a file because something else is: left out, so that the cause is what is read.

use crate::diagnostic::Diagnostic;
use crate::model::layout;
use std::collections::BTreeMap;
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
    if causes.is_empty() {
        return;
    }
    let plan_beside = |path: &str| {
        let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
        causes.contains_key(&*format!("{directory}/{}", layout::PLAN))
    };
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
