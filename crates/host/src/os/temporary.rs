//! A directory of each slot's own for temporary files, thrown away with what was run there.
//!
//! Confined by bubblewrap it stands at `/tmp`, `/var/tmp` and the user's `TMPDIR`, on the same disk as
//! theirs, so that memory is not what a big build fills; otherwise it is the `TMPDIR` of what runs, and
//! what goes straight to `/tmp` is shared. Names are short: sockets are made below.

use crate::isolation::OWN_MODE;
use crate::process::CommandSpec;
use crate::removal::{self, is_as_made};
use gatewalk_core::parallel::locked;
use std::collections::BTreeSet;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::{fs, io};

/// The modes of what bubblewrap makes for the mount of a directory, with or without a mask that is for the user alone.
const DIRECTORY_POINTS: [u32; 2] = [0o755, 0o700];
/// Likewise of a file.
const FILE_POINTS: [u32; 2] = [0o444, 0o400];

/// The temporary directories of a run's slots.
#[derive(Debug)]
pub(super) struct Temporaries {
    /// Where they stand, each name's beginning.
    prefix: PathBuf,
    made: Mutex<BTreeSet<PathBuf>>,
}

impl Temporaries {
    /// Returns those of a repository, below the user's directory for temporary files.
    pub(super) fn new(below: Option<PathBuf>, owner: &str) -> Temporaries {
        Temporaries {
            prefix: prefix(below, owner),
            made: Mutex::default(),
        }
    }

    fn path(&self, slot: &Path) -> Option<PathBuf> {
        let mut path = self.prefix.clone().into_os_string();
        path.push("-");
        path.push(slot.file_name()?);
        Some(path.into())
    }

    /// Returns a slot's directory, made where it is not there; none where it cannot be made, or is not ours alone.
    pub(super) fn of(&self, slot: &Path) -> Option<PathBuf> {
        self.made_at(self.path(slot)?)
    }

    /// Returns likewise one of a slot's that stays as long as the run, for what is not a session's or a command's to leave.
    pub(super) fn of_run(&self, slot: &Path) -> Option<PathBuf> {
        let mut path = self.path(slot)?.into_os_string();
        path.push("-run");
        self.made_at(path.into())
    }

    fn made_at(&self, path: PathBuf) -> Option<PathBuf> {
        let mut made = locked(&self.made);
        if !made.contains(&path) {
            // What an earlier run left is nobody's any more.
            if is_ours(&path) {
                removal::remove(&path).ok()?;
            }
            fs::DirBuilder::new().mode(OWN_MODE).create(&path).ok()?;
            made.insert(path.clone());
        }
        is_ours(&path).then_some(path)
    }

    /// Throws away what is in a slot's directory. Where only what is below its directories could be reached, those stay as they are,
    /// with the mount points in them that nothing was written to: a disk takes its time to give room back and find new room.
    pub(super) fn empty(
        &self,
        slot: &Path,
        mount_points: Option<&BTreeSet<PathBuf>>,
    ) -> io::Result<()> {
        let Some(path) = self.path(slot) else {
            return Ok(());
        };
        let mut made = locked(&self.made);
        if !made.contains(&path) || mount_points.is_some_and(|kept| is_emptied(&path, kept)) {
            return Ok(());
        }
        made.remove(&path);
        removal::remove(&path)
    }
}

/// Empties the directories in a slot's own but for mount points, unless anything there is not as it was made.
fn is_emptied(own: &Path, kept: &BTreeSet<PathBuf>) -> bool {
    let stays = |entry: &Path| kept.contains(entry) && is_unused(entry);
    let is_emptied =
        |path: &Path| is_as_made(path, OWN_MODE) && removal::empty(path, &stays).is_ok();
    is_as_made(own, OWN_MODE)
        && fs::read_dir(own).is_ok_and(|mut entries| {
            entries.all(|entry| entry.is_ok_and(|entry| is_emptied(&entry.path())))
        })
}

/// Returns whether a mount point is as bubblewrap makes it, with nothing in it.
fn is_unused(point: &Path) -> bool {
    let Ok(meta) = fs::symlink_metadata(point) else {
        return false;
    };
    if meta.is_file() {
        return meta.len() == 0 && FILE_POINTS.contains(&(meta.mode() & 0o7777));
    }
    let is_empty = fs::read_dir(point).is_ok_and(|mut entries| entries.next().is_none());
    let is_made = |mode: &u32| is_as_made(point, *mode);
    is_empty && DIRECTORY_POINTS.iter().any(is_made)
}

/// Returns how the paths of a repository's directories begin.
fn prefix(below: Option<PathBuf>, owner: &str) -> PathBuf {
    let below = below.filter(|path| path.is_absolute() && path.is_dir());
    let below = below.unwrap_or_else(|| PathBuf::from("/tmp"));
    let below = below.canonicalize().unwrap_or(below);
    below.join(owner.get(..10).unwrap_or(owner))
}

/// Returns the directories that runs of a repository which were killed left.
pub(super) fn left_behind(below: Option<PathBuf>, owner: &str) -> Vec<PathBuf> {
    let prefix = prefix(below, owner);
    let start = prefix
        .file_name()
        .map(|name| [name.as_encoded_bytes(), b"-"].concat());
    let (Some(start), Some(below)) = (start, prefix.parent()) else {
        return Vec::new();
    };
    let entries = fs::read_dir(below).into_iter().flatten().flatten();
    let named = entries.filter(|entry| entry.file_name().as_encoded_bytes().starts_with(&start));
    named
        .map(|entry| entry.path())
        .filter(|path| is_ours(path))
        .collect()
}

impl Drop for Temporaries {
    fn drop(&mut self) {
        let made = self.made.get_mut().unwrap_or_else(PoisonError::into_inner);
        for path in made.iter() {
            // What stays is thrown away by the next run, before it uses the place.
            drop(removal::remove(path));
        }
    }
}

/// Returns whether a path is a directory of this user's that nobody else can write.
fn is_ours(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|meta| {
        meta.is_dir()
            && meta.uid() == rustix::process::geteuid().as_raw()
            && meta.mode() & 0o022 == 0
    })
}

/// Returns a command whose `TMPDIR` is a directory.
pub(super) fn with_tmpdir(mut spec: CommandSpec, directory: Option<&Path>) -> CommandSpec {
    if let Some(directory) = directory {
        spec.env.retain(|(name, _)| name != "TMPDIR");
        spec.env.push(("TMPDIR".into(), directory.into()));
    }
    spec
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn a_slot_has_a_directory_of_its_own_that_is_empty_each_time() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let slot = Path::new("/somewhere/verify-0");
        let all = Temporaries::new(Some(root.clone()), "gw0123456789abcdef");
        let own = all.of(slot).unwrap();
        assert_eq!(own, root.join("gw01234567-verify-0"));
        fs::create_dir(own.join("shut")).unwrap();
        fs::write(own.join("shut/left"), "x").unwrap();
        fs::set_permissions(own.join("shut"), PermissionsExt::from_mode(0o0)).unwrap();
        assert_eq!(all.of(slot).unwrap(), own);
        assert!(own.join("shut").exists());
        all.empty(slot, None).unwrap();
        assert_eq!(fs::read_dir(all.of(slot).unwrap()).unwrap().count(), 0);
        // A run that was killed left it.
        fs::write(own.join("left"), "x").unwrap();
        let next = Temporaries::new(Some(root.clone()), "gw0123456789abcdef");
        assert_eq!(fs::read_dir(next.of(slot).unwrap()).unwrap().count(), 0);
        drop(next);
        assert!(!own.exists());
        // What somebody else put there is not used, nor followed.
        fs::create_dir(root.join("theirs")).unwrap();
        symlink(root.join("theirs"), &own).unwrap();
        let last = Temporaries::new(Some(root.clone()), "gw0123456789abcdef");
        assert_eq!(last.of(slot), None);
        assert!(root.join("theirs").exists());
    }

    #[test]
    fn where_only_what_is_below_can_be_reached_the_directories_stay() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let slot = Path::new("/somewhere/0");
        let all = Temporaries::new(Some(root), "gw0123456789abcdef");
        let own = all.of(slot).unwrap();
        let place = own.join("tmp");
        let make = || fs::DirBuilder::new().mode(OWN_MODE).create(&place).unwrap();
        let inode = || fs::metadata(&place).map(|meta| meta.ino()).ok();
        for (mode, stays) in [
            (0o700, true),
            (0o755, false),
            (0o1700, false),
            (0o500, false),
        ] {
            make();
            let before = inode();
            // Open, so that its number is nobody else's meanwhile.
            let _held = fs::File::open(&place).unwrap();
            fs::create_dir(place.join("deep")).unwrap();
            fs::write(place.join("deep/left"), "x").unwrap();
            fs::set_permissions(&place, PermissionsExt::from_mode(mode)).unwrap();
            all.empty(slot, Some(&BTreeSet::new())).unwrap();
            all.of(slot).unwrap();
            assert_eq!(inode() == before, stays, "{mode:o}");
            assert_eq!(
                fs::read_dir(&own).unwrap().count(),
                usize::from(stays),
                "{mode:o}"
            );
            if stays {
                assert_eq!(fs::read_dir(&place).unwrap().count(), 0);
                fs::remove_dir(&place).unwrap();
            }
        }
        // A file was made by nobody of ours.
        fs::write(&place, "x").unwrap();
        all.empty(slot, Some(&BTreeSet::new())).unwrap();
        assert_eq!(fs::read_dir(all.of(slot).unwrap()).unwrap().count(), 0);
    }

    #[test]
    fn a_mount_point_stays_for_what_waits_while_nothing_is_in_it() {
        type Make = fn(&Path) -> io::Result<()>;
        let rows: [(&str, Make, bool); 6] = [
            ("a directory", |at| directory(at, 0o755), true),
            ("of another mode", |at| directory(at, 0o777), false),
            (
                "something in it",
                |at| directory(at, 0o755).and_then(|()| fs::write(at.join("x"), "")),
                false,
            ),
            ("a file", |at| file(at, "", 0o444), true),
            ("a text", |at| file(at, "x", 0o444), false),
            ("a link", |at| symlink("/", at), false),
        ];
        for (what, make, stays) in rows {
            let dir = tempfile::tempdir().unwrap();
            let root = dir.path().canonicalize().unwrap();
            let slot = Path::new("/somewhere/0");
            let all = Temporaries::new(Some(root), "gw0123456789abcdef");
            let own = all.of(slot).unwrap();
            directory(&own.join("tmp"), OWN_MODE).unwrap();
            let points = BTreeSet::from([own.join("tmp/point")]);
            for name in ["point", "other"] {
                make(&own.join("tmp").join(name)).unwrap();
            }
            all.empty(slot, Some(&points)).unwrap();
            let is_there = |name: &str| own.join("tmp").join(name).symlink_metadata().is_ok();
            assert_eq!(is_there("point"), stays, "{what}");
            assert!(!is_there("other"), "{what}");
        }
    }

    fn directory(path: &Path, mode: u32) -> io::Result<()> {
        fs::create_dir(path)?;
        fs::set_permissions(path, PermissionsExt::from_mode(mode))
    }

    fn file(path: &Path, text: &str, mode: u32) -> io::Result<()> {
        fs::write(path, text)?;
        fs::set_permissions(path, PermissionsExt::from_mode(mode))
    }
}
