//! What keeps a gate from being armed.

use crate::cli::unit_command::OpenFeature;
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::engine::{coverage, questions};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::feature::Feature;
use gatewalk_core::model::unit::Unit;

/// Refuses drafts in which something was left to be filled in: as work they would stop every run.
pub(super) fn refuse_unfilled(opened: &OpenFeature<'_>, units: &[String]) -> Result<()> {
    let left = |id: &&String| {
        let member = opened.feature().find_unit(id);
        let unit = member.and_then(|member| member.unit);
        unit.is_some_and(Unit::is_unfilled)
    };
    let unfilled: Vec<&str> = units.iter().filter(left).map(String::as_str).collect();
    if unfilled.is_empty() {
        return Ok(());
    }
    let names = unfilled.join(", ");
    Err(
        Error::plan(format!("something was left to be filled in: {names}"))
            .hint(format!(
                "`gatewalk lint {}` shows the places",
                opened.selected.dir
            ))
            .hint("nothing was armed"),
    )
}

/// A question that blocks must be answered before anything runs on top of it.
pub(super) fn refuse_open_questions(feature: &Feature) -> Result<()> {
    let open: Vec<_> = questions::open(feature)
        .into_iter()
        .filter(|q| q.blocking)
        .collect();
    if open.is_empty() {
        return Ok(());
    }
    let mut error = Error::plan(format!(
        "{} has open questions that block arming",
        feature.name()
    ));
    for question in open {
        error = error.hint(sanitize(&question.text));
    }
    Err(error.hint("`gatewalk answer` lists and answers them"))
}

/// A feature is not finished while a requirement is not shown on the tip's files.
pub(super) fn refuse_uncovered(opened: &OpenFeature<'_>) -> Result<()> {
    let commit = opened.selected.commit;
    let rows = opened.ask(|driver| driver.coverage_at(&commit))?;
    let gaps = coverage::gaps(&rows);
    if gaps.is_empty() {
        return Ok(());
    }
    let name = opened.feature().name();
    let mut error = Error::plan(format!("not every requirement of {name} is shown"));
    for gap in &gaps {
        error = error.hint(sanitize(&format!("{}: {}", gap.requirement, gap.why)));
    }
    if rows.iter().any(coverage::RequirementCoverage::is_not_run) {
        error = error.hint(format!(
            "`gatewalk status --coverage --run {name}` runs what was not run"
        ));
    }
    Err(error
        .hint(format!(
            "`gatewalk new gate \"…\" --feature {name}` for a unit with a check for each"
        ))
        .hint("or write `(deferred: why)` behind the requirement in PLAN.md and commit it"))
}
