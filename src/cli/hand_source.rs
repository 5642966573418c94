//! Where a user's own work is: in the checkout, or in a commit.

use super::unit_command::OpenFeature;
use gatewalk_core::driver::hand_work::HandWork;
use gatewalk_core::engine::evidence::{one_line, sanitize};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use gatewalk_host::state_repository::Repository;

/// Work, and the commit it stands on or is.
pub(crate) struct HandSource {
    pub(crate) commit: ObjectId,
    pub(crate) tree: ObjectId,
    pub(crate) in_checkout: bool,
}

impl HandSource {
    /// Takes the files of a commit, or without one those of the checkout.
    pub(crate) fn take(repository: &Repository, rev: Option<&str>) -> Result<HandSource> {
        match rev {
            Some(rev) => {
                let commit = commit_of(repository, rev)?;
                Ok(HandSource {
                    commit,
                    tree: repository.git.tree_of(commit)?,
                    in_checkout: false,
                })
            }
            None => Ok(HandSource {
                commit: repository.commit,
                tree: repository.git.capture_checkout()?,
                in_checkout: true,
            }),
        }
    }

    /// Returns it as work on a unit; `base` is the commit it began at, where it is on the branch already.
    pub(crate) fn work<'u>(
        &self,
        opened: &OpenFeature<'_>,
        unit: &'u str,
        base: Option<&str>,
    ) -> Result<HandWork<'u>> {
        let (git, tip) = (&opened.repository.git, opened.selected.commit);
        let branch = &opened.selected.branch;
        let fork = git.merge_base(self.commit, tip)?.ok_or_else(|| {
            Error::plan(format!("the work and `{branch}` have no commit in common"))
        })?;
        let began = base
            .map(|base| commit_of(&opened.repository, base))
            .transpose()?;
        if let (Some(began), Some(base)) = (began, base) {
            let behind = git.merge_base(began, tip)? == Some(began);
            if !behind || fork != tip {
                let base = sanitize(base);
                return Err(Error::plan(match behind {
                    false => format!("`{base}` is not on `{branch}`"),
                    true => format!("the work does not have all of `{branch}`: rebase it first"),
                })
                .hint("`--base` is for work that is on the feature's branch already"));
            }
        }
        Ok(HandWork {
            unit,
            fork,
            began,
            tree: self.tree,
            in_checkout: self.in_checkout,
        })
    }
}

fn commit_of(repository: &Repository, rev: &str) -> Result<ObjectId> {
    repository.git.resolve(rev)?.ok_or_else(|| {
        Error::plan(format!("`{}` is no commit", one_line(rev)))
            .hint("name a commit, a branch or a tag")
    })
}
