//! Writing what a planner of files planned: all of it is checked before the first byte is written.

use super::Context;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::scaffold::{Write, WriteMode};
use gatewalk_host::atomic_write::{self, FileWrite};
use std::path::Path;

/// Writes the files below a root, all of them or none, and says nothing.
pub(crate) fn write_quietly(root: &Path, writes: &[Write]) -> Result<()> {
    let changes: Vec<FileWrite<'_>> = writes
        .iter()
        .map(|write| FileWrite {
            path: &write.path,
            content: (write.mode != WriteMode::Remove).then_some(write.content.as_bytes()),
            fresh: write.mode == WriteMode::Create,
        })
        .collect();
    atomic_write::apply(root, &changes)
}

/// Writes the files below a root, all of them or none, or only shows them.
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
    if !dry_run {
        write_quietly(root, writes)?;
    }
    for write in writes {
        let verb = match write.mode {
            WriteMode::Create => "new",
            WriteMode::Replace => "edit",
            WriteMode::Remove => "remove",
        };
        context.out.line(format!("{verb:<7}{}", write.path));
    }
    if dry_run {
        context.out.note("nothing was written");
    }
    Ok(())
}
