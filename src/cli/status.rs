//! `gatewalk status`: what stands where and what to do next.

use super::Context;
use crate::error::Result;
use crate::exit::Exit;

/// Arguments of `status`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Feature id, folder or path; all features when absent
    feature: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let _ = (&args.feature, args.json, &context.cwd);
    Ok(Exit::Success)
}
