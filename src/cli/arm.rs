//! `gatewalk arm`: pass a reviewed gate and make drafts pending.

mod arm_plan;
mod arm_refusals;

use self::arm_refusals::{refuse_open_questions, refuse_uncovered, refuse_unfilled};
use super::Context;
use super::plan_check::{ChangedUnits, show_changes};
use super::unit_command::{Common, OpenFeature};
use arm_plan::{ArmPlan, ShownUnits, describe, plan, refuse_at_rest};
use gatewalk_core::engine::bookkeeping::{Arming, Books};
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::engine::trailers::{self, Trailer};
use gatewalk_core::engine::{events, open_notices, secrets};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::edit::FileEdits;
use gatewalk_core::model::id::UnitId;
use gatewalk_core::model::status_machine::{FeatureStatus, UnitStatus};
use gatewalk_host::state_repository::SAME_ID;

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gatewalk arm\n  gatewalk arm FEAT-2026-0042\n  gatewalk arm FEAT-2026-0042/T04 FEAT-2026-0042/T05\n  gatewalk arm --edit\n  gatewalk arm --accept"
)]
pub(crate) struct Args {
    /// A feature, or the units to arm; every draft of the current gate, and what changed since it was armed, when absent
    #[arg(value_name = "FEATURE|UNIT")]
    names: Vec<String>,
    /// Every draft of the gate, which is also what no name means
    #[arg(long)]
    all: bool,
    /// Open the drafts in `$VISUAL` or `$EDITOR` first; what you save is committed and armed
    #[arg(long)]
    edit: bool,
    /// What the sessions of these units should know; it stands in their prompts
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// You have seen what was unusual about the landings: it holds the gate no longer
    #[arg(long)]
    accept: bool,
    #[command(flatten)]
    common: Common,
}

impl Args {
    /// Returns the feature and the units that the names mean: a first name that is no unit's is the feature's.
    fn meant(&self) -> (Common, Vec<&String>) {
        let mut common = Common {
            feature: self.common.feature.clone(),
            ..self.common
        };
        let mut units: Vec<&String> = self.names.iter().collect();
        if !self.names.iter().any(|name| UnitId::parse(name).is_some())
            && common.feature.is_none()
            && let Some(first) = self.names.first()
            && !first.starts_with(['T', 'G'])
        {
            common.feature = Some(units.remove(0).clone());
        }
        (common, units)
    }

    /// Returns the arguments of a user who has seen a gate and what was unusual about it.
    pub(super) fn accepting(feature: &str) -> Args {
        Args {
            names: vec![],
            all: false,
            edit: false,
            note: None,
            accept: true,
            common: Common {
                feature: Some(feature.to_owned()),
                commit_plan: false,
                json: false,
            },
        }
    }
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let unit = args.names.iter().find(|n| UnitId::parse(n).is_some());
    let (mut common, units) = args.meant();
    if common.feature.is_none() && unit.is_none() {
        common.feature = the_one_to_arm(context)?;
    }
    let mut opened = if args.edit {
        edit(context, &mut common, unit.map(String::as_str), &units)?
    } else {
        let unit = unit.map(String::as_str);
        OpenFeature::open_with(context, &common, unit, ChangedUnits::Armed)?
    };
    refuse_at_rest(opened.feature())?;
    let changed = ChangedUnits::Armed;
    opened.refuse_findings(changed)?;
    refuse_open_questions(opened.feature())?;
    if args.all && !units.is_empty() {
        return Err(Error::usage(
            "`--all` and names of units cannot be used together",
        ));
    }
    let named = units
        .iter()
        .map(|name| Ok(opened.unit(name)?.id().to_owned()))
        .collect::<Result<Vec<_>>>()?;
    let attempts = opened.attempts()?;
    let plan = plan(opened.feature(), &named, &attempts)?;
    refuse_unfilled(&opened, &plan.units)?;
    if plan.finish {
        refuse_uncovered(&opened)?;
    }
    let name = opened.feature().name();
    let now = opened.now.clone();
    accept_notices(&mut opened, plan.pass, args.accept)?;
    let shown = ShownUnits::of(opened.feature(), &plan.units);
    show_changes(context, &opened.repository, &opened.selected);
    let what = describe(opened.feature(), &plan);
    let subject = format!("Arm {name}: {what}");
    let message = trailers::message(&subject, "", &[(Trailer::Armed, &name)]);
    let commit = opened.commit(&message, |books, feature| {
        shown.refuse_changed(feature)?;
        edits(books, &plan, &now, args.note.as_deref())
    })?;
    opened.done(args.common.json, &format!("{name}: {what}"), commit);
    Ok(Exit::Success)
}

/// Hands the drafts to the user's editor, in their checkout, and commits what they saved.
fn edit<'c>(
    context: &'c Context,
    common: &mut Common,
    unit: Option<&str>,
    named: &[&String],
) -> Result<OpenFeature<'c>> {
    let changed = ChangedUnits::Armed;
    let mut opened = OpenFeature::open_with(context, common, unit, changed)?;
    if let Some(why) = opened.repository.enter_branch(&mut opened.selected)? {
        return Err(Error::plan(format!(
            "the drafts are on `{}`, which is not checked out: {why}",
            opened.selected.branch
        )));
    }
    let wanted = |id: &str| {
        named.is_empty()
            || named
                .iter()
                .any(|n| opened.feature().find_unit(n).is_some_and(|m| m.id() == id))
    };
    let root = opened.repository.git.work_tree();
    let drafts: Vec<_> = opened
        .feature()
        .members()
        .filter(|m| m.status() == UnitStatus::Draft && wanted(m.id()))
        .filter_map(|m| Some(root.join(&**m.unit?.path())))
        .collect();
    gatewalk_host::user_config::edit(&drafts)?;
    common.commit_plan = true;
    OpenFeature::open_with(context, common, unit, changed)
}

fn edits(books: &Books<'_>, plan: &ArmPlan, now: &str, note: Option<&str>) -> Result<FileEdits> {
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
            "note": note.map(secrets::redact),
        }),
    );
    let arming = Arming {
        pass: plan.pass,
        units: &plan.units,
        activate: plan.activate,
    };
    books.arm(&arming, event)
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
    let is_twice = |name: &String| candidates.iter().filter(|n| *n == name).count() > 1;
    let how = match candidates.iter().any(is_twice) {
        true => SAME_ID,
        false => "say which: `gatewalk arm FEATURE`",
    };
    match &candidates[..] {
        [] => Ok(None),
        [one] => Ok(Some(one.clone())),
        _ => Err(Error::plan(format!(
            "several features can be armed: {}",
            candidates.join(", ")
        ))
        .hint(how)),
    }
}

/// A gate whose landings were unusual is passed by a user who says that they saw it; that is kept in the log.
fn accept_notices(opened: &mut OpenFeature<'_>, gate: Option<usize>, accept: bool) -> Result<()> {
    let open = match gate {
        Some(gate) => open_notices::of_gate(opened.feature(), Some(gate)),
        None => vec![],
    };
    if open.is_empty() {
        return Ok(());
    }
    let name = opened.feature().name();
    if !accept {
        let mut error = Error::plan(format!("a landing of {name} was unusual"));
        for notice in &open {
            error = error.hint(sanitize(&notice.to_string()));
        }
        return Err(error.hint(format!(
            "`gatewalk arm {name} --accept` once you have seen it"
        )));
    }
    let now = opened.now.clone();
    let message = format!("Accept what was unusual in {name}\n");
    opened.commit(&message, |books, _| {
        let payload = open_notices::acceptance(&open);
        Ok(books.note(events::verb(&name, &now, open_notices::ACCEPTED, payload)))
    })?;
    Ok(())
}
