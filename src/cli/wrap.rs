//! `gatewalk wrap`: archive the row, push the branch, open a pull request; each step confirmed.

use super::pr::{finished, request};
use super::unit_command::{Common, OpenFeature};
use super::{Context, labels};
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::engine::pull_request::PullRequest;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::layout;
use gatewalk_core::model::roadmap;
use gatewalk_core::model::status_machine::FeatureStatus;
use gatewalk_host::state_repository::{Repository, Selected};
use gatewalk_host::user_tool::{self, ToolOutput};
use serde_json::json;
use std::io::{BufRead, IsTerminal};

/// Arguments of `wrap`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gatewalk wrap --dry-run\n  gatewalk wrap FEAT-2026-0042 --yes"
)]
pub(crate) struct Args {
    /// Feature id, directory or path; the one that is done when absent
    feature: Option<String>,
    /// Do every step without asking
    #[arg(long, short = 'y')]
    yes: bool,
    /// Show the steps; do none of them
    #[arg(long)]
    dry_run: bool,
    /// Where the branch is pushed
    #[arg(long, default_value = "origin", value_name = "NAME")]
    remote: String,
    /// The branch the pull request goes into; the remote's default when absent
    #[arg(long, value_name = "BRANCH")]
    base: Option<String>,
    /// Open it as a draft
    #[arg(long)]
    draft: bool,
    /// Print what was done as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let repository = Repository::open(&context.cwd)?;
    let selected = finished(&repository, args.feature.as_deref())?;
    let feature = selected.feature();
    let name = feature.name();
    if feature.plan.status() != FeatureStatus::Done {
        return Err(Error::plan(format!(
            "{name} is {}: only what is done is wrapped",
            feature.plan.status()
        ))
        .hint("`gatewalk status` says what is next"));
    }
    let request = request(context, &repository, &selected)?;
    let archive = archived(&selected);
    let base = args
        .base
        .as_ref()
        .map_or("its default branch", String::as_str);
    let steps = [
        archive.is_some().then(|| {
            format!(
                "archive the row of {name} in the roadmap, one commit on `{}`",
                selected.branch
            )
        }),
        Some(format!("git push {} {}", args.remote, selected.branch)),
        Some(format!(
            "open a pull request of `{}` into {base}: {}",
            selected.branch, request.title
        )),
    ];
    if args.dry_run && args.json {
        let steps: Vec<&String> = steps.iter().flatten().collect();
        context
            .out
            .json(&json!({"feature": name, "branch": selected.branch, "would": steps}));
        return Ok(Exit::Success);
    }
    if args.dry_run {
        for step in steps.iter().flatten() {
            context.out.line(format!("would {step}"));
        }
        context.out.note("nothing was done");
        return Ok(Exit::Success);
    }
    if !args.yes && !std::io::stdin().is_terminal() {
        return Err(
            Error::usage("every step is confirmed, and nobody is there to confirm")
                .hint("`--yes` does them all; `--dry-run` shows them"),
        );
    }
    refuse_no_remote(args, context, &repository)?;
    if let Some(step) = &steps[0]
        && confirmed(args, context, step)?
    {
        archive_row(context, &name)?;
    }
    let mut pushed = false;
    if let Some(step) = &steps[1]
        && confirmed(args, context, step)?
    {
        push(args, context, &repository, &selected)?;
        pushed = true;
    }
    let mut url = None;
    if let Some(step) = &steps[2]
        && confirmed(args, context, step)?
    {
        url = Some(open(args, context, &repository, &selected, &request)?);
        labels::sync(context, &repository, feature);
    }
    if args.json {
        context.out.json(&json!({"feature": name, "branch": selected.branch, "pushed": pushed, "pull_request": url}));
    } else {
        context.out.line(match &url {
            Some(url) => format!("{name} is wrapped: {url}"),
            None => format!("{name}: no pull request was opened"),
        });
    }
    Ok(Exit::Success)
}

fn confirmed(args: &Args, context: &Context, step: &str) -> Result<bool> {
    if args.yes {
        context.out.note(step);
        return Ok(true);
    }
    context.out.note(format!("{step}? [y/N]"));
    let mut line = String::new();
    std::io::stdin()
        .lock()
        .read_line(&mut line)
        .map_err(|e| Error::environment(format!("cannot read the answer: {e}")))?;
    Ok(matches!(line.trim(), "y" | "Y" | "yes"))
}

/// Returns the roadmap with the feature's row archived, unless it is already.
fn archived(selected: &Selected) -> Option<String> {
    let text = selected
        .workspace
        .roadmap
        .as_ref()
        .map(|b| String::from_utf8_lossy(b).into_owned())?;
    roadmap::archive(&text, selected.feature().plan.id.as_ref()?.as_str())
}

fn archive_row(context: &Context, name: &str) -> Result<()> {
    let common = Common {
        feature: Some(name.to_owned()),
        commit_plan: false,
        json: false,
    };
    let mut desk = OpenFeature::open(context, &common, None)?;
    let path = desk.repository.layout.path(layout::ROADMAP);
    desk.commit_in(&format!("Archive {name} in the roadmap\n"), |workspace| {
        let text = workspace
            .roadmap
            .as_ref()
            .map(|b| String::from_utf8_lossy(b).into_owned());
        let new = text.and_then(|t| roadmap::archive(&t, name));
        let new =
            new.ok_or_else(|| Error::plan(format!("the roadmap has no row of {name} to archive")))?;
        Ok(vec![(path.clone(), new)])
    })?;
    Ok(())
}

fn call(
    context: &Context,
    repository: &Repository,
    program: &str,
    args: &[&str],
    input: &str,
) -> Result<ToolOutput> {
    let host = context.host()?;
    user_tool::run(&user_tool::ToolCommand {
        program,
        args,
        input,
        cwd: repository.git.work_tree(),
        env: &host.env,
    })
}

/// Refuses before the first step what the second could not do.
fn refuse_no_remote(args: &Args, context: &Context, repository: &Repository) -> Result<()> {
    if args.remote.starts_with('-') {
        return Err(Error::usage(format!(
            "`{}` is not the name of a remote",
            args.remote
        )));
    }
    let is_address = args.remote.contains(['/', ':']);
    if is_address {
        return Ok(());
    }
    let known = call(
        context,
        repository,
        "git",
        &["remote", "get-url", &args.remote],
        "",
    )?;
    known.ok("git remote get-url").map(drop).map_err(|_| {
        Error::environment(format!("there is no remote `{}`", sanitize(&args.remote)))
            .hint("`git remote add` makes one; `--remote NAME` takes another; nothing was done")
    })
}

fn push(
    args: &Args,
    context: &Context,
    repository: &Repository,
    selected: &Selected,
) -> Result<()> {
    let spec = format!("refs/heads/{0}:refs/heads/{0}", selected.branch);
    // No `--set-upstream`: the repository's configuration is the user's.
    let answer = call(
        context,
        repository,
        "git",
        &["push", &args.remote, &spec],
        "",
    )?;
    answer
        .ok(&format!("git push {} {}", args.remote, selected.branch))
        .map(drop)
}

/// Opens the pull request, or brings the one that is open up to date; returns its address.
fn open(
    args: &Args,
    context: &Context,
    repository: &Repository,
    selected: &Selected,
    request: &PullRequest,
) -> Result<String> {
    let branch = selected.branch.as_str();
    let listed = call(
        context,
        repository,
        "gh",
        &[
            "pr",
            "list",
            "--head",
            branch,
            "--state",
            "open",
            "--json",
            "number,url",
        ],
        "",
    )?
    .ok("gh pr list")?;
    let open: serde_json::Value = serde_json::from_str(&listed)
        .map_err(|e| Error::environment(format!("gh did not answer with JSON: {e}")))?;
    if let (Some(number), Some(url)) = (open[0]["number"].as_u64(), open[0]["url"].as_str()) {
        let number = number.to_string();
        call(
            context,
            repository,
            "gh",
            &[
                "pr",
                "edit",
                &number,
                "--title",
                &request.title,
                "--body-file",
                "-",
            ],
            &request.body,
        )?
        .ok("gh pr edit")?;
        return Ok(sanitize(url));
    }
    let mut create = vec![
        "pr",
        "create",
        "--head",
        branch,
        "--title",
        &request.title,
        "--body-file",
        "-",
    ];
    if let Some(base) = &args.base {
        create.extend(["--base", base.as_str()]);
    }
    if args.draft {
        create.push("--draft");
    }
    let said = call(context, repository, "gh", &create, &request.body)?.ok("gh pr create")?;
    let url = said
        .lines()
        .rev()
        .find(|l| l.contains("://"))
        .unwrap_or_else(|| said.trim());
    Ok(sanitize(url.trim()))
}
