//! Which command makes each move of the machines: a verb alone is not always the name of one.

use super::{FeatureVerb, GateVerb, UnitVerb, Word};

/// A verb of one of the machines, which is not always the name of a command.
pub(super) trait VerbCommand: Word {
    /// Returns the command by which a user makes the move, or has the driver make it; none where only the driver can want it.
    fn command(self) -> Option<&'static str>;
}

impl VerbCommand for UnitVerb {
    fn command(self) -> Option<&'static str> {
        Some(match self {
            UnitVerb::Arm => "`gatewalk arm`",
            UnitVerb::Complete => "`gatewalk loop`",
            UnitVerb::Park => return None,
            UnitVerb::Unblock => "`gatewalk unblock`",
            UnitVerb::Abandon => "`gatewalk abandon`",
        })
    }
}

impl VerbCommand for GateVerb {
    fn command(self) -> Option<&'static str> {
        Some(match self {
            GateVerb::Reach => "`gatewalk loop`",
            GateVerb::Pass => "`gatewalk arm`",
        })
    }
}

impl VerbCommand for FeatureVerb {
    fn command(self) -> Option<&'static str> {
        Some(match self {
            FeatureVerb::Activate => "`gatewalk activate`",
            FeatureVerb::Finish => "`gatewalk loop`",
            FeatureVerb::Block => "`gatewalk block`",
            FeatureVerb::Defer => "`gatewalk defer`",
            FeatureVerb::Abandon => "`gatewalk abandon`",
            FeatureVerb::Reopen => "`gatewalk reopen`",
        })
    }
}
