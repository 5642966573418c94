//! What a unit's witness is about: the product's part of its diff, and the commands that may be asked.

use super::committed_plan::CommittedPlan;
use super::inspect::{InspectedChanges, UnitDiff};
use super::run_loop::Driver;
use super::verification_request::applies;
use crate::engine::changed_file::ChangedPath;
use crate::engine::guards::Report;
use crate::engine::oracle::{self, OracleCommand, OracleRequest};
use crate::engine::protected;
use crate::engine::witness::{ChangedText, LARGEST, is_never_run};
use crate::error::{Error, Result};
use crate::model::unit::UnitType;
use crate::model::verification::LOCK_FILES;
use crate::object_id::ObjectId;
use crate::path_names::file_name;
use std::sync::Arc;

/// The work that is looked at.
#[derive(Debug, Clone, Copy)]
pub struct WitnessSubject<'a> {
    /// Full id of the unit.
    pub unit: &'a str,
    /// The commit it started from, whose oracle is asked.
    pub base: ObjectId,
    /// The files it made.
    pub tree: ObjectId,
}

/// Everything known before a command runs.
pub(super) struct WitnessCase<'a> {
    pub(super) unit: &'a str,
    pub(super) plan: Arc<CommittedPlan>,
    pub(super) tree: ObjectId,
    pub(super) commands: Vec<OracleCommand>,
    pub(super) files: Vec<ChangedText>,
    /// Changed files that are no text.
    pub(super) not_text: u32,
    /// Stands for the product's files.
    pub(super) product: String,
}

impl WitnessCase<'_> {
    /// Returns the hash of everything that decides what a witness comes to.
    pub(super) fn oracle(&self) -> String {
        oracle::hash(&self.commands)
    }
}

impl Driver<'_> {
    /// Reads what a witness is about. Runs nothing.
    pub(super) fn witness_case<'s>(&self, subject: &WitnessSubject<'s>) -> Result<WitnessCase<'s>> {
        let id = subject.unit;
        let plan = self.plan_at(&subject.base)?;
        let (member, unit) = plan.unit(id)?;
        if unit.unit_type() != UnitType::Implementation {
            return Err(Error::plan(format!(
                "{id} is of type `{}`: only the work of an `implementation` unit has a witness",
                unit.unit_type()
            )));
        }
        let changes = self.machine.diff(&plan.tree, &subject.tree)?;
        let diff = UnitDiff::new((&plan, unit), &subject.tree, &changes);
        let inspected = self.inspect(&diff, &mut Report::default())?;
        let request = OracleRequest {
            verification: &plan.workspace.verification,
            feature: plan.feature(),
            gate: member.gate,
            unit,
            closing_gate: false,
        };
        let mut commands =
            oracle::resolve(&request).map_err(|why| Error::plan(format!("{id}: {why}")))?;
        commands.retain(|c| applies(c, &changes));
        let changes = self.product_of(&inspected, changes);
        let (files, not_text) = self.texts_of(&plan.tree, &subject.tree, &changes)?;
        let product = self.machine.tree_key(&subject.tree, self.layout.dir())?;
        Ok(WitnessCase {
            unit: id,
            plan,
            tree: subject.tree,
            commands,
            files,
            not_text,
            product,
        })
    }

    /// Keeps the changes that do not judge, and that neither a tool nor the driver writes.
    fn product_of(
        &self,
        inspected: &InspectedChanges,
        changes: Vec<ChangedPath>,
    ) -> Vec<ChangedPath> {
        let state = format!("{}/", self.layout.dir());
        let is_product = |change: &ChangedPath| {
            let path = &change.path;
            let name = file_name(path);
            !path.starts_with(&state)
                && !inspected.judges(path)
                && !inspected.is_generated(path)
                && !LOCK_FILES.contains(&name)
        };
        changes.into_iter().filter(is_product).collect()
    }

    /// Reads both sides of changed files; returns also how many are no text.
    fn texts_of(
        &self,
        old: &ObjectId,
        new: &ObjectId,
        changes: &[ChangedPath],
    ) -> Result<(Vec<ChangedText>, u32)> {
        let paths: Vec<String> = changes.iter().map(|c| c.path.clone()).collect();
        let before = self.machine.contents(old, &paths, LARGEST)?;
        let after = self.machine.contents(new, &paths, LARGEST)?;
        let (mut files, mut others) = (Vec::new(), 0);
        for (path, (before, after)) in paths.into_iter().zip(before.into_iter().zip(after)) {
            let neither = before.is_none() && after.is_none();
            match (text(before), text(after)) {
                (Some(old), Some(new)) if !neither && old != new && !is_never_run(&path) => {
                    let judging = match path.ends_with(".rs") {
                        true => protected::rust_tests(&new),
                        false => vec![],
                    };
                    files.push(ChangedText {
                        path,
                        old,
                        new,
                        judging,
                    });
                }
                _ => others += 1,
            }
        }
        Ok((files, others))
    }
}

/// Returns the bytes of a file as text, empty where there is none; nothing where they are no text.
fn text(bytes: Option<Arc<[u8]>>) -> Option<String> {
    let bytes = bytes.unwrap_or_default();
    let text = str::from_utf8(&bytes).ok()?;
    (!text.contains('\0')).then(|| text.to_owned())
}
