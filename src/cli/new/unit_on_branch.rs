//! A unit planned on a feature's branch instead of in the checkout.

use super::OnDisk;
use crate::cli::Context;
use gatewalk_core::error::Result;
use gatewalk_core::model::workspace::Workspace;
use gatewalk_core::object_id::ObjectId;
use gatewalk_core::scaffold::Write;
use gatewalk_core::scaffold::create::{self, NewUnit};
use gatewalk_host::state_repository::Repository;

impl OnDisk {
    /// Takes the state directory as a commit has it for the one on disk.
    pub(crate) fn of_commit(repository: &Repository, commit: ObjectId) -> Result<OnDisk> {
        let layout = repository.layout;
        let files = repository.git.files_under(commit, layout.dir())?;
        let workspace = Workspace::parse(layout, &files);
        Ok(OnDisk {
            root: repository.git.work_tree().to_path_buf(),
            layout,
            files,
            workspace,
        })
    }

    pub(crate) fn root(&self) -> &std::path::Path {
        &self.root
    }

    /// Plans a unit of that title in a feature, in its last gate or the one named.
    pub(crate) fn new_unit(
        &self,
        context: &Context,
        (feature, gate): (&str, Option<u32>),
        title: &str,
    ) -> Result<Vec<Write>> {
        let new = NewUnit {
            title,
            kind: "implementation",
            gate,
            depends_on: &[],
        };
        let mut planned = self.in_feature(context, Some(feature), |target, directory| {
            create::new_unit(target, directory, &new)
        })?;
        self.propose_touches(context, &mut planned);
        Ok(planned)
    }
}
