//! The branch of a feature that is new: made with the feature's first commit, or not at all.

use crate::cli::Context;
use gatewalk_core::driver::plan_commit::place_edits;
use gatewalk_core::driver::ports::{CommitRequest, History};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::edit::FileEdits;
use gatewalk_host::git::Adopted;
use gatewalk_host::os::Os;
use gatewalk_host::state_repository::{Repository, full};

/// The branch of a feature that is not there yet, and what its first commit says.
pub(in crate::cli) struct NewBranch<'a> {
    pub(in crate::cli) name: &'a str,
    pub(in crate::cli) message: &'a str,
}

/// Commits the draft on the feature's own branch, which begins where the draft was made.
pub(in crate::cli) fn put_on_branch(
    context: &Context,
    (repository, machine): (&Repository, &Os<'_>),
    branch: &NewBranch<'_>,
    files: FileEdits,
) -> Result<()> {
    place(repository, machine, branch, files)?;
    adopt(context, repository, branch.name)
}

fn place(
    repository: &Repository,
    machine: &Os<'_>,
    branch: &NewBranch<'_>,
    files: FileEdits,
) -> Result<()> {
    let tip = repository.commit;
    let name = full(branch.name);
    if repository.git.ref_value(&name)?.is_some() {
        return Err(
            Error::integrity(format!("the branch `{}` was made meanwhile", branch.name))
                .hint("run it again"),
        );
    }
    repository.git.ensure_branch(&name, tip)?;
    let commit = CommitRequest {
        tree: machine.tree_of(&tip)?,
        parent: tip,
        message: branch.message,
    };
    let done = place_edits(machine, branch.name, &commit, files).inspect_err(|_| {
        // A branch without a plan would only take its number away; it stays if somebody moved it.
        drop(repository.git.delete_ref(&name, tip));
    })?;
    done.ok_or_else(|| Error::integrity(format!("`{}` moved meanwhile", branch.name)))?;
    Ok(())
}

/// Checks the draft's branch out, where nothing is in the way.
fn adopt(context: &Context, repository: &Repository, branch: &str) -> Result<()> {
    let name = full(branch);
    if let Adopted::Left(why) = repository.git.adopt(&name)? {
        context.out.note(format!(
            "your checkout stays where it is: {why}; the plan is on `{branch}`"
        ));
    }
    Ok(())
}
