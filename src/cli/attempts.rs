//! `gatewalk attempts`: what was tried, what it left, and how to get it back.

mod attempt_diff;
mod kept_attempt;
mod live_output;
pub(super) mod prune;
mod record;
mod recover_attempt;
pub(super) mod session_log;

use super::Context;
use super::unit_command::{OpenFeature, ViewArgs};
use clap::Subcommand;
use gatewalk_core::engine::attempt_record::{AttemptRecord, CommandResult, Judgement, SessionEnd};
use gatewalk_core::engine::evidence::{one_line, sanitize};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::money::usd;
use gatewalk_core::model::recorded_word::RecordedWord;
use gatewalk_host::os::log_dir;
use kept_attempt::{AttemptNumber, KeptAttempt, find};
use recover_attempt::recover;
use serde_json::{Value, json};
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
    /// List the attempts of a feature
    List {
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
        /// With `--json`, also what the session said and did
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
        AttemptsCommand::List { common } => list(context, common),
        AttemptsCommand::Show {
            unit,
            number,
            follow: true,
            common,
            ..
        } => live_output::run(context, common, unit, *number),
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

/// What of an attempt is shown besides its record.
struct ShownParts<'a> {
    prompt: bool,
    diff: bool,
    /// Of the diff, this file alone.
    file: Option<&'a str>,
    transcript: bool,
}

/// Which attempt is meant.
struct AttemptQuery<'a> {
    common: &'a ViewArgs,
    unit: &'a str,
    number: AttemptNumber,
}

impl<'a> AttemptQuery<'a> {
    fn new(common: &'a ViewArgs, unit: &'a str, (number, uncharged): (Option<u32>, bool)) -> Self {
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
        Some(j) if j.passed => "passed".to_owned(),
        Some(j) => format!(
            "failed ({})",
            j.failure_class
                .as_ref()
                .map_or("unknown", RecordedWord::text)
        ),
    }
}

fn list(context: &Context, common: &ViewArgs) -> Result<Exit> {
    let opened = OpenFeature::read(context, common.feature.as_deref(), None)?;
    let attempts = opened.attempts()?;
    let of_feature: Vec<&AttemptRecord> = opened
        .feature()
        .members()
        .filter_map(|m| attempts.charged.get(m.id()))
        .flat_map(|all| all.iter())
        .collect();
    let free = kept_attempt::uncharged(&opened, opened.feature())?;
    if common.json {
        context
            .out
            .json(&json!({"attempts": of_feature, "uncharged": attempts.uncharged, "uncharged_attempts": free.iter().map(|kept| &kept.record).collect::<Vec<_>>()}));
        return Ok(Exit::Success);
    }
    if of_feature.is_empty() && free.is_empty() {
        context.out.line("no attempts yet");
    }
    for a in of_feature {
        let cost = a.figures.cost_usd.map_or("cost unknown".to_owned(), usd);
        context.out.row(format!(
            "{:<28} #{}  {:<24} {:>8.1}s  {cost}  {}",
            a.unit,
            a.number,
            outcome(a),
            a.figures.duration_seconds,
            sanitize(&a.agent),
        ));
    }
    for kept in &free {
        let a = &kept.record;
        context.out.row(format!(
            "{:<28} uncharged #{}  {:<14} {:>8.1}s  {}  {}",
            a.unit,
            kept.number,
            a.session.class,
            a.figures.duration_seconds,
            kept.kept_at,
            sanitize(&a.agent),
        ));
    }
    Ok(Exit::Success)
}

fn show(context: &Context, query: &AttemptQuery<'_>, parts: &ShownParts<'_>) -> Result<Exit> {
    let opened = query.open(context)?;
    let (id, kept) = find(&opened, query.unit, query.number)?;
    let a = &kept.record;
    let out = &context.out;
    if query.common.json {
        out.json(&as_json(&opened, &kept, parts)?);
        return Ok(Exit::Success);
    }
    if parts.diff {
        attempt_diff::print_all(out, &opened.repository.git, a, parts.file)?;
        return Ok(Exit::Success);
    }
    let kept_at = &kept.kept_at;
    for line in heading(&id, &kept).into_iter().chain(reported(&a.session)) {
        out.line(line);
    }
    for note in &a.session.notes {
        out.line(format!("  note      {}", one_line(note.text())));
    }
    for line in a.judgement.iter().flat_map(judgement_lines) {
        out.line(line);
    }
    let logs = log_dir(&opened.repository.git.state_dir(), &id, a.number);
    if parts.prompt
        && let Ok(text) = std::fs::read_to_string(logs.join("prompt.md"))
    {
        out.line(format!("\n--- prompt ---\n{}", sanitize(&text)));
    }
    attempt_diff::print_some(out, &opened.repository.git, (a, kept_at))?;
    out.line(format!("\nlogs: {}", logs.display()));
    Ok(Exit::Success)
}

/// Returns the record of an attempt, where it is kept, and what else was asked for; null for what is not kept any more.
fn as_json(opened: &OpenFeature<'_>, kept: &KeptAttempt, parts: &ShownParts<'_>) -> Result<Value> {
    let record = &kept.record;
    let mut value = serde_json::to_value(record).expect("plain data");
    value["kept_at"] = json!(kept.kept_at);
    let state = opened.repository.git.state_dir();
    let logs = log_dir(&state, &record.unit, record.number);
    if parts.prompt {
        value["prompt"] = json!(std::fs::read_to_string(logs.join("prompt.md")).ok());
    }
    if parts.diff {
        let git = &opened.repository.git;
        value["diff"] = attempt_diff::as_json(git, record, parts.file)?;
    }
    if parts.transcript {
        let log = logs.join("session.log");
        let lines = session_log::transcript(opened.context, &record.agent, &log);
        value["transcript"] = json!(lines.ok().map(|(_, lines)| lines));
    }
    Ok(value)
}

/// Which attempt it is, who made it, when, and where it is kept.
fn heading(id: &str, kept: &KeptAttempt) -> Vec<String> {
    let a = &kept.record;
    let model = a.model.as_ref().map(|m| format!(" ({})", sanitize(m)));
    let how = match kept.charged {
        true => outcome(a),
        false => "charged to nobody".to_owned(),
    };
    let queued = a.queued_seconds.filter(|queued| *queued > 0.0);
    let queued = queued.map(|queued| format!(", queued {queued:.1}s before it ran"));
    let queued = queued.unwrap_or_default();
    let there = a
        .runner
        .as_ref()
        .map(|runner| format!("  runner    {}{queued}", sanitize(runner)));
    let mut lines = vec![
        format!("{id}, {}: {how}", kept.name()),
        format!(
            "  agent     {}{}",
            sanitize(&a.agent),
            model.unwrap_or_default()
        ),
        format!(
            "  started   {}, {:.1}s, session {}",
            a.started_at, a.figures.duration_seconds, a.session.class
        ),
    ];
    lines.extend(there);
    lines.push(format!("  base      {}", a.base));
    lines.push(format!("  kept at   {}", kept.kept_at));
    lines
}

/// What the session says of its own work.
fn reported(session: &SessionEnd) -> Vec<String> {
    let line = |name: &str, text: &String| format!("  {name:<9} {}", one_line(text));
    let summary = session.summary.iter().map(|t| line("reports", t));
    let criteria = session.criteria.iter().map(|t| line("criterion", t));
    let follow_ups = session.follow_ups.iter().map(|t| line("follow-up", t));
    let last_words = session.last_words.iter().map(|t| line("last words", t));
    summary
        .chain(last_words)
        .chain(criteria)
        .chain(follow_ups)
        .collect()
}

/// The commands that judged an attempt, what the guards noticed, and the evidence of a failure.
pub(super) fn judgement_lines(j: &Judgement) -> Vec<String> {
    let command = |c: &CommandResult| {
        let exit = match c.exit {
            Some(code) => format!("exit {code}"),
            None => c.note.clone().unwrap_or_default(),
        };
        format!(
            "  {:<8}  {} ({exit}, {:.1}s): {}",
            c.verdict,
            sanitize(&c.name),
            c.seconds,
            sanitize(&c.command)
        )
    };
    let notice = |n: &String| format!("  see       {}", one_line(n));
    let evidence = |e: &String| format!("\n{}", sanitize(e).trim_end());
    let commands = j.commands.iter().map(command);
    let judged_on = j.judged_on.iter();
    let judged_on = judged_on.map(|runner| format!("  judged on {}", sanitize(runner)));
    let lines = judged_on
        .chain(commands)
        .chain(j.notices.iter().map(notice));
    lines.chain(j.evidence.iter().map(evidence)).collect()
}
