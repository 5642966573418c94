//! The error where no feature is what a user means: what there is instead, and what to type.

use super::selected_feature::Selected;
use super::state_repository::Repository;
use gatewalk_core::engine::evidence::{first_named, one_line};
use gatewalk_core::error::Error;
use gatewalk_core::model::feature::Feature;
use gatewalk_core::model::status_machine::{FeatureStatus, no_status};

/// How many features with a unit of the same name are named.
const NAMED_FEATURES: usize = 5;

impl Repository {
    pub(crate) fn none_found(&self, name: Option<&str>, features: &[Selected]) -> Error {
        let listed: Vec<String> = features
            .iter()
            .map(|f| format!("{} ({})", f.feature().name(), status_of(f)))
            .collect();
        if let Some(error) =
            name.and_then(|name| unit_named(name, features.iter().map(Selected::feature)))
        {
            return error;
        }
        let mut error = match name {
            Some(name) => Error::plan(format!("there is no feature `{name}` in the commits")),
            None => Error::plan("no feature is active"),
        };
        for directory in self.uncommitted_features() {
            if name.is_none_or(|n| directory.contains(n)) {
                error = error.hint(match self.refuse_uncommittable(&directory) {
                    Ok(()) => {
                        let command = self.commit_command();
                        format!("`{directory}` is not committed; `gatewalk loop --commit-plan` does it as it starts, or: {command}")
                    }
                    Err(why) => format!("{why}; {}", why.hints.join("; ")),
                });
            }
        }
        if listed.is_empty() && !error.hints.is_empty() {
            return error;
        }
        if listed.is_empty() {
            return error.hint("`gatewalk new feature \"TITLE\"` writes one");
        }
        error
            .hint(format!("features: {}", listed.join(", ")))
            .hint(match name {
                Some(_) => "say which with `--feature ID`".to_owned(),
                None => how_to_begin(features),
            })
    }
}

/// Returns the error where what is named is a unit of some feature, and a feature is asked for.
pub fn unit_named<'f>(name: &str, features: impl Iterator<Item = &'f Feature>) -> Option<Error> {
    let has = |f: &&Feature| f.find_unit(name).is_some();
    let of: Vec<String> = features.filter(has).map(Feature::name).collect();
    let first = of.first()?;
    let error = Error::plan(format!(
        "`{}` is a unit of {}, and what is asked for is a feature",
        one_line(name),
        first_named(&of, NAMED_FEATURES)
    ));
    Some(error.hint(match of.len() {
        1 => format!("name its feature: --feature {first}"),
        _ => format!("name one of these features, as in: --feature {first}"),
    }))
}

/// Returns a feature's status, or what stands there in place of one.
fn status_of(feature: &Selected) -> String {
    let plan = &feature.feature().plan;
    match plan.unread_status() {
        Some(word) => one_line(&no_status(word)),
        None => plan.status().to_string(),
    }
}

/// Returns how work begins where no feature is active.
fn how_to_begin(features: &[Selected]) -> String {
    let unread = |f: &Selected| f.feature().plan.unread_status().is_some();
    if features.iter().any(unread) {
        return "`gatewalk lint` shows the status that nobody can read, and what it may be"
            .to_owned();
    }
    if let Some(unread) = features.iter().find(|f| f.feature().plan.id.is_none()) {
        return format!("`gatewalk lint {}` shows what its plan lacks", unread.dir);
    }
    let status = |feature: &Selected| feature.feature().plan.status();
    let planned = features
        .iter()
        .find(|f| status(f) == FeatureStatus::Planned);
    match planned {
        Some(planned) => format!("`gatewalk arm {}` begins it", planned.feature().name()),
        None if features.iter().all(|f| status(f).is_over()) => {
            "`gatewalk new feature \"TITLE\"` writes the next".to_owned()
        }
        None => "say which with `--feature ID`".to_owned(),
    }
}
