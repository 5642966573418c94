//! What stands in a state directory where a file or a directory would be read, and no run reads: symbolic links, repositories
//! of their own, directories in the place of files.

use crate::git::{Git, GitPath, MODE_GITLINK, MODE_SYMLINK, MODE_TREE, TreeEntry};
use gatewalk_core::error::Result;
use gatewalk_core::model::layout::{self, Layout};
use gatewalk_core::model::unread_entry::UnreadEntry;
use gatewalk_core::model::workspace::Workspace;
use gatewalk_core::object_id::ObjectId;
use std::collections::BTreeMap;
use std::path::Path;

/// Notes in a workspace what nobody reads in a checkout's state directory, as far as work that is not over could need it.
pub fn note(checkout: &Path, workspace: &mut Workspace) {
    let layout: Layout = workspace.layout;
    let mut places = vec![layout.dir().to_owned()];
    places.extend(directories_of(layout));
    let open = workspace.features();
    let open = open.filter(|feature| !feature.plan.status().is_over());
    places.extend(open.map(|feature| feature.dir.to_string()));
    let inside = places.iter().flat_map(|place| entries_in(checkout, place));
    let state = layout.dir().to_owned();
    let itself = unread_at(&checkout.join(&state)).map(|entry| (state, entry));
    workspace.unread = inside.chain(itself).collect();
}

/// Returns the directories that a state directory has of its own.
fn directories_of(layout: Layout) -> [String; 3] {
    [layout::FEATURES, layout::RULES, layout::RULES_LOCAL].map(|place| layout.path(place))
}

/// Returns what no run reads among the entries of a commit that a run of a feature would read.
pub fn committed(
    git: &Git,
    commit: ObjectId,
    (layout, feature): (Layout, &str),
) -> Result<BTreeMap<String, UnreadEntry>> {
    let shared = [layout::RULES, layout::RULES_LOCAL].map(|place| layout.path(place));
    let places = shared
        .into_iter()
        .chain([layout.dir().to_owned(), feature.to_owned()]);
    let directories = directories_of(layout);
    let mut unread = BTreeMap::new();
    for place in places {
        for entry in git.entries(commit, &GitPath::from(&*place))? {
            let (Some(name), Some(kind)) = (entry.path.as_str(), kind_of(&entry)) else {
                continue;
            };
            let path = format!("{place}/{name}");
            if kind != UnreadEntry::Directory || !directories.contains(&path) {
                unread.insert(path, kind);
            }
        }
    }
    Ok(unread)
}

/// Returns what a path of a checkout is, where that is no file.
pub(crate) fn unread_at(path: &Path) -> Option<UnreadEntry> {
    let kind = path.symlink_metadata().ok()?.file_type();
    if kind.is_symlink() {
        return Some(UnreadEntry::Link);
    }
    kind.is_dir().then(|| match path.join(".git").exists() {
        true => UnreadEntry::Repository,
        false => UnreadEntry::Directory,
    })
}

fn kind_of(entry: &TreeEntry) -> Option<UnreadEntry> {
    match entry.mode {
        MODE_SYMLINK => Some(UnreadEntry::Link),
        MODE_GITLINK => Some(UnreadEntry::Repository),
        MODE_TREE => Some(UnreadEntry::Directory),
        _ => None,
    }
}

/// Returns what is no file in a directory, by path from the root of the checkout; nothing where it cannot be listed.
fn entries_in(checkout: &Path, place: &str) -> Vec<(String, UnreadEntry)> {
    let entries = std::fs::read_dir(checkout.join(place))
        .into_iter()
        .flatten();
    let kinds = entries.filter_map(|entry| {
        let entry = entry.ok()?;
        // Most are files, which no further look is needed for.
        if entry.file_type().is_ok_and(|kind| kind.is_file()) {
            return None;
        }
        let name = entry.file_name().into_string().ok()?;
        Some((format!("{place}/{name}"), unread_at(&entry.path())?))
    });
    kinds.collect()
}
