//! Where a unit stands, and the words for it.

use gatewalk_core::model::feature::{Feature, PlannedUnit, Waiting};
use gatewalk_core::model::status_machine::{FeatureStatus, GateStatus, UnitStatus};
use gatewalk_core::model::unit::{ParkCause, UnitType};
use std::fmt;

/// Where a unit stands. What only a look at the repository tells comes over what its files say.
#[derive(Debug)]
pub(super) enum Standing {
    /// A session runs, or what it left is judged.
    AtWork,
    /// Nothing in its plan holds it up.
    Ready,
    /// Nothing in its plan holds it up, and yet no run would start it.
    HeldUp,
    /// Its file says done and nothing shows it, for this reason.
    Unproven(String),
    /// In a gate that is not reached yet, of this number.
    LaterGate(u32),
    /// The file that the plan names is not there.
    NoFile(String),
    /// Done, as this witness says.
    Done(Witness),
    Abandoned,
    Draft,
    /// It waits for other units.
    Waits(Vec<Waiting>),
    /// A unit for a person.
    Yours,
    /// Its gate is not open.
    GateIs(GateStatus),
    /// Pending, and its feature is not active.
    Pending,
    /// Parked, under the word of its file.
    Parked(String),
    /// A unit of a feature that is at rest stands so besides.
    AtRest(Box<Standing>, FeatureStatus),
}

/// Who saw that a unit is done: not always the driver.
#[derive(Debug)]
pub(super) enum Witness {
    Driver,
    User,
    CleanGate,
}

impl Standing {
    /// Returns where the files say that a unit stands.
    pub(super) fn of(feature: &Feature, member: &PlannedUnit<'_>) -> Standing {
        let later = member.gate > feature.current_gate().unwrap_or(usize::MAX);
        if later && member.status() == UnitStatus::Pending {
            return Standing::LaterGate(feature.gate_number(member.gate));
        }
        let Some(unit) = member.unit else {
            return Standing::NoFile(member.node.file.value.clone());
        };
        let standing = match member.status() {
            UnitStatus::Done => Standing::Done(Witness::of(member)),
            UnitStatus::Abandoned => Standing::Abandoned,
            UnitStatus::Draft => Standing::Draft,
            UnitStatus::Pending => pending(feature, member),
            UnitStatus::BlockedHuman => {
                let reason = unit.front.escalation_reason.as_ref();
                Standing::Parked(reason.map_or("blocked_human", |r| &r.value).to_owned())
            }
        };
        match feature.plan.status() {
            status @ (FeatureStatus::Blocked
            | FeatureStatus::Deferred
            | FeatureStatus::Abandoned)
                if !member.status().is_settled() =>
            {
                Standing::AtRest(Box::new(standing), status)
            }
            _ => standing,
        }
    }
}

fn pending(feature: &Feature, member: &PlannedUnit<'_>) -> Standing {
    let waiting = feature.waiting(member);
    if !waiting.is_empty() {
        return Standing::Waits(waiting);
    }
    if member.unit_type() == UnitType::Human {
        return Standing::Yours;
    }
    match (feature.plan.status(), feature.gate_status(member.gate)) {
        (FeatureStatus::Active, GateStatus::Open) => Standing::Ready,
        (FeatureStatus::Active, gate) => Standing::GateIs(gate),
        (_, _) => Standing::Pending,
    }
}

impl Witness {
    fn of(member: &PlannedUnit<'_>) -> Witness {
        let by_itself = member.unit.is_some_and(|unit| {
            let written = unit.front.auto_close.as_ref();
            written.and_then(|a| unit.doc.text.get(a.value.0.span.clone())) == Some("true")
        });
        if member.unit_type() == UnitType::Human {
            Witness::User
        } else if by_itself {
            Witness::CleanGate
        } else {
            Witness::Driver
        }
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Standing::AtWork => f.write_str("at work: a session runs, or what it left is judged"),
            Standing::Ready => f.write_str("ready: the loop takes it next"),
            Standing::HeldUp => {
                f.write_str("ready, but no run starts it before what is below is done")
            }
            Standing::Unproven(why) => {
                write!(f, "its file says done, and no run takes its word: {why}")
            }
            Standing::LaterGate(gate) => {
                write!(f, "pending, in gate {gate}, which is not reached yet")
            }
            Standing::NoFile(file) => write!(f, "its file `{file}` is not there"),
            Standing::Done(witness) => write!(f, "done: {witness}"),
            Standing::Abandoned => f.write_str("you abandoned it"),
            Standing::Draft => f.write_str("a draft: it never runs before you arm it"),
            Standing::Waits(on) => {
                let on: Vec<String> = on.iter().map(waited_for).collect();
                write!(f, "pending; it waits for {}", on.join(", "))
            }
            Standing::Yours => f.write_str("yours to do; its file describes what is wanted"),
            Standing::GateIs(gate) => write!(f, "pending in a gate that is {gate}"),
            Standing::Pending => f.write_str("pending"),
            Standing::Parked(word) => write!(f, "parked: {}", ParkCause::meaning_of(word)),
            Standing::AtRest(standing, feature) => {
                write!(f, "{standing}; its feature is {feature}")
            }
        }
    }
}

fn waited_for(waiting: &Waiting) -> String {
    match waiting {
        Waiting::On(on) => on.clone(),
        Waiting::OnAbandoned(on) => format!("{on}, which is abandoned and will never be done"),
        Waiting::OnUnknown(on) => format!("{on}, which does not exist"),
    }
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Witness::Driver => "the driver saw every command of its oracle exit 0",
            Witness::User => "you handed it in, with evidence",
            Witness::CleanGate => "its gate was clean and closed without a session",
        })
    }
}
