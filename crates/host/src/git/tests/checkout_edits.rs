//! The user's checkout taken from commit to commit without git: git itself finds it as it would have made it.

use super::support::{Repo, write};
use crate::git::Git;
use gatewalk_core::object_id::ObjectId;
use std::fs;
use std::time::{Duration, SystemTime};

type Files = &'static [(&'static str, &'static str)];

/// A checkout of some files, what the user did there, the files that come, and whether they come without git.
struct Row {
    name: &'static str,
    before: Files,
    after: Files,
    act: fn(&Repo),
    is_edited: bool,
}

const PLAIN: Row = Row {
    name: "plain",
    before: &[
        ("a", "1\n"),
        ("d/e", "1\n"),
        ("gone/f", "1\n"),
        ("x", "#!1\n"),
    ],
    after: &[
        ("a", "2\n"),
        ("d/e", "1\n"),
        ("new/g/h", "2\n"),
        ("x", "#!2\n"),
    ],
    act: |_| {},
    is_edited: true,
};

const ROWS: &[Row] = &[
    PLAIN,
    Row {
        name: "trees are cached",
        act: |repo| drop(repo.git(&["write-tree"])),
        ..PLAIN
    },
    Row {
        name: "entries are read by several",
        act: |repo| {
            repo.git(&["config", "index.threads", "2"]);
            repo.git(&["update-index", "--force-write-index"]);
        },
        ..PLAIN
    },
    Row {
        name: "another file is edited",
        act: |repo| repo.write("d/e", "mine\n"),
        ..PLAIN
    },
    Row {
        name: "a file is edited",
        act: |repo| repo.write("a", "mine\n"),
        is_edited: false,
        ..PLAIN
    },
    Row {
        name: "something is in the way",
        act: |repo| repo.write("new/g/h", "mine\n"),
        is_edited: false,
        ..PLAIN
    },
    Row {
        name: "a file is as new as the index",
        act: |repo| stage_as_of_later(repo, "d/e"),
        ..PLAIN
    },
    Row {
        name: "a file that was as new as the index is edited",
        act: |repo| {
            stage_as_of_later(repo, "d/e");
            repo.write("d/e", "3\n");
        },
        is_edited: false,
        ..PLAIN
    },
    Row {
        name: "another file is staged",
        act: |repo| {
            repo.write("mine", "mine\n");
            repo.git(&["add", "mine"]);
        },
        ..PLAIN
    },
    Row {
        name: "something is staged below a new file",
        before: &[("a", "1\n")],
        after: &[("a", "1\n"), ("new", "2\n")],
        act: |repo| {
            repo.write("new/mine", "mine\n");
            repo.git(&["add", "new/mine"]);
            fs::remove_dir_all(repo.root().join("new")).expect("removed");
        },
        is_edited: false,
    },
    Row {
        name: "taken to be unchanged",
        act: |repo| drop(repo.git(&["update-index", "--assume-unchanged", "a"])),
        is_edited: false,
        ..PLAIN
    },
    Row {
        name: "another version of the index",
        act: |repo| drop(repo.git(&["update-index", "--index-version", "4"])),
        is_edited: false,
        ..PLAIN
    },
    Row {
        name: "an index in two parts",
        act: |repo| drop(repo.git(&["update-index", "--split-index"])),
        is_edited: false,
        ..PLAIN
    },
    Row {
        name: "untracked files are cached",
        act: |repo| drop(repo.git(&["update-index", "--force-untracked-cache"])),
        is_edited: false,
        ..PLAIN
    },
    Row {
        name: "line endings of the user's",
        act: |repo| drop(repo.git(&["config", "core.autocrlf", "input"])),
        is_edited: false,
        ..PLAIN
    },
    Row {
        name: "attributes that nobody committed",
        act: |repo| write(&repo.root().join(".git/info/attributes"), "* eol=crlf\n"),
        is_edited: false,
        ..PLAIN
    },
    Row {
        name: "attributes beside the file",
        act: |repo| {
            write(&repo.root().join(".git/info/exclude"), ".gitattributes\n");
            repo.write(".gitattributes", "a filter=none\n");
        },
        is_edited: false,
        ..PLAIN
    },
];

fn set_modified(repo: &Repo, path: &str, time: SystemTime) {
    let file = fs::File::options().write(true).open(repo.root().join(path));
    file.and_then(|file| file.set_modified(time))
        .expect("a time");
}

fn stage_as_of_later(repo: &Repo, path: &str) {
    set_modified(
        repo,
        path,
        SystemTime::now() + Duration::from_secs(1_000_000),
    );
    repo.git(&["add", path]);
}

/// Commits these files and no others, written so many days after another time.
fn commit(repo: &Repo, files: Files, days: u64) -> ObjectId {
    repo.fill(files);
    // Else it depends on how long git takes whether a file is older than the index.
    let written = Duration::from_secs(1_000_000_000 + days * 86_400);
    for (path, _) in files {
        set_modified(repo, path, SystemTime::UNIX_EPOCH + written);
    }
    repo.commit_all("next")
}

/// Tries an edit; returns whether it was made.
fn edit(git: &Git, old: ObjectId, new: ObjectId) -> bool {
    let changes = git.diff(old, new).expect("a diff");
    let index = git.lock_index().expect("the index");
    let edited = git.edit_checkout(&index, &changes).expect("an edit");
    if edited.is_some() {
        git.replace_index(&index).expect("replaced");
    }
    edited.is_some_and(|(followed, _)| followed.kept.is_empty())
}

#[test]
fn what_is_plain_follows_as_git_would_have_it_and_the_rest_is_left_to_git() {
    for row in ROWS {
        let repo = Repo::init(&[]);
        let (new, old) = (commit(&repo, row.after, 1), commit(&repo, row.before, 2));
        (row.act)(&repo);
        let seen = |commit: ObjectId| {
            let staged = repo.git(&["diff-index", "--cached", &commit.hex()]);
            [
                staged,
                repo.git(&["diff-files"]),
                repo.git(&["ls-files", "-o"]),
            ]
        };
        let before = seen(old);
        assert_eq!(edit(&repo.open(), old, new), row.is_edited, "{}", row.name);
        if !row.is_edited {
            assert_eq!(seen(old), before, "{}", row.name);
            continue;
        }
        assert_eq!(seen(new), before, "{}", row.name);
        // With what it has of cached trees.
        let whole = repo.git(&["write-tree"]);
        let landed = repo.git(&["rev-parse", &format!("{}^{{tree}}", new.hex())]);
        assert!(!before[0].is_empty() || whole == landed, "{}", row.name);
    }
}
