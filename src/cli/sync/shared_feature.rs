//! One feature that clones share: how it stands, and what moves it here and there.

use super::lease_renewal::{later, now, relation};
use super::{SyncEnd, held, shareable};
use crate::cli::Context;
use crate::cli::run_guards::{Locks, catch_up_if_free};
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::engine::feature_lease::{FeatureLease, LeaseStand, SKEW, stand};
use gatewalk_core::error::{Error, ErrorKind, Result};
use gatewalk_core::object_id::ObjectId;
use gatewalk_host::host::Host;
use gatewalk_host::shared_remote::{
    RemotePush, RemoteState, SharedRemote, clone_id, clone_name, last_seen,
};
use gatewalk_host::state_repository::{Repository, Selected, full};
use std::cell::OnceCell;
use std::time::Duration;

/// How long a lease is to last.
#[derive(Debug, Clone, Copy)]
pub(crate) enum LeaseTerm {
    For(Duration),
    /// It is given back.
    Over,
}

/// A feature, and the remote that shares it.
pub(crate) struct SharedFeature<'a> {
    pub(super) context: &'a Context,
    pub(super) repository: &'a Repository,
    pub(super) selected: &'a Selected,
    pub(super) host: Host,
    name: String,
    remote: String,
    /// What tells this clone from others, once it was asked for.
    clone: OnceCell<String>,
}

impl<'a> SharedFeature<'a> {
    /// Names the remote: the one given, else the configured one, else `origin`.
    pub(crate) fn of(
        context: &'a Context,
        repository: &'a Repository,
        selected: &'a Selected,
        remote: Option<&str>,
    ) -> Result<SharedFeature<'a>> {
        let configured = selected.workspace.config.sync_remote();
        let remote = remote.or(configured).unwrap_or("origin").to_owned();
        if remote.starts_with('-') {
            return Err(Error::usage(format!(
                "`{}` is not the name of a remote",
                sanitize(&remote)
            )));
        }
        Ok(SharedFeature {
            context,
            repository,
            selected,
            host: context.host()?,
            name: shareable(selected)?,
            remote,
            clone: OnceCell::new(),
        })
    }

    pub(crate) fn name(&self) -> String {
        self.name.clone()
    }

    pub(crate) fn branch(&self) -> &str {
        &self.selected.branch
    }

    pub(crate) fn remote(&self) -> &str {
        &self.remote
    }

    pub(super) fn there(&self) -> SharedRemote<'_> {
        SharedRemote {
            git: &self.repository.git,
            env: &self.host.env,
            remote: &self.remote,
            feature: &self.name,
            branch: &self.selected.branch,
        }
    }

    fn clone_id(&self) -> Result<&str> {
        if self.clone.get().is_none() {
            drop(self.clone.set(clone_id(&self.repository.git)?));
        }
        Ok(self.clone.get().map_or("", String::as_str))
    }

    /// Returns what a lease means here.
    pub(super) fn stand(&self, lease: Option<&FeatureLease>) -> Result<LeaseStand> {
        match lease {
            None => Ok(LeaseStand::Free),
            Some(_) => Ok(stand(lease, self.clone_id()?, now())),
        }
    }

    pub(super) fn here(&self) -> Result<Option<ObjectId>> {
        self.repository.git.ref_value(&full(&self.selected.branch))
    }

    /// Shows how things stand.
    pub(crate) fn preview(&self) -> Result<SyncEnd> {
        let state = self.there().look()?;
        let lease = state.lease.map(|(_, lease)| lease);
        Ok(SyncEnd {
            relation: relation(&self.repository.git, self.here()?, state.tip)?,
            stand: self.stand(lease.as_ref())?,
            lease,
            pulled: None,
            pushed: None,
            joined: None,
        })
    }

    pub(super) fn look_at_lease(&self, end: &mut SyncEnd) -> Result<()> {
        end.lease = last_seen(&self.repository.git, &self.name)?;
        end.stand = self.stand(end.lease.as_ref())?;
        Ok(())
    }

    /// Moves the branch here to where the remote's is, and lets the checkout follow.
    pub(super) fn pull(
        &self,
        (here, state): (Option<ObjectId>, &RemoteState),
        driving: bool,
    ) -> Result<()> {
        let _locks = self.locked(driving)?;
        let Some(tip) = state.tip else { return Ok(()) };
        self.moved(here, tip).map(drop)
    }

    /// Takes the locks of a run, where the caller has none.
    pub(super) fn locked(&self, driving: bool) -> Result<Option<Locks>> {
        let locks = match driving {
            true => None,
            false => Some(Locks::take(self.repository, self.selected)?),
        };
        if locks.is_some() {
            drop(catch_up_if_free(self.repository));
        }
        self.repository.refuse_busy_branch(&self.selected.branch)?;
        Ok(locks)
    }

    /// Moves the branch here forward; `false` where it moved meanwhile.
    pub(super) fn moved(&self, from: Option<ObjectId>, to: ObjectId) -> Result<bool> {
        let git = &self.repository.git;
        let Some(followed) = git.fast_forward(&full(&self.selected.branch), from, to)? else {
            return Ok(false);
        };
        for text in followed.said() {
            self.context.out.note(text);
        }
        Ok(true)
    }

    /// Pushes a lease, and the branch where it is to move there; `false` where the remote moved meanwhile.
    pub(super) fn push(
        &self,
        state: &RemoteState,
        tip: Option<ObjectId>,
        term: LeaseTerm,
    ) -> Result<bool> {
        let now = now();
        let clone = self.clone_id()?;
        let held = state.lease.as_ref().map(|(_, lease)| lease);
        let own = held
            .filter(|lease| lease.holder == clone && now < lease.until)
            .cloned();
        let fresh = || FeatureLease {
            feature: self.name.clone(),
            branch: self.selected.branch.clone(),
            holder: clone.to_owned(),
            name: clone_name(&self.repository.git),
            since: now,
            until: now,
        };
        let lease = own.unwrap_or_else(fresh);
        let lease = match term {
            LeaseTerm::For(term) => lease.renewed(later(now, term)),
            // So far back that no other clone waits for clocks to agree.
            LeaseTerm::Over => FeatureLease {
                until: now.checked_sub(SKEW).unwrap_or(now),
                ..lease
            },
        };
        self.there().push(&RemotePush {
            tip,
            lease: &lease,
            replaces: state.lease.as_ref().map(|(oid, _)| *oid),
        })
    }

    /// Refuses a run of a feature that another clone holds, or that none may walk without a lease. It asks no remote; returns
    /// the lease where there is one.
    pub(crate) fn refuse_unheld(&self) -> Result<Option<FeatureLease>> {
        let lease = last_seen(&self.repository.git, &self.name)?;
        let required = self.selected.workspace.config.sync_remote().is_some();
        match (&lease, self.stand(lease.as_ref())?) {
            (None, _) if !required => Ok(None),
            (_, LeaseStand::Own) => Ok(lease),
            (Some(lease), LeaseStand::Foreign) => Err(held(&self.name, lease).refusal()),
            _ => Err(Error::new(
                ErrorKind::Locked,
                format!(
                    "{} is shared through `{}`, and this clone does not hold it",
                    self.name,
                    sanitize(&self.remote)
                ),
            )
            .hint(format!("gatewalk sync {}", self.name))
            .hint("nothing was started and nothing was touched")),
        }
    }
}

impl SyncEnd {
    /// Refuses to go on where the feature is another clone's, or its sides could not be joined.
    pub(crate) fn refuse(&self, name: &str) -> Result<()> {
        match (&self.lease, self.stand, &self.joined) {
            (Some(lease), LeaseStand::Foreign, _) => Err(held(name, lease).refusal()),
            (_, _, Some(joined)) if joined.commit().is_none() => Err(Error::new(
                ErrorKind::InvalidPlan,
                format!(
                    "{name} went on here and on the remote, and the two could not be joined: {}",
                    joined.word()
                ),
            )
            .hint(format!("gatewalk sync {name}"))
            .hint("nothing was started")),
            _ => Ok(()),
        }
    }
}
