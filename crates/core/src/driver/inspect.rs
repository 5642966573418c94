//! What an attempt's files themselves tell: secrets, weakened tests, links that lead
//! out. Reads the changed files only, both sides of each.

use super::committed_plan::CommittedPlan;
use super::run_loop::Driver;
use crate::engine::evidence::one_line;
use crate::engine::failure_class::FailureClass;
use crate::engine::guards::{self, ChangedPath, ChangedPathKind, Report, Violation};
use crate::engine::protected::{self, ChangedFile, Policy, Restoration};
use crate::engine::secrets;
use crate::error::Result;
use crate::model::unit::Unit;
use crate::object_id::ObjectId;
use std::collections::BTreeSet;

/// The largest file that is looked into.
const LOOK_LIMIT: usize = 1024 * 1024;

/// What the files tell that verification has to know.
pub(super) struct InspectedChanges {
    /// Undeclared changes of tests, and how to undo them.
    pub(super) put_back: Vec<(String, Restoration)>,
    policy: Policy,
}

impl InspectedChanges {
    /// Returns whether a path judges: a test, a runner's setting, the control plane.
    pub(super) fn judges(&self, path: &str) -> bool {
        self.policy.covers(path) || guards::is_control(path)
    }
}

impl Driver<'_> {
    /// Looks into the changed files; what it finds is added to the guards' report.
    pub(super) fn inspect(
        &self,
        plan: &CommittedPlan,
        id: &str,
        tree: &ObjectId,
        changes: &[ChangedPath],
        report: &mut Report,
    ) -> Result<InspectedChanges> {
        let (_, unit) = plan.unit(id)?;
        let paths: Vec<String> = changes.iter().map(|c| c.path.clone()).collect();
        let old = self.machine.contents(&plan.tree, &paths, LOOK_LIMIT)?;
        let new = self.machine.contents(tree, &paths, LOOK_LIMIT)?;
        let pairs: Vec<ChangedFile<'_>> = changes
            .iter()
            .zip(&old)
            .zip(&new)
            .map(|((change, old), new)| ChangedFile {
                change,
                old: old.as_deref(),
                new: new.as_deref(),
            })
            .collect();
        self.find_secrets(plan, &pairs, report)?;
        links_out(&pairs, report);
        empty_deliverables(unit, &pairs, report);
        let policy = policy(plan, unit);
        let state = format!("{}/", self.layout.dir());
        let product: Vec<ChangedFile<'_>> = pairs
            .into_iter()
            .filter(|p| !p.change.path.starts_with(&state))
            .collect();
        let looked = protected::look(&policy, &product);
        report.notices.extend(looked.notices);
        Ok(InspectedChanges {
            put_back: looked.put_back,
            policy,
        })
    }

    /// Returns the baseline of findings the user allows.
    pub(super) fn secrets_allowed(&self, plan: &CommittedPlan) -> Result<String> {
        let path = format!("{}/{}", self.layout.dir(), secrets::BASELINE);
        let bytes = self.machine.file_at(&plan.tree, &path)?.unwrap_or_default();
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn find_secrets(
        &self,
        plan: &CommittedPlan,
        pairs: &[ChangedFile<'_>],
        report: &mut Report,
    ) -> Result<()> {
        let (mut places, mut marked) = (Vec::new(), Vec::new());
        let mut baseline = None;
        for pair in pairs {
            // One byte that is no text hides nothing.
            let Some(text) = pair.new.map(String::from_utf8_lossy) else {
                continue;
            };
            let (found, let_by) = secrets::find_all(&text);
            if found.is_empty() && let_by.is_empty() {
                continue;
            }
            let before = pair
                .old
                .map(|bytes| secrets::find_all(&String::from_utf8_lossy(bytes)))
                .unwrap_or_default();
            let before: BTreeSet<String> = [before.0, before.1]
                .into_iter()
                .flatten()
                .map(|f| f.digest)
                .collect();
            if baseline.is_none() {
                baseline = Some(self.secrets_allowed(plan)?);
            }
            for (list, found) in [(&mut places, found), (&mut marked, let_by)] {
                let known = baseline.as_deref().unwrap_or("");
                let new = secrets::outside(known, &found);
                for finding in new.into_iter().filter(|f| !before.contains(&f.digest)) {
                    list.push(format!(
                        "{}:{} ({}, digest {})",
                        pair.change.path, finding.line, finding.rule, finding.digest
                    ));
                }
            }
        }
        if !marked.is_empty() {
            report.notices.push(format!(
                "what looks like a secret is let by with a mark that the session itself wrote: {}",
                one_line(&marked.join(", "))
            ));
        }
        if !places.is_empty() {
            report.violations.push(Violation {
                class: FailureClass::Secret,
                message: format!(
                    "the diff holds what looks like a secret; read it from the environment instead. A user may allow one with `{}` on its line, or its rule and digest in `{}/{}`",
                    secrets::ALLOWANCE, self.layout.dir(), secrets::BASELINE
                ),
                paths: places,
            });
        }
        Ok(())
    }
}

fn policy(plan: &CommittedPlan, unit: &Unit) -> Policy {
    let front = &unit.front;
    let mut declared = Unit::list(&front.produces);
    declared.extend(Unit::list(&front.touches_control_plane));
    declared.extend(Unit::list(&front.generated_surfaces));
    let oracle: Vec<&str> = plan
        .workspace
        .verification
        .sets
        .iter()
        .flat_map(|set| &set.commands)
        .map(|command| command.value.shell())
        .collect();
    Policy::new(
        &Unit::list(&plan.workspace.config.front.protected_tests),
        &declared,
        front.touches_tests.as_ref().is_some_and(|t| t.value),
        &oracle,
    )
}

/// Tells files that the unit names and that are there, with nothing in them.
fn empty_deliverables(unit: &Unit, pairs: &[ChangedFile<'_>], report: &mut Report) {
    let produces = Unit::list(&unit.front.produces);
    let empty: Vec<String> = pairs
        .iter()
        .filter(|p| p.change.regular && p.new.is_some_and(<[u8]>::is_empty))
        .filter(|p| produces.iter().any(|g| guards::delivers(g, &p.change.path)))
        .map(|p| one_line(&p.change.path))
        .collect();
    if !empty.is_empty() {
        report
            .notices
            .push(format!("delivered empty: {}", empty.join(", ")));
    }
}

/// Tells new symbolic links that point out of the repository.
fn links_out(pairs: &[ChangedFile<'_>], report: &mut Report) {
    let links: Vec<String> = pairs
        .iter()
        .filter(|p| !p.change.regular && p.change.kind != ChangedPathKind::Deleted)
        .filter(|p| {
            p.new
                .is_some_and(|target| leads_out(&p.change.path, target))
        })
        .map(|p| one_line(&p.change.path))
        .collect();
    if !links.is_empty() {
        report.notices.push(format!(
            "links that lead out of the repository: {}",
            links.join(", ")
        ));
    }
}

fn leads_out(path: &str, target: &[u8]) -> bool {
    let target = String::from_utf8_lossy(target);
    let mut depth = path.matches('/').count() as i64;
    target.starts_with('/')
        || target.split('/').any(|part| {
            depth += match part {
                ".." => -1,
                "" | "." => 0,
                _ => 1,
            };
            depth < 0
        })
}
