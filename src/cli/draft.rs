//! `gatewalk draft`: a feature from a sentence, a spec or an issue; the linter judges, a user arms.

mod new_branch;
mod prepared_feature;
mod source;

use super::run_guards::{Locks, agent_or_refuse, end_leftovers, guarded_family};
use super::watch::Printer;
use super::{Context, labels};
use gatewalk_core::agents::chain_of_word;
use gatewalk_core::driver::drafting::{self, DraftAssignment, Drafted, FeatureTask};
use gatewalk_core::engine::events;
use gatewalk_core::engine::evidence::{counted, sanitize};
use gatewalk_core::engine::model_selection::{ChainLink, DEFAULT_AGENT};
use gatewalk_core::engine::trailers::{self, Trailer};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::edit::FileEdits;
use gatewalk_core::model::layout;
use gatewalk_core::model::workspace::Workspace;
use gatewalk_host::os::Os;
use gatewalk_host::signals;
use gatewalk_host::state_repository::Repository;
pub(super) use new_branch::{NewBranch, put_on_branch};
pub(super) use prepared_feature::{DraftPlace, as_files};
use prepared_feature::{PreparedFeature, prepare};
use serde_json::json;
use source::DraftRequest;
pub(super) use source::{checked, issue_text};
use std::sync::Arc;

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gatewalk draft \"Users can export their orders as CSV\"\n  gatewalk draft --spec docs/export.md\n  gatewalk draft --from-issue acme/shop#812"
)]
pub(crate) struct Args {
    /// What is wanted, in a sentence or more
    #[arg(required_unless_present_any = ["spec", "from_issue"])]
    sentence: Option<String>,
    /// Draft from this file
    #[arg(long, value_name = "FILE", conflicts_with = "from_issue")]
    spec: Option<std::path::PathBuf>,
    /// Draft from an issue, read through the `gh` command, and adopt it
    #[arg(long, value_name = "OWNER/REPO#N")]
    from_issue: Option<String>,
    /// What the feature is called; taken from the text when absent
    #[arg(long)]
    title: Option<String>,
    /// Use this agent: a name, `NAME:MODEL`, `command:PROGRAM ARGS` or `script:PATH`; a chain with commas
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// How many sessions there may be until the linter is satisfied
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10))]
    max_attempts: u32,
    /// Show what the session would be given; write nothing and start nothing
    #[arg(long)]
    dry_run: bool,
    /// Print what was done as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let repository = Repository::open(&context.cwd)?;
    let wanted = source::read(args, context)?;
    let prepared = prepare(args, context, &repository, &wanted)?;
    if args.dry_run {
        show(args, context, &prepared.place);
        return Ok(Exit::Success);
    }
    run_sessions(args, context, &repository, (&prepared, &wanted))
}

fn run_sessions(
    args: &Args,
    context: &Context,
    repository: &Repository,
    (prepared, wanted): (&PreparedFeature, &DraftRequest),
) -> Result<Exit> {
    let workspace = Arc::new(repository.workspace_at(repository.commit)?);
    let chain = chain(args.agent.as_deref(), &workspace);
    let host = context.host()?;
    if let Some(agent) = &args.agent {
        agent_or_refuse(agent, &host)?;
    }
    let _locks = Locks::take(repository, &prepared.place.selected(repository))?;
    let family_path = end_leftovers(context, repository);
    let (family, _watchdog) = guarded_family(context, repository, &host, &family_path)?;
    let stop = signals::install()?;
    let watcher = Printer::new(context.out.clone(), false);
    let machine = Os::new(&repository.git, host, &watcher)?.for_run(stop.clone(), family);
    machine.require_isolation(workspace.config.sandbox())?;
    let task = FeatureTask {
        assignment: DraftAssignment {
            base: repository.commit,
            id: &prepared.place.id,
            dir: &prepared.place.dir,
            branch: &prepared.place.branch,
            source: &wanted.source,
            chain: &chain,
            by_user: args.agent.is_some(),
            max_attempts: args.max_attempts,
        },
        layout: repository.layout,
        prepared: &prepared.place.files,
    };
    match drafting::run(&machine, &watcher, &task)? {
        Drafted::Ready {
            draft: files,
            attempts,
            cost_usd,
        } => {
            let files = with_event(files, prepared, (attempts, cost_usd));
            commit(context, (repository, &machine), prepared, files)?;
            landed(args, context, &prepared.place, wanted.issue.is_some())
        }
        Drafted::Refused { findings, kept } => {
            Ok(refused(context, &prepared.place.id, &findings, &kept))
        }
        Drafted::NoAgent(why) => Err(no_agent(&why)),
        Drafted::Interrupted => Ok(stop.exit().unwrap_or(Exit::Interrupted)),
    }
}

fn no_agent(why: &str) -> Error {
    Error::environment(format!("no agent can draft: {}", sanitize(why)))
        .hint("`gatewalk new feature \"TITLE\"` gives the same shape by hand")
}

/// Returns the message of the commit that lands a draft.
fn message(prepared: &PreparedFeature) -> String {
    trailers::message(
        &format!("Draft {}", prepared.place.id),
        &format!("From {}; nothing is armed.", sanitize(&prepared.source)),
        &[(Trailer::Drafted, &prepared.place.id)],
    )
}

/// What a dry run prints.
fn show(args: &Args, context: &Context, prepared: &DraftPlace) {
    let paths = prepared.files.iter().map(|(path, _)| path);
    if args.json {
        let files: Vec<&String> = paths.collect();
        context
            .out
            .json(&json!({"feature": prepared.id, "branch": prepared.branch, "files": files}));
        return;
    }
    for path in paths {
        context.out.line(format!("would prepare {path}"));
    }
    context
        .out
        .note("nothing was written and nothing was started");
}

fn refused(context: &Context, id: &str, findings: &[String], kept: &str) -> Exit {
    let out = &context.out;
    out.note(format!("no draft of {id} passed"));
    for finding in findings {
        out.note(format!("  {}", sanitize(finding)));
    }
    out.note(format!(
        "what was left is kept under {kept}: git show --stat {kept}"
    ));
    out.note("next: say more in the text, or write the plan by hand: gatewalk new feature");
    Exit::NeedsHuman
}

fn landed(args: &Args, context: &Context, prepared: &DraftPlace, adopted: bool) -> Result<Exit> {
    let repository = Repository::open(&context.cwd)?;
    let selected = repository.select(Some(&prepared.id))?;
    let feature = selected.feature();
    if adopted {
        labels::sync(context, &repository, feature);
    }
    let units: Vec<&str> = feature
        .members()
        .map(|m| m.node.id.value.as_str())
        .collect();
    if args.json {
        context.out.json(&json!({
            "feature": prepared.id, "branch": prepared.branch, "commit": selected.commit,
            "gates": feature.plan.gates.len(), "units": units,
        }));
    } else {
        context.out.line(format!(
            "{} is drafted: {}, {} ({})",
            prepared.id,
            counted(feature.plan.gates.len(), "gate"),
            counted(units.len(), "unit"),
            selected.commit.short()
        ));
        context.out.note(format!(
            "next: gatewalk review {}, then gatewalk arm {}",
            prepared.id, prepared.id
        ));
    }
    Ok(Exit::Success)
}

/// Returns the agents that draft: the one named, else those of the settings.
pub(super) fn chain(named: Option<&str>, workspace: &Workspace) -> Vec<ChainLink> {
    let link = |agent: &str, model: Option<&str>| ChainLink {
        agent: agent.to_owned(),
        model: model.map(str::to_owned),
        ..ChainLink::default()
    };
    if let Some(word) = named {
        let chain = chain_of_word(word).into_iter();
        return chain.map(|(agent, model)| link(agent, model)).collect();
    }
    let configured = workspace.config.front.agent.iter();
    let configured = configured.flat_map(|list| &list.value.0);
    let configured: Vec<ChainLink> = configured
        .map(|entry| ChainLink {
            effort: entry.value.effort,
            ..link(&entry.value.agent, entry.value.model.as_deref())
        })
        .collect();
    if configured.is_empty() {
        vec![link(DEFAULT_AGENT, None)]
    } else {
        configured
    }
}

fn with_event(
    mut files: FileEdits,
    prepared: &PreparedFeature,
    (attempts, cost_usd): (u32, Option<f64>),
) -> FileEdits {
    let now = jiff::Timestamp::now().to_string();
    let payload = json!({"source": prepared.source, "attempts": attempts, "cost_usd": cost_usd});
    let event = events::verb(&prepared.place.id, &now, "feature_drafted", payload);
    files.push((
        format!("{}/{}", prepared.place.dir, layout::EVENTS),
        events::append("", &[event]),
    ));
    files
}

/// Commits a draft that passed.
fn commit(
    context: &Context,
    place: (&Repository, &Os<'_>),
    prepared: &PreparedFeature,
    files: FileEdits,
) -> Result<()> {
    let branch = NewBranch {
        name: &prepared.place.branch,
        message: &message(prepared),
    };
    put_on_branch(context, place, &branch, files)
}
