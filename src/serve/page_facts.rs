//! What pages are made from: what a query names, what the program's commands print about it, and why there may be no page.

use super::http_request::Fields;
use super::{ServedRepository, Site};
use gatewalk_core::error::Error;
use maud::Markup;
use serde_json::Value;
use std::sync::Arc;

/// Why a page cannot be shown.
pub(super) enum NoPage {
    /// There is nothing at the address.
    NotFound(String),
    /// A command that it is made from failed.
    Failed(Error),
}

impl From<Error> for NoPage {
    fn from(error: Error) -> Self {
        NoPage::Failed(error)
    }
}

/// A page, or why there is none.
pub(super) type PageResult = Result<Markup, NoPage>;

/// Returns what `status --json` prints of a repository.
pub(super) fn status(
    site: &Site,
    repository: &ServedRepository,
) -> gatewalk_core::error::Result<Arc<Value>> {
    repository.json(&site.runner, &["status", "--json"])
}

/// Returns a status with a feature in it: the whole one where it is known, else that of the feature alone, which is there
/// sooner where there are many. Who asked for what is not there finds out by the whole one.
pub(super) fn status_about(
    site: &Site,
    repository: &ServedRepository,
    feature: &str,
) -> gatewalk_core::error::Result<Arc<Value>> {
    if let Some(whole) = repository.known(&["status", "--json"]) {
        return Ok(whole);
    }
    let alone = repository.json(&site.runner, &["status", "--json", "--feature", feature]);
    alone.or_else(|_| status(site, repository))
}

/// Returns the repository that a query names; the only one where it names none.
pub(super) fn repository<'a>(
    site: &'a Site,
    query: &Fields,
) -> Result<&'a ServedRepository, NoPage> {
    let found = match query.get("repo") {
        Some(name) => site.repositories.iter().find(|r| r.name == name),
        None => site.repositories.first(),
    };
    found.ok_or_else(|| NoPage::NotFound("there is no such repository here".to_owned()))
}

/// Returns the feature of a status that an id means.
pub(super) fn feature<'a>(status: &'a Value, id: &str) -> Result<&'a Value, NoPage> {
    let all = status["features"].as_array().into_iter().flatten();
    let mut named = all.filter(|feature| feature["feature"] == id);
    named
        .next()
        .ok_or_else(|| NoPage::NotFound(format!("there is no feature `{id}` here")))
}

/// Returns what a query must name.
pub(super) fn wanted<'a>(query: &'a Fields, name: &str) -> Result<&'a str, NoPage> {
    query
        .get(name)
        .ok_or_else(|| NoPage::NotFound(format!("the address lacks `{name}`")))
}

/// Returns a status in the words of its pages.
pub(super) fn status_words(status: &str) -> String {
    match status {
        "blocked_human" => "parked".to_owned(),
        other => other.replace('_', " "),
    }
}
