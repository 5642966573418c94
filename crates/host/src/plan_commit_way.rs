//! How a plan that lies in the checkout alone gets into a commit, and what keeps it out.

use super::git::GitPath;
use super::installed_programs;
use super::plan_links::unread_at;
use super::state_repository::Repository;
use gatewalk_core::engine::top_path::top_path;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::layout;
use gatewalk_core::model::unread_entry::UnreadEntry;

/// Returns the error for plans that would lie behind a symbolic link.
pub fn behind_link(link: &str) -> Error {
    Error::plan(format!(
        "`{link}` is a symbolic link, and git keeps nothing that lies behind one: no plan there can be committed"
    ))
    .hint("put the directory itself in the link's place, then commit it")
}

/// Returns the error for plans that would lie in another repository.
fn in_repository(dir: &str) -> Error {
    let at_top = top_path(dir);
    Error::plan(format!(
        "`{dir}` is a repository of its own, and git keeps no file of one: no plan there can be committed"
    ))
    .hint(format!(
        "move `{dir}/.git` away, then: git rm --cached {at_top}; git add {at_top}; git commit"
    ))
}

impl Repository {
    /// Returns the command that commits the state directory.
    pub fn commit_command(&self) -> String {
        format!(
            "git add {} && git commit -m \"Plan\"",
            top_path(self.layout.dir())
        )
    }

    /// Returns why nothing can be committed here at all: the git directory is another user's, or read-only.
    pub fn unwritable(&self) -> Option<String> {
        let mut places = [self.git.common_dir(), self.git.git_dir()].into_iter();
        let place = places.find(|place| !installed_programs::is_writable(place))?;
        Some(format!(
            "`{}` cannot be written to: make it writable for you",
            place.display()
        ))
    }

    /// Refuses a plan that no command can commit: git ignores it, or keeps nothing behind a link or in a repository
    /// of its own.
    pub fn refuse_uncommittable(&self, dir: &str) -> Result<()> {
        let state = self.layout.dir();
        let features = self.layout.path(layout::FEATURES);
        for path in [state, features.as_str(), dir] {
            match unread_at(&self.git.work_tree().join(path)) {
                Some(UnreadEntry::Link) => return Err(behind_link(path)),
                Some(UnreadEntry::Repository) => return Err(in_repository(path)),
                Some(UnreadEntry::Directory) | None => {}
            }
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
            "`git check-ignore -v {}` shows the line that ignores it: remove that line",
            top_path(&plan)
        )))
    }
}
