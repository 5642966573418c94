//! Many files at once: what they become, and how they are stored.

use super::support::{MAIN, Repo, git_in, new_commit, write};
use crate::git::{MODE_FILE, TreeEdit};
use std::path::Path;

/// Counts the loose objects and the packs of a repository.
fn stored(root: &Path) -> (usize, usize) {
    let text = git_in(root, &["count-objects", "-v"]);
    let figure = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|rest| rest.trim().parse().ok())
            .expect("a figure")
    };
    (figure("count:"), figure("packs:"))
}

#[test]
fn many_new_files_are_stored_as_one_pack_and_are_what_git_makes_of_them() {
    let repo = Repo::with(&[
        ("a", "a\n"),
        (".gitignore", "ignored\n"),
        ("crlf/.gitattributes", "* text\n"),
    ]);
    let (git, tip) = (repo.open(), repo.tip());
    let slot = repo.slot(&git);
    git.prepare(&slot, tip, MAIN).expect("a slot");
    for n in 0..300 {
        write(
            &slot.dir().join(format!("new/{n}/odd \"name\n{n}")),
            &format!("{n}\n"),
        );
        write(&slot.dir().join(format!("ignored/{n}")), "no\n");
    }
    write(&slot.dir().join("crlf/x"), "stored otherwise\r\n");
    write(&slot.dir().join("empty"), "");
    std::os::unix::fs::symlink("a", slot.dir().join("link")).expect("a link");
    let (loose, packs) = stored(&repo.root());
    let captured = git.capture(&slot, tip).expect("a capture");
    let (now, new_packs) = stored(&repo.root());
    assert_eq!(new_packs, packs + 1);
    // The directories, the link, and the file that is stored otherwise than it is.
    assert!(now - loose < 310, "{} loose objects", now - loose);
    assert_eq!(captured.changes.len(), 303);
    git_in(slot.dir(), &["add", "-A"]);
    let own = git_in(slot.dir(), &["write-tree"]);
    assert_eq!(own.trim(), captured.tree.hex());
    repo.git(&["fsck", "--strict"]);
}

#[test]
fn many_objects_that_are_written_one_by_one_are_one_pack_before_a_ref_names_them() {
    let repo = Repo::with(&[("a", "a\n")]);
    let (git, tip) = (repo.open(), repo.tip());
    for (count, packs) in [(10, 0), (100, 1), (100, 1)] {
        let edits: Vec<TreeEdit> = (0..count)
            .map(|n| TreeEdit {
                path: format!("d/{n}").as_str().into(),
                content: Some((MODE_FILE, format!("{n} of {count}\n").into_bytes().into())),
            })
            .collect();
        let tree = git.edit_tree(tip, &edits).expect("a tree");
        let before = stored(&repo.root());
        git.pin("refs/gatewalk/test", new_commit(tree, tip, "many"))
            .expect("a pin");
        let after = stored(&repo.root());
        assert!(after.1 - before.1 <= packs, "{count}: {before:?} {after:?}");
        if packs > 0 {
            assert!(after.0 < 30, "{count}: {before:?} {after:?}");
        }
        assert_eq!(git.diff(tip, tree).expect("a diff").len(), count);
    }
    repo.git(&["fsck", "--strict"]);
}

#[test]
fn many_changed_files_are_stored_as_one_pack_too_and_few_are_not() {
    let repo = Repo::init(&[]);
    for n in 0..600 {
        repo.write(&format!("d{}/{n}", n % 7), &format!("{n}\n"));
    }
    repo.commit_all("start");
    let (git, tip) = (repo.open(), repo.tip());
    let slot = repo.slot(&git);
    for (changed, packed) in [(100, 0), (600, 1)] {
        git.prepare(&slot, tip, MAIN).expect("a slot");
        for n in 0..changed {
            let text = format!("{n} of {changed}\n");
            write(&slot.dir().join(format!("d{}/{n}", n % 7)), &text);
        }
        let (_, before) = stored(&repo.root());
        let captured = git.capture(&slot, tip).expect("a capture");
        assert_eq!(captured.changes.len(), changed);
        assert_eq!(stored(&repo.root()).1 - before, packed, "{changed}");
    }
}

#[test]
fn what_is_at_a_path_is_found_with_one_look_at_each_directory() {
    let repo = Repo::with(&[("a", "a\n"), ("d/e/f", "f\n"), ("d/g", "g\n")]);
    let git = repo.open();
    let paths = [
        "a",
        "d/e/f",
        "d",
        "d/e",
        "d/none",
        "a/below",
        "none/at/all",
        "d/g",
    ];
    let paths: Vec<_> = paths.map(crate::git::GitPath::from).into();
    let found = git.versions_at(repo.tip(), &paths).expect("a look");
    for (path, found) in paths.iter().zip(found) {
        let name = format!("HEAD:{path}");
        let own = git.object_info(&[name]).expect("an answer").remove(0);
        assert_eq!(found.map(|v| v.oid), own.map(|o| o.oid), "{path}");
    }
}
