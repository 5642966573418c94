//! What is in the user's checkout: the files git tracks or would track, and what it ignores.

use super::Git;
use super::git_command::{CommandScope, GitCommand};
use gatewalk_core::error::Result;

impl Git {
    /// Returns the files of the checkout that git tracks or would track.
    pub fn working_files(&self) -> Result<Vec<String>> {
        let call = GitCommand::new(self, CommandScope::User(None), "ls-files");
        let output = call.args(["-c", "-o", "--exclude-standard", "-z"]).run()?;
        let paths = output.paths();
        Ok(paths
            .filter_map(|path| path.as_str().map(str::to_owned))
            .collect())
    }

    /// Returns whether git ignores a path of the checkout, which need not be there.
    pub fn ignores(&self, path: &str) -> Result<bool> {
        // A pattern with a slash at its end means directories only.
        let paths = [path.to_owned(), format!("{path}/")];
        let call = GitCommand::new(self, CommandScope::User(None), "check-ignore");
        // It knows no literal paths: the names asked about are plain words.
        let call = call.env("GIT_LITERAL_PATHSPECS", "0");
        let output = call.arg("--").args(paths).accept(&[0, 1]).run()?;
        Ok(output.code == 0)
    }
}
