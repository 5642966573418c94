//! What the next steps of a feature depend on.

use crate::engine::attempt_record::ChargedAttempts;
use crate::engine::red_command::RedCommand;
use crate::model::feature::Feature;

/// What the next steps of a feature depend on.
#[derive(Debug, Clone, Copy)]
pub struct FeatureState<'a> {
    /// The feature as its branch has it.
    pub feature: &'a Feature,
    /// Its charged attempts, by unit.
    pub attempts: &'a ChargedAttempts,
    /// Whether a live driver works on it.
    pub is_driven: bool,
    /// Units whose sessions run now.
    pub in_flight: &'a [String],
    /// Whether the plan has edits that are not committed.
    pub is_edited: bool,
    /// Whether the plan, as committed, has errors that every run refuses.
    pub has_errors: bool,
    /// Units that are not what was armed, also by edits that are not committed: every run refuses them.
    pub changed: &'a [String],
    /// Why its branch cannot move now, and how to give it free: no command that commits goes on before.
    pub held: Option<&'a str>,
    /// Units that could start and whose commands are known to be red before any work, each with what is.
    pub red_base: &'a [(String, Vec<RedCommand>)],
    /// Whether a requirement is known not to be shown on the tip.
    pub has_gaps: bool,
}

impl<'a> FeatureState<'a> {
    /// Returns the state of a feature that nobody works on and that nothing is known to stand in the way of.
    pub fn at_rest(feature: &'a Feature, attempts: &'a ChargedAttempts) -> Self {
        FeatureState {
            feature,
            attempts,
            is_driven: false,
            in_flight: &[],
            is_edited: false,
            has_errors: false,
            changed: &[],
            held: None,
            red_base: &[],
            has_gaps: false,
        }
    }
}
