//! Guards, then the oracle of the base, on exactly what an attempt left.

mod on_base;
mod refusals;

use self::refusals::{guards_failed, session_failed};
use super::closing_session;
use super::command_report::record_commands;
use super::committed_plan::{CommittedPlan, attempt_ref};
use super::driver_event::DriverEvent;
use super::inspect::{InspectedChanges, UnitDiff};
use super::ports::{RestoredFile, SlotId};
use super::run_loop::Driver;
use super::verification_request::{VerificationRequest, VerificationSlot};
use crate::agents::SessionClass;
use crate::engine::attempt_record::{AttemptRecord, Judgement, SessionNote};
use crate::engine::changed_file::ChangedPath;
use crate::engine::closing::ClosingReview;
use crate::engine::coverage::{self, Gap};
use crate::engine::evidence;
use crate::engine::failure_class::FailureClass;
use crate::engine::guards::idle_attributes::{are_idle, is_attributes};
use crate::engine::guards::{self, Report, Subject, Violation};
use crate::engine::oracle::{self, OracleCommand, OracleRequest};
use crate::engine::protected::{self, Restoration};
use crate::error::{Error, Result};
use crate::model::requirements;
use crate::model::unit::{Unit, UnitType};
use crate::object_id::ObjectId;

/// The largest file of git attributes that is read.
const LARGEST_ATTRIBUTES: usize = 64 * 1024;

/// Work that is looked at before any command.
struct GuardRequest<'a> {
    plan: &'a CommittedPlan,
    id: &'a str,
    tree: ObjectId,
    /// Whether the slot's history still descends from the base.
    history_ok: bool,
    /// Requirements that nothing shows, where the work ends the feature.
    gaps: &'a [Gap],
}

/// What the guards found.
struct GuardOutcome {
    changes: Vec<ChangedPath>,
    report: Report,
    inspected: InspectedChanges,
}

impl Driver<'_> {
    /// Returns what the guards, then the oracle, say of work on the base of a plan; nothing where that was cut short.
    pub(super) fn judgement_of(
        &self,
        plan: &CommittedPlan,
        record: &AttemptRecord,
        (commands, slot): (&[OracleCommand], SlotId),
    ) -> Result<Option<Judgement>> {
        let id = &record.unit;
        let (member, unit) = plan.unit(id)?;
        let tree = self.judged_tree(plan, unit, record)?;
        let gaps = match ends_feature(plan, (member.gate, unit), record) {
            true => self.gaps_on(plan, &tree, slot)?,
            false => vec![],
        };
        if self.machine.stopping() {
            return Ok(None);
        }
        let (tree, guarded) = self.guard_and_keep(&GuardRequest {
            plan,
            id,
            tree,
            history_ok: record.history_ok,
            gaps: &gaps,
        })?;
        let mut judgement = Judgement {
            notices: notices(&guarded.report, record),
            ..guarded.judgement(tree, record.base, oracle::hash(commands))
        };
        if record.session.class != SessionClass::Worked {
            session_failed(&mut judgement, record);
        } else if !guarded.report.violations.is_empty() {
            guards_failed(&mut judgement, &guarded.report, record);
        } else {
            let slot = VerificationSlot {
                id: slot.verification(),
                unit: id,
                number: record.number,
                plan,
            };
            let request = VerificationRequest {
                tree: &tree,
                commands,
                changes: &guarded.changes,
                inspected: &guarded.inspected,
                feature: plan.feature(),
            };
            if !self.run_oracle(&slot, &request, &mut judgement)? {
                return Ok(None);
            }
        }
        Ok(Some(judgement))
    }

    /// Runs what judges and writes down what it said; false when that was cut short, which says nothing: the next run
    /// judges again.
    fn run_oracle(
        &self,
        slot: &VerificationSlot<'_>,
        request: &VerificationRequest<'_>,
        judgement: &mut Judgement,
    ) -> Result<bool> {
        let verified = self.verify(slot, request)?;
        if self.machine.stopping() {
            return Ok(false);
        }
        let product = self.cache_verified(request.tree, &verified)?;
        judgement.product_tree = Some(product);
        judgement.judged_on = self.machine.judging_runner(slot.id);
        record_commands(judgement, verified);
        if judgement.passed() {
            return self.require_witness(slot, judgement);
        }
        blame_kept(judgement, request.inspected);
        Ok(true)
    }

    /// Looks at the tree an attempt left, and puts the base's judges into it where the unit does not declare what
    /// became of them: the tree that comes back is judged, and lands.
    fn guard_and_keep(&self, request: &GuardRequest<'_>) -> Result<(ObjectId, GuardOutcome)> {
        let (plan, tree) = (request.plan, request.tree);
        let mut guarded = self.guard(request)?;
        if guarded.inspected.kept.is_empty() || !guarded.report.violations.is_empty() {
            return Ok((tree, guarded));
        }
        let kept: Vec<RestoredFile> = guarded
            .inspected
            .kept
            .iter()
            .map(|(path, back)| match back {
                Restoration::Base => (path.clone(), None),
                Restoration::Text(text) => (path.clone(), Some(text.clone())),
            })
            .collect();
        let tree = self.machine.restore_paths(&tree, &plan.tree, &kept)?;
        guarded.changes = self.machine.diff(&plan.tree, &tree)?;
        if guarded.changes.is_empty() {
            guarded.report.violations.push(Violation {
                class: FailureClass::TestsWeakened,
                message: format!(
                    "all that the session changed judges it; {}",
                    protected::KEPT
                ),
                paths: kept.into_iter().map(|(path, _)| path).collect(),
            });
        }
        Ok((tree, guarded))
    }

    /// Returns the changed git attributes that git does nothing by.
    fn idle_attributes(
        &self,
        plan: &CommittedPlan,
        tree: &ObjectId,
        changes: &[ChangedPath],
    ) -> Result<Vec<String>> {
        let paths = changes.iter().map(|change| &change.path);
        let mut paths: Vec<String> = paths.filter(|p| is_attributes(p)).cloned().collect();
        if paths.is_empty() {
            return Ok(paths);
        }
        let old = self
            .machine
            .contents(&plan.tree, &paths, LARGEST_ATTRIBUTES)?;
        let new = self.machine.contents(tree, &paths, LARGEST_ATTRIBUTES)?;
        let mut sides = old.iter().zip(&new);
        // One that is too large to be read is none.
        paths.retain(|_| {
            sides.next().is_some_and(|(old, new)| {
                let new = new.as_deref();
                new.is_some_and(|new| are_idle(old.as_deref().unwrap_or_default(), new))
            })
        });
        Ok(paths)
    }

    /// Looks at the tree an attempt left, before any command.
    fn guard(&self, request: &GuardRequest<'_>) -> Result<GuardOutcome> {
        let (plan, tree) = (request.plan, &request.tree);
        let (member, unit) = plan.unit(request.id)?;
        let changes = self.machine.diff(&plan.tree, tree)?;
        let protect = Unit::list(&plan.workspace.config.front.protect);
        let subject = Subject {
            layout: self.layout,
            feature: plan.feature(),
            gate: member.gate,
            unit,
            protect: &protect,
            idle_attributes: &self.idle_attributes(plan, tree, &changes)?,
        };
        let mut report = guards::inspect(&subject, &changes, request.history_ok);
        let review = ClosingReview {
            before: plan.feature(),
            gate: member.gate,
            unit,
            gaps: request.gaps,
        };
        self.look_at_closing((plan, &review), tree, &mut report)?;
        let diff = UnitDiff::new((plan, unit), tree, &changes);
        let inspected = self.inspect(&diff, &mut report)?;
        Ok(GuardOutcome {
            changes,
            report,
            inspected,
        })
    }

    /// Returns what the guards would say of a tree as the work of a unit that started from a commit. Reads only.
    pub fn guards_at(&self, base: &ObjectId, tree: &ObjectId, id: &str) -> Result<Report> {
        let plan = self.plan_at(base)?;
        let guarded = self.guard(&GuardRequest {
            plan: &plan,
            id,
            tree: *tree,
            history_ok: true,
            gaps: &[],
        })?;
        Ok(guarded.report)
    }

    /// Returns the commands that judge a unit, by the plan of a commit.
    pub(super) fn oracle_of(&self, plan: &CommittedPlan, id: &str) -> Result<Vec<OracleCommand>> {
        let (member, unit) = plan.unit(id)?;
        let others_settled = plan.feature().are_settled(member.gate, |m| m.id() != id);
        oracle::resolve(&OracleRequest {
            verification: &plan.workspace.verification,
            feature: plan.feature(),
            gate: member.gate,
            unit,
            closing_gate: unit.unit_type().is_closing() || others_settled,
        })
        .map_err(|why| {
            Error::plan(format!("{id}: {why}"))
                .hint(format!("see `{}`", plan.workspace.verification.path))
        })
    }

    /// Returns the captured tree with the unit's own file put back: what a session writes there is
    /// taken only where its type says so, and never judged.
    fn judged_tree(
        &self,
        plan: &CommittedPlan,
        unit: &Unit,
        record: &AttemptRecord,
    ) -> Result<ObjectId> {
        if unit.unit_type().is_closing() {
            return Ok(record.tree);
        }
        let path = unit.path().to_string();
        let before = self.machine.file_at(&plan.tree, &path)?;
        if self.machine.file_at(&record.tree, &path)? == before {
            return Ok(record.tree);
        }
        self.machine
            .edit_tree(&record.tree, &[(path, before.map(Into::into))])
    }

    /// Returns the requirements that nothing shows on a tree; their checks are run on exactly that.
    fn gaps_on(&self, plan: &CommittedPlan, tree: &ObjectId, slot: SlotId) -> Result<Vec<Gap>> {
        self.check_requirements(plan, tree, slot)?;
        Ok(coverage::gaps(&self.coverage_of(plan, tree)?))
    }

    /// Looks at what a closing session left, all of it at once; a plan it drafted must lint.
    fn look_at_closing(
        &self,
        (plan, review): (&CommittedPlan, &ClosingReview<'_>),
        tree: &ObjectId,
        report: &mut Report,
    ) -> Result<()> {
        let unit = review.unit;
        if !unit.unit_type().is_closing() {
            return Ok(());
        }
        let workspace = plan.workspace_at(self.machine, tree)?;
        let own = self.machine.file_at(tree, unit.path())?;
        let own = own.map_or_else(String::new, |b| String::from_utf8_lossy(&b).into_owned());
        let looked = closing_session::inspect(&workspace, review, &own);
        report.shown.extend(looked.shown());
        report.violations.extend(looked.violations);
        report.revisions.extend(looked.revisions);
        Ok(())
    }

    fn report_failure(&self, record: &AttemptRecord, judgement: &Judgement) {
        let excerpt = judgement.failure_excerpt().unwrap_or_default();
        let first = excerpt.lines().next().unwrap_or_default();
        // What a command lacks may be there on every other machine.
        let judged_on = judgement.judged_on.as_ref();
        let judged_on = judged_on.map(|runner| format!(" (judged on {runner})"));
        self.report(DriverEvent::Failed {
            unit: record.unit.clone(),
            attempt: record.number,
            class: judgement.failure_class().cloned().unwrap_or_default(),
            why: format!("{first}{}", judged_on.unwrap_or_default()),
            kept_at: attempt_ref(&record.unit, record.number),
        });
    }
}

impl GuardOutcome {
    /// Returns the judgement of the work before any command ran.
    fn judgement(&self, tree: ObjectId, base: ObjectId, oracle: String) -> Judgement {
        Judgement {
            files_touched: self.changes.iter().map(|c| c.path.clone()).collect(),
            unusual: self.report.notices.clone(),
            joined: self.inspected.to_take_back(),
            aids: self.inspected.aids.clone(),
            declared: self.inspected.settled(),
            revisions: self.report.revisions.clone(),
            ..Judgement::unproven(tree, base, oracle)
        }
    }
}

/// Returns whether an attempt is the last closing session of a feature with requirements, and did its work.
fn ends_feature(
    plan: &CommittedPlan,
    (gate, unit): (usize, &Unit),
    record: &AttemptRecord,
) -> bool {
    unit.unit_type() == UnitType::Close
        && plan.feature().terminal_gate() == Some(gate)
        && record.session.class == SessionClass::Worked
        && !requirements::due(&plan.feature().plan).is_empty()
}

/// Returns what a user should see: what the guards noticed and what was odd about the session. That a plain
/// program prints no result block is not odd.
fn notices(report: &Report, record: &AttemptRecord) -> Vec<String> {
    let odd = record
        .session
        .notes
        .iter()
        .filter(|note| matches!(note, SessionNote::Odd(_)))
        .map(|note| note.text().to_owned());
    let asked = &record.session.widen_touches;
    let asked = (!asked.is_empty()).then(|| {
        let paths: Vec<String> = asked.iter().map(|path| evidence::one_line(path)).collect();
        format!(
            "the session asks for a wider `touches`: {}",
            paths.join(", ")
        )
    });
    let seen = report.notices.iter().chain(&report.shown);
    seen.cloned().chain(odd).chain(asked).collect()
}

/// Says that the base's judges were used, and how a user may have the attempt's.
fn blame_kept(judgement: &mut Judgement, inspected: &InspectedChanges) {
    if inspected.kept.is_empty() {
        return;
    }
    let paths = inspected.kept.iter().map(|(path, _)| path.as_str());
    let paths: Vec<&str> = paths.collect();
    let all = evidence::first_named(&paths, usize::MAX);
    let why = format!("{}: {all}", protected::KEPT);
    let named = evidence::first_named(&paths, evidence::NAMED);
    let in_short =
        format!("without what the session did to {named}, which the unit does not declare");
    judgement.add_cause(FailureClass::TestsWeakened, &why, &in_short);
}

#[cfg(test)]
mod tests;
