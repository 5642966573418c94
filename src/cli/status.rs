//! `gatewalk status`: what stands where and what to do next.

mod coverage_table;
mod feature_text;
mod lease_rows;
mod runner_rows;

use super::idle_driver::pinned_attempts;
use super::next_commands::{FEATURES_A_SHARE, Surroundings};
use super::unit_command::FeatureName;
use super::unrun_rows::{unrun_commands, unrun_row};
use super::{Context, edits_in_effect, live_sessions, redraw};
use gatewalk_core::driver::committed_plan::Attempts;
use gatewalk_core::engine::next_steps::NextStep;
use gatewalk_core::engine::waiting_since::{self, FeatureWaits};
use gatewalk_core::engine::witness::witness_record;
use gatewalk_core::engine::{inherited_cases, open_notices, review_comments};
use gatewalk_core::error::Result;
use gatewalk_core::exit::Exit;
use gatewalk_core::model::feature::{Feature, PlannedUnit, Waiting};
use gatewalk_core::model::status_machine::{self, FeatureStatus, UnitStatus, Word as _};
use gatewalk_core::model::unit::Unit;
use gatewalk_core::parallel;
use gatewalk_host::git::LockHolds;
use gatewalk_host::lock::{DriverLock, Holder};
use gatewalk_host::state_repository::{Repository, Selected, full};
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[derive(clap::Args)]
#[command(after_help = "Examples:\n  gatewalk status\n  gatewalk status FEAT-2026-0042 --json")]
pub(crate) struct Args {
    #[command(flatten)]
    feature: FeatureName,
    /// Show requirement, unit, check, and what the check says on the tip
    #[arg(long)]
    coverage: bool,
    /// Run the checks that were not run on the tip's files yet
    #[arg(long, requires = "coverage")]
    run: bool,
    /// Show it anew every two seconds, until Ctrl-C
    #[arg(long, conflicts_with_all = ["json", "coverage"])]
    watch: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    match args.watch {
        true => redraw::until_stopped(context, || show(args, context)),
        false => show(args, context),
    }
}

fn driver_line(holder: &Holder) -> String {
    format!(
        "a driver is at work: pid {} on {}, {}, since {}",
        holder.pid, holder.host, holder.feature, holder.started_at
    )
}

fn uncommitted_lines(repository: &Repository, directory: &str) -> [String; 2] {
    let what = format!("{directory} is not committed, so nothing runs it\n  next: gatewalk lint");
    let next = match repository.refuse_uncommittable(directory) {
        Ok(()) => format!("  next: {}", repository.commit_command()),
        Err(why) => format!("  {why}\n  next: {}", why.hints.join("; ")),
    };
    [what, next]
}

/// Said where a checkout did not follow its branch.
const BEHIND: &str = "your checkout has not followed its branch, which git shows as changes; a run, or a command that commits, brings it along";

/// Returns what is said of locks that a killed git left, or another holds: a run would meet them after its sessions.
fn lock_lines(repository: &Repository, shown: &[Selected], is_behind: bool) -> Vec<String> {
    let lands = |f: &&Selected| f.feature().plan.status() == FeatureStatus::Active || is_behind;
    let concerned = shown.iter().filter(lands);
    let branches: BTreeSet<String> = concerned.map(|f| full(&f.branch)).collect();
    let there = repository.git.locks_there(&branches).into_iter();
    there
        .map(|(path, holds)| {
            let what = match holds {
                LockHolds::Checkout => "your checkout follows no landing",
                LockHolds::Branch => "nothing can land",
            };
            format!(
                "`{}` is there, and as long as it is, {what}: another git is at work, or one was killed; remove it if none is",
                path.display()
            )
        })
        .collect()
}

fn show(args: &Args, context: &Context) -> Result<Exit> {
    let repository = Repository::open(&context.cwd)?;
    if args.coverage {
        return coverage_table::show(&repository, context, args);
    }
    let shown = match args.feature.get() {
        Some(name) => vec![repository.select(Some(name))?],
        None => repository.features()?,
    };
    let driver = DriverLock::holder(&repository.git.state_dir().join("lock"));
    let rows = rows(&repository, context, &shown)?;
    let drafted = repository.uncommitted_features();
    let at_work = live_sessions::on_runners(&repository, driver.is_some());
    let runners = runner_rows::rows(context, &at_work);
    if args.json {
        let mut status = json!({
            "driver": driver.as_ref().map(|d| json!({"pid": d.pid, "host": d.host, "feature": d.feature, "started_at": d.started_at})),
            "sessions": live_sessions::of_repository(context, &repository, driver.is_some()),
            "features": null,
            "uncommitted": drafted,
            "not_in_effect": edits_in_effect::not_in_effect(&repository, None)?,
            "runners": runners,
        });
        // Moved, for there may be thousands.
        status["features"] = Value::Array(rows);
        context.out.json(&status);
        // The process ends now, which gives all of it back at once.
        std::mem::forget((status, shown));
        return Ok(Exit::Success);
    }
    let mut lines = Vec::from_iter(driver.as_ref().map(driver_line));
    if rows.is_empty() && drafted.is_empty() {
        lines.push("no features yet; `gatewalk new feature \"TITLE\"` writes one".to_owned());
    }
    let (marks, named) = (context.out.shows_marks(), args.feature.get().is_some());
    feature_text::print_all(&mut lines, (&shown, &rows), named, marks);
    let drafted = drafted.iter();
    lines.extend(drafted.flat_map(|directory| uncommitted_lines(&repository, directory)));
    let is_behind = driver.is_none() && repository.git.is_behind();
    if driver.is_none() {
        lines.extend(lock_lines(&repository, &shown, is_behind));
    }
    if is_behind {
        lines.push(BEHIND.to_owned());
    } else {
        lines.extend(edits_in_effect::not_in_effect(&repository, None)?);
    }
    lines.extend(runner_rows::lines(&runners));
    context.out.line(lines.join("\n"));
    Ok(Exit::Success)
}

/// Returns what `status --json` says of each feature.
pub(super) fn rows(
    repository: &Repository,
    context: &Context,
    shown: &[Selected],
) -> Result<Vec<Value>> {
    let mut around = Surroundings::look(repository)?;
    around.look_at_plans(shown);
    let attempts = attempts(repository, context, shown)?;
    let leases = lease_rows::rows(repository, shown);
    let row_of = |f: &Selected| {
        let next = around.of_feature((context, repository), f, &attempts);
        let mut row = row(f, &attempts, &around, &next);
        if f.feature().plan.status() == FeatureStatus::Active || shown.len() == 1 {
            let unrun = unrun_commands(repository, f);
            row["not_run"] = unrun.iter().map(unrun_row).collect();
        }
        row
    };
    let shares = parallel::share(shown, FEATURES_A_SHARE, |part| {
        part.iter().map(row_of).collect::<Vec<_>>()
    });
    let mut rows: Vec<Value> = shares.into_iter().flatten().collect();
    for (row, lease) in rows.iter_mut().zip(leases) {
        row["lease"] = lease;
    }
    Ok(rows)
}

/// Reads the pinned attempts only when a feature is shown that may have some open.
fn attempts(repository: &Repository, context: &Context, shown: &[Selected]) -> Result<Attempts> {
    let open = |f: &Selected| f.feature().plan.status() == FeatureStatus::Active;
    if !shown.iter().any(open) {
        return Ok(Attempts::default());
    }
    pinned_attempts(context, repository)
}

fn row(
    selected: &Selected,
    attempts: &Attempts,
    around: &Surroundings,
    next: &[NextStep],
) -> Value {
    let feature = selected.feature();
    let statuses = feature.statuses();
    let waits = waiting_since::of_feature(feature);
    let units = feature.members().map(|m| {
        let mut row = unit_row(
            &m,
            feature.waiting_among(&m, &statuses),
            (feature, attempts),
            around.in_flight(),
        );
        add_wait(&mut row, &waits, m.id());
        row
    });
    let units: Vec<Value> = units.collect();
    let mut row = json!({
        "feature": feature.name(),
        "title": feature.plan.title(),
        "status": feature.plan.status().to_string(),
        "is_unreadable": feature.plan.unread_status().is_some(),
        "branch": selected.branch,
        "branch_exists": selected.exists,
        "commit": selected.commit,
        "uncommitted_plan_files": around.edits_of(selected),
        "hooks": selected.workspace.config.hooks().word(),
        "isolation": attempts.last_isolation(feature),
        "notices": open_notices::of_gate(feature, None).iter().map(ToString::to_string).collect::<Vec<_>>(),
        "unwitnessed": witness_record::unwitnessed_lines(feature, None),
        "inherited": inherited_cases::of_feature(feature, &selected.workspace.verification),
        "since": waits.gate.map(|w| w.at),
        "gates": null,
        "units": null,
        "next": next.first().map(ToString::to_string),
        "next_steps": next.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "lease": null,
    });
    // Moved: what stands in the macro is copied, and this is most of it.
    row["gates"] = gate_rows(feature);
    row["units"] = Value::Array(units);
    row
}

fn gate_rows(feature: &Feature) -> Value {
    let row = |g| {
        json!({
            "gate": feature.gate_number(g), "status": feature.gate_status(g).to_string(), "units": feature.members_of(g).count(),
            "is_unreadable": feature.gate(g).is_some_and(|gate| gate.unread_status().is_some()),
        })
    };
    (0..feature.plan.gates.len()).map(row).collect()
}

/// Adds since when a unit waits for a user, and why in words.
fn add_wait(row: &mut Value, waits: &FeatureWaits, id: &str) {
    let wait = waits.units.get(id);
    row["since"] = json!(wait.map(|w| &w.at));
    row["message"] = json!(wait.and_then(|w| w.message.as_ref()));
}

/// Counts the attempts kept here, or those that the unit's file says there were: a clone has no refs of attempts.
fn attempts_made(m: &PlannedUnit<'_>, attempts: &Attempts) -> usize {
    let kept = attempts.charged.get(m.id()).map_or(0, |all| all.len());
    let filed = m.unit.map_or(0, |unit| unit.attempts_counted());
    kept.max(filed as usize)
}

fn unit_row(
    m: &PlannedUnit<'_>,
    waiting: Vec<Waiting>,
    (feature, attempts): (&Feature, &Attempts),
    running: &[String],
) -> Value {
    let waiting = waiting.iter().map(|w| w.in_short(w.unit()));
    let waiting: Vec<String> = waiting.collect();
    let cost = m.unit.and_then(Unit::lifetime_cost_usd);
    let parked = m.status() == UnitStatus::BlockedHuman;
    let why = m.unit.filter(|_| parked);
    let why = why.and_then(|u| u.front.escalation_reason.as_ref());
    let why = why.map(|reason| reason.value.clone());
    let unread = match m.unit {
        Some(unit) => unit.unread_status().map(status_machine::no_status),
        None => Some(format!("its file `{}` is not there", m.node.file.value)),
    };
    let is_unreadable = unread.is_some();
    json!({
        "id": m.id(),
        "gate": feature.gate_number(m.gate),
        "title": m.unit.map(Unit::title),
        "type": m.unit_type().to_string(),
        "status": m.status().to_string(),
        "running": running.iter().any(|unit| unit == m.id()),
        "depends_on": m.node.depends_on.iter().map(|d| &d.value).collect::<Vec<_>>(),
        "waiting_for": if m.status().is_settled() { vec![] } else { waiting },
        "attempts": attempts_made(m, attempts),
        "cost_usd": cost,
        "comments": m.unit.map(|u| review_comments::of_text(&u.doc.text).comments),
        "why": unread.or(why),
        "is_unreadable": is_unreadable,
    })
}
