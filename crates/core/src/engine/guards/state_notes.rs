//! The files of the state directory that a unit may declare as its work.

use crate::model::layout::Layout;

/// Returns whether a unit may declare a file of the state directory as its work: a note beside a
/// plan, never what steers the driver or its sessions.
pub(crate) fn may_be_declared(layout: Layout, path: &str) -> bool {
    let Some(inside) = path
        .strip_prefix(layout.dir())
        .and_then(|rest| rest.strip_prefix('/'))
    else {
        return false;
    };
    let (name, folder) = match inside.rsplit_once('/') {
        Some((folder, name)) => (name, folder),
        None => (inside, ""),
    };
    let name = name.to_lowercase();
    let steers = ["plan.md", "retrospective.md"].contains(&&*name)
        || ["gate-", "wu-"].iter().any(|head| name.starts_with(head));
    let is_note = name.ends_with(".md") || name.ends_with(".txt");
    let in_feature = folder.starts_with("features/") && folder.matches('/').count() >= 1;
    in_feature && is_note && !steers && !path.contains(['*', '?', '[', '{'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_beside_a_plan_may_be_declared_and_nothing_that_steers_a_run() {
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
            (".gatewalk/LEARNINGS.md", false),
            (".gatewalk/verification.yml", false),
            (".specfuse/features/FEAT-2026-0001-x/DESIGN.md", false),
            ("docs/a.md", false),
        ] {
            assert_eq!(may_be_declared(Layout::Gatewalk, path), want, "{path}");
        }
    }
}
