//! The lists of cases that may fail as on the base, as they were written over time.

use super::verification::Verification;
use std::collections::{BTreeMap, BTreeSet};

/// The cases by set and command; a command without a list has no entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KnownFailures(BTreeMap<(String, String), BTreeSet<String>>);

impl KnownFailures {
    /// Returns the lists of one version of the file.
    pub fn of(verification: &Verification) -> KnownFailures {
        let mut lists = KnownFailures::default();
        for set in &verification.sets {
            for command in set.commands.iter().map(|c| &c.value) {
                let Some(list) = &command.known_failures else {
                    continue;
                };
                let cases = list.value.0.iter().map(|case| case.value.clone());
                let key = (set.name.value.clone(), command.name().to_owned());
                lists.0.insert(key, cases.collect());
            }
        }
        lists
    }

    /// Returns the list of one command.
    pub(crate) fn one(set: &str, command: &str, cases: Vec<String>) -> KnownFailures {
        let key = (set.to_owned(), command.to_owned());
        KnownFailures([(key, cases.into_iter().collect())].into())
    }

    /// Takes up another version: what may fail is what each version allowed.
    pub fn narrow(&mut self, version: KnownFailures) {
        for (key, cases) in version.0 {
            match self.0.get_mut(&key) {
                Some(known) => known.retain(|case| cases.contains(case)),
                None => drop(self.0.insert(key, cases)),
            }
        }
    }

    /// Returns whether a command's list may name a case: where it had none so far, any.
    pub(crate) fn allows(&self, set: &str, command: &str, case: &str) -> bool {
        let key = (set.to_owned(), command.to_owned());
        self.0.get(&key).is_none_or(|cases| cases.contains(case))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists(text: &str) -> KnownFailures {
        let text = format!("code:\n  - {{name: t, command: x, known_failures: {text}}}\n");
        KnownFailures::of(&Verification::parse("v".into(), Some(text.as_bytes())))
    }

    #[test]
    fn a_case_is_allowed_while_every_version_with_a_list_names_it() {
        let mut known = KnownFailures::default();
        assert!(known.allows("code", "t", "a"));
        known.narrow(lists("[a, b]"));
        assert!(known.allows("code", "t", "a") && known.allows("code", "t", "b"));
        assert!(!known.allows("code", "t", "c") && known.allows("code", "other", "c"));
        known.narrow(lists("[b, c]"));
        assert!(known.allows("code", "t", "b"));
        assert!(!known.allows("code", "t", "a") && !known.allows("code", "t", "c"));
        known.narrow(KnownFailures::of(&Verification::default()));
        assert!(!known.allows("code", "t", "a") && known.allows("code", "t", "b"));
    }
}
