//! What changed in the checkout since a moment: a row for each way to change something, or nothing.

use super::support::{Repo, git_in, write};
use crate::git::{CheckoutChanges, CheckoutSnapshot, Git, GitPath};
use std::path::Path;
use std::process::Command;

/// Shell texts before and after the moment, in the repository; then files, files not looked at, and whether the index.
struct Row {
    name: &'static str,
    before: &'static str,
    after: &'static str,
    files: &'static [&'static str],
    unwatched: &'static [&'static str],
    staged: bool,
}

const NOTHING: Row = Row {
    name: "",
    before: "",
    after: "",
    files: &[],
    unwatched: &[],
    staged: false,
};

/// What the user had lying about in every row.
const LYING_ABOUT: &str = "echo mine > edited; echo mine > staged; git add staged; rm lost/gone; echo n > notes/old; \
     mkdir -p build/deep; echo o > build/deep/o; echo l > x.log; git rm -q --cached unstaged";

const ROWS: &[Row] = &[
    Row {
        name: "nothing",
        ..NOTHING
    },
    Row {
        name: "what is ignored",
        after: "echo o > build/deep/o; echo o > build/new; echo l > x.log; echo l > d/y.log",
        ..NOTHING
    },
    Row {
        name: "a look by git",
        after: "touch -d 2001-01-01 d/b && git status -s && git update-index -q --refresh || true",
        ..NOTHING
    },
    Row {
        name: "a content",
        after: "echo x > d/b",
        files: &["d/b"],
        ..NOTHING
    },
    Row {
        name: "a content with the old times",
        after: "touch -r d/b t; echo BB > d/b; touch -r t d/b; rm t",
        files: &["d/b"],
        ..NOTHING
    },
    Row {
        name: "through another name of the file",
        before: "ln d/b ../other",
        after: "echo x > ../other",
        files: &["d/b"],
        ..NOTHING
    },
    Row {
        name: "more of an edit",
        after: "echo more >> edited",
        files: &["edited"],
        ..NOTHING
    },
    Row {
        name: "a staged file",
        after: "echo more >> staged",
        files: &["staged"],
        ..NOTHING
    },
    Row {
        name: "a mode",
        after: "chmod +x d/b",
        files: &["d/b"],
        ..NOTHING
    },
    Row {
        name: "a removal",
        after: "rm d/b",
        files: &["d/b"],
        ..NOTHING
    },
    Row {
        // When a file went that is gone is not known, only that its directory changed.
        name: "a directory from which the user had removed a file",
        after: "echo x > lost/new",
        files: &["lost/gone", "lost/new"],
        ..NOTHING
    },
    Row {
        name: "a directory removed",
        after: "rm -r d",
        files: &["d/b", "d/c/e"],
        ..NOTHING
    },
    Row {
        name: "a new file",
        after: "echo x > d/c/new",
        files: &["d/c/new"],
        ..NOTHING
    },
    Row {
        name: "a new directory",
        after: "mkdir -p new/er; echo x > new/er/x",
        files: &["new/er/x"],
        ..NOTHING
    },
    Row {
        name: "a file in a directory of the user's",
        after: "echo x > notes/old; echo x > notes/new",
        files: &["notes/new", "notes/old"],
        ..NOTHING
    },
    Row {
        name: "one put in another's place",
        before: "echo x > ../x",
        after: "mv ../x d/b",
        files: &["d/b"],
        ..NOTHING
    },
    Row {
        name: "a link turned",
        after: "ln -sfn d/b link",
        files: &["link"],
        ..NOTHING
    },
    Row {
        name: "a link in a directory's place",
        after: "mv d ../d; ln -s ../d d",
        files: &["d", "d/b", "d/c/e"],
        ..NOTHING
    },
    Row {
        name: "other rules",
        after: "echo > .gitignore; touch build/deep/o",
        files: &[".gitignore", "build/deep/o"],
        ..NOTHING
    },
    Row {
        name: "a submodule moved",
        after: "git -C sub commit -q --allow-empty -m on",
        files: &["sub"],
        ..NOTHING
    },
    Row {
        name: "a submodule's files",
        after: "echo x > sub/s",
        ..NOTHING
    },
    Row {
        name: "something staged",
        after: "echo x > d/b; git add d/b",
        files: &["d/b"],
        staged: true,
        ..NOTHING
    },
    Row {
        name: "something unstaged",
        after: "git reset -q staged",
        staged: true,
        ..NOTHING
    },
    Row {
        name: "a file hidden",
        after: "git update-index --assume-unchanged d/b; echo x > d/b",
        unwatched: &["d/b"],
        ..NOTHING
    },
    Row {
        name: "a file left out",
        after: "git update-index --skip-worktree d/b; rm d/b",
        unwatched: &["d/b"],
        ..NOTHING
    },
    Row {
        name: "hidden before",
        before: "git update-index --assume-unchanged d/b",
        after: "echo x > d/c/e",
        files: &["d/c/e"],
        ..NOTHING
    },
    Row {
        name: "an index of another version",
        before: "git update-index --index-version 4; git update-index --skip-worktree d/c/e",
        after: "git update-index --assume-unchanged d/b; echo x > top",
        files: &["top"],
        unwatched: &["d/b"],
        ..NOTHING
    },
    Row {
        name: "a file only announced",
        before: "git add -N notes/old",
        after: "echo x > d/b",
        files: &["d/b"],
        ..NOTHING
    },
    Row {
        name: "a sparse checkout",
        before: "git config core.sparseCheckout true; printf '/*\\n!/d/c\\n' > .git/info/sparse-checkout; git read-tree -mu HEAD; rm -f lost/gone; echo mine > edited",
        after: "echo x > d/b",
        files: &["d/b"],
        ..NOTHING
    },
    Row {
        name: "no index any more",
        after: "rm .git/index",
        staged: true,
        ..NOTHING
    },
];

fn sh(dir: &Path, script: &str) {
    let mut command = Command::new("sh");
    command.args(["-ec", script]).current_dir(dir);
    command
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null");
    let output = command.output().expect("a shell");
    assert!(output.status.success(), "{script}: {output:?}");
}

fn repo() -> Repo {
    let repo = Repo::init(&[]);
    for (path, content) in [
        ("top", "top\n"),
        ("d/b", "b\n"),
        ("d/c/e", "e\n"),
        ("edited", "e\n"),
        ("staged", "s\n"),
        ("unstaged", "u\n"),
        ("lost/gone", "g\n"),
        ("lost/stays", "g\n"),
        ("notes.md", "n\n"),
        (".gitignore", "build\n*.log\n"),
    ] {
        repo.write(path, content);
    }
    sh(
        &repo.root(),
        "ln -s top link; mkdir notes; git init -q sub; cd sub; git config user.name n; git config user.email e; echo s > s; git add s; git commit -qm s",
    );
    git_in(
        &repo.root(),
        &["-c", "advice.addEmbeddedRepo=false", "add", "-A"],
    );
    repo.git(&["commit", "-qm", "start"]);
    sh(&repo.root(), LYING_ABOUT);
    repo
}

/// Returns a moment at which the file system's clock, which moves in steps, is past everything done so far.
fn checkout_snapshot(git: &Git) -> CheckoutSnapshot {
    let first = git.checkout_snapshot().expect("a moment");
    loop {
        let next = git.checkout_snapshot().expect("a moment");
        if next.at() > first.at() {
            return next;
        }
    }
}

#[test]
#[ignore = "long"]
fn what_was_touched_since_is_named_and_nothing_else() {
    let mut wrong = Vec::new();
    for row in ROWS {
        let repo = repo();
        sh(&repo.root(), row.before);
        let git = repo.open();
        let checkout_snapshot = checkout_snapshot(&git);
        sh(&repo.root(), row.after);
        let since = git.changed_since(&checkout_snapshot).expect("a look");
        let mut files = names(&since.files);
        files.sort();
        let got = (files, names(&since.unwatched), since.staged);
        let want = (names_of(row.files), names_of(row.unwatched), row.staged);
        if got != want {
            wrong.push(format!("{}: {got:?}, not {want:?}", row.name));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

fn names(paths: &[GitPath]) -> Vec<String> {
    paths.iter().map(|p| p.to_text().into_owned()).collect()
}

fn names_of(names: &[&str]) -> Vec<String> {
    names.iter().map(|n| (*n).to_owned()).collect()
}

#[test]
fn a_second_moment_knows_nothing_of_the_first() {
    let repo = repo();
    let git = repo.open();
    let first = checkout_snapshot(&git);
    repo.write("d/b", "x\n");
    let second = checkout_snapshot(&git);
    let since = git.changed_since(&first).expect("a look");
    assert_eq!(names(&since.files), ["d/b"]);
    assert_eq!(
        git.changed_since(&second).expect("a look"),
        CheckoutChanges::default()
    );
    // A directory that was ignored is looked into once it is not.
    repo.write(".gitignore", "*.log\n");
    let third = checkout_snapshot(&git);
    write(&repo.root().join("build/deep/o"), "again\n");
    assert_eq!(git.changed_since(&third).expect("a look").files.len(), 1);
}
