//! The state of a feature as one label on the issue it was drafted from. Best effort: a label that
//! cannot be set never fails what a user asked for.

use super::Context;
use super::issue_reference::parse_issue;
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::model::feature::Feature;
use gatewalk_core::model::status_machine::{FeatureStatus, GateStatus, UnitStatus};
use gatewalk_host::state_repository::Repository;
use gatewalk_host::user_tool;

/// How every label of ours begins.
const PREFIX: &str = "gatewalk:";

/// Every state that has a label.
const STATES: &[&str] = &[
    "planned",
    "active",
    "review",
    "needs-human",
    "blocked",
    "deferred",
    "done",
    "abandoned",
];

/// Returns the state of a feature as people see it on a board.
fn state(feature: &Feature) -> &'static str {
    match feature.plan.status() {
        FeatureStatus::Planned => "planned",
        FeatureStatus::Blocked => "blocked",
        FeatureStatus::Deferred => "deferred",
        FeatureStatus::Done => "done",
        FeatureStatus::Abandoned => "abandoned",
        FeatureStatus::Active => {
            let gate = feature.current_gate();
            let waits = gate.is_some_and(|g| feature.gate_status(g) == GateStatus::AwaitingReview);
            let parked = feature
                .members()
                .any(|m| m.status() == UnitStatus::BlockedHuman);
            match (waits, parked) {
                (true, _) => "review",
                (_, true) => "needs-human",
                _ => "active",
            }
        }
    }
}

/// Puts the feature's state on its issue, if it has one.
pub(crate) fn sync(context: &Context, repository: &Repository, feature: &Feature) {
    let Some(issue) = feature.plan.front.issue.as_ref().map(|i| i.value.clone()) else {
        return;
    };
    let Some((repo, number)) = parse_issue(&issue) else {
        return;
    };
    let Ok(host) = context.host() else { return };
    let own = format!("{PREFIX}{}", state(feature));
    let others: Vec<String> = STATES
        .iter()
        .map(|s| format!("{PREFIX}{s}"))
        .filter(|l| *l != own)
        .collect();
    let call = |args: &[&str]| {
        user_tool::run(&user_tool::ToolCommand {
            program: "gh",
            args,
            input: "",
            cwd: repository.git.work_tree(),
            env: &host.env,
        })
        .and_then(|a| a.ok("gh"))
    };
    // The label may be there already, which `--force` makes no error.
    let mut create = vec!["label", "create", &own, "--repo", repo, "--force"];
    create.extend(["--description", "State of its plan"]);
    let others = others.join(",");
    let mut edit = vec!["issue", "edit", number, "--repo", repo];
    edit.extend(["--add-label", &own, "--remove-label", &others]);
    let set = call(&create).and_then(|_| call(&edit));
    if let Err(error) = set {
        context.out.note(format!(
            "{issue} has no label `{own}`: {}",
            sanitize(&error.to_string())
        ));
    }
}
