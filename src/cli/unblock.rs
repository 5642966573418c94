//! `gatewalk unblock`: send a parked unit back to work, with a reason.

use super::Context;
use super::unit_command::{Common, OpenFeature, one_line};
use gatewalk_core::engine::diff_scope::{self, DiffScope};
use gatewalk_core::engine::events;
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::engine::guards::glob;
use gatewalk_core::engine::next_steps::repeated_failure;
use gatewalk_core::engine::oracle::{self, OracleRequest};
use gatewalk_core::engine::trailers::{self, Trailer};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::lint::paths;
use gatewalk_core::model::edit;
use gatewalk_core::model::feature::PlannedUnit;
use gatewalk_core::model::unit::Unit;
use gatewalk_core::object_id::ObjectId;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  gatewalk unblock FEAT-2026-0042/T03 --reason \"the API key is in .env now\"\n  gatewalk unblock FEAT-2026-0042/T03 --reason \"the page belongs to it\" --widen docs/cart.md"
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
    /// Add these paths or globs to the unit's `touches`; without any, those that its last session asked for
    #[arg(long, value_name = "PATH", num_args = 0..)]
    widen: Option<Vec<String>>,
    #[command(flatten)]
    common: Common,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let reason = one_line("`--reason`", &args.reason)?;
    let mut opened = OpenFeature::open(context, &args.common, Some(&args.unit))?;
    opened.refuse_over()?;
    let id = opened.unit(&args.unit)?.id().to_owned();
    let changed = args
        .changed
        .as_ref()
        .map(|text| one_line("`--changed`", text))
        .transpose()?;
    if changed.is_none() && args.widen.is_none() {
        refuse_the_same_again(&opened, &id)?;
    }
    let widened = match &args.widen {
        Some(paths) => widen(&mut opened, &id, paths)?,
        None => None,
    };
    let reason = widened.map_or(reason.clone(), |touches| {
        format!("{reason}; may touch {touches}")
    });
    let reason = changed.map_or(reason.clone(), |changed| {
        format!("{reason}; changed: {changed}")
    });
    let commit = send_back(&mut opened, &id, &reason)?;
    opened.done(args.common.json, &format!("{id} is pending again"), commit);
    Ok(Exit::Success)
}

/// Commits that a parked unit goes on, and why.
pub(super) fn send_back(opened: &mut OpenFeature<'_>, id: &str, reason: &str) -> Result<ObjectId> {
    let now = opened.now.clone();
    let subject = format!("Unblock {id}");
    let message = trailers::message(&subject, reason, &[(Trailer::Unblocked, id)]);
    opened.commit(&message, |books, _| {
        let event = events::verb(
            id,
            &now,
            "re_arm_dispatched",
            serde_json::json!({"reason": reason}),
        );
        books.unblock(id, reason, event)
    })
}

/// Writes a wider `touches` into the unit, and returns it; nothing where the unit has no limit.
fn widen(opened: &mut OpenFeature<'_>, id: &str, paths: &[String]) -> Result<Option<String>> {
    let asked = match paths {
        [] => last_asked(opened, id)?,
        named => named.to_vec(),
    };
    refuse_outside(&asked)?;
    let member = opened.unit(id)?;
    let scope = member.unit.map_or(DiffScope::Unstated, DiffScope::of);
    let DiffScope::Within(touches) = scope else {
        return Ok(None);
    };
    let touches = diff_scope::widened(&touches, &asked);
    let message = format!("Widen what {id} may touch\n");
    opened.commit(&message, |_, feature| {
        let unit = feature.member(id).and_then(|m| m.unit);
        let unit = unit.ok_or_else(|| Error::plan(format!("{id} has no file")))?;
        let text = edit::set_raw(&unit.doc.text, "touches", &touches)
            .map_err(|e| Error::plan(format!("`{}`", unit.path())).with_source(e))?;
        Ok(vec![(unit.path().to_string(), text)])
    })?;
    Ok(Some(touches))
}

/// Returns what the last session of a unit asked for.
fn last_asked(opened: &OpenFeature<'_>, id: &str) -> Result<Vec<String>> {
    let attempts = opened.attempts()?;
    let last = attempts.charged.get(id).and_then(|all| all.last());
    let asked = last.map_or_else(Vec::new, |last| last.session.widen_touches.clone());
    match asked.is_empty() {
        true => Err(
            Error::usage(format!("no session of {id} asked for more")).hint(format!(
                "name it: `gatewalk unblock {id} --reason \"…\" --widen PATH`"
            )),
        ),
        false => Ok(asked),
    }
}

/// Refuses what is no path or glob inside the repository.
pub(super) fn refuse_outside(paths: &[String]) -> Result<()> {
    match paths.iter().find(|path| is_outside(path)) {
        None => Ok(()),
        Some(wrong) => Err(Error::usage(format!(
            "`{}` is no path or glob inside the repository",
            sanitize(wrong)
        ))),
    }
}

fn is_outside(path: &str) -> bool {
    path.trim().is_empty()
        || paths::is_absolute(path)
        || paths::leaves(path)
        || glob(path).is_none()
}

/// After a repeated failure another attempt must have a reason to differ: the unit, the oracle, or
/// something outside that only the user knows.
fn refuse_the_same_again(opened: &OpenFeature<'_>, id: &str) -> Result<()> {
    let member = opened.unit(id)?;
    let Some(unit) = member.unit else {
        return Ok(());
    };
    let attempts = opened.attempts()?;
    let tried = attempts
        .charged
        .get(id)
        .map_or(&[][..], |all| all.as_slice());
    let Some(times) = repeated_failure(opened.feature(), &member, tried) else {
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
    [false, true].into_iter().any(|closing_gate| {
        oracle::resolve(&OracleRequest {
            verification: &opened.selected.workspace.verification,
            feature: opened.feature(),
            gate: member.gate,
            unit,
            closing_gate,
        })
        .is_ok_and(|commands| oracle::hash(&commands) == recorded)
    })
}
