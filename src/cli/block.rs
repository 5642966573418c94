//! `gatewalk block`: stop a feature until something outside is settled.

use super::Context;
use super::feature_command::{self, FeatureArgs};
use gatewalk_core::error::Result;
use gatewalk_core::exit::Exit;
use gatewalk_core::model::status_machine::FeatureVerb;

/// Arguments of `block`.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  gatewalk block FEAT-2026-0042 --reason \"the vendor's API is down\""
)]
pub(crate) struct Args {
    #[command(flatten)]
    named: FeatureArgs,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    feature_command::run(&args.named, context, FeatureVerb::Block, "is blocked")
}
