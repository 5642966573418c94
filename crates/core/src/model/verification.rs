//! verification.yml: the oracle. Named sets of commands, chosen by unit type.

use super::frontmatter::{
    Note, OneOrMany, Spanned, front, note_missing_keys, table_from_yaml, word_from_yaml, wrong_type,
};
use super::report_settings::{JudgeBy, ReportSettings};
use super::status_machine::words;
use super::witness_settings::WitnessSettings;
use super::yaml::{self, Kind, Node, YamlError};
use std::sync::Arc;
use std::time::Duration;

/// Files whose change asks for the set-up again.
pub const LOCK_FILES: &[&str] = &[
    "Cargo.lock",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "pnpm-lock.yaml",
    "yarn.lock",
    "bun.lock",
    "bun.lockb",
    "uv.lock",
    "poetry.lock",
    "Pipfile.lock",
    "requirements.txt",
    "pdm.lock",
    "go.sum",
    "Gemfile.lock",
    "composer.lock",
    "mix.lock",
    "gradle.lockfile",
    "packages.lock.json",
    "flake.lock",
    "pom.xml",
];

/// Wall-clock limit of a command that does not say.
pub const DEFAULT_COMMAND_TIMEOUT: Duration = Duration::from_secs(15 * 60);

/// The sets chosen by unit type.
pub const TYPE_SETS: [&str; 3] = ["code", "doc", "plannext"];

/// Sets of older drivers that never judged anything.
pub(crate) const INFORMATIONAL_SETS: [&str; 1] = ["oracles"];

/// Keys of older drivers that configure them and hold no commands.
pub(crate) const LEGACY_SETTINGS: [&str; 3] = ["cost_tracking", "baseline_probe", "defaults"];

/// Keys of the file that are no sets.
pub(crate) const SETTINGS: [&str; 3] = ["setup", "link", "witness"];

/// When a command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tier {
    /// Runs after every attempt.
    Narrow,
    /// Once a gate, on the tip before it ends.
    Broad,
}

words!(Tier { "narrow" => Tier::Narrow, "broad" => Tier::Broad });
word_from_yaml!(Tier);

front! {
    /// One command of the oracle.
    pub struct VerificationCommand keeps &[] => {
        /// What it is called; unique in its set.
        name = "name": String [Author required],
        /// The shell command; exit 0 passes.
        command = "command": String [Author required],
        /// Wall-clock limit; 15m when absent.
        timeout = "timeout": Duration [Author],
        /// Commands of the set that run before it.
        needs = "needs": OneOrMany<String> [Author],
        /// Runs only when the diff touches one of these globs.
        when = "when": OneOrMany<String> [Author],
        /// `narrow` (default): every attempt; `broad`: once a gate, on the tip before it ends, whatever `when` says.
        tier = "tier": Tier [Author],
        /// `true`: it may run in one slot at the same time as others that say so, too.
        parallel = "parallel": bool [Author],
        /// Globs of everything its outcome depends on: while none of them changes, what passed in this run is reused.
        inputs = "inputs": OneOrMany<String> [Author],
        /// `exit` (default): exit 0 passes; `no_new_failures`: it passes while its report names no failing case that the base does not have, and misses none.
        judge = "judge": JudgeBy [Author],
        /// The report that names its cases, for `no_new_failures`: a `format`, and the `path` it is written to.
        report = "report": ReportSettings [Author],
        /// The only cases that may fail as on the base; the list may only shrink.
        known_failures = "known_failures": OneOrMany<String> [Author],
    }
}
table_from_yaml!(VerificationCommand);

/// A named list of commands.
#[derive(Debug, Clone, PartialEq)]
pub struct Set {
    /// Its key in the file.
    pub name: Spanned<String>,
    /// Its commands, in order.
    pub commands: Vec<Spanned<VerificationCommand>>,
}

/// The file as it stands.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Verification {
    /// Its path relative to the repository root.
    pub path: Arc<str>,
    /// The text as the file has it.
    pub text: Arc<str>,
    /// Whether there is such a file.
    pub(crate) exists: bool,
    /// Runs once a slot, and again when a lock file changes.
    pub(crate) setup: Option<Spanned<String>>,
    /// Ignored paths a slot takes from the checkout.
    pub(crate) link: Vec<Spanned<String>>,
    /// Whether and how it is found out which changes no check sees.
    pub(crate) witness: Option<Spanned<WitnessSettings>>,
    /// The sets, in the order of the file.
    pub sets: Vec<Set>,
    /// What did not fit.
    pub(crate) notes: Vec<Note>,
    /// What was not YAML.
    pub(crate) errors: Vec<YamlError>,
    /// Byte offset of the first byte that is not UTF-8.
    pub(crate) not_utf8: Option<usize>,
}

impl Verification {
    /// Reads the file; never fails.
    pub fn parse(path: Arc<str>, bytes: Option<&[u8]>) -> Verification {
        let mut this = Verification {
            path,
            exists: bytes.is_some(),
            ..Verification::default()
        };
        let Some(bytes) = bytes else { return this };
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(error) => {
                this.not_utf8 = Some(error.valid_up_to());
                String::from_utf8_lossy(bytes).into_owned()
            }
        };
        this.text = text.into();
        let start = if this.text.starts_with('\u{feff}') {
            3
        } else {
            0
        };
        let (node, errors) = yaml::parse(&this.text[start..], start);
        this.errors = errors;
        if let Some(node) = node.filter(|n| !n.is_null()) {
            this.read(&node);
        }
        this
    }

    fn read(&mut self, root: &Node) {
        if !matches!(root.kind, Kind::Mapping(_)) {
            wrong_type::<()>(root, "verification", "a mapping of sets", &mut self.notes);
            return;
        }
        for entry in root.entries() {
            let value = &entry.value;
            match entry.key.as_str() {
                "setup" => self.setup = self.typed(value, "setup"),
                "link" => {
                    self.link = self
                        .typed::<OneOrMany<String>>(value, "link")
                        .map(|l| l.value.0)
                        .unwrap_or_default();
                }
                "witness" => self.witness = self.typed(value, "witness"),
                name if LEGACY_SETTINGS.contains(&name) => {}
                name => {
                    let commands = match &value.kind {
                        _ if value.is_null() => vec![],
                        _ => self.typed(value, name).map(|c| c.value).unwrap_or_default(),
                    };
                    let name = Spanned {
                        value: name.to_owned(),
                        span: entry.key_span.clone(),
                    };
                    self.sets.push(Set { name, commands });
                }
            }
        }
        note_missing_keys(root, &[], &mut self.notes);
    }

    fn typed<T: super::frontmatter::FromYaml>(
        &mut self,
        node: &Node,
        key: &str,
    ) -> Option<Spanned<T>> {
        T::from_yaml(node, key, &mut self.notes).map(|value| Spanned {
            value,
            span: node.span.clone(),
        })
    }

    /// Returns how it is found out which changes no check sees.
    pub(crate) fn witness(&self) -> WitnessSettings {
        let settings = self.witness.as_ref();
        settings.map_or_else(WitnessSettings::default, |s| s.value.clone())
    }

    /// Returns the set of that name.
    pub(crate) fn set(&self, name: &str) -> Option<&Set> {
        self.sets.iter().find(|s| s.name.value == name)
    }

    /// Returns the names of all sets that judge something.
    pub fn set_names(&self) -> Vec<&str> {
        self.sets
            .iter()
            .map(|s| s.name.value.as_str())
            .filter(|n| !INFORMATIONAL_SETS.contains(n))
            .collect()
    }
}

impl VerificationCommand {
    /// Returns its name; empty where the file gives none.
    pub fn name(&self) -> &str {
        self.name.as_ref().map_or("", |n| &n.value)
    }

    /// Returns the shell text.
    pub fn shell(&self) -> &str {
        self.command.as_ref().map_or("", |c| &c.value)
    }

    /// Returns when it runs.
    pub(crate) fn tier(&self) -> Tier {
        self.tier.as_ref().map_or(Tier::Narrow, |t| t.value)
    }

    /// Returns what decides whether it passes.
    pub(crate) fn judge(&self) -> JudgeBy {
        self.judge.as_ref().map_or(JudgeBy::Exit, |j| j.value)
    }

    /// Returns its wall-clock limit.
    pub(crate) fn timeout(&self) -> Duration {
        self.timeout
            .as_ref()
            .map_or(DEFAULT_COMMAND_TIMEOUT, |t| t.value)
    }
}
