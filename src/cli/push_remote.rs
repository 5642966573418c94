//! The remote that a branch is pushed to.

use super::Context;
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::error::{Error, Result};
use gatewalk_host::state_repository::Repository;
use gatewalk_host::user_tool::{self, ToolCommand};

/// Refuses a remote that git could not push to, before anything is done; an address is left for git to judge.
pub(super) fn refuse_unknown(
    remote: &str,
    context: &Context,
    repository: &Repository,
) -> Result<()> {
    if remote.starts_with('-') {
        return Err(Error::usage(format!(
            "`{remote}` is not the name of a remote"
        )));
    }
    let is_address = remote.contains(['/', ':']);
    if is_address {
        return Ok(());
    }
    let known = user_tool::run(&ToolCommand {
        program: "git",
        args: &["remote", "get-url", remote],
        input: "",
        cwd: repository.git.work_tree(),
        env: &context.host()?.env,
    })?;
    known.ok("git remote get-url").map(drop).map_err(|_| {
        Error::environment(format!("there is no remote `{}`", sanitize(remote))).hint(
            "add it with `git remote add`, or name another with `--remote NAME`; nothing was done",
        )
    })
}
