//! The words where a command needs a state directory and the checkout has none: it may be committed all the same.

use gatewalk_core::engine::oracle::shell_quote;
use gatewalk_core::engine::top_path::{GIT_AT_TOP, top_path};
use gatewalk_core::error::Error;
use gatewalk_core::model::layout::Layout;
use gatewalk_host::git::{Git, GitPath};
use gatewalk_host::nested_state_dirs;
use std::path::Path;

/// Returns why there is no state directory at or above `start`, and how to get one.
pub(crate) fn error(start: &Path) -> Error {
    let git = Git::discover(start);
    if let Some(error) = git.as_ref().ok().and_then(left_out) {
        return error;
    }
    let error = Error::plan(format!(
        "there is no `.gatewalk/` or `.specfuse/` in `{}` or above",
        start.display()
    ));
    match (nested_state_dirs::below(start).first(), git) {
        (Some(below), _) => error.hint(format!(
            "`{}` has one: run the command there",
            below.display()
        )),
        (None, Ok(_)) => error.hint("`gatewalk init` writes one"),
        // Here it would write none.
        (None, Err(why)) => error.hint(format!(
            "{why}: {}; there `gatewalk init` writes one",
            why.hints.join("; ")
        )),
    }
}

/// Returns the error of a checkout that leaves out the state directory that its commit has: it was removed, or the
/// checkout is sparse.
pub(crate) fn left_out(git: &Git) -> Option<Error> {
    let commit = git.head().ok()?.commit?;
    let is_committed = |layout: &Layout| {
        let entries = git.entries(commit, &GitPath::from(layout.dir()));
        entries.is_ok_and(|entries| !entries.is_empty())
    };
    let layout = Layout::ALL.into_iter().find(is_committed)?;
    let dir = layout.dir();
    let there = git.work_tree().join(dir).is_dir();
    (!there).then(|| {
        Error::plan(format!(
            "`{dir}/` is committed, and your checkout leaves it out"
        ))
        .hint(command_for(git, dir))
        .hint("nothing was written")
    })
}

/// Returns the command that puts a committed path into the checkout.
pub(crate) fn command_for(git: &Git, path: &str) -> String {
    match git.is_sparse() {
        true => format!(
            "take it into the sparse checkout: {GIT_AT_TOP} sparse-checkout add {}",
            shell_quote(path)
        ),
        false => format!("take it back: git checkout HEAD -- {}", top_path(path)),
    }
}
