//! Which commits changed a file.

use super::Git;
use super::git_command::{CommandScope, GitCommand};
use super::types::GitPath;
use gatewalk_core::error::Result;
use gatewalk_core::object_id::ObjectId;

impl Git {
    /// Returns the commits up to `to` that changed one of these files, newest first, at most `limit`.
    pub fn commits_touching(
        &self,
        to: ObjectId,
        paths: &[GitPath],
        limit: usize,
    ) -> Result<Vec<ObjectId>> {
        let call = GitCommand::new(self, CommandScope::Repository, "rev-list");
        let call = call.arg(format!("--max-count={limit}")).arg(to.hex());
        let call = call.arg("--").args(paths.iter().map(GitPath::as_path));
        let output = call.run()?;
        let lines = output.stdout.split(|byte| *byte == b'\n');
        Ok(lines.filter_map(ObjectId::parse).collect())
    }
}
