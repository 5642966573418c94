//! Features that are in the checkout and in no commit.

use super::git::{GitPath, MODE_TREE};
use super::selected_feature::Selected;
use super::state_repository::{Repository, full};
use gatewalk_core::error::Result;
use gatewalk_core::model::layout;
use gatewalk_core::model::workspace::Workspace;
use gatewalk_core::path_names::file_name;
use std::collections::BTreeSet;
use std::sync::Arc;

impl Repository {
    /// Returns a feature whose plan is only in the work tree, as it would be once committed.
    pub fn select_uncommitted(&self, name: Option<&str>) -> Result<Selected> {
        let directories = self.uncommitted_features();
        let dir = match (&directories[..], name) {
            ([one], None) => one.clone(),
            (_, Some(name)) => {
                let meant = |dir: &&String| {
                    let directory = file_name(dir);
                    **dir == name.trim_end_matches('/')
                        || directory == name
                        || directory.starts_with(&format!("{name}-"))
                        || directory.ends_with(&format!("-{name}"))
                };
                directories
                    .iter()
                    .find(meant)
                    .cloned()
                    .ok_or_else(|| self.none_found(Some(name), &[]))?
            }
            _ => return Err(self.none_found(None, &[])),
        };
        let files = super::state_dir_reader::read_state_dir(self.git.work_tree(), self.layout)?;
        let workspace = Workspace::parse(self.layout, &files);
        let feature = workspace.features.iter().find(|f| *f.dir == *dir);
        let branch = feature
            .and_then(|f| f.plan.branch())
            .unwrap_or_default()
            .to_owned();
        let tip = self.git.resolve(&full(&branch))?;
        let commit = tip.unwrap_or(self.commit);
        let selected = Selected {
            dir,
            branch,
            commit,
            exists: tip.is_some(),
            workspace: Arc::new(workspace),
        };
        self.check_branch(&selected)?;
        Ok(selected)
    }

    /// Returns feature directories that `HEAD` does not have.
    pub fn uncommitted_features(&self) -> Vec<String> {
        let path = self.layout.path(layout::FEATURES);
        let Ok(entries) = std::fs::read_dir(self.git.work_tree().join(&path)) else {
            return vec![];
        };
        let committed = self
            .git
            .entries(self.commit, &GitPath::new(path.as_bytes()));
        let Ok(committed) = committed else {
            return vec![];
        };
        // Behind a link, or in a repository of its own, no plan is committed.
        let kept = committed.iter().filter(|e| e.mode == MODE_TREE);
        let known: BTreeSet<&[u8]> = kept.map(|e| e.path.as_bytes()).collect();
        let mut directories: Vec<String> = entries
            .filter_map(|e| e.ok()?.file_name().into_string().ok())
            .filter(|name| !known.contains(name.as_bytes()))
            .map(|name| format!("{path}/{name}"))
            .filter(|dir| self.git.work_tree().join(dir).join(layout::PLAN).is_file())
            .collect();
        directories.sort();
        directories
    }
}
