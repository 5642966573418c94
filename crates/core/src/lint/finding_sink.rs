//! What rules report into: a finding is made, then given its details.

use crate::diagnostic::{Diagnostic, Edit, Fix, Label, Severity, Span};
use crate::lint::rule::Rule;
use crate::lint::{Options, rules};
use crate::model::config::SeverityMap;
use std::sync::Arc;

/// Collects findings, at most so many of a rule in one file.
#[derive(Debug)]
pub(crate) struct FindingSink {
    rule: Option<&'static Rule>,
    found: Vec<Diagnostic>,
    /// The file the rule spoke about last, and how often.
    path: Option<Arc<str>>,
    reported: usize,
    /// What is said beyond what anybody reads.
    spare: Option<Diagnostic>,
    /// Whether nobody reads what is no error.
    pub(crate) errors_only: bool,
}

/// How often a rule speaks about one file: a file with more of the same is read no further than this.
pub(crate) const MAX_PER_FILE: usize = 200;

/// The finding just made.
#[derive(Debug)]
pub(crate) struct FindingBuilder<'a>(&'a mut Diagnostic);

impl FindingSink {
    /// Returns an empty sink.
    pub(crate) fn new() -> FindingSink {
        FindingSink {
            rule: None,
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
    pub(crate) fn rule(&mut self, rule: &'static Rule) {
        self.rule = Some(rule);
        self.path = None;
    }

    /// Reports something at a place.
    pub(crate) fn at(
        &mut self,
        path: &Arc<str>,
        span: Span,
        message: impl Into<String>,
    ) -> FindingBuilder<'_> {
        let rule = self.rule.expect("the engine names the rule before it asks");
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
        if self.reported > MAX_PER_FILE {
            return FindingBuilder(self.spare.insert(finding));
        }
        self.found.push(finding);
        FindingBuilder(self.found.last_mut().expect("pushed on the line above"))
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

    /// Returns the findings with the severities the repository wants.
    ///
    /// Settings may raise anything, and lower or switch off what is not an error.
    pub(crate) fn finish(self, wanted: &SeverityMap) -> Vec<Diagnostic> {
        let mut found = self.found;
        found.retain_mut(|d| {
            let Some(word) = wanted_severity(wanted, d.code) else {
                return true;
            };
            match word {
                _ if d.severity == Severity::Error => {}
                "off" => return false,
                "error" => d.severity = Severity::Error,
                "warning" => d.severity = Severity::Warning,
                _ => d.severity = Severity::Info,
            }
            true
        });
        found
    }
}

impl Default for FindingSink {
    fn default() -> Self {
        FindingSink::new()
    }
}

/// Returns what the settings say about a rule: its code and its name before the head of a code.
pub(crate) fn wanted_severity<'m>(wanted: &'m SeverityMap, code: &str) -> Option<&'m str> {
    if wanted.0.is_empty() {
        return None;
    }
    let rule = rules::TABLE.iter().find(|rule| rule.code == code)?;
    let named = wanted.0.iter().filter(|(word, _)| rule.is_called(word));
    // The longer word is the more exact one: `GW301` goes before `GW3`.
    named
        .max_by_key(|(word, _)| (word.as_str() != "all", word.len()))
        .map(|(_, v)| v.value.as_str())
}

impl FindingBuilder<'_> {
    /// Says what to do.
    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        self.0.help = Some(help.into());
        self
    }

    /// Says what to do, if there is something.
    pub(crate) fn maybe_help(self, help: Option<String>) -> Self {
        self.0.help = help;
        self
    }

    /// Says what the place itself has to do with it.
    pub(crate) fn label(self, message: impl Into<String>) -> Self {
        self.0.primary.message = message.into();
        self
    }

    /// Points at another place.
    pub(crate) fn related(self, path: &Arc<str>, span: Span, message: impl Into<String>) -> Self {
        self.0.related.push(Label {
            path: path.clone(),
            span,
            message: message.into(),
        });
        self
    }

    /// Gives this finding another severity than its rule has.
    pub(crate) fn severity(self, severity: Severity) -> Self {
        let finds_errors = || rules::find(self.0.code).is_some_and(Rule::finds_errors);
        debug_assert!(severity != Severity::Error || finds_errors());
        self.0.severity = severity;
        self
    }

    /// Makes an error a warning where nothing runs any more.
    pub(crate) fn only_warn_if(self, settled: bool) -> Self {
        if settled && self.0.severity == Severity::Error {
            self.0.severity = Severity::Warning;
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
        let path = self.0.primary.path.clone();
        let edit = |(span, text)| Edit {
            path: path.clone(),
            span,
            text,
        };
        let edits = edits.into_iter().map(edit).collect();
        self.0.fix = Some(Fix {
            title: title.into(),
            safe,
            edits,
        });
        self
    }
}
