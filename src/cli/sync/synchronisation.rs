//! One synchronisation of a feature that clones share: look, join, take the lease, push, until nothing is left to do.

use super::SyncEnd;
use super::joined_branch::join;
use super::lease_renewal::relation;
use super::shared_feature::LeaseTerm;
use super::shared_feature::SharedFeature;
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::engine::feature_lease::{LeaseStand, SyncMove, next_move};
use gatewalk_core::error::{Error, ErrorKind, Result};
use gatewalk_core::object_id::ObjectId;
use std::time::Duration;

/// How often it looks again where the remote moved meanwhile.
const TRIES: u32 = 6;

/// How long the lease is held to join two sides under it.
const JOINING: Duration = Duration::from_secs(3600);

impl SharedFeature<'_> {
    /// Fetches, joins, takes or renews the lease and pushes. `driving`: the caller holds the locks of a run.
    pub(crate) fn synchronise(&self, term: LeaseTerm, driving: bool) -> Result<SyncEnd> {
        let mut end: Option<SyncEnd> = None;
        for _ in 0..TRIES {
            let state = self.there().look()?;
            let (here, lease) = (self.here()?, state.lease.as_ref().map(|(_, l)| l));
            let mine = self.stand(lease)?;
            let relation = relation(&self.repository.git, here, state.tip)?;
            let so_far = end.get_or_insert(SyncEnd {
                relation,
                lease: None,
                stand: mine,
                pulled: None,
                pushed: None,
                joined: None,
            });
            so_far.stand = mine;
            so_far.lease = lease.cloned();
            match next_move(relation, mine) {
                SyncMove::Pull { goes_on } => {
                    self.pull((here, &state), driving)?;
                    so_far.pulled = state.tip;
                    if !goes_on {
                        break;
                    }
                }
                SyncMove::Leave => break,
                SyncMove::Join { takes_lease: true } => {
                    self.push(&state, None, LeaseTerm::For(JOINING))?;
                }
                SyncMove::Join { takes_lease: false } => {
                    let Some(both) = here.zip(state.tip) else {
                        continue;
                    };
                    if !self.join(both, driving, so_far)? {
                        break;
                    }
                }
                SyncMove::Push { branch } => {
                    let tip = here.filter(|_| branch);
                    if self.push(&state, tip, term)? {
                        so_far.pushed = tip;
                        self.look_at_lease(so_far)?;
                        return end
                            .ok_or_else(|| Error::internal("a synchronisation without an end"));
                    }
                }
            }
        }
        self.unfinished(end)
    }

    /// Joins both sides and notes how that ended; returns whether there is now one side.
    fn join(
        &self,
        both: (ObjectId, ObjectId),
        driving: bool,
        so_far: &mut SyncEnd,
    ) -> Result<bool> {
        let joined = join(self, both, driving)?;
        so_far.pulled = joined.commit().or(so_far.pulled);
        let done = joined.commit().is_some();
        so_far.joined = Some(joined);
        if !done {
            self.look_at_lease(so_far)?;
        }
        Ok(done)
    }

    /// Returns how it ended without a push; an error where the remote never stood still.
    fn unfinished(&self, end: Option<SyncEnd>) -> Result<SyncEnd> {
        match end {
            Some(end)
                if end.stand == LeaseStand::Foreign
                    || end.joined.as_ref().is_some_and(|j| j.commit().is_none()) =>
            {
                Ok(end)
            }
            _ => Err(Error::new(
                ErrorKind::Locked,
                format!(
                    "`{}` on `{}` keeps moving",
                    sanitize(self.branch()),
                    sanitize(self.remote())
                ),
            )
            .hint("run the command again")),
        }
    }
}
