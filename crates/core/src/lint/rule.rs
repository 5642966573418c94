//! What a rule is: a code, a severity, a question and a page.

use super::context::{FeatureCx, FileCx, GateCx, UnitCx, WorkspaceCx};
use super::finding_sink::{FindingSink, SpeakingRule};
use crate::diagnostic::Severity;

/// One rule of the table.
#[derive(Debug)]
pub struct Rule {
    /// `GW` and three digits; never used for anything else.
    pub code: &'static str,
    /// The module's name, in snake case.
    pub(crate) module: &'static str,
    /// Its severity when nobody says otherwise.
    pub severity: Severity,
    /// The severity of the worst that it finds when nobody says otherwise.
    pub(crate) worst: Severity,
    /// What it looks at.
    pub(crate) check: RuleCheck,
    /// Its page, Markdown: `explain` and the reference show it.
    pub page: &'static str,
}

/// The question a rule asks, by what it needs to see.
#[derive(Debug, Clone, Copy)]
pub(crate) enum RuleCheck {
    /// One file as a file.
    File(fn(&FileCx<'_>, &mut FindingSink)),
    /// One unit and its neighbours.
    Unit(fn(&UnitCx<'_>, &mut FindingSink)),
    /// One gate and its neighbours.
    Gate(fn(&GateCx<'_>, &mut FindingSink)),
    /// One feature's plan and graph.
    Feature(fn(&FeatureCx<'_>, &mut FindingSink)),
    /// The features against each other, the roadmap and the oracle.
    Workspace(fn(&WorkspaceCx<'_>, &mut FindingSink)),
    /// The engine itself reports it.
    Engine,
}

impl Rule {
    /// Returns its name in kebab case, as people type it.
    pub fn name(&self) -> String {
        self.module.replace('_', "-")
    }

    /// Says that what is found next is found by this rule.
    pub(super) fn speaks(&self, out: &mut FindingSink) {
        out.turn_to(SpeakingRule {
            code: self.code,
            severity: self.severity,
            worst: self.worst,
        });
    }

    /// Returns whether it can find an error where no setting makes one of what it finds.
    pub(crate) fn finds_errors(&self) -> bool {
        self.worst == Severity::Error
    }

    /// Returns whether a word means this rule: its code, its name, or the head of its code.
    pub(crate) fn is_called(&self, word: &str) -> bool {
        let same_name = || {
            word.len() == self.module.len()
                && word
                    .bytes()
                    .zip(self.module.bytes())
                    .all(|(a, b)| a == b || (a == b'-' && b == b'_'))
        };
        word == "all"
            || (word.len() >= 3
                && word.is_ascii()
                && self.code.len() >= word.len()
                && self.code[..word.len()].eq_ignore_ascii_case(word))
            || same_name()
    }

    /// Returns the first sentence of its page.
    pub fn summary(&self) -> String {
        let text = self
            .page
            .split("## What it does")
            .nth(1)
            .unwrap_or_default()
            .trim();
        let paragraph = text
            .split("\n\n")
            .next()
            .unwrap_or_default()
            .replace('\n', " ");
        match paragraph.find(". ") {
            Some(end) => paragraph[..=end].to_owned(),
            None => paragraph,
        }
    }

    /// Returns the address of its page, when the package says where it lives.
    pub fn url(&self) -> Option<String> {
        let repository = env!("CARGO_PKG_REPOSITORY");
        (!repository.is_empty())
            .then(|| format!("{repository}/blob/main/src/lint/rules/{}.md", self.module))
    }
}
