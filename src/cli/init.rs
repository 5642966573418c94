//! `gatewalk init`: write the state directory for the repository's build tools.

use super::{Context, write_files};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::layout::Layout;
use gatewalk_core::scaffold::{Write, agent_instructions, initial_files, stack};
use gatewalk_host::git::Git;
use std::path::Path;

#[derive(clap::Args)]
#[command(after_help = "Example:\n  gatewalk init --dry-run")]
pub(crate) struct Args {
    /// Show what would be written; write nothing
    #[arg(long)]
    dry_run: bool,
    /// Also describe the plans to this interactive agent, in the file it reads: `claude`, `codex`, …
    #[arg(long, value_name = "NAME", num_args = 1.., value_delimiter = ',')]
    agent: Vec<String>,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let git = Git::discover(&context.cwd)?;
    let root = git.work_tree().to_path_buf();
    let entries = std::fs::read_dir(&root).map_err(|e| Error::io("read", &root, &e))?;
    let mut listing: Vec<String> = entries
        .filter_map(|e| e.ok()?.file_name().into_string().ok())
        .collect();
    listing.sort();
    let notes = notes(args, &root, &listing)?;
    let there = Layout::ALL
        .into_iter()
        .any(|l| listing.iter().any(|e| e == l.dir()));
    if there && !args.agent.is_empty() {
        write_files::write(context, &root, &notes, args.dry_run)?;
        if notes.is_empty() {
            context.out.note("they know already");
        }
        return Ok(Exit::Success);
    }
    initial_files::check_fresh(&listing)?;
    let read = |name: &str| std::fs::read_to_string(root.join(name)).ok();
    let stack = stack::detect(&read, &listing);
    let gitignore = read(".gitignore");
    let mut planned = initial_files::plan(&initial_files::InitInput {
        stack: &stack,
        gitignore: gitignore.as_deref(),
        version: env!("CARGO_PKG_VERSION"),
    });
    planned.extend(notes);
    // The state directory last: where it is, this has been done.
    planned.sort_by_key(|write| write.path.starts_with(initial_files::STATE_DIR));
    write_files::write(context, &root, &planned, args.dry_run)?;
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

/// Returns the writes of the agents' files, one a file whatever agents share it.
fn notes(args: &Args, root: &Path, listing: &[String]) -> Result<Vec<Write>> {
    let layout = Layout::ALL
        .into_iter()
        .find(|l| listing.iter().any(|e| e == l.dir()))
        .unwrap_or(Layout::Gatewalk);
    let mut files: Vec<&str> = Vec::new();
    for agent in &args.agent {
        let file = agent_instructions::file_of(agent).ok_or_else(|| {
            Error::usage(format!("no file is known that `{agent}` reads")).hint(format!(
                "known: {}",
                agent_instructions::agents().join(", ")
            ))
        })?;
        if !files.contains(&file) {
            files.push(file);
        }
    }
    let mut writes = Vec::new();
    for file in files {
        let path = root.join(file);
        let old = match std::fs::read_to_string(&path) {
            Ok(text) => Some(text),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => None,
            Err(e) => return Err(Error::io("read", &path, &e)),
        };
        let Some(new) = agent_instructions::with_block(old.as_deref(), layout.dir()) else {
            continue;
        };
        writes.push(match old {
            Some(_) => Write::replace(file, new),
            None => Write::create(file, new),
        });
    }
    Ok(writes)
}
