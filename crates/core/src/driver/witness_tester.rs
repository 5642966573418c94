//! A project's own mutation tester in place of lines taken back: its survivors on the lines a unit changed.

use super::run_loop::Driver;
use super::verification_request::VerificationSlot;
use super::witness_run::{WitnessRun, rounded};
use crate::engine::attempt_record::witness_report::{WitnessMethod, WitnessReport};
use crate::engine::command_end::CommandEnd;
use crate::engine::oracle::{CommandJudge, CommandSource, OracleCommand};
use crate::engine::witness::{
    ChangedText, SurvivorReport, changed_lines, read_survivors, unified_diff,
};
use crate::error::{Error, Result};
use crate::model::witness_settings::MutationTester;

/// The diff's file in the state directory of the slot.
const DIFF: &str = "witness.diff";

/// The largest report that is read.
const LARGEST_REPORT: usize = 64 << 20;

/// A mutation tester that ran.
struct TesterRun<'t> {
    tester: MutationTester<'t>,
    end: CommandEnd,
}

impl Driver<'_> {
    /// Runs the tester on the work and reads what it wrote.
    pub(super) fn ask_tester(
        &self,
        run: &mut WitnessRun<'_>,
        tester: MutationTester<'_>,
    ) -> Result<Option<WitnessReport>> {
        let files = &run.case.files;
        let slot = self.slot_of(run);
        let mut found = SurvivorReport::default();
        if !files.is_empty() {
            let path = format!("{}/{DIFF}", self.layout.dir());
            let diff = unified_diff(files).into_bytes();
            let tree = self
                .machine
                .edit_tree(&run.case.tree, &[(path.clone(), Some(diff.into()))])?;
            self.prepare_verification(slot.plan, slot.id, &tree)?;
            let ran = self.run_tester(&slot, tester, (&path, run.budget))?;
            if self.is_over(run) {
                return Ok(None);
            }
            found = self.survivors(&slot, &ran, files)?;
        }
        Ok(Some(WitnessReport {
            product_tree: run.case.product.clone(),
            oracle: run.case.oracle(),
            by: WitnessMethod::MutationTester,
            hunks: found.tried,
            asked: found.tried,
            not_asked: run.case.not_text,
            left: 0,
            unwitnessed: found.survived,
            commands: vec![tester.shell.to_owned()],
            seconds: rounded(self.spent(run)),
        }))
    }

    fn run_tester<'t>(
        &self,
        slot: &VerificationSlot<'_>,
        tester: MutationTester<'t>,
        (diff, budget): (&str, std::time::Duration),
    ) -> Result<TesterRun<'t>> {
        let command = OracleCommand {
            name: "mutation-tester".to_owned(),
            shell: format!(
                "GATEWALK_DIFF=$PWD/{diff}\nexport GATEWALK_DIFF\n{}",
                tester.shell
            ),
            timeout: budget,
            when: vec![],
            source: CommandSource::Set("witness".to_owned()),
            expects_red: false,
            judge: CommandJudge::Exit,
            needs: vec![],
            parallel: false,
            inputs: vec![],
        };
        let result = self.run_command(slot, &command)?.result;
        let end = match result.exit {
            Some(exit) => CommandEnd::Exited(exit),
            None => CommandEnd::TimedOut(budget),
        };
        Ok(TesterRun { tester, end })
    }

    fn survivors(
        &self,
        slot: &VerificationSlot<'_>,
        TesterRun { tester, end }: &TesterRun<'_>,
        files: &[ChangedText],
    ) -> Result<SurvivorReport> {
        let report = self
            .machine
            .slot_file(slot.id, tester.report, LARGEST_REPORT)?;
        let changed: Vec<_> = files
            .iter()
            .map(|f| (f.path.as_str(), changed_lines(f)))
            .collect();
        let is_changed = |path: &str, first: u32, last: u32| {
            let lines = changed
                .iter()
                .find(|(p, _)| *p == path)
                .map(|(_, lines)| lines);
            lines.is_some_and(|lines| lines.iter().any(|r| r.start <= last && first < r.end))
        };
        let read = report
            .as_deref()
            .map(|bytes| read_survivors(bytes, &is_changed));
        match read {
            Some(Some(found)) => Ok(found),
            // It had nothing to change on these lines.
            None if end.is_success() => Ok(SurvivorReport::default()),
            _ => Err(Error::environment(format!(
                "the mutation tester {}, and `{}` is no report of cargo-mutants nor of the common schema",
                end.verb_phrase(),
                tester.report
            ))
            .hint(format!(
                "it is `witness` in `{}`; its output is in the attempt's log `verify-mutation-tester.log`",
                slot.plan.workspace.verification.path
            ))),
        }
    }
}
