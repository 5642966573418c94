//! `gatewalk init`: write the state directory for the repository's build tools.

mod stack_trial;

use super::{Context, write_files};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::layout::Layout;
use gatewalk_core::scaffold::stack::{self, RepositoryFiles, Stack};
use gatewalk_core::scaffold::{Write, agent_instructions, initial_files};
use gatewalk_host::git::Git;
use std::io::{BufRead, IsTerminal};
use std::path::Path;

#[derive(clap::Args)]
#[command(after_help = "Examples:\n  gatewalk init --dry-run\n  gatewalk init --try")]
pub(crate) struct Args {
    /// Show what would be written; write nothing
    #[arg(long)]
    dry_run: bool,
    /// Run each proposed command once, on what is committed, and write what passed; asked on a terminal
    #[arg(long = "try", visible_alias = "yes", conflicts_with = "no_try")]
    try_commands: bool,
    /// Do not offer to run anything
    #[arg(long)]
    no_try: bool,
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
    let stack = proposed(args, context, &git, &listing)?;
    let gitignore = std::fs::read_to_string(root.join(".gitignore")).ok();
    let mut planned = initial_files::plan(&initial_files::InitInput {
        stack: &stack,
        gitignore: gitignore.as_deref(),
        version: env!("CARGO_PKG_VERSION"),
    });
    planned.extend(notes);
    // The state directory last: where it is, this has been done.
    planned.sort_by_key(|write| write.path.starts_with(initial_files::STATE_DIR));
    write_files::write(context, &root, &planned, args.dry_run)?;
    print_found(context, &stack);
    Ok(Exit::Success)
}

/// Says what was found, what of it cannot be proven, and what comes next.
fn print_found(context: &Context, stack: &Stack) {
    let found = if stack.kinds.is_empty() {
        "no build tool".to_owned()
    } else {
        stack.kinds.join(", ")
    };
    context.out.note(format!("found {found}"));
    if !stack.code.iter().any(|command| command.tests) {
        let what = match stack.suggested.iter().any(|command| command.tests) {
            true => "no test command was green",
            false => "no test command was found",
        };
        context.out.note(format!(
            "{what}: fill in `.gatewalk/verification.yml`, nothing can be proven without one"
        ));
    }
    context
        .out
        .note("next: read .gatewalk/verification.yml, then gatewalk new feature \"TITLE\"");
}

/// Returns the commands to write: what the repository's files call for, and if the user lets them
/// run, what passes of it.
fn proposed(args: &Args, context: &Context, git: &Git, listing: &[String]) -> Result<Stack> {
    let read = |name: &str| std::fs::read_to_string(git.work_tree().join(name)).ok();
    let paths = git.working_files()?;
    // A name that git cannot be asked about is not ignored: then it is neither linked nor kept.
    let is_ignored = |name: &str| git.ignores(name).unwrap_or(false);
    let [plain, installing] = [false, true].map(|installs| {
        stack::detect(&RepositoryFiles {
            read: &read,
            listing,
            paths: &paths,
            is_ignored: &is_ignored,
            installs,
        })
    });
    if plain.code.is_empty() && plain.suggested.is_empty() || args.dry_run || args.no_try {
        return Ok(plain);
    }
    let Some(commit) = git.head()?.commit else {
        if args.try_commands {
            context
                .out
                .note("nothing was tried: there is no commit yet");
        }
        return Ok(plain);
    };
    if !args.try_commands && !confirmed(context, &plain)? {
        return Ok(plain);
    }
    let mut stacks = vec![plain];
    if installing != stacks[0] {
        stacks.push(installing);
    }
    stack_trial::first_proven(context, git, commit, &stacks)
}

/// Asks whether the commands may run once; where nobody can answer, they may not.
fn confirmed(context: &Context, stack: &Stack) -> Result<bool> {
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        return Ok(false);
    }
    context
        .out
        .note("to verify work, these would run, confined, on copies of what is committed:");
    let commands = stack.code.iter().chain(&stack.suggested);
    for run in stack
        .setup
        .iter()
        .chain(commands.map(|command| &command.run))
    {
        context.out.note(format!("  {run}"));
    }
    context
        .out
        .note("run each once now, to write only what passes? [Y/n]");
    let mut line = String::new();
    std::io::stdin()
        .lock()
        .read_line(&mut line)
        .map_err(|e| Error::environment("cannot read the answer").with_source(e))?;
    Ok(matches!(line.trim(), "" | "y" | "Y" | "yes"))
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
