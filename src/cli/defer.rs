//! `gatewalk defer`: put a feature off.

use super::Context;
use super::feature_command::{self, FeatureArgs};
use gatewalk_core::error::Result;
use gatewalk_core::exit::Exit;
use gatewalk_core::model::status_machine::FeatureVerb;

/// Arguments of `defer`.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  gatewalk defer FEAT-2026-0042 --reason \"after the release\"")]
pub(crate) struct Args {
    #[command(flatten)]
    named: FeatureArgs,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    feature_command::run(&args.named, context, FeatureVerb::Defer, "is deferred")
}
