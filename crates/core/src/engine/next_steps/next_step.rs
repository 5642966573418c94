//! One thing to do next, and the command that does it.

use std::fmt;

/// What a user can do next; displayed as the command, ready to run, or as words where no command does it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextStep {
    pub(crate) action: NextAction,
    /// Whether edits of the plan have to be committed on the way.
    pub(crate) commit_plan: bool,
}

/// The kinds of next steps. Features and units are named so that they are found whatever else is active.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NextAction {
    /// Run the feature, or run it on.
    Loop { feature: String },
    /// Run it with another agent.
    LoopWithAgent { feature: String },
    /// Arm a feature's drafts and pass its gate, or arm one unit.
    Arm { target: String },
    /// Pass a gate whose landings were unusual, once that was seen.
    ArmAccepting { feature: String },
    /// Look at what is to be armed.
    Review { feature: String },
    /// Send a parked unit back; after a repeated failure only with what changed.
    Unblock { unit: String, changed: bool },
    /// Grant what the session of a parked unit asks for, and send it back.
    UnblockWidened { unit: String },
    /// Look at what was tried.
    ShowAttempt { unit: String },
    /// Look at what a session does now.
    Follow { unit: String },
    /// Hand in what only a user can do.
    HandIn { unit: String },
    /// Take up a feature that rests.
    Reopen { feature: String },
    /// Add a gate for what is still missing.
    NewGate { feature: String },
    /// See which requirement is proven by what.
    Coverage { feature: String },
    /// Answer the open question of this number.
    Answer { feature: String, number: usize },
    /// Give up a unit.
    Abandon { unit: String },
    /// See what is wrong with the plan.
    Lint { directory: String },
    /// `gatewalk doctor`, where the machine is at fault, or a runner.
    Doctor { runner: Option<String> },
    /// Print what a pull request would say.
    PullRequest { feature: String },
    /// What no command can do.
    Words(String),
}

impl NextStep {
    pub(super) fn words(text: impl Into<String>) -> NextStep {
        NextAction::Words(text.into()).into()
    }

    /// Returns whether it runs the feature, or runs it on.
    pub fn is_run(&self) -> bool {
        matches!(self.action, NextAction::Loop { .. })
    }

    /// Returns whether it is a command, and not words about an edit.
    pub fn is_command(&self) -> bool {
        !matches!(self.action, NextAction::Words(_))
    }
}

impl From<NextAction> for NextStep {
    fn from(action: NextAction) -> NextStep {
        NextStep {
            action,
            commit_plan: false,
        }
    }
}

impl NextAction {
    /// Whether its command commits on the feature's branch, and so refuses to go on beside uncommitted edits of the plan.
    pub(super) fn moves_the_branch(&self) -> bool {
        matches!(
            self,
            NextAction::Loop { .. }
                | NextAction::LoopWithAgent { .. }
                | NextAction::Arm { .. }
                | NextAction::ArmAccepting { .. }
                | NextAction::Unblock { .. }
                | NextAction::UnblockWidened { .. }
                | NextAction::HandIn { .. }
                | NextAction::Reopen { .. }
                | NextAction::Answer { .. }
                | NextAction::Abandon { .. }
        )
    }
}

impl fmt::Display for NextStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.action {
            NextAction::Loop { feature } => write!(f, "gatewalk loop --feature {feature}"),
            NextAction::LoopWithAgent { feature } => {
                write!(f, "gatewalk loop --feature {feature} --agent NAME")
            }
            NextAction::Arm { target } => write!(f, "gatewalk arm {target}"),
            NextAction::ArmAccepting { feature } => write!(f, "gatewalk arm {feature} --accept"),
            NextAction::Review { feature } => write!(f, "gatewalk review {feature}"),
            NextAction::Unblock { unit, changed } => {
                write!(f, "gatewalk unblock {unit} --reason \"…\"")?;
                match changed {
                    true => write!(f, " --changed \"…\""),
                    false => Ok(()),
                }
            }
            NextAction::UnblockWidened { unit } => {
                write!(f, "gatewalk unblock {unit} --reason \"…\" --widen")
            }
            NextAction::ShowAttempt { unit } => write!(f, "gatewalk attempts show {unit}"),
            NextAction::Follow { unit } => write!(f, "gatewalk attempts show {unit} --follow"),
            NextAction::HandIn { unit } => write!(f, "gatewalk done {unit} --evidence \"…\""),
            NextAction::Reopen { feature } => {
                write!(f, "gatewalk reopen {feature} --reason \"…\"")
            }
            NextAction::NewGate { feature } => {
                write!(f, "gatewalk new gate \"…\" --feature {feature}")
            }
            NextAction::Coverage { feature } => write!(f, "gatewalk status --coverage {feature}"),
            NextAction::Answer { feature, number } => {
                write!(f, "gatewalk answer {number} \"…\" --feature {feature}")
            }
            NextAction::Abandon { unit } => write!(f, "gatewalk abandon {unit} --reason \"…\""),
            NextAction::Lint { directory } => write!(f, "gatewalk lint {directory}"),
            NextAction::Doctor { runner: None } => write!(f, "gatewalk doctor"),
            NextAction::Doctor { runner: Some(name) } => {
                write!(f, "gatewalk doctor --runner {name}")
            }
            NextAction::PullRequest { feature } => write!(f, "gatewalk pr {feature}"),
            NextAction::Words(text) => write!(f, "{text}"),
        }?;
        match self.commit_plan && self.action.moves_the_branch() {
            true => write!(f, " --commit-plan"),
            false => Ok(()),
        }
    }
}
