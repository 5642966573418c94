//! The user's own git hooks: which judge, and which nothing here runs.

use super::DoctorCheck;
use gatewalk_core::model::config::HookPolicy;
use gatewalk_host::git::Git;
use serde_json::json;

/// The hook that may refuse that a branch moves.
const GUARD: &str = "reference-transaction";

/// Returns what becomes of the user's hooks; nothing where there are none.
pub(super) fn check(git: &Git, policy: HookPolicy) -> Option<DoctorCheck> {
    let hooks = git.own_hooks();
    if hooks.judges.is_empty() && hooks.passed_over.is_empty() {
        return None;
    }
    let judges = hooks.judges.join(", ");
    let judged = match policy {
        _ if hooks.judges.is_empty() => "none of yours judges".to_owned(),
        HookPolicy::Run => format!("part of verification: {judges}"),
        HookPolicy::Skip => format!("left out by `hooks: skip`: {judges}"),
    };
    let message = match &hooks.passed_over[..] {
        [] => judged,
        others => format!("{judged}; not run at a landing: {}", others.join(", ")),
    };
    let check = match hooks.passed_over.contains(&GUARD) {
        false => DoctorCheck::ok("hooks", message),
        true => DoctorCheck::warn(
            "hooks",
            message,
            "what it must not let by, let a command of verification.yml or `pre-commit` refuse",
        ),
    };
    Some(check.with(json!({"judge": hooks.judges, "not_run": hooks.passed_over})))
}
