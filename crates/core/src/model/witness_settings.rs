//! The `witness` key of verification.yml: whether and how the driver finds out which changes no check sees.

use super::frontmatter::{FromYaml, Key, Note, Shape, Spanned, front, word_from_yaml, wrong_type};
use super::status_machine::words;
use super::yaml::{Kind, Node};
use std::time::Duration;

/// The time that one unit's changes may take when the file does not say.
pub(crate) const DEFAULT_WITNESS_BUDGET: Duration = Duration::from_secs(10 * 60);

/// What follows from a change that no check sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WitnessMode {
    /// Nothing is looked for in a run.
    Off,
    /// It is looked for while a worker is idle, and shown at the gate.
    Show,
    /// It is looked for before a landing, and fails the attempt.
    Require,
}

words!(WitnessMode {
    "off" => WitnessMode::Off,
    "show" => WitnessMode::Show,
    "require" => WitnessMode::Require,
});
word_from_yaml!(WitnessMode);

front! {
    /// The settings, as written.
    pub struct WitnessFront keeps &[] => {
        /// `show` (default): look while a worker is idle, and show it at the gate; `require`: look before a landing, which fails on what no check sees; `off`: only on `gatewalk witness`.
        mode = "mode": WitnessMode [Author],
        /// The time one unit's changes may take; 10m when absent.
        budget = "budget": Duration [Author],
        /// A mutation tester that is run instead of taking lines back; the unit's diff is in the file `$GATEWALK_DIFF` names.
        command = "command": String [Author],
        /// The report it writes, from the repository's root: cargo-mutants' `outcomes.json`, or a `mutation.json` of the common mutation testing schema.
        report = "report": String [Author],
    }
}

/// The settings: written as a mapping, or as the mode alone.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WitnessSettings(WitnessFront);

/// A mutation tester of the project's stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MutationTester<'s> {
    pub(crate) shell: &'s str,
    /// The report it writes.
    pub(crate) report: &'s str,
}

impl WitnessSettings {
    /// Every key of the mapping.
    pub const KEYS: &'static [Key] = WitnessFront::KEYS;

    /// Returns what follows from a change that no check sees.
    pub(crate) fn mode(&self) -> WitnessMode {
        self.0.mode.as_ref().map_or(WitnessMode::Show, |m| m.value)
    }

    /// Returns the time that one unit's changes may take.
    pub(crate) fn budget(&self) -> Duration {
        let budget = self.0.budget.as_ref();
        budget.map_or(DEFAULT_WITNESS_BUDGET, |b| b.value)
    }

    /// Returns the tester to run; nothing without both its command and its report.
    pub(crate) fn tester(&self) -> Option<MutationTester<'_>> {
        let text = |key: &'_ Option<Spanned<String>>| key.as_ref().map(|k| k.value.trim().len());
        if text(&self.0.command)? == 0 || text(&self.0.report)? == 0 {
            return None;
        }
        Some(MutationTester {
            shell: &self.0.command.as_ref()?.value,
            report: &self.0.report.as_ref()?.value,
        })
    }
}

impl FromYaml for WitnessSettings {
    const SHAPE: Shape = Shape::Table(|| WitnessFront::KEYS);

    fn from_yaml(node: &Node, key: &str, notes: &mut Vec<Note>) -> Option<Self> {
        match &node.kind {
            Kind::Mapping(_) => Some(WitnessSettings(WitnessFront::read(node, notes))),
            Kind::Scalar { .. } if !node.is_null() => {
                let value = WitnessMode::from_yaml(node, key, notes)?;
                let span = node.span.clone();
                Some(WitnessSettings(WitnessFront {
                    mode: Some(Spanned { value, span }),
                    ..WitnessFront::default()
                }))
            }
            _ => wrong_type(node, key, "a mode, or a mapping", notes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::verification::Verification;
    use crate::model::yaml;

    fn read(text: &str) -> (Option<WitnessSettings>, usize) {
        let mut notes = Vec::new();
        let (node, _) = yaml::parse(text, 0);
        let read = WitnessSettings::from_yaml(&node.unwrap(), "witness", &mut notes);
        (read, notes.len())
    }

    #[test]
    fn the_mode_stands_alone_or_in_a_mapping() {
        use WitnessMode::{Off, Require, Show};
        for (text, mode, minutes, tester) in [
            ("require", Require, 10, None),
            ("off", Off, 10, None),
            ("{budget: 2m}", Show, 2, None),
            (
                "{mode: require, command: m, report: r}",
                Require,
                10,
                Some(("m", "r")),
            ),
            ("{command: m}", Show, 10, None),
            ("{report: r}", Show, 10, None),
            ("{command: m, report: \" \"}", Show, 10, None),
            ("{command: \"\", report: r}", Show, 10, None),
        ] {
            let (settings, notes) = read(text);
            let settings = settings.unwrap();
            assert_eq!(notes, 0, "{text}");
            assert_eq!(settings.mode(), mode, "{text}");
            assert_eq!(
                settings.budget(),
                Duration::from_secs(minutes * 60),
                "{text}"
            );
            let found = settings.tester().map(|t| (t.shell, t.report));
            assert_eq!(found, tester, "{text}");
        }
        for wrong in ["always", "[require]", "{modes: require}"] {
            assert_eq!(read(wrong).1, 1, "{wrong}");
        }
    }

    #[test]
    fn it_is_no_set_of_commands() {
        let text = b"code: []\nwitness: require\n";
        let read = Verification::parse("v.yml".into(), Some(text));
        assert_eq!(read.set_names(), ["code"]);
        assert_eq!(read.witness().mode(), WitnessMode::Require);
    }
}
