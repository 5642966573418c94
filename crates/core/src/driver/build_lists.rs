//! Build files that list sources: where some are taken away for a second look, what joined for them goes too, or nothing
//! would be built.

use super::ports::RestoredFile;
use super::run_loop::Driver;
use crate::engine::protected::test_targets::without_sources;
use crate::error::Result;
use crate::object_id::ObjectId;
use crate::path_names::extension;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Sources that are listed where they are built.
const LISTED: [&str; 7] = ["c", "cc", "cpp", "cxx", "m", "mm", "cu"];
const LIST: &str = "CMakeLists.txt";
/// How much of a build file is read.
const LIMIT: usize = 1 << 20;

impl Driver<'_> {
    /// Returns a tree whose build files do without the sources that are as they were before, which they were there without.
    pub(super) fn built_without(
        &self,
        tree: &ObjectId,
        before: &ObjectId,
        restored: &[RestoredFile],
    ) -> Result<ObjectId> {
        let paths = restored.iter().map(|(path, _)| path.as_str());
        let mut listed: Vec<&str> = Vec::new();
        for path in paths.filter(|path| LISTED.contains(&extension(path))) {
            // What was there before is there again.
            if self.machine.file_at(before, path)?.is_none() {
                listed.push(path);
            }
        }
        if listed.is_empty() {
            return Ok(*tree);
        }
        let lists = lists_above(&listed);
        let names: Vec<String> = lists.keys().cloned().collect();
        let now = self.machine.contents(tree, &names, LIMIT)?;
        let then = self.machine.contents(before, &names, LIMIT)?;
        let text = |bytes: Option<Arc<[u8]>>| {
            String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned()
        };
        let mut edits: Vec<RestoredFile> = Vec::new();
        for ((list, sources), (now, then)) in lists.iter().zip(now.into_iter().zip(then)) {
            let sources: Vec<&str> = sources.iter().copied().collect();
            if let Some(reduced) = without_sources(&text(then), &text(now), &sources) {
                edits.push((list.clone(), Some(reduced)));
            }
        }
        match edits.is_empty() {
            true => Ok(*tree),
            false => self.machine.restore_paths(tree, before, &edits),
        }
    }
}

/// Returns the lists above some sources, and how each names them.
fn lists_above<'p>(sources: &[&'p str]) -> BTreeMap<String, BTreeSet<&'p str>> {
    let mut lists: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for source in sources {
        let ends = source.match_indices('/').map(|(at, _)| at + 1);
        for end in std::iter::once(0).chain(ends) {
            let (directory, rest) = source.split_at(end);
            lists
                .entry(format!("{directory}{LIST}"))
                .or_default()
                .insert(rest);
        }
    }
    lists
}
