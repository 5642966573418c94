//! Files of the work that commands changed while they judged it: what they judged is then not what lands.

use super::command_outcome::CommandOutcome;
use super::command_report::{rewritten_judge, rewritten_product};
use super::oracle_outcome::OracleOutcome;
use super::run_loop::Driver;
use super::verification_request::{VerificationRequest, VerificationSlot};
use crate::engine::failure_class::{CommandVerdict, FailureClass};
use crate::engine::{evidence, guards};
use crate::error::Result;
use crate::model::unit::Unit;
use crate::path_names::file_name;
use std::collections::BTreeSet;

impl Driver<'_> {
    /// Fails a command that changed files of the product while it ran: what it proves is not what is committed.
    pub(super) fn refuse_rewriting(
        &self,
        slot: &VerificationSlot<'_>,
        outcome: &mut CommandOutcome,
    ) -> Result<()> {
        let mut changed = std::mem::take(&mut outcome.rewritten);
        if !outcome.result.passed() {
            return Ok(());
        }
        changed.extend(self.changed_by_commands(slot.id)?);
        let units = slot.plan.feature().members().filter_map(|m| m.unit);
        let generated = units.flat_map(|unit| Unit::list(&unit.front.generated_surfaces));
        let generated = guards::set(&generated.collect::<Vec<_>>());
        changed.retain(|path| !is_lock_file(path) && !generated.is_match(path));
        if !changed.is_empty() {
            outcome.result.verdict = CommandVerdict::Fail.into();
            outcome.evidence = Some(rewritten_product(&changed.join(", ")));
        }
        Ok(())
    }

    /// Shows which generated files that the work brings are made otherwise by the commands: those were judged, these land.
    fn note_other_generated(
        &self,
        slot: &VerificationSlot<'_>,
        request: &VerificationRequest<'_>,
        made: Vec<String>,
        verified: &mut OracleOutcome,
    ) -> Result<()> {
        if made.is_empty() {
            return Ok(());
        }
        let work = self.machine.diff(&slot.plan.tree, request.tree)?;
        let brought = |path: &&String| work.iter().any(|change| change.path == **path);
        let other: BTreeSet<&String> = made.iter().filter(brought).collect();
        let other: Vec<String> = other.iter().map(|path| evidence::one_line(path)).collect();
        let notice = format!(
            "the commands make other generated files than the work brings, and judged theirs: {}",
            other.join(", ")
        );
        // The slot is looked at more than once.
        if !other.is_empty() && !verified.notices.contains(&notice) {
            verified.notices.push(notice);
        }
        Ok(())
    }

    /// Finds out which tracked files the commands changed: what they judged is then not what lands.
    pub(super) fn look_for_tampering(
        &self,
        slot: &VerificationSlot<'_>,
        request: &VerificationRequest<'_>,
        verified: &mut OracleOutcome,
    ) -> Result<()> {
        let mut changed = std::mem::take(&mut verified.rewritten);
        changed.extend(self.changed_by_commands(slot.id)?);
        let (generated, changed): (Vec<String>, Vec<String>) = changed
            .into_iter()
            .partition(|path| request.inspected.is_generated(path));
        self.note_other_generated(slot, request, generated, verified)?;
        let shown = |paths: &[String]| {
            let paths: Vec<String> = paths.iter().map(|p| evidence::one_line(p)).collect();
            paths.join(", ")
        };
        let (judging, other): (Vec<String>, Vec<String>) = changed
            .into_iter()
            .partition(|path| request.inspected.judges(path));
        let (locks, product): (Vec<String>, Vec<String>) =
            other.into_iter().partition(|path| is_lock_file(path));
        if !locks.is_empty() {
            verified.notices.push(format!(
                "the commands changed tracked files, which is not in the commit: {}",
                shown(&locks)
            ));
        }
        if !judging.is_empty() {
            if verified.failures.is_empty() {
                verified.class = Some(FailureClass::OracleModified);
            }
            let why = format!(
                "running the work rewrote files that judge it: {}",
                shown(&judging)
            );
            verified.failures.push(rewritten_judge(why));
        }
        if !product.is_empty() && verified.failures.is_empty() {
            verified.failures.push(rewritten_product(&shown(&product)));
        }
        Ok(())
    }
}

/// Returns whether a tool writes this file when it resolves dependencies.
fn is_lock_file(path: &str) -> bool {
    let name = file_name(path);
    name.ends_with(".lock")
        || name.ends_with(".lockb")
        || matches!(
            name,
            "package-lock.json" | "pnpm-lock.yaml" | "go.sum" | "npm-shrinkwrap.json"
        )
}
