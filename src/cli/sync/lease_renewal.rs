//! Keeping the lease of a shared feature.

use gatewalk_core::engine::feature_lease::{BranchRelation, LeaseStand, stand};
use gatewalk_core::error::Result;
use gatewalk_core::object_id::ObjectId;
use gatewalk_host::git::Git;
use gatewalk_host::host::Host;
use gatewalk_host::shared_remote::{RemotePush, SharedRemote, clone_id, last_seen};
use gatewalk_host::state_repository::full;
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;

/// The time in whole seconds, as people read it.
pub(super) fn now() -> Timestamp {
    let now = Timestamp::now();
    Timestamp::from_second(now.as_second()).unwrap_or(now)
}

pub(super) fn later(now: Timestamp, term: Duration) -> Timestamp {
    let term = SignedDuration::try_from(term).unwrap_or(SignedDuration::ZERO);
    now.checked_add(term).unwrap_or(now)
}

pub(super) fn relation(
    git: &Git,
    here: Option<ObjectId>,
    there: Option<ObjectId>,
) -> Result<BranchRelation> {
    Ok(match (here, there) {
        (None, None) => BranchRelation::Same,
        (Some(_), None) => BranchRelation::Ahead,
        (None, Some(_)) => BranchRelation::Behind,
        (Some(here), Some(there)) => {
            let base = git.merge_base(here, there)?;
            BranchRelation::of(base == Some(there), base == Some(here))
        }
    })
}

/// Renews the lease of a run and pushes what landed since; while it goes on. What fails is tried at the next look.
pub(crate) fn renew(
    (git, host, remote): (&Git, &Host, &str),
    (feature, branch): (&str, &str),
    term: Duration,
) -> Result<()> {
    let there = SharedRemote {
        git,
        env: &host.env,
        remote,
        feature,
        branch,
    };
    let Some(known) = last_seen(git, feature)? else {
        return Ok(());
    };
    let (now, here) = (now(), git.ref_value(&full(branch))?);
    let left = Duration::try_from(known.until.duration_since(now)).unwrap_or_default();
    let fetched = git.ref_value(&gatewalk_host::shared_remote::fetched_ref(feature))?;
    if left > term / 2 && here == fetched {
        return Ok(());
    }
    let state = there.look()?;
    let Some((oid, lease)) = state.lease.clone() else {
        return Ok(());
    };
    if stand(Some(&lease), &clone_id(git)?, now) != LeaseStand::Own {
        return Ok(());
    }
    let ahead = relation(git, here, state.tip)? == BranchRelation::Ahead;
    there
        .push(&RemotePush {
            tip: here.filter(|_| ahead),
            lease: &lease.renewed(later(now, term)),
            replaces: Some(oid),
        })
        .map(drop)
}
