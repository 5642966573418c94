//! config.yml: project settings. They may tighten what the program does, never loosen it.

use super::frontmatter::{
    FromYaml, Note, NoteKind, OneOrMany, Shape, Spanned, front, meant_word, word_from_yaml,
    wrong_type,
};
use super::status_machine::words;
use super::yaml::{self, Kind, Node, YamlError};
use std::collections::BTreeMap;
use std::sync::Arc;

/// When verification commands are tried on the base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BaseCheck {
    /// Before a session is spent.
    Eager,
    /// Only after a failed attempt, to tell whose failure it is.
    Lazy,
}

words!(BaseCheck { "eager" => BaseCheck::Eager, "lazy" => BaseCheck::Lazy });

/// How attempts are confined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SandboxPolicy {
    /// As well as the machine can.
    Auto,
    /// Refuse to run without.
    Require,
    /// Not at all; only the user's own configuration may say so.
    Off,
}

impl SandboxPolicy {
    /// Returns what several projects want of one run: confinement where any requires it; a wish to have none is kept, so that it
    /// can be refused.
    pub fn strictest(wishes: impl Iterator<Item = SandboxPolicy>) -> Option<SandboxPolicy> {
        wishes.max_by_key(|wish| match wish {
            SandboxPolicy::Auto => 0,
            SandboxPolicy::Off => 1,
            SandboxPolicy::Require => 2,
        })
    }
}

words!(SandboxPolicy {
    "auto" => SandboxPolicy::Auto,
    "require" => SandboxPolicy::Require,
    "off" => SandboxPolicy::Off,
});

/// What a failure that passes on the same tree counts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FlakyPolicy {
    /// A failing command runs once more; passing then counts, and is reported.
    Rerun,
    /// A failure is a failure.
    Fail,
}

words!(FlakyPolicy { "rerun" => FlakyPolicy::Rerun, "fail" => FlakyPolicy::Fail });

/// What becomes of the user's own git hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HookPolicy {
    /// They are part of verification.
    Run,
    /// They are not run, which `status` shows.
    Skip,
}

words!(HookPolicy { "run" => HookPolicy::Run, "skip" => HookPolicy::Skip });

/// Whether commands of the oracle reach the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NetworkPolicy {
    /// Only those that may have to fetch something.
    Auto,
    /// All of them reach it.
    On,
    /// None of them reaches it.
    Off,
}

words!(NetworkPolicy {
    "auto" => NetworkPolicy::Auto,
    "on" => NetworkPolicy::On,
    "off" => NetworkPolicy::Off,
});

/// What arms the gate of a pull request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ArmedBy {
    /// Merging it, and nothing less.
    Merge,
    /// Merging it, or a reviewer's approval.
    Approval,
}

words!(ArmedBy { "merge" => ArmedBy::Merge, "approval" => ArmedBy::Approval });
word_from_yaml!(
    ArmedBy,
    BaseCheck,
    SandboxPolicy,
    FlakyPolicy,
    HookPolicy,
    NetworkPolicy
);

/// Severity by rule code or name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SeverityMap(pub BTreeMap<String, Spanned<String>>);

/// What a rule's severity may be.
pub(in crate::model) const SEVERITIES: [&str; 4] = ["error", "warning", "info", "off"];

impl FromYaml for SeverityMap {
    const SHAPE: Shape = Shape::Map(&Shape::Text);

    fn from_yaml(node: &Node, key: &str, notes: &mut Vec<Note>) -> Option<Self> {
        if !matches!(node.kind, Kind::Mapping(_)) {
            return wrong_type(node, key, "a mapping from rule to severity", notes);
        }
        let mut map = BTreeMap::new();
        for entry in node.entries() {
            // YAML reads nothing into `off`: it is the word we mean.
            match entry.value.as_str() {
                Some(word) if SEVERITIES.contains(&word) => {
                    let value = Spanned {
                        value: word.to_owned(),
                        span: entry.value.span.clone(),
                    };
                    map.insert(entry.key.clone(), value);
                }
                written => notes.push(Note {
                    kind: NoteKind::UnknownWord,
                    key: entry.key.clone(),
                    message: format!(
                        "severity of `{}` must be error, warning, info or off",
                        entry.key
                    ),
                    help: written
                        .and_then(|word| meant_word(word, &SEVERITIES))
                        .map(|word| format!("did you mean `{word}`?")),
                    span: entry.value.span.clone(),
                }),
            }
        }
        Some(SeverityMap(map))
    }
}

front! {
    /// The keys of `config.yml`.
    pub struct ConfigFront keeps &["version"] => {
        /// Severity by rule: `error`, `warning`, `info` or `off`.
        severity = "severity": SeverityMap [Author],
        /// When verification is tried on the base: before a session (`eager`, the default), or only after a failed attempt (`lazy`), which costs nothing where the base fails, too.
        base_check = "base_check": BaseCheck [Author],
        /// How attempts are confined; a repository may only say `require`.
        sandbox = "sandbox": SandboxPolicy [Author],
        /// More globs that no attempt may change.
        protect = "protect": OneOrMany<String> [Author],
        /// More globs of tests that no attempt may change undeclared.
        protected_tests = "protected_tests": OneOrMany<String> [Author],
        /// What a failure that passes on the same tree counts as: `rerun` (default) or `fail`.
        flaky = "flaky": FlakyPolicy [Author],
        /// Whether the user's own git hooks run as part of verification: `run` (default) or `skip`.
        hooks = "hooks": HookPolicy [Author],
        /// What arms the gate of a pull request of `review --pr`: merging it (`merge`, the default), or a reviewer's approval, too (`approval`).
        armed_by = "armed_by": ArmedBy [Author],
        /// Whether verification reaches the network when it is confined: `auto` (default), `on`, `off`.
        network = "network": NetworkPolicy [Author],
        /// Ignored paths that verification keeps from run to run, such as a build cache; nothing else of what is ignored stays.
        cache = "cache": OneOrMany<String> [Author],
        /// The agent of units and plans that name none.
        agent = "agent": OneOrMany<super::agent_entry::AgentEntry> [Author],
        /// The model of units and plans that name none.
        model = "model": super::agent_entry::ModelName [Author],
        /// The effort of units and plans that name none.
        effort = "effort": super::agent_entry::Effort [Author],
        /// Model and effort by type of unit, before those of the whole project.
        by_type = "by_type": Vec<Spanned<super::unit::TypeDefaults>> [Author],
        /// The most a gate may cost when its file does not say, in US dollars.
        gate_budget_usd = "gate_budget_usd": f64 [Author],
        /// The most a prompt may hold, in estimated tokens, before lint speaks.
        prompt_tokens = "prompt_tokens": u32 [Author],
        /// The remote through which clones share features: no run walks one without the lease that `gatewalk sync` takes there.
        sync = "sync": String [Author],
    }
}

/// `config.yml` as it stands.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Config {
    /// Its path relative to the repository root.
    pub(crate) path: Arc<str>,
    /// The text as the file has it.
    pub(crate) text: Arc<str>,
    /// Its keys that could be read.
    pub front: ConfigFront,
    /// What did not fit.
    pub(crate) notes: Vec<Note>,
    /// What was not YAML.
    pub(crate) errors: Vec<YamlError>,
}

impl Config {
    /// Returns how strictly the project confines attempts, where it says so.
    pub fn sandbox(&self) -> Option<SandboxPolicy> {
        self.front.sandbox.as_ref().map(|s| s.value)
    }

    /// Returns the remote through which clones share features.
    pub fn sync_remote(&self) -> Option<&str> {
        let remote = self.front.sync.as_ref().map(|r| r.value.as_str());
        remote.filter(|remote| !remote.is_empty())
    }

    /// Reads the file; never fails.
    pub(crate) fn parse(path: Arc<str>, bytes: Option<&[u8]>) -> Config {
        let mut this = Config {
            path,
            ..Config::default()
        };
        let Some(bytes) = bytes else { return this };
        this.text = String::from_utf8_lossy(bytes).into_owned().into();
        let start = if this.text.starts_with('\u{feff}') {
            3
        } else {
            0
        };
        let (node, errors) = yaml::parse(&this.text[start..], start);
        this.errors = errors;
        match node.filter(|n| !n.is_null()) {
            Some(node) if matches!(node.kind, Kind::Mapping(_)) => {
                this.front = ConfigFront::read(&node, &mut this.notes);
            }
            Some(node) => {
                wrong_type::<()>(&node, "config", "a mapping", &mut this.notes);
            }
            None => {}
        }
        this
    }

    /// Returns what a failure that passes on the same tree counts as.
    pub(crate) fn flaky(&self) -> FlakyPolicy {
        self.front
            .flaky
            .as_ref()
            .map_or(FlakyPolicy::Rerun, |f| f.value)
    }

    /// Returns what arms the gate of a pull request.
    pub fn armed_by(&self) -> ArmedBy {
        let named = self.front.armed_by.as_ref();
        named.map_or(ArmedBy::Merge, |by| by.value)
    }

    /// Returns what becomes of the user's own hooks.
    pub fn hooks(&self) -> HookPolicy {
        self.front
            .hooks
            .as_ref()
            .map_or(HookPolicy::Run, |h| h.value)
    }

    /// Returns whether commands of the oracle reach the network.
    pub(crate) fn network(&self) -> NetworkPolicy {
        self.front
            .network
            .as_ref()
            .map_or(NetworkPolicy::Auto, |n| n.value)
    }

    /// Returns when verification is tried on the base.
    pub(crate) fn base_check(&self) -> BaseCheck {
        self.front
            .base_check
            .as_ref()
            .map_or(BaseCheck::Eager, |b| b.value)
    }
}

#[cfg(test)]
mod tests {
    use super::SandboxPolicy::{self, Auto, Off, Require};

    #[test]
    fn one_project_that_requires_confinement_requires_it_of_the_run() {
        for (wishes, want) in [
            (vec![], None),
            (vec![Auto], Some(Auto)),
            (vec![Auto, Off], Some(Off)),
            (vec![Off, Auto], Some(Off)),
            (vec![Require, Off], Some(Require)),
            (vec![Off, Require, Auto], Some(Require)),
        ] {
            assert_eq!(SandboxPolicy::strictest(wishes.into_iter()), want);
        }
    }
}
