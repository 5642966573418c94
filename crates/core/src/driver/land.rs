//! Commits of a unit: landing and parking. Each places all of its changes by one compare-and-swap of the
//! branch; before it nothing happened, after it everything has.

use super::committed_plan::{CommittedPlan, attempt_ref};
use super::driver_event::DriverEvent;
use super::landing_train::AttemptName;
use super::plan_commit::{place, place_edit};
use super::ports::{CommitRequest, MergeOutcome};
use super::run_loop::{Driver, UnseenLanding};
use crate::engine::attempt_record::{AttemptRecord, Judgement};
use crate::engine::bookkeeping::Books;
use crate::engine::changed_file::ChangedPath;
use crate::engine::evidence::sanitize;
use crate::engine::park_reason::ParkReason;
use crate::engine::trailers::{self, Trailer};
use crate::error::{Error, Result};
use crate::model::layout;
use crate::model::short_title::cut_to;
use crate::model::unit::Unit;
use crate::object_id::ObjectId;
use crate::path_names::is_below;
use std::sync::Arc;

/// Lands a passed attempt: its tree, its unit's status, figures and events, in one commit.
pub(super) fn land(driver: &Driver<'_>, id: &str, number: u32) -> Result<()> {
    let record = driver.cache().attempts.get(id, number).cloned();
    let record = record.ok_or_else(|| Error::internal(format!("no attempt {number} of {id}")))?;
    let judgement = record
        .judgement
        .clone()
        .ok_or_else(|| Error::internal("landing before judging".to_owned()))?;
    let tip = driver.tip()?;
    let tree = match fit(driver, &record, &judgement, &tip)? {
        TipFit::Fits(tree) => tree,
        TipFit::JudgeAgain => {
            judge_again(driver, record);
            return Ok(());
        }
        TipFit::Collides(paths) => return driver.set_aside_collided(record, &tip, paths),
    };
    let plan = driver.plan_at(&tip)?;
    let (_, unit) = plan.unit(id)?;
    let attempts = attempts_of(driver, id, unit);
    let attempts: Vec<&AttemptRecord> = attempts.iter().collect();
    let now = driver.machine.now().to_string();
    let session_text = text_at(driver, &judgement.tree, unit)?;
    let edits = books(driver, &plan, &now).land(id, &attempts, session_text.as_deref())?;
    let message = landing_message(&unit.title(), &record, attempts.len(), &judgement.oracle);
    let landing = CommitRequest {
        tree,
        parent: tip,
        message: &message,
    };
    let Some((commit, followed)) = place(driver, &landing, edits)? else {
        return Ok(());
    };
    let unit = id.to_owned();
    driver.leave_to_idle(UnseenLanding {
        unit: unit.clone(),
        base: tip,
        commit,
    })?;
    note_landed(driver, (unit.clone(), number));
    driver.report(DriverEvent::Landed {
        unit,
        commit,
        kept: followed.kept,
        notices: judgement.notices,
    });
    Ok(())
}

/// Takes an attempt out of what is to land.
fn note_landed(driver: &Driver<'_>, attempt: AttemptName) {
    let mut cache = driver.cache();
    Arc::make_mut(&mut cache.landed).push(attempt.0.as_str().into());
    cache.base.remove(&attempt.0);
    cache.train.land(&attempt);
    cache.stands_on.remove(&attempt.0);
}

/// How judged work stands to the tip it is to land on.
enum TipFit {
    /// This tree lands: what was judged, joined with what landed meanwhile.
    Fits(ObjectId),
    /// What landed meanwhile may change the verdict.
    JudgeAgain,
    /// Both changed these paths.
    Collides(Vec<String>),
}

fn fit(
    driver: &Driver<'_>,
    record: &AttemptRecord,
    judgement: &Judgement,
    tip: &ObjectId,
) -> Result<TipFit> {
    let judged_on = judgement.onto.unwrap_or(judgement.base);
    if *tip == judged_on {
        return Ok(TipFit::Fits(judgement.tree));
    }
    let moved = driver.machine.diff(&judged_on, tip)?;
    let rules = rules_of(driver, &record.unit, tip)?;
    let merged = driver.machine.merge(&judged_on, tip, &judgement.tree)?;
    Ok(match (merged, judgement.onto) {
        (MergeOutcome::Clean(tree), _) if !changes_verdict(&moved, driver.layout.dir(), &rules) => {
            TipFit::Fits(tree)
        }
        // With work in it that did not land it does not fit, which says nothing of its own.
        (MergeOutcome::Clean(_), _) | (_, Some(_)) => TipFit::JudgeAgain,
        (MergeOutcome::Conflict(paths), None) => TipFit::Collides(paths),
    })
}

/// Pins a judged attempt: one that passed at the latest with its landing, for the next run judges again what did not land.
pub(super) fn pin_judged(driver: &Driver<'_>, record: &AttemptRecord) -> Result<()> {
    let name = attempt_ref(&record.unit, record.number);
    let message = record.to_message();
    let commit = record_commit(record, &message);
    match record.judgement.as_ref().is_some_and(|j| j.passed()) {
        true => driver.machine.pin_with_landing(&name, &commit),
        false => driver.machine.pin(&name, &commit),
    }
}

/// Pins an attempt under a ref, with its record.
pub(super) fn pin_record(driver: &Driver<'_>, name: &str, record: &AttemptRecord) -> Result<()> {
    let message = record.to_message();
    driver.machine.pin(name, &record_commit(record, &message))
}

fn record_commit<'m>(record: &AttemptRecord, message: &'m str) -> CommitRequest<'m> {
    CommitRequest {
        tree: record.tree,
        parent: record.base,
        message,
    }
}

/// Returns the plan files that say what is run on a unit's work.
pub(super) fn rules_of(driver: &Driver<'_>, id: &str, tip: &ObjectId) -> Result<Vec<String>> {
    let plan = driver.plan_at(tip)?;
    let (member, unit) = plan.unit(id)?;
    let mut rules = vec![
        driver.layout.path(layout::VERIFICATION),
        driver.layout.path(layout::CONFIG),
        unit.path().to_string(),
    ];
    if let Some(file) = plan
        .feature()
        .plan
        .gates
        .get(member.gate)
        .and_then(|gate| gate.file.as_ref())
    {
        rules.push(format!("{}/{}", driver.feature_dir, file.value));
    }
    Ok(rules)
}

/// Makes an attempt one that is yet to be judged, on the branch as it is then.
pub(super) fn judge_again(driver: &Driver<'_>, mut record: AttemptRecord) {
    record.judgement = None;
    let mut cache = driver.cache();
    cache.train.leave(&(record.unit.clone(), record.number));
    cache.stands_on.remove(&record.unit);
    cache.attempts.charge(record);
}

pub(super) fn landing_message(
    title: &str,
    record: &AttemptRecord,
    nth: usize,
    oracle: &str,
) -> String {
    let title: String = sanitize(title)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    trailers::message(
        &subject(&title),
        "",
        &[
            (Trailer::Feature, &record.unit),
            (Trailer::Attempt, &nth.to_string()),
            (Trailer::AttemptId, &record.attempt_id),
            (Trailer::Agent, &record.agent),
            (Trailer::Oracle, oracle),
        ],
    )
}

/// Returns a commit subject of a length that logs show whole.
pub(super) fn subject(title: &str) -> String {
    cut_to(title.trim_start_matches(['#', ' ', '-']), 72).into_owned()
}

/// Hands a unit to a user: one bookkeeping commit.
pub(super) fn park(driver: &Driver<'_>, id: &str, reason: &ParkReason) -> Result<()> {
    let tip = driver.tip()?;
    let plan = driver.plan_at(&tip)?;
    let (_, unit) = plan.unit(id)?;
    let attempts = attempts_of(driver, id, unit);
    let attempts: Vec<&AttemptRecord> = attempts.iter().collect();
    let now = driver.machine.now().to_string();
    let edits = books(driver, &plan, &now).park(id, &attempts, reason)?;
    let why = sanitize(&reason.sentence()).replace('\n', " ");
    let subject = format!("Park {id}: {}", reason.cause());
    let message = trailers::message(&subject, &why, &[(Trailer::Parked, id)]);
    if place_edit(driver, &plan, edits, &message)?.is_some() {
        driver.report(DriverEvent::Parked {
            unit: id.to_owned(),
            why,
        });
    }
    Ok(())
}

/// Returns a unit's file as a tree has it.
pub(super) fn text_at(driver: &Driver<'_>, tree: &ObjectId, unit: &Unit) -> Result<Option<String>> {
    let bytes = driver.machine.file_at(tree, unit.path())?;
    Ok(bytes.map(|b| String::from_utf8_lossy(&b).into_owned()))
}

pub(super) fn attempts_of(driver: &Driver<'_>, id: &str, unit: &Unit) -> Vec<AttemptRecord> {
    let cache = driver.cache();
    let all = cache
        .attempts
        .charged
        .get(id)
        .map_or(&[][..], |all| all.as_slice());
    all.iter().filter(|a| a.belongs_to(unit)).cloned().collect()
}

pub(super) fn books<'p>(driver: &Driver<'_>, plan: &'p CommittedPlan, now: &'p str) -> Books<'p> {
    Books {
        layout: driver.layout,
        feature: plan.feature(),
        roadmap: plan.workspace.roadmap.as_ref(),
        now,
    }
}

/// Returns true when a diff changes what a verdict rests on: anything outside the state directory, or one of the plan
/// files that say what is run.
pub(super) fn changes_verdict(changes: &[ChangedPath], state_dir: &str, rules: &[String]) -> bool {
    changes
        .iter()
        .any(|c| !is_below(&c.path, state_dir) || rules.contains(&c.path))
}

#[cfg(test)]
mod tests;
