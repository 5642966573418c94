//! The feature that a command works on.

use gatewalk_core::model::feature::Feature;
use gatewalk_core::model::workspace::Workspace;
use gatewalk_core::object_id::ObjectId;
use std::sync::Arc;

/// What helps where an id means two features.
pub const SAME_ID: &str = "two directories have the same id: `gatewalk lint` names them, and one has to go or to take another";

/// A feature that a command works on.
#[derive(Debug, Clone)]
pub struct Selected {
    /// The directory, relative to the repository root.
    pub dir: String,
    /// Its branch, without `refs/heads/`.
    pub branch: String,
    /// The commit whose plan is in effect: the branch's tip, or where the branch would start.
    pub commit: ObjectId,
    /// Whether the branch exists.
    pub exists: bool,
    /// The state directory at that commit. Of a feature that was only listed, the other features may be absent or from
    /// another commit than this one.
    pub workspace: Arc<Workspace>,
}

impl Selected {
    /// Returns the selected feature, as `workspace` has it.
    pub fn feature(&self) -> &Feature {
        let found = self.workspace.feature_in(&self.dir);
        found.expect("selected from this workspace")
    }
}
