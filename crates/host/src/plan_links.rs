//! Symbolic links in a state directory where a file or a directory would be read: no run follows one, for git keeps no plan
//! behind it.

use crate::git::{Git, GitPath, MODE_SYMLINK};
use gatewalk_core::error::Result;
use gatewalk_core::model::layout::{self, Layout};
use gatewalk_core::model::workspace::Workspace;
use gatewalk_core::object_id::ObjectId;
use std::collections::BTreeSet;
use std::path::Path;

/// Notes in a workspace the links of a checkout's state directory, as far as work that is not over could need them.
pub fn note(checkout: &Path, workspace: &mut Workspace) {
    let layout: Layout = workspace.layout;
    let mut places = vec![layout.dir().to_owned()];
    places.extend(
        [layout::FEATURES, layout::RULES, layout::RULES_LOCAL].map(|place| layout.path(place)),
    );
    let open = workspace.features();
    let open = open.filter(|feature| !feature.plan.status().is_over());
    places.extend(open.map(|feature| feature.dir.to_string()));
    let links = places.iter().flat_map(|place| links_in(checkout, place));
    workspace.linked = links.collect::<BTreeSet<String>>();
}

/// Returns the links among the files of a commit that a run of a feature would read.
pub fn committed(
    git: &Git,
    commit: ObjectId,
    (layout, feature): (Layout, &str),
) -> Result<BTreeSet<String>> {
    let shared = [layout::RULES, layout::RULES_LOCAL].map(|place| layout.path(place));
    let places = shared
        .into_iter()
        .chain([layout.dir().to_owned(), feature.to_owned()]);
    let mut links = BTreeSet::new();
    for place in places {
        let entries = git.entries(commit, &GitPath::from(&*place))?;
        let linked = entries.iter().filter(|entry| entry.mode == MODE_SYMLINK);
        let names = linked.filter_map(|entry| entry.path.as_str());
        links.extend(names.map(|name| format!("{place}/{name}")));
    }
    Ok(links)
}

/// Returns the links in a directory, by path from the root of the checkout; none where it cannot be listed.
fn links_in(checkout: &Path, place: &str) -> Vec<String> {
    let entries = std::fs::read_dir(checkout.join(place))
        .into_iter()
        .flatten();
    let links = entries
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_symlink()));
    let named = links.filter_map(|entry| entry.file_name().into_string().ok());
    named.map(|name| format!("{place}/{name}")).collect()
}
