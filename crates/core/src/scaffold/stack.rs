//! Which tools a repository is built with, and the commands that check it.
//!
//! One row a stack in `ROWS`. A row looks at manifests, at the tests and at what git ignores, and
//! answers with commands that can fail; where nothing that tests was found, `Stack::verification`
//! writes a placeholder that no shell accepts, never a command that passes by itself. Deliberately
//! not here: running anything, or guessing at tools the files do not name.

mod case_form;
mod detection;
mod node;
mod one_command;
mod other_tools;
mod python;
mod python_tests;
mod rows;
mod trial;
mod unread_manifests;
mod verification_yaml;

pub use case_form::CaseForm;
pub use detection::detect;
pub use rows::ROWS;
pub use trial::{StackTrial, TrialOutcome};
pub(crate) use verification_yaml::split_caches;

/// What a repository's rows may ask about.
#[derive(Clone, Copy)]
pub struct RepositoryFiles<'a> {
    /// Reads a file by its path.
    pub read: &'a dyn Fn(&str) -> Option<String>,
    /// The names at the top level, ignored ones included.
    pub listing: &'a [String],
    /// The paths of all files that git tracks or would track.
    pub paths: &'a [String],
    /// Whether git ignores a path that need not be there.
    pub is_ignored: &'a dyn Fn(&str) -> bool,
    /// Whether set-up installs what the project depends on, rather than using this machine's.
    pub installs: bool,
}

/// A repository, as the rows see it.
pub struct Top<'a>(RepositoryFiles<'a>);

impl Top<'_> {
    /// Returns the content of a file, if git tracks or would track it or it is at the top level.
    fn text(&self, name: &str) -> Option<String> {
        let known = self.has(name) || self.0.paths.iter().any(|path| path == name);
        known.then(|| (self.0.read)(name)).flatten()
    }

    /// Returns whether a top-level file or directory exists.
    fn has(&self, name: &str) -> bool {
        let mut entries = self.0.listing.iter();
        entries.any(|entry| entry.trim_end_matches('/') == name)
    }

    /// Returns whether a file is among those that git tracks or would track.
    fn has_file(&self, path: &str) -> bool {
        self.0.paths.iter().any(|other| other == path)
    }

    /// Returns whether a file lies below a directory.
    fn has_under(&self, directory: &str) -> bool {
        self.0.paths.iter().any(|path| path.starts_with(directory))
    }

    /// Returns the first of the names that exists.
    fn first(&self, names: &[&'static str]) -> Option<&'static str> {
        names.iter().copied().find(|name| self.has(name))
    }

    /// Returns whether a file contains a text.
    fn contains(&self, name: &str, text: &str) -> bool {
        self.text(name)
            .is_some_and(|content| content.contains(text))
    }

    /// Returns whether git ignores a name; only then may a slot link it.
    fn ignores(&self, name: &str) -> bool {
        (self.0.is_ignored)(name)
    }
}

/// Answers when the top level belongs to a stack.
pub(crate) type Detect = fn(&Top<'_>) -> Option<DetectedStack>;

/// What a row's commands are worth beside those of other rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StackStanding {
    /// The tool that builds the project.
    Main,
    /// It nearly always runs other rows' commands, and is a suggestion beside them.
    Wrapper,
    /// It is looked at only where nothing else tests, not even in a directory.
    LastResort,
}

/// One row: how a stack is recognised and what it offers.
pub struct StackDetector {
    /// What people call the stack.
    pub(crate) name: &'static str,
    pub(crate) standing: StackStanding,
    pub(crate) detect: Detect,
}

/// What one row found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct DetectedStack {
    pub(crate) setup: Option<String>,
    /// Ignored paths a slot takes from the checkout.
    pub(crate) link: Vec<String>,
    /// What set-up makes in the work tree: git must ignore it.
    pub(crate) made: Vec<&'static str>,
    /// Ignored build output worth keeping from one verification to the next.
    pub(crate) cache: Vec<&'static str>,
    /// The commands, the one that tests first.
    pub(crate) code: Vec<StackCommand>,
    /// Commands that make sense once they are green; written as comments.
    pub(crate) suggested: Vec<StackCommand>,
    /// Things the user should know, written as comments.
    pub(crate) notes: Vec<String>,
}

/// One command for verification.yml.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StackCommand {
    /// Its name in reports.
    pub name: String,
    /// What `sh -c` runs.
    pub run: String,
    /// Its limit where the default does not fit.
    pub(crate) timeout: Option<&'static str>,
    /// Names of commands that must have passed before.
    pub(crate) needs: Vec<String>,
    /// Globs: it runs only if the diff touches one.
    pub(crate) when: Vec<&'static str>,
    /// Runs once a gate instead of at every attempt.
    pub(crate) broad: bool,
    /// Proves behaviour; a repository needs at least one of these.
    pub tests: bool,
    /// How it reports its cases, where its runner is known to.
    pub by_cases: Option<CaseForm>,
    /// The cases that a trial saw fail, where units are held to the others.
    pub(crate) known_failures: Vec<String>,
    /// Why a trial did not show that it passes.
    pub(crate) unproven: Option<String>,
}

impl StackCommand {
    /// Returns a command that tests behaviour.
    pub(super) fn test(run: impl Into<String>) -> Self {
        let run = run.into();
        StackCommand {
            tests: true,
            by_cases: CaseForm::of(&run),
            ..StackCommand::check("tests", run)
        }
    }

    /// Returns a command that checks form.
    pub(super) fn check(name: &str, run: impl Into<String>) -> Self {
        StackCommand {
            name: name.into(),
            run: run.into(),
            timeout: None,
            needs: Vec::new(),
            when: Vec::new(),
            broad: false,
            tests: false,
            by_cases: None,
            known_failures: vec![],
            unproven: None,
        }
    }

    /// Runs only if the diff touches one of the globs.
    fn when(mut self, globs: &[&'static str]) -> Self {
        self.when = globs.to_vec();
        self
    }

    /// Runs once a gate, with a limit of its own.
    fn broad(mut self, timeout: &'static str) -> Self {
        self.broad = true;
        self.timeout = Some(timeout);
        self
    }

    /// Has a limit of its own.
    fn timeout(mut self, timeout: &'static str) -> Self {
        self.timeout = Some(timeout);
        self
    }
}

/// Everything found at the top level.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stack {
    /// The names of the rows that answered, in table order.
    pub kinds: Vec<&'static str>,
    /// Prepares a slot; one shell line.
    pub setup: Option<String>,
    /// Ignored paths a slot takes from the checkout.
    pub link: Vec<String>,
    /// What set-up makes and git does not ignore yet, as lines of `.gitignore`.
    pub(crate) made: Vec<&'static str>,
    /// Ignored build output that verification keeps.
    pub(crate) cache: Vec<&'static str>,
    /// The commands of the `code` set; empty when nothing that tests was found.
    pub code: Vec<StackCommand>,
    /// Commands written as comments.
    pub suggested: Vec<StackCommand>,
    /// Remarks written as comments.
    pub(crate) notes: Vec<String>,
    /// The manifests that could not be read, a sentence each; comments as well.
    pub unread: Vec<String>,
    /// What running the commands once showed, if that was done.
    pub(crate) trial: Option<StackTrial>,
}

impl Stack {
    /// Returns whether a command that proves behaviour was found.
    pub(crate) fn is_tested(&self) -> bool {
        self.code.iter().any(|command| command.tests)
    }
}

/// Returns a name as one shell word.
fn quoted(name: &str) -> String {
    match name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "._-/".contains(c))
        && !name.starts_with('-')
    {
        true => name.to_owned(),
        false => format!("'./{}'", name.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
pub(crate) mod tests;
