//! `gatewalk done`: hand in a unit that only you can do.

use super::Context;
use super::unit_command::{Common, OpenFeature, one_line};
use gatewalk_core::engine::events;
use gatewalk_core::engine::trailers::{self, Trailer};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::edit::KeyEdit;
use gatewalk_core::model::status_machine::UnitVerb;
use gatewalk_core::model::unit::UnitType;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  gatewalk done FEAT-2026-0042/T05 --evidence \"DNS switched, see ticket 812\""
)]
pub(crate) struct Args {
    /// The unit: its id, or `T05` with one active feature
    unit: String,
    /// What was done and how anybody can see it
    #[arg(long)]
    evidence: String,
    #[command(flatten)]
    common: Common,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let evidence = one_line("`--evidence`", &args.evidence)?;
    let mut opened = OpenFeature::open(context, &args.common, Some(&args.unit))?;
    opened.refuse_over()?;
    let member = opened.unit(&args.unit)?;
    let id = member.id().to_owned();
    if member.unit_type() != UnitType::Human {
        return Err(Error::plan(format!(
            "{id} is of type `{}`: only its oracle can make it done",
            member.unit_type()
        ))
        .hint(format!(
            "`gatewalk loop --feature {}` works on it; `gatewalk abandon {id} --reason \"…\"` gives it up",
            opened.feature().name()
        )));
    }
    let waiting = opened.feature().waiting(&member);
    if !waiting.is_empty() {
        return Err(
            Error::plan(format!("{id} waits for units that are not done"))
                .hint("`gatewalk status` shows which"),
        );
    }
    let now = opened.now.clone();
    let by_user = [(Trailer::Feature, &*id), (Trailer::Agent, "human")];
    let message = trailers::message(&format!("Hand in {id}"), &evidence, &by_user);
    let commit = opened.commit(&message, |books, _| {
        let event = events::verb(
            &id,
            &now,
            "task_completed",
            serde_json::json!({"type": "human", "evidence": evidence}),
        );
        books.unit_verb(
            UnitVerb::Complete,
            &[("evidence", KeyEdit::Scalar(&evidence))],
            event,
        )
    })?;
    opened.done(args.common.json, &format!("{id} is done"), commit);
    Ok(Exit::Success)
}
