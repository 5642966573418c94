//! `gatewalk loop --all`: every active feature, with one driver and one pool of slots.

use super::session_places::{options, runner_slots};
use super::stop_reports::StopReports;
use super::{Args, kept_work, lease_guard, preview, settle};
use crate::cli::next_commands::Surroundings;
use crate::cli::plan_check::ChangedUnits;
use crate::cli::run_guards::{
    Locks, agent_or_refuse, catch_up, catch_up_if_free, end_leftovers, guarded_family,
};
use crate::cli::unrun_rows::unrun_at;
use crate::cli::watch::Printer;
use crate::cli::{Context, auto_arm, idle_driver, labels, plan_check, stop_message, wanted_list};
use gatewalk_core::driver::driver_event::{DriverEvent, Watcher};
use gatewalk_core::driver::feature_walk::{self, FeatureEnd, RunEnd, WalkLimits};
use gatewalk_core::driver::run_loop::Driver;
use gatewalk_core::engine::action::{BudgetScope, Stop};
use gatewalk_core::engine::next_steps::NextStep;
use gatewalk_core::engine::snapshot::Snapshot;
use gatewalk_core::engine::wanted;
use gatewalk_core::error::{Error, ErrorKind, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::config::SandboxPolicy;
use gatewalk_core::model::status_machine::FeatureStatus;
use gatewalk_host::heartbeat::Heartbeat;
use gatewalk_host::host::Host;
use gatewalk_host::os::Os;
use gatewalk_host::signals;
use gatewalk_host::state_repository::{Repository, Selected};
use std::cell::RefCell;
use std::collections::BTreeMap;
use wanted_list::WantedRow;

/// What a run of several features works on.
struct FeatureRuns<'a> {
    args: &'a Args,
    context: &'a Context,
    reports: &'a StopReports<'a>,
    repository: &'a Repository,
    /// Those that run, as they started.
    running: Vec<Selected>,
    /// Those that cannot run now, and why.
    refused: Vec<(Selected, Error)>,
    /// Those that a driver in another work tree is at work on, and what is known of it.
    driven: Vec<(Selected, Error)>,
}

impl FeatureRuns<'_> {
    /// Returns this machine as the run uses it, with the runners that its features name.
    fn host(&self) -> Result<Host> {
        let mut host = self.context.host()?;
        host.sandbox_now = self.args.sandbox;
        host.far = runner_slots(self.args, &host, &self.running)?;
        if let Some(agent) = &self.args.agent {
            agent_or_refuse(agent, &host)?;
        }
        Ok(host)
    }
}

pub(super) fn drive(args: &Args, context: &Context, reports: &StopReports<'_>) -> Result<Exit> {
    let repository = Repository::open(&context.cwd)?;
    let features = repository.active_features()?;
    if features.is_empty() {
        return nothing_active(args, context, &repository);
    }
    if args.dry_run {
        return preview_all(args, context, &repository, features);
    }
    let mut locks = Locks::of_work_tree(&repository, &features)?;
    let family_path = end_leftovers(context, &repository);
    repository.git.identity()?;
    catch_up(&repository)?;
    let mut runs = FeatureRuns {
        args,
        context,
        reports,
        repository: &repository,
        running: vec![],
        refused: vec![],
        driven: vec![],
    };
    runs.prepare(features, &mut locks)?;
    let host = runs.host()?;
    let (family, _watchdog) = guarded_family(context, &repository, &host, &family_path)?;
    let stop = signals::install()?;
    let printer = Printer::new(context.out.clone(), args.json).naming_features();
    let watcher = reports.watch(&printer, Heartbeat::start(&repository.git.state_dir()));
    let machine = Os::new(&repository.git, host, &watcher)?.for_run(stop.clone(), family);
    let projects = runs.running.iter();
    let strictest = SandboxPolicy::strictest(projects.filter_map(|f| f.workspace.config.sandbox()));
    machine.require_isolation(strictest)?;
    if let Some(first) = runs.running.first() {
        machine.try_signing(first.commit)?;
    }
    let shared = (context, &repository);
    let lease = lease_guard::watch(shared, &runs.running, (stop.clone(), args.sync))?;
    let walked = runs.walk(&machine, &printer);
    let (rows, ends) = walked.map_err(|e| kept_work::named(e, context, &runs.running))?;
    if lease.is_some() {
        drop(lease);
        lease_guard::give_back(shared, &runs.running, args.sync);
    }
    let interrupted = ends.contains(&FeatureEnd::Interrupted);
    let exit = match interrupted {
        true => stop.exit().unwrap_or(Exit::Interrupted),
        false => wanted_list::exit_of(&rows),
    };
    wanted_list::print(&context.out, args.json, rows, (exit, interrupted));
    Ok(exit)
}

/// A run on a timer finds nothing to do on most days: that is no error.
fn nothing_active(args: &Args, context: &Context, repository: &Repository) -> Result<Exit> {
    let features = repository.features()?;
    if features.is_empty() {
        // The error says how to begin.
        repository.select(None)?;
    }
    if !args.dry_run {
        catch_up_if_free(repository)?;
    }
    let planned = |f: &&Selected| f.feature().plan.status() == FeatureStatus::Planned;
    let planned = features.iter().filter(planned).map(|f| f.feature().name());
    let next: Vec<String> = planned.map(|name| format!("gatewalk arm {name}")).collect();
    if args.json {
        wanted_list::print(&context.out, true, vec![], (Exit::Success, false));
        return Ok(Exit::Success);
    }
    let out = &context.out;
    out.note("no feature is active: nothing is left to run");
    next.iter()
        .for_each(|next| out.note(format!("  next: {next}")));
    Ok(Exit::Success)
}

fn preview_all(
    args: &Args,
    context: &Context,
    repository: &Repository,
    features: Vec<Selected>,
) -> Result<Exit> {
    let mut refused = None;
    for selected in features {
        let usable = repository.refuse_unusable(&selected);
        let shown = usable.and_then(|()| preview(args, context, repository, &selected));
        match shown {
            Err(error) if error.kind == ErrorKind::InvalidPlan => {
                let name = selected.feature().name();
                context.out.note(format!("{name}: {error}"));
                refused = Some(error);
            }
            other => drop(other?),
        }
    }
    refused.map_or(Ok(Exit::Success), Err)
}

impl FeatureRuns<'_> {
    /// Sorts out the features that cannot run now: they keep none of the others from it.
    fn prepare(&mut self, features: Vec<Selected>, locks: &mut Locks) -> Result<()> {
        for mut selected in features {
            let own = self.refuse_shared_branch(&selected);
            if let (Ok(()), Err(error)) = (&own, locks.take_branch(self.repository, &selected)) {
                self.driven.push((selected, error));
                continue;
            }
            match own.and_then(|()| self.start(&mut selected)) {
                Ok(()) => self.running.push(selected),
                Err(error) if matches!(error.kind, ErrorKind::Integrity | ErrorKind::Internal) => {
                    return Err(error);
                }
                Err(error) => self.refused.push((selected, error)),
            }
        }
        Ok(())
    }

    fn refuse_shared_branch(&self, selected: &Selected) -> Result<()> {
        let others = self.running.iter().chain(self.driven.iter().map(|d| &d.0));
        let Some(other) = others.into_iter().find(|o| o.branch == selected.branch) else {
            return Ok(());
        };
        Err(Error::plan(format!(
            "it has the branch `{}`, and so has {}",
            selected.branch,
            other.feature().name()
        ))
        .hint("give each feature a branch of its own"))
    }

    fn start(&self, selected: &mut Selected) -> Result<()> {
        self.repository.refuse_unusable(selected)?;
        settle(self.args, self.context, self.repository, selected)?;
        lease_guard::hold((self.context, self.repository), selected, self.args.sync)?;
        let before = selected.commit;
        self.repository.create_branch(selected)?;
        match selected.commit == before {
            true => Ok(()),
            false => plan_check::refuse_findings(
                self.context,
                self.repository,
                selected,
                ChangedUnits::Refused,
            ),
        }
    }

    /// Walks until every feature waits; returns what each wants, in their order, and how it ended.
    fn walk(
        &self,
        machine: &Os<'_>,
        watcher: &Printer,
    ) -> Result<(Vec<WantedRow>, Vec<FeatureEnd>)> {
        let mut drivers: Vec<Driver<'_>> = Vec::new();
        let mut jobs = 1;
        for selected in &self.running {
            let of = (selected, &self.running[..]);
            let options = options(self.args, machine.far().to_vec(), of);
            jobs = options.jobs;
            let driver = machine.driver(self.repository.layout, selected, options);
            driver.knows(&selected.commit, &selected.workspace)?;
            drivers.push(match drivers.first() {
                Some(first) => driver.beside(first),
                None => driver,
            });
        }
        let all: Vec<&Driver<'_>> = drivers.iter().collect();
        let limits = WalkLimits {
            jobs,
            wip: self.args.wip.map_or(usize::MAX, usize::from),
        };
        let stopped: RefCell<BTreeMap<usize, Snapshot>> = RefCell::default();
        let at_stop = |index: usize, stop: &Stop| {
            let (snapshot, _) = all[index].preview()?;
            let run = auto_arm::StoppedRun {
                context: self.context,
                repository: self.repository,
                machine,
                selected: &self.running[index],
                snapshot: &snapshot,
            };
            let goes_on = self.at_stop(&run, stop, watcher)?;
            stopped.borrow_mut().insert(index, snapshot);
            Ok(goes_on)
        };
        let ends = feature_walk::walk(&all, limits, &at_stop);
        watcher.finish();
        let ends = ends?;
        let stopped = stopped.into_inner();
        Ok((self.rows(&ends, &stopped)?, ends))
    }

    /// Returns what each feature wants, in their order.
    fn rows(
        &self,
        ends: &[FeatureEnd],
        stopped: &BTreeMap<usize, Snapshot>,
    ) -> Result<Vec<WantedRow>> {
        let mut rows = Vec::new();
        let mut out_of_money: Vec<WantedRow> = Vec::new();
        for (index, end) in ends.iter().enumerate() {
            match (end, stopped.get(&index)) {
                (FeatureEnd::Stopped(stop), Some(s)) if is_run_budget(stop) => {
                    let wanted = wanted::of_stop(stop, &s.feature);
                    out_of_money.extend(wanted.iter().map(|w| WantedRow::of_stop(w, s)));
                }
                (FeatureEnd::Stopped(stop), Some(s)) => {
                    let wanted = wanted::of_stop(stop, &s.feature);
                    rows.extend(wanted.iter().map(|w| WantedRow::of_stop(w, s)));
                }
                (FeatureEnd::Failed(error), _) => {
                    rows.push(self.refused_row(&self.running[index], error)?);
                }
                _ => {}
            }
        }
        for (selected, error) in &self.refused {
            rows.push(self.refused_row(selected, error)?);
        }
        for (selected, error) in &self.driven {
            let status = format!("gatewalk status {}", selected.feature().name());
            rows.push(row_of(selected, error, vec![status]));
        }
        rows.extend(WantedRow::of_all(out_of_money));
        Ok(rows)
    }

    /// Reports a stop where the user wants to hear of it; arms the next gate where the plan says so, and returns whether
    /// it did.
    fn at_stop(
        &self,
        run: &auto_arm::StoppedRun<'_>,
        stop: &Stop,
        watcher: &Printer,
    ) -> Result<bool> {
        watcher.finish();
        if matches!(stop, Stop::AtGate { .. }) && auto_arm::arm(run)? {
            return Ok(true);
        }
        let snapshot = run.snapshot;
        labels::sync(self.context, self.repository, &snapshot.feature);
        let exit = stop_message::exit_of(stop);
        let end = RunEnd::Stopped(stop.clone());
        let unrun = unrun_at(self.repository, snapshot);
        let report = stop_message::StopReport::new(&end, exit, snapshot).listing(&unrun);
        let stopped = report.into_json();
        if self.args.json {
            self.context.out.json(&stopped);
        } else {
            let what = stopped["what"].as_str().unwrap_or_default();
            watcher.report(&DriverEvent::Note { text: what.into() });
        }
        match is_run_budget(stop) {
            true => self.reports.run_budget(&stopped),
            false => self.reports.stop(&stopped, exit),
        }
        Ok(false)
    }

    fn refused_row(&self, selected: &Selected, error: &Error) -> Result<WantedRow> {
        let attempts = idle_driver::pinned_attempts(self.context, self.repository)?;
        let next = Surroundings::edits(self.repository)?.of_feature(
            (self.context, self.repository),
            selected,
            &attempts,
        );
        let next = match error.kind {
            // Another clone has it: no run here is next.
            ErrorKind::Locked => vec![format!("gatewalk sync {}", selected.feature().name())],
            _ => commands_of(&next),
        };
        let mut row = row_of(selected, error, next);
        row.why
            .extend(kept_work::of_feature(selected.feature(), &attempts));
        self.reports.feature_error((&row.feature, &row.next), error);
        Ok(row)
    }
}

/// Every `next` of the list is a command that runs; what only words can say stands in the hints.
fn commands_of(steps: &[NextStep]) -> Vec<String> {
    let commands = steps.iter().filter(|step| step.is_command());
    commands.map(ToString::to_string).collect()
}

/// Leaves out what is true of every feature that did not run.
fn what_to_do(hints: &[String]) -> Vec<String> {
    let says_more = |hint: &&String| !hint.starts_with("nothing was started");
    hints.iter().filter(says_more).cloned().collect()
}

fn row_of(selected: &Selected, error: &Error, next: Vec<String>) -> WantedRow {
    let feature = selected.feature().name();
    WantedRow {
        reason: "error",
        exit: error.exit(),
        what: format!("{feature}: {error}"),
        why: what_to_do(&error.hints),
        unblocks: wanted::open_units(selected.feature()),
        next,
        feature,
    }
}

fn is_run_budget(stop: &Stop) -> bool {
    let whose = match stop {
        Stop::Budget { whose, .. } => Some(*whose),
        _ => None,
    };
    whose == Some(BudgetScope::Run)
}
