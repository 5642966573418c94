//! Which branches drivers walk: a lock for each, which all work trees of a repository share.

use super::{DriverLock, left_behind};
use gatewalk_core::engine::oracle;
use sha2::Digest;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// By how much a file's time may be behind the clock.
const CLOCK_STEP: Duration = Duration::from_secs(1);

fn directory(common_dir: &Path) -> PathBuf {
    common_dir.join("gatewalk/branches")
}

/// Returns the lock of a branch, in the git directory that all work trees share.
pub fn branch_lock(common_dir: &Path, branch: &str) -> PathBuf {
    let hash = oracle::hex(&sha2::Sha256::digest(branch.as_bytes()));
    directory(common_dir).join(format!("{}.lock", &hash[..16]))
}

/// Returns the names of the features that drivers in other work trees walk, or have begun to since then. Writes nothing.
pub(crate) fn driven_elsewhere(common_dir: &Path, since: SystemTime) -> BTreeSet<String> {
    let Ok(entries) = std::fs::read_dir(directory(common_dir)) else {
        return BTreeSet::new();
    };
    let holder = |path: PathBuf| {
        let begun = std::fs::metadata(&path).and_then(|file| file.modified());
        let meanwhile = begun.is_ok_and(|begun| begun + CLOCK_STEP >= since);
        let gone = || left_behind(&path).filter(|_| meanwhile);
        DriverLock::holder(&path).or_else(gone)
    };
    let holders = entries.filter_map(|entry| holder(entry.ok()?.path()));
    let others = holders.filter(|holder| holder.pid != std::process::id());
    others.map(|holder| holder.feature).collect()
}
