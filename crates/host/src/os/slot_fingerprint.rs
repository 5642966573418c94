//! Whether the files of a slot changed: a sign of life of a session that says nothing.

use std::path::Path;
use std::time::{Duration, SystemTime};

/// Files of the slot looked at for a change; more are not worth their time.
const FILES: usize = 20_000;

/// Returns a number that changes when a file of the slot does, and when the newest did; its git directory does not
/// count.
pub(super) fn fingerprint(slot: &Path) -> (u64, SystemTime) {
    use std::os::unix::fs::MetadataExt;
    let mut sum = 0u64;
    let mut newest = (0, 0);
    let files = walkdir::WalkDir::new(slot)
        .into_iter()
        .filter_entry(|entry| entry.file_name() != ".git")
        .filter_map(Result::ok)
        .take(FILES);
    for entry in files {
        if let Ok(meta) = entry.metadata() {
            let time = (meta.mtime() as u64).wrapping_mul(1_000_000_007) ^ meta.mtime_nsec() as u64;
            sum = sum.wrapping_add(time ^ meta.len().rotate_left(32) ^ meta.ino());
            newest = newest.max((meta.ctime(), meta.ctime_nsec()));
        }
    }
    let [seconds, nanos] = [newest.0, newest.1].map(|n| u64::try_from(n).unwrap_or(0));
    let newest = Duration::from_secs(seconds) + Duration::from_nanos(nanos);
    (sum, SystemTime::UNIX_EPOCH + newest)
}
