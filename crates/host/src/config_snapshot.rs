//! A copy of what decides what git runs: the repository's configuration, hooks and the files of `info/` it heeds, and
//! the user's own git settings. Taken before a session, compared after it.
//!
//! Invariants: reading the copy runs nothing; restoring loses nothing, for what stood there instead is moved
//! aside first. Absent on purpose: refs (`git` knows them), who is to blame.

use crate::place_list::PlaceList;
use gatewalk_core::error::{Error, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The largest file that is copied; a larger one is compared by size and time and cannot be restored.
const COPY_LIMIT: u64 = 4 * 1024 * 1024;

/// Most entries of a directory that are looked at, all levels together.
const MOST_ENTRIES: usize = 2_000;

/// Most submodules that are looked at.
const MOST_MODULES: usize = 500;

/// What stood at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
enum PathContent {
    File {
        bytes: Vec<u8>,
        mode: u32,
    },
    Large {
        len: u64,
        modified: Option<std::time::SystemTime>,
    },
    Link(PathBuf),
    Directory,
    Other,
}

/// What was found, by path. Files are read at each look: that times stay the same says nothing on some file systems, and of what
/// is mapped into memory.
type FoundPaths = BTreeMap<PathBuf, PathContent>;

/// The copy, and what stands for every file of it.
#[derive(Debug)]
pub(crate) struct ConfigSnapshot {
    places: Arc<PlaceList>,
    /// Further places, which were found only when it was taken.
    beside: Vec<PathBuf>,
    /// Whether directories are not gone into.
    flat: bool,
    had: FoundPaths,
}

/// What git reads from a repository's directory. Not all of `info/`: its own housekeeping writes `info/refs`.
const REPOSITORY_FILES: [&str; 9] = [
    "config",
    "config.worktree",
    "commondir",
    "hooks",
    "info/attributes",
    "info/exclude",
    "info/grafts",
    "shallow",
    "objects/info/alternates",
];

/// What git reads from a submodule's.
const MODULE_FILES: [&str; 7] = [
    "config",
    "config.worktree",
    "commondir",
    "hooks",
    "info/attributes",
    "info/exclude",
    "objects/info/alternates",
];

/// What git reads from a home.
const HOME_FILES: [&str; 4] = [
    ".gitconfig",
    ".config/git/config",
    ".config/git/attributes",
    ".config/git/hooks",
];

/// Returns the roots of a snapshot for a repository and a home.
pub(crate) fn places(
    git_dir: &Path,
    common_dir: &Path,
    home: Option<&Path>,
    own: Option<&Path>,
) -> Vec<PathBuf> {
    let mut roots: Vec<PathBuf> = REPOSITORY_FILES.map(|name| common_dir.join(name)).into();
    for module in modules(&common_dir.join("modules")) {
        roots.extend(MODULE_FILES.map(|name| module.join(name)));
    }
    let beside = std::fs::read_dir(common_dir.join("worktrees"));
    let beside = beside.into_iter().flatten().flatten().take(MOST_MODULES);
    let beside = beside
        .map(|entry| entry.path())
        .filter(|worktree| worktree != git_dir);
    // Their other files come and go with them.
    roots.extend(beside.map(|worktree| worktree.join("config.worktree")));
    if git_dir != common_dir {
        roots.extend(["config.worktree", "commondir", "gitdir"].map(|n| git_dir.join(n)));
    }
    if let Some(home) = home {
        roots.extend(HOME_FILES.map(|name| home.join(name)));
    }
    roots.extend(own.map(Path::to_path_buf));
    let included: Vec<PathBuf> = roots
        .iter()
        .filter_map(|root| Some((root, std::fs::read_to_string(root).ok()?)))
        .flat_map(|(root, text)| included(root, &text, home))
        .collect();
    roots.extend(included);
    roots
}

/// Returns the git directories of submodules, nested ones too.
fn modules(below: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![below.to_path_buf()];
    while let Some(directory) = open.pop() {
        if found.len() > MOST_MODULES {
            break;
        }
        let is_git = directory.join("HEAD").is_file();
        if is_git {
            found.push(directory.clone());
        }
        let inside = match is_git {
            true => directory.join("modules"),
            // A module's name may have slashes in it.
            false => directory,
        };
        let entries = std::fs::read_dir(inside).into_iter().flatten().flatten();
        let directories = entries.filter(|e| e.file_type().is_ok_and(|kind| kind.is_dir()));
        open.extend(directories.map(|e| e.path()));
    }
    found
}

/// Returns the files a git configuration includes, and the hooks directory it names.
fn included(file: &Path, text: &str, home: Option<&Path>) -> Vec<PathBuf> {
    let mut section = String::new();
    let mut found = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some(head) = line.strip_prefix('[') {
            section = head.to_lowercase();
            continue;
        }
        let Some((key, value)) = line.split_once('=') else {
            continue;
        };
        let (key, value) = (key.trim().to_lowercase(), value.trim().trim_matches('"'));
        let names = section.starts_with("include") && key == "path"
            || section.starts_with("core") && (key == "hookspath" || key == "attributesfile");
        if names && !value.is_empty() {
            let path = match (value.strip_prefix("~/"), home) {
                (Some(rest), Some(home)) => home.join(rest),
                _ => file.parent().unwrap_or(Path::new("/")).join(value),
            };
            // A hooks directory is looked for in the work tree, beside the git directory.
            if key == "hookspath" && !Path::new(value).is_absolute() {
                let tree = file.parent().and_then(Path::parent);
                found.extend(tree.map(|tree| plain(&tree.join(value))));
            }
            found.push(plain(&path));
        }
    }
    found
}

/// Returns a path without detours, its last part as it is.
fn plain(path: &Path) -> PathBuf {
    let parent = path.parent().and_then(|p| std::fs::canonicalize(p).ok());
    match (parent, path.file_name()) {
        (Some(parent), Some(name)) => parent.join(name),
        _ => path.to_path_buf(),
    }
}

impl ConfigSnapshot {
    /// Copies what is at these places and below.
    pub(crate) fn take(places: Arc<PlaceList>) -> ConfigSnapshot {
        ConfigSnapshot::take_beside(places, Vec::new())
    }

    /// Copies what is at these places and beside them, and below.
    pub(crate) fn take_beside(places: Arc<PlaceList>, beside: Vec<PathBuf>) -> ConfigSnapshot {
        ConfigSnapshot {
            beside,
            flat: false,
            had: FoundPaths::new(),
            places,
        }
        .filled()
    }

    /// Returns whether something was at a path.
    pub(crate) fn had(&self, path: &Path) -> bool {
        self.had.contains_key(path)
    }

    /// Copies what is at these places and beside them, but of a directory only that it is there.
    pub(crate) fn take_flat(places: Arc<PlaceList>, beside: Vec<PathBuf>) -> ConfigSnapshot {
        ConfigSnapshot {
            places,
            beside,
            flat: true,
            had: FoundPaths::new(),
        }
        .filled()
    }

    fn filled(self) -> ConfigSnapshot {
        let had = self.read_now(&[]);
        ConfigSnapshot { had, ..self }
    }

    /// Reads what stands at the places now, and at these beside them.
    fn read_now(&self, appeared: &[PathBuf]) -> FoundPaths {
        let beside = self.beside.iter().chain(appeared).map(PathBuf::as_path);
        let roots: Vec<&Path> = self.places.occupied().into_iter().chain(beside).collect();
        match self.flat {
            true => read_flat(&roots),
            false => read(&roots),
        }
    }

    /// Returns the paths that are not as they were.
    pub(crate) fn broken(&self) -> BTreeSet<PathBuf> {
        self.broken_beside(&[])
    }

    /// Likewise, where these would have been looked at too, had they been there.
    pub(crate) fn broken_beside(&self, appeared: &[PathBuf]) -> BTreeSet<PathBuf> {
        let has = self.read_now(appeared);
        let paths: BTreeSet<&PathBuf> = self.had.keys().chain(has.keys()).collect();
        paths
            .into_iter()
            .filter(|path| self.had.get(*path) != has.get(*path))
            .cloned()
            .collect()
    }

    /// Puts paths back as they were; what stands there now is kept in `aside`. Returns what could not be.
    pub(crate) fn restore(&self, paths: &BTreeSet<PathBuf>, aside: &Path) -> Result<Vec<PathBuf>> {
        let mut lost = Vec::new();
        std::fs::create_dir_all(aside).map_err(|e| Error::io("create", aside, &e))?;
        for (index, path) in paths.iter().enumerate() {
            let name = path.file_name().map_or_else(OsString::new, OsString::from);
            let mut kept = OsString::from(format!("{index}-"));
            kept.push(name);
            // Across file systems a rename fails; then a copy has to do.
            let kept = aside.join(kept);
            if std::fs::symlink_metadata(path).is_ok()
                && !(path.is_dir() && self.had.get(path) == Some(&PathContent::Directory))
                && std::fs::rename(path, &kept).is_err()
            {
                drop(std::fs::copy(path, &kept));
                drop(std::fs::remove_file(path));
            }
            if !self.put_back(path) {
                lost.push(path.clone());
            }
        }
        Ok(lost)
    }

    fn put_back(&self, path: &Path) -> bool {
        let Some(content) = self.had.get(path) else {
            return std::fs::symlink_metadata(path).is_err();
        };
        if let Some(parent) = path.parent() {
            drop(std::fs::create_dir_all(parent));
        }
        match content {
            PathContent::File { bytes, mode } => {
                std::fs::write(path, bytes).is_ok()
                    && std::fs::set_permissions(path, std::fs::Permissions::from_mode(*mode))
                        .is_ok()
            }
            PathContent::Link(target) => std::os::unix::fs::symlink(target, path).is_ok(),
            PathContent::Directory => std::fs::create_dir_all(path).is_ok(),
            PathContent::Large { .. } | PathContent::Other => false,
        }
    }
}

/// Reads what stands at these paths.
fn read_flat(roots: &[&Path]) -> FoundPaths {
    let at = |path: &Path| {
        let kind = std::fs::symlink_metadata(path).ok()?.file_type();
        Some((path.to_path_buf(), content(path, kind)))
    };
    roots.iter().copied().filter_map(at).collect()
}

/// Likewise what is below them, and what they lead to.
fn read(roots: &[&Path]) -> FoundPaths {
    let mut found = FoundPaths::new();
    for root in roots {
        let entries = walkdir::WalkDir::new(root)
            .max_depth(6)
            .into_iter()
            .filter_map(std::result::Result::ok)
            .take(MOST_ENTRIES);
        for entry in entries {
            let content = content(entry.path(), entry.file_type());
            found.insert(entry.into_path(), content);
        }
        // What a link leads to decides as much as the link.
        if let Ok(target) = std::fs::canonicalize(root)
            && target != *root
            && target.is_file()
        {
            let content = file(&target);
            found.insert(target, content);
        }
    }
    found
}

fn content(path: &Path, kind: std::fs::FileType) -> PathContent {
    if kind.is_symlink() {
        PathContent::Link(std::fs::read_link(path).unwrap_or_default())
    } else if kind.is_dir() {
        PathContent::Directory
    } else if kind.is_file() {
        file(path)
    } else {
        PathContent::Other
    }
}

fn file(path: &Path) -> PathContent {
    let Ok(meta) = std::fs::metadata(path) else {
        return PathContent::Other;
    };
    if meta.len() > COPY_LIMIT {
        return PathContent::Large {
            len: meta.len(),
            modified: meta.modified().ok(),
        };
    }
    match std::fs::read(path) {
        Ok(bytes) => PathContent::File {
            bytes,
            mode: meta.permissions().mode() & 0o7777,
        },
        Err(_) => PathContent::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes a snapshot of a git directory, changes it, and returns what is found and whether all of it comes back.
    fn check(change: impl Fn(&Path), want: &[&str]) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let git = root.join("git");
        std::fs::create_dir_all(git.join("hooks")).unwrap();
        std::fs::create_dir_all(git.join("info")).unwrap();
        std::fs::write(git.join("config"), "[include]\n\tpath = ../more\n").unwrap();
        std::fs::write(root.join("more"), "[user]\n").unwrap();
        std::fs::write(git.join("hooks/pre-commit"), "#!/bin/sh\n").unwrap();
        std::fs::create_dir_all(git.join("modules/lib/one")).unwrap();
        std::fs::write(git.join("modules/lib/one/HEAD"), "ref: refs/heads/main\n").unwrap();
        std::fs::create_dir_all(git.join("worktrees/beside")).unwrap();
        let roots = places(&git, &git, None, None);
        let snapshot = ConfigSnapshot::take(Arc::new(PlaceList::new(roots.clone())));
        assert_eq!(snapshot.broken(), BTreeSet::new());
        change(&git);
        let broken = snapshot.broken();
        let mut names: Vec<String> = broken
            .iter()
            .map(|p| p.file_name().unwrap().to_string_lossy().into_owned())
            .collect();
        names.sort();
        assert_eq!(names, want);
        let lost = snapshot.restore(&broken, &root.join("aside")).unwrap();
        assert_eq!(lost, Vec::<PathBuf>::new());
        assert_eq!(snapshot.broken(), BTreeSet::new());
    }

    #[test]
    fn what_changed_is_found_and_put_back() {
        let write = |path: PathBuf, text: &str| std::fs::write(path, text).unwrap();
        check(|g| write(g.join("config"), "[core]\n"), &["config"]);
        check(
            |g| write(g.join("config.worktree"), "[core]\n"),
            &["config.worktree"],
        );
        check(
            |g| write(g.join("info/attributes"), "* filter=x\n"),
            &["attributes"],
        );
        check(|g| write(g.join("commondir"), "../other\n"), &["commondir"]);
        for name in ["config.worktree", "commondir"] {
            let at = format!("modules/lib/one/{name}");
            check(|g| write(g.join(&at), "[core]\n"), &[name]);
        }
        check(
            |g| write(g.join("worktrees/beside/config.worktree"), "[core]\n"),
            &["config.worktree"],
        );
        check(|g| write(g.join("info/refs"), "git gc wrote this\n"), &[]);
        check(|g| write(g.join("../more"), "[core]\n"), &["more"]);
        check(
            |g| write(g.join("hooks/post-commit"), "x"),
            &["post-commit"],
        );
        check(
            |g| {
                std::fs::set_permissions(
                    g.join("hooks/pre-commit"),
                    std::fs::Permissions::from_mode(0o755),
                )
                .unwrap()
            },
            &["pre-commit"],
        );
        check(
            |g| std::fs::remove_dir_all(g.join("hooks")).unwrap(),
            &["hooks", "pre-commit"],
        );
    }
}
