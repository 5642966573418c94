//! The branch on which the work of a repository comes together, as far as a plan alone tells.

use super::plan::Plan;

/// What people call it.
const TRUNKS: [&str; 5] = ["main", "master", "trunk", "develop", "development"];

/// Returns whether a plan's units land on it, by the name of its branch or as the branch that it starts from.
pub fn is_landed_on(plan: &Plan) -> bool {
    let base = plan.front.base.as_ref().map(|base| base.value.trim());
    let branch = plan.branch().map(str::trim);
    branch.is_some_and(|branch| TRUNKS.contains(&branch) || base == Some(branch))
}
