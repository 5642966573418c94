//! Finding the commit that landed a unit.

use super::Context;
use super::unit_command::OpenFeature;
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::engine::trailers::{self, Trailer};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use gatewalk_host::state_repository::Repository;
use std::collections::BTreeMap;

/// Most commits of a branch that are searched for landings.
const COMMITS_LOOKED_AT: usize = 5_000;

/// The commit that landed a unit.
pub(super) struct UnitLanding {
    pub(super) unit: String,
    pub(super) commit: ObjectId,
    /// What the unit was landed on.
    pub(super) base: ObjectId,
    pub(super) message: String,
}

/// Finds the feature that a unit's id or a landing's trailer names.
pub(super) fn open_feature_of<'a>(
    what: &str,
    feature: Option<&str>,
    context: &'a Context,
) -> Result<OpenFeature<'a>> {
    let named = OpenFeature::read(context, feature, None)
        .ok()
        .filter(|opened| opened.feature().find_unit(what).is_some());
    if let Some(opened) = named {
        return Ok(opened);
    }
    if gatewalk_core::model::id::UnitId::parse(what).is_some() {
        return OpenFeature::read(context, feature, Some(what));
    }
    let repository = Repository::open(&context.cwd)?;
    // A short id where no feature is active, but only one has such a unit.
    let features = repository.features()?;
    let mut having = features
        .iter()
        .filter(|f| f.feature().find_unit(what).is_some());
    if let (Some(one), None) = (having.next(), having.next()) {
        return OpenFeature::read(context, Some(&one.dir), None);
    }
    let commit = repository.git.resolve(what)?.ok_or_else(|| {
        Error::plan(format!("`{}` is no unit and no commit", sanitize(what)))
            .hint("`gatewalk status` shows the units")
    })?;
    let info = repository.git.read_commits(&[commit])?;
    let unit = info
        .first()
        .and_then(|c| trailers::read(&c.message, Trailer::Feature));
    let unit = unit.ok_or_else(|| {
        Error::plan(format!("`{}` landed no unit", sanitize(what)))
            .hint("a landing has the trailers `Feature:` and `Oracle:`")
    })?;
    OpenFeature::read(context, feature, Some(&unit))
}

/// Returns the commits before a tip that landed attempts, by the attempts' names.
pub(super) fn by_attempt(
    repository: &Repository,
    tip: ObjectId,
) -> Result<BTreeMap<String, ObjectId>> {
    let commits = repository.git.log(None, tip, COMMITS_LOOKED_AT)?;
    let named = commits.into_iter().filter_map(|c| {
        let id = trailers::read(&c.message, Trailer::AttemptId)?;
        Some((id, c.oid))
    });
    Ok(named.collect())
}

/// Returns the unit that a name or a commit means, and the commit that landed it.
pub(super) fn landing(opened: &OpenFeature<'_>, what: &str) -> Result<UnitLanding> {
    let git = &opened.repository.git;
    let wanted = opened.feature().find_unit(what).map(|m| m.id().to_owned());
    let from = match wanted {
        Some(_) => git.log(None, opened.selected.commit, COMMITS_LOOKED_AT)?,
        None => {
            let commit = git.resolve(what)?.unwrap_or(opened.selected.commit);
            git.read_commits(&[commit])?
        }
    };
    let landing = from.into_iter().find_map(|c| {
        let unit = trailers::read(&c.message, Trailer::Feature)?;
        let ours = wanted.as_ref().is_none_or(|w| *w == unit)
            && trailers::read(&c.message, Trailer::Oracle).is_some();
        ours.then_some((unit, c))
    });
    let (unit, commit) = landing.ok_or_else(|| {
        Error::plan(format!("`{}` has not landed", sanitize(what)))
            .hint("`gatewalk attempts list` shows what was tried; `gatewalk verify UNIT --attempt N` checks one of them")
    })?;
    let base = commit.parents.first().copied();
    Ok(UnitLanding {
        unit,
        commit: commit.oid,
        base: base.ok_or_else(|| Error::integrity("a landing without a parent"))?,
        message: commit.message,
    })
}
