//! `gatewalk report`: features as one file, HTML or Markdown, for people who were not there.

use super::{Context, landings};
use crate::report::{feature_markdown, feature_page};
use gatewalk_core::engine::feature_report::{self, FeatureReport};
use gatewalk_core::error::Result;
use gatewalk_core::exit::Exit;
use gatewalk_core::model::layout;
use gatewalk_host::files;
use gatewalk_host::state_repository::{Repository, Selected};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gatewalk report > report.html\n  gatewalk report FEAT-2026-0042 --output report.html\n  gatewalk report --format md >> \"$GITHUB_STEP_SUMMARY\"\n  gatewalk report --json"
)]
pub(crate) struct Args {
    /// Feature ids, directories or paths; every feature when absent
    features: Vec<String>,
    /// How it is written
    #[arg(long, value_enum, default_value_t = FeatureReportFormat::Html, conflicts_with = "json")]
    format: FeatureReportFormat,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print JSON, as `--format json`
    #[arg(long)]
    json: bool,
}

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum FeatureReportFormat {
    /// One page that stands alone
    Html,
    /// Text for a pipeline's summary, or a pull request
    #[value(alias = "markdown")]
    Md,
    /// The data
    Json,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let repository = Repository::open(&context.cwd)?;
    let shown = match args.features.is_empty() {
        true => repository.features()?,
        false => {
            let named = args.features.iter();
            let selected = named.map(|name| repository.select_to_read(Some(name)));
            selected.collect::<Result<Vec<_>>>()?
        }
    };
    let reports = reported(&repository, &shown)?;
    let format = match args.json {
        true => FeatureReportFormat::Json,
        false => args.format,
    };
    let text = match format {
        FeatureReportFormat::Html => feature_page::page(&reports),
        FeatureReportFormat::Md => feature_markdown::text(&reports),
        FeatureReportFormat::Json => format!("{}\n", json!({ "version": 1, "features": reports })),
    };
    match &args.output {
        Some(file) => files::write_result(&context.cwd.join(file), text.as_bytes())?,
        None => context.out.raw(&text),
    }
    Ok(Exit::Success)
}

/// Returns the reports of features. A history is read once for all that stand on it, and not for those that nobody worked on.
fn reported(repository: &Repository, shown: &[Selected]) -> Result<Vec<FeatureReport>> {
    let (mut known, none) = (BTreeMap::new(), BTreeMap::new());
    let mut reports = Vec::new();
    for selected in shown {
        let feature = selected.feature();
        let tip = selected.commit;
        let was_tried = feature.others.contains_key(layout::EVENTS);
        if was_tried && !known.contains_key(&tip) {
            known.insert(tip, landings::by_attempt(repository, tip)?);
        }
        let landed = known.get(&tip).unwrap_or(&none);
        reports.push(feature_report::of_feature(feature, landed));
    }
    Ok(reports)
}
