//! What a session may not do: the verbs by which a user decides, asked of the repository that is being driven.

use gatewalk_core::error::{Error, Result};
use gatewalk_host::git::Git;
use gatewalk_host::host::owner;
use gatewalk_host::lock::DriverLock;
use gatewalk_host::process::session_ancestry::is_inside_run;
use std::path::Path;

/// Refuses a user's decision that a session, or a command on its work, would make.
pub(super) fn refuse_inside_session(cwd: &Path, command: &str) -> Result<()> {
    // Where there is no repository there is nothing to decide about.
    let Ok(git) = Git::discover(cwd) else {
        return Ok(());
    };
    let driver = DriverLock::holder(&git.state_dir().join("lock")).map(|holder| holder.pid);
    if !is_inside_run(&owner(&git), driver) {
        return Ok(());
    }
    Err(Error::usage(format!(
        "`gatewalk {command}` is a decision of the user's, and this is a session, or a command on its work"
    ))
    .hint("end the session; report `status: blocked` with the reason if only the user can go on")
    .hint("nothing was changed"))
}
