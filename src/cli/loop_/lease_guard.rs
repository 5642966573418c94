//! A run of features that clones share: only with their leases, and only as long.

use crate::cli::Context;
use crate::cli::sync::{LeaseTerm, SharedFeature, renew};
use gatewalk_core::error::Result;
use gatewalk_host::lease_watch::{LeaseWatch, Renewal};
use gatewalk_host::shared_remote::clone_id;
use gatewalk_host::state_repository::{Repository, Selected};
use gatewalk_host::stop_flag::StopFlag;
use std::time::Duration;

/// How long a lease lasts that a run renews by itself.
const TERM: Duration = Duration::from_secs(15 * 60);

/// What a run that syncs does before its first step; without that, only that the leases it needs are there is looked at.
pub(super) fn hold(
    (context, repository): (&Context, &Repository),
    selected: &mut Selected,
    sync: bool,
) -> Result<()> {
    let seen = selected.clone();
    let shared = match SharedFeature::of(context, repository, &seen, None) {
        Ok(shared) => shared,
        Err(error) if sync => return Err(error),
        // Without an id nothing can be shared.
        Err(_) => return Ok(()),
    };
    if !sync {
        return shared.refuse_unheld().map(drop);
    }
    let end = shared.synchronise(LeaseTerm::For(TERM), true)?;
    end.refuse(&shared.name())?;
    context.out.note(format!(
        "this clone holds {} on `{}`, and renews that while it runs",
        shared.name(),
        shared.remote()
    ));
    if end.pulled.is_some() {
        let fresh = repository.select(Some(&seen.dir))?;
        *selected = fresh;
    }
    Ok(())
}

/// Ends the run with the leases it has; renews them where it syncs.
pub(super) fn watch(
    (context, repository): (&Context, &Repository),
    features: &[Selected],
    (stop, sync): (StopFlag, bool),
) -> Result<Option<LeaseWatch>> {
    let git = &repository.git;
    let mut held = Vec::new();
    for selected in features {
        let Ok(shared) = SharedFeature::of(context, repository, selected, None) else {
            continue;
        };
        if shared.refuse_unheld()?.is_some() {
            held.push((
                shared.name(),
                selected.branch.clone(),
                shared.remote().to_owned(),
            ));
        }
    }
    if held.is_empty() {
        return Ok(None);
    }
    let names = held.iter().map(|(name, ..)| name.clone()).collect();
    let renewal: Option<Renewal> = match sync {
        false => None,
        true => {
            let (git, host) = (git.clone(), context.host()?);
            Some(Box::new(move || {
                for (name, branch, remote) in &held {
                    // What fails now is tried again; the lease ends where it fails for good.
                    drop(renew((&git, &host, remote), (name, branch), TERM));
                }
            }))
        }
    };
    let clone = clone_id(git)?;
    Ok(Some(LeaseWatch::start(git, clone, names, (stop, renewal))))
}

/// What a run that syncs does after its last step: it pushes and gives the leases back.
pub(super) fn give_back(
    (context, repository): (&Context, &Repository),
    features: &[Selected],
    sync: bool,
) {
    for selected in features {
        let Ok(shared) = SharedFeature::of(context, repository, selected, None) else {
            continue;
        };
        let result = match sync {
            true => shared
                .synchronise(LeaseTerm::Over, true)
                .and_then(|end| end.refuse(&shared.name())),
            false => shared.refuse_unheld().map(drop),
        };
        if let Err(error) = result {
            context.out.note(format!("{error}"));
            error
                .hints
                .iter()
                .for_each(|hint| context.out.note(format!("  help: {hint}")));
        }
    }
}
