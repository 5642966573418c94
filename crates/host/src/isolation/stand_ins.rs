//! Directories on the disk that stand in the place of layered ones, each kept from one process of a slot to the next for as long
//! as nothing changed in it.
//!
//! A link takes bubblewrap some 12 µs, and it would make those of a whole home anew at each start. A stand-in that anything was
//! changed in is thrown away with what was new there. While a process has one, no other gets it.

use super::layered_entries::{RuledEntries, StandingEntries, StandingEntry, standing};
use crate::inode_state::InodeState;
use crate::removal;
use gatewalk_core::parallel::locked;
use std::collections::{BTreeMap, HashMap};
use std::fs::{DirBuilder, DirEntry, hard_link};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Who may do what in one: its user everything.
const MODE: u32 = 0o700;

/// Those of a run.
#[derive(Debug, Clone, Default)]
pub(crate) struct StandIns {
    /// By their own paths; none while a process has it.
    kept: Arc<Mutex<BTreeMap<PathBuf, Option<StandIn>>>>,
    links: Arc<Mutex<LinkStock>>,
}

/// Links that stand in several of them under more names: a link of its own is an inode of its own, for which some file systems look
/// long where many were given back lately (ext4, `recently_deleted`). Here nothing that runs can reach them.
#[derive(Debug, Default)]
struct LinkStock {
    /// Where each is, by where it leads.
    links: HashMap<PathBuf, PathBuf>,
}

impl LinkStock {
    /// Makes a link. The first one that leads there is kept below this directory.
    fn put(&mut self, target: &Path, path: &Path, below: &Path) -> io::Result<()> {
        let kept = self.links.get(target);
        if kept.is_some_and(|kept| hard_link(kept, path).is_ok()) {
            return Ok(());
        }
        symlink(target, path)?;
        let stock = below.join(STOCK);
        let kept = stock.join(self.links.len().to_string());
        let keep = || hard_link(path, &kept).is_ok();
        let make_stock = || DirBuilder::new().mode(MODE).create(&stock).is_ok();
        // Where a link cannot have two names each is made.
        if keep() || make_stock() && keep() {
            self.links.insert(target.to_path_buf(), kept);
        }
        Ok(())
    }
}

/// The directory of the stock, beside stand-ins, which are named for absolute paths.
const STOCK: &str = ".links";

/// One of them, as it was made or found.
#[derive(Debug)]
struct StandIn {
    /// What the directory was in whose place it stands, if that tells it from what it is later.
    original: Option<InodeState>,
    ruled: RuledEntries,
    entries: Arc<StandingEntries>,
    /// What it was itself when it was last handed out.
    own: InodeState,
    /// Whether that tells it from what it is later.
    own_is_settled: bool,
}

/// The stand-ins of one slot.
#[derive(Debug, Clone)]
pub(crate) struct SlotStandIns {
    /// Those of the run.
    pub(crate) all: StandIns,
    /// The slot's directory for them, which the caller removes.
    pub(crate) below: PathBuf,
}

/// The layered directory that one is wanted for.
pub(super) struct StandInRequest<'r> {
    /// The directory.
    pub(super) path: &'r Path,
    /// Where it is shown itself.
    pub(super) original: &'r Path,
    pub(super) ruled: &'r RuledEntries,
}

/// A stand-in that one process has, until this is dropped.
#[derive(Debug)]
pub(super) struct StandInLease {
    all: StandIns,
    /// Where it is.
    pub(super) path: PathBuf,
    held: Option<StandIn>,
}

impl StandInLease {
    /// Returns what stands in it.
    pub(super) fn entries(&self) -> Arc<StandingEntries> {
        let held = self.held.as_ref();
        held.map(|held| held.entries.clone()).unwrap_or_default()
    }
}

impl Drop for StandInLease {
    fn drop(&mut self) {
        let mut kept = locked(&self.all.kept);
        match self.held.take() {
            Some(held) => kept.insert(self.path.clone(), Some(held)),
            None => kept.remove(&self.path),
        };
    }
}

impl SlotStandIns {
    /// Returns the stand-in of a directory; none where another process has it, or it cannot be made.
    pub(super) fn lease(&self, request: &StandInRequest<'_>) -> Option<StandInLease> {
        let name = request.path.to_string_lossy().replace('/', "-");
        let path = self.below.join(name.trim_start_matches('-'));
        let before = match locked(&self.all.kept).insert(path.clone(), None) {
            Some(None) => return None,
            before => before.flatten(),
        };
        let mut lease = StandInLease {
            all: self.all.clone(),
            path,
            held: None,
        };
        lease.held = Some(self.renewed(before, &lease.path, request).ok()?);
        Some(lease)
    }

    /// Returns a stand-in as it is to be now: what was there, where nothing changed in it, or made anew.
    fn renewed(
        &self,
        before: Option<StandIn>,
        own: &Path,
        request: &StandInRequest<'_>,
    ) -> io::Result<StandIn> {
        // Before it is looked into.
        let original = state(request.path).ok().filter(|now| now.is_settled());
        let now = state(own).ok();
        let unchanged = |kept: &StandIn| {
            kept.own_is_settled && kept.original.is_some() && kept.original == original
        };
        let before = before.filter(|kept| kept.ruled == *request.ruled && now == Some(kept.own));
        let before = match before {
            Some(kept) if unchanged(&kept) => return Ok(kept),
            before => before,
        };
        let entries = standing(request.path, request.original, request.ruled);
        if !before.is_some_and(|before| *before.entries == entries && holds(own, &entries)) {
            removal::remove(own)?;
            self.make(own, &entries)?;
        }
        let now = state(own)?;
        Ok(StandIn {
            original,
            ruled: request.ruled.clone(),
            entries: Arc::new(entries),
            own: now,
            own_is_settled: now.is_settled(),
        })
    }

    fn make(&self, directory: &Path, entries: &StandingEntries) -> io::Result<()> {
        DirBuilder::new().mode(MODE).create(directory)?;
        let mut links = locked(&self.all.links);
        for (name, standing) in entries {
            let path = directory.join(name);
            match standing {
                StandingEntry::Link(target) => links.put(target, &path, &self.below)?,
                StandingEntry::Mounted {
                    directory: true, ..
                } => std::fs::create_dir(path)?,
                StandingEntry::Mounted { .. } => drop(std::fs::File::create_new(path)?),
                StandingEntry::Shut => {}
            }
        }
        Ok(())
    }
}

fn state(path: &Path) -> io::Result<InodeState> {
    Ok(InodeState::of(&rustix::fs::lstat(path)?))
}

/// Returns whether a directory is as it is made, with these entries and no others.
fn holds(directory: &Path, wanted: &StandingEntries) -> bool {
    let meta = std::fs::symlink_metadata(directory);
    if !meta.is_ok_and(|meta| meta.is_dir() && meta.mode() & 0o7777 == MODE) {
        return false;
    }
    let Ok(entries) = std::fs::read_dir(directory) else {
        return false;
    };
    let mut found = 0;
    for entry in entries {
        let is_wanted = entry.is_ok_and(|entry| {
            let standing = wanted.get(&entry.file_name());
            standing.is_some_and(|standing| is_standing(&entry, standing).unwrap_or(false))
        });
        if !is_wanted {
            return false;
        }
        found += 1;
    }
    let made = wanted
        .values()
        .filter(|entry| **entry != StandingEntry::Shut);
    found == made.count()
}

fn is_standing(entry: &DirEntry, standing: &StandingEntry) -> io::Result<bool> {
    let kind = entry.file_type()?;
    Ok(match standing {
        StandingEntry::Link(target) => {
            kind.is_symlink() && std::fs::read_link(entry.path())? == *target
        }
        StandingEntry::Mounted { directory, .. } => match directory {
            true => kind.is_dir(),
            false => kind.is_file(),
        },
        StandingEntry::Shut => false,
    })
}

#[cfg(test)]
mod tests {
    use super::super::layered_entries::{ORIGINAL, Ruled};
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    struct Home {
        root: tempfile::TempDir,
        stand_ins: SlotStandIns,
        ruled: RuledEntries,
    }

    /// A home with a file, a directory, a link, a directory that has a rule, and a socket.
    fn home() -> Home {
        let root = tempfile::tempdir().unwrap();
        let home = root.path().join("home");
        fs::create_dir_all(home.join("directory/inner")).unwrap();
        fs::create_dir(home.join("ruled")).unwrap();
        fs::write(home.join("file"), "mine").unwrap();
        symlink("file", home.join("link")).unwrap();
        drop(std::os::unix::net::UnixListener::bind(home.join("door")).unwrap());
        let below = root.path().join("below");
        fs::create_dir(&below).unwrap();
        Home {
            root,
            stand_ins: SlotStandIns {
                all: StandIns::default(),
                below,
            },
            ruled: [("ruled".into(), Ruled::Itself)].into(),
        }
    }

    impl Home {
        fn path(&self) -> PathBuf {
            self.root.path().join("home")
        }

        fn lease(&self) -> Option<StandInLease> {
            let path = self.path();
            self.stand_ins.lease(&StandInRequest {
                path: &path,
                original: &path.join(ORIGINAL),
                ruled: &self.ruled,
            })
        }

        /// Returns the number of the directory that stands there now.
        fn inode(&self) -> u64 {
            fs::metadata(self.lease().unwrap().path.clone())
                .unwrap()
                .ino()
        }

        /// Returns the names in it, and where the links among them lead.
        fn shown(&self) -> String {
            let lease = self.lease().unwrap();
            let home = self.path();
            let entries = fs::read_dir(&lease.path).unwrap().map(Result::unwrap);
            let mut shown: Vec<String> = entries
                .map(|entry| {
                    let target = fs::read_link(entry.path()).ok().map(|target| {
                        let inside = target.strip_prefix(&home).map(Path::to_path_buf);
                        format!(">{}", inside.unwrap_or(target).display())
                    });
                    format!(
                        "{}{}",
                        entry.file_name().display(),
                        target.unwrap_or_default()
                    )
                })
                .collect();
            shown.sort();
            shown.join(" ")
        }
    }

    const SHOWN: &str = ".gatewalk-original directory>.gatewalk-original/directory file>.gatewalk-original/file link>file ruled";

    #[test]
    fn what_stands_for_a_home_stays_while_nothing_changes_in_either() {
        let home = home();
        assert_eq!(home.shown(), SHOWN);
        let inode = home.inode();
        assert_eq!(home.inode(), inode, "while its times say little");
        let path = home.lease().unwrap().path.clone();
        let is_settled = |path: &Path| state(path).unwrap().is_settled();
        while !is_settled(&path) || !is_settled(&home.path()) {
            std::thread::yield_now();
        }
        assert_eq!(home.inode(), inode, "looked into");
        let known = |kept: &BTreeMap<PathBuf, Option<StandIn>>| {
            let held = kept[&path].as_ref().unwrap();
            held.original.is_some() && held.own_is_settled
        };
        assert!(known(&locked(&home.stand_ins.all.kept)));
        assert_eq!(home.inode(), inode, "not looked into");
        // What it is by its times alone, it is not once something came.
        fs::write(path.join("new"), "").unwrap();
        assert_eq!(home.shown(), SHOWN);
        fs::write(home.path().join("more"), "").unwrap();
        assert!(home.shown().contains("more>"));
    }

    #[test]
    fn what_was_changed_in_it_is_gone_for_the_next_process() {
        type Change = fn(&Path) -> io::Result<()>;
        let changes: [(&str, Change); 8] = [
            ("its mode", |at| {
                fs::set_permissions(at, fs::Permissions::from_mode(0o500))
            }),
            ("a file", |at| fs::write(at.join("new"), "x")),
            ("a directory", |at| fs::create_dir_all(at.join("new/inner"))),
            ("a link less", |at| fs::remove_file(at.join("file"))),
            ("a link elsewhere", |at| {
                fs::remove_file(at.join("file"))?;
                symlink("/elsewhere", at.join("file"))
            }),
            ("a file for a link", |at| {
                fs::remove_file(at.join("file"))?;
                fs::write(at.join("file"), "theirs")
            }),
            ("a socket's name", |at| fs::write(at.join("door"), "")),
            ("all of it", |at| fs::remove_dir_all(at)),
        ];
        let home = home();
        for (what, change) in changes {
            let path = home.lease().unwrap().path.clone();
            change(&path).unwrap();
            assert_eq!(home.shown(), SHOWN, "{what}");
            let mode = fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(mode & 0o7777, MODE, "{what}");
        }
    }

    #[test]
    fn what_changes_in_the_home_or_its_rules_shows() {
        let mut home = home();
        assert_eq!(home.shown(), SHOWN);
        fs::remove_file(home.path().join("link")).unwrap();
        fs::write(home.path().join("link"), "").unwrap();
        assert!(home.shown().contains("link>.gatewalk-original/link"));
        home.ruled.insert("directory".into(), Ruled::Inside);
        assert!(home.shown().contains(" directory file>"));
        home.ruled.clear();
        assert!(home.shown().contains("ruled>.gatewalk-original/ruled"));
    }

    /// Two slots, and a link that one of them replaced: the other has the ones of the home, and so has the first one later.
    #[test]
    fn links_are_shared_between_slots_and_what_one_does_to_its_own_is_not() {
        let home = home();
        let first = home.lease().unwrap().path.clone();
        let other = Home {
            stand_ins: SlotStandIns {
                all: home.stand_ins.all.clone(),
                below: home.root.path().join("other"),
            },
            ..home
        };
        fs::create_dir(&other.stand_ins.below).unwrap();
        let theirs = first.join("file");
        fs::remove_file(&theirs).unwrap();
        symlink("/elsewhere", &theirs).unwrap();
        assert_eq!(other.shown(), SHOWN);
        let second = other.lease().unwrap().path.clone();
        let inode = |at: &Path| fs::symlink_metadata(at).unwrap().ino();
        assert_eq!(inode(&first.join("link")), inode(&second.join("link")));
        assert_ne!(inode(&theirs), inode(&second.join("file")));
        // Where the stock is gone each link is made.
        fs::remove_dir_all(first.with_file_name(STOCK)).unwrap();
        fs::remove_dir_all(&second).unwrap();
        assert_eq!(other.shown(), SHOWN);
    }

    #[test]
    fn one_process_at_a_time_has_it() {
        let home = home();
        let first = home.lease().unwrap();
        assert!(home.lease().is_none());
        fs::write(first.path.join("new"), "").unwrap();
        drop(first);
        assert_eq!(home.shown(), SHOWN);
        // Where nothing can be made there is none, now and later.
        fs::remove_dir_all(&home.stand_ins.below).unwrap();
        assert!(home.lease().is_none() && home.lease().is_none());
        fs::create_dir(&home.stand_ins.below).unwrap();
        assert_eq!(home.shown(), SHOWN);
    }
}
