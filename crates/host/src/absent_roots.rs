//! What plans and settings name and the checkout does not have: the `root` of a feature, and paths of the oracle, of what is
//! protected and of what slots take along.

use gatewalk_core::model::frontmatter::nearest;
use gatewalk_core::model::workspace::Workspace;
use std::path::Path;

/// Notes in a workspace what it names and a checkout lacks, each with the name that was meant, if one beside it is near
/// enough.
pub fn note(checkout: &Path, workspace: &mut Workspace) {
    let features = workspace.features.iter();
    let roots = features.filter_map(|feature| feature.plan.root());
    let absent = roots.filter(|root| !checkout.join(root).is_dir());
    let roots = absent.map(|root| {
        let meant = absent_part(checkout, root).flatten();
        (root.to_owned(), meant)
    });
    workspace.absent_roots = roots.collect();
    // What a sparse checkout leaves out is no mistake.
    if checkout.join(".git/info/sparse-checkout").exists() {
        return;
    }
    let paths = workspace.path_settings();
    let absent = paths.filter_map(|path| Some((path.to_owned(), absent_part(checkout, path)?)));
    workspace.absent_paths = absent.collect();
}

/// Returns nothing where all parts of a path are there as far as they are plain names; else the path with the first that is
/// not replaced by what was meant, if anything is near.
fn absent_part(checkout: &Path, path: &str) -> Option<Option<String>> {
    let mut here = checkout.to_owned();
    let mut before = 0;
    for part in path.split('/') {
        if part.contains(['*', '?', '[', '{', '\\']) {
            return None;
        }
        let inside = here.join(part);
        if std::fs::symlink_metadata(&inside).is_err() {
            let rest = &path[before + part.len()..];
            let near = near_entry(&here, part, !rest.is_empty());
            return Some(near.map(|near| format!("{}{near}{rest}", &path[..before])));
        }
        here = inside;
        before += part.len() + 1;
    }
    None
}

fn near_entry(parent: &Path, name: &str, only_directories: bool) -> Option<String> {
    let entries = std::fs::read_dir(parent).ok()?;
    let fits = |entry: &std::fs::DirEntry| {
        !only_directories || entry.file_type().is_ok_and(|kind| kind.is_dir())
    };
    let names = entries
        .filter_map(Result::ok)
        .filter(fits)
        .filter_map(|entry| entry.file_name().into_string().ok());
    let names: Vec<String> = names
        .filter(|other| name.starts_with('.') || !other.starts_with('.'))
        .collect();
    nearest(name, names.iter().map(String::as_str)).map(str::to_owned)
}
