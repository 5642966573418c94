//! `gatewalk unblock`: send a parked unit back to work, with a reason.

use super::Context;
use super::verb::{Common, Desk, one_line};
use crate::engine::events;
use crate::error::Result;
use crate::exit::Exit;

/// Arguments of `unblock`.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  gatewalk unblock FEAT-2026-0042/T03 --reason \"the API key is in .env now\""
)]
pub(crate) struct Args {
    /// The unit: its id, or `T03` with one active feature
    unit: String,
    /// What changed, so that another attempt can differ
    #[arg(long)]
    reason: String,
    #[command(flatten)]
    common: Common,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let reason = one_line("reason", &args.reason)?;
    let mut desk = Desk::open(context, &args.common, Some(&args.unit))?;
    let id = desk.unit(&args.unit)?.id().to_owned();
    let now = desk.now.clone();
    let message = format!("Unblock {id}\n\n{reason}\n\nUnblocked: {id}\n");
    let commit = desk.commit(&message, |books, _| {
        let event = events::verb(
            &id,
            &now,
            "re_arm_dispatched",
            serde_json::json!({"reason": reason}),
        );
        books.unblock(&id, &reason, event)
    })?;
    desk.done(
        args.common.json,
        &format!("{id} is pending again"),
        &commit,
        "gatewalk loop",
    );
    Ok(Exit::Success)
}
