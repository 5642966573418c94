//! `gatewalk stats`: attempts, cost, and waste by cause.

mod what_if;

use super::unit_command::FeatureName;
use super::{Context, Out};
use gatewalk_core::engine::evidence::counted;
use gatewalk_core::engine::feature_stats::{self, Stats, Sum};
use gatewalk_core::engine::waiting_time::{StopSum, WaitingTime};
use gatewalk_core::error::Result;
use gatewalk_core::exit::Exit;
use gatewalk_core::model::money::KnownCost;
use gatewalk_host::state_repository::Repository;
use serde_json::json;

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gatewalk stats\n  gatewalk stats --what-if\n  gatewalk stats FEAT-2026-0042 --json"
)]
pub(crate) struct Args {
    #[command(flatten)]
    feature: FeatureName,
    #[command(flatten)]
    what_if: what_if::WhatIf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let repository = Repository::open(&context.cwd)?;
    let shown = match args.feature.get() {
        Some(name) => vec![repository.select(Some(name))?],
        None => repository.features()?,
    };
    if args.what_if.is_asked() {
        return what_if::show(&args.what_if, &context.out, &shown, args.json);
    }
    let all: Vec<Stats> = shown
        .iter()
        .map(|f| feature_stats::of_feature(f.feature()))
        .collect();
    let total = feature_stats::total(&all);
    if args.json {
        context.out.json(&json!({"features": all, "total": total}));
        return Ok(Exit::Success);
    }
    let out = &context.out;
    out.row(format!(
        "{:<18} {:<10} {:>7} {:>9} {:>7} {:>10} {:>10} {:>9} {:>5}",
        "feature", "status", "units", "attempts", "passed", "cost", "wasted", "ceremony", "stops"
    ));
    for s in all.iter().chain((all.len() != 1).then_some(&total)) {
        out.row(row(s));
    }
    print_waste(out, &total);
    print_waiting(out, &total.waiting);
    print_gaps(out, &total);
    Ok(Exit::Success)
}

/// Says what the sums leave out or estimate.
fn print_gaps(out: &Out, total: &Stats) {
    if total.all.estimated_cost > 0 {
        out.note(format!(
            "of {} the cost is an estimate by a list of prices",
            counted(total.all.estimated_cost as usize, "attempt")
        ));
    }
    if total.all.unknown_cost > 0 {
        out.note(format!(
            "of {} the cost is not known; it is not counted as free",
            counted(total.all.unknown_cost as usize, "attempt")
        ));
    }
    if total.witnessed > 0 {
        let (units, places) = (total.witnessed, total.unwitnessed);
        out.line(format!(
            "\nunits looked at for what no check sees: {units}; places found: {places}"
        ));
    }
    if total.unreadable > 0 {
        out.note(format!(
            "{} of the logs could not be read",
            counted(total.unreadable as usize, "line")
        ));
    }
}

fn print_waste(out: &Out, total: &Stats) {
    if total.waste.is_empty() {
        return;
    }
    out.line("\nwaste by cause");
    let mut causes: Vec<(&String, &Sum)> = total.waste.iter().collect();
    causes.sort_by(|(_, a), (_, b)| {
        let known = |sum: &Sum| sum.cost_usd.unwrap_or(0.0);
        let by_cost = known(b).total_cmp(&known(a));
        by_cost.then(b.attempts.cmp(&a.attempts))
    });
    for (cause, sum) in causes {
        out.row(format!(
            "  {:<28} {:>13} {:>10} {:>8.0}s",
            gatewalk_core::engine::evidence::sanitize(cause),
            counted(sum.attempts as usize, "attempt"),
            cost(sum),
            sum.seconds
        ));
    }
}

/// Shows for how long work stood still for the user, by cause and by month.
fn print_waiting(out: &Out, waiting: &WaitingTime) {
    if waiting.all.stops == 0 {
        return;
    }
    out.line(match waiting.stops_per_landing() {
        Some(rate) => format!("\nwaiting for you ({rate:.2} stops for each unit that landed)"),
        None => "\nwaiting for you".to_owned(),
    });
    let line = |name: &str, sum: &StopSum, of_landings: &str| {
        let each = sum.seconds / f64::from(sum.stops.max(1)) / 3600.0;
        out.row(format!(
            "  {:<28} {:>4} stops {:>9.1} h {:>7.1} h each{of_landings}",
            gatewalk_core::engine::evidence::sanitize(name),
            sum.stops,
            sum.seconds / 3600.0,
            each
        ));
    };
    for (cause, sum) in &waiting.causes {
        line(cause, sum, "");
    }
    line("all", &waiting.all, "");
    if waiting.months.len() > 1 {
        for (month, sum) in &waiting.months {
            let landed = waiting.landed.get(month).copied().unwrap_or(0);
            let rate = (landed > 0).then(|| f64::from(sum.stops) / f64::from(landed));
            let rate = rate.map_or(String::new(), |rate| {
                format!(", {rate:.2} for each landing")
            });
            line(month, sum, &rate);
        }
    }
}

fn row(s: &Stats) -> String {
    format!(
        "{:<18} {:<10} {:>7} {:>9} {:>7} {:>10} {:>10} {:>9} {:>5}",
        s.feature,
        s.status,
        format!("{}/{}", s.done, s.units),
        s.all.attempts,
        s.passed,
        cost(&s.all),
        cost(&s.wasted),
        cost(&s.ceremony),
        s.escalations,
    )
}

/// A sum of which some is unknown says so.
fn cost(sum: &Sum) -> String {
    if sum.attempts == 0 {
        return "–".to_owned();
    }
    let cost = KnownCost {
        usd: sum.cost_usd,
        unknown: sum.unknown_cost as usize,
    };
    cost.to_string()
}
