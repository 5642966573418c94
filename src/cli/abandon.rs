//! `gatewalk abandon`: give up a unit, or a whole feature.

use super::Context;
use super::feature_command::move_feature;
use super::unit_command::{Common, OpenFeature, one_line};
use gatewalk_core::engine::events;
use gatewalk_core::engine::trailers::{self, Trailer};
use gatewalk_core::error::Result;
use gatewalk_core::exit::Exit;
use gatewalk_core::model::id::FeatureId;
use gatewalk_core::model::status_machine::{FeatureVerb, UnitVerb};

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gatewalk abandon FEAT-2026-0042/T03 --reason \"dropped from the scope\"\n  gatewalk abandon FEAT-2026-0042 --reason \"the vendor does it now\""
)]
pub(crate) struct Args {
    /// The unit: its id, or `T03` with one active feature; or a feature
    unit: String,
    /// Why
    #[arg(long)]
    reason: String,
    #[command(flatten)]
    common: Common,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let reason = one_line("reason", &args.reason)?;
    if FeatureId::parse(&args.unit).is_some() {
        let common = Common {
            feature: Some(args.unit.clone()),
            ..args.common
        };
        return move_feature(context, &common, FeatureVerb::Abandon, Some(&reason));
    }
    let mut opened = OpenFeature::open(context, &args.common, Some(&args.unit))?;
    opened.refuse_over()?;
    let id = opened.unit(&args.unit)?.id().to_owned();
    let dependents: Vec<String> = opened
        .feature()
        .members()
        .filter(|m| !m.status().is_settled() && m.node.depends_on.iter().any(|d| d.value == id))
        .map(|m| m.id().to_owned())
        .collect();
    let now = opened.now.clone();
    let subject = format!("Abandon {id}");
    let message = trailers::message(&subject, &reason, &[(Trailer::Abandoned, &id)]);
    let commit = opened.commit(&message, |books, _| {
        let event = events::verb(
            &id,
            &now,
            "task_abandoned",
            serde_json::json!({"reason": reason}),
        );
        books.unit_verb(&id, UnitVerb::Abandon, &[], event)
    })?;
    opened.done(args.common.json, &format!("{id} is abandoned"), commit);
    if !dependents.is_empty() {
        context.out.note(format!(
            "these wait for it and can never start: {}; take the edge out of PLAN.md or abandon them too",
            dependents.join(", ")
        ));
    }
    Ok(Exit::Success)
}
