//! Features as Markdown, for a pipeline's summary or a pull request: what the page says, without the drawings.

use gatewalk_core::engine::feature_report::{FeatureReport, ReportedUnit};
use gatewalk_core::engine::evidence::one_line;
use gatewalk_core::engine::witness::witness_record::UnwitnessedLines;
use gatewalk_core::model::money::usd_or_unknown;
use std::collections::BTreeMap;

/// Returns the text of some features.
pub(crate) fn text(reports: &[FeatureReport]) -> String {
    let parts: Vec<String> = reports.iter().map(section).collect();
    parts.join("\n")
}
