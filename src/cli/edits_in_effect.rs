//! Edits of a plan that are not in effect yet.

use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::error::Result;
use gatewalk_core::model::layout;
use gatewalk_core::path_names::is_below;
use gatewalk_host::git::GitPath;
use gatewalk_host::state_repository::{Repository, Selected};

/// What decides every run, whatever feature it is of.
const DECISIVE: [&str; 4] = [
    layout::VERIFICATION,
    layout::CONFIG,
    layout::RULES,
    layout::RULES_LOCAL,
];

/// Returns what decides a run and lies in the checkout otherwise than it is in effect: edited, or as another branch has it.
/// What only sessions read counts where a feature is given.
pub(crate) fn not_in_effect(
    repository: &Repository,
    selected: Option<&Selected>,
) -> Result<Vec<String>> {
    let layout = repository.layout;
    let [settings @ .., rules, own_rules] = DECISIVE.map(|name| layout.path(name));
    let is_rule = |path: &str| is_below(path, &rules) || is_below(path, &own_rules);
    let edited = repository.uncommitted(layout.dir())?;
    let edited: Vec<String> = edited
        .iter()
        .map(|path| path.to_text().into_owned())
        .collect();
    let is_meant = |path: &&String| settings.contains(path) || selected.is_some() && is_rule(path);
    let concerned = edited.iter().filter(is_meant);
    let mut found: Vec<String> = concerned
        .map(|path| {
            format!(
                "`{}` has edits that are not committed; they are not in effect",
                sanitize(path)
            )
        })
        .collect();
    let Some(selected) = selected.filter(|selected| selected.exists) else {
        return Ok(found);
    };
    let head = repository.git.head()?;
    if let (Some(here), Some(branch)) = (head.commit, head.branch)
        && here != selected.commit
    {
        for path in settings.iter().filter(|path| !edited.contains(path)) {
            let at = |commit| {
                repository
                    .git
                    .file_at(commit, &GitPath::from(path.as_str()))
            };
            if at(here)? != at(selected.commit)? {
                let branch = sanitize(branch.trim_start_matches("refs/heads/"));
                found.push(format!(
                    "`{path}` on `{branch}`, which you have checked out, is not that of `{}`, which is in effect",
                    selected.branch
                ));
            }
        }
    }
    Ok(found)
}
