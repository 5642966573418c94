//! What is linted: the files as they lie there, as they are staged, or with one of them from standard input.

use super::finding_filter::FindingFilter;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::document::MAX_FILE_BYTES;
use gatewalk_core::model::layout::Layout;
use gatewalk_core::model::workspace::FileSet;
use gatewalk_host::git::{Git, GitPath};
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// Reads a state directory as it is staged for the next commit.
pub(super) fn staged(root: &Path, layout: Layout) -> Result<FileSet> {
    let git = Git::discover(root)?;
    let root = root.canonicalize().unwrap_or(root.to_owned());
    let inside = root.strip_prefix(git.work_tree()).unwrap_or(Path::new(""));
    let state = inside.join(layout.dir());
    let state = GitPath::new(state.as_os_str().as_encoded_bytes());
    let from_root = |(path, bytes): (String, Arc<[u8]>)| {
        let path = Path::new(&path).strip_prefix(inside).ok()?.to_str()?;
        Some((path.to_owned(), bytes))
    };
    let staged = git.staged_files(&state)?;
    Ok(staged.into_iter().filter_map(from_root).collect())
}

/// Puts standard input in the place of one file.
pub(super) fn replace_by_stdin(
    files: &mut FileSet,
    scope: &FindingFilter,
    name: &Path,
) -> Result<()> {
    let [path] = &scope.paths[..] else {
        return Err(Error::usage(format!(
            "`{}` is not in the state directory",
            name.display()
        )));
    };
    let mut bytes = Vec::new();
    let limit = MAX_FILE_BYTES as u64 + 1;
    let failed =
        |e: std::io::Error| Error::environment("cannot read standard input").with_source(e);
    std::io::stdin()
        .lock()
        .take(limit)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    files.insert(path.clone(), Arc::from(bytes));
    Ok(())
}
