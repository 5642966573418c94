//! `gatewalk init`: write the state directory for the repository's build tools.

use super::{Context, writes};
use crate::effects::git::Git;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::scaffold::{init, stack};

/// Arguments of `init`.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  gatewalk init --dry-run")]
pub(crate) struct Args {
    /// Show what would be written; write nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let git = Git::discover(&context.cwd)?;
    let root = git.work_tree().to_path_buf();
    let entries = std::fs::read_dir(&root).map_err(|e| Error::io("read", &root, &e))?;
    let mut listing: Vec<String> = entries
        .filter_map(|e| e.ok()?.file_name().into_string().ok())
        .collect();
    listing.sort();
    init::check_fresh(&listing)?;
    let read = |name: &str| std::fs::read_to_string(root.join(name)).ok();
    let stack = stack::detect(&read, &listing);
    let gitignore = read(".gitignore");
    let planned = init::plan(&init::Inputs {
        stack: &stack,
        gitignore: gitignore.as_deref(),
        version: env!("CARGO_PKG_VERSION"),
    });
    writes::write(context, &root, &planned, args.dry_run)?;
    let found = if stack.kinds.is_empty() {
        "no build tool".to_owned()
    } else {
        stack.kinds.join(", ")
    };
    context.out.note(format!("found {found}"));
    if stack.code.is_empty() {
        context.out.note("no test command was found: fill in `.gatewalk/verification.yml`, nothing can be proven without one");
    }
    context
        .out
        .note("next: read .gatewalk/verification.yml, then gatewalk new feature \"TITLE\"");
    Ok(Exit::Success)
}
