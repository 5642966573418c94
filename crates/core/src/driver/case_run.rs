//! Commands that are judged by their cases: the base's are found first, once a tree, and what a unit's work fails beside
//! them is its own.

use super::case_report::ReportPlace;
use super::command_outcome::{CommandOutcome, command_result};
use super::command_report::distil;
use super::ports::ShellEnd;
use super::result_cache::base_key;
use super::run_loop::Driver;
use super::verification_request::VerificationSlot;
use crate::engine::command_end::CommandEnd;
use crate::engine::evidence::{Evidence, counted};
use crate::engine::failure_class::CommandVerdict;
use crate::engine::oracle::OracleCommand;
use crate::engine::red_command::{RedCause, RedCommand};
use crate::engine::test_reports::case_comparison::{
    CaseJudgement, CaseRules, judge, judge_alone, unexplained, unlisted,
};
use crate::engine::test_reports::{TestReport, UnreadableReport};
use crate::error::Result;
use crate::model::config::FlakyPolicy;
use crate::model::unit::ExpectBase;
use std::sync::Arc;

/// What a run of such a command left.
struct CaseRun {
    end: ShellEnd,
    report: std::result::Result<TestReport, UnreadableReport>,
    rewritten: Vec<String>,
}

/// A base that no cases can be held against.
pub(super) struct UnfitBase {
    /// How the command came to be red there.
    pub(super) cause: RedCause,
    /// What it printed, where that says more than the cause.
    pub(super) evidence: Option<Box<Evidence>>,
}

/// The cases of a base, or why they are not known.
type BaseCases<T> = std::result::Result<T, UnfitBase>;

impl Driver<'_> {
    /// Runs a command in a prepared slot and judges its cases by those of the slot's plan.
    pub(super) fn run_by_cases(
        &self,
        slot: &VerificationSlot<'_>,
        command: &OracleCommand,
        rules: &CaseRules,
    ) -> Result<CommandOutcome> {
        let base = self.base_cases(slot, command, rules)?;
        let run = self.run_for_cases(slot, command, rules)?;
        let judgement = judgement_of(&base, &run, (command, rules));
        let verdict = match &judgement {
            CaseJudgement::Passed(_) => CommandVerdict::Pass,
            CaseJudgement::Failed(_) => CommandVerdict::Fail,
            CaseJudgement::Unproven(_) => CommandVerdict::Unproven,
        };
        let mut evidence =
            (verdict != CommandVerdict::Pass).then(|| distil(&command.shell, &run.end));
        let mut result = command_result(command, &run.end, verdict);
        result.known_failures = rules.known.clone();
        match judgement {
            CaseJudgement::Passed(inherited) => {
                result.note = inherited_note(&inherited, &base);
                result.inherited = inherited;
                self.keep_cases(slot, &run, rules)?;
            }
            CaseJudgement::Failed(lines) => {
                if let Some(evidence) = &mut evidence {
                    evidence.error_lines.splice(..0, lines);
                }
            }
            CaseJudgement::Unproven(why) => {
                if let Some(evidence) = &mut evidence {
                    let lines = lines_of_base(&base).iter().cloned();
                    let lines = std::iter::once(why.clone()).chain(lines);
                    evidence.error_lines.splice(..0, lines);
                }
                result.note = Some(why);
            }
        }
        Ok(CommandOutcome {
            result,
            evidence,
            rewritten: run.rewritten,
            // Its cases are held against the base's one by one.
            tests: None,
            weakened: false,
            base_unfit: base.is_err() && !turns_green(command),
        })
    }

    /// Returns whether a command's cases on the base are known.
    pub(super) fn knows_cases(
        &self,
        slot: &VerificationSlot<'_>,
        rules: &CaseRules,
    ) -> Result<bool> {
        let key = self.cases_key(&slot.plan.tree, rules)?;
        Ok(self.cache().cases.contains_key(&key))
    }

    /// Returns what is wrong with a base as something to hold cases against; nothing where it is fit.
    pub(super) fn unfit_cases(
        &self,
        slot: &VerificationSlot<'_>,
        command: &OracleCommand,
        rules: &CaseRules,
    ) -> Result<Option<UnfitBase>> {
        Ok(match self.base_cases(slot, command, rules)? {
            Err(unfit) => Some(unfit),
            Ok(cases) => {
                let unlisted = unlisted(&cases, rules);
                let unfit = || {
                    let cases = unlisted.join(", ");
                    UnfitBase {
                        cause: RedCause::Cases(format!(
                            "it fails what `known_failures` does not name: {cases}"
                        )),
                        evidence: None,
                    }
                };
                (!unlisted.is_empty()).then(unfit)
            }
        })
    }

    /// Returns the cases of a command on the base, running it only where they are not known. What failed once and passed
    /// on the same tree is no failure of the base's.
    fn base_cases(
        &self,
        slot: &VerificationSlot<'_>,
        command: &OracleCommand,
        rules: &CaseRules,
    ) -> Result<BaseCases<Arc<TestReport>>> {
        let plan = slot.plan;
        let key = self.cases_key(&plan.tree, rules)?;
        if let Some(known) = self.cache().cases.get(&key) {
            return Ok(Ok(known.clone()));
        }
        let held = self.cache().prepared.get(&slot.id).map(|held| held.tree);
        if held != Some(plan.tree) {
            self.prepare_verification(plan, slot.id, &plan.tree)?;
        }
        let mut cases = readable(command, self.run_for_cases(slot, command, rules)?);
        let rerun = plan.workspace.config.flaky() == FlakyPolicy::Rerun && !self.machine.stopping();
        if let Ok(first) = &cases
            && rerun
            && !first.failed().is_empty()
        {
            let again = readable(command, self.run_for_cases(slot, command, rules)?);
            cases = match (cases, again) {
                (Ok(first), Ok(again)) => Ok(first.failed_in_both(&again)),
                (_, Err(unfit)) | (Err(unfit), _) => Err(unfit),
            };
        }
        if let Some(held) = held.filter(|held| *held != plan.tree) {
            self.prepare_verification(plan, slot.id, &held)?;
        }
        let cases = cases.map(Arc::new);
        if let Ok(cases) = &cases
            && !self.machine.stopping()
        {
            self.cache().cases.insert(key, cases.clone());
        }
        Ok(cases)
    }

    /// Runs a command and reads its report, which is not there before.
    fn run_for_cases(
        &self,
        slot: &VerificationSlot<'_>,
        command: &OracleCommand,
        rules: &CaseRules,
    ) -> Result<CaseRun> {
        let rewritten = self.restore_if_used(slot)?;
        let place = ReportPlace {
            format: rules.format,
            path: rules.path.as_deref(),
        };
        place.clear(self.machine, slot.id)?;
        let end = self.run_shell(slot, command)?;
        let report = place.read(self.machine, slot.id, &end)?;
        Ok(CaseRun {
            end,
            report,
            rewritten,
        })
    }

    /// What passed on a tree is the next unit's base for free.
    fn keep_cases(
        &self,
        slot: &VerificationSlot<'_>,
        run: &CaseRun,
        rules: &CaseRules,
    ) -> Result<()> {
        let held = self.cache().prepared.get(&slot.id).map(|held| held.tree);
        if let (Some(tree), Ok(report)) = (held, &run.report) {
            let key = self.cases_key(&tree, rules)?;
            let report = Arc::new(report.clone());
            self.cache().cases.entry(key).or_insert(report);
        }
        Ok(())
    }

    fn cases_key(&self, tree: &crate::object_id::ObjectId, rules: &CaseRules) -> Result<String> {
        let tree = self.machine.tree_key(tree, self.layout.dir())?;
        let how = format!("{}\n{}\n{:?}", rules.shell, rules.format, rules.path);
        Ok(base_key(&tree, &how))
    }
}

fn judgement_of(
    base: &BaseCases<Arc<TestReport>>,
    run: &CaseRun,
    (command, rules): (&OracleCommand, &CaseRules),
) -> CaseJudgement {
    let CommandEnd::Exited(exit) = run.end.ended else {
        return CaseJudgement::Failed(vec![]);
    };
    match (base, &run.report) {
        (Err(unfit), _) if !turns_green(command) => CaseJudgement::Unproven(unfit.to_string()),
        (_, Err(why)) => CaseJudgement::Unproven(why.to_string()),
        (Ok(base), Ok(work)) => judge(base, work, exit, rules),
        (Err(_), Ok(work)) => judge_alone(work, exit, rules),
    }
}

/// Returns what is said of cases that may fail, and did before.
fn inherited_note<T>(inherited: &[String], base: &BaseCases<T>) -> Option<String> {
    let before = match base {
        Ok(_) => "as on the base",
        Err(_) => "as `known_failures` says; the base shows nothing",
    };
    (!inherited.is_empty()).then(|| format!("{} fail {before}", count(inherited)))
}

/// Returns what a base printed whose cases are not known.
fn lines_of_base<T>(base: &BaseCases<T>) -> &[String] {
    let unfit = base.as_ref().err();
    let evidence = unfit.and_then(|unfit| unfit.evidence.as_deref());
    evidence.map_or(&[], |evidence| &evidence.error_lines)
}

/// Returns whether turning a command green is the unit's job: a base that shows nothing is what the unit is there for then.
fn turns_green(command: &OracleCommand) -> bool {
    command.expect_base() != ExpectBase::Green
}

/// Returns the cases of a run on the base, where it ended by itself and ran any.
fn readable(command: &OracleCommand, run: CaseRun) -> BaseCases<TestReport> {
    let exit = run.end.ended.exit_code();
    let why = match (exit, run.report) {
        (None, _) => None,
        (Some(_), Err(why)) => Some(why.to_string()),
        (Some(_), Ok(report)) if report.ran() == 0 => report.without_cases(),
        (Some(exit), Ok(report)) if exit != 0 && report.failed().is_empty() => {
            Some(unexplained(exit))
        }
        (Some(_), Ok(report)) => return Ok(report),
    };
    let red = RedCommand::of_exit(&command.name, exit.unwrap_or(-1));
    let cause = match (red.cause, why) {
        (RedCause::Failed, Some(why)) => RedCause::Cases(why),
        (cause, _) => cause,
    };
    Err(UnfitBase {
        cause,
        evidence: Some(Box::new(distil(&command.shell, &run.end))),
    })
}

impl std::fmt::Display for UnfitBase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ended = || self.evidence.as_ref().map(|e| e.ended.verb_phrase());
        match &self.cause {
            RedCause::Cases(why) => write!(f, "the base shows nothing: {why}"),
            _ => write!(
                f,
                "the base shows nothing: it {}",
                ended().unwrap_or_default()
            ),
        }
    }
}

fn count(cases: &[String]) -> String {
    counted(cases.len(), "case")
}

#[cfg(test)]
mod tests;
