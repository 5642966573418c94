//! `gatewalk abandon`: give up a unit, or a whole feature.

use super::Context;
use super::feature_command::move_feature;
use super::unit_command::{Common, OpenFeature, one_line};
use gatewalk_core::driver::plan_commit::tree_writes;
use gatewalk_core::engine::events;
use gatewalk_core::engine::trailers::{self, Trailer};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::frontmatter::Spanned;
use gatewalk_core::model::id::{FeatureId, UnitId};
use gatewalk_core::model::status_machine::{FeatureVerb, UnitStatus, UnitVerb};
use gatewalk_core::scaffold::graph;
use serde_json::json;

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gatewalk abandon FEAT-2026-0042/T03 --reason \"dropped from the scope\"\n  gatewalk abandon T04 --remove --reason \"drafted twice\"\n  gatewalk abandon FEAT-2026-0042 --reason \"the vendor does it now\""
)]
pub(crate) struct Args {
    /// The unit: its id, or `T03` with one active feature; or a feature: its id, directory, path or slug
    unit: String,
    /// Why
    #[arg(long)]
    reason: String,
    /// Take a draft that nobody worked on out of the plan, with its file; its id stays spent
    #[arg(long)]
    remove: bool,
    #[command(flatten)]
    common: Common,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let reason = one_line("`--reason`", &args.reason)?;
    if args.remove && FeatureId::parse(&args.unit).is_some() {
        return Err(Error::usage(
            "`--remove` takes a draft unit out, not a feature",
        ));
    }
    if !args.remove && names_feature(&args.unit) {
        let common = Common {
            feature: Some(args.unit.clone()),
            ..args.common
        };
        return move_feature(context, &common, FeatureVerb::Abandon, Some(&reason));
    }
    let mut opened = OpenFeature::open(context, &args.common, Some(&args.unit))?;
    opened.refuse_over()?;
    let id = opened.unit(&args.unit)?.id().to_owned();
    let dependents = dependents(&opened, &id);
    if args.remove {
        return remove(&mut opened, &id, &reason, (&dependents, args.common.json));
    }
    let now = opened.now.clone();
    let subject = format!("Abandon {id}");
    let message = trailers::message(&subject, &reason, &[(Trailer::Abandoned, &id)]);
    let commit = opened.commit(&message, |books, _| {
        let payload = json!({"reason": reason});
        let event = events::verb(&id, &now, "task_abandoned", payload);
        books.unit_verb(UnitVerb::Abandon, &[], event)
    })?;
    opened.done(args.common.json, &format!("{id} is abandoned"), commit);
    if !dependents.is_empty() {
        context.out.note(format!(
            "these wait for it and can never start: {}; take the edge out of PLAN.md and arm those again, or abandon them too",
            dependents.join(", ")
        ));
    }
    Ok(Exit::Success)
}

/// Whether a name is a feature's: its id, its directory, a path or its slug. Units are called `T03` or `G1-CLOSE`, also behind
/// their feature's id.
fn names_feature(name: &str) -> bool {
    UnitId::parse(name).is_none() && !name.starts_with(['T', 'G'])
}

/// Returns the open units that wait for another.
fn dependents(opened: &OpenFeature<'_>, id: &str) -> Vec<String> {
    let waits = |edges: &[_]| edges.iter().any(|edge: &Spanned<String>| edge.value == id);
    let open = opened.feature().members();
    open.filter(|m| !m.status().is_settled() && waits(&m.node.depends_on))
        .map(|m| m.id().to_owned())
        .collect()
}

/// Takes a draft out of the plan, with its file.
fn remove(
    opened: &mut OpenFeature<'_>,
    id: &str,
    reason: &str,
    (dependents, json): (&[String], bool),
) -> Result<Exit> {
    refuse_to_remove(opened, id, dependents)?;
    let now = opened.now.clone();
    let subject = format!("Remove the draft {id}");
    let message = trailers::message(&subject, reason, &[(Trailer::Abandoned, id)]);
    let commit = opened.commit_writes(&message, |books, feature| {
        // It may have been armed since it was looked at.
        let status = feature.member(id).map(|m| m.status());
        if let Some(status) = status.filter(|status| *status != UnitStatus::Draft) {
            return Err(stays(id, &is_no_draft(status)));
        }
        let plan = &feature.plan.doc;
        let payload = json!({"reason": reason, "removed": true});
        let event = events::verb(id, &now, "task_abandoned", payload);
        let mut writes = tree_writes(books.note(event));
        let without = graph::remove_unit(&plan.text, id)?;
        writes.push((plan.path.to_string(), Some(without.into_bytes().into())));
        let file = feature.member(id).and_then(|m| m.unit);
        writes.extend(file.map(|unit| (unit.path().to_string(), None)));
        Ok(writes)
    })?;
    opened.done(json, &format!("{id} is taken out of the plan"), commit);
    Ok(Exit::Success)
}

/// Refuses what would lose work, or leave a plan that no run takes.
fn refuse_to_remove(opened: &OpenFeature<'_>, id: &str, dependents: &[String]) -> Result<()> {
    let member = opened.unit(id)?;
    let attempts = opened.attempts()?;
    let was_tried = attempts.charged.get(id).is_some_and(|all| !all.is_empty())
        || attempts.uncharged.contains_key(id);
    let alone = opened.feature().members_of(member.gate).count() == 1;
    let why = match member.status() {
        UnitStatus::Draft if was_tried => "sessions worked on it, and its record stays".to_owned(),
        UnitStatus::Draft if alone => "it is the only unit of its gate".to_owned(),
        UnitStatus::Draft if !dependents.is_empty() => format!(
            "{} would wait for nothing: take the edge out of PLAN.md first",
            dependents.join(", ")
        ),
        UnitStatus::Draft => return Ok(()),
        status => is_no_draft(status),
    };
    Err(stays(id, &why).hint(format!("gatewalk abandon {id} --reason \"…\"")))
}

fn stays(id: &str, why: &str) -> Error {
    Error::plan(format!("{id} cannot be taken out: {why}"))
}

fn is_no_draft(status: UnitStatus) -> String {
    format!("it is `{status}`, and only a draft is taken out")
}
