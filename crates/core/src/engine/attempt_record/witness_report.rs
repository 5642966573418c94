//! What a unit's witness found.

use crate::engine::evidence::{counted, one_line};
use serde::{Deserialize, Serialize};

/// How lines that no check sees are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WitnessMethod {
    /// Lines were taken back.
    TakenBack,
    /// The project's mutation tester.
    MutationTester,
}

/// Lines of a landed unit that no check sees.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UnwitnessedLines {
    /// The file they are in, from the root.
    pub(crate) path: String,
    /// The first line, from 1; of lines that are gone, the one they stood behind.
    pub(crate) first: u32,
    /// The last line, itself among them.
    pub(crate) last: u32,
    /// How many lines there are, blank ones not counted.
    pub(crate) added: u32,
    /// How many lines stood there before.
    pub(crate) removed: u32,
    /// The first line's text, or what a mutation tester did to it.
    pub(crate) text: String,
}

impl UnwitnessedLines {
    /// Returns whether lines were only removed: nothing can show that what was not needed is gone.
    pub(crate) fn only_removed(&self) -> bool {
        self.added == 0
    }
}

impl std::fmt::Display for UnwitnessedLines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", one_line(&self.path), self.first)?;
        if self.last > self.first {
            write!(f, "-{}", self.last)?;
        }
        if self.only_removed() {
            let lines = if self.removed == 1 { "line" } else { "lines" };
            write!(f, " ({} {lines} removed)", self.removed)?;
        }
        write!(f, ": {}", one_line(&self.text))
    }
}

/// What a witness came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WitnessReport {
    /// Stands for the product's files.
    pub product_tree: String,
    /// The hash of the unit's commands.
    pub oracle: String,
    /// How the lines were found.
    pub(crate) by: WitnessMethod,
    /// Hunks of the product's diff, or a tester's mutants on the changed lines.
    pub(crate) hunks: u32,
    /// How often something was taken back.
    pub(crate) asked: u32,
    /// Changes that no check could see: comments, layout, prose, files that are no text.
    pub(crate) not_asked: u32,
    /// What was not asked for want of time, or could not be.
    pub left: u32,
    /// Lines that were taken back, and no command failed.
    pub unwitnessed: Vec<UnwitnessedLines>,
    /// Names of the commands that were asked.
    pub(crate) commands: Vec<String>,
    /// Seconds of wall clock.
    pub seconds: f64,
}

impl WitnessReport {
    /// Returns the lines that may keep an attempt from landing.
    pub(crate) fn against(&self) -> impl Iterator<Item = &UnwitnessedLines> {
        self.unwitnessed.iter().filter(|u| !u.only_removed())
    }

    /// Returns it as one line.
    pub fn summary(&self) -> String {
        let found = self.unwitnessed.len();
        let what = match self.by {
            WitnessMethod::TakenBack => ("hunk", "place"),
            WitnessMethod::MutationTester => ("mutant", "mutant"),
        };
        let hunks = counted(self.hunks as usize, what.0);
        let mut text = match found {
            0 if self.hunks == 0 => "nothing that a check could see changed".to_owned(),
            0 => format!("{hunks}: the checks see every change"),
            1 => format!("{hunks}: 1 {} that no check sees", what.1),
            _ => format!("{hunks}: {} that no check sees", counted(found, what.1)),
        };
        if self.left > 0 {
            text.push_str(&format!(" ({} not asked for want of time)", self.left));
        }
        text
    }
}
