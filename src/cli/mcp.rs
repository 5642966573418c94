//! `gatewalk mcp`: the tool server for coding agents on standard input and output.

use super::Context;
use crate::mcp::{Place, PlanToolServer};
use gatewalk_core::error::Result;
use gatewalk_core::exit::Exit;
use gatewalk_host::own_program::OwnProgram;

#[derive(clap::Args)]
#[command(
    after_help = "A coding agent starts it, in the repository: `claude mcp add gatewalk -- gatewalk mcp`.\nWhat only you may decide is asked of you through the agent's program, and refused where that cannot ask."
)]
pub(crate) struct Args {}

pub(crate) fn run(_args: &Args, context: &Context) -> Result<Exit> {
    let place = Place {
        program: OwnProgram::find()?,
        cwd: context.cwd.clone(),
    };
    let input = std::io::BufReader::new(std::io::stdin());
    PlanToolServer::new(place, std::io::stdout()).serve(input)?;
    Ok(Exit::Success)
}
