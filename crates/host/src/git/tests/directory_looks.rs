//! Which directories of a slot are looked into again, and that what is there is found all the same.

use super::support::{MAIN, Repo, git_in, write};
use crate::git::directory_marks::DirectoryMarks;
use crate::git::nested_directories::NestedDirectories;
use crate::git::{Git, GitPath, Slot, SlotTarget};
use gatewalk_core::object_id::ObjectId;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;

const DIRECTORIES: usize = 60;

/// Beyond this many tries the clock of the file system does not move.
const MOST_TRIES: usize = 100_000;

struct Fixture {
    repo: Repo,
    git: Git,
    slot: Slot,
    tip: ObjectId,
}

impl Fixture {
    /// Returns a slot whose directories stood still for long enough to tell when anything changes in them.
    fn new() -> Fixture {
        let repo = Repo::with(&[(".gitignore", "*.log\n"), ("d0/below/deep/x", "x\n")]);
        for n in 0..DIRECTORIES {
            repo.write(&format!("d{n}/file"), &format!("{n}\n"));
        }
        repo.commit_all("start");
        let (git, tip) = (repo.open(), repo.tip());
        let slot = repo.slot(&git);
        git.prepare(&slot, tip, MAIN).expect("a slot");
        let fixture = Fixture {
            repo,
            git,
            slot,
            tip,
        };
        fixture.until(|| fixture.restored_with_looks() == 1);
        fixture.until(|| {
            fixture.git.capture(&fixture.slot, tip).expect("a capture");
            fixture.looks(&fixture.slot.without_git()) == 1
        });
        fixture
    }

    fn until(&self, is_so: impl Fn() -> bool) {
        assert!((0..MOST_TRIES).any(|_| is_so()), "the clock stands still");
    }

    /// Restores the slot, and counts the directories that the next restoring would look into.
    fn restored_with_looks(&self) -> usize {
        let restored = self.git.restore(&self.slot, self.tip, false);
        restored.expect("a restored slot");
        self.looks(&self.slot.swept())
    }

    /// Counts the directories that are not as they were looked into.
    fn looks(&self, marks: &Arc<DirectoryMarks>) -> usize {
        let entries = self.git.index_of(&self.slot).expect("an index");
        let shape = entries.shape();
        let mut tree = NestedDirectories::new(self.slot.dir());
        let is_changed = |path: &&&GitPath| {
            let now = tree.stat(path.as_bytes());
            !now.is_some_and(|now| marks.hold(path, &now))
        };
        shape.with_root().iter().filter(is_changed).count()
    }

    /// Makes the slot hold another commit, as after commands that nothing trusts.
    fn advance_to(&self, commit: ObjectId) {
        let target = SlotTarget {
            tree: commit,
            commit,
            branch: MAIN,
        };
        let prepared = self.git.prepare_tree(&self.slot, target);
        prepared.expect("a slot");
    }

    fn untracked(&self) -> String {
        git_in(self.slot.dir(), &["status", "--porcelain", "--ignored"])
    }
}

type Act = fn(&Path);

const LEFT: [(&str, Act); 8] = [
    ("a file", |d| write(&d.join("d7/left"), "x")),
    ("a directory", |d| write(&d.join("d7/new/left"), "x")),
    ("a file deep down", |d| write(&d.join("d0/below/left"), "x")),
    ("a link", |d| {
        symlink("file", d.join("d7/link")).expect("a link");
    }),
    ("a repository", |d| write(&d.join("d7/.git/HEAD"), "x")),
    ("another name", |d| {
        fs::rename(d.join("d7/file"), d.join("d7/other")).expect("renamed");
    }),
    ("a link in a directory's place", |d| {
        fs::rename(d.join("d7"), d.join("aside")).expect("renamed");
        symlink("aside", d.join("d7")).expect("a link");
    }),
    ("a directory made again", |d| {
        fs::remove_dir_all(d.join("d7")).expect("removed");
        write(&d.join("d7/file"), "7\n");
        write(&d.join("d7/left"), "x");
    }),
];

#[test]
fn only_a_directory_in_which_something_changed_is_looked_into_again() {
    let fixture = Fixture::new();
    write(&fixture.slot.dir().join("d9/left"), "x");
    // The root, and that.
    assert_eq!(fixture.looks(&fixture.slot.swept()), 2);
    assert_eq!(fixture.looks(&fixture.slot.without_git()), 2);
}

#[test]
#[ignore = "long"]
fn what_is_left_in_a_known_directory_is_found() {
    for (what, act) in LEFT {
        let fixture = Fixture::new();
        act(fixture.slot.dir());
        let changed = fixture.git.changed_since_prepared(&fixture.slot);
        let changed = !changed.expect("an answer").is_empty();
        let restored = fixture.git.restore(&fixture.slot, fixture.tip, changed);
        restored.expect("a restored slot");
        assert_eq!(fixture.untracked(), "", "{what}");
        assert!(!fixture.slot.dir().join("d7/.git").exists(), "{what}");
    }
}

#[test]
fn what_is_left_where_the_next_commit_has_nothing_is_found() {
    let fixture = Fixture::new();
    write(&fixture.slot.dir().join("d0/below/deep/left"), "x");
    fs::remove_dir_all(fixture.repo.root().join("d0/below")).expect("removed");
    fixture.repo.commit_all("without");
    fixture.advance_to(fixture.repo.tip());
    assert_eq!(fixture.untracked(), "");
    assert!(!fixture.slot.dir().join("d0/below").exists());
}

#[test]
fn what_is_no_longer_ignored_does_not_stay() {
    let fixture = Fixture::new();
    write(&fixture.slot.dir().join("d3/x.log"), "x");
    fixture.until(|| {
        let restored = fixture.git.restore(&fixture.slot, fixture.tip, false);
        restored.expect("a restored slot")
    });
    assert!(fixture.slot.dir().join("d3/x.log").exists());
    fixture.repo.write(".gitignore", "*.tmp\n");
    fixture.repo.commit_all("other rules");
    fixture.advance_to(fixture.repo.tip());
    assert_eq!(fixture.untracked(), "");
}

#[test]
fn a_repository_planted_in_a_known_directory_is_set_aside() {
    let fixture = Fixture::new();
    let planted = fixture.slot.dir().join("d7");
    git_in(&planted, &["init", "-q"]);
    write(&planted.join("new"), "x");
    let captured = fixture.git.capture(&fixture.slot, fixture.tip);
    let captured = captured.expect("a capture");
    assert_eq!(captured.nested_repositories, [GitPath::from("d7")]);
    assert_eq!(captured.changes.len(), 1);
    assert!(!planted.join(".git").exists());
}
