//! A feature as a stack: the commit that landed each unit, under a branch name of its own.

use gatewalk_core::engine::trailers::{self, Trailer};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use gatewalk_host::state_repository::{Repository, Selected};

/// Most commits of a branch that are looked at.
const COMMITS_LOOKED_AT: usize = 5_000;

/// A commit that gets a pull request of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StackedUnit {
    /// The id of the unit that it landed.
    pub(super) unit: String,
    pub(super) commit: ObjectId,
    /// The branch that it is pushed as.
    pub(super) branch: String,
}

/// Returns the landings of a feature's branch, the oldest first. What came after the last one belongs to the branch itself.
pub(super) fn of_feature(repository: &Repository, selected: &Selected) -> Result<Vec<StackedUnit>> {
    let commits = repository
        .git
        .log(None, selected.commit, COMMITS_LOOKED_AT)?;
    let commits = commits.iter().map(|c| (c.oid, c.message.as_str()));
    let stack = landings(commits, &selected.feature().name(), &selected.branch);
    match stack.is_empty() {
        true => Err(Error::plan(format!(
            "no unit of {} landed on `{}`, so there is no stack",
            selected.feature().name(),
            selected.branch
        ))
        .hint("without `--stack` one pull request is opened")),
        false => Ok(stack),
    }
}

/// Finds the landings of a feature among commits, the newest of which comes first.
fn landings<'c>(
    commits: impl Iterator<Item = (ObjectId, &'c str)>,
    feature: &str,
    branch: &str,
) -> Vec<StackedUnit> {
    let mut stack: Vec<StackedUnit> = Vec::new();
    for (commit, message) in commits {
        let Some(unit) = trailers::read(message, Trailer::Feature) else {
            continue;
        };
        let local = unit.strip_prefix(feature).and_then(|l| l.strip_prefix('/'));
        let landed = trailers::read(message, Trailer::Oracle).is_some();
        // What landed again counts where it landed last.
        let is_new = stack.iter().all(|known| known.unit != unit);
        if let Some(local) = local.filter(|_| landed && is_new) {
            stack.push(StackedUnit {
                branch: format!("{branch}-{local}"),
                commit,
                unit,
            });
        }
    }
    stack.reverse();
    stack
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_landing_of_the_feature_is_a_step_of_its_stack() {
        let id = |number: u32| ObjectId::parse(format!("{number:040x}").as_bytes()).expect("an id");
        let landing = |unit: &str| format!("x\n\nFeature: {unit}\nOracle: tests=pass\n");
        let commits = [
            (id(6), "Archive\n".to_owned()),
            (id(5), landing("FEAT-2026-0001/T02")),
            (id(4), "Park\n\nFeature: FEAT-2026-0001/T03\n".to_owned()),
            (id(3), landing("FEAT-2026-0001/T01")),
            (id(2), landing("FEAT-2026-0001/T02")),
            (id(1), landing("FEAT-2026-00012/T01")),
        ];
        let commits = commits.iter().map(|(id, message)| (*id, message.as_str()));
        let stack = landings(commits, "FEAT-2026-0001", "feat/a");
        let shown: Vec<(&str, &str, ObjectId)> = stack
            .iter()
            .map(|s| (&*s.unit, &*s.branch, s.commit))
            .collect();
        assert_eq!(
            shown,
            [
                ("FEAT-2026-0001/T01", "feat/a-T01", id(3)),
                ("FEAT-2026-0001/T02", "feat/a-T02", id(5)),
            ]
        );
    }
}
