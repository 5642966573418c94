//! What a planner did to what had been planned before: nobody asked for it, so it holds the next gate for the user.

use serde::{Deserialize, Serialize};
use std::fmt;

/// One thing that was planned before and is different now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PlanRevision {
    /// A unit is no longer in the plan.
    Removed {
        /// Full id of the unit.
        unit: String,
    },
    /// A unit is in another gate.
    Moved {
        /// Full id of the unit.
        unit: String,
        /// The gate's number before.
        from: u32,
        /// The gate's number now.
        to: u32,
    },
    /// A unit's prompt, keys or edges are different.
    Changed {
        /// Full id of the unit.
        unit: String,
    },
    /// A gate was added.
    GateAdded {
        /// The gate's number in the plan, which counts from 1.
        gate: u32,
    },
}

impl fmt::Display for PlanRevision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("reshaped: ")?;
        match self {
            PlanRevision::Removed { unit } => write!(f, "{unit} is no longer in the plan"),
            PlanRevision::Moved { unit, from, to } => {
                write!(f, "{unit} moved from gate {from} to gate {to}")
            }
            PlanRevision::Changed { unit } => {
                write!(f, "{unit} was planned before and is different now")
            }
            PlanRevision::GateAdded { gate } => write!(f, "gate {gate} is new"),
        }
    }
}
