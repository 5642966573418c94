//! Directories in which what is new is thrown away, for bubblewrap: a home and some of what is in it.
//!
//! A mount costs bubblewrap a reading of all mounts before it, so one an entry grows with the square of the entries. The
//! outermost directory is mounted once, read-only, inside the empty one that stands in its place; entries are links
//! into it. Only what has a rule of its own inside is a mount, for a rule cannot be mounted through a link.

use super::bounds::{Access, Bounds};
use super::command_line::CommandLine;
use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::DirEntry;
use std::path::{Path, PathBuf};

/// Where the outermost directory itself is, inside what stands in its place.
const ORIGINAL: &str = ".gatewalk-original";

/// Most entries of all layered directories; what does not fit is only read. The program takes 9,000 arguments, a link is three.
const MOST_ENTRIES: usize = 2_000;

/// The layered directories of one command line, in the order of its rules.
pub(super) struct LayeredDirectories<'b> {
    bounds: &'b Bounds,
    /// The outermost one that was shown last.
    outermost: Option<PathBuf>,
    /// How many entries may still be links.
    left: usize,
}

impl<'b> LayeredDirectories<'b> {
    pub(super) fn new(bounds: &'b Bounds) -> LayeredDirectories<'b> {
        LayeredDirectories {
            bounds,
            outermost: None,
            left: MOST_ENTRIES,
        }
    }

    /// Shows a directory's entries read-only in a directory of its own.
    pub(super) fn show(&mut self, path: &Path, line: &mut CommandLine) {
        let entries: Vec<DirEntry> = match std::fs::read_dir(path) {
            Ok(entries) => entries.filter_map(Result::ok).collect(),
            Err(_) => vec![],
        };
        if entries.len() > self.left {
            return line.two("--ro-bind", path, path);
        }
        self.left -= entries.len();
        line.one("--tmpfs", path);
        let original = self.original(path, line);
        let ruled = self.ruled_in(path);
        for entry in entries {
            show_entry(&entry, ruled.get(&entry.file_name()), &original, line);
        }
    }

    /// Returns where a directory itself is; mounts it there where no outer one has it.
    fn original(&mut self, path: &Path, line: &mut CommandLine) -> PathBuf {
        let outer = self.outermost.as_ref();
        let inside = outer.and_then(|outer| Some((outer, path.strip_prefix(outer).ok()?)));
        if let Some((outer, inside)) = inside {
            return outer.join(ORIGINAL).join(inside);
        }
        let original = path.join(ORIGINAL);
        line.two("--ro-bind", path, &original);
        let closed = |access| matches!(access, Access::Hidden | Access::Private);
        let inside = self.bounds.rules_inside(path);
        for (hidden, _) in inside.filter(|(_, access)| closed(*access)) {
            if self.bounds.is_inside_hidden(hidden) {
                continue;
            }
            if let Ok(inside) = hidden.strip_prefix(path) {
                line.hide(hidden, &original.join(inside));
            }
        }
        self.outermost = Some(path.to_path_buf());
        original
    }

    /// Returns which entries of a directory have rules: few do, where a home has hundreds of entries.
    fn ruled_in(&self, path: &Path) -> HashMap<OsString, Ruled> {
        let mut ruled = HashMap::new();
        for (rule, _) in self.bounds.rules_inside(path) {
            let mut names = rule.strip_prefix(path).into_iter().flat_map(Path::iter);
            let Some(entry) = names.next() else {
                continue;
            };
            // The entry's own comes before those of what is inside it.
            ruled.entry(entry.to_owned()).or_insert(match names.next() {
                None => Ruled::Itself,
                Some(_) => Ruled::Inside,
            });
        }
        ruled
    }
}

/// What of an entry has a rule.
#[derive(Clone, Copy)]
enum Ruled {
    Itself,
    Inside,
}

fn show_entry(entry: &DirEntry, ruled: Option<&Ruled>, original: &Path, line: &mut CommandLine) {
    let inside = entry.path();
    let itself = || original.join(entry.file_name());
    match (ruled, entry.file_type()) {
        // What has a rule of its own follows.
        (Some(Ruled::Itself), _) => {}
        (_, Ok(kind)) if kind.is_symlink() => {
            if let Ok(target) = std::fs::read_link(&inside) {
                line.two("--symlink", &target, &inside);
            }
        }
        (Some(Ruled::Inside), Ok(_)) => line.two("--ro-bind-try", &inside, &inside),
        (_, Ok(kind)) if kind.is_dir() || kind.is_file() => {
            line.two("--symlink", &itself(), &inside);
        }
        // Sockets and pipes are doors.
        _ => line.hide(&inside, &itself()),
    }
}
