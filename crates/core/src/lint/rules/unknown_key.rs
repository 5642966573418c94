//! `GW105`. See `unknown_key.md`.

use super::missing_key::is_misspelt;
use super::unknown_word::is_spelling_of;
use crate::diagnostic::Severity;
use crate::lint::context::{FileCx, FileKind};
use crate::lint::finding_sink::FindingSink;
use crate::model::frontmatter::{Note, NoteKind, Owner};
use crate::model::layout::Layout;

/// Keys that judge the work, bound it or its cost, or keep a decision with the user: misspelt, that is gone without a word.
const BOUNDS: [&str; 24] = [
    "checks",
    "extra_gates",
    "feature_oracle",
    "produces",
    "do_not_touch",
    "protect",
    "protected_tests",
    "budget_usd",
    "cost_budget_usd",
    "gate_budget_usd",
    "touches",
    "root",
    "base",
    "max_attempts",
    "timeout",
    "idle_timeout",
    "human_only",
    "autonomy_default",
    "auto_close_disabled",
    "armed_by",
    "sandbox",
    "network",
    "flaky",
    "sync",
];

/// The key of the graph that makes an edge.
const EDGES: &str = "depends_on";

/// Keys of the user's own configuration, which a repository's does not have: it must not say what runs on a machine.
const OF_THE_USER: [(&str, &str); 4] = [
    (
        "agents",
        "agents are defined in your own configuration only (`~/.config/gatewalk/config.yml`); here `agent` names one of them",
    ),
    (
        "runners",
        "runners are defined in your own configuration only (`~/.config/gatewalk/config.yml`)",
    ),
    (
        "notify",
        "notices are set up in your own configuration only (`~/.config/gatewalk/config.yml`)",
    ),
    (
        "sandbox_writable",
        "only your own configuration (`~/.config/gatewalk/config.yml`) opens more to sessions",
    ),
];

/// Returns what to do with a key that only the user's own configuration has.
fn of_the_user(file: &FileCx<'_>, note: &Note) -> Option<&'static str> {
    let found = OF_THE_USER.iter().find(|(key, _)| *key == note.key);
    found
        .filter(|_| file.kind == FileKind::Config)
        .map(|(_, help)| *help)
}

/// What commands of other tools are set up by, and how the same is written here.
const IN_THE_COMMAND: [(&[&str], &str); 2] = [
    (
        &["env", "environment"],
        "set it in the command itself: `NAME=value make test`",
    ),
    (
        &[
            "working-directory",
            "working_directory",
            "workdir",
            "cwd",
            "dir",
        ],
        "begin the command with it: `cd DIRECTORY && make test`",
    ),
];

/// Returns where a key is read that is not read here.
fn belongs_elsewhere(file: &FileCx<'_>, note: &Note) -> Option<String> {
    if note.meant().is_some() {
        return None;
    }
    let key = note.key.as_str();
    if file.kind == FileKind::Verification {
        let found = IN_THE_COMMAND
            .iter()
            .find(|(names, _)| names.contains(&key));
        return found.map(|(_, help)| (*help).to_owned());
    }
    if key == EDGES {
        return Some(
            "edges are in the graph of `PLAN.md` alone: write it there, in the unit's item"
                .to_owned(),
        );
    }
    let readers = [
        (FileKind::Plan, "`PLAN.md`"),
        (FileKind::Gate, "`GATE-NN.md`"),
        (FileKind::Unit, "a unit's file"),
        (FileKind::Config, "`config.yml`"),
    ];
    let reads = |(kind, _): &&(FileKind, &str)| {
        let found = kind.keys().iter().find(|known| known.name == key);
        found.is_some_and(|known| known.owner != Owner::Driver)
    };
    let others = readers.iter().filter(|(kind, _)| *kind != file.kind);
    let names: Vec<&str> = others.filter(reads).map(|(_, name)| *name).collect();
    (!names.is_empty()).then(|| format!("it is a key of {}", names.join(" and of ")))
}

pub(super) fn check(file: &FileCx<'_>, out: &mut FindingSink) {
    for (at, note) in file.notes.iter().enumerate() {
        let in_graph = match note.kind {
            NoteKind::UnknownKey => false,
            NoteKind::UnknownGraphKey => true,
            _ => continue,
        };
        let of_user = of_the_user(file, note);
        let near = note.meant().filter(|_| of_user.is_none());
        // Older drivers wrote keys of their own; theirs are kept and are nobody's mistake.
        let theirs = file.layout == Layout::Specfuse
            && near.is_none()
            && file.kind != FileKind::Verification;
        // Nobody means twenty thousand keys.
        let elsewhere = (at < 100).then(|| belongs_elsewhere(file, note)).flatten();
        let found = out
            .at(&file.path, note.span.clone(), &*note.message)
            .maybe_help(
                of_user
                    .map(str::to_owned)
                    .or(elsewhere)
                    .or_else(|| note.help.clone()),
            );
        let ours = file.layout == Layout::Gatewalk && !file.settled;
        // A misspelt key of the graph is a lost edge, and the units run in another order; so is an edge in a unit's own file.
        let loses_an_edge =
            near.is_some() && in_graph || ours && file.kind == FileKind::Unit && note.key == EDGES;
        let loses_a_bound = ours && near.is_some_and(|near| BOUNDS.contains(&near));
        let loses_its_key = !file.settled && near.is_some_and(|near| is_misspelt(file, near));
        let found = match (theirs, loses_an_edge || loses_a_bound || loses_its_key) {
            (true, _) => found.severity(Severity::Info),
            (_, true) => found.severity(Severity::Error),
            _ => found,
        };
        if let Some(near) = near {
            let front = file.doc.and_then(|doc| doc.front.as_ref());
            // A key that is there already would be there twice.
            let is_free = front.is_some_and(|front| {
                front.root.get(near).is_none() && front.root.get(&note.key).is_some()
            });
            let edits = vec![(note.span.clone(), near.to_owned())];
            let safe = is_free && is_spelling_of(&note.key, near);
            found.fix(format!("rename to `{near}`"), edits, safe);
        }
    }
}
