//! Reading a state directory from the work tree.

use crate::error::{Error, Result};
use crate::model::document::MAX_FILE_BYTES;
use crate::model::layout::{self, Layout};
use crate::model::workspace::FileSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Returns the nearest folder upwards that has a state directory, and which.
pub fn find_root(from: &Path) -> Option<(PathBuf, Layout)> {
    from.ancestors().find_map(|folder| {
        let layout = Layout::ALL
            .into_iter()
            .find(|l| folder.join(l.dir()).is_dir())?;
        Some((folder.to_path_buf(), layout))
    })
}

/// Reads the plan files of a state directory: Markdown, YAML and event logs, by path from the root.
///
/// Symbolic links are not followed; of a file too large for a plan only enough is read to say so.
pub fn read_state_dir(root: &Path, layout: Layout) -> Result<FileSet> {
    let mut files = FileSet::new();
    let walk = walkdir::WalkDir::new(root.join(layout.dir()))
        .follow_links(false)
        .max_depth(6);
    for entry in walk {
        let entry = entry.map_err(|e| {
            Error::environment(format!(
                "cannot read `{}`: {e}",
                root.join(layout.dir()).display()
            ))
        })?;
        if !entry.file_type().is_file() {
            continue;
        }
        let relative = entry.path().strip_prefix(root).unwrap_or(entry.path());
        let path = relative.to_string_lossy().replace('\\', "/");
        files.insert(path, read_capped(entry.path())?);
    }
    Ok(files)
}

/// Reads a file, at most one byte more than a plan file may have; event logs grow without limit.
fn read_capped(path: &Path) -> Result<Arc<[u8]>> {
    use std::io::Read;
    let failed = |e: std::io::Error| Error::io("read", path, &e);
    if path.file_name().is_some_and(|name| name == layout::EVENTS) {
        return std::fs::read(path).map(Into::into).map_err(failed);
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(failed)?;
    file.take(MAX_FILE_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    Ok(bytes.into())
}
