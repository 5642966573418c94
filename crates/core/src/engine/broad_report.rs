//! What the commands that run once a gate came to.

/// What the tip said to the broad tier.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BroadReport {
    /// Names of the commands that did not pass, an unproven one with why.
    pub red: Vec<String>,
    /// What the red ones printed, shortened.
    pub evidence: String,
}
