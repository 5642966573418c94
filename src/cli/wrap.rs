//! `gatewalk wrap`: archive the row, push the branch, open a pull request, or one a unit; each step confirmed.

mod forge_requests;
mod open_step;
mod unit_stack;
mod wrap_steps;

use self::wrap_steps::WrapSteps;
use super::pr::{finished, request};
use super::unit_command::{Common, FeatureName, OpenFeature};
use super::{Context, labels, push_remote};
use forge_requests::{ForgeRequests, KnownRequest, WantedRequest};
use gatewalk_core::engine::pull_request::{self, PullRequest};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::status_machine::FeatureStatus;
use gatewalk_core::model::{layout, roadmap};
use gatewalk_host::installed_programs;
use gatewalk_host::state_repository::{Repository, Selected};
use gatewalk_host::user_tool::{self, ToolOutput};
use serde_json::json;
use std::io::{BufRead, IsTerminal};
use unit_stack::StackedUnit;

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gatewalk wrap --dry-run\n  gatewalk wrap FEAT-2026-0042 --yes\n  gatewalk wrap --stack --base main"
)]
pub(crate) struct Args {
    #[command(flatten)]
    feature: FeatureName,
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
    /// Open a request for each unit's commit, each on the one before it, and the last for the rest
    #[arg(long)]
    stack: bool,
    /// Open it as a draft
    #[arg(long)]
    draft: bool,
    /// Print what was done as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let repository = Repository::open(&context.cwd)?;
    let selected = finished(&repository, args.feature.get())?;
    let feature = selected.feature();
    let name = feature.name();
    if feature.plan.status() != FeatureStatus::Done {
        return Err(Error::plan(format!(
            "{name} is {}: only a feature that is done can be wrapped",
            feature.plan.status()
        ))
        .hint("`gatewalk status` shows what is next"));
    }
    let wrap = Wrap {
        request: request(context, &repository, &selected)?,
        stack: match args.stack {
            true => unit_stack::of_feature(&repository, &selected)?,
            false => vec![],
        },
        args,
        context,
        repository: &repository,
        selected: &selected,
    };
    let steps = wrap.steps();
    if args.dry_run {
        return Ok(wrap.show(&steps));
    }
    if !args.yes && !std::io::stdin().is_terminal() {
        return Err(Error::usage(
            "every step needs your confirmation, and stdin is not a terminal",
        )
        .hint(format!(
            "`gatewalk wrap {name} --dry-run` shows the steps; `--yes` does them all"
        )));
    }
    wrap.carry_out(&steps)
}

/// A finished feature that is being wrapped.
struct Wrap<'a> {
    args: &'a Args,
    context: &'a Context,
    repository: &'a Repository,
    selected: &'a Selected,
    request: PullRequest,
    /// The commits that get requests of their own, the oldest first.
    stack: Vec<StackedUnit>,
}

impl Wrap<'_> {
    /// Takes the steps that the user confirms.
    fn carry_out(&self, steps: &WrapSteps) -> Result<Exit> {
        let (args, context, wrap) = (self.args, self.context, self);
        let (feature, selected) = (self.selected.feature(), self.selected);
        let name = feature.name();
        wrap.refuse_no_remote()?;
        // Asked before anything is pushed: whether `gh` is there, logged in, and knows the repository.
        let forge = wrap.forge()?;
        let branches = wrap.pushed();
        let known = branches.iter().map(|branch| forge.of_branch(branch));
        let known = known.collect::<Result<Vec<_>>>()?;
        if let Some(step) = &steps.archive
            && confirmed(args, context, step)?
        {
            archive_row(context, &name)?;
        }
        let pushed = confirmed(args, context, &steps.push)?;
        if pushed {
            wrap.push()?;
        }
        let mut urls = Vec::new();
        if confirmed(args, context, &wrap.open_step(Some(&known)))? {
            urls = wrap.open(&forge, &known)?;
            labels::sync(context, self.repository, feature);
        }
        if args.json {
            context.out.json(&json!({"feature": name, "branch": selected.branch, "pushed": pushed, "pull_request": urls.last(), "pull_requests": urls}));
        } else {
            context.out.line(match urls.is_empty() {
                false => format!("{name} is wrapped: {}", urls.join(" ")),
                true => format!("{name}: no pull request was opened"),
            });
        }
        Ok(Exit::Success)
    }
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
        .map_err(|e| Error::environment("cannot read the answer").with_source(e))?;
    Ok(matches!(line.trim(), "y" | "Y" | "yes"))
}

fn archive_row(context: &Context, name: &str) -> Result<()> {
    let common = Common {
        feature: Some(name.to_owned()),
        commit_plan: false,
        json: false,
    };
    let mut opened = OpenFeature::open(context, &common, None)?;
    let path = opened.repository.layout.path(layout::ROADMAP);
    opened.commit_in(&format!("Archive {name} in the roadmap\n"), |workspace| {
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

impl Wrap<'_> {
    fn call(&self, program: &str, args: &[&str], input: &str) -> Result<ToolOutput> {
        user_tool::run(&user_tool::ToolCommand {
            program,
            args,
            input,
            cwd: self.repository.git.work_tree(),
            env: &self.context.host()?.env,
        })
    }

    /// Refuses before the first step what the second could not do.
    fn refuse_no_remote(&self) -> Result<()> {
        push_remote::refuse_unknown(&self.args.remote, self.context, self.repository)
    }

    /// Refuses where the program that opens pull requests is not installed; it is not started.
    fn refuse_no_gh(&self) -> Result<()> {
        let host = self.context.host()?;
        match installed_programs::find("gh", &host.env, &host.cwd) {
            Some(_) => Ok(()),
            None => Err(Error::environment("`gh` is not installed")
                .hint("install it from https://cli.github.com and log in: gh auth login")),
        }
    }

    /// Returns the branches that are pushed.
    fn pushed(&self) -> Vec<&str> {
        let units = self.stack.iter().map(|unit| unit.branch.as_str());
        units.chain([self.selected.branch.as_str()]).collect()
    }

    fn push(&self) -> Result<()> {
        let (remote, branch) = (&self.args.remote, &self.selected.branch);
        let units = self.stack.iter();
        let mut specs: Vec<String> = units
            .map(|unit| format!("{}:refs/heads/{}", unit.commit, unit.branch))
            .collect();
        specs.push(format!("refs/heads/{branch}:refs/heads/{branch}"));
        // No `--set-upstream`: the repository's configuration is the user's.
        let mut words = vec!["push", remote];
        words.extend(specs.iter().map(String::as_str));
        let answer = self.call("git", &words, "")?;
        answer
            .ok(&format!("git push {remote} {}", self.pushed().join(" ")))
            .map(drop)
    }

    fn forge(&self) -> Result<ForgeRequests<'_>> {
        Ok(ForgeRequests {
            cwd: self.repository.git.work_tree(),
            env: self.context.host()?.env,
            draft: self.args.draft,
        })
    }

    /// Opens the pull requests, or updates those that are open; returns their addresses, the last one's last.
    fn open(&self, forge: &ForgeRequests<'_>, known: &[KnownRequest]) -> Result<Vec<String>> {
        let mut below = self.args.base.as_deref();
        let mut urls = Vec::new();
        for (place, unit) in self.stack.iter().enumerate() {
            let stands = (place + 1, self.stack.len() + 1);
            let text = pull_request::of_unit(self.selected.feature(), &unit.unit, stands);
            let wanted = WantedRequest {
                head: &unit.branch,
                base: below,
                text: &text,
            };
            if known[place] == KnownRequest::Merged {
                continue;
            }
            urls.push(forge.open(&wanted, &known[place])?);
            below = Some(&unit.branch);
        }
        let wanted = WantedRequest {
            head: &self.selected.branch,
            base: below,
            text: &self.request,
        };
        urls.push(forge.open(&wanted, &known[self.stack.len()])?);
        Ok(urls)
    }
}
