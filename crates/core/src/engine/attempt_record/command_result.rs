//! What one command of the oracle said, as it is recorded.

use crate::engine::failure_class::CommandVerdict;
use crate::engine::oracle::OracleCommand;
use crate::model::recorded_word::RecordedWord;
use serde::{Deserialize, Serialize};

/// What stands behind the name of a command that ran without the attempt's own tests.
pub(crate) const WITH_BASE_TESTS: &str = " (base's tests)";

/// What one oracle command said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CommandResult {
    /// Its name in its set.
    pub name: String,
    /// The set, or `feature_oracle`, or `check`.
    pub source: String,
    /// What `sh -c` was given.
    pub command: String,
    /// Its exit code; none when it was ended.
    pub exit: Option<i32>,
    /// Seconds of wall clock.
    pub seconds: f64,
    /// What it came to.
    pub verdict: RecordedWord<CommandVerdict>,
    /// Why, when it is not plain.
    pub note: Option<String>,
    /// Its cases that fail as they do on the base.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) inherited: Vec<String>,
    /// The only cases that were allowed to, where there is such a list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) known_failures: Option<Vec<String>>,
}

impl CommandResult {
    /// Returns the result of a command that was not run, for which `note` says why.
    pub(crate) fn not_run(
        command: &OracleCommand,
        verdict: CommandVerdict,
        note: String,
    ) -> CommandResult {
        CommandResult {
            name: command.name.clone(),
            source: command.source.word().to_owned(),
            command: command.shell.clone(),
            exit: None,
            seconds: 0.0,
            verdict: verdict.into(),
            note: Some(note),
            inherited: vec![],
            known_failures: None,
        }
    }

    /// Returns whether it is the result of the command of this name, also where that ran with the base's tests.
    pub(crate) fn is_of(&self, name: &str) -> bool {
        let rest = self.name.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest == WITH_BASE_TESTS)
    }

    /// Returns whether it counts as passed.
    pub fn passed(&self) -> bool {
        matches!(
            self.verdict.known(),
            Some(CommandVerdict::Pass | CommandVerdict::Flaky | CommandVerdict::Reused)
        )
    }
}
