//! The links on the way to a file.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

/// How many links are followed for one file: more are a loop.
pub(crate) const MOST_LINKS: usize = 64;

/// Returns a path with this link at its beginning followed.
pub(crate) fn followed(path: &Path, link: &Path) -> Option<PathBuf> {
    let target = std::fs::read_link(link).ok()?;
    let rest = path.strip_prefix(link).ok()?;
    let joined = link.parent()?.join(target);
    Some(without_dots(&match rest.as_os_str().is_empty() {
        true => joined,
        false => joined.join(rest),
    }))
}

/// Returns the beginning of a path that is its first link. What is found to be none is added to what is known as such, which is
/// not looked at again: most paths begin alike.
pub(crate) fn first_link<'p>(path: &'p Path, plain: &mut HashSet<PathBuf>) -> Option<&'p Path> {
    let mut outer: Vec<&Path> = path.ancestors().collect();
    // From the longest part on that is known to have none.
    let known = outer.iter().position(|part| plain.contains(*part));
    outer.truncate(known.unwrap_or(outer.len()));
    outer.into_iter().rev().find(|part| {
        let is_link = part.is_symlink();
        if !is_link {
            plain.insert(part.to_path_buf());
        }
        is_link
    })
}

/// Returns each link that is followed on the way to a file, and where the way ends. What is found to be no link is added to what
/// is known as such.
pub(crate) fn way_to(path: &Path, plain: &mut HashSet<PathBuf>) -> Vec<PathBuf> {
    let mut way = Vec::new();
    let mut path = path.to_path_buf();
    while way.len() < MOST_LINKS {
        let link = first_link(&path, plain);
        let Some((link, next)) = link.and_then(|link| Some((link, followed(&path, link)?))) else {
            break;
        };
        way.push(link.to_path_buf());
        path = next;
    }
    way.push(path);
    way
}

/// Returns a path without `.` and `..`, which no link precedes any more.
fn without_dots(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut path, part| {
        match part {
            Component::ParentDir => drop(path.pop()),
            Component::CurDir => {}
            part => path.push(part),
        }
        path
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_has_every_link_and_its_end() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let at = |name: &str| root.join(name);
        std::fs::create_dir_all(at("real/bin")).unwrap();
        std::fs::write(at("real/bin/tool"), "").unwrap();
        let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, at(name)).unwrap();
        link("real", "current");
        link("../current/bin/./tool", "real/tool");
        link("loop", "loop");
        let mut plain = HashSet::new();
        for (path, way) in [
            ("real/bin/tool", &["real/bin/tool"][..]),
            ("current/bin/tool", &["current", "real/bin/tool"]),
            ("real/tool", &["real/tool", "current", "real/bin/tool"]),
            ("absent", &["absent"]),
        ] {
            let way: Vec<PathBuf> = way.iter().map(|name| at(name)).collect();
            assert_eq!(way_to(&at(path), &mut HashSet::new()), way, "{path}");
            assert_eq!(way_to(&at(path), &mut plain), way, "{path}");
        }
        assert_eq!(way_to(&at("loop"), &mut plain).len(), MOST_LINKS + 1);
    }
}
