//! `gatewalk activate`: start a planned feature without arming anything.

use super::Context;
use super::feature_command::{self, FeatureArgs};
use gatewalk_core::error::Result;
use gatewalk_core::exit::Exit;
use gatewalk_core::model::status_machine::FeatureVerb;

/// Arguments of `activate`.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  gatewalk activate FEAT-2026-0042")]
pub(crate) struct Args {
    #[command(flatten)]
    named: FeatureArgs,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    feature_command::run(&args.named, context, FeatureVerb::Activate, "is active")
}
