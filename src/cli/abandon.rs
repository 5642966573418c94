//! `gatewalk abandon`: give up a unit.

use super::Context;
use super::verb::{Common, Desk, one_line};
use crate::engine::events;
use crate::error::Result;
use crate::exit::Exit;
use crate::model::status::UnitVerb;

/// Arguments of `abandon`.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  gatewalk abandon FEAT-2026-0042/T03 --reason \"dropped from the scope\""
)]
pub(crate) struct Args {
    /// The unit: its id, or `T03` with one active feature
    unit: String,
    /// Why
    #[arg(long)]
    reason: String,
    #[command(flatten)]
    common: Common,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let reason = one_line("reason", &args.reason)?;
    let mut desk = Desk::open(context, &args.common, Some(&args.unit))?;
    let id = desk.unit(&args.unit)?.id().to_owned();
    let dependents: Vec<String> = desk
        .feature()
        .members()
        .filter(|m| !m.status().is_settled() && m.node.depends_on.iter().any(|d| d.value == id))
        .map(|m| m.id().to_owned())
        .collect();
    let now = desk.now.clone();
    let message = format!("Abandon {id}\n\n{reason}\n\nAbandoned: {id}\n");
    let commit = desk.commit(&message, |books, _| {
        let event = events::verb(
            &id,
            &now,
            "task_abandoned",
            serde_json::json!({"reason": reason}),
        );
        books.unit_verb(&id, UnitVerb::Abandon, &[], event)
    })?;
    desk.done(
        args.common.json,
        &format!("{id} is abandoned"),
        &commit,
        "gatewalk status",
    );
    if !dependents.is_empty() {
        context.out.note(format!(
            "these wait for it and can never start: {}; take the edge out of PLAN.md or abandon them too",
            dependents.join(", ")
        ));
    }
    Ok(Exit::Success)
}
