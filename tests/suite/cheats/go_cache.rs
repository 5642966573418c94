//! What Go keeps of earlier builds, as whoever works with it has it. In a home without it each `go test` has the libraries of
//! tests compiled and checked anew, which takes longer than all else that a row does.

use super::super::world::{World, text};
use super::stacks;
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

/// Where Go keeps it, below a home.
const PLACE: &str = "home/.cache/go-build";

/// A module that needs what those of the tables do.
const MODULE: &str = r#"command -v go || exit 0
printf 'module built\n\ngo 1.19\n' > go.mod
printf 'package built\n\nimport "testing"\n\nfunc TestBuilt(t *testing.T) {}\n' > built_test.go
go test -v ./..."#;

/// Puts what an earlier build would have left into the home of a row whose texts ask for Go.
pub(super) fn fill(world: &World, texts: &[&str]) {
    static BUILT: OnceLock<Vec<(PathBuf, Vec<u8>)>> = OnceLock::new();
    if !texts.iter().any(|text| text.contains("go test")) {
        return;
    }
    for (name, content) in BUILT.get_or_init(build) {
        let path = world.root.join(PLACE).join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
}

/// Returns what Go keeps of a build, by its path below the cache; nothing where there is no Go.
fn build() -> Vec<(PathBuf, Vec<u8>)> {
    let world = World::bare();
    let mut made = world.command("sh");
    let made = made.env("PATH", stacks::path()).args(["-ec", MODULE]);
    let made = made.output().unwrap();
    assert!(made.status.success(), "{}", text(&made));
    let cache = world.root.join(PLACE);
    let entries = walkdir::WalkDir::new(&cache).into_iter().flatten();
    let files = entries.filter(|entry| entry.file_type().is_file());
    files
        .map(|file| {
            let name = file.path().strip_prefix(&cache).unwrap().to_owned();
            (name, fs::read(file.path()).unwrap())
        })
        .collect()
}
