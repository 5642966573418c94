//! That a slot is captured as git would add all of it, whatever a session did, though git is asked about a few paths.

use super::support::{MAIN, Repo, write};
use crate::git::directory_marks::{DirectoryMarks, settled_by_now};
use crate::git::git_command::GitCommand;
use crate::git::slot_edit::replace_entries;
use crate::git::{Git, GitPath, Slot, SlotTarget, index_writer, worktree};
use gatewalk_core::object_id::ObjectId;
use std::fs;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// What lies ignored in the slot from the start, so that the root and its directory are always looked into.
const IGNORED: &str = "kept/out";

struct Fixture {
    repo: Repo,
    git: Git,
    slot: Slot,
    tip: ObjectId,
}

impl Fixture {
    fn new() -> Fixture {
        let repo = Repo::with(&[
            (".gitignore", "*.log\nkept/out\nforced/\n"),
            ("kept/file", "kept\n"),
            ("deep/below/more/x", "x\n"),
            ("deep-er/x", "x\n"),
            ("rules/.gitignore", "*.tmp\n"),
            ("rules/.gitattributes", "*.txt text\n"),
            ("rules/x.txt", "x\n"),
        ]);
        for n in 0..40 {
            repo.write(&format!("d{n}/file"), &format!("{n}\n"));
            repo.write(&format!("d{n}/other"), &format!("other {n}\n"));
        }
        repo.write("forced/x", "x\n");
        std::os::unix::fs::symlink("file", repo.root().join("d9/link")).expect("a link");
        repo.git(&["add", "-f", "forced/x"]);
        repo.commit_all("start");
        let (git, tip) = (repo.open(), repo.tip());
        let slot = repo.slot(&git).keeping_only(vec![format!("/{IGNORED}")]);
        let fixture = Fixture {
            repo,
            git,
            slot,
            tip,
        };
        fixture
            .git
            .prepare(&fixture.slot, tip, MAIN)
            .expect("a slot");
        write(&fixture.slot.dir().join(IGNORED).join("a.o"), "a\n");
        fixture
    }

    /// Makes the slot hold the commit, and waits until the times of all in it tell the next change.
    fn settle(&self) {
        let target = SlotTarget {
            tree: self.tip,
            commit: self.tip,
            branch: MAIN,
        };
        self.git.prepare_tree(&self.slot, target).expect("a slot");
        wait_until_settled();
        let restored = self.git.restore(&self.slot, self.tip, false);
        restored.expect("a restored slot");
        // As if something else had been written since, and the index with it.
        self.set_index_time(SystemTime::now());
        assert_eq!(self.paths(), Some(vec![GitPath::from(IGNORED)]));
    }

    fn set_index_time(&self, time: SystemTime) {
        let index = fs::File::options()
            .append(true)
            .open(self.slot.index().file().expect("an index"));
        let written = index.and_then(|index| index.set_modified(time));
        written.expect("a time");
        self.slot.index().own();
    }

    fn command(&self, name: &str) -> GitCommand<'_> {
        let scope = self.slot.scope().expect("an index");
        GitCommand::new(&self.git, scope, name)
    }

    fn paths(&self) -> Option<Vec<GitPath>> {
        let look = self.git.look_for_planted(&self.slot).expect("a look");
        self.git.paths_to_add(&self.slot, &look)
    }

    fn run(&self, script: &str) {
        let mut shell = Command::new("sh");
        shell.args(["-ec", script]).current_dir(self.slot.dir());
        shell.env("GIT_CONFIG_GLOBAL", "/dev/null");
        assert!(shell.status().expect("a shell").success(), "{script}");
    }

    /// Returns the tree that git makes of all that is in the slot, knowing nothing of it.
    fn whole(&self) -> ObjectId {
        worktree::remove(self.slot.index().file().expect("an index")).expect("no index");
        let read = self.command("read-tree").arg(self.tip.hex()).run();
        read.expect("an index");
        self.git.add_all(&self.slot).expect("all added");
        let (tree, _) = self.git.index_tree(&self.slot, self.tip).expect("a tree");
        tree
    }
}

/// Waits until the times of all that was written so far tell the next change.
fn wait_until_settled() {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.expect("a clock");
    let now = (now.as_secs().cast_signed(), now.subsec_nanos().into());
    while settled_by_now() <= now {}
}

/// What a session does, and how many paths git is asked about then; none where it is to look at everything.
const ACTS: [(&str, Option<usize>); 66] = [
    ("true", Some(1)),
    ("echo new > d7/file", Some(2)),
    // Of the same size, with the times that it had.
    (
        "cp -p d7/file ../t; printf 'x\\n' > d7/file; touch -r ../t d7/file",
        Some(2),
    ),
    ("touch d7/file", Some(2)),
    ("touch -d 2001-01-01 d7/file d8", Some(2)),
    ("chmod +x d7/file", Some(2)),
    ("chmod +x d7/file; chmod -x d7/file", Some(2)),
    ("rm d7/file", Some(2)),
    ("rm -r d7", Some(3)),
    ("rm -r d7; mkdir d7", Some(3)),
    ("rm -r d7; mkdir d7; echo new > d7/new", Some(4)),
    ("mkdir d0/new; mv d7/file d0/new", Some(3)),
    ("echo new > d7/new", Some(2)),
    ("touch -d 2001-01-01 d7/new", Some(2)),
    ("mkdir -p d7/a/b; echo new > d7/a/b/c", Some(2)),
    (
        "mkdir -p deep/below/more/most; echo new > deep/below/more/most/x",
        Some(2),
    ),
    ("echo new > new", Some(2)),
    ("mkdir -p a/b; echo new > a/b/c", Some(2)),
    ("mkdir d7/empty empty", Some(3)),
    (
        "p=d7; for n in $(seq 300); do p=$p/n; done; mkdir -p $p; echo new > $p/x",
        Some(2),
    ),
    (
        "for n in $(seq 200); do mkdir -p new/$n; done; echo new > new/x",
        Some(2),
    ),
    ("mv d7/file d7/renamed", Some(3)),
    ("mv d7/file d8/file", Some(3)),
    ("mv d7 e7", Some(4)),
    ("mv d7 ../t7; mv d8 d7; mv ../t7 d8", Some(5)),
    ("mv d7/file x; mv d8/file d7/file; mv x d8/file", Some(3)),
    ("rm d7/file; mkdir d7/file; echo new > d7/file/new", Some(2)),
    (
        "rm d7/file; mkdir d7/file; echo new > d7/file/x.log",
        Some(2),
    ),
    ("rm -r d7; echo new > d7", Some(2)),
    ("rm -r deep; echo new > deep", Some(2)),
    ("rm -r d7; ln -s d8 d7", Some(2)),
    ("mv d7 e7; ln -s e7 d7", Some(3)),
    ("rm d7/file; ln -s other d7/file", Some(2)),
    ("rm d9/link; echo new > d9/link", Some(2)),
    ("ln -sfn nowhere d9/link", Some(2)),
    ("ln -s /etc d7/outside", Some(2)),
    ("cp d7/file d7/x; mv d7/x d7/file", Some(2)),
    ("cp d8/file x; ln -f x d7/file; rm x", Some(2)),
    (
        "cp -p d7/other ../t; ln -f d7/file ../hard; echo new > ../hard",
        Some(2),
    ),
    ("echo new > d7/x.log", Some(2)),
    (
        "echo new > x.log; echo new > d7/new; echo new > d8/file",
        Some(4),
    ),
    ("mkdir -p d7/out.log; echo new > d7/out.log/x", Some(2)),
    ("echo new > kept/out/b.o; echo new > kept/new", Some(2)),
    // What was ignored is not any more, and the other way round.
    ("echo '*.log' > .gitignore", Some(2)),
    ("rm .gitignore", Some(2)),
    ("echo '!a.o' > kept/out/.gitignore", Some(1)),
    ("echo '!out' > kept/.gitignore", Some(2)),
    (
        "echo new > d7/.gitignore; echo new > d7/new; echo new > d7/file",
        Some(4),
    ),
    (
        "echo '*' > d7/.gitignore; echo new > d7/new; rm d7/other",
        Some(4),
    ),
    ("echo new > rules/x.tmp; echo new > rules/y", Some(3)),
    ("echo new > forced/x", Some(2)),
    ("echo new > forced/new", Some(2)),
    ("rm forced/x", Some(2)),
    (
        "printf 'x\\r\\n' > rules/x.txt; printf 'y\\r\\n' > rules/y.txt",
        Some(3),
    ),
    (
        "echo '*.crlf text' > .gitattributes; printf 'x\\r\\n' > d7/x.crlf",
        Some(3),
    ),
    ("mkfifo d7/pipe; echo new > d7/file", Some(2)),
    (
        "for name in -rf 'with space' ':(top)x' '*' '\"quoted\"' 'a\nb' 'end ' '!x' '#x' '\\x'; do echo new > d7/\"$name\"; done",
        Some(11),
    ),
    (
        "mkdir d7/d8; echo new > d7/d8/file; echo new > d7/d8.x; echo new > d7/d8-x",
        Some(4),
    ),
    (
        "for n in 1 2 3 4 5 6 7 8 9; do echo new > d$n/new; echo new > d$n/file; done",
        Some(19),
    ),
    (
        "for d in d*; do echo new > $d/new; echo new > $d/file; echo new > $d/other; done",
        None,
    ),
    (
        "n=0; while [ $n -lt 120 ]; do echo new > d7/$n; n=$((n+1)); done",
        None,
    ),
    ("rm -r d* rules", Some(87)),
    // Rules that are gone from the slot are read from the index.
    (
        "rm rules/.gitattributes rules/.gitignore; printf 'y\\r\\n' > rules/y.txt; echo new > rules/x.tmp",
        Some(5),
    ),
    (
        "rm d7/file; mkdir d7/file; echo new > d7/file/other; rm -r d8; ln -s d9 d8; echo new > d7/other",
        Some(4),
    ),
    (
        "echo new > d7/new; git add d7/new; git update-index --assume-unchanged d7/file; echo new > d7/file",
        Some(3),
    ),
    // Such a file never looks old: no row after this.
    ("touch -d 2040-01-01 d7/file", Some(2)),
];

#[test]
#[ignore = "long"]
fn what_git_is_asked_about_is_all_that_it_would_add() {
    let fixture = Fixture::new();
    for (script, asked) in ACTS {
        fixture.settle();
        fixture.run(script);
        let paths = fixture.paths();
        assert_eq!(
            paths.as_deref().map(<[GitPath]>::len),
            asked,
            "{script}: {paths:?}"
        );
        let captured = fixture.git.capture(&fixture.slot, fixture.tip);
        let captured = captured.expect("a capture");
        assert_eq!(captured.tree, fixture.whole(), "{script}");
        assert_eq!(captured.skipped, [], "{script}");
        worktree::remove(&fixture.slot.dir().join(IGNORED).join("b.o")).expect("removed");
    }
    drop(fixture.repo);
}

#[test]
#[ignore = "long"]
fn what_is_added_without_git_is_what_git_would_add() {
    let fixture = Fixture::new();
    let mut plain = Vec::new();
    for (script, _) in ACTS {
        fixture.settle();
        fixture.run(script);
        let mut paths = fixture.paths().unwrap_or_default();
        paths.retain(|path| *path != GitPath::from(IGNORED));
        let (git, slot) = (&fixture.git, &fixture.slot);
        let index = git.index_of(slot).expect("an index");
        let added = git.added_plainly(slot, &index, &paths).expect("an answer");
        if let Some(added) = added.filter(|_| !paths.is_empty()) {
            let entries = added
                .iter()
                .map(|(path, entry)| (path.as_bytes(), entry.clone()));
            replace_entries(slot, &index, &entries.collect()).expect("an index");
            let (tree, _) = git.index_tree(slot, fixture.tip).expect("a tree");
            assert_eq!(tree, fixture.whole(), "{script}");
            plain.push(script);
        }
        worktree::remove(&slot.dir().join(IGNORED).join("b.o")).expect("removed");
    }
    assert!(plain.len() > 25, "{}: {plain:?}", plain.len());
    drop(fixture.repo);
}

#[test]
fn of_what_was_written_with_the_index_git_is_asked_about_what_is_another() {
    let fixture = Fixture::new();
    fixture.settle();
    fixture.run("echo 9 > d7/file; echo 8 > d8/file; echo 6 > d6/file; chmod +x d6/file");
    let index = fixture.git.index_of(&fixture.slot).expect("an index");
    // As if each had its times already when the index was written.
    let entry = |path: &[u8]| {
        let file = fixture.slot.dir().join(GitPath::new(path).as_path());
        let stat = rustix::fs::stat(&file).expect("a file");
        let version = index.record_of(path).expect("an entry").version();
        Some(index_writer::entry(path, version, Some(&stat)))
    };
    let paths: [&[u8]; 3] = [b"d6/file", b"d7/file", b"d8/file"];
    let replaced = paths.map(|path| (path, entry(path))).into();
    replace_entries(&fixture.slot, &index, &replaced).expect("written");
    let written = fs::metadata(fixture.slot.dir().join("d7/file")).and_then(|file| file.modified());
    fixture.set_index_time(written.expect("a time"));
    wait_until_settled();
    // As on a file system where a change may hide in the moment of another.
    fixture.slot.set_shown(None);
    let asked = fixture.paths().expect("paths");
    let wanted = ["d6/file", "d7/file", IGNORED].map(GitPath::from);
    assert_eq!(asked, wanted.to_vec());
    let captured = fixture.git.capture(&fixture.slot, fixture.tip);
    assert_eq!(captured.expect("a capture").tree, fixture.whole());
}

#[test]
fn a_directory_is_listed_for_one_capture_and_not_for_the_next() {
    let fixture = Fixture::new();
    fixture.settle();
    fixture.slot.set_swept(DirectoryMarks::default());
    let listed = || {
        let look = fixture.git.look_for_planted(&fixture.slot);
        let look = look.expect("a look");
        let paths = look.unswept.iter().map(|(path, _)| path.to_string());
        paths.collect::<Vec<_>>()
    };
    assert!(listed().len() > 40);
    let capture = || fixture.git.capture(&fixture.slot, fixture.tip);
    capture().expect("a capture");
    // Where something ignored is, something else may be next.
    assert_eq!(listed(), ["", "kept"]);
    fixture.run("mkfifo d7/pipe; echo new > d8/new");
    let captured = capture().expect("a capture");
    assert_eq!(captured.changes.len(), 1);
    assert!(listed().contains(&"d7".to_owned()), "a pipe is to be found");
    fixture.settle();
    assert!(!fixture.slot.dir().join("d7/pipe").exists());
}
