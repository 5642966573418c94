//! Which findings are shown: those of the paths given, or what the changes since `HEAD` added.
//!
//! Rules always see the whole state directory, so that a change in one file whose finding is in
//! another is not missed.

use super::Args;
use gatewalk_core::diagnostic::Diagnostic;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::lint::{self, Options};
use gatewalk_core::model::layout::Layout;
use gatewalk_core::model::workspace::{FileSet, Workspace};
use gatewalk_core::path_names::is_at_or_below;
use gatewalk_host::git::{Git, GitPath};
use std::collections::{BTreeSet, HashMap};
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

/// Which of the findings are shown.
pub(super) struct FindingFilter {
    /// Paths from the root; empty for everything.
    pub(super) paths: Vec<String>,
    changes: Option<Changes>,
}

/// What git says has changed.
struct Changes {
    files: BTreeSet<String>,
    /// The state directory as it was committed.
    before: FileSet,
    layout: Layout,
}

/// Returns what the arguments ask for.
pub(super) fn of(args: &Args, cwd: &Path, root: &Path, layout: Layout) -> Result<FindingFilter> {
    let paths = args.paths.iter().chain(&args.stdin_filename);
    let exists = args.stdin_filename.is_none();
    let paths = paths
        .map(|path| relative(path, cwd, root, exists))
        .collect::<Result<Vec<_>>>()?;
    let changes = if args.changed {
        Some(changes(root, layout)?)
    } else {
        None
    };
    // The root itself means everything.
    let everything = paths.iter().any(String::is_empty);
    Ok(FindingFilter {
        paths: if everything { vec![] } else { paths },
        changes,
    })
}

impl FindingFilter {
    /// Returns the paths given in which no finding can be.
    pub(super) fn outside(&self, layout: Layout) -> impl Iterator<Item = &str> {
        let inside = move |path: &str| Path::new(path).starts_with(layout.dir());
        let paths = self.paths.iter().map(String::as_str);
        paths.filter(move |path| !inside(path))
    }

    /// Returns whether findings of a file are shown because of where it is.
    pub(super) fn holds(&self, path: &str) -> bool {
        let given = self.paths.is_empty() || self.paths.iter().any(|p| is_at_or_below(path, p));
        given
            && self
                .changes
                .as_ref()
                .is_none_or(|changes| changes.files.contains(path))
    }

    /// Drops what is not shown.
    pub(super) fn filter(&self, found: &mut Vec<Diagnostic>, options: &Options) {
        let Some(changes) = &self.changes else {
            found.retain(|d| self.holds(&d.primary.path));
            return;
        };
        let key = |d: &Diagnostic| (d.code, d.primary.path.clone(), d.message.clone());
        let mut known: HashMap<_, usize> = HashMap::new();
        for d in lint::run(&Workspace::parse(changes.layout, &changes.before), options) {
            *known.entry(key(&d)).or_default() += 1;
        }
        let paths = FindingFilter {
            paths: self.paths.clone(),
            changes: None,
        };
        found.retain(|d| {
            let is_new = match known.get_mut(&key(d)) {
                Some(left) if *left > 0 => {
                    *left -= 1;
                    false
                }
                _ => true,
            };
            paths.holds(&d.primary.path) && (is_new || changes.files.contains(&*d.primary.path))
        });
    }
}

fn changes(root: &Path, layout: Layout) -> Result<Changes> {
    let git = Git::discover(root)?;
    let prefix = match root
        .canonicalize()
        .ok()
        .and_then(|root| root.strip_prefix(git.work_tree()).map(Path::to_owned).ok())
    {
        Some(inside) if !inside.as_os_str().is_empty() => format!("{}/", inside.display()),
        _ => String::new(),
    };
    let state = format!("{prefix}{}", layout.dir());
    let from_root = |path: &str| path.strip_prefix(prefix.as_str()).map(str::to_owned);
    let status = git.status(&GitPath::from(state.as_str()))?;
    let changed = status
        .entries
        .iter()
        .filter_map(|e| from_root(&String::from_utf8_lossy(e.path.as_bytes())));
    let before = match git.resolve("HEAD")? {
        Some(head) => git.files_under(head, &state)?,
        None => FileSet::new(),
    };
    let before = before
        .into_iter()
        .filter_map(|(path, bytes)| Some((from_root(&path)?, bytes)))
        .collect();
    Ok(Changes {
        files: changed.collect(),
        before,
        layout,
    })
}

/// Returns a path from the root, with `/`.
fn relative(path: &Path, cwd: &Path, root: &Path, must_exist: bool) -> Result<String> {
    let (here, below_root) = (cwd.join(path), root.join(path));
    // Every message names files from the root, and its commands are run from wherever one stands.
    let full = match !here.exists() && below_root.exists() {
        true => below_root,
        false => here,
    };
    if must_exist && !full.exists() {
        return Err(Error::usage(format!("`{}` is not there", path.display())));
    }
    let plain = |path: &Path| {
        path.components().fold(PathBuf::new(), |mut plain, part| {
            match part {
                Component::ParentDir => drop(plain.pop()),
                Component::CurDir => {}
                part => plain.push(part),
            }
            plain
        })
    };
    let inside = |full: &Path, root: &Path| {
        plain(full)
            .strip_prefix(plain(root))
            .map(Path::to_owned)
            .ok()
    };
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let found = inside(&full, root).or_else(|| inside(&real(&full), &real(root)));
    match found.as_ref().and_then(|p| p.to_str()) {
        Some(text) => Ok(text.replace('\\', "/")),
        None => Err(Error::usage(format!(
            "`{}` is outside of `{}`",
            path.display(),
            root.display()
        ))),
    }
}

/// Returns size and time of every file of a state directory.
pub(super) fn stamps(root: &Path, layout: Layout) -> Vec<(PathBuf, u64, Option<SystemTime>)> {
    let walk = walkdir::WalkDir::new(root.join(layout.dir()))
        .max_depth(3)
        .sort_by_file_name();
    let stamp = |entry: walkdir::DirEntry| {
        let meta = entry.metadata().ok()?;
        meta.is_file()
            .then(|| (entry.path().to_owned(), meta.len(), meta.modified().ok()))
    };
    walk.into_iter()
        .filter_map(std::result::Result::ok)
        .filter_map(stamp)
        .collect()
}
