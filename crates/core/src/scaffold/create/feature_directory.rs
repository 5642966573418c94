//! A feature's directory as the planner of new files sees it.

use crate::error::{Error, Result};
use crate::model::document::Document;
use crate::scaffold::graph::GateLines;
use std::sync::Arc;

/// One file of a feature's directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeatureFile {
    /// Its name inside the directory.
    pub name: String,
    /// Its text; may be left empty for files that are not Markdown.
    pub text: String,
}

/// A feature's directory: everything in it, read by the caller.
#[derive(Debug, Clone, Copy)]
pub struct FeatureDirectory<'a> {
    /// The directory relative to the repository root, with `/`.
    pub dir: &'a str,
    /// The `feature_id` of its PLAN.
    pub feature_id: &'a str,
    /// Its files, in any order.
    pub files: &'a [FeatureFile],
    /// Ids of units that were ever used, also by units that are gone.
    pub spent: &'a [String],
}

impl<'a> FeatureDirectory<'a> {
    pub(super) fn id(&self) -> &'a str {
        self.feature_id
    }

    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        self.files
            .iter()
            .find(|file| file.name == name)
            .map(|file| file.text.as_str())
    }

    /// Returns a frontmatter value of one of its files.
    pub(super) fn unit_key(&self, name: &str, key: &str) -> Option<String> {
        let document = Document::parse(Arc::from(name), self.text(name)?.as_bytes());
        document
            .front?
            .root
            .get(key)?
            .value
            .as_str()
            .map(str::to_owned)
    }

    /// Returns the status of a gate by the file that the graph names.
    pub(super) fn gate_status(&self, gates: &[GateLines], gate: u32) -> Option<&'static str> {
        let file = &gates.iter().find(|line| line.gate == gate)?.file;
        match self.unit_key(file, "status")?.as_str() {
            "open" => Some("open"),
            "awaiting_review" => Some("awaiting_review"),
            "passed" => Some("passed"),
            _ => None,
        }
    }

    /// Returns the numbers that unit files of this directory carry.
    pub(super) fn file_numbers(&self) -> impl Iterator<Item = u32> {
        self.files.iter().filter_map(|file| file_number(&file.name))
    }

    /// Refuses a feature that is done or abandoned: what it was is history.
    pub(super) fn refuse_if_ended(&self) -> Result<()> {
        match self.unit_key("PLAN.md", "status").as_deref() {
            Some(status @ ("done" | "abandoned")) => Err(Error::plan(format!(
                "{} is `{status}`: its plan is not extended",
                self.feature_id
            ))
            .hint("`gatewalk new feature` plans what comes after it")),
            _ => Ok(()),
        }
    }
}

/// Returns the number in `WU-07-….md`.
pub(super) fn file_number(name: &str) -> Option<u32> {
    let rest = name.strip_prefix("WU-")?;
    rest[..rest.find('-')?].parse().ok()
}
