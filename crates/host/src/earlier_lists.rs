//! The lists of cases that may fail, as earlier commits had them.

use crate::git::{Git, GitPath};
use gatewalk_core::error::Result;
use gatewalk_core::model::known_failures::KnownFailures;
use gatewalk_core::model::layout;
use gatewalk_core::model::verification::Verification;
use gatewalk_core::model::workspace::Workspace;
use gatewalk_core::object_id::ObjectId;

/// How many versions of the file are read.
const VERSIONS: usize = 200;

/// Returns what every list up to a commit allowed; reads nothing where the plans have no list.
pub fn read(git: &Git, workspace: &Workspace, commit: ObjectId) -> Result<KnownFailures> {
    let mut known = KnownFailures::default();
    if KnownFailures::of(&workspace.verification) == known {
        return Ok(known);
    }
    let path = workspace.layout.path(layout::VERIFICATION);
    let path = GitPath::new(path.as_bytes());
    for version in git.commits_touching(commit, std::slice::from_ref(&path), VERSIONS)? {
        let bytes = git.file_at(version, &path)?;
        let parsed = Verification::parse(workspace.verification.path.clone(), bytes.as_deref());
        known.narrow(KnownFailures::of(&parsed));
    }
    Ok(known)
}
