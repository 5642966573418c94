//! Work that is judged on top of work that is judged or waits to land: when what is ahead lands, nothing has to be
//! verified again. What fails takes with it whatever stands on it.

use crate::engine::attempt_record::Judgement;
use crate::object_id::ObjectId;

/// One attempt by its unit and number.
pub(super) type AttemptName = (String, u32);

/// An attempt in the train.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TrainMember {
    pub(super) attempt: AttemptName,
    /// The tip when it joined.
    pub(super) tip: ObjectId,
    /// The product with its work and that of all ahead of it.
    pub(super) tree: ObjectId,
}

/// What a verdict is about, whatever commit it was asked on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct JudgedOn {
    /// The product below the work, by [`tree_key`](super::ports::History::tree_key).
    pub(super) ground: String,
    /// The product with the work.
    pub(super) product: String,
    /// The hash of the commands.
    pub(super) oracle: String,
}

/// A red verdict on top of work that had not landed. It says nothing yet, for that work may be to blame; once it has landed as
/// it was, it says what another verification of the same files would.
#[derive(Debug, Clone)]
pub(super) struct DoubtedJudgement {
    pub(super) on: JudgedOn,
    pub(super) judgement: Judgement,
}

/// Attempts in the order in which they are to land, each judged on top of those before it.
#[derive(Debug, Default)]
pub(super) struct LandingTrain {
    members: Vec<TrainMember>,
}

impl LandingTrain {
    /// Returns the one that the next to join stands on.
    pub(super) fn last(&self) -> Option<&TrainMember> {
        self.members.last()
    }

    pub(super) fn holds(&self, attempt: &AttemptName) -> bool {
        self.members.iter().any(|m| m.attempt == *attempt)
    }

    /// Adds one at the end, unless its place is another's by now.
    pub(super) fn join(&mut self, member: TrainMember, behind: Option<&AttemptName>) -> bool {
        let fits = self.last().map(|last| &last.attempt) == behind;
        if fits {
            self.members.push(member);
        }
        fits
    }

    /// Takes out one that landed; those behind it stand on the branch now.
    pub(super) fn land(&mut self, attempt: &AttemptName) {
        match self.members.first() {
            Some(first) if first.attempt == *attempt => drop(self.members.remove(0)),
            _ => self.leave(attempt),
        }
    }

    /// Takes out one that does not land as it is, and all that stand on it.
    pub(super) fn leave(&mut self, attempt: &AttemptName) {
        if let Some(at) = self.members.iter().position(|m| m.attempt == *attempt) {
            self.members.truncate(at);
        }
    }

    /// Takes all out: they do not stand on what the branch is.
    pub(super) fn disband(&mut self) {
        self.members.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::test_snapshot::object;

    fn name(unit: &str) -> AttemptName {
        (unit.to_owned(), 1)
    }

    fn train(units: &str) -> LandingTrain {
        let mut train = LandingTrain::default();
        for unit in units.split_whitespace() {
            let behind = train.last().map(|last| last.attempt.clone());
            let member = TrainMember {
                attempt: name(unit),
                tip: object("c"),
                tree: object("t"),
            };
            assert!(train.join(member, behind.as_ref()));
        }
        train
    }

    fn units(train: &LandingTrain) -> String {
        let units = train.members.iter().map(|m| m.attempt.0.as_str());
        units.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_fails_takes_along_what_stands_on_it_and_what_lands_does_not() {
        for (gone, landed, want) in [
            ("", "A", "B C"),
            ("", "X", "A B C"),
            ("A", "", ""),
            ("B", "", "A"),
            ("C", "", "A B"),
            // Out of order it did not land as part of the train.
            ("", "B", "A"),
        ] {
            let mut train = train("A B C");
            train.leave(&name(gone));
            train.land(&name(landed));
            assert_eq!(units(&train), want, "{gone} gone, {landed} landed");
        }
        let mut train = train("A B");
        train.disband();
        assert_eq!(units(&train), "");
    }

    #[test]
    fn nobody_joins_behind_one_that_is_not_the_last() {
        let member = |unit| TrainMember {
            attempt: name(unit),
            tip: object("c"),
            tree: object("t"),
        };
        let mut train = train("A");
        assert!(!train.join(member("B"), None));
        assert!(!train.join(member("B"), Some(&name("X"))));
        assert!(train.join(member("B"), Some(&name("A"))));
        assert_eq!(train.last().map(|m| &m.attempt), Some(&name("B")));
        assert!(train.holds(&name("A")) && !train.holds(&("A".to_owned(), 2)));
    }
}
