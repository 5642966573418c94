//! `gatewalk activate`: start a planned feature without arming anything.

use super::Context;
use super::feature_verb::{self, Named};
use crate::error::Result;
use crate::exit::Exit;
use crate::model::status::FeatureVerb;

/// Arguments of `activate`.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  gatewalk activate FEAT-2026-0042")]
pub(crate) struct Args {
    #[command(flatten)]
    named: Named,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    feature_verb::run(&args.named, context, FeatureVerb::Activate, "is active")
}
