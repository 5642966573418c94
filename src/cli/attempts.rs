//! `gatewalk attempts`: what was tried, what it left, and how to get it back.

mod attempt_diff;
mod kept_attempt;
mod live_output;
pub(super) mod prune;
mod record;
mod recover_attempt;
pub(super) mod session_log;
mod shown_attempt;

use super::Context;
use super::made_elsewhere::{fetch_them, made_elsewhere};
use super::unit_command::{OpenFeature, ViewArgs};
use clap::Subcommand;
use gatewalk_core::driver::committed_plan::Attempts;
use gatewalk_core::engine::attempt_record::AttemptRecord;
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::feature::PlannedUnit;
use gatewalk_core::model::money::usd;
use gatewalk_core::model::recorded_word::RecordedWord;
use kept_attempt::{AttemptNumber, KeptAttempt};
use recover_attempt::recover;
use serde_json::json;
pub(super) use shown_attempt::judgement_lines;
use shown_attempt::{ShownParts, show};
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gatewalk attempts list\n  gatewalk attempts show FEAT-2026-0042/T03\n  gatewalk attempts show T03 --follow\n  gatewalk attempts show T03 --diff | delta\n  gatewalk attempts recover FEAT-2026-0042/T03 2\n  gatewalk attempts record --to sessions\n  gatewalk attempts --prune --keep 1 --older-than 90d",
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true
)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: Option<AttemptsCommand>,
    #[command(flatten)]
    prune: prune::Prune,
}

#[derive(Subcommand)]
enum AttemptsCommand {
    /// List the attempts of a feature, or of one unit
    List {
        /// The unit; all of the feature when absent
        unit: Option<String>,
        #[command(flatten)]
        common: ViewArgs,
    },
    /// Show one attempt: how it ended, what the commands said, its diff
    Show {
        /// The unit
        unit: String,
        /// The attempt's number; the last when absent
        number: Option<u32>,
        /// One that cost its unit no attempt: interrupted, or stopped by the agent's own troubles
        #[arg(long)]
        uncharged: bool,
        /// Also print the prompt
        #[arg(long)]
        prompt: bool,
        /// Its diff, all of it and nothing else; with `--json`, also its diff
        #[arg(long)]
        diff: bool,
        /// Of the diff, this file
        #[arg(long, value_name = "PATH", requires = "diff")]
        file: Option<String>,
        /// With `--json`, also what the session said and did, and the end of what each command printed
        #[arg(long, requires = "json")]
        transcript: bool,
        /// Print what the session says and does, while it runs too
        #[arg(long, conflicts_with_all = ["prompt", "diff", "transcript"])]
        follow: bool,
        #[command(flatten)]
        common: ViewArgs,
    },
    /// Write attempts as sessions that `loop --agent script:DIR` replays
    Record(record::Args),
    /// Make a branch of what an attempt left, without touching your checkout
    Recover {
        /// The unit
        unit: String,
        /// The attempt's number; the last when absent
        number: Option<u32>,
        /// One that cost its unit no attempt
        #[arg(long)]
        uncharged: bool,
        /// The branch to make
        #[arg(long)]
        branch: Option<String>,
        /// Also check it out, in a new worktree here
        #[arg(long, value_name = "DIR")]
        worktree: Option<PathBuf>,
        #[command(flatten)]
        common: ViewArgs,
    },
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    match &args.what {
        Some(what) => run_command(what, context),
        None if args.prune.prune => prune::run(&args.prune, context),
        None => Err(Error::usage("no subcommand").hint("`gatewalk attempts list`")),
    }
}

fn run_command(what: &AttemptsCommand, context: &Context) -> Result<Exit> {
    match what {
        AttemptsCommand::List { unit, common } => list(context, common, unit.as_deref()),
        AttemptsCommand::Show {
            unit,
            number,
            follow: true,
            common,
            ..
        } => {
            let (unit, number) = unit_and_number(unit, *number);
            live_output::run(context, common, unit, number)
        }
        AttemptsCommand::Show {
            unit,
            number,
            uncharged,
            prompt,
            diff,
            file,
            transcript,
            common,
            ..
        } => {
            let query = AttemptQuery::new(common, unit, (*number, *uncharged));
            let parts = ShownParts {
                prompt: *prompt,
                diff: *diff,
                file: file.as_deref(),
                transcript: *transcript,
            };
            show(context, &query, &parts)
        }
        AttemptsCommand::Recover {
            unit,
            number,
            uncharged,
            branch,
            worktree,
            common,
        } => {
            let query = AttemptQuery::new(common, unit, (*number, *uncharged));
            recover(context, &query, (branch.as_deref(), worktree.as_deref()))
        }
        AttemptsCommand::Record(args) => record::run(args, context),
    }
}

/// Returns a unit and the number of one of its attempts, which may stand behind the unit as in the names of the refs that keep
/// attempts.
fn unit_and_number(unit: &str, number: Option<u32>) -> (&str, Option<u32>) {
    let behind = unit.rsplit_once('/');
    let behind = behind.and_then(|(unit, last)| Some((unit, last.parse().ok()?)));
    match (number, behind) {
        (None, Some((unit, number))) => (unit, Some(number)),
        _ => (unit, number),
    }
}

/// Which attempt is meant.
struct AttemptQuery<'a> {
    common: &'a ViewArgs,
    unit: &'a str,
    number: AttemptNumber,
}

impl<'a> AttemptQuery<'a> {
    fn new(common: &'a ViewArgs, unit: &'a str, (number, uncharged): (Option<u32>, bool)) -> Self {
        let (unit, number) = unit_and_number(unit, number);
        let number = match uncharged {
            true => AttemptNumber::Uncharged(number),
            false => AttemptNumber::Charged(number),
        };
        AttemptQuery {
            common,
            unit,
            number,
        }
    }

    fn open<'c>(&self, context: &'c Context) -> Result<OpenFeature<'c>> {
        OpenFeature::read(context, self.common.feature.as_deref(), Some(self.unit))
    }
}

fn outcome(a: &AttemptRecord) -> String {
    match &a.judgement {
        None => "not judged yet".to_owned(),
        Some(j) if j.passed() => "passed".to_owned(),
        Some(j) => format!(
            "failed ({})",
            j.failure_class().map_or("unknown", RecordedWord::text)
        ),
    }
}

/// Returns a line for each unit whose attempts are kept by another clone.
fn units_made_elsewhere(units: &[PlannedUnit<'_>], attempts: &Attempts) -> Vec<String> {
    let line = |m: &PlannedUnit<'_>| {
        let here = attempts
            .charged
            .get(m.id())
            .map_or(&[][..], |all| all.as_slice());
        Some(format!("{:<28} {}", m.id(), made_elsewhere(m.unit, here)?))
    };
    units.iter().filter_map(line).collect()
}

fn list(context: &Context, common: &ViewArgs, unit: Option<&str>) -> Result<Exit> {
    let opened = OpenFeature::read(context, common.feature.as_deref(), unit)?;
    let units: Vec<PlannedUnit<'_>> = match unit {
        Some(name) => vec![opened.unit(name)?],
        None => opened.feature().members().collect(),
    };
    let mut attempts = opened.attempts()?;
    let is_listed = |id: &str| units.iter().any(|m| m.id() == id);
    attempts.uncharged.retain(|id, _| is_listed(id));
    let listed: Vec<&AttemptRecord> = units
        .iter()
        .filter_map(|m| attempts.charged.get(m.id()))
        .flat_map(|all| all.iter())
        .collect();
    let mut free = kept_attempt::uncharged(&opened, opened.feature())?;
    free.retain(|kept| is_listed(&kept.record.unit));
    if common.json {
        context
            .out
            .json(&json!({"attempts": listed, "uncharged": attempts.uncharged, "uncharged_attempts": free.iter().map(|kept| &kept.record).collect::<Vec<_>>()}));
        return Ok(Exit::Success);
    }
    let elsewhere = units_made_elsewhere(&units, &attempts);
    if listed.is_empty() && free.is_empty() && elsewhere.is_empty() {
        context.out.line("no attempts yet");
    }
    if !elsewhere.is_empty() {
        context.out.note(fetch_them());
    }
    elsewhere.into_iter().for_each(|line| context.out.row(line));
    let charged = listed.into_iter().map(charged_row);
    let rows = charged.chain(free.iter().map(uncharged_row));
    rows.for_each(|row| context.out.row(row));
    Ok(Exit::Success)
}

fn charged_row(a: &AttemptRecord) -> String {
    let cost = a.figures.cost_usd.map_or("cost unknown".to_owned(), usd);
    format!(
        "{:<28} #{}  {:<24} {:>8.1}s  {cost}  {}",
        a.unit,
        a.number,
        outcome(a),
        a.figures.duration_seconds,
        sanitize(&a.agent),
    )
}

fn uncharged_row(kept: &KeptAttempt) -> String {
    let a = &kept.record;
    format!(
        "{:<28} uncharged #{}  {:<14} {:>8.1}s  {}  {}",
        a.unit,
        kept.number,
        a.session.class,
        a.figures.duration_seconds,
        kept.kept_at,
        sanitize(&a.agent),
    )
}
