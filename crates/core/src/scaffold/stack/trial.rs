//! What running a stack's commands once showed, and what is written of it.

use super::{CaseForm, Stack, StackCommand};
use std::collections::BTreeMap;

/// How a proposed command did on the repository as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TrialOutcome {
    /// It exited with 0 and, where it tests, ran tests.
    Passed,
    /// It is red for these cases alone, by a report of this form: units can be held to the others.
    FailsCases(Vec<String>, CaseForm),
    /// It proves nothing today, for this reason.
    Failed(String),
    /// What it starts is not installed, as this says.
    NotInstalled(String),
}

/// The commands that were run once, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StackTrial {
    /// The commit they ran on, shortened.
    pub commit: String,
    /// How each did; what is missing was not run.
    pub outcomes: BTreeMap<String, TrialOutcome>,
}

impl StackTrial {
    /// Returns why a command is not proven; nothing if it is.
    fn failure(&self, command: &StackCommand) -> Option<String> {
        match self.outcomes.get(&command.name) {
            Some(TrialOutcome::Passed | TrialOutcome::FailsCases(..)) => None,
            Some(TrialOutcome::Failed(why) | TrialOutcome::NotInstalled(why)) => Some(why.clone()),
            None => Some("it was not run".to_owned()),
        }
    }

    /// Returns whether what runs the tests is not installed.
    pub fn lacks_runner(&self) -> bool {
        let mut outcomes = self.outcomes.values();
        outcomes.any(|outcome| matches!(outcome, TrialOutcome::NotInstalled(_)))
    }

    /// Returns whether a stack's tests were shown to pass, but for cases that are known.
    pub fn shows_tests(&self, stack: &Stack) -> bool {
        let mut tests = stack.code.iter().filter(|command| command.tests).peekable();
        tests.peek().is_some() && tests.all(|command| self.failure(command).is_none())
    }
}

impl Stack {
    /// Switches on what passed, and leaves the rest as comments with the reason.
    #[must_use]
    pub fn tried(mut self, trial: StackTrial) -> Stack {
        let proposed: Vec<StackCommand> = self
            .code
            .drain(..)
            .chain(self.suggested.drain(..))
            .collect();
        for mut command in proposed {
            // Another way to run the same tests proves nothing more.
            let wraps = ["make-", "just-"]
                .iter()
                .any(|kind| command.name.starts_with(kind));
            let repeats = wraps && self.is_tested();
            command.unproven = match repeats {
                true => Some("it repeats the tests above".to_owned()),
                false => trial.failure(&command),
            };
            if let Some(TrialOutcome::FailsCases(cases, form)) = trial.outcomes.get(&command.name) {
                command.known_failures.clone_from(cases);
                self.made.extend(form.made());
                command.by_cases = Some(form.clone());
            }
            match command.unproven {
                None => self.code.push(command),
                Some(_) => self.suggested.push(command),
            }
        }
        self.trial = Some(trial);
        self
    }
}
