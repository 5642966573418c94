//! Where a unit stands, and the words for it.

use gatewalk_core::engine::evidence::one_line;
use gatewalk_core::model::feature::{Feature, PlannedUnit, Waiting};
use gatewalk_core::model::status_machine::{FeatureStatus, GateStatus, UnitStatus, no_status};
use gatewalk_core::model::unit::{ParkCause, UnitType};
use std::fmt;

/// Where a unit stands. What only a look at the repository tells comes over what its files say.
#[derive(Debug)]
pub(super) enum UnitStanding {
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
    /// Nobody can read its status, and this is what stands there.
    Unreadable(String),
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
    AtRest(Box<UnitStanding>, FeatureStatus),
}

/// Who saw that a unit is done: not always the driver.
#[derive(Debug)]
pub(super) enum Witness {
    Driver,
    User,
    CleanGate,
}

impl UnitStanding {
    /// Returns where the files say that a unit stands.
    pub(super) fn of(feature: &Feature, member: &PlannedUnit<'_>) -> UnitStanding {
        let later = member.gate > feature.current_gate().unwrap_or(usize::MAX);
        if later && member.status() == UnitStatus::Pending {
            return UnitStanding::LaterGate(feature.gate_number(member.gate));
        }
        let Some(unit) = member.unit else {
            return UnitStanding::NoFile(member.node.file.value.clone());
        };
        if let Some(word) = unit.unread_status() {
            return UnitStanding::Unreadable(one_line(word));
        }
        let standing = match member.status() {
            UnitStatus::Done => UnitStanding::Done(Witness::of(member)),
            UnitStatus::Abandoned => UnitStanding::Abandoned,
            UnitStatus::Draft => UnitStanding::Draft,
            UnitStatus::Pending => pending(feature, member),
            UnitStatus::BlockedHuman => {
                let reason = unit.front.escalation_reason.as_ref();
                UnitStanding::Parked(reason.map_or("blocked_human", |r| &r.value).to_owned())
            }
        };
        match feature.plan.status() {
            status @ (FeatureStatus::Blocked
            | FeatureStatus::Deferred
            | FeatureStatus::Abandoned)
                if !member.status().is_settled() =>
            {
                UnitStanding::AtRest(Box::new(standing), status)
            }
            _ => standing,
        }
    }
}

fn pending(feature: &Feature, member: &PlannedUnit<'_>) -> UnitStanding {
    let waiting = feature.waiting(member);
    if !waiting.is_empty() {
        return UnitStanding::Waits(waiting);
    }
    if member.unit_type() == UnitType::Human {
        return UnitStanding::Yours;
    }
    match (feature.plan.status(), feature.gate_status(member.gate)) {
        (FeatureStatus::Active, GateStatus::Open) => UnitStanding::Ready,
        (FeatureStatus::Active, gate) => UnitStanding::GateIs(gate),
        (_, _) => UnitStanding::Pending,
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

impl fmt::Display for UnitStanding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnitStanding::AtWork => {
                f.write_str("at work: a session runs, or what it left is judged")
            }
            UnitStanding::Ready => f.write_str("ready: the loop takes it next"),
            UnitStanding::HeldUp => {
                f.write_str("ready, but no run starts it before what is below is done")
            }
            UnitStanding::Unproven(why) => {
                write!(f, "its file says done, and no run takes its word: {why}")
            }
            UnitStanding::LaterGate(gate) => {
                write!(f, "pending, in gate {gate}, which is not reached yet")
            }
            UnitStanding::NoFile(file) => write!(f, "its file `{file}` is not there"),
            UnitStanding::Unreadable(word) => write!(
                f,
                "{}, so nobody knows where it stands, and no run starts beside it",
                no_status(word)
            ),
            UnitStanding::Done(witness) => write!(f, "done: {witness}"),
            UnitStanding::Abandoned => f.write_str("you abandoned it"),
            UnitStanding::Draft => f.write_str("a draft: it never runs before you arm it"),
            UnitStanding::Waits(on) => {
                let on: Vec<String> = on.iter().map(Waiting::in_full).collect();
                write!(f, "pending; it waits for {}", on.join(", "))
            }
            UnitStanding::Yours => f.write_str("yours to do; its file describes what is wanted"),
            UnitStanding::GateIs(gate) => write!(f, "pending in a gate that is {gate}"),
            UnitStanding::Pending => f.write_str("pending"),
            UnitStanding::Parked(word) => write!(f, "parked: {}", ParkCause::meaning_of(word)),
            UnitStanding::AtRest(standing, feature) => {
                write!(f, "{standing}; its feature is {feature}")
            }
        }
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
