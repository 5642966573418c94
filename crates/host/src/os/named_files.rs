//! Files of a slot by a path or a glob: the reports that a command leaves, a file each class of tests for some runners.

use super::Os;
use gatewalk_core::driver::ports::{NamedBytes, SlotId};
use gatewalk_core::error::Result;
use globset::GlobBuilder;
use std::path::Path;

/// The most entries that are looked at for a glob.
const MOST_ENTRIES: usize = 200_000;

/// The most files that a glob names.
const MOST_FILES: usize = 5_000;

impl Os<'_> {
    /// Returns the regular files that a path or a glob names, reached over no link; none where they are larger together.
    pub(super) fn read_named(
        &self,
        slot: SlotId,
        named: &str,
        limit: usize,
    ) -> Result<Vec<NamedBytes>> {
        let mut all = Vec::new();
        let mut left = limit;
        for path in self.named(slot, named)? {
            let Some(bytes) = self.read_in_slot(slot, &path, left)? else {
                return Ok(vec![]);
            };
            left -= bytes.len();
            all.push((path, bytes));
        }
        Ok(all)
    }

    /// Removes the files and links that a path or a glob names.
    pub(super) fn remove_named(&self, slot: SlotId, named: &str) -> Result<()> {
        for path in self.named(slot, named)? {
            self.remove_in_slot(slot, &path)?;
        }
        Ok(())
    }

    /// Returns the paths that a glob names, in order; anything else is a path itself.
    fn named(&self, slot: SlotId, named: &str) -> Result<Vec<String>> {
        let Some(wild) = named.find(['*', '?', '[', '{']) else {
            return Ok(vec![named.to_owned()]);
        };
        let named = named.trim_start_matches("./");
        let Ok(glob) = GlobBuilder::new(named).literal_separator(true).build() else {
            return Ok(vec![]);
        };
        let matcher = glob.compile_matcher();
        let root = self.slot(slot)?.dir().to_path_buf();
        let fixed = named.get(..wild).unwrap_or_default();
        let fixed = fixed.rsplit_once('/').map_or("", |(fixed, _)| fixed);
        Ok(found(&root, fixed, |path| matcher.is_match(path)))
    }
}

/// Returns the files below a directory of the root that a test names, as paths from the root.
fn found(root: &Path, below: &str, named: impl Fn(&str) -> bool) -> Vec<String> {
    let walk = walkdir::WalkDir::new(root.join(below)).sort_by_file_name();
    let walk = walk.into_iter().filter_entry(|e| e.file_name() != ".git");
    let paths = walk.take(MOST_ENTRIES).filter_map(|entry| {
        let entry = entry.ok().filter(|e| !e.file_type().is_dir())?;
        let path = entry.path().strip_prefix(root).ok()?;
        Some(path.to_str()?.to_owned())
    });
    paths.filter(|path| named(path)).take(MOST_FILES).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_in_order_below_the_fixed_part() {
        let dir = tempfile::tempdir().unwrap();
        for path in [
            "a/b/TEST-2.xml",
            "a/b/TEST-1.xml",
            "a/b/x.txt",
            "c/TEST-3.xml",
        ] {
            let full = dir.path().join(path);
            std::fs::create_dir_all(full.parent().unwrap()).unwrap();
            std::fs::write(full, "x").unwrap();
        }
        std::os::unix::fs::symlink("TEST-1.xml", dir.path().join("a/b/TEST-9.xml")).unwrap();
        let xml = |path: &str| path.ends_with(".xml");
        let below = found(dir.path(), "a", xml);
        assert_eq!(
            below,
            ["a/b/TEST-1.xml", "a/b/TEST-2.xml", "a/b/TEST-9.xml"]
        );
        assert_eq!(found(dir.path(), "", xml).len(), 4);
        assert!(found(dir.path(), "gone", xml).is_empty());
    }
}
