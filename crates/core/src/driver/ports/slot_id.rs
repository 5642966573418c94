//! Which slot: whose it is, and which of that kind.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A slot by its owner. No session ever works in verification's, so nothing a session left in ignored files can judge
/// its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SlotId {
    /// The sessions of one worker, counted from 0.
    Session(usize),
    /// Verification of what that worker's sessions left.
    Verification(usize),
    /// Commands run once more beside a run: a re-check, a trial.
    Recheck,
}

impl SlotId {
    /// Returns the slot in which work from this one is verified.
    #[must_use]
    pub fn verification(self) -> SlotId {
        match self {
            SlotId::Session(number) => SlotId::Verification(number),
            own @ (SlotId::Verification(_) | SlotId::Recheck) => own,
        }
    }

    /// Returns true where sessions work, and no command judges.
    pub fn is_session(self) -> bool {
        matches!(self, SlotId::Session(_))
    }
}

/// Its name in paths.
impl fmt::Display for SlotId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SlotId::Session(number) => write!(f, "{number}"),
            SlotId::Verification(number) => write!(f, "verify-{number}"),
            SlotId::Recheck => f.write_str("recheck"),
        }
    }
}

impl Serialize for SlotId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            SlotId::Session(number) => number.serialize(serializer),
            other => serializer.collect_str(other),
        }
    }
}

/// Only sessions' slots are written down and read back.
impl<'de> Deserialize<'de> for SlotId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        usize::deserialize(deserializer).map(SlotId::Session)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_slots_share_a_name_and_verification_has_its_own() {
        let rows = [
            (SlotId::Session(0), "0", SlotId::Verification(0)),
            (SlotId::Session(64), "64", SlotId::Verification(64)),
            (
                SlotId::Verification(64),
                "verify-64",
                SlotId::Verification(64),
            ),
            (SlotId::Recheck, "recheck", SlotId::Recheck),
        ];
        for (slot, name, verified_in) in rows {
            assert_eq!(slot.to_string(), name);
            assert_eq!(slot.verification(), verified_in);
            assert!(!slot.verification().is_session(), "{name}");
        }
        assert!(SlotId::Session(1).is_session());
    }

    #[test]
    fn a_session_slot_is_recorded_as_its_number() {
        let json = serde_json::to_string(&SlotId::Session(3)).unwrap();
        assert_eq!(json, "3");
        let read: SlotId = serde_json::from_str(&json).unwrap();
        assert_eq!(read, SlotId::Session(3));
        let other = serde_json::to_string(&SlotId::Verification(1)).unwrap();
        assert_eq!(other, "\"verify-1\"");
    }
}
