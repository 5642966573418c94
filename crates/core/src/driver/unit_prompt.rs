//! The prompt of a unit's next session: gathered from its plan, its tree and what was tried, and refused where it holds
//! a secret.

use super::committed_plan::CommittedPlan;
use super::ports::History;
use super::run_loop::Driver;
use crate::engine::attempt_record::AttemptRecord;
use crate::engine::repository_map::{self, Scope};
use crate::engine::secrets;
use crate::engine::session_prompt::{self, Prompt, PromptInput};
use crate::error::{Error, Result};
use crate::model::unit::{OnFailure, Unit};
use crate::object_id::ObjectId;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// What a prompt holds beside its unit.
pub(super) struct PromptFacts<'a> {
    pub(super) failed: &'a [&'a AttemptRecord],
    /// What was set aside since, for it did not fit what landed.
    pub(super) set_aside: Option<&'a AttemptRecord>,
    pub(super) tree_kept: bool,
    pub(super) requirements: &'a str,
}

impl Driver<'_> {
    /// Returns what a unit's next session would be given with the branch at a commit. Reads only.
    ///
    /// Fails where the unit is unknown or its commands prove nothing.
    pub fn prompt_at(&self, commit: &ObjectId, id: &str) -> Result<Prompt> {
        let snapshot = self.snapshot_at(commit)?;
        let plan = self.plan_at(commit)?;
        let (_, unit) = plan.unit(id)?;
        let failed = snapshot.attempts_of(id, unit);
        let kept = !failed.is_empty() && continues(unit);
        let set_aside = self.set_aside_before(&failed, id);
        let facts = PromptFacts {
            failed: &failed,
            set_aside: set_aside.as_ref().filter(|aside| aside.belongs_to(unit)),
            tree_kept: kept,
            requirements: &self.requirements_section(&plan, unit.unit_type(), None)?,
        };
        self.prompt(&plan, id, &facts)
    }

    pub(super) fn prompt(
        &self,
        plan: &CommittedPlan,
        id: &str,
        facts: &PromptFacts<'_>,
    ) -> Result<Prompt> {
        let (member, unit) = plan.unit(id)?;
        let commands = self.oracle_of(plan, id)?;
        let mut maps = maps_of(self.machine, &plan.tree, &[(id.to_owned(), unit)])?;
        Ok(session_prompt::build(&PromptInput {
            workspace: &plan.workspace,
            feature: plan.feature(),
            gate: member.gate,
            unit,
            oracle: &commands,
            failed: facts.failed,
            set_aside: facts.set_aside,
            tree_kept: facts.tree_kept,
            map: &maps.remove(id).unwrap_or_default(),
            requirements: facts.requirements,
        }))
    }

    /// Refuses to send what looks like a secret to an agent.
    pub(super) fn refuse_secrets(
        &self,
        plan: &CommittedPlan,
        id: &str,
        prompt: &str,
    ) -> Result<()> {
        let found = secrets::find(prompt);
        if found.is_empty() {
            return Ok(());
        }
        let baseline = self.secrets_allowed(plan)?;
        let places: Vec<String> = secrets::outside(&baseline, &found)
            .into_iter()
            .map(|f| format!("line {} ({}, digest {})", f.line, f.rule, f.digest))
            .collect();
        if places.is_empty() {
            return Ok(());
        }
        Err(Error::plan(format!(
            "the prompt of {id} holds what looks like a secret: {}",
            places.join(", ")
        ))
        .hint(format!(
            "`gatewalk prompt {id}` shows it; take it out of the unit, the rules or the lessons, or allow its rule and digest in `{}/{}`",
            self.layout.dir(),
            secrets::BASELINE
        ))
        .hint("nothing was sent; revoke it if it is real: the repository's history has it"))
    }
}

/// Returns the maps of a tree around units, by their ids.
///
/// Fails where the tree cannot be read.
pub fn maps_of(
    history: &dyn History,
    tree: &ObjectId,
    units: &[(String, &Unit)],
) -> Result<BTreeMap<String, String>> {
    // Most units of a plan point at the same files, or at none: one map for all of them.
    let mut scopes: Vec<(Scope, Vec<&str>)> = Vec::new();
    for (id, unit) in units {
        let scope = Scope::of(unit);
        match scopes.iter_mut().find(|(known, _)| *known == scope) {
            Some((_, ids)) => ids.push(id),
            None => scopes.push((scope, vec![id])),
        }
    }
    let sources = |paths: &[String]| -> Vec<String> {
        let sources = paths.iter().filter(|path| repository_map::is_source(path));
        sources.cloned().collect()
    };
    let listed = OnceCell::new();
    let found = history.list_tree(tree, &|paths| {
        let sources = listed.get_or_init(|| sources(paths));
        let wanted: BTreeSet<String> = scopes
            .iter()
            .flat_map(|(scope, _)| repository_map::wanted(sources, scope))
            .collect();
        wanted.into_iter().collect()
    })?;
    let sources = listed.into_inner().unwrap_or_default();
    let maps = scopes.iter().flat_map(|(scope, ids)| {
        let heads: Vec<_> = repository_map::wanted(&sources, scope)
            .into_iter()
            .filter_map(|path| found.chosen.iter().find(|(p, _)| *p == path).cloned())
            .collect();
        let map = repository_map::render(&found.paths, &heads, scope);
        ids.iter().map(move |id| ((*id).to_owned(), map.clone()))
    });
    Ok(maps.collect())
}

/// Returns whether a failed attempt's tree is where the next one starts.
pub(super) fn continues(unit: &Unit) -> bool {
    let asked = unit.front.on_failure.as_ref();
    unit.unit_type().is_closing() || asked.is_some_and(|f| f.value == OnFailure::Continue)
}
