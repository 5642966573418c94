//! Features whose `root` is no directory of the checkout.

use gatewalk_core::model::frontmatter::nearest;
use gatewalk_core::model::workspace::Workspace;
use std::collections::BTreeMap;
use std::path::Path;

/// Returns the `root` of each feature that names none of the checkout's directories, with the name that was meant, if
/// one beside it is near enough.
pub fn find(checkout: &Path, workspace: &Workspace) -> BTreeMap<String, Option<String>> {
    let features = workspace.features.iter();
    let roots = features.filter_map(|feature| feature.plan.root());
    let absent = roots.filter(|root| !checkout.join(root).is_dir());
    absent
        .map(|root| (root.to_owned(), meant(checkout, root)))
        .collect()
}

fn meant(checkout: &Path, root: &str) -> Option<String> {
    let (parent, name) = root.rsplit_once('/').unwrap_or(("", root));
    let entries = std::fs::read_dir(checkout.join(parent)).ok()?;
    let directories = entries
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .filter_map(|entry| entry.file_name().into_string().ok());
    let directories: Vec<String> = directories.filter(|name| !name.starts_with('.')).collect();
    let near = nearest(name, directories.iter().map(String::as_str))?;
    Some(root[..root.len() - name.len()].to_owned() + near)
}
