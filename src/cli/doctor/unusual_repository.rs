//! Submodules, filters and partial clones.

use super::{Context, DoctorCheck};
use gatewalk_core::engine::evidence::first_named;
use gatewalk_host::git::RepositoryTraits;
use gatewalk_host::state_repository::Repository;
use serde_json::json;

/// How many files are named.
const NAMED: usize = 5;

fn unusual(traits: &RepositoryTraits) -> Vec<String> {
    let mut message = Vec::new();
    if !traits.submodules.is_empty() {
        message.push(format!(
            "slots hold the files of submodules as your checkout has them, and work inside them is refused: {}",
            traits.submodules.join(", ")
        ));
    }
    let absent = &traits.absent_submodules;
    if !absent.is_empty() {
        message.push(format!(
            "your checkout has no files of {}, so slots have none either",
            absent.join(", ")
        ));
    }
    if !traits.required_filters.is_empty() {
        message.push(format!(
            "what lands goes through filters, and slots hold {}: {}",
            match traits.whole_large_files {
                true => "what they stored, but the files of git-lfs whole",
                false => "what they stored",
            },
            traits.required_filters.join(", ")
        ));
    }
    if !traits.unknown_filters.is_empty() {
        message.push(format!(
            "attributes name filters that your git does not have, and what is theirs would be stored as it is (of git-lfs, refused): {}",
            traits.unknown_filters.join(", ")
        ));
    }
    let absent = &traits.absent_large_files;
    if !absent.is_empty() {
        message.push(format!(
            "sessions and commands find pointers in place of files of git-lfs: {}",
            first_named(absent, NAMED)
        ));
    }
    if traits.partial {
        message.push("a partial clone: a run stops where files are only on the remote".to_owned());
    }
    message
}

/// What to do about the first of them that asks for something.
fn remedy(traits: &RepositoryTraits) -> &'static str {
    let lacks_lfs = traits.unknown_filters.iter().any(|name| name == "lfs");
    match traits {
        _ if !traits.absent_submodules.is_empty() => "git submodule update --init --recursive",
        _ if lacks_lfs => "install git-lfs, then: git lfs install",
        _ if !traits.absent_large_files.is_empty() => {
            "git lfs pull, and git submodule foreach --recursive git lfs pull"
        }
        _ if !traits.required_filters.is_empty() => {
            "a command that needs what a filter other than that of git-lfs makes runs it itself"
        }
        _ if !traits.submodules.is_empty() => {
            "change a submodule in its own repository, and commit its new commit here"
        }
        _ => "where a run stops, it says what to fetch or to set up",
    }
}

/// What of this repository a runner is not sent; nothing where there is none, or no repository.
pub(super) fn unsent(context: &Context) -> Option<DoctorCheck> {
    let repository = Repository::open(&context.cwd).ok()?;
    let unsent = repository.git.unsent(repository.commit).ok()??;
    let remedy = "what a runner did is judged here; units whose sessions need those files run here, without --runner";
    Some(DoctorCheck::warn("repository", unsent, remedy))
}

/// Submodules, filters and partial clones: what of them a run does not do.
pub(super) fn out_of_the_ordinary(repository: &Repository) -> Option<DoctorCheck> {
    let traits = match repository.git.traits_at(repository.commit) {
        Ok(traits) => traits,
        Err(error) => {
            let hints = error.hints.join("; ");
            return Some(DoctorCheck::fail("layout", error.to_string(), &hints));
        }
    };
    let message = unusual(&traits);
    let data = json!({
        "submodules": traits.submodules,
        "absent_submodules": traits.absent_submodules,
        "absent_large_files": traits.absent_large_files,
        "required_filters": traits.required_filters,
        "unknown_filters": traits.unknown_filters,
        "partial_clone": traits.partial,
    });
    let remedy = remedy(&traits);
    (!message.is_empty())
        .then(|| DoctorCheck::warn("layout", message.join("; "), remedy).with(data))
}
