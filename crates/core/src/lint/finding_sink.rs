//! What rules report into: a finding is made, then given its details.

use crate::diagnostic::{Diagnostic, Edit, Fix, Label, Severity, Span};
use crate::lint::Options;
use std::sync::Arc;

/// Collects findings, at most so many of a rule in one file.
#[derive(Debug)]
pub(crate) struct FindingSink {
    speaker: Option<SpeakingRule>,
    found: Vec<Diagnostic>,
    /// The file the rule spoke about last, and how often.
    path: Option<Arc<str>>,
    reported: usize,
    /// What is said beyond what anybody reads.
    spare: Option<Diagnostic>,
    /// Whether nobody reads what is no error.
    pub(crate) errors_only: bool,
}

/// What findings take from the rule that makes them.
#[derive(Debug, Clone, Copy)]
pub(super) struct SpeakingRule {
    pub(super) code: &'static str,
    pub(super) severity: Severity,
    /// The severity of the worst that it finds when nobody says otherwise.
    pub(super) worst: Severity,
}

/// How often a rule speaks about one file: a file with more of the same is read no further than this.
pub(crate) const MAX_PER_FILE: usize = 200;

/// The finding just made.
#[derive(Debug)]
pub(crate) struct FindingBuilder<'a> {
    finding: &'a mut Diagnostic,
    worst: Severity,
}

impl FindingSink {
    /// Returns an empty sink.
    pub(crate) fn new() -> FindingSink {
        FindingSink {
            speaker: None,
            found: Vec::new(),
            path: None,
            reported: 0,
            spare: None,
            errors_only: false,
        }
    }

    /// Returns an empty sink for what is asked.
    pub(super) fn asked(options: &Options) -> FindingSink {
        FindingSink {
            errors_only: options.errors_only,
            ..FindingSink::new()
        }
    }

    /// Says which rule speaks next.
    pub(super) fn turn_to(&mut self, rule: SpeakingRule) {
        self.speaker = Some(rule);
        self.path = None;
    }

    /// Reports something at a place.
    pub(crate) fn at(
        &mut self,
        path: &Arc<str>,
        span: Span,
        message: impl Into<String>,
    ) -> FindingBuilder<'_> {
        let rule = self
            .speaker
            .expect("the engine names the rule before it asks");
        let same = |last: &Arc<str>| Arc::ptr_eq(last, path) || last == path;
        if !self.path.as_ref().is_some_and(same) {
            self.path = Some(path.clone());
            self.reported = 0;
        }
        self.reported += 1;
        let mut message: String = message.into();
        if self.reported == MAX_PER_FILE {
            message.push_str("; more like this in the file are not shown");
        }
        let finding = Diagnostic {
            code: rule.code,
            severity: rule.severity,
            message,
            primary: Label {
                path: path.clone(),
                span,
                message: String::new(),
            },
            related: Vec::new(),
            help: None,
            fix: None,
        };
        let finding = if self.reported > MAX_PER_FILE {
            self.spare.insert(finding)
        } else {
            self.found.push(finding);
            self.found.last_mut().expect("pushed on the line above")
        };
        FindingBuilder {
            finding,
            worst: rule.worst,
        }
    }

    /// Returns whether the rule has said of this file as much as it may: it need not look on.
    pub(crate) fn is_full(&self, path: &Arc<str>) -> bool {
        self.reported >= MAX_PER_FILE && self.path.as_ref().is_some_and(|last| last == path)
    }

    /// Says again what was found before.
    pub(super) fn repeat(&mut self, found: &[Diagnostic]) {
        self.found.extend_from_slice(found);
    }

    /// Takes what was reported into another sink, about other files.
    pub(super) fn absorb(&mut self, other: FindingSink) {
        self.found.extend(other.found);
    }

    /// Returns how much was found so far.
    pub(super) fn len(&self) -> usize {
        self.found.len()
    }

    /// Returns what was found since there were that many.
    pub(super) fn since(&self, before: usize) -> &[Diagnostic] {
        &self.found[before..]
    }

    /// Returns what was found.
    pub(super) fn into_findings(self) -> Vec<Diagnostic> {
        self.found
    }
}

impl Default for FindingSink {
    fn default() -> Self {
        FindingSink::new()
    }
}

impl FindingBuilder<'_> {
    /// Says what to do.
    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        self.finding.help = Some(help.into());
        self
    }

    /// Says what to do, if there is something.
    pub(crate) fn maybe_help(self, help: Option<String>) -> Self {
        self.finding.help = help;
        self
    }

    /// Says what the place itself has to do with it.
    pub(crate) fn label(self, message: impl Into<String>) -> Self {
        self.finding.primary.message = message.into();
        self
    }

    /// Points at another place.
    pub(crate) fn related(self, path: &Arc<str>, span: Span, message: impl Into<String>) -> Self {
        self.finding.related.push(Label {
            path: path.clone(),
            span,
            message: message.into(),
        });
        self
    }

    /// Gives this finding another severity than its rule has.
    pub(crate) fn severity(self, severity: Severity) -> Self {
        debug_assert!(severity != Severity::Error || self.worst == Severity::Error);
        self.finding.severity = severity;
        self
    }

    /// Makes an error a warning where nothing runs any more.
    pub(crate) fn only_warn_if(self, settled: bool) -> Self {
        if settled && self.finding.severity == Severity::Error {
            self.finding.severity = Severity::Warning;
        }
        self
    }

    /// Offers a repair of the same file that loses nothing.
    pub(crate) fn safe_fix(self, title: impl Into<String>, edits: Vec<(Span, String)>) -> Self {
        self.fix(title, edits, true)
    }

    /// Offers a repair of the same file that a user should look at.
    pub(crate) fn unsafe_fix(self, title: impl Into<String>, edits: Vec<(Span, String)>) -> Self {
        self.fix(title, edits, false)
    }

    /// Offers a repair that is safe or that a user should look at.
    pub(crate) fn fix(
        self,
        title: impl Into<String>,
        edits: Vec<(Span, String)>,
        safe: bool,
    ) -> Self {
        let path = self.finding.primary.path.clone();
        let edit = |(span, text)| Edit {
            path: path.clone(),
            span,
            text,
        };
        let edits = edits.into_iter().map(edit).collect();
        self.finding.fix = Some(Fix {
            title: title.into(),
            safe,
            edits,
        });
        self
    }
}
