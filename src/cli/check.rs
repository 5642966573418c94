//! `gatewalk check`: the declared commands on the checkout or any commit, as the loop would run them.

use super::attempts::judgement_lines;
use super::hand_source::HandSource;
use super::rerun::recheck_locks;
use super::unit_command::OpenFeature;
use super::watch::Printer;
use super::{Context, edits_in_effect, plan_check};
use crate::report::junit;
use gatewalk_core::driver::ports::SlotId;
use gatewalk_core::engine::attempt_record::Judgement;
use gatewalk_core::engine::evidence::{one_line, sanitize};
use gatewalk_core::engine::snapshot::RunOptions;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::config::SandboxPolicy;
use gatewalk_core::model::feature::Feature;
use gatewalk_core::model::status_machine::FeatureStatus;
use gatewalk_host::os::Os;
use gatewalk_host::state_repository::{Repository, Selected};
use gatewalk_host::{files, signals};
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gatewalk check\n  gatewalk check T03\n  gatewalk check --rev HEAD --junit results.xml"
)]
pub(crate) struct Args {
    /// Judge the work as this unit's: its guards, its commands, its checks
    unit: Option<String>,
    /// Check this commit in place of your checkout
    #[arg(long, value_name = "REV")]
    rev: Option<String>,
    /// The commit the unit's work began at, where it is on the feature's branch already
    #[arg(long, value_name = "REV", requires = "unit")]
    base: Option<String>,
    /// Feature id, directory, path or slug, when the unit is named without its feature
    #[arg(long, value_name = "ID|DIRECTORY|PATH|SLUG")]
    feature: Option<String>,
    /// Also write the results as JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Confine the commands: `auto`, `require` or `off`, in place of your configuration
    #[arg(long, value_name = "MODE", value_parser = super::loop_::sandbox_word)]
    sandbox: Option<SandboxPolicy>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What is to be checked.
struct CheckSubject {
    selected: Selected,
    source: HandSource,
    /// The unit's id, where it is about one.
    unit: Option<String>,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let mut host = context.host()?;
    host.sandbox_now = args.sandbox;
    let repository = Repository::open(&context.cwd)?;
    let subject = subject(args, context, &repository)?;
    plan_check::refuse_unread(&repository, &subject.selected)?;
    let edited = edits_in_effect::not_in_effect(&repository, None)?;
    edited.into_iter().for_each(|note| context.out.note(note));
    let git = &repository.git;
    let (_lock, family) = recheck_locks(git, "a check")?;
    let stop = signals::install()?;
    let watcher = Printer::new(context.out.clone(), false);
    let machine = Os::new(git, host, &watcher)?.for_run(stop.clone(), family);
    machine.require_isolation(subject.selected.workspace.config.sandbox())?;
    machine.empty_slot(SlotId::Recheck)?;
    let driver = machine.driver(repository.layout, &subject.selected, RunOptions::default());
    let (commit, tree) = (subject.source.commit, subject.source.tree);
    if subject.unit.is_none() {
        driver.knows(&commit, &subject.selected.workspace)?;
    }
    let judged: Option<(Judgement, Vec<String>)> = match &subject.unit {
        None => driver
            .check_tree(&commit, &tree, SlotId::Recheck)?
            .map(|judgement| (judgement, vec![])),
        Some(unit) => {
            let opened = OpenFeature::read(context, Some(&subject.selected.dir), None)?;
            let work = subject.source.work(&opened, unit, args.base.as_deref())?;
            let judged = driver.check_work(&work, (&opened.selected.commit, SlotId::Recheck))?;
            judged.map(|judged| (judged.judgement, judged.left_out))
        }
    };
    watcher.finish();
    let Some((judgement, left_out)) = judged else {
        return Ok(stop.exit().unwrap_or(Exit::Interrupted));
    };
    if let Some(path) = &args.junit {
        let name = subject.unit.as_deref().unwrap_or("gatewalk check");
        let path = context.cwd.join(path);
        files::write_result(&path, junit::of_commands(name, &judgement).as_bytes())?;
    }
    print(context, args.json, (&subject, &left_out), &judgement);
    Ok(match judgement.passed() {
        true => Exit::Success,
        false => Exit::Findings,
    })
}

fn subject(args: &Args, context: &Context, repository: &Repository) -> Result<CheckSubject> {
    let source = HandSource::take(repository, args.rev.as_deref())?;
    let Some(unit) = &args.unit else {
        return Ok(CheckSubject {
            selected: any_feature(repository, &source, args.feature.as_deref())?,
            source,
            unit: None,
        });
    };
    let opened = OpenFeature::read(context, args.feature.as_deref(), Some(unit))?;
    let id = opened.unit(unit)?.id().to_owned();
    Ok(CheckSubject {
        selected: opened.selected,
        source,
        unit: Some(id),
    })
}

/// Returns a feature as a commit has it, or what stands for one: commands that are no unit's may still ask for a
/// feature's directory.
fn any_feature(
    repository: &Repository,
    source: &HandSource,
    name: Option<&str>,
) -> Result<Selected> {
    let mut workspace = repository.workspace_at(source.commit)?;
    if name.is_none() && workspace.features.is_empty() {
        let nowhere = Feature::nowhere(repository.layout);
        workspace.features.push(Arc::new(nowhere));
    }
    let workspace = Arc::new(workspace);
    let named = name.map(|name| workspace.find_features(name));
    let all = || workspace.features.iter();
    let found = match &named {
        Some(found) => all().find(|f| found.iter().any(|n| *n.dir == *f.dir)),
        None => all()
            .find(|f| f.plan.status() == FeatureStatus::Active)
            .or_else(|| all().next_back()),
    };
    let Some(feature) = found else {
        let commit = source.commit.short();
        return Err(Error::plan(match name {
            Some(name) => format!("there is no feature `{}` in {commit}", sanitize(name)),
            None => format!("there is no feature in {commit}"),
        })
        .hint("`gatewalk new feature \"TITLE\"` writes one; commit it")
        .hint("nothing was run"));
    };
    Ok(Selected {
        dir: feature.dir.to_string(),
        // The slot's own branch is called so.
        branch: feature.plan.branch().unwrap_or("check").to_owned(),
        commit: source.commit,
        exists: true,
        workspace,
    })
}

fn print(
    context: &Context,
    json: bool,
    (subject, left_out): (&CheckSubject, &[String]),
    judgement: &Judgement,
) {
    let out = &context.out;
    let what = match subject.source.in_checkout {
        true => "your checkout".to_owned(),
        false => subject.source.commit.short().to_string(),
    };
    if json {
        out.json(&json!({
            "unit": subject.unit, "commit": subject.source.commit,
            "checkout": subject.source.in_checkout, "tree": judgement.tree, "base": judgement.base,
            "passed": judgement.passed(), "failure_class": judgement.failure_class(),
            "failure_excerpt": judgement.failure_excerpt(), "commands": judgement.commands,
            "files_touched": judgement.files_touched, "notices": judgement.notices,
            "left_out": left_out, "evidence": judgement.evidence(),
        }));
        return;
    }
    judgement_lines(judgement)
        .into_iter()
        .for_each(|line| out.line(line));
    for path in left_out {
        out.note(format!(
            "left out, as it is an edit of a plan: {}",
            one_line(path)
        ));
    }
    let whose = subject
        .unit
        .as_deref()
        .map_or_else(String::new, |unit| format!(" as {unit}"));
    let verdict = match judgement.passed() {
        true => "passes",
        false => "does not pass",
    };
    out.line(format!("{what} {verdict}{whose}"));
}
