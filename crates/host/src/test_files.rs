//! Files that tests write.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// Writes a file with a mode, and makes the directories it is in.
pub(crate) fn write_with_mode(path: &Path, text: &str, mode: u32) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// Likewise one that can be run. Another process writes it: a program that a test beside this one starts meanwhile would
/// hold a file of ours open for a moment, and what is open to be written does not run.
pub(crate) fn write_program(path: &Path, text: &str) {
    let apart = path.with_extension("text");
    write_with_mode(&apart, text, 0o755);
    let copied = Command::new("cp").args([&apart, path]).status();
    assert!(copied.unwrap().success());
    fs::remove_file(apart).unwrap();
}

/// What has a test wait for a program that it becomes.
pub(crate) const WAITS: &str = "GATEWALK_TEST_WAITS";

/// Writes a program that waits, as this program does in a sandbox that is set up ahead.
pub(crate) fn write_waiting_program(path: &Path) {
    let own = std::env::current_exe().expect("a test is a program");
    let test = "process::tests::ahead::what_waits_becomes_the_program";
    let text = format!(
        "#!/bin/sh\nexec env {WAITS}=1 '{}' --exact {test} --nocapture\n",
        own.display()
    );
    write_program(path, &text);
}
