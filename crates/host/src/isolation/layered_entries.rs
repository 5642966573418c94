//! What stands for each entry of a layered directory.

use super::bounds::Bounds;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{DirEntry, FileType};
use std::path::{Path, PathBuf};

/// Where the outermost layered directory itself is, inside what stands in its place.
pub(super) const ORIGINAL: &str = ".gatewalk-original";

/// What of an entry has a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ruled {
    /// The entry, and perhaps what is inside it.
    Itself,
    /// Only something inside it.
    Inside,
}

/// The entries of a directory that have rules, by name. Few do, where a home has hundreds of entries.
pub(super) type RuledEntries = BTreeMap<OsString, Ruled>;

/// What stands for an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum StandingEntry {
    /// A link that leads there.
    Link(PathBuf),
    /// What is mounted there.
    Mounted {
        /// Whether a directory is.
        directory: bool,
        /// What has the rule for which it is.
        ruled: Ruled,
    },
    /// Nothing: sockets and pipes are doors.
    Shut,
}

/// What stands for the entries of a directory, by name.
pub(super) type StandingEntries = BTreeMap<OsString, StandingEntry>;

/// Returns which entries of a directory have rules.
pub(super) fn ruled_in(bounds: &Bounds, path: &Path) -> RuledEntries {
    let mut ruled = RuledEntries::new();
    for (rule, _) in bounds.rules_inside(path) {
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

/// Returns what stands for the entries of a directory that is shown at `original` itself.
pub(super) fn standing(path: &Path, original: &Path, ruled: &RuledEntries) -> StandingEntries {
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    let mut standing: StandingEntries = entries
        .filter_map(|entry| {
            let name = entry.file_name();
            let standing = standing_entry(&entry, ruled.get(&name).copied(), original)?;
            Some((name, standing))
        })
        .collect();
    if original == path.join(ORIGINAL) {
        let itself = StandingEntry::Mounted {
            directory: true,
            ruled: Ruled::Itself,
        };
        standing.insert(ORIGINAL.into(), itself);
    }
    standing
}

/// Returns what stands for one; none for one that is gone.
fn standing_entry(
    entry: &DirEntry,
    ruled: Option<Ruled>,
    original: &Path,
) -> Option<StandingEntry> {
    let kind = entry.file_type().ok()?;
    let mounted = |ruled| StandingEntry::Mounted {
        directory: kind.is_dir(),
        ruled,
    };
    Some(match ruled {
        Some(Ruled::Itself) => mounted(Ruled::Itself),
        _ if kind.is_symlink() => StandingEntry::Link(std::fs::read_link(entry.path()).ok()?),
        Some(Ruled::Inside) => mounted(Ruled::Inside),
        None if is_plain(kind) => StandingEntry::Link(original.join(entry.file_name())),
        None => StandingEntry::Shut,
    })
}

fn is_plain(kind: FileType) -> bool {
    kind.is_dir() || kind.is_file()
}
