//! A log in the user's checkout, which grows with each landing: two files take turns there, unless somebody was at one of them.

use super::support::{Repo, land, new_landing, write};
use crate::git::file_times::set_modified_apart;
use crate::git::{Git, TreeEdit};
use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

const LOG: &str = "events.jsonl";

/// What happens to the checkout and to the file that was taken out of it, before a landing that would write on that.
struct Row {
    name: &'static str,
    act: fn(&Repo, &Path),
    /// Whether the file that was taken out comes in again.
    comes_in: bool,
}

const ROWS: &[Row] = &[
    Row {
        name: "nothing",
        act: |_, _| {},
        comes_in: true,
    },
    Row {
        name: "another file is edited",
        act: |repo, _| repo.write("mine", "mine\n"),
        comes_in: true,
    },
    Row {
        name: "somebody had it open and wrote",
        act: |_, spare| {
            use std::io::Write;
            let mut open = File::options().append(true).open(spare).expect("a file");
            open.write_all(b"theirs\n").expect("written");
        },
        comes_in: false,
    },
    Row {
        name: "somebody had it open and wrote over it",
        act: |_, spare| {
            use std::os::unix::fs::FileExt;
            let open = File::options().write(true).open(spare).expect("a file");
            open.write_all_at(b"theirs", 0).expect("written");
        },
        comes_in: false,
    },
    Row {
        name: "somebody wrote and put its time back",
        act: |_, spare| {
            use std::os::unix::fs::FileExt;
            let open = File::options().write(true).open(spare).expect("a file");
            let modified = open.metadata().and_then(|meta| meta.modified());
            open.write_all_at(b"theirs", 0).expect("written");
            open.set_modified(modified.expect("a time")).expect("set");
        },
        comes_in: false,
    },
    Row {
        name: "it has another name",
        act: |repo, spare| fs::hard_link(spare, repo.root().join(".git/other")).expect("a link"),
        comes_in: false,
    },
    Row {
        name: "it is shut",
        act: |_, spare| {
            fs::set_permissions(spare, fs::Permissions::from_mode(0o400)).expect("a mode");
        },
        comes_in: false,
    },
    Row {
        name: "it is gone",
        act: |_, spare| fs::remove_file(spare).expect("removed"),
        comes_in: false,
    },
    Row {
        name: "a link is in its place",
        act: |repo, spare| {
            fs::remove_file(spare).expect("removed");
            symlink(repo.root().join("mine"), spare).expect("a link");
        },
        comes_in: false,
    },
    Row {
        name: "the log is edited in the checkout",
        act: |repo, _| repo.write(LOG, "mine\n"),
        comes_in: false,
    },
];

/// Returns so many lines of a log, from the first on.
fn lines(count: usize) -> String {
    (0..count)
        .map(|n| format!("{{\"event\":\"landed\",\"number\":{n}}}\n"))
        .collect()
}

fn land_log(repo: &Repo, git: &Git, text: &str) {
    let content = Some((0o100_644, text.as_bytes().into()));
    let edit = TreeEdit {
        path: LOG.into(),
        content,
    };
    let tree = git.edit_tree(repo.tip(), &[edit]).expect("a tree");
    let (_, followed) = land(git, &new_landing(repo.tip(), tree));
    assert_eq!(followed.not_followed, None);
}

fn spare_of(git: &Git) -> PathBuf {
    let name = format!("spare-{}", std::process::id());
    git.state_dir().join("tmp").join(name)
}

/// Returns whether the file system gives each change a time of its own: else no file is known to be as it was.
fn tells_changes_apart(root: &Path) -> bool {
    let probe = root.join(".git/probe");
    write(&probe, "");
    let file = File::open(&probe).expect("a file");
    let modified = file.metadata().and_then(|meta| meta.modified());
    let set = set_modified_apart(&file, modified.expect("a time"));
    set.expect("a time").is_some()
}

#[test]
fn two_files_take_turns_unless_somebody_was_at_one_of_them() {
    for row in ROWS {
        let repo = Repo::with(&[(LOG, ""), ("mine", "")]);
        let git = repo.open();
        let log = repo.root().join(LOG);
        land_log(&repo, &git, &lines(200));
        land_log(&repo, &git, &lines(201));
        let before = fs::metadata(&log).expect("a log").ino();
        land_log(&repo, &git, &lines(202));
        let spare = spare_of(&git);
        let apart = tells_changes_apart(&repo.root());
        assert_eq!(spare.exists(), apart, "{}", row.name);
        let taken = fs::metadata(&spare).map_or(0, |meta| meta.ino());
        assert!(!apart || taken == before, "{}: another file", row.name);
        if apart {
            (row.act)(&repo, &spare);
        }
        let edited = (repo.read(LOG) != Some(lines(202))).then(|| repo.read(LOG));
        land_log(&repo, &git, &lines(203));
        let now = fs::metadata(&log).expect("a log").ino();
        assert_eq!(now == taken, row.comes_in && apart, "{}", row.name);
        let is_there = repo.read(LOG);
        assert_eq!(
            is_there,
            edited.clone().unwrap_or(Some(lines(203))),
            "{}",
            row.name
        );
        let status = repo.git(&["status", "--porcelain", "--", LOG]);
        assert_eq!(
            status.is_empty(),
            edited.is_none(),
            "{}: {status}",
            row.name
        );
        land_log(&repo, &git, &lines(204));
        assert_eq!(
            repo.read(LOG),
            edited.unwrap_or(Some(lines(204))),
            "{}",
            row.name
        );
        drop(git);
        assert!(!spare.exists(), "{}: left behind", row.name);
    }
}

#[test]
fn what_is_no_beginning_of_the_next_is_not_written_on() {
    let repo = Repo::with(&[(LOG, "")]);
    let git = repo.open();
    let texts = [
        lines(200),
        lines(201),
        lines(300),
        lines(150),
        lines(151),
        "x".repeat(9000),
    ];
    for text in &texts {
        land_log(&repo, &git, text);
        assert_eq!(repo.read(LOG).as_ref(), Some(text));
        assert_eq!(repo.git(&["status", "--porcelain"]), "");
    }
}
