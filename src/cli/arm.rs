//! `gatewalk arm`: pass a reviewed gate and make drafts pending.

use super::Context;
use super::plan_check::refuse_findings;
use super::unit_command::{Common, OpenFeature};
use gatewalk_core::driver::committed_plan::Attempts;
use gatewalk_core::engine::bookkeeping::{Books, FileEdits};
use gatewalk_core::engine::coverage;
use gatewalk_core::engine::events;
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::engine::questions;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::feature::Feature;
use gatewalk_core::model::id::UnitId;
use gatewalk_core::model::status_machine::{
    FeatureStatus, FeatureVerb, GateStatus, GateVerb, UnitStatus, move_feature, move_gate,
};
use gatewalk_core::model::unit::{UnitType, Verdict};

/// Arguments of `arm`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gatewalk arm\n  gatewalk arm FEAT-2026-0042\n  gatewalk arm FEAT-2026-0042/T04 FEAT-2026-0042/T05\n  gatewalk arm --edit"
)]
pub(crate) struct Args {
    /// A feature, or the units to arm; every draft of the current gate when absent
    #[arg(value_name = "FEATURE|UNIT")]
    names: Vec<String>,
    /// Every draft of the gate, which is also what no name means
    #[arg(long)]
    all: bool,
    /// Open the drafts in `$VISUAL` or `$EDITOR` first; what you save is committed and armed
    #[arg(long)]
    edit: bool,
    #[command(flatten)]
    common: Common,
}

/// What an arm will do.
struct ArmPlan {
    pass: Option<usize>,
    units: Vec<String>,
    activate: bool,
    finish: bool,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let unit = args.names.iter().find(|n| UnitId::parse(n).is_some());
    let mut common = Common {
        feature: args.common.feature.clone(),
        ..args.common
    };
    let units: Vec<&String> = match args.names.first() {
        Some(first)
            if unit.is_none()
                && common.feature.is_none()
                && !first.starts_with('T')
                && !first.starts_with('G') =>
        {
            common.feature = Some(first.clone());
            args.names[1..].iter().collect()
        }
        _ => args.names.iter().collect(),
    };
    if common.feature.is_none() && unit.is_none() {
        common.feature = the_one_to_arm(context)?;
    }
    let mut desk = if args.edit {
        edit(context, &mut common, unit.map(String::as_str), &units)?
    } else {
        OpenFeature::open(context, &common, unit.map(String::as_str))?
    };
    refuse_findings(context, &desk.repository, &desk.selected)?;
    refuse_open_questions(desk.feature())?;
    if args.all && !units.is_empty() {
        return Err(Error::usage(
            "`--all` and names of units cannot be used together",
        ));
    }
    let named = units
        .iter()
        .map(|name| Ok(desk.unit(name)?.id().to_owned()))
        .collect::<Result<Vec<_>>>()?;
    let attempts = desk.attempts()?;
    let plan = plan(desk.feature(), &named, &attempts)?;
    if plan.finish {
        refuse_uncovered(&desk)?;
    }
    let name = desk.feature().name();
    let now = desk.now.clone();
    let what = describe(desk.feature(), &plan);
    let message = format!("Arm {name}: {what}\n\nArmed: {name}\n");
    let commit = desk.commit(&message, |books, _| edits(books, &plan, &now))?;
    let next = if plan.finish { "" } else { "gatewalk loop" };
    desk.done(args.common.json, &format!("{name}: {what}"), commit, next);
    Ok(Exit::Success)
}

/// Hands the drafts to the user's editor, in their checkout, and commits what they saved.
fn edit<'c>(
    context: &'c Context,
    common: &mut Common,
    unit: Option<&str>,
    named: &[&String],
) -> Result<OpenFeature<'c>> {
    let desk = OpenFeature::open(context, common, unit)?;
    if let Some(why) = desk.repository.enter_branch(&desk.selected)? {
        return Err(Error::plan(format!(
            "the drafts are on `{}`, which is not checked out: {why}",
            desk.selected.branch
        )));
    }
    let wanted = |id: &str| {
        named.is_empty()
            || named
                .iter()
                .any(|n| desk.feature().find_unit(n).is_some_and(|m| m.id() == id))
    };
    let root = desk.repository.git.work_tree();
    let drafts: Vec<_> = desk
        .feature()
        .members()
        .filter(|m| m.status() == UnitStatus::Draft && wanted(m.id()))
        .filter_map(|m| Some(root.join(&**m.unit?.path())))
        .collect();
    gatewalk_host::user_config::edit(&drafts)?;
    common.commit_plan = true;
    OpenFeature::open(context, common, unit)
}

fn edits(books: &Books<'_>, plan: &ArmPlan, now: &str) -> Result<FileEdits> {
    let name = books.feature.name();
    if plan.finish {
        return books.close_gate(plan.pass.unwrap_or_default(), true);
    }
    let event = events::verb(
        &name,
        now,
        "gate_armed",
        serde_json::json!({
            "passed_gate": plan.pass.map(|g| books.feature.gate_number(g)), "units": plan.units,
        }),
    );
    books.arm(plan.pass, &plan.units, plan.activate, event)
}

/// Without a name: the active feature, else the only one that waits to be armed.
fn the_one_to_arm(context: &Context) -> Result<Option<String>> {
    let repository = gatewalk_host::state_repository::Repository::open(&context.cwd)?;
    let features = repository.features()?;
    let with = |status: FeatureStatus| -> Vec<String> {
        features
            .iter()
            .filter(|f| f.feature().plan.status() == status)
            .map(|f| f.feature().name())
            .collect()
    };
    let active = with(FeatureStatus::Active);
    let candidates = if active.is_empty() {
        with(FeatureStatus::Planned)
    } else {
        active
    };
    match &candidates[..] {
        [] => Ok(None),
        [one] => Ok(Some(one.clone())),
        _ => Err(Error::plan(format!(
            "several features can be armed: {}",
            candidates.join(", ")
        ))
        .hint("say which: `gatewalk arm FEATURE`")),
    }
}

/// A question that blocks must be answered before anything runs on top of it.
fn refuse_open_questions(feature: &Feature) -> Result<()> {
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

fn plan(feature: &Feature, named: &[String], attempts: &Attempts) -> Result<ArmPlan> {
    let activate = match feature.plan.status() {
        FeatureStatus::Active => false,
        FeatureStatus::Planned => true,
        other => {
            let legal = move_feature(other, FeatureVerb::Activate);
            let why = legal.map_or_else(|e| e.to_string(), |to| to.to_string());
            return Err(Error::plan(format!(
                "{}: there is nothing to arm: {why}",
                feature.name()
            )));
        }
    };
    let Some(gate) = feature.current_gate() else {
        let last = feature.plan.gates.len().saturating_sub(1);
        return Err(
            Error::plan(format!("every gate of {} is passed", feature.name()))
                .hint(why_not_passed(feature, last)),
        );
    };
    let reviewed = feature.gate_status(gate) == GateStatus::AwaitingReview;
    let terminal = feature.terminal_gate() == Some(gate);
    if reviewed && terminal {
        refuse_not_met(feature, gate)?;
        return Ok(ArmPlan {
            pass: Some(gate),
            units: vec![],
            activate: false,
            finish: true,
        });
    }
    let target = if reviewed { gate + 1 } else { gate };
    let drafts: Vec<String> = feature
        .members_of(target)
        .filter(|m| m.status() == UnitStatus::Draft && m.unit.is_some())
        .map(|m| m.id().to_owned())
        .collect();
    let units = if named.is_empty() {
        drafts
    } else {
        named.to_vec()
    };
    let nothing = units.is_empty() && !reviewed && !activate;
    if nothing || (reviewed && feature.members_of(target).next().is_none()) {
        let running = attempts.charged.len();
        return Err(Error::plan(format!(
            "gate {} of {} has no drafts to arm ({running} units have attempts)",
            feature.gate_number(target),
            feature.name(),
        ))
        .hint(why_not_passed(feature, gate))
        .hint("`gatewalk status` shows where it stands"));
    }
    Ok(ArmPlan {
        pass: reviewed.then_some(gate),
        units,
        activate,
        finish: false,
    })
}

/// Says why arming does not pass a gate: from where it stands, only what is named moves it.
fn why_not_passed(feature: &Feature, gate: usize) -> String {
    let number = feature.gate_number(gate);
    match move_gate(feature.gate_status(gate), GateVerb::Pass) {
        Ok(_) => format!("gate {number} is `{}`", feature.gate_status(gate)),
        Err(illegal) => format!("gate {number}: {illegal}"),
    }
}

/// A terminal gate whose closing unit found something missing is not passed by arming it.
fn refuse_not_met(feature: &Feature, gate: usize) -> Result<()> {
    let not_met = feature
        .members_of(gate)
        .filter(|m| m.unit_type() == UnitType::Close && m.status() == UnitStatus::Done)
        .find(|m| {
            m.unit
                .and_then(|u| u.front.verdict.as_ref())
                .is_none_or(|v| v.value == Verdict::NotMet)
        });
    match not_met {
        None => Ok(()),
        Some(unit) => Err(Error::plan(format!("{} found that the feature is not met", unit.id()))
            .hint("give each follow-up a unit in a gate of its own: `gatewalk new gate \"TITLE\"`, then arm")
            .hint("or `gatewalk abandon` the closing unit to finish without it")),
    }
}

/// Nor is it while a requirement is not shown on the tip's files.
fn refuse_uncovered(desk: &OpenFeature<'_>) -> Result<()> {
    let commit = desk.selected.commit;
    let rows = desk.ask(|driver| driver.coverage_at(&commit))?;
    let gaps = coverage::gaps(&rows);
    if gaps.is_empty() {
        return Ok(());
    }
    let name = desk.feature().name();
    let mut error = Error::plan(format!("not every requirement of {name} is shown"));
    for gap in &gaps {
        error = error.hint(sanitize(&format!("{}: {}", gap.requirement, gap.why)));
    }
    if rows.iter().any(coverage::RequirementCoverage::is_unasked) {
        error = error.hint(format!(
            "gatewalk status --coverage --run {name}   (runs what was not run)"
        ));
    }
    Err(error
        .hint(format!(
            "gatewalk new gate \"…\" --feature {name}   (a unit with a check for each)"
        ))
        .hint("or write `(deferred: why)` behind the requirement in PLAN.md and commit it"))
}

fn describe(feature: &Feature, plan: &ArmPlan) -> String {
    let mut parts = Vec::new();
    if let Some(gate) = plan.pass {
        parts.push(format!("gate {} passed", feature.gate_number(gate)));
    }
    if plan.finish {
        parts.push("feature done".to_owned());
    }
    match plan.units.len() {
        0 => {}
        1 => parts.push(format!("{} pending", plan.units[0])),
        n => parts.push(format!("{n} units pending")),
    }
    if plan.activate {
        parts.push("feature active".to_owned());
    }
    parts.join(", ")
}
