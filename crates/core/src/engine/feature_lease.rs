//! PURE. Who may walk a feature that several clones share: a record on the remote, replaced only by compare-and-swap, that
//! names one clone until a moment.
//!
//! A clone stops at that moment by its own clock; another takes over only when its clock is some minutes past it. Deliberately not
//! here: asking the remote.

use crate::model::feature::Feature;
use crate::model::status_machine::UnitStatus;
use jiff::{SignedDuration, Timestamp};

/// How far the clocks of two machines may be apart.
pub const SKEW: SignedDuration = SignedDuration::from_mins(5);

/// The right of one clone to walk a feature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeatureLease {
    /// The feature that may be walked.
    pub feature: String,
    /// Its branch, by which a clone that knows nothing of it finds it.
    pub branch: String,
    /// Names the clone that may.
    pub holder: String,
    /// What people call that clone: who, on which machine.
    pub name: String,
    /// When it was taken.
    pub since: Timestamp,
    /// From then on any clone may take it.
    pub until: Timestamp,
}

/// What a lease means for one clone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeaseStand {
    /// No clone has it, or its time is over.
    Free,
    /// This clone may walk.
    Own,
    /// Another clone holds it.
    Foreign,
}

/// How a branch here and the one on the remote lie to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BranchRelation {
    /// They are the same commit.
    Same,
    /// The remote lacks commits that are here.
    Ahead,
    /// The remote has commits that are not here.
    Behind,
    /// Each has commits that the other lacks.
    Diverged,
}

impl BranchRelation {
    /// Compares by what each has of the other.
    pub fn of(here_has_theirs: bool, they_have_ours: bool) -> BranchRelation {
        match (here_has_theirs, they_have_ours) {
            (true, true) => BranchRelation::Same,
            (true, false) => BranchRelation::Ahead,
            (false, true) => BranchRelation::Behind,
            (false, false) => BranchRelation::Diverged,
        }
    }

    /// Returns the word for machines.
    pub fn word(self) -> &'static str {
        match self {
            BranchRelation::Same => "same",
            BranchRelation::Ahead => "ahead",
            BranchRelation::Behind => "behind",
            BranchRelation::Diverged => "diverged",
        }
    }
}

/// What a clone that synchronises a feature does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyncMove {
    /// The branch here follows the remote's; that is all where another clone holds the lease.
    Pull {
        /// Whether it looks again after that.
        goes_on: bool,
    },
    /// Another clone holds the lease: nothing of what is here goes there.
    Leave,
    /// Both sides went on, and are joined here.
    Join {
        /// Whether the lease is taken first, so that nobody else moves the branch meanwhile; then it looks again.
        takes_lease: bool,
    },
    /// The lease is written, and with it what the remote lacks.
    Push {
        /// Whether the remote lacks anything.
        branch: bool,
    },
}

/// Decides what a clone does, by how the branches lie to each other and what the lease means for it.
pub fn next_move(relation: BranchRelation, lease: LeaseStand) -> SyncMove {
    match (relation, lease) {
        (BranchRelation::Behind, lease) => SyncMove::Pull {
            goes_on: lease != LeaseStand::Foreign,
        },
        (_, LeaseStand::Foreign) => SyncMove::Leave,
        (BranchRelation::Diverged, lease) => SyncMove::Join {
            takes_lease: lease != LeaseStand::Own,
        },
        (BranchRelation::Ahead, _) => SyncMove::Push { branch: true },
        (BranchRelation::Same, _) => SyncMove::Push { branch: false },
    }
}

impl FeatureLease {
    /// Returns the record as the message of a commit.
    pub fn message(&self) -> String {
        let FeatureLease {
            feature,
            branch,
            holder,
            name,
            since,
            until,
        } = self;
        format!(
            "Lease of {feature}, held by {name} until {until}\n\nFeature: {feature}\nBranch: {branch}\nHolder: {holder}\nName: {name}\nSince: {since}\nUntil: {until}\n"
        )
    }

    /// Reads the record; nothing of what is none.
    pub fn parse(message: &str) -> Option<FeatureLease> {
        let key = |key: &str| {
            let mut lines = message.lines().filter_map(|line| line.split_once(": "));
            let found = lines.find(|(name, _)| *name == key);
            found.map(|(_, value)| value.trim().to_owned())
        };
        Some(FeatureLease {
            feature: key("Feature")?,
            branch: key("Branch")?,
            holder: key("Holder")?,
            name: key("Name")?,
            since: key("Since")?.parse().ok()?,
            until: key("Until")?.parse().ok()?,
        })
    }

    /// Returns it as held until a later moment: a renewal never shortens it.
    #[must_use]
    pub fn renewed(mut self, until: Timestamp) -> FeatureLease {
        self.until = self.until.max(until);
        self
    }
}

/// Decides what a lease means for a clone at a moment of its clock.
pub fn stand(lease: Option<&FeatureLease>, clone: &str, now: Timestamp) -> LeaseStand {
    match lease {
        None => LeaseStand::Free,
        Some(lease) if lease.holder == clone => match now < lease.until {
            true => LeaseStand::Own,
            false => LeaseStand::Free,
        },
        // Of a moment that cannot be reckoned with, nobody takes over.
        Some(lease) => match lease.until.checked_add(SKEW) {
            Ok(over) if now >= over => LeaseStand::Free,
            _ => LeaseStand::Foreign,
        },
    }
}

/// Returns the units that landed on both sides of a fork: which of the two stays is a person's decision.
pub fn landed_twice(base: Option<&Feature>, ours: &Feature, theirs: &Feature) -> Vec<String> {
    let done = |feature: &Feature, id: &str| {
        feature
            .find_unit(id)
            .is_some_and(|m| m.unit.is_some_and(|u| u.status() == UnitStatus::Done))
    };
    let both = ours.members().filter(|member| {
        let id = member.id();
        done(ours, id) && done(theirs, id) && !base.is_some_and(|base| done(base, id))
    });
    both.map(|member| member.id().to_owned()).collect()
}

/// Joins two continuations of a log that only grows: what both began with, then each one's own lines in the order of their
/// times. Nothing where one of them is no continuation.
pub fn join_logs(base: &str, ours: &str, theirs: &str) -> Option<String> {
    let (ours, theirs) = (ours.strip_prefix(base)?, theirs.strip_prefix(base)?);
    let time = |line: &str| -> Option<Timestamp> {
        let value: serde_json::Value = serde_json::from_str(line).ok()?;
        value.get("timestamp")?.as_str()?.parse().ok()
    };
    let (mut left, mut right) = (ours.lines().peekable(), theirs.lines().peekable());
    let mut joined = base.to_owned();
    if !joined.is_empty() && !joined.ends_with('\n') {
        joined.push('\n');
    }
    while let Some(line) = match (left.peek(), right.peek()) {
        (Some(a), Some(b)) if a == b => {
            right.next();
            left.next()
        }
        (Some(a), Some(b)) if time(b) < time(a) => right.next(),
        (Some(_), _) => left.next(),
        (None, _) => right.next(),
    } {
        joined.push_str(line);
        joined.push('\n');
    }
    Some(joined)
}

#[cfg(test)]
mod tests;
