//! `gatewalk init`: write the state directory for the repository's build tools, and lead through a first run.

mod agent_files;
mod guide;
mod stack_trial;
mod terminal_questions;

use super::{Context, missing_state_dir, write_files};
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::engine::protected;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::layout::Layout;
use gatewalk_core::scaffold::stack::{self, RepositoryFiles, Stack};
use gatewalk_core::scaffold::{Write, WriteMode, initial_files};
use gatewalk_host::git::{Git, GitPath};
use gatewalk_host::plan_commit_way;
use std::path::Path;
use terminal_questions::Questions;

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gatewalk init --dry-run\n  gatewalk init --try\n  gatewalk init --try --default-agent claude --feature \"Orders can be exported as CSV\""
)]
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
    /// Also describe the plans to this interactive agent, in the file it reads, and give it the skills: `claude`, `codex`, …
    #[arg(long, value_name = "NAME", num_args = 1.., value_delimiter = ',')]
    agent: Vec<String>,
    #[command(flatten)]
    guide: guide::GuideArgs,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let git = Git::discover(&context.cwd)?;
    let root = git.work_tree().to_path_buf();
    let listing = listing(&root)?;
    let layout = Layout::ALL
        .into_iter()
        .find(|layout| listing.iter().any(|entry| entry == layout.dir()));
    let state_dir = layout.unwrap_or(Layout::Gatewalk).dir();
    let mut files = agent_files::plan(&args.agent, &root, state_dir)?;
    report_kept(context, &files.kept);
    let only_describes = !args.try_commands && !args.guide.asks_for_more();
    if layout.is_some() && !args.agent.is_empty() && only_describes {
        write_files::write(context, &root, &files.writes, args.dry_run)?;
        if files.writes.is_empty() {
            context.out.note("they know already");
        }
        return Ok(Exit::Success);
    }
    if root.join(state_dir).is_symlink() {
        return Err(plan_commit_way::behind_link(state_dir).hint("nothing was written"));
    }
    if !lacks_oracle(&git, layout)? {
        initial_files::check_fresh(&listing)?;
    }
    if let Some(error) = missing_state_dir::left_out(&git) {
        return Err(error);
    }
    guide::check_options(&args.guide, context)?;
    let questions = Questions::new(context, args.guide.no_input);
    let stack = proposed(args, &git, &listing, &questions)?;
    let first_run = guide::choose(&args.guide, context, &questions, args.dry_run)?;
    if questions.are_left() {
        return Ok(cancelled(context));
    }
    let mut by_hand = first_run.by_hand.iter();
    if let Some(agent) = by_hand.find(|name| !args.agent.contains(name)) {
        let agents = [args.agent.as_slice(), std::slice::from_ref(agent)].concat();
        files = agent_files::plan(&agents, &root, state_dir)?;
    }
    let planned = planned_files(&root, (&stack, first_run.agent.as_deref()), files.writes);
    write_files::write(context, &root, &planned, args.dry_run)?;
    report_stack(context, &stack, &git.working_files()?);
    let next = first_run.finish(context, &root, args.dry_run)?;
    context.out.note(next);
    Ok(Exit::Success)
}

/// Returns what is written below a root: of the state directory what is not there yet, and what agents read.
fn planned_files(
    root: &Path,
    (stack, agent): (&Stack, Option<&str>),
    of_agents: Vec<Write>,
) -> Vec<Write> {
    let gitignore = std::fs::read_to_string(root.join(".gitignore")).ok();
    let mut planned = initial_files::plan(&initial_files::InitInput {
        stack,
        gitignore: gitignore.as_deref(),
        version: env!("CARGO_PKG_VERSION"),
        agent,
    });
    // What is there already of a state directory without an oracle stays as it is.
    planned.retain(|write| write.mode != WriteMode::Create || !root.join(&write.path).exists());
    planned.extend(of_agents);
    // The state directory last: where it is, this has been done.
    planned.sort_by_key(|write| write.path.starts_with(initial_files::STATE_DIR));
    planned
}

/// Ends a conversation that the user left before its last answer.
fn cancelled(context: &Context) -> Exit {
    let out = &context.out;
    out.note("the input ended before the last answer: nothing was written");
    out.note("  next: gatewalk init again, or gatewalk init --no-input, which asks nothing");
    Exit::Interrupted
}

/// Returns whether there is a state directory that only lacks the commands that decide, which a linter's finding sends
/// here for. Where they are committed, they are taken back instead.
fn lacks_oracle(git: &Git, layout: Option<Layout>) -> Result<bool> {
    let path = format!("{}/verification.yml", Layout::Gatewalk.dir());
    if layout != Some(Layout::Gatewalk) || git.work_tree().join(&path).exists() {
        return Ok(false);
    }
    let committed = match git.head()?.commit {
        Some(commit) => git.file_at(commit, &GitPath::from(path.as_str()))?,
        None => None,
    };
    match committed {
        None => Ok(true),
        Some(_) => Err(Error::plan(format!(
            "`{path}` is committed, and your checkout leaves it out"
        ))
        .hint(missing_state_dir::command_for(git, &path))
        .hint("nothing was written")),
    }
}

/// Names the skills that stay because the user edited them.
fn report_kept(context: &Context, kept: &[String]) {
    for path in kept {
        let note = format!("kept   {path} (edited; remove it to get the shipped text)");
        context.out.note(note);
    }
}

/// Returns the names at the root of the repository.
fn listing(root: &Path) -> Result<Vec<String>> {
    let entries = std::fs::read_dir(root).map_err(|e| Error::io("read", root, &e))?;
    let mut listing: Vec<String> = entries
        .filter_map(|e| e.ok()?.file_name().into_string().ok())
        .collect();
    listing.sort();
    Ok(listing)
}

/// Reports which build tools were found, and what is missing to prove anything.
fn report_stack(context: &Context, stack: &Stack, paths: &[String]) {
    let found = match stack.kinds.is_empty() {
        true => "no build tool".to_owned(),
        false => stack.kinds.join(", "),
    };
    context.out.note(format!("found {found}"));
    for sentence in &stack.unread {
        context.out.note(sanitize(sentence));
    }
    if stack.code.iter().any(|command| command.tests) {
        return;
    }
    let what = match stack.suggested.iter().any(|command| command.tests) {
        true => "no test command was green",
        false => "no test command was found",
    };
    // Packages are published without their tests.
    let bare = match paths.iter().any(|path| protected::is_test(path)) {
        true => "",
        false => ", and no file looks like a test",
    };
    context.out.note(format!(
        "{what}{bare}: fill in `.gatewalk/verification.yml`, nothing can be proven without one"
    ));
}

/// Returns the commands to write: what the repository's files call for, and if the user lets them
/// run, what passes of it.
fn proposed(
    args: &Args,
    git: &Git,
    listing: &[String],
    questions: &Questions<'_>,
) -> Result<Stack> {
    let context = questions.context();
    // A manifest that is no UTF-8 is named as one that cannot be read.
    let read = |name: &str| {
        let bytes = std::fs::read(git.work_tree().join(name)).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    };
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
    if !args.try_commands && !confirmed(questions, &plain)? {
        return Ok(plain);
    }
    let mut stacks = vec![plain];
    if installing != stacks[0] {
        stacks.push(installing);
    }
    stack_trial::first_proven(context, git, commit, &stacks)
}

/// Asks whether the commands may run once; where nobody can answer, they may not.
fn confirmed(questions: &Questions<'_>, stack: &Stack) -> Result<bool> {
    if !questions.asks() {
        return Ok(false);
    }
    let out = &questions.context().out;
    out.note("to verify work, these would run, confined, on copies of what is committed:");
    let commands = stack.code.iter().chain(&stack.suggested);
    for run in stack
        .setup
        .iter()
        .chain(commands.map(|command| &command.run))
    {
        out.note(format!("  {run}"));
    }
    questions.yes("run each once now, to write only what passes?", true)
}
