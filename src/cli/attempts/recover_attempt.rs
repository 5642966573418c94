//! `gatewalk attempts recover`: a branch, and where asked a worktree, of what an attempt left.

use super::AttemptQuery;
use super::kept_attempt::find;
use crate::cli::Context;
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::engine::oracle::shell_quote;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use serde_json::json;
use std::path::Path;

pub(super) fn recover(
    context: &Context,
    query: &AttemptQuery<'_>,
    (branch, worktree): (Option<&str>, Option<&Path>),
) -> Result<Exit> {
    let opened = query.open(context)?;
    let (id, kept) = find(&opened, query.unit, query.number)?;
    let a = &kept.record;
    let git = &opened.repository.git;
    let kind = if kept.charged { "attempt" } else { "uncharged" };
    let name = branch.map_or_else(|| format!("{kind}/{id}/{}", kept.number), str::to_owned);
    if !git.is_branch_name(&name)? {
        return Err(Error::usage(format!(
            "`{}` cannot be the name of a branch",
            sanitize(&name)
        )));
    }
    let directory = worktree.map(|dir| context.cwd.join(dir));
    directory.as_deref().map_or(Ok(()), refuse_taken)?;
    let pinned = git.ref_value(&kept.kept_at)?;
    let pinned = pinned.ok_or_else(|| Error::integrity("the attempt's ref is gone"))?;
    if !git.cas_ref(&format!("refs/heads/{name}"), pinned, None)? {
        return Err(Error::plan(format!("the branch `{name}` exists already"))
            .hint("name another with `--branch`"));
    }
    if let Some(directory) = &directory {
        git.add_worktree(directory, &name)
            .map_err(|e| e.hint(format!("the branch `{name}` holds the work all the same")))?;
    }
    let out = &context.out;
    let land = format!("gatewalk land {id} --from {}", shell_quote(&name));
    if query.common.json {
        out.json(&json!({
            "unit": id, "branch": name, "commit": pinned, "worktree": directory, "next": land,
        }));
        return Ok(Exit::Success);
    }
    out.line(format!("{name} holds what {} of {id} left", kept.name()));
    match &directory {
        Some(directory) => out.note(format!("it is checked out in {}", directory.display())),
        None => out.note(format!(
            "next: git switch {name}, or git diff {} {name}",
            a.base.short()
        )),
    }
    out.note(format!("then, with your commits on it: {land}"));
    Ok(Exit::Success)
}

fn refuse_taken(directory: &Path) -> Result<()> {
    match directory.exists() {
        false => Ok(()),
        true => Err(
            Error::plan(format!("`{}` is there already", directory.display()))
                .hint("name another with `--worktree`; nothing was touched"),
        ),
    }
}
