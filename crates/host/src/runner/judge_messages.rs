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
