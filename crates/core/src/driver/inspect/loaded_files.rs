//! Unchanged files that changed ones load: what an earlier unit left there, a later one may decide by.

use super::{LOOK_LIMIT, UnitDiff};
use crate::driver::run_loop::Driver;
use crate::engine::changed_file::{ChangedFile, ChangedPath, ChangedPathKind};
use crate::engine::protected;
use crate::error::Result;
use std::sync::Arc;

/// An unchanged file.
pub(super) struct LoadedFile {
    path: ChangedPath,
    text: Arc<[u8]>,
    /// Whether an earlier unit of the feature changed it: one would bring what knows, and the next one what decides by it.
    is_of_feature: bool,
}

impl LoadedFile {
    /// Returns the file as one that is as it was, or as a new one where the feature brought it.
    pub(super) fn pair(&self) -> ChangedFile<'_> {
        let text = Some(&*self.text);
        ChangedFile {
            change: &self.path,
            old: text.filter(|_| !self.is_of_feature),
            new: text,
        }
    }
}

impl Driver<'_> {
    /// Reads the unchanged files that have to be looked at beside a diff.
    pub(super) fn loaded_files(
        &self,
        diff: &UnitDiff<'_>,
        pairs: &[ChangedFile<'_>],
    ) -> Result<Vec<LoadedFile>> {
        if !protected::may_load(pairs) {
            return Ok(vec![]);
        }
        let paths = protected::read_beside(pairs, self.base_paths(diff)?);
        let paths: Vec<String> = paths.into_iter().map(str::to_owned).collect();
        if paths.is_empty() {
            return Ok(vec![]);
        }
        let of_feature = self.changed_in_feature(diff)?;
        let texts = self.machine.contents(&diff.plan.tree, &paths, LOOK_LIMIT)?;
        let files = paths.into_iter().zip(texts).filter_map(|(path, text)| {
            let path = ChangedPath {
                path,
                kind: ChangedPathKind::Modified,
                regular: true,
                unstartable: false,
            };
            Some(LoadedFile {
                is_of_feature: of_feature.contains(&path.path),
                path,
                text: text?,
            })
        });
        Ok(files.collect())
    }
}
