//! Slots taken from tree to tree without git: git itself finds them as it would have made them.

use super::support::{MAIN, Repo, write};
use crate::git::index::IndexFile;
use crate::git::{Git, Slot};
use gatewalk_core::object_id::{ObjectFormat, ObjectId};
use proptest::prelude::*;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::Command;

/// Tries an edit; returns whether it was made.
fn edit(git: &Git, slot: &Slot, from: ObjectId, to: ObjectId) -> bool {
    let index = git.index_of(slot).expect("an index");
    let edited = git.edit_slot(slot, &index, (from, to)).expect("an edit");
    if let Some(edited) = &edited {
        let stored: Vec<u8> = edited.pieces().collect::<Vec<_>>().concat();
        let file = fs::read(slot.index().file().expect("an index"));
        assert_eq!(stored, file.expect("an index"));
        let again = IndexFile::parse(&stored, ObjectFormat::Sha1);
        let again = again.expect("an index");
        assert_eq!(edited.shape(), again.shape());
        assert!(edited.records().eq(again.records()));
    }
    edited.is_some()
}

/// Asks git what a slot holds, by its private index: the entries, what `status` says, what differs from a commit.
fn as_git_sees(repo: &Repo, slot: &Slot, commit: ObjectId) -> [String; 3] {
    let git = |args: &[&str]| {
        let output = Command::new("git")
            .args(args)
            .current_dir(slot.dir())
            .env("GIT_DIR", repo.root().join(".git"))
            .env("GIT_WORK_TREE", slot.dir())
            .env("GIT_INDEX_FILE", slot.index().file().expect("an index"))
            .env("GIT_OPTIONAL_LOCKS", "0")
            .output()
            .expect("git runs");
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    };
    let untracked = git(&["ls-files", "-o", "--exclude=.git"]);
    let changed = git(&["diff-files", "--name-status"]);
    [
        git(&["ls-files", "-s"]),
        untracked + &changed,
        git(&["diff-index", "--cached", &commit.hex()]),
    ]
}

fn commit(repo: &Repo, files: &[(&str, &str)]) -> ObjectId {
    repo.fill(files);
    repo.commit_all("next")
}

#[test]
#[ignore = "long"]
fn what_is_plain_is_written_as_git_would_and_the_rest_is_left_to_git() {
    type Files = &'static [(&'static str, &'static str)];
    type Act = fn(&Slot);
    let rows: &[(&str, Files, Files, Act, bool)] = &[
        ("nothing else", &[("a", "1")], &[("a", "2")], |_| {}, true),
        (
            "added",
            &[("a", "1")],
            &[("a", "1"), ("d/e/f", "2")],
            |_| {},
            true,
        ),
        (
            "removed",
            &[("a", "1"), ("d/e/f", "2")],
            &[("a", "1")],
            |_| {},
            true,
        ),
        (
            "executable",
            &[("a", "#!1")],
            &[("a", "1"), ("b", "#!2")],
            |_| {},
            true,
        ),
        (
            "file to directory",
            &[("a", "1")],
            &[("a/b", "1")],
            |_| {},
            true,
        ),
        (
            "directory to file",
            &[("a/b", "1"), ("a/c", "1")],
            &[("a", "1")],
            |_| {},
            false,
        ),
        (
            "empty",
            &[("a", "1")],
            &[("a", ""), ("b", "")],
            |_| {},
            true,
        ),
        (
            "plain attributes",
            &[
                (".gitattributes", "* text=auto eol=lf -ident\n"),
                ("a", "1\n"),
            ],
            &[
                (".gitattributes", "* text=auto eol=lf -ident\n"),
                ("a", "2\n"),
            ],
            |_| {},
            true,
        ),
        (
            "attributes",
            &[("a", "1\n")],
            &[(".gitattributes", "* eol=crlf\n"), ("a", "2\n")],
            |_| {},
            false,
        ),
        (
            "converted",
            &[(".gitattributes", "* eol=crlf\n"), ("a", "1\n")],
            &[(".gitattributes", "* eol=crlf\n"), ("a", "2\n")],
            |_| {},
            false,
        ),
        (
            "named",
            &[("x/.gitattributes", "a ident\n"), ("a", "1\n")],
            &[("x/.gitattributes", "a ident\n"), ("a", "$Id$\n")],
            |_| {},
            false,
        ),
        (
            "edited",
            &[("a", "1")],
            &[("a", "2")],
            |s| write(&s.dir().join("a"), "mine"),
            false,
        ),
        (
            "in the way",
            &[("a", "1")],
            &[("a", "1"), ("b", "2")],
            |s| write(&s.dir().join("b"), "mine"),
            false,
        ),
        (
            "recent",
            &[("a", "1"), ("b", "1")],
            &[("a", "2"), ("b", "1")],
            |s| write(&s.dir().join("b"), "2"),
            false,
        ),
        (
            "gone",
            &[("a", "1"), ("b", "1")],
            &[("b", "1")],
            |s| fs::remove_file(s.dir().join("a")).unwrap(),
            false,
        ),
    ];
    for (name, before, after, act, want) in rows {
        let repo = Repo::init(&[]);
        let git = repo.open();
        let (from, to) = (commit(&repo, before), commit(&repo, after));
        let slot = repo.slot(&git);
        git.prepare(&slot, from, MAIN).expect("a slot");
        act(&slot);
        let found = as_git_sees(&repo, &slot, from);
        assert_eq!(edit(&git, &slot, from, to), *want, "{name}");
        if *want {
            let [_, work_tree, staged] = as_git_sees(&repo, &slot, to);
            assert_eq!((&*work_tree, &*staged), ("", ""), "{name}");
        } else {
            assert_eq!(as_git_sees(&repo, &slot, from), found, "{name}");
        }
    }
}

#[test]
fn what_is_only_added_to_a_long_file_is_written_to_it_where_it_is() {
    type Act = fn(&Path);
    let long = "a line\n".repeat(20_000);
    let grown = format!("{long}another\n");
    let rows: &[(&str, &str, Act, bool)] = &[
        ("added to", &grown, |_| {}, true),
        ("shortened", &long[7..], |_| {}, false),
        ("begun anew", &format!("first\n{grown}"), |_| {}, false),
        ("executable", &format!("#!{grown}"), |_| {}, false),
        (
            "known by another name",
            &grown,
            |file| fs::hard_link(file, file.with_file_name("other")).expect("a link"),
            false,
        ),
    ];
    for (name, last, act, extended) in rows {
        let repo = Repo::init(&[]);
        let git = repo.open();
        let trees = ["short\n", &*long, last].map(|text| commit(&repo, &[("log", text)]));
        let slot = repo.slot(&git);
        git.prepare(&slot, trees[0], MAIN).expect("a slot");
        assert!(edit(&git, &slot, trees[0], trees[1]), "{name}");
        // It is at hand, as what was written in this run is.
        git.write_blob(long.as_bytes()).expect("a blob");
        let file = slot.dir().join("log");
        // What was opened before shows what was written to it, and nothing of what took its place.
        let mut open = fs::File::open(&file).expect("a file");
        act(&file);
        if edit(&git, &slot, trees[1], trees[2]) {
            let mut held = String::new();
            open.read_to_string(&mut held).expect("text");
            let expected = if *extended { last } else { &*long };
            assert!(held == expected, "{name}: {} bytes", held.len());
            let _ = fs::remove_file(slot.dir().join("other"));
            let [_, work_tree, staged] = as_git_sees(&repo, &slot, trees[2]);
            assert_eq!((&*work_tree, &*staged), ("", ""), "{name}");
            // Whoever was killed before the index was written leaves a file that this does not know.
            let git = repo.open();
            let slot = repo.slot(&git);
            git.prepare(&slot, trees[1], MAIN).expect("a slot");
            let [_, work_tree, staged] = as_git_sees(&repo, &slot, trees[1]);
            assert_eq!((&*work_tree, &*staged), ("", ""), "{name}, killed");
        } else {
            assert!(!extended, "{name}");
        }
    }
}

#[test]
fn links_and_submodules_are_left_to_git() {
    let repo = Repo::with(&[("a", "1")]);
    let git = repo.open();
    let from = repo.tip();
    std::os::unix::fs::symlink("a", repo.root().join("link")).expect("a link");
    let linked = repo.commit_all("a link");
    fs::remove_file(repo.root().join("link")).expect("removed");
    let slot = repo.slot(&git);
    git.prepare(&slot, from, MAIN).expect("a slot");
    assert!(!edit(&git, &slot, from, linked));
    let entry = format!("160000,{from},link");
    repo.git(&["rm", "-q", "--cached", "link"]);
    repo.git(&["update-index", "--add", "--cacheinfo", &entry]);
    repo.git(&["commit", "-q", "-m", "a submodule"]);
    assert!(!edit(&git, &slot, from, repo.tip()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// A slot that goes from tree to tree is the last one's, to git and byte for byte, wherever it came by.
    #[test]
    #[ignore = "long"]
    fn any_way_through_trees_ends_as_git_would(
        ways in prop::collection::vec(
            prop::collection::btree_map("[ab](/[ab](/[ab])?)?", "(#!)?[xy]{0,2}", 1..6), 2..5)
    ) {
        let repo = Repo::init(&[]);
        let git = repo.open();
        let trees: Vec<ObjectId> = ways
            .iter()
            .map(|files| {
                // A name cannot be a file and a directory.
                let below = |path: &str| files.keys().any(|other| other.starts_with(&format!("{path}/")));
                let files: Vec<(&str, &str)> = files
                    .iter()
                    .filter(|(path, _)| !below(path))
                    .map(|(path, text)| (&**path, &**text))
                    .collect();
                commit(&repo, &files)
            })
            .collect();
        let slot = repo.slot(&git);
        git.prepare(&slot, trees[0], MAIN).expect("a slot");
        for pair in trees.windows(2) {
            // A directory in a file's place is left to git.
            if !edit(&git, &slot, pair[0], pair[1]) {
                git.prepare(&slot, pair[1], MAIN).expect("a slot");
            }
            let [_, work_tree, staged] = as_git_sees(&repo, &slot, pair[1]);
            prop_assert_eq!((&*work_tree, &*staged), ("", ""));
        }
    }
}
