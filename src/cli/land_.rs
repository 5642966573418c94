//! `gatewalk land`: a user's own work on a unit, through the guards, the oracle and the landing of a session's.

use super::Context;
use super::attempts::judgement_lines;
use super::hand_source::HandSource;
use super::plan_check::ChangedUnits;
use super::run_guards::{Locks, catch_up_if_free, end_leftovers, guarded_family};
use super::unit_command::{Common, OpenFeature};
use super::watch::Printer;
use gatewalk_core::driver::hand_work::HandLanding;
use gatewalk_core::engine::evidence::one_line;
use gatewalk_core::engine::next_steps::way_out;
use gatewalk_core::engine::snapshot::RunOptions;
use gatewalk_core::engine::takeover;
use gatewalk_core::error::Result;
use gatewalk_core::exit::Exit;
use gatewalk_core::model::config::SandboxPolicy;
use gatewalk_host::os::Os;
use gatewalk_host::signals;
use serde_json::json;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gatewalk land T03\n  gatewalk land FEAT-2026-0042/T03 --from attempt/FEAT-2026-0042/T03/2\n  gatewalk land T03 --base HEAD~2"
)]
pub(crate) struct Args {
    /// The unit: its id, or `T03` with one active feature
    unit: String,
    /// Land this commit or branch in place of your checkout
    #[arg(long, value_name = "REV")]
    from: Option<String>,
    /// The commit the work began at, where it is on the feature's branch already
    #[arg(long, value_name = "REV")]
    base: Option<String>,
    /// Confine the commands: `auto`, `require` or `off`, in place of your configuration
    #[arg(long, value_name = "MODE", value_parser = super::loop_::sandbox_word)]
    sandbox: Option<SandboxPolicy>,
    #[command(flatten)]
    common: Common,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let mut host = context.host()?;
    host.sandbox_now = args.sandbox;
    let mut opened = open(args, context)?;
    let id = refuse_unready(&opened, &args.unit)?;
    opened.refuse_findings(ChangedUnits::Refused)?;
    let source = HandSource::take(&opened.repository, args.from.as_deref())?;
    let (_locks, family_path) = enter(&mut opened)?;
    let work = source.work(&opened, &id, args.base.as_deref())?;
    let (family, _watchdog) = guarded_family(context, &opened.repository, &host, &family_path)?;
    let git = &opened.repository.git;
    let stop = signals::install()?;
    let watcher = Printer::new(context.out.clone(), false);
    let machine = Os::new(git, host, &watcher)?.for_run(stop.clone(), family);
    machine.require_isolation(opened.selected.workspace.config.sandbox())?;
    machine.try_signing(opened.selected.commit)?;
    let layout = opened.repository.layout;
    let driver = machine.driver(layout, &opened.selected, RunOptions::default());
    let landing = driver.land_work(&work)?;
    watcher.finish();
    let Some(landing) = landing else {
        return Ok(stop.exit().unwrap_or(Exit::Interrupted));
    };
    Ok(print_landing(&opened, args.common.json, (&id, &landing)))
}

/// Returns the id of a unit whose work could land now.
pub(super) fn refuse_unready(opened: &OpenFeature<'_>, unit: &str) -> Result<String> {
    let member = opened.unit(unit)?;
    match takeover::refusal(opened.feature(), &member) {
        Some(error) => Err(error.hint("nothing was started and nothing was touched")),
        None => Ok(member.id().to_owned()),
    }
}

/// Takes the locks of a run for work by hand, and makes the feature's branch where there is none; returns where the
/// run's processes are noted.
pub(super) fn enter(opened: &mut OpenFeature<'_>) -> Result<(Locks, PathBuf)> {
    let locks = Locks::take(&opened.repository, &opened.selected)?;
    let family_path = end_leftovers(opened.context, &opened.repository);
    opened.repository.git.identity()?;
    opened
        .repository
        .refuse_busy_branch(&opened.selected.branch)?;
    // Whoever works on a branch of their own stays there.
    if !opened.selected.exists {
        opened.repository.enter_branch(&mut opened.selected)?;
    }
    Ok((locks, family_path))
}

/// Shows what became of work that was to land.
pub(super) fn print_landing(
    opened: &OpenFeature<'_>,
    json: bool,
    (id, landing): (&str, &HandLanding),
) -> Exit {
    for path in &landing.judged.left_out {
        let path = one_line(path);
        opened.context.out.note(format!(
            "left where it is, as it is an edit of a plan: {path}"
        ));
    }
    match landing.commit {
        Some(commit) => {
            opened.done(json, &format!("{id} is done"), commit);
            Exit::Success
        }
        None => {
            print_refusal(json, opened.context, (id, landing));
            Exit::Findings
        }
    }
}

/// Opens the feature. The files of a closing unit are files of the plan: in the checkout they are the work itself.
fn open<'c>(args: &Args, context: &'c Context) -> Result<OpenFeature<'c>> {
    let feature = args.common.feature.as_deref();
    let read = OpenFeature::read(context, feature, Some(&args.unit));
    let closes = |opened: &OpenFeature<'_>| {
        let member = opened.feature().find_unit(&args.unit);
        member.is_some_and(|m| m.unit_type().is_closing())
    };
    match read {
        Ok(opened) if args.from.is_none() && closes(&opened) => {
            catch_up_if_free(&opened.repository)?;
            Ok(opened)
        }
        _ => OpenFeature::open(context, &args.common, Some(&args.unit)),
    }
}

/// Shows what the work did not pass by, where it is kept, and what to do.
fn print_refusal(json: bool, context: &Context, (id, landing): (&str, &HandLanding)) {
    let (out, judgement) = (&context.out, &landing.judged.judgement);
    let class = judgement.failure_class().and_then(|c| c.known());
    let mut next: Vec<String> = Vec::new();
    next.extend(class.and_then(way_out).map(str::to_owned));
    next.push(format!("gatewalk land {id}, once it is mended"));
    if json {
        out.json(&json!({
            "done": null, "unit": id, "passed": false, "kept_at": landing.kept_at,
            "failure_class": judgement.failure_class(), "failure_excerpt": judgement.failure_excerpt(),
            "commands": judgement.commands, "notices": judgement.notices, "next": next.first(),
        }));
        return;
    }
    judgement_lines(judgement)
        .into_iter()
        .for_each(|line| out.line(line));
    let why = judgement.failure_excerpt().map(one_line);
    let why = why.unwrap_or_default();
    out.line(format!(
        "{id} did not land: {}",
        why.trim_end_matches([':', ' '])
    ));
    let kept = &landing.kept_at;
    out.note(format!(
        "your files are as they were, and kept under {kept}; the unit is charged nothing"
    ));
    next.iter()
        .for_each(|step| out.note(format!("next: {step}")));
}
