//! `gatewalk status`: what stands where and what to do next.

mod coverage_table;
mod feature_text;

use super::Context;
use super::idle_driver::pinned_attempts;
use gatewalk_core::driver::committed_plan::Attempts;
use gatewalk_core::error::Result;
use gatewalk_core::exit::Exit;
use gatewalk_core::model::feature::{Feature, PlannedUnit, Waiting};
use gatewalk_core::model::status_machine::Word as _;
use gatewalk_core::model::status_machine::{FeatureStatus, GateStatus, UnitStatus};
use gatewalk_core::model::unit::{Unit, UnitType, Verdict};
use gatewalk_host::lock::DriverLock;
use gatewalk_host::os::read_in_flight;
use gatewalk_host::state_repository::{Repository, Selected};
use serde_json::{Value, json};

#[derive(clap::Args)]
#[command(after_help = "Examples:\n  gatewalk status\n  gatewalk status FEAT-2026-0042 --json")]
pub(crate) struct Args {
    /// Feature id, directory or path; every feature when absent
    feature: Option<String>,
    /// Show requirement, unit, check, and what the check says on the tip
    #[arg(long)]
    coverage: bool,
    /// Run the checks that were not run on the tip's files yet
    #[arg(long, requires = "coverage")]
    run: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let repository = Repository::open(&context.cwd)?;
    if args.coverage {
        return coverage_table::show(
            &repository,
            context,
            args.feature.as_deref(),
            args.run,
            args.json,
        );
    }
    let (shown, detailed) = match &args.feature {
        Some(name) => (vec![repository.select(Some(name))?], true),
        None => {
            let all = repository.features()?;
            let live = all
                .iter()
                .filter(|f| f.feature().plan.status() == FeatureStatus::Active)
                .count();
            (all, live <= 1)
        }
    };
    let driver = DriverLock::holder(&repository.git.state_dir().join("lock"));
    let rows = rows(&repository, context, &shown)?;
    let drafted = repository.uncommitted_features();
    if args.json {
        context.out.json(&json!({
            "driver": driver.as_ref().map(|d| json!({"pid": d.pid, "host": d.host, "feature": d.feature, "started_at": d.started_at})),
            "features": rows,
            "uncommitted": drafted,
        }));
        return Ok(Exit::Success);
    }
    let mut lines = Vec::new();
    if let Some(d) = driver {
        lines.push(format!(
            "a driver is at work: pid {} on {}, {}, since {}",
            d.pid, d.host, d.feature, d.started_at
        ));
    }
    if rows.is_empty() && drafted.is_empty() {
        lines.push("no features yet; `gatewalk new feature \"TITLE\"` writes one".to_owned());
    }
    for (selected, row) in shown.iter().zip(&rows) {
        let open = args.feature.is_some()
            || (detailed && selected.feature().plan.status() == FeatureStatus::Active);
        feature_text::print(&mut lines, selected, row, open);
    }
    for directory in drafted {
        lines.push(format!(
            "{directory} is not committed, so nothing runs it; next: gatewalk lint, then git add {} && git commit",
            repository.layout.dir()
        ));
    }
    context.out.line(lines.join("\n"));
    Ok(Exit::Success)
}

/// Returns what `status --json` says of each feature.
pub(super) fn rows(
    repository: &Repository,
    context: &Context,
    shown: &[Selected],
) -> Result<Vec<Value>> {
    let state = repository.git.state_dir();
    let running = match DriverLock::holder(&state.join("lock")) {
        Some(_) => read_in_flight(&state)?,
        None => vec![],
    };
    let attempts = attempts(repository, context, shown)?;
    let edited: Vec<String> = repository
        .uncommitted(repository.layout.dir())?
        .iter()
        .map(|path| path.to_text().into_owned())
        .collect();
    Ok(shown
        .iter()
        .map(|f| row(f, &attempts, &running, &edited))
        .collect())
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
    running: &[gatewalk_core::driver::ports::InFlight],
    edited: &[String],
) -> Value {
    let feature = selected.feature();
    let statuses = feature.statuses();
    let units = feature.members().map(|m| {
        unit_row(
            &m,
            feature.waiting_among(&m, &statuses),
            (feature, attempts),
            running,
        )
    });
    let units: Vec<Value> = units.collect();
    let gates: Vec<Value> = (0..feature.plan.gates.len())
        .map(|g| json!({"gate": feature.gate_number(g), "status": feature.gate_status(g).to_string(), "units": feature.members_of(g).count()}))
        .collect();
    let own = format!("{}/", selected.dir);
    let uncommitted = edited.iter().filter(|path| path.starts_with(&own)).count();
    json!({
        "feature": feature.name(),
        "title": feature.plan.front.title.as_ref().map(|t| t.value.clone()),
        "status": feature.plan.status().to_string(),
        "branch": selected.branch,
        "branch_exists": selected.exists,
        "commit": selected.commit,
        "uncommitted_plan_files": uncommitted,
        "hooks": selected.workspace.config.hooks().word(),
        "isolation": attempts.last_isolation(feature),
        "gates": gates,
        "units": units,
        "next": next(feature),
    })
}

fn unit_row(
    m: &PlannedUnit<'_>,
    waiting: Vec<Waiting>,
    (feature, attempts): (&Feature, &Attempts),
    running: &[gatewalk_core::driver::ports::InFlight],
) -> Value {
    let waiting = waiting.into_iter().map(|w| match w {
        Waiting::On(id) => id,
        Waiting::OnAbandoned(id) => format!("{id} (abandoned)"),
        Waiting::OnUnknown(id) => format!("{id} (unknown)"),
    });
    let waiting: Vec<String> = waiting.collect();
    let cost = m.unit.map_or(0.0, Unit::lifetime_cost_usd);
    let why = m.unit.and_then(|u| u.front.escalation_reason.as_ref());
    json!({
        "id": m.id(),
        "gate": feature.gate_number(m.gate),
        "title": m.unit.map(Unit::title),
        "type": m.unit_type().to_string(),
        "status": m.status().to_string(),
        "running": running.iter().any(|r| r.unit == m.id()),
        "waiting_for": if m.status().is_settled() { vec![] } else { waiting },
        "attempts": attempts.charged.get(m.id()).map_or(0, Vec::len),
        "cost_usd": if cost > 0.0 { json!(cost) } else { Value::Null },
        "why": why.map(|r| r.value.clone()),
    })
}

/// Returns the command to run next.
fn next(feature: &Feature) -> Option<String> {
    let name = feature.name();
    match feature.plan.status() {
        FeatureStatus::Planned => return Some(format!("gatewalk arm {name}")),
        FeatureStatus::Active => {}
        _ => return None,
    }
    let gate = feature.current_gate()?;
    if feature.gate_status(gate) == GateStatus::AwaitingReview {
        let not_met = feature.terminal_gate() == Some(gate)
            && feature.members_of(gate).any(|m| {
                let verdict = m.unit.and_then(|u| u.front.verdict.as_ref());
                m.unit_type() == UnitType::Close
                    && verdict.is_some_and(|v| v.value == Verdict::NotMet)
            });
        if not_met {
            return Some(format!(
                "gatewalk new gate \"…\" --feature {name}   (the verdict is not_met; `gatewalk review` lists the follow-ups)"
            ));
        }
        return Some(format!("gatewalk arm {name}"));
    }
    if !feature
        .frontier(gate)
        .iter()
        .all(|m| m.unit_type() == UnitType::Human)
    {
        return Some(format!("gatewalk loop --feature {name}"));
    }
    if let Some(human) = feature.frontier(gate).first() {
        return Some(format!("gatewalk done {} --evidence \"…\"", human.id()));
    }
    let blocked = feature
        .members_of(gate)
        .find(|m| m.status() == UnitStatus::BlockedHuman);
    if let Some(unit) = blocked {
        return Some(format!("gatewalk unblock {} --reason \"…\"", unit.id()));
    }
    let draft = feature
        .members_of(gate)
        .any(|m| m.status() == UnitStatus::Draft);
    Some(if draft {
        format!("gatewalk arm {name}")
    } else {
        format!("gatewalk loop --feature {name}")
    })
}
