//! Objects that are written without git are what git would have written.

use super::support::Repo;
use crate::git::Git;
use crate::git::loose_object::WrittenKind;
use gatewalk_core::object_id::ObjectId;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

fn place_of(repo: &Repo, oid: ObjectId) -> PathBuf {
    let hex = oid.hex();
    repo.root()
        .join(".git/objects")
        .join(&hex[..2])
        .join(&hex[2..])
}

/// Returns whether git has exactly this of an object.
fn assert_is_gits(repo: &Repo, kind: &str, (oid, content): (ObjectId, &[u8])) {
    let file = repo.dir.path().join("content");
    fs::write(&file, content).expect("written");
    let file = file.display().to_string();
    let asked = repo.git(&["hash-object", "--literally", "-t", kind, &file]);
    assert_eq!(asked.trim(), oid.hex());
    assert_eq!(repo.git(&["cat-file", "-t", &oid.hex()]).trim(), kind);
    let size = repo.git(&["cat-file", "-s", &oid.hex()]);
    assert_eq!(size.trim(), content.len().to_string());
    repo.git(&["fsck", "--strict", "--no-dangling"]);
}

/// Returns a tree of so many files, which all have the same content.
fn tree_of(blob: ObjectId, files: usize) -> Vec<u8> {
    let mut tree = Vec::new();
    for number in 0..files {
        tree.extend(format!("100644 file-{number:06}\0").as_bytes());
        tree.extend(blob.as_raw());
    }
    tree
}

#[test]
fn what_is_written_is_what_git_would_have_written() {
    let repo = Repo::with(&[("a", "one\n")]);
    let git = repo.open();
    let noise: Vec<u8> = (0..200_000_u32)
        .map(|n| (n.wrapping_mul(n) >> 7) as u8)
        .collect();
    // The last sizes are those of a stored block (RFC 1951, 3.2.4), and around it.
    for size in [0, 1, 1_000, 65_534, 65_535, 65_536, 131_071, 200_000] {
        let content = &noise[..size];
        let oid = git
            .write_loose(WrittenKind::Blob, content)
            .expect("a write")
            .expect("ours");
        assert_is_gits(&repo, "blob", (oid, content));
        assert_eq!(
            git.read_blobs(&[oid], u64::MAX).expect("a read"),
            [Some(content.to_vec())]
        );
    }
    let blob = git.write_blob(b"x").expect("a blob");
    for files in [0, 1, 1_700, 5_000] {
        let content = tree_of(blob, files);
        let oid = git
            .write_loose(WrittenKind::Tree, &content)
            .expect("a write")
            .expect("ours");
        assert_is_gits(&repo, "tree", (oid, &content));
        let listed = repo.git(&["ls-tree", &oid.hex()]);
        assert_eq!(listed.lines().count(), files);
        let mode = fs::metadata(place_of(&repo, oid))
            .expect("there")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o444);
    }
}

#[test]
fn what_is_gits_to_mind_is_left_to_git() {
    let rows: [(&str, &[&str], WrittenKind, usize); 5] = [
        ("a commit", &[], WrittenKind::Commit, 10),
        ("a large file", &[], WrittenKind::Blob, (4 << 20) + 1),
        (
            "a shared repository",
            &["config", "core.sharedRepository", "group"],
            WrittenKind::Blob,
            10,
        ),
        (
            "a compression",
            &["config", "core.compression", "9"],
            WrittenKind::Blob,
            10,
        ),
        (
            "another compression",
            &["config", "core.looseCompression", "0"],
            WrittenKind::Tree,
            10,
        ),
    ];
    for (name, settings, kind, size) in rows {
        let repo = Repo::with(&[("a", "one\n")]);
        if !settings.is_empty() {
            repo.git(settings);
        }
        let git = repo.open();
        let content = vec![b'x'; size];
        let before = files(&repo);
        assert!(
            git.write_loose(kind, &content).expect("a look").is_none(),
            "{name}"
        );
        assert_eq!(files(&repo), before, "{name}");
        let oid = git.write_blob(&content).expect("a blob");
        assert_is_gits(&repo, "blob", (oid, &content));
    }
}

/// Returns how many files the object store has.
fn files(repo: &Repo) -> usize {
    let walk = walkdir::WalkDir::new(repo.root().join(".git/objects"));
    walk.into_iter()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file())
        .count()
}

#[test]
fn one_that_is_there_stays_and_is_young_again() {
    let repo = Repo::with(&[("a", "one\n")]);
    let git: Git = repo.open();
    let oid = git.write_blob(b"again").expect("a blob");
    let place = place_of(&repo, oid);
    let long_ago = SystemTime::now() - Duration::from_secs(90 * 24 * 60 * 60);
    fs::set_permissions(&place, PermissionsExt::from_mode(0o644)).expect("set");
    let file = fs::File::options()
        .write(true)
        .open(&place)
        .expect("opened");
    file.set_modified(long_ago).expect("set");
    let before = file.metadata().expect("there").ino();
    assert_eq!(git.write_blob(b"again").expect("a blob"), oid);
    let after = fs::metadata(&place).expect("there");
    assert_eq!(after.ino(), before);
    assert!(after.modified().expect("a time") > long_ago + Duration::from_secs(60));
}

#[test]
fn one_that_power_was_lost_before_is_written_again() {
    let repo = Repo::with(&[("a", "one\n")]);
    let git = repo.open();
    let oid = git.write_blob(b"lost").expect("a blob");
    let place = place_of(&repo, oid);
    fs::remove_file(&place).expect("removed");
    fs::write(&place, "").expect("written");
    assert_eq!(git.write_blob(b"lost").expect("a blob"), oid);
    assert_is_gits(&repo, "blob", (oid, b"lost"));
}

#[test]
fn what_cannot_be_written_leaves_nothing_and_names_its_place() {
    let repo = Repo::with(&[("a", "one\n")]);
    let git = repo.open();
    let oid = crate::git::checkout_objects::id_of(
        "blob",
        b"shut",
        gatewalk_core::object_id::ObjectFormat::Sha1,
    );
    let place = place_of(&repo, oid);
    // A file in the place of the directory, also for who may write everywhere.
    fs::write(place.parent().expect("above"), "").expect("written");
    let before = files(&repo);
    let error = git.write_blob(b"shut").expect_err("nothing can be there");
    assert!(
        error.to_string().contains(&place.display().to_string()),
        "{error}"
    );
    assert_eq!(files(&repo), before);
}
