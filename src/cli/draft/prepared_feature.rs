//! The files that a draft begins with: what `new feature` writes, and a page for the review.

use super::Args;
use super::source::DraftRequest;
use crate::cli::Context;
use crate::cli::new::{FeatureNames, OnDisk};
use gatewalk_core::engine::closing;
use gatewalk_core::engine::events::{self, Event};
use gatewalk_core::engine::feature_draft::{review_name, title_of};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::workspace::{FileSet, Workspace};
use gatewalk_core::model::{edit, layout};
use gatewalk_core::scaffold::Write;
use gatewalk_core::scaffold::roadmap_row::{RoadmapRow, add_row};
use gatewalk_host::state_repository::{Repository, Selected};
use std::sync::Arc;

/// A feature that is prepared and not drafted yet.
pub(super) struct PreparedFeature {
    pub(super) place: DraftPlace,
    /// The name of what it is made from.
    pub(super) source: String,
}

/// A feature that is written out, and its place.
pub(in crate::cli) struct DraftPlace {
    pub(in crate::cli) id: String,
    pub(in crate::cli) dir: String,
    pub(in crate::cli) branch: String,
    /// Its files, and the roadmap of the commit with its row.
    pub(in crate::cli) files: Vec<(String, String)>,
}

impl DraftPlace {
    /// Returns it as the feature it will be, before its branch is there.
    pub(in crate::cli) fn selected(&self, repository: &Repository) -> Selected {
        Selected {
            dir: self.dir.clone(),
            branch: self.branch.clone(),
            commit: repository.commit,
            exists: false,
            workspace: Arc::new(Workspace::parse(repository.layout, &as_files(&self.files))),
        }
    }

    /// Finds the place of planned files.
    pub(in crate::cli) fn of(writes: &[Write], repository: &Repository) -> Result<DraftPlace> {
        let mut files: Vec<(String, String)> = writes
            .iter()
            .map(|w| (w.path.clone(), w.content.clone()))
            .collect();
        let parsed = Workspace::parse(repository.layout, &as_files(&files));
        let feature = parsed.features.first();
        let feature = feature.ok_or_else(|| Error::internal("a feature that cannot be read"))?;
        let title = feature.plan.title().unwrap_or_default();
        let id = feature.name();
        let row = RoadmapRow {
            id: &id,
            title: &title,
            status: "planned",
            directory: feature.dir.rsplit('/').next().unwrap_or_default(),
        };
        put_row(repository, &mut files, &row)?;
        Ok(DraftPlace {
            dir: feature.dir.to_string(),
            branch: feature.plan.branch().unwrap_or_default().to_owned(),
            files,
            id,
        })
    }

    /// Returns the text of a file, to be edited.
    pub(in crate::cli) fn text_mut(&mut self, path: &str) -> Option<&mut String> {
        text_of(&mut self.files, path)
    }

    /// Replaces a file, or adds it.
    pub(in crate::cli) fn put(&mut self, path: String, text: String) {
        match text_of(&mut self.files, &path) {
            Some(old) => *old = text,
            None => self.files.push((path, text)),
        }
    }

    /// Adds an event to the feature's log.
    pub(in crate::cli) fn log(&mut self, event: &Event) {
        let path = format!("{}/{}", self.dir, layout::EVENTS);
        let old = self.text_mut(&path).cloned().unwrap_or_default();
        self.put(path, events::append(&old, std::slice::from_ref(event)));
    }
}

pub(super) fn prepare(
    args: &Args,
    context: &Context,
    repository: &Repository,
    wanted: &DraftRequest,
) -> Result<PreparedFeature> {
    let disk = OnDisk::open(context)?;
    let title = args
        .title
        .clone()
        .unwrap_or_else(|| title_of(&wanted.source.text));
    let writes = disk.new_feature(context, &title, FeatureNames::default())?;
    let mut place = DraftPlace::of(&writes, repository)?;
    let parsed = Workspace::parse(repository.layout, &as_files(&place.files));
    let feature = parsed
        .features
        .first()
        .ok_or_else(|| Error::internal("a feature that cannot be read"))?;
    place.files.push((
        format!("{}/{}", place.dir, review_name(feature)),
        closing::review_page(feature, feature.gate_number(0)),
    ));
    let plan = format!("{}/{}", place.dir, layout::PLAN);
    if let (Some(issue), Some(text)) = (&wanted.issue, text_of(&mut place.files, &plan)) {
        *text = edit::set_scalar(text, "issue", issue)
            .map_err(|e| Error::plan(format!("cannot edit `{plan}`")).with_source(e))?;
    }
    Ok(PreparedFeature {
        place,
        source: wanted.source.name.clone(),
    })
}

/// Adds a row to the roadmap of the commit, not of the disk: what is not committed is not this command's.
fn put_row(
    repository: &Repository,
    files: &mut [(String, String)],
    row: &RoadmapRow<'_>,
) -> Result<()> {
    let roadmap = repository.workspace_at(repository.commit)?.roadmap;
    let path = repository.layout.path(layout::ROADMAP);
    if let (Some(old), Some(text)) = (roadmap, text_of(files, &path)) {
        *text = add_row(&String::from_utf8_lossy(&old), row);
    }
    Ok(())
}

fn text_of<'f>(files: &'f mut [(String, String)], path: &str) -> Option<&'f mut String> {
    let file = files.iter_mut().find(|(p, _)| p == path);
    file.map(|(_, text)| text)
}

pub(in crate::cli) fn as_files(files: &[(String, String)]) -> FileSet {
    files
        .iter()
        .map(|(path, text)| (path.clone(), Arc::from(text.as_bytes())))
        .collect()
}
