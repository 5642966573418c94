//! How a plan that lies in the checkout alone gets into a commit, and what keeps it out.

use super::git::GitPath;
use super::state_repository::Repository;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::layout;

/// Returns the error for plans that would lie behind a symbolic link.
pub fn behind_link(link: &str) -> Error {
    Error::plan(format!(
        "`{link}` is a symbolic link, and git keeps nothing that lies behind one: no plan there can be committed"
    ))
    .hint("put the directory itself in the link's place, then commit it")
}

impl Repository {
    /// Returns the command that commits the state directory.
    pub fn commit_command(&self) -> String {
        format!("git add {} && git commit -m \"Plan\"", self.layout.dir())
    }

    /// Refuses a plan that no command can commit: git ignores it, or keeps nothing behind the link that leads to it.
    pub fn refuse_uncommittable(&self, dir: &str) -> Result<()> {
        let state = self.layout.dir();
        let features = self.layout.path(layout::FEATURES);
        let is_link = |path: &&str| self.git.work_tree().join(path).is_symlink();
        if let Some(link) = [state, features.as_str(), dir].into_iter().find(is_link) {
            return Err(behind_link(link));
        }
        let plan = format!("{dir}/{}", layout::PLAN);
        let is_tracked = self
            .git
            .file_at(self.commit, &GitPath::from(&*plan))
            .is_ok_and(|file| file.is_some());
        if is_tracked || !self.git.ignores(&plan)? {
            return Ok(());
        }
        Err(Error::plan(format!(
            "git ignores `{dir}`, so the plan cannot be committed and nothing can run it"
        ))
        .hint(format!(
            "`git check-ignore -v {plan}` shows the line that ignores it: remove that line"
        )))
    }
}
