//! `gatewalk loop`: work through the current gate's ready units.

mod kept_work;
mod lease_guard;
mod loop_args;
mod session_places;
mod several_features;
mod stop_reports;

pub(crate) use self::loop_args::{Args, sandbox_word};
use super::plan_check::ChangedUnits;
use super::run_guards::{
    Locks, agent_or_refuse, catch_up, catch_up_if_free, end_leftovers, guarded_family,
};
use super::unrun_rows::unrun_at;
use super::watch::Printer;
use super::{Context, auto_arm, dry_run, edits_in_effect, plan_check, stop_message};
use gatewalk_core::driver::feature_walk::RunEnd;
use gatewalk_core::driver::run_loop::Driver;
use gatewalk_core::engine::action::Stop;
use gatewalk_core::engine::snapshot::Snapshot;
use gatewalk_core::error::Result;
use gatewalk_core::exit::Exit;
use gatewalk_host::heartbeat::Heartbeat;
use gatewalk_host::host::Host;
use gatewalk_host::os::Os;
use gatewalk_host::state_repository::{Repository, Selected};
use gatewalk_host::stop_flag::StopFlag;
use gatewalk_host::{lock, signals};
use std::collections::BTreeSet;
use stop_reports::StopReports;

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    // A mistake in it is better known before hours of work than after.
    let reports = StopReports::read(context)?;
    let result = match args.all {
        true => several_features::drive(args, context, &reports),
        false => drive(args, context, &reports),
    };
    if let Err(error) = &result {
        if args.json {
            context.out.json_error(error);
        }
        if !args.dry_run {
            reports.error(error);
        }
    }
    result
}

fn drive(args: &Args, context: &Context, reports: &StopReports<'_>) -> Result<Exit> {
    let repository = Repository::open(&context.cwd)?;
    if args.dry_run {
        let selected = repository.select(args.feature.get())?;
        return preview(args, context, &repository, &selected);
    }
    let mut host = context.host()?;
    host.sandbox_now = args.sandbox;
    let mut selected = select(args, &repository).inspect_err(|_| {
        // The user reads why there is nothing to run; this is tried again next time.
        drop(catch_up_if_free(&repository));
    })?;
    host.far = session_places::runner_slots(args, &host, std::slice::from_ref(&selected))?;
    let _locks = Locks::take(&repository, &selected)?;
    let family_path = end_leftovers(context, &repository);
    make_ready(args, (context, &repository), &host, &mut selected)?;
    let (family, _watchdog) = guarded_family(context, &repository, &host, &family_path)?;
    let stop = signals::install()?;
    let printer = Printer::new(context.out.clone(), args.json);
    let watcher = reports.watch(&printer, Heartbeat::start(&repository.git.state_dir()));
    let layout = repository.layout;
    let machine = Os::new(&repository.git, host, &watcher)?.for_run(stop.clone(), family);
    machine.require_isolation(selected.workspace.config.sandbox())?;
    machine.try_signing(selected.commit)?;
    let of = (&selected, std::slice::from_ref(&selected));
    let asked = session_places::options(args, machine.far().to_vec(), of);
    let driver = machine.driver(layout, &selected, asked);
    driver.knows(&selected.commit, &selected.workspace)?;
    let run = FeatureRun {
        context,
        repository: &repository,
        machine: &machine,
        selected: &selected,
    };
    let walked = std::slice::from_ref(&selected);
    let lease = lease_guard::watch((context, &repository), walked, (stop.clone(), args.sync))?;
    let (end, snapshot) = run_gates(&run, &driver, &printer)?;
    if lease.is_some() {
        drop(lease);
        lease_guard::give_back((context, &repository), walked, args.sync);
    }
    let exit = exit_of(&end, &stop);
    super::labels::sync(context, &repository, &snapshot.feature);
    let unrun = unrun_at(&repository, &snapshot);
    let report = stop_message::StopReport::new(&end, exit, &snapshot).listing(&unrun);
    let stopped = report.print(&context.out, args.json);
    reports.stop(&stopped, exit);
    Ok(exit)
}

fn exit_of(end: &RunEnd, asked: &StopFlag) -> Exit {
    match end {
        RunEnd::Interrupted => asked.exit().unwrap_or(Exit::Interrupted),
        RunEnd::Stopped(stop) => stop_message::exit_of(stop),
    }
}

/// Brings checkout, plan and branch to where a run starts from, and refuses what would stop it later.
fn make_ready(
    args: &Args,
    (context, repository): (&Context, &Repository),
    host: &Host,
    selected: &mut Selected,
) -> Result<()> {
    repository.git.identity()?;
    // A checkout that a killed driver left behind its branch would look like edits of the plan.
    catch_up(repository)?;
    settle(args, context, repository, selected)?;
    lease_guard::hold((context, repository), selected, args.sync)?;
    if let Some(agent) = &args.agent {
        agent_or_refuse(agent, host)?;
    }
    let edited = edits_in_effect::not_in_effect(repository, Some(selected))?;
    edited.into_iter().for_each(|note| context.out.note(note));
    enter_branch(context, repository, selected)
}

/// What a run works on.
struct FeatureRun<'a> {
    context: &'a Context,
    repository: &'a Repository,
    machine: &'a Os<'a>,
    selected: &'a Selected,
}

/// Runs gate after gate, as long as the driver arms the next one by itself.
fn run_gates(
    run: &FeatureRun<'_>,
    driver: &Driver<'_>,
    printer: &Printer,
) -> Result<(RunEnd, Snapshot)> {
    loop {
        let end = driver.run();
        printer.finish();
        let end = end.map_err(|error| {
            kept_work::named(error, run.context, std::slice::from_ref(run.selected))
        })?;
        let (snapshot, _) = driver.preview()?;
        let at_gate = matches!(end, RunEnd::Stopped(Stop::AtGate { .. }));
        let stopped = auto_arm::StoppedRun {
            context: run.context,
            repository: run.repository,
            machine: run.machine,
            selected: run.selected,
            snapshot: &snapshot,
        };
        if !at_gate || !auto_arm::arm(&stopped)? {
            return Ok((end, snapshot));
        }
    }
}

/// Makes the feature's branch where there is none, and checks it out where nothing is in the way.
fn enter_branch(context: &Context, repository: &Repository, selected: &mut Selected) -> Result<()> {
    let before = selected.commit;
    let elsewhere = repository.enter_branch(selected)?;
    if selected.commit != before {
        plan_check::refuse_findings(context, repository, selected, ChangedUnits::Refused)?;
    }
    if let Some(note) = repository.trunk_note(selected) {
        context.out.note(note);
    }
    if let Some(why) = elsewhere {
        context.out.note(format!(
            "your checkout stays where it is: {why}; the work lands on `{}`",
            selected.branch
        ));
    }
    Ok(())
}

/// Puts checkout and plan in the state a run starts from, or says what is in its way.
fn settle(
    args: &Args,
    context: &Context,
    repository: &Repository,
    selected: &mut Selected,
) -> Result<()> {
    repository.refuse_busy_branch(&selected.branch)?;
    repository.refuse_remote_only(selected)?;
    let commit = selected.commit;
    repository
        .git
        .refuse_missing_objects(commit, &selected.branch)?;
    for path in repository.restore_own_files(selected)? {
        context.out.note(format!(
            "put `{path}` back, which your checkout had stale or cut short"
        ));
    }
    if args.commit_plan {
        plan_check::commit_edits(context, repository, selected, ChangedUnits::Refused)?;
    } else {
        plan_check::refuse_uncommitted(repository, selected)?;
    }
    plan_check::refuse_findings(context, repository, selected, ChangedUnits::Refused)
}

/// Finds the feature; a plan that is not in any commit yet counts when it is about to be committed,
/// and one that a killed driver had just finished when nothing else is active: what it left undone is
/// put in order.
fn select(args: &Args, repository: &Repository) -> Result<Selected> {
    let mut found = repository.select(args.feature.get());
    if let (Err(_), None) = (&found, args.feature.get())
        && let Some(dead) = lock::left_behind(&repository.git.state_dir().join("lock"))
    {
        found = repository.select(Some(&dead.feature)).or(found);
    }
    if found.is_err() && args.feature.get().is_none() {
        let found_active = repository.active_features()?;
        let ids: BTreeSet<String> = found_active.iter().map(|f| f.feature().name()).collect();
        let active = found_active.len();
        if active > 1 && ids.len() == active {
            let all = format!("`gatewalk loop --all` works on all {active} of them");
            found = found.map_err(|error| error.hint(all));
        }
    }
    match found {
        Err(_) if args.commit_plan => repository.select_uncommitted(args.feature.get()).or(found),
        _ => found,
    }
}

/// Shows what a run of a feature would do.
fn preview(
    args: &Args,
    context: &Context,
    repository: &Repository,
    selected: &Selected,
) -> Result<Exit> {
    repository.refuse_missing_base(selected)?;
    repository.refuse_busy_branch(&selected.branch)?;
    repository.refuse_remote_only(selected)?;
    plan_check::refuse_findings(context, repository, selected, ChangedUnits::Refused)?;
    let host = context.host()?;
    if let Some(agent) = &args.agent {
        agent_or_refuse(agent, &host)?;
    }
    let all = std::slice::from_ref(selected);
    let runners = session_places::runner_slots(args, &host, all)?;
    dry_run::show(&dry_run::DryRun {
        context,
        repository,
        selected,
        options: session_places::options(args, runners, (selected, all)),
        host,
        json: args.json,
    })
}
