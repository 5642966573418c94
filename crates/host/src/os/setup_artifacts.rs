//! What set-up and links put into a verification slot, and whether it still is that.
//!
//! Commands of the oracle run the attempt's own code, which can write wherever the slot can be written. What set-up
//! made stays from run to run, because it is costly; so each entry's metadata is kept beside it (the
//! change time among it, which no program can set), and before the next verification what was added is
//! removed and what was changed makes set-up run again. Absent on purpose: reading contents, and
//! caches the user listed, which are theirs to trust.

use crate::removal::remove;
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Enough of a hash to distinguish entries, and little enough for a hundred thousand of them.
type EntryHash = [u8; 16];

/// What was made in a slot.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SetupArtifacts {
    /// Paths relative to the slot, whole directories as one.
    roots: Vec<String>,
    stamps: HashSet<EntryHash>,
}

/// What became of it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ArtifactState {
    /// It is as it was made; what was added to it is gone.
    Whole,
    /// Something of it was changed or removed; the first such path is not always known.
    Changed,
}

impl SetupArtifacts {
    /// Looks at what there is below the roots.
    pub(super) fn take(dir: &Path, roots: Vec<String>) -> SetupArtifacts {
        let mut stamps = HashSet::new();
        for root in &roots {
            walk(dir, root, |stamp, _| {
                stamps.insert(stamp);
                true
            });
        }
        SetupArtifacts { roots, stamps }
    }

    /// Returns the paths that stay.
    pub(super) fn roots(&self) -> &[String] {
        &self.roots
    }

    /// Looks again, and removes what was added. The directories on the way to the roots are the tree's own by now.
    pub(super) fn look_again(&self, dir: &Path) -> ArtifactState {
        let (mut there, mut added) = (0, Vec::new());
        for root in &self.roots {
            walk(dir, root, |stamp, path| {
                let known = self.stamps.contains(&stamp);
                match known {
                    true => there += 1,
                    false => added.push(path.to_path_buf()),
                }
                known
            });
        }
        let gone = || added.iter().all(|path| remove(path).is_ok());
        match there == self.stamps.len() && gone() {
            true => ArtifactState::Whole,
            false => ArtifactState::Changed,
        }
    }

    /// Removes all of it but for the roots that are the tree's by now.
    pub(super) fn remove(&self, dir: &Path, tracked: &[String]) -> io::Result<()> {
        let dir = &dir.canonicalize()?;
        let own = self.roots.iter().filter(|root| !tracked.contains(root));
        own.into_iter().try_for_each(|root| {
            let path = dir.join(root);
            // A link on the way would lead elsewhere; whoever prepared the slot has put such things right.
            let parent = path.parent().and_then(|p| p.canonicalize().ok());
            match parent.is_some_and(|p| p.starts_with(dir)) {
                true => remove(&path),
                false => Ok(()),
            }
        })
    }

    /// Replaces the file that lists them.
    pub(super) fn save(&self, file: &Path) -> io::Result<()> {
        let mut bytes = self.roots.join("\n").into_bytes();
        bytes.push(0);
        bytes.extend(self.stamps.iter().flatten());
        fs::write(file, bytes)
    }

    /// Reads it; nothing when there is none, or it cannot be read.
    pub(super) fn load(file: &Path) -> Option<SetupArtifacts> {
        let bytes = fs::read(file).ok()?;
        let end = bytes.iter().position(|b| *b == 0)?;
        let (stamps, rest) = bytes[end + 1..].as_chunks();
        let roots = std::str::from_utf8(&bytes[..end]).ok()?;
        rest.is_empty().then(|| SetupArtifacts {
            roots: roots.lines().map(str::to_owned).collect(),
            stamps: stamps.iter().copied().collect(),
        })
    }
}

/// Visits a root and what is below it; a directory is gone into when the visitor says so.
fn walk(dir: &Path, root: &str, mut visit: impl FnMut(EntryHash, &Path) -> bool) {
    let walk = walkdir::WalkDir::new(dir.join(root)).follow_root_links(false);
    let mut entries = walk.into_iter();
    while let Some(entry) = entries.next() {
        // What cannot be read is missing, and that is noticed.
        let Ok(entry) = entry else { continue };
        let Ok(meta) = entry.metadata() else { continue };
        let path = entry.path();
        let name = path.strip_prefix(dir).unwrap_or(path);
        if !visit(stamp(name, &meta), path) && meta.is_dir() {
            entries.skip_current_dir();
        }
    }
}

fn stamp(name: &Path, meta: &Metadata) -> EntryHash {
    let mut hash = Sha256::new();
    hash.update(name.as_os_str().as_bytes());
    hash.update([0]);
    let mut number = |n: u64| hash.update(n.to_le_bytes());
    number(meta.mode().into());
    number(meta.ino());
    // A directory's own times and size change with what is added to it, which is removed again.
    if !meta.is_dir() {
        number(meta.size());
        for time in [
            meta.mtime(),
            meta.mtime_nsec(),
            meta.ctime(),
            meta.ctime_nsec(),
        ] {
            number(time.cast_unsigned());
        }
    }
    let mut stamp = EntryHash::default();
    stamp.copy_from_slice(&hash.finalize()[..16]);
    stamp
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn what_was_added_goes_and_what_was_changed_is_noticed() {
        use ArtifactState::{Changed, Whole};
        type Act = fn(&Path);
        let rows: &[(&str, Act, ArtifactState)] = &[
            ("nothing", |_| {}, Whole),
            (
                "a file beside",
                |d| fs::write(d.join("made/new"), "x").unwrap(),
                Whole,
            ),
            (
                "a directory, shut",
                |d| {
                    fs::create_dir_all(d.join("made/more/in")).unwrap();
                    fs::write(d.join("made/more/in/f"), "x").unwrap();
                    fs::set_permissions(d.join("made/more/in"), fs::Permissions::from_mode(0o0))
                        .unwrap();
                },
                Whole,
            ),
            (
                "another text",
                |d| fs::write(d.join("made/a/lib"), "pwned").unwrap(),
                Changed,
            ),
            (
                "another text of the same size and time",
                |d| {
                    let file = fs::File::options()
                        .write(true)
                        .open(d.join("made/a/lib"))
                        .unwrap();
                    let was = file.metadata().unwrap().modified().unwrap();
                    io::Write::write_all(&mut &file, b"LIB").unwrap();
                    file.set_modified(was).unwrap();
                },
                Changed,
            ),
            (
                "another file in its place",
                |d| {
                    fs::write(d.join("made/other"), "lib").unwrap();
                    fs::rename(d.join("made/other"), d.join("made/a/lib")).unwrap();
                },
                Changed,
            ),
            (
                "removed",
                |d| fs::remove_file(d.join("made/a/lib")).unwrap(),
                Changed,
            ),
            (
                "runnable",
                |d| {
                    fs::set_permissions(d.join("made/a/lib"), fs::Permissions::from_mode(0o755))
                        .unwrap();
                },
                Changed,
            ),
            (
                "a link in the directory's place",
                |d| {
                    fs::rename(d.join("made/a"), d.join("elsewhere")).unwrap();
                    std::os::unix::fs::symlink("../elsewhere", d.join("made/a")).unwrap();
                },
                Changed,
            ),
        ];
        for (name, act, want) in rows {
            let dir = tempfile::tempdir().unwrap();
            let slot = dir.path().canonicalize().unwrap();
            fs::create_dir_all(slot.join("made/a")).unwrap();
            fs::write(slot.join("made/a/lib"), "lib").unwrap();
            let made = SetupArtifacts::take(&slot, vec!["made".to_owned()]);
            let file = dir.path().join("kept");
            made.save(&file).unwrap();
            assert_eq!(SetupArtifacts::load(&file).as_ref(), Some(&made), "{name}");
            act(&slot);
            assert_eq!(made.look_again(&slot), *want, "{name}");
            match want {
                Whole => assert_eq!(
                    SetupArtifacts::take(&slot, vec!["made".to_owned()]),
                    made,
                    "{name}"
                ),
                Changed => {
                    made.remove(&slot, &[]).unwrap();
                    assert!(!slot.join("made").exists(), "{name}");
                }
            }
        }
    }
}
