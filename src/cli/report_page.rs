//! `gatewalk report`: features as one HTML file, for people who were not there.

use super::Context;
use crate::report::feature_page;
use gatewalk_core::engine::feature_report::{self, FeatureReport};
use gatewalk_core::error::Result;
use gatewalk_core::exit::Exit;
use gatewalk_host::files;
use gatewalk_host::state_repository::Repository;
use serde_json::json;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gatewalk report > report.html\n  gatewalk report FEAT-2026-0042 --output report.html\n  gatewalk report --json"
)]
pub(crate) struct Args {
    /// Feature id, directory or path; every feature when absent
    feature: Option<String>,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print JSON instead of HTML
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let repository = Repository::open(&context.cwd)?;
    let shown = match &args.feature {
        Some(name) => vec![repository.select_to_read(Some(name))?],
        None => repository.features()?,
    };
    let reports: Vec<FeatureReport> = shown
        .iter()
        .map(|selected| feature_report::of_feature(selected.feature()))
        .collect();
    let text = if args.json {
        format!("{}\n", json!({ "version": 1, "features": reports }))
    } else {
        feature_page::page(&reports)
    };
    match &args.output {
        Some(file) => files::write_atomic(&context.cwd.join(file), text.as_bytes())?,
        None => context.out.raw(&text),
    }
    Ok(Exit::Success)
}
