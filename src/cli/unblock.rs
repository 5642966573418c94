//! `gatewalk unblock`: send a parked unit back to work, with a reason.

use super::Context;
use super::unit_command::{Common, OpenFeature, one_line};
use gatewalk_core::engine::events;
use gatewalk_core::engine::next_steps::repeated_failure;
use gatewalk_core::engine::oracle;
use gatewalk_core::engine::trailers::{self, Trailer};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::feature::PlannedUnit;
use gatewalk_core::model::unit::Unit;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  gatewalk unblock FEAT-2026-0042/T03 --reason \"the API key is in .env now\""
)]
pub(crate) struct Args {
    /// The unit: its id, or `T03` with one active feature
    unit: String,
    /// Why another attempt is worth it
    #[arg(long)]
    reason: String,
    /// After a repeated failure: what is different now
    #[arg(long)]
    changed: Option<String>,
    #[command(flatten)]
    common: Common,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let reason = one_line("reason", &args.reason)?;
    let mut opened = OpenFeature::open(context, &args.common, Some(&args.unit))?;
    opened.refuse_over()?;
    let id = opened.unit(&args.unit)?.id().to_owned();
    let changed = args
        .changed
        .as_ref()
        .map(|text| one_line("changed", text))
        .transpose()?;
    if changed.is_none() {
        refuse_the_same_again(&opened, &id)?;
    }
    let reason = changed.map_or(reason.clone(), |changed| {
        format!("{reason}; changed: {changed}")
    });
    let now = opened.now.clone();
    let subject = format!("Unblock {id}");
    let message = trailers::message(&subject, &reason, &[(Trailer::Unblocked, &id)]);
    let commit = opened.commit(&message, |books, _| {
        let event = events::verb(
            &id,
            &now,
            "re_arm_dispatched",
            serde_json::json!({"reason": reason}),
        );
        books.unblock(&id, &reason, event)
    })?;
    opened.done(args.common.json, &format!("{id} is pending again"), commit);
    Ok(Exit::Success)
}

/// After a repeated failure another attempt must have a reason to differ: the unit, the oracle, or
/// something outside that only the user knows.
fn refuse_the_same_again(opened: &OpenFeature<'_>, id: &str) -> Result<()> {
    let member = opened.unit(id)?;
    let Some(unit) = member.unit else {
        return Ok(());
    };
    let attempts = opened.attempts()?;
    let tried = attempts.charged.get(id).map_or(&[][..], Vec::as_slice);
    let Some(times) = repeated_failure(unit, tried) else {
        return Ok(());
    };
    let judged_by = tried.last().and_then(|a| a.judgement.as_ref());
    if judged_by.is_some_and(|j| !is_judged_alike(opened, &member, unit, &j.oracle)) {
        return Ok(());
    }
    Err(Error::plan(format!(
        "{id} failed {times} times in the same way, and the unit and its commands are as they were"
    ))
    .hint(format!(
        "say what is different now: `gatewalk unblock {id} --reason \"…\" --changed \"…\"`"
    ))
    .hint(format!(
        "or change the unit first; `gatewalk why {id}` shows what failed"
    )))
}

/// Returns true when the commands that would judge a unit now are those of a recorded hash, before or at its gate's end.
fn is_judged_alike(
    opened: &OpenFeature<'_>,
    member: &PlannedUnit<'_>,
    unit: &Unit,
    recorded: &str,
) -> bool {
    let verification = &opened.selected.workspace.verification;
    [false, true].into_iter().any(|at_the_end| {
        oracle::resolve(
            verification,
            opened.feature(),
            member.gate,
            unit,
            at_the_end,
        )
        .is_ok_and(|commands| oracle::hash(&commands) == recorded)
    })
}
