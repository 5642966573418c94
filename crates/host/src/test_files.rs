//! Files that tests write.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Writes a file with a mode, and makes the directories it is in.
pub(crate) fn write_with_mode(path: &Path, text: &str, mode: u32) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// Likewise one that can be run.
pub(crate) fn write_program(path: &Path, text: &str) {
    write_with_mode(path, text, 0o755);
}
