//! Judging elsewhere, as the two ends speak of it: one step at a time, each what the driver asks of a slot.

use gatewalk_core::driver::ports::ShellEnd;
use gatewalk_core::object_id::ObjectId;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What all steps of a contact have in common.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct JudgeOpening {
    /// `auto`, `require` or `off`.
    pub(crate) sandbox: String,
    /// The user's own rules of ignored files.
    pub(crate) excludes: String,
}

/// What a slot is to hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct JudgeTarget {
    pub(crate) commit: ObjectId,
    pub(crate) tree: ObjectId,
    pub(crate) branch: String,
}

/// One step. All since a slot was prepared can be done once more, elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum JudgeCall {
    /// Make the slot hold a tree; ignored paths of these names stay. A pack comes with it.
    Prepare {
        target: JudgeTarget,
        caches: Vec<String>,
    },
    /// Make it hold another tree, and leave what was built. A pack comes with it.
    Switch(JudgeTarget),
    /// Run the project's set-up, unless it ran for the same inputs.
    SetUp {
        tree: ObjectId,
        base: ObjectId,
        shell: Option<String>,
        state_dir: String,
    },
    /// Run a command of the oracle.
    Run {
        unit: String,
        number: u32,
        name: String,
        shell: String,
        feature_dir: String,
        timeout: Duration,
        network: bool,
    },
    /// Name the tracked files that are not as they were prepared.
    Changed,
    /// Put them back.
    Restore,
    /// Read a file.
    ReadFile { path: String, limit: usize },
    /// Read the files that a path or a glob names.
    ReadFiles { named: String, limit: usize },
    /// Remove the files that a path or a glob names.
    RemoveFile { path: String },
    /// Name the slot's directory.
    Root,
}

impl JudgeCall {
    /// Returns what must be there before it can be done, where home sends that along.
    pub(crate) fn target(&self) -> Option<&JudgeTarget> {
        match self {
            JudgeCall::Prepare { target, .. } | JudgeCall::Switch(target) => Some(target),
            _ => None,
        }
    }

    /// Returns whether the slot is another one afterwards.
    pub(crate) fn changes_slot(&self) -> bool {
        !matches!(
            self,
            JudgeCall::Changed
                | JudgeCall::ReadFile { .. }
                | JudgeCall::ReadFiles { .. }
                | JudgeCall::Root
        )
    }
}

impl JudgeCall {
    /// Returns whether an answer with this many bytes is one to this step.
    pub(crate) fn is_answered_by(&self, answer: &CallAnswer, bytes: usize) -> bool {
        match (self, answer) {
            (JudgeCall::Run { .. }, CallAnswer::Ran(ran)) => ran.is_some(),
            (JudgeCall::SetUp { .. }, CallAnswer::Ran(_))
            | (JudgeCall::Changed | JudgeCall::Restore, CallAnswer::Paths(_))
            | (JudgeCall::Root, CallAnswer::Text(_)) => true,
            (JudgeCall::ReadFile { .. }, CallAnswer::File(there)) => *there || bytes == 0,
            (JudgeCall::ReadFiles { .. }, CallAnswer::Files(files)) => {
                let sum = files
                    .iter()
                    .try_fold(0, |sum: usize, f| sum.checked_add(f.1));
                sum == Some(bytes)
            }
            (
                JudgeCall::Prepare { .. } | JudgeCall::Switch(_) | JudgeCall::RemoveFile { .. },
                CallAnswer::Done,
            ) => true,
            _ => false,
        }
    }
}

/// What came of a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CallAnswer {
    /// It is done.
    Done,
    /// What ran ended so; nothing where nothing had to run.
    Ran(Option<ShellEnd>),
    /// Paths.
    Paths(Vec<String>),
    /// Whether there is such a file; its bytes come before.
    File(bool),
    /// Files and how long each is; the bytes of all come before.
    Files(Vec<(String, usize)>),
    /// Text.
    Text(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_of_another_kind_or_length_is_none() {
        let file = || "a".to_owned();
        let read = JudgeCall::ReadFile {
            path: file(),
            limit: 9,
        };
        let read_all = JudgeCall::ReadFiles {
            named: file(),
            limit: 9,
        };
        let two = |length| CallAnswer::Files(vec![(file(), 2), (file(), length)]);
        for (call, answer, bytes, want) in [
            (&JudgeCall::Root, CallAnswer::Text(file()), 0, true),
            (&JudgeCall::Root, CallAnswer::Done, 0, false),
            (&JudgeCall::Changed, CallAnswer::Paths(vec![]), 0, true),
            (&JudgeCall::Restore, CallAnswer::Ran(None), 0, false),
            (
                &JudgeCall::RemoveFile { path: file() },
                CallAnswer::Done,
                0,
                true,
            ),
            (&read, CallAnswer::File(true), 5, true),
            (&read, CallAnswer::File(false), 5, false),
            (&read_all, two(3), 5, true),
            (&read_all, two(4), 5, false),
            (&read_all, two(usize::MAX), 1, false),
        ] {
            assert_eq!(
                call.is_answered_by(&answer, bytes),
                want,
                "{call:?} {answer:?}"
            );
        }
    }
}
