//! What becomes of a part of a product's file that judges it.

/// What became of the judging part of a file.
pub(super) enum JudgingPart {
    /// It has none, or it is as it was.
    Same,
    /// It changed, and the rest of the file cannot be separated from it.
    Changed,
    /// It changed; this is the attempt's file with the base's part in it.
    Back(String),
}

impl From<bool> for JudgingPart {
    fn from(changed: bool) -> JudgingPart {
        if changed {
            JudgingPart::Changed
        } else {
            JudgingPart::Same
        }
    }
}
