//! `gatewalk fix`: a bug as the smallest plan there is: one unit, with a check that is red today.

use super::Context;
use super::draft::{self, DraftPlace, NewBranch, issue_text};
use super::new::OnDisk;
use super::run_guards::{Locks, agent_or_refuse, end_leftovers, guarded_family};
use super::watch::Printer;
use gatewalk_core::driver::check_drafting::{self, CheckTask, CheckTrial};
use gatewalk_core::driver::drafting::{DraftAssignment, Drafted};
use gatewalk_core::engine::bookkeeping::{Arming, Books};
use gatewalk_core::engine::check_draft::NAME;
use gatewalk_core::engine::events;
use gatewalk_core::engine::evidence::{one_line, sanitize};
use gatewalk_core::engine::feature_draft::{DraftSource, title_of};
use gatewalk_core::engine::trailers::{self, Trailer};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::edit;
use gatewalk_core::model::workspace::Workspace;
use gatewalk_core::scaffold::plan_outline::{OutlinedCheck, PlanOutline, UnitOutline};
use gatewalk_host::os::Os;
use gatewalk_host::signals;
use gatewalk_host::state_repository::Repository;
use serde_json::json;
use std::sync::Arc;

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gatewalk fix \"The total is wrong for an empty cart\" --check \"sh tests/empty_cart.sh\"\n  gatewalk fix \"The total is wrong for an empty cart\" --agent claude\n  gatewalk fix --issue 812"
)]
pub(crate) struct Args {
    /// What is wrong, in a sentence or more
    #[arg(required_unless_present = "issue")]
    sentence: Option<String>,
    /// Read what is wrong from an issue through the `gh` command
    #[arg(long, value_name = "N|OWNER/REPO#N")]
    issue: Option<String>,
    /// A command that fails today because of the bug; without one, a session drafts it
    #[arg(long, value_name = "COMMAND")]
    check: Option<String>,
    /// Globs that the repair stays inside
    #[arg(long, value_name = "GLOB", num_args = 1.., value_delimiter = ',')]
    touches: Vec<String>,
    /// What the feature is called; taken from the text when absent
    #[arg(long)]
    title: Option<String>,
    /// Let this agent draft the check: a name, `NAME:MODEL`, `command:PROGRAM ARGS` or `script:PATH`; a chain with commas
    #[arg(long, value_name = "NAME", conflicts_with = "check")]
    agent: Option<String>,
    /// How many sessions there may be until a check shows the bug
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10))]
    max_attempts: u32,
    /// Show what would be written; write nothing and run nothing
    #[arg(long)]
    dry_run: bool,
    /// Print what was done as JSON
    #[arg(long)]
    json: bool,
}

/// What is wrong, and what is called after it.
struct Bug {
    source: DraftSource,
    title: String,
    /// The issue as `owner/repo#1`.
    issue: Option<String>,
}

/// A check that is red today, and who wrote it.
struct FoundCheck {
    run: String,
    by_session: bool,
    attempts: u32,
    cost_usd: Option<f64>,
}

/// One repair that is planned, and where.
struct BugFix<'a> {
    args: &'a Args,
    context: &'a Context,
    repository: &'a Repository,
    disk: &'a OnDisk,
    bug: &'a Bug,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let repository = Repository::open(&context.cwd)?;
    let bug = bug(args, context)?;
    let disk = OnDisk::open(context)?;
    let place = DraftPlace::of(
        &disk.outlined(context, &outline(args, &bug, None))?,
        &repository,
    )?;
    if args.dry_run {
        let paths = place.files.iter().map(|(path, _)| path);
        paths.for_each(|path| context.out.line(format!("would prepare {path}")));
        context.out.note("nothing was written and nothing was run");
        return Ok(Exit::Success);
    }
    let fix = BugFix {
        args,
        context,
        repository: &repository,
        disk: &disk,
        bug: &bug,
    };
    fix.run(&place)
}

impl BugFix<'_> {
    /// Finds a check that is red today and plans the repair on it.
    fn run(&self, place: &DraftPlace) -> Result<Exit> {
        let (args, context, repository) = (self.args, self.context, self.repository);
        let workspace = Arc::new(repository.workspace_at(repository.commit)?);
        let host = context.host()?;
        if let Some(agent) = &args.agent {
            agent_or_refuse(agent, &host)?;
        }
        let chain = draft::chain(args.agent.as_deref(), &workspace);
        let _locks = Locks::take(repository, &place.selected(repository))?;
        let family_path = end_leftovers(context, repository);
        repository.git.identity()?;
        let (family, _watchdog) = guarded_family(context, repository, &host, &family_path)?;
        let stop = signals::install()?;
        let watcher = Printer::new(context.out.clone(), false);
        let machine = Os::new(&repository.git, host, &watcher)?.for_run(stop.clone(), family);
        machine.require_isolation(workspace.config.sandbox())?;
        let task = CheckTask {
            assignment: DraftAssignment {
                base: repository.commit,
                id: &place.id,
                dir: &place.dir,
                branch: &place.branch,
                source: &self.bug.source,
                chain: &chain,
                by_user: args.agent.is_some(),
                max_attempts: args.max_attempts,
            },
            workspace: &workspace,
        };
        let Some(check) = found_check(args, context, (&machine, &watcher), &task)? else {
            return Ok(match stop.exit() {
                Some(exit) => exit,
                None => Exit::NeedsHuman,
            });
        };
        watcher.finish();
        self.plan(&machine, &check)
    }

    fn plan(&self, machine: &Os<'_>, check: &FoundCheck) -> Result<Exit> {
        let (args, context, repository) = (self.args, self.context, self.repository);
        let outline = outline(args, self.bug, Some(check));
        // What is armed at once gets no guess at what it may touch.
        let writes = match check.by_session {
            true => self.disk.drafted(context, &outline)?,
            false => self.disk.outlined(context, &outline)?,
        };
        let mut place = DraftPlace::of(&writes, repository)?;
        finish(&mut place, repository, (self.bug, check))?;
        let message = trailers::message(
            &format!("Plan the fix of {}", place.id),
            &format!("From {}.", one_line(&self.bug.source.name)),
            &[(Trailer::Drafted, &place.id)],
        );
        let branch = NewBranch {
            name: &place.branch,
            message: &message,
        };
        draft::put_on_branch(context, (repository, machine), &branch, place.files.clone())?;
        print(args, context, (&place.id, &place.branch), check)?;
        Ok(Exit::Success)
    }
}

fn bug(args: &Args, context: &Context) -> Result<Bug> {
    let (name, text, issue) = match &args.issue {
        Some(issue) => {
            let read = issue_text(issue, context)?;
            let more = args.sentence.as_ref().map(|s| format!("\n{s}\n"));
            let text = read.text + &more.unwrap_or_default();
            (read.place.clone(), text, Some(read.place))
        }
        None => {
            let text = args.sentence.clone().unwrap_or_default();
            ("a sentence".to_owned(), text, None)
        }
    };
    let source = draft::checked(DraftSource { name, text })?;
    let title = args.title.clone();
    Ok(Bug {
        title: title.unwrap_or_else(|| title_of(&source.text)),
        source,
        issue,
    })
}

fn outline(args: &Args, bug: &Bug, check: Option<&FoundCheck>) -> PlanOutline {
    let check = check.map(|check| OutlinedCheck {
        name: NAME.to_owned(),
        run: check.run.clone(),
    });
    PlanOutline {
        title: bug.title.clone(),
        goal: format!("Fixed: {}", bug.title),
        source: bug.source.name.clone(),
        text: String::new(),
        units: vec![UnitOutline {
            title: bug.title.clone(),
            text: bug.source.text.clone(),
            criteria: vec![],
            check,
            after: vec![],
            touches: args.touches.clone(),
        }],
    }
}

fn useless(why: &str) -> Error {
    let mut lines = why.lines();
    let error = Error::plan(format!(
        "the check proves nothing: {}",
        sanitize(lines.next().unwrap_or_default())
    ));
    let shown: Vec<&str> = lines.take(20).collect();
    let error = match shown.is_empty() {
        true => error,
        false => error.hint(sanitize(&shown.join("\n"))),
    };
    error
        .hint("a check fails on today's code because of the bug, and passes once it is mended")
        .hint("nothing was written")
}

/// Returns a check that is red today: the user's, or what sessions drafted; nothing where there is none, which was said.
fn found_check(
    args: &Args,
    context: &Context,
    (machine, watcher): (&Os<'_>, &Printer),
    task: &CheckTask<'_>,
) -> Result<Option<FoundCheck>> {
    if let Some(run) = &args.check {
        return match check_drafting::try_check(machine, task, run)? {
            CheckTrial::Interrupted => Ok(None),
            CheckTrial::Red(_) => Ok(Some(FoundCheck {
                run: run.clone(),
                by_session: false,
                attempts: 0,
                cost_usd: None,
            })),
            CheckTrial::Useless(why) => Err(useless(&why)),
        };
    }
    match check_drafting::run(machine, watcher, task)? {
        Drafted::Ready {
            draft: run,
            attempts,
            cost_usd,
        } => Ok(Some(FoundCheck {
            run,
            by_session: true,
            attempts,
            cost_usd,
        })),
        Drafted::Refused { findings, kept } => {
            let out = &context.out;
            out.note("no session left a check that shows the bug");
            for finding in findings {
                out.note(format!("  {}", sanitize(&finding)));
            }
            out.note(format!(
                "what was left is kept under {kept}: git show --stat {kept}"
            ));
            out.note("next: write the check yourself: gatewalk fix \"…\" --check \"COMMAND\"");
            Ok(None)
        }
        Drafted::NoAgent(why) => Err(Error::environment(format!(
            "no agent can draft the check: {}",
            sanitize(&why)
        ))
        .hint("`--check \"COMMAND\"` names one without an agent")
        .hint("nothing was written")),
        Drafted::Interrupted => Ok(None),
    }
}

/// Names the issue, writes the check's origin down, and arms the unit where the user wrote the check.
fn finish(
    place: &mut DraftPlace,
    repository: &Repository,
    (bug, check): (&Bug, &FoundCheck),
) -> Result<()> {
    let plan = format!("{}/PLAN.md", place.dir);
    if let (Some(issue), Some(text)) = (&bug.issue, place.text_mut(&plan)) {
        *text = edit::set_scalar(text, "issue", issue)
            .map_err(|e| Error::plan(format!("cannot edit `{plan}`")).with_source(e))?;
    }
    let now = jiff::Timestamp::now().to_string();
    let drafted = events::verb(
        &place.id,
        &now,
        "feature_drafted",
        json!({"source": bug.source.name, "attempts": check.attempts, "cost_usd": check.cost_usd, "fix": true}),
    );
    place.log(&drafted);
    if check.by_session {
        return Ok(());
    }
    let workspace = Workspace::parse(repository.layout, &draft::as_files(&place.files));
    let feature = workspace.features.first();
    let feature = feature.ok_or_else(|| Error::internal("a feature that cannot be read"))?;
    let unit = format!("{}/T01", place.id);
    let armed = events::verb(
        &place.id,
        &now,
        "gate_armed",
        json!({"passed_gate": null, "units": [unit], "note": null}),
    );
    let books = Books {
        layout: repository.layout,
        feature,
        roadmap: workspace.roadmap.as_ref(),
        now: &now,
    };
    let arming = Arming {
        pass: None,
        units: &[unit],
        activate: true,
    };
    for (path, text) in books.arm(&arming, armed)? {
        place.put(path, text);
    }
    Ok(())
}

fn print(
    args: &Args,
    context: &Context,
    (id, branch): (&str, &str),
    check: &FoundCheck,
) -> Result<()> {
    let selected = Repository::open(&context.cwd)?.select(Some(id))?;
    let next = match check.by_session {
        true => format!("gatewalk arm {id}"),
        false => format!("gatewalk loop --feature {id}"),
    };
    if args.json {
        context.out.json(&json!({
            "feature": id, "branch": branch, "commit": selected.commit, "unit": format!("{id}/T01"),
            "check": check.run, "armed": !check.by_session, "next": next,
        }));
        return Ok(());
    }
    let commit = selected.commit.short();
    context.out.line(format!(
        "{id} is planned: one unit, whose check fails today ({commit})"
    ));
    if check.by_session {
        check
            .run
            .lines()
            .for_each(|line| context.out.line(format!("  {}", sanitize(line))));
        context
            .out
            .note("the check is a session's: read it before you arm it");
    }
    context.out.note(format!("next: {next}"));
    Ok(())
}
