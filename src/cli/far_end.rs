//! `gatewalk far-end` (hidden): the other end of a runner's pipe.

use super::Context;
use gatewalk_core::error::Result;
use gatewalk_core::exit::Exit;

#[derive(clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args, context: &Context) -> Result<Exit> {
    gatewalk_host::far_end::serve(context.host()?)?;
    Ok(Exit::Success)
}
