//! The files of the state directory that a unit may declare as its work.

use crate::model::layout::{self, Layout};
use crate::path_names::below;

/// Returns whether a unit may declare a file of the state directory as its work: a note beside a
/// plan, or what the project keeps there for itself; never what steers the driver or its sessions.
pub(crate) fn may_be_declared(layout: Layout, path: &str) -> bool {
    let Some(inside) = below(path, layout.dir()) else {
        return false;
    };
    if path.contains(['*', '?', '[', '{']) {
        return false;
    }
    let (top, rest) = inside.split_once('/').unwrap_or((inside, ""));
    match top.to_lowercase().as_str() {
        layout::FEATURES => is_note_of_a_feature(rest),
        top => !layout::READ_BY_RUNS
            .iter()
            .any(|name| name.eq_ignore_ascii_case(top)),
    }
}

/// Returns whether a path below the features' directory is prose in one of theirs, and no part of its plan.
fn is_note_of_a_feature(path: &str) -> bool {
    let Some((_, name)) = path.rsplit_once('/') else {
        return false;
    };
    let name = name.to_lowercase();
    let steers = ["plan.md", "retrospective.md"].contains(&&*name)
        || ["gate-", "wu-"].iter().any(|head| name.starts_with(head));
    !steers && (name.ends_with(".md") || name.ends_with(".txt"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_and_the_projects_own_files_may_be_declared_and_nothing_that_steers_a_run() {
        for (path, want) in [
            (".gatewalk/features/FEAT-2026-0001-x/DESIGN.md", true),
            (".gatewalk/features/FEAT-2026-0001-x/notes/a.txt", true),
            (".gatewalk/features/FEAT-2026-0001-x/PLAN.md", false),
            (".gatewalk/features/FEAT-2026-0001-x/Gate-02.md", false),
            (
                ".gatewalk/features/FEAT-2026-0001-x/GATE-02-REVIEW.md",
                false,
            ),
            (".gatewalk/features/FEAT-2026-0001-x/WU-01-a.md", false),
            (
                ".gatewalk/features/FEAT-2026-0001-x/RETROSPECTIVE.md",
                false,
            ),
            (".gatewalk/features/FEAT-2026-0001-x/events.jsonl", false),
            (".gatewalk/features/FEAT-2026-0001-x/*.md", false),
            (".gatewalk/features/a.md", false),
            (".gatewalk/rules/scope.md", false),
            (".gatewalk/Rules/scope.md", false),
            (".gatewalk/rules-local/own.md", false),
            (".gatewalk/templates/WU.md", false),
            (".gatewalk/Verification.yml", false),
            (".gatewalk/config.yml", false),
            (".gatewalk/roadmap.md", false),
            (".gatewalk/manifest.json", false),
            (".gatewalk", false),
            (".gatewalk/checks/links.py", true),
            (".gatewalk/monitoring.yml.example", true),
            (".gatewalk/checks/*.py", false),
            (".gatewalk/LEARNINGS.md", false),
            (".gatewalk/verification.yml", false),
            (".specfuse/features/FEAT-2026-0001-x/DESIGN.md", false),
            ("docs/a.md", false),
        ] {
            assert_eq!(may_be_declared(Layout::Gatewalk, path), want, "{path}");
        }
    }
}
