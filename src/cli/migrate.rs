//! `gatewalk migrate`: a `.specfuse/` becomes `.gatewalk/` by moving it; no file's content changes.

use super::Context;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::layout::Layout;
use gatewalk_host::git::Git;
use gatewalk_host::lock::DriverLock;
use gatewalk_host::state_dir_reader;
use serde_json::json;
use std::path::Path;

#[derive(clap::Args)]
#[command(after_help = "Example:\n  gatewalk migrate --dry-run")]
pub(crate) struct Args {
    /// Show what would be moved; move nothing
    #[arg(long)]
    dry_run: bool,
    /// Print what was done as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let git = Git::discover(&context.cwd)?;
    let root = git.work_tree().to_path_buf();
    let (from, to) = (Layout::Specfuse.dir(), Layout::Gatewalk.dir());
    if !root.join(from).is_dir() {
        return Err(
            Error::plan(format!("there is no `{from}/` in `{}`", root.display()))
                .hint("`gatewalk init` writes a state directory"),
        );
    }
    if std::fs::symlink_metadata(root.join(to)).is_ok() {
        return Err(Error::plan(format!(
            "`{to}/` exists already; nothing was moved"
        )));
    }
    if let Some(holder) = DriverLock::holder(&git.state_dir().join("lock")) {
        return Err(Error::new(
            gatewalk_core::error::ErrorKind::Locked,
            format!("a driver is at work: pid {} on {}", holder.pid, holder.host),
        )
        .hint("nothing was moved"));
    }
    let files = state_dir_reader::read_state_dir(&root, Layout::Specfuse)?;
    let mention: Vec<&String> = files
        .iter()
        .filter(|(path, bytes)| {
            !path.contains("/features/")
                && String::from_utf8_lossy(bytes).contains(&format!("{from}/"))
        })
        .map(|(path, _)| path)
        .collect();
    if !args.dry_run {
        let (old, new) = (root.join(from), root.join(to));
        std::fs::rename(&old, &new).map_err(|e| Error::io("move", &old, &e))?;
    }
    let moved = MovedPlans {
        root: &root,
        files: files.len(),
        mention: &mention,
    };
    report(args, context, &moved);
    Ok(Exit::Success)
}

struct MovedPlans<'a> {
    root: &'a Path,
    files: usize,
    /// Plan files that still name the old directory.
    mention: &'a [&'a String],
}

fn report(args: &Args, context: &Context, moved: &MovedPlans<'_>) {
    let (from, to) = (Layout::Specfuse.dir(), Layout::Gatewalk.dir());
    if args.json {
        context.out.json(&json!({"from": from, "to": to, "root": moved.root.display().to_string(), "files": moved.files, "mention_the_old_name": moved.mention, "dry_run": args.dry_run}));
        return;
    }
    let verb = if args.dry_run { "would move" } else { "moved" };
    context.out.line(format!(
        "{verb} {from}/ to {to}/: {} plan files, no content changed",
        moved.files
    ));
    for path in moved.mention {
        context.out.line(format!("names `{from}/`: {path}"));
    }
    if args.dry_run {
        context.out.note("nothing was moved");
    } else {
        context.out.note(format!("next: git add -A :/{from} :/{to} && git commit -m \"Move the plans\"; branches of features under way need it too"));
    }
}
