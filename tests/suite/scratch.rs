//! Where the tests make their repositories.

use gatewalk_host::installed_programs::{free_space, is_writable};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// What a whole run of the suite keeps at once, and as much again.
const ROOM: u64 = 2 << 30;

/// Returns a directory for one test. Flushes are half of what the suite waits for, so it is on a memory disk where there
/// is one with room; `GATEWALK_SCRATCH=<directory>` names another place.
pub(crate) fn scratch() -> TempDir {
    tempfile::tempdir_in(place()).expect("a directory")
}

fn place() -> PathBuf {
    let memory = Path::new("/dev/shm");
    let has_room = || is_writable(memory) && free_space(memory).is_some_and(|free| free > ROOM);
    match std::env::var_os("GATEWALK_SCRATCH") {
        Some(named) => named.into(),
        None if memory.exists() && has_room() => memory.to_owned(),
        None => std::env::temp_dir(),
    }
}
