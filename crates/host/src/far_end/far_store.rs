//! What the far end keeps of a repository between contacts: its objects, so that the next contact sends only what is new,
//! and slots whose ignored files, what set-up made among them, stay warm. Below the user's cache directory, and bounded.

use super::large_file_store::LargeFileStore;
use crate::git::{self, Git};
use crate::host::{Host, owner};
use crate::lock::{DriverLock, Holder, LockError};
use crate::process::orphans;
use crate::removal;
use crate::runner::contact_messages::{HomeHello, MOST_COMMITS};
use crate::runner::pack_delivery::PackDelivery;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::{ObjectFormat, ObjectId};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Slots of one repository on one machine.
const MOST_SLOTS: usize = 1024;
/// How long a repository that nobody works on stays.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// Packs after which they become one.
const MOST_PACKS: usize = 64;
/// What a slot's own objects may take: all of them went home.
const MOST_SLOT_BYTES: u64 = 256 << 20;
/// How long what an earlier contact left may take to end.
const GRACE: Duration = Duration::from_secs(1);

/// What is kept of one repository, with a slot of it taken.
pub(super) struct FarStore {
    /// The objects all slots share.
    pub(super) objects: Git,
    /// The taken slot's own repository.
    pub(super) git: Git,
    /// The lock that its processes inherit.
    pub(super) family: PathBuf,
    /// Processes of an earlier contact that were ended.
    pub(super) ended: usize,
    /// Files of git-lfs, where home sends them.
    large_files: Option<LargeFileStore>,
    have: PathBuf,
    _slot: DriverLock,
}

impl FarStore {
    /// Opens what is there of a repository, takes a free slot, and ends what its last holder left.
    pub(super) fn open(host: &Host, hello: &HomeHello, format: ObjectFormat) -> Result<FarStore> {
        let repository = &hello.repository;
        if !is_name(repository) {
            return Err(Error::environment("home names no repository"));
        }
        let all = far_root(host)?;
        let root = all.join(repository);
        fs::create_dir_all(&root).map_err(|e| Error::io("create", &root, &e))?;
        forget_old(&all, repository);
        let store = root.join("objects");
        {
            // Two first contacts at once make it one after the other.
            let _creating = crate::lock::CheckoutLock::take(&root.join("objects.lock"));
            git::create_repository(&store, format, None)?;
        }
        let (slot, lock) = take_slot(&root)?;
        tidy_slot(&slot)?;
        git::create_repository(&slot, format, Some(&store.join(".git/objects")))?;
        let git = Git::discover(&slot)?;
        let large_files = hello.large_files.then(|| LargeFileStore::of(&root));
        if let Some(store) = &large_files {
            git.keep_large_files_in(store.directory().to_owned());
        }
        let state = git.state_dir();
        fs::create_dir_all(&state).map_err(|e| Error::io("create", &state, &e))?;
        let family = state.join("family.lock");
        let ended = orphans::end(&owner(&git), Some(&family), GRACE).found;
        Ok(FarStore {
            objects: Git::discover(&store)?,
            git,
            family,
            ended,
            large_files,
            have: store.join(".git/refs/have"),
            _slot: lock,
        })
    }

    /// Returns the commits that are here with all they need, the newest first.
    pub(super) fn have(&self) -> Vec<ObjectId> {
        let files = self.have_files();
        let names = files
            .iter()
            .filter_map(|(_, path)| path.file_name()?.to_str());
        names
            .filter_map(|name| ObjectId::parse(name.as_bytes()))
            .collect()
    }

    fn have_files(&self) -> Vec<(SystemTime, PathBuf)> {
        let entries = fs::read_dir(&self.have).into_iter().flatten().flatten();
        let mut files: Vec<(SystemTime, PathBuf)> = entries
            .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
            .collect();
        files.sort_by(|a, b| b.cmp(a));
        files
    }

    /// Returns the files of git-lfs that are here.
    pub(super) fn large_files(&self) -> BTreeSet<String> {
        let known = self.large_files.as_ref().map(LargeFileStore::ids);
        known.unwrap_or_default()
    }

    /// Notes that files of git-lfs were needed.
    pub(super) fn note_needed(&self, ids: &BTreeSet<String>) {
        if let Some(files) = &self.large_files {
            files.note_needed(ids);
        }
    }

    /// Takes what home sent, and keeps its commit.
    pub(super) fn take(&self, sent: &PackDelivery, commit: ObjectId) -> Result<()> {
        if let Err(error) = self.take_objects(sent, commit) {
            if self.objects.are_whole(&self.have()) {
                return Err(error);
            }
            // Some disks are purged of what is old. The next contact is told of nothing here.
            drop(removal::remove(&self.have));
            let purged = "objects that earlier contacts sent are gone there; the next contact sends all of them";
            return Err(Error::environment(purged));
        }
        let failed = |e: &std::io::Error| Error::io("write", &self.have, e);
        fs::create_dir_all(&self.have).map_err(|e| failed(&e))?;
        let file = self.have.join(commit.hex());
        fs::write(&file, format!("{commit}\n")).map_err(|e| failed(&e))?;
        for (_, old) in self.have_files().into_iter().skip(MOST_COMMITS) {
            // It is only offered no more.
            drop(fs::remove_file(old));
        }
        Ok(())
    }

    fn take_objects(&self, sent: &PackDelivery, commit: ObjectId) -> Result<()> {
        if let Some(pack) = sent.pack() {
            self.objects.take_pack(pack)?;
        }
        sent.store_large_files(&self.git)?;
        match self.objects.are_whole(&[commit]) {
            true => Ok(()),
            false => Err(Error::environment("what home sent is not whole")),
        }
    }

    /// Takes the user's own rules of ignored files.
    pub(super) fn exclude(&self, rules: &str) -> Result<()> {
        let exclude = self.git.git_dir().join("info/exclude");
        fs::write(&exclude, rules).map_err(|e| Error::io("write", &exclude, &e))
    }

    /// Makes one pack of many, and forgets files that nobody needed for long; for the end of a contact, when nobody waits.
    pub(super) fn tidy(&self) {
        if let Some(files) = &self.large_files {
            files.forget_older_than(KEPT);
        }
        let packs = self.objects.common_dir().join("objects/pack");
        let files = fs::read_dir(packs).into_iter().flatten().flatten();
        let packs = files.filter(|f| f.path().extension().is_some_and(|e| e == "pack"));
        if packs.count() > MOST_PACKS {
            // Another time, then.
            drop(self.objects.repack());
        }
    }
}

fn is_name(repository: &str) -> bool {
    !repository.is_empty()
        && repository.len() <= 64
        && repository.bytes().all(|b| b.is_ascii_alphanumeric())
}

/// Returns where the far end keeps what it keeps.
pub(super) fn far_root(host: &Host) -> Result<PathBuf> {
    Ok(host.cache_root()?.join("far"))
}

/// Takes the first slot that nobody holds.
fn take_slot(root: &Path) -> Result<(PathBuf, DriverLock)> {
    let holder = Holder::this("far-end", "");
    for number in 0..MOST_SLOTS {
        let name = format!("slot-{number}");
        match DriverLock::acquire(&root.join(format!("{name}.lock")), &holder) {
            Ok(lock) => return Ok((root.join(name), lock)),
            Err(LockError::Held(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(Error::environment(format!(
        "{MOST_SLOTS} sessions of this repository run there already"
    )))
}

/// Removes a slot's repository once its own objects take much: all that is worth anything went home.
fn tidy_slot(slot: &Path) -> Result<()> {
    let files = walkdir::WalkDir::new(slot.join(".git/objects"));
    let sizes = files
        .into_iter()
        .flatten()
        .filter_map(|f| f.metadata().ok());
    let bytes: u64 = sizes.map(|meta| meta.len()).sum();
    match bytes > MOST_SLOT_BYTES {
        true => removal::remove(slot).map_err(|e| Error::io("remove", slot, &e)),
        false => Ok(()),
    }
}

/// Removes what is kept of repositories that nobody worked on for long.
fn forget_old(all: &Path, but: &str) {
    let entries = fs::read_dir(all).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name() != but) {
        let used = |name: &str| fs::metadata(entry.path().join(name)).ok()?.modified().ok();
        let age = used("slot-0.lock").and_then(|at| SystemTime::now().duration_since(at).ok());
        let old = age.is_some_and(|age| age > KEPT);
        let free = take_slot(&entry.path()).is_ok_and(|(slot, _)| slot.ends_with("slot-0"));
        if old && free {
            // A cache: what cannot be removed now is another time.
            drop(removal::remove(&entry.path()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_far_end_whose_objects_were_purged_is_sent_all_of_them_the_next_time() {
        let home = tempfile::tempdir().unwrap();
        let host = Host {
            env: vec![("HOME".into(), home.path().into())],
            ..Host::default()
        };
        let hello = serde_json::json!({"protocol": 1, "version": "", "task": "session", "repository": "r1", "object_format": "sha1", "lease_ms": 4000});
        let hello: HomeHello = serde_json::from_value(hello).unwrap();
        let store = FarStore::open(&host, &hello, ObjectFormat::Sha1).unwrap();
        let purged = ObjectId::parse(&[b'1'; 40]).unwrap();
        fs::create_dir_all(&store.have).unwrap();
        fs::write(store.have.join(purged.hex()), "").unwrap();
        assert_eq!(store.have(), [purged]);
        let sent = PackDelivery::new(home.path()).unwrap();
        let refused = store.take(&sent, purged).unwrap_err();
        assert!(
            refused.to_string().contains("the next contact sends all"),
            "{refused}"
        );
        assert_eq!(store.have(), []);
    }
}
