//! A slot's index that is in memory: whoever ends, and however, the next one finds the slot as it is or starts over.

use super::support::{MAIN, Repo, git_in, write};
use crate::git::file_times::as_system_time;
use crate::git::slot_target::KnownTree;
use crate::git::{Git, Slot, SlotTarget};
use gatewalk_core::object_id::ObjectId;
use std::fs;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

/// A repository of two commits, where an ignored file came with the second, and a slot taken from one to the other.
struct Advanced {
    repo: Repo,
    git: Git,
    slot: Slot,
    second: ObjectId,
}

impl Advanced {
    fn new() -> Self {
        let repo = Repo::with(&[("a.txt", "one"), (".gitignore", "*.o\n")]);
        let git = repo.open();
        let slot = repo.slot(&git);
        let first = git.resolve("HEAD").expect("a commit").expect("a commit");
        git.prepare(&slot, first, MAIN).expect("prepared");
        repo.write("a.txt", "two");
        repo.write("tool.o", "kept");
        repo.git(&["add", "-f", "tool.o"]);
        let second = repo.commit_all("next");
        advance(&git, &slot, (first, second));
        Advanced {
            repo,
            git,
            slot,
            second,
        }
    }

    fn file(&self) -> PathBuf {
        self.slot.state().join("index")
    }

    /// Returns the slot as another process finds it, after this one was killed.
    fn killed(self) -> (Repo, Git, Slot, ObjectId) {
        let slot = self.repo.slot(&self.git);
        std::mem::forget(self.slot);
        (self.repo, self.git, slot, self.second)
    }
}

#[test]
fn it_becomes_a_file_when_nobody_has_the_slot_any_more() {
    let advanced = Advanced::new();
    let file = advanced.file();
    assert!(!file.exists(), "no file describes what was");
    let made = as_system_time(advanced.slot.index().written().expect("a time"));
    let clone = advanced.slot.clone();
    drop(advanced.slot);
    assert!(!file.exists());
    drop(clone);
    let written = fs::metadata(&file).and_then(|file| file.modified());
    assert_eq!(written.expect("a file"), made, "stale entries stay known");
    let slot = advanced.repo.slot(&advanced.git);
    assert!(slot.index().is_ours());
    let changed = advanced.git.changed_since_prepared(&slot);
    assert_eq!(changed.expect("a look"), []);
}

#[test]
fn after_a_kill_what_a_session_left_is_compared_with_its_base() {
    let (_repo, git, slot, second) = Advanced::new().killed();
    assert!(!slot.index().is_ours());
    write(&slot.dir().join("new.txt"), "work");
    let capture = git.capture(&slot, second).expect("a capture");
    let paths = capture.changes.iter().map(|change| change.path.to_text());
    let paths: Vec<_> = paths.collect();
    assert_eq!(paths, ["new.txt"], "an ignored file is not gone");
}

#[test]
fn after_a_kill_the_slot_is_made_whole() {
    let (_repo, git, slot, second) = Advanced::new().killed();
    write(&slot.dir().join("a.txt"), "2wo");
    write(&slot.dir().join("left.txt"), "over");
    git.prepare(&slot, second, MAIN).expect("prepared");
    let text = |name: &str| fs::read_to_string(slot.dir().join(name)).ok();
    assert_eq!(text("a.txt").as_deref(), Some("two"));
    assert_eq!(text("tool.o").as_deref(), Some("kept"));
    assert_eq!(text("left.txt"), None);
    assert_eq!(git.changed_since_prepared(&slot).expect("a look"), []);
}

#[test]
fn somebody_elses_file_in_its_place_is_neither_trusted_nor_written_over() {
    let advanced = Advanced::new();
    let file = advanced.file();
    write(&file, "DIRC");
    assert!(!advanced.slot.index().is_ours());
    let prepared = advanced.git.prepare(&advanced.slot, advanced.second, MAIN);
    prepared.expect("prepared");
    let changed = advanced.git.changed_since_prepared(&advanced.slot);
    assert_eq!(changed.expect("a look"), []);
    let advanced = Advanced::new();
    let file = advanced.file();
    write(&file, "DIRC");
    drop(advanced.slot);
    assert_eq!(fs::read_to_string(&file).expect("a file"), "DIRC");
}

#[test]
fn it_is_gone_with_the_directory_that_it_would_be_in() {
    let advanced = Advanced::new();
    fs::remove_dir_all(advanced.slot.state()).expect("removed");
    assert!(!advanced.slot.index().is_ours());
    write(&advanced.slot.dir().join("new.txt"), "work");
    let capture = advanced.git.capture(&advanced.slot, advanced.second);
    let changes = capture.expect("a capture").changes;
    let paths: Vec<_> = changes.iter().map(|change| change.path.to_text()).collect();
    assert_eq!(paths, ["new.txt"]);
    let advanced = Advanced::new();
    let state = advanced.slot.state().to_owned();
    fs::remove_dir_all(&state).expect("removed");
    drop(advanced.slot);
    assert!(!state.exists(), "nothing is made where all was thrown away");
}

#[test]
fn what_a_session_wrote_into_its_index_in_the_same_moment_is_gone() {
    let advanced = Advanced::new();
    let Advanced {
        git, slot, second, ..
    } = &advanced;
    let shown = slot.dir().join(".git/index");
    // Often: what matters is that it comes right after ours, in the same moment to clocks that stand still.
    for round in 0..200 {
        let file = fs::File::options().write(true).open(&shown);
        let file = file.expect("an index");
        let modified = file.metadata().expect("a file").modified().expect("a time");
        // Bytes of the first entry: its name's last ones, and one time.
        for at in [20, 40, 70] {
            file.write_all_at(b"!", at).expect("written");
        }
        file.set_modified(modified).expect("set");
        advance(git, slot, (*second, *second));
        let known = git.index_of(slot).expect("an index");
        let known: Vec<&[u8]> = known.pieces().collect();
        assert!(
            fs::read(&shown).expect("an index") == known.concat(),
            "{round}"
        );
    }
}

#[test]
fn the_index_that_a_session_sees_follows_wherever_something_comes_and_goes() {
    const FILES: usize = 600;
    let repo = Repo::init(&[]);
    for n in 0..FILES {
        repo.write(&format!("f{n:03}"), "one\n");
    }
    let mut tree = repo.commit_all("start");
    let git = repo.open();
    let slot = repo.slot(&git);
    git.prepare(&slot, tree, MAIN).expect("prepared");
    let rows: [(&str, Option<&str>); 8] = [
        ("f000", Some("two\n")),
        ("f599", Some("two\n")),
        ("f300x", Some("new\n")),
        ("f300x", None),
        ("f599", None),
        ("z", Some("the last\n")),
        ("f000", None),
        ("a", Some("the first\n")),
    ];
    for (path, content) in rows {
        match content {
            Some(content) => repo.write(path, content),
            None => fs::remove_file(repo.root().join(path)).expect("removed"),
        }
        let next = repo.commit_all(path);
        advance(&git, &slot, (tree, next));
        let known = git.index_of(&slot).expect("an index");
        let known: Vec<&[u8]> = known.pieces().collect();
        let shown = fs::read(slot.dir().join(".git/index")).expect("an index");
        assert!(shown == known.concat(), "{path}: {content:?}");
        assert_eq!(git_in(slot.dir(), &["status", "--porcelain"]), "", "{path}");
        tree = next;
    }
}

/// Takes a slot from one commit to another, of which nothing is to be swept.
fn advance(git: &Git, slot: &Slot, (from, to): (ObjectId, ObjectId)) {
    let known = KnownTree {
        tree: from,
        swept: true,
        untrusted: false,
    };
    let target = SlotTarget {
        tree: to,
        commit: to,
        branch: MAIN,
    };
    git.advance(slot, known, target).expect("advanced");
}

#[test]
fn the_index_that_a_session_sees_is_written_over_only_where_it_is_a_file_of_the_slot() {
    let advanced = Advanced::new();
    let Advanced {
        git, slot, second, ..
    } = &advanced;
    let shown = slot.dir().join(".git/index");
    let outside = advanced.repo.root().join("theirs");
    let acts: [&dyn Fn(); 4] = [
        &|| fs::hard_link(&shown, &outside).expect("a link"),
        &|| {
            fs::rename(&shown, &outside).expect("moved");
            std::os::unix::fs::symlink(&outside, &shown).expect("a link");
        },
        &|| {
            fs::create_dir(&outside).expect("made");
            fs::rename(slot.dir().join(".git"), outside.join(".git")).expect("moved");
            std::os::unix::fs::symlink(outside.join(".git"), slot.dir().join(".git"))
                .expect("a link");
        },
        &|| {
            fs::remove_file(&shown).expect("removed");
            rustix::fs::mknodat(
                rustix::fs::CWD,
                &shown,
                rustix::fs::FileType::Fifo,
                0o600.into(),
                0,
            )
            .expect("a pipe");
        },
    ];
    for act in acts {
        act();
        let theirs = outside.join(".git/index");
        let theirs = if theirs.exists() {
            theirs
        } else {
            outside.clone()
        };
        let before = fs::read(&theirs).ok();
        git.prepare(slot, *second, MAIN).expect("prepared");
        assert_eq!(fs::read(&theirs).ok(), before);
        let meta = fs::symlink_metadata(&shown).expect("an index");
        assert!(meta.is_file());
        let known = git.index_of(slot).expect("an index");
        let known: Vec<&[u8]> = known.pieces().collect();
        assert_eq!(fs::read(&shown).expect("an index"), known.concat());
        let _ = fs::remove_file(&outside).or_else(|_| fs::remove_dir_all(&outside));
    }
}
