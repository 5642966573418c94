//! Committing the edits of a plan that lie in the checkout.

use crate::git::{GitPath, Landed, Landing, MODE_EXECUTABLE, MODE_FILE, TreeEdit};
use crate::state_repository::{Repository, full, stamp_now};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::layout;
use gatewalk_core::object_id::ObjectId;
use gatewalk_core::path_names::{file_name, is_below};
use std::path::PathBuf;

impl Repository {
    /// Commits the user's edits of a feature's directory and of the shared plan files to a branch.
    ///
    /// Returns the new tip, or nothing when there was nothing to commit.
    pub fn commit_plan(&self, branch: &str, tip: ObjectId, dir: &str) -> Result<Option<ObjectId>> {
        let paths = self.edited_paths(tip, dir)?;
        if paths.is_empty() {
            return Ok(None);
        }
        let edits = paths
            .iter()
            .map(|path| self.edit_of(path))
            .collect::<Result<Vec<_>>>()?;
        let tree = self.git.edit_tree(tip, &edits)?;
        let name = file_name(dir);
        let message = format!("Commit the plan of {name}\n");
        match self.git.land(&Landing {
            branch: &full(branch),
            tip,
            tree,
            message: &message,
            when: stamp_now(),
            pins: &[],
        })? {
            Landed::Done { commit, .. } => Ok(Some(commit)),
            Landed::Moved { .. } => Err(Error::integrity(format!(
                "`{branch}` moved while its plan was being committed"
            ))
            .hint("run it again")),
        }
    }

    /// Returns what the user edited of a feature's directory and of the shared plan files; an error where git sees no edit
    /// of the feature.
    fn edited_paths(&self, tip: ObjectId, dir: &str) -> Result<Vec<GitPath>> {
        let state = self.layout.dir();
        let features = self.layout.path(layout::FEATURES);
        let paths: Vec<GitPath> = self
            .uncommitted_now(state)?
            .into_iter()
            .filter(|p| {
                let text = p.to_text();
                !is_below(&text, &features) || is_below(&text, dir)
            })
            .collect();
        let plan_path = GitPath::new(dir.as_bytes());
        let committed = || self.git.subtree(tip, &plan_path);
        if !paths.iter().any(|p| is_below(&p.to_text(), dir)) && committed()?.is_none() {
            self.refuse_uncommittable(dir)
                .map_err(|e| e.hint("nothing was committed and nothing was started"))?;
        }
        Ok(paths)
    }

    fn edit_of(&self, path: &GitPath) -> Result<TreeEdit> {
        use std::os::unix::fs::PermissionsExt;
        let full: PathBuf = self.git.work_tree().join(path.as_path());
        let content = match std::fs::symlink_metadata(&full) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => None,
            Err(e) => return Err(Error::io("read", &full, &e)),
            Ok(meta) if meta.is_file() => {
                let mode = if meta.permissions().mode() & 0o111 == 0 {
                    MODE_FILE
                } else {
                    MODE_EXECUTABLE
                };
                let bytes = std::fs::read(&full).map_err(|e| Error::io("read", &full, &e))?;
                Some((mode, bytes.into()))
            }
            Ok(_) => return Err(Error::plan(format!("`{path}` is not a regular file"))),
        };
        Ok(TreeEdit {
            path: path.clone(),
            content,
        })
    }
}
