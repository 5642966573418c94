//! Writing what a planner of files planned: all of it is checked before the first byte is written.

use super::Context;
use crate::error::{Error, Result};
use crate::scaffold::{Write, WriteMode};
use std::path::Path;

/// Writes the files below a root and says nothing.
pub(crate) fn write_quietly(root: &Path, writes: &[Write]) -> Result<()> {
    for write in writes {
        let path = root.join(&write.path);
        let parent = path.parent().unwrap_or(root);
        std::fs::create_dir_all(parent).map_err(|e| Error::io("create", parent, &e))?;
        crate::effects::files::write_atomic(&path, write.content.as_bytes())?;
    }
    Ok(())
}

/// Writes the files below a root, or only shows them.
pub(crate) fn write(context: &Context, root: &Path, writes: &[Write], dry_run: bool) -> Result<()> {
    for write in writes {
        let path = root.join(&write.path);
        let there = std::fs::symlink_metadata(&path).is_ok();
        if there && write.mode == WriteMode::Create {
            return Err(Error::plan(format!(
                "`{}` exists already; nothing was written",
                write.path
            )));
        }
    }
    for write in writes {
        let path = root.join(&write.path);
        let verb = match write.mode {
            WriteMode::Create => "new",
            WriteMode::Replace => "edit",
            WriteMode::Remove => "remove",
        };
        context.out.line(format!("{verb:<7}{}", write.path));
        if dry_run {
            continue;
        }
        if write.mode == WriteMode::Remove {
            std::fs::remove_file(&path).map_err(|e| Error::io("remove", &path, &e))?;
            continue;
        }
        let parent = path.parent().unwrap_or(root);
        std::fs::create_dir_all(parent).map_err(|e| Error::io("create", parent, &e))?;
        crate::effects::files::write_atomic(&path, write.content.as_bytes())?;
    }
    if dry_run {
        context.out.note("nothing was written");
    }
    Ok(())
}
