//! The revisions of the protocol, and what differs between them.

use serde_json::Value;

/// Those that are spoken, the newest first.
const REVISIONS: &[&str] = &["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// A revision that is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Revision(&'static str);

impl Revision {
    pub(super) fn newest() -> Revision {
        Revision(REVISIONS[0])
    }

    /// Returns the one that a client wants; the newest where that is not spoken.
    pub(super) fn wanted(name: &Value) -> Revision {
        let spoken = REVISIONS.iter().find(|revision| *name == **revision);
        spoken.map_or(Revision::newest(), |revision| Revision(revision))
    }

    pub(super) fn name(self) -> &'static str {
        self.0
    }

    /// Returns whether a message may be several.
    pub(super) fn has_batches(self) -> bool {
        self.0 == "2025-03-26"
    }

    /// Returns whether a wrong argument is a result, which a model reads and mends, and no error of the protocol.
    pub(super) fn answers_wrong_arguments(self) -> bool {
        // They are dates.
        self.0 >= "2025-11-25"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_client_gets_the_revision_it_wants_or_the_newest() {
        for (wanted, name, batches, results) in [
            (json!("2024-11-05"), "2024-11-05", false, false),
            (json!("2025-03-26"), "2025-03-26", true, false),
            (json!("2025-06-18"), "2025-06-18", false, false),
            (json!("2025-11-25"), "2025-11-25", false, true),
            (json!("2199-01-01"), "2025-11-25", false, true),
            (json!(null), "2025-11-25", false, true),
        ] {
            let revision = Revision::wanted(&wanted);
            assert_eq!(revision.name(), name, "{wanted}");
            assert_eq!(revision.has_batches(), batches, "{wanted}");
            assert_eq!(revision.answers_wrong_arguments(), results, "{wanted}");
        }
    }
}
