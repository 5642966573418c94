//! `gatewalk schema`: the JSON Schemas of the files, for editors and other tools.

use super::Context;
use crate::report::json_schema;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gatewalk schema unit\n  gatewalk schema verification > verification.schema.json"
)]
pub(crate) struct Args {
    /// Which one: plan, graph, gate, unit, verification or config; without one, their names
    kind: Option<String>,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let Some(kind) = &args.kind else {
        json_schema::KINDS
            .iter()
            .for_each(|kind| context.out.line(kind));
        return Ok(Exit::Success);
    };
    let text = json_schema::text(kind).ok_or_else(|| {
        Error::usage(format!("there is no schema `{kind}`"))
            .hint(format!("there are: {}", json_schema::KINDS.join(", ")))
    })?;
    context.out.raw(&text);
    Ok(Exit::Success)
}
