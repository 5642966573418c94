//! Where a command leaves the report of its cases, and what stands there once it has run.

use super::ports::{ShellEnd, SlotId, Workspaces};
use crate::engine::case_trial;
use crate::engine::test_reports::{self, LARGEST_REPORT, TestReport, UnreadableReport};
use crate::error::Result;
use crate::model::report_settings::ReportFormat;

/// Where a command leaves its report, and how that is written.
#[derive(Debug, Clone, Copy)]
pub struct ReportPlace<'a> {
    /// How it is written.
    pub format: ReportFormat,
    /// The files that hold it, in the slot; none: the command prints it.
    pub path: Option<&'a str>,
}

impl ReportPlace<'_> {
    /// Removes what an earlier run left there.
    ///
    /// # Errors
    /// Fails where the slot's files cannot be changed.
    pub fn clear(&self, machine: &(impl Workspaces + ?Sized), slot: SlotId) -> Result<()> {
        self.path
            .map_or(Ok(()), |path| machine.remove_slot_file(slot, path))
    }

    /// Returns the report of a run that has ended.
    pub(super) fn read(
        &self,
        machine: &(impl Workspaces + ?Sized),
        slot: SlotId,
        end: &ShellEnd,
    ) -> Result<std::result::Result<TestReport, UnreadableReport>> {
        let files = match self.path {
            Some(path) => {
                let files = machine.slot_files(slot, path, LARGEST_REPORT)?;
                let most = LARGEST_REPORT >> 20;
                let none = format!("it left no report at `{path}`, or one over {most} MiB");
                (!files.is_empty()).then_some(files).ok_or(UnreadableReport(none))
            }
            None if end.stdout_omitted > 0 => Err(UnreadableReport(
                "it printed more than is kept: have it write a file, and name that in `report: {path: …}`".to_owned(),
            )),
            None => {
                let printed = [end.stdout_head.as_slice(), &end.stdout_tail].concat();
                Ok(vec![("standard output".to_owned(), printed)])
            }
        };
        let root = machine.slot_root(slot)?;
        Ok(files.and_then(|files| test_reports::read_all(self.format, &files, &root)))
    }

    /// Returns the cases that fail in the report of a red run, or why they are nothing to hold units to.
    ///
    /// # Errors
    /// Fails where the slot's files cannot be read.
    pub fn failing_cases(
        &self,
        machine: &(impl Workspaces + ?Sized),
        slot: SlotId,
        end: &ShellEnd,
    ) -> Result<std::result::Result<Vec<String>, String>> {
        let report = self.read(machine, slot, end)?;
        Ok(report
            .map_err(|why| why.to_string())
            .and_then(|report| case_trial::failing_cases(&report)))
    }
}
