//! One command of an oracle: where it comes from, when it runs, and what decides whether it passes.

use super::NoOracle;
use crate::engine::test_reports::case_comparison::CaseRules;
use crate::model::feature::Feature;
use crate::model::report_settings::JudgeBy;
use crate::model::unit::{Check, ExpectBase, Unit};
use crate::model::verification::{DEFAULT_COMMAND_TIMEOUT, Tier, VerificationCommand};
use std::time::Duration;

/// Where a command of the oracle comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandSource {
    /// A set of verification.yml.
    Set(String),
    /// The gate's `feature_oracle`, for the whole feature.
    FeatureOracle,
    /// An executable acceptance criterion of the unit.
    Check(ExpectBase),
    /// A git hook of the user's own.
    Hook,
}

impl CommandSource {
    /// Returns its word in records.
    pub fn word(&self) -> &str {
        match self {
            CommandSource::Set(name) => name,
            CommandSource::FeatureOracle => "feature_oracle",
            CommandSource::Check(_) => "check",
            CommandSource::Hook => "hook",
        }
    }
}

/// What decides whether a command passes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandJudge {
    /// Its exit code alone.
    Exit,
    /// Its cases, held against those of the base.
    NewFailures(CaseRules),
}

/// The name of a gate's own command.
pub(crate) const FEATURE_ORACLE: &str = "feature-oracle";

/// One command that must exit 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OracleCommand {
    /// Its name; unique in the list.
    pub name: String,
    /// The shell text, `{feature_dir}` not yet replaced.
    pub shell: String,
    /// After this long it is ended, and has failed.
    pub timeout: Duration,
    /// Runs only when the diff touches one of these globs; empty for always.
    pub when: Vec<String>,
    /// Where it comes from.
    pub source: CommandSource,
    /// Red on the base by declaration: this unit turns it green.
    pub(crate) expects_red: bool,
    /// What decides whether it passes.
    pub(crate) judge: CommandJudge,
    /// Names of the commands of its set that run before it.
    pub(crate) needs: Vec<String>,
    /// Whether it may share its slot with others that run at the same time.
    pub parallel: bool,
    /// Globs of all that its outcome depends on; empty where that is not known.
    pub inputs: Vec<String>,
}

impl OracleCommand {
    /// Returns how it must end on the base.
    pub(crate) fn expect_base(&self) -> ExpectBase {
        match self.source {
            CommandSource::Check(expect) => expect,
            _ if self.expects_red => ExpectBase::Any,
            _ => ExpectBase::Green,
        }
    }

    /// Returns what its outcome on a tree is cached under, beside the tree: its text, and how it is judged.
    pub(crate) fn identity(&self) -> String {
        match &self.judge {
            CommandJudge::Exit => self.shell.clone(),
            CommandJudge::NewFailures(rules) => format!("{}\n{rules:?}", self.shell),
        }
    }
}

impl OracleCommand {
    pub(super) fn of_set(
        set: &str,
        command: &VerificationCommand,
        unit: &Unit,
    ) -> Result<OracleCommand, NoOracle> {
        let mut command = OracleCommand {
            expects_red: Unit::list(&unit.front.expects_red).contains(&command.name()),
            ..OracleCommand::declared(set, command)?
        };
        if let CommandJudge::NewFailures(rules) = &mut command.judge {
            rules.may_vanish = unit.front.touches_tests.as_ref().is_some_and(|t| t.value);
        }
        Ok(command)
    }

    /// Returns a command of verification.yml.
    pub(crate) fn declared(
        set: &str,
        command: &VerificationCommand,
    ) -> Result<OracleCommand, NoOracle> {
        let texts = |list| Unit::list(list).into_iter().map(str::to_owned).collect();
        Ok(OracleCommand {
            name: command.name().to_owned(),
            shell: command.shell().to_owned(),
            timeout: command.timeout(),
            when: texts(&command.when),
            source: CommandSource::Set(set.to_owned()),
            expects_red: false,
            judge: judge_of(command)?,
            needs: texts(&command.needs),
            parallel: command.parallel.as_ref().is_some_and(|p| p.value),
            inputs: texts(&command.inputs),
        })
    }

    pub(super) fn of_gate(feature: &Feature, gate: usize) -> Option<OracleCommand> {
        let shell = feature.gate(gate)?.front.feature_oracle.as_ref()?;
        Some(OracleCommand {
            name: FEATURE_ORACLE.to_owned(),
            shell: shell.value.clone(),
            timeout: DEFAULT_COMMAND_TIMEOUT,
            when: vec![],
            source: CommandSource::FeatureOracle,
            // The whole feature's oracle is green only when its last unit is in.
            expects_red: true,
            judge: CommandJudge::Exit,
            needs: vec![],
            parallel: false,
            inputs: vec![],
        })
    }

    pub(super) fn of_check(check: &Check) -> Option<OracleCommand> {
        let timeout = check.timeout.as_ref();
        let expect_base = check.expect_base.as_ref();
        Some(OracleCommand {
            name: check.name.as_ref()?.value.clone(),
            shell: check.run.as_ref()?.value.clone(),
            timeout: timeout.map_or(DEFAULT_COMMAND_TIMEOUT, |t| t.value),
            when: vec![],
            source: CommandSource::Check(expect_base.map_or(ExpectBase::Red, |e| e.value)),
            expects_red: false,
            judge: CommandJudge::Exit,
            needs: vec![],
            parallel: false,
            inputs: vec![],
        })
    }
}

/// Returns what decides whether a command passes. On the tip before a gate's end there is nothing to hold cases against.
fn judge_of(command: &VerificationCommand) -> Result<CommandJudge, NoOracle> {
    if command.judge() == JudgeBy::Exit {
        return Ok(CommandJudge::Exit);
    }
    let report = command.report.as_ref().map(|r| &r.value);
    let format = report.and_then(|r| r.format.as_ref());
    let (Some(report), Some(format), Tier::Narrow) = (report, format, command.tier()) else {
        let name = command.name().to_owned();
        return Err(NoOracle::NoCases { name });
    };
    let known = command.known_failures.as_ref();
    Ok(CommandJudge::NewFailures(CaseRules {
        shell: command.shell().to_owned(),
        format: format.value,
        path: report.path.as_ref().map(|path| path.value.clone()),
        known: known.map(|list| list.value.0.iter().map(|case| case.value.clone()).collect()),
        may_vanish: false,
    }))
}
