//! `gatewalk pr`: the title and body that `wrap` gives a pull request.

use super::Context;
use super::idle_driver::ask_driver;
use super::unit_command::FeatureName;
use gatewalk_core::engine::pull_request::{self, PullRequest};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::status_machine::FeatureStatus;
use gatewalk_host::state_repository::{Repository, Selected};
use serde_json::json;

#[derive(clap::Args)]
#[command(after_help = "Example:\n  gatewalk pr FEAT-2026-0042 > body.md")]
pub(crate) struct Args {
    #[command(flatten)]
    feature: FeatureName,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let repository = Repository::open(&context.cwd)?;
    let selected = finished(&repository, args.feature.get())?;
    let request = request(context, &repository, &selected)?;
    if args.json {
        context.out.json(&json!({"feature": selected.feature().name(), "branch": selected.branch, "title": request.title, "body": request.body}));
    } else {
        context.out.note(format!("title: {}", request.title));
        context.out.raw(&request.body);
    }
    Ok(Exit::Success)
}

/// Without a name: the feature whose branch is checked out, else the only one done, else the active one.
pub(crate) fn finished(repository: &Repository, name: Option<&str>) -> Result<Selected> {
    if name.is_some() {
        return repository.select(name);
    }
    let mut all = repository.features()?;
    let here = repository
        .head
        .branch
        .as_deref()
        .map(|b| b.trim_start_matches("refs/heads/").to_owned());
    if let Some(at) = all.iter().position(|f| Some(&f.branch) == here.as_ref()) {
        return Ok(all.remove(at));
    }
    let done: Vec<usize> = (0..all.len())
        .filter(|i| all[*i].feature().plan.status() == FeatureStatus::Done)
        .collect();
    match done[..] {
        [one] => Ok(all.remove(one)),
        [] => repository.select(None),
        _ => {
            let names: Vec<String> = done.iter().map(|i| all[*i].feature().name()).collect();
            Err(
                Error::plan(format!("several features are done: {}", names.join(", ")))
                    .hint("say which"),
            )
        }
    }
}

/// Returns the pull request of a feature, with what its requirements' checks are known to say.
pub(crate) fn request(
    context: &Context,
    repository: &Repository,
    selected: &Selected,
) -> Result<PullRequest> {
    let tip = selected.commit;
    ask_driver(context, repository, selected, |driver| {
        driver.snapshot_at(&tip)?;
        let coverage = driver.coverage_at(&tip)?;
        Ok(pull_request::of_feature(
            selected.feature(),
            &selected.workspace.verification,
            &coverage,
        ))
    })
}
