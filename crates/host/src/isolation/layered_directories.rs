//! Directories in which what is new is thrown away, for bubblewrap: a home and some of what is in it.
//!
//! A mount costs bubblewrap a reading of all mounts before it, so one an entry grows with the square of the entries. The
//! outermost directory is mounted once, read-only, inside the one that stands in its place; entries are links
//! into it. Only what has a rule of its own inside is a mount, for a rule cannot be mounted through a link. What stands in its
//! place is on the disk where it can be, and else in memory, where bubblewrap makes each link anew.

use super::bounds::{Access, Bounds};
use super::command_line::CommandLine;
use super::layered_entries::{ORIGINAL, Ruled, RuledEntries, StandingEntry, ruled_in, standing};
use super::stand_ins::{SlotStandIns, StandInLease, StandInRequest};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Most entries of all layered directories; what does not fit is only read. The program takes 9,000 arguments, a link is three.
const MOST_ENTRIES: usize = 2_000;

/// The layered directories of one command line, in the order of its rules.
pub(super) struct LayeredDirectories<'b> {
    bounds: &'b Bounds,
    stand_ins: Option<&'b SlotStandIns>,
    /// What stands on the disk for the process.
    pub(super) leases: Vec<StandInLease>,
    /// The outermost one that was shown last.
    outermost: Option<PathBuf>,
    /// How many entries there may still be.
    left: usize,
}

impl<'b> LayeredDirectories<'b> {
    pub(super) fn new(
        bounds: &'b Bounds,
        stand_ins: Option<&'b SlotStandIns>,
    ) -> LayeredDirectories<'b> {
        LayeredDirectories {
            bounds,
            stand_ins,
            leases: Vec::new(),
            outermost: None,
            left: MOST_ENTRIES,
        }
    }

    /// Shows a directory's entries read-only in a directory of its own.
    pub(super) fn show(&mut self, path: &Path, line: &mut CommandLine) {
        let ruled = ruled_in(self.bounds, path);
        let shown_inside = self.shown_inside_another(path);
        let original = shown_inside.clone().unwrap_or_else(|| path.join(ORIGINAL));
        let lease = self.lease(path, &original, &ruled);
        let entries = match &lease {
            Some(lease) => lease.entries(),
            None => standing(path, &original, &ruled).into(),
        };
        if entries.len() > self.left {
            return line.two("--ro-bind", path, path);
        }
        self.left -= entries.len();
        match &lease {
            Some(lease) => line.two("--bind", &lease.path, path),
            None => line.one("--tmpfs", path),
        }
        if shown_inside.is_none() {
            self.mount_original(path, &original, line);
        }
        for (name, standing) in &*entries {
            show_entry((name, standing), (path, &original), lease.is_some(), line);
        }
        self.leases.extend(lease);
    }
    fn lease(&self, path: &Path, original: &Path, ruled: &RuledEntries) -> Option<StandInLease> {
        self.stand_ins?.lease(&StandInRequest {
            path,
            original,
            ruled,
        })
    }

    /// Returns where a directory itself is, if an outer one has it.
    fn shown_inside_another(&self, path: &Path) -> Option<PathBuf> {
        let outer = self.outermost.as_ref()?;
        let inside = path.strip_prefix(outer).ok()?;
        Some(outer.join(ORIGINAL).join(inside))
    }

    /// Mounts an outermost directory itself inside what stands in its place.
    fn mount_original(&mut self, path: &Path, original: &Path, line: &mut CommandLine) {
        line.two("--ro-bind", path, original);
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
    }
}

/// Has an entry of a directory shown, but for what has a rule of its own, which follows.
fn show_entry(
    (name, standing): (&OsStr, &StandingEntry),
    (directory, original): (&Path, &Path),
    stands: bool,
    line: &mut CommandLine,
) {
    let inside = directory.join(name);
    match standing {
        StandingEntry::Link(target) if !stands => line.two("--symlink", target, &inside),
        StandingEntry::Link(_) => {}
        StandingEntry::Mounted {
            ruled: Ruled::Inside,
            ..
        } => line.two("--ro-bind-try", &inside, &inside),
        StandingEntry::Mounted { .. } => {}
        StandingEntry::Shut => line.hide(&inside, &original.join(name)),
    }
}
