//! Submodules in slots: their files are there, nothing is fetched, and what a session does in one is seen.

use super::support::{MAIN, Repo, git_in, write};
use crate::git::{Git, Slot};
use std::path::{Path, PathBuf};

/// A repository with a submodule at `libs/outer` that has one of its own at `deep`, checked out as users do.
struct WithSubmodules {
    repo: Repo,
}

const ALLOW: [&str; 2] = ["-c", "protocol.file.allow=always"];

fn new_repository(dir: &Path, file: &str, content: &str) {
    std::fs::create_dir_all(dir).expect("a directory");
    git_in(dir, &["init", "-q", "-b", "main"]);
    write(&dir.join(file), content);
    super::support::commit_in(dir);
}

fn add(dir: &Path, from: &Path, place: &str) {
    let from = from.to_str().expect("a path");
    git_in(
        dir,
        &[&ALLOW[..], &["submodule", "--quiet", "add", from, place]].concat(),
    );
    super::support::commit_in(dir);
}

impl WithSubmodules {
    fn new() -> WithSubmodules {
        let repo = Repo::with(&[("a", "a\n")]);
        let (deep, outer) = (repo.dir.path().join("deep"), repo.dir.path().join("outer"));
        new_repository(&deep, "bottom", "bottom 1\n");
        new_repository(&outer, "lib", "lib 1\n");
        write(&outer.join(".gitignore"), "built\n");
        add(&outer, &deep, "deep");
        add(&repo.root(), &outer, "libs/outer");
        let init = ["submodule", "--quiet", "update", "--init", "--recursive"];
        git_in(&repo.root(), &[&ALLOW[..], &init].concat());
        // Nothing may be fetched from here on.
        for gone in [&deep, &outer] {
            std::fs::remove_dir_all(gone).expect("removed");
        }
        WithSubmodules { repo }
    }

    fn slot(&self) -> (Git, Slot) {
        let git = self.repo.open();
        let slot = self.repo.slot(&git);
        git.prepare(&slot, self.repo.tip(), MAIN).expect("a slot");
        (git, slot)
    }

    fn changed(&self, git: &Git, slot: &Slot) -> Vec<String> {
        let captured = git.capture(slot, self.repo.tip()).expect("a capture");
        assert_eq!(captured.nested_repositories, []);
        captured
            .changes
            .iter()
            .map(|c| c.path.to_string())
            .collect()
    }
}

fn text(path: PathBuf) -> String {
    std::fs::read_to_string(&path).unwrap_or_default()
}

#[test]
fn a_slot_has_the_files_of_submodules_inside_submodules_too() {
    let with = WithSubmodules::new();
    let (git, slot) = with.slot();
    let outer = slot.dir().join("libs/outer");
    assert_eq!(text(outer.join("lib")), "lib 1\n");
    assert_eq!(text(outer.join("deep/bottom")), "bottom 1\n");
    assert_eq!(slot.absent_submodules(), []);
    // A session's own git sees submodules as a checkout has them, and a set-up that asks for them has nothing to do.
    assert_eq!(git_in(slot.dir(), &["status", "--porcelain"]), "");
    git_in(
        slot.dir(),
        &["submodule", "--quiet", "update", "--init", "--recursive"],
    );
    assert_eq!(git_in(&outer, &["status", "--porcelain"]), "");
    let log = git_in(&outer, &["log", "--format=%H", "-1"]);
    let link = git_in(slot.dir(), &["ls-files", "-s", "libs/outer"]);
    assert!(link.contains(log.trim()), "{link} {log}");
    assert_eq!(with.changed(&git, &slot), [""; 0]);
}

#[test]
fn what_a_session_does_in_a_submodule_is_a_change_and_gone_from_the_next_slot() {
    type Act = fn(&Path);
    let acts: [(&str, Act, &str); 6] = [
        (
            "an edit",
            |d| write(&d.join("lib"), "lib 2\n"),
            "libs/outer/lib",
        ),
        (
            "a new file",
            |d| write(&d.join("new"), "x\n"),
            "libs/outer/new",
        ),
        (
            "an edit deeper",
            |d| write(&d.join("deep/bottom"), "2\n"),
            "libs/outer/deep/bottom",
        ),
        (
            "a commit",
            |d| {
                write(&d.join("lib"), "lib 3\n");
                super::support::commit_in(d);
            },
            "libs/outer/lib",
        ),
        (
            "a link in its place",
            |d| {
                std::fs::rename(d, d.with_file_name("moved")).expect("moved");
                std::os::unix::fs::symlink("/etc", d).expect("a link");
            },
            "libs/outer",
        ),
        (
            "nothing but its removal",
            |d| std::fs::remove_dir_all(d).expect("removed"),
            "libs/outer",
        ),
    ];
    let with = WithSubmodules::new();
    let (git, slot) = with.slot();
    for (name, act, expected) in acts {
        act(&slot.dir().join("libs/outer"));
        let captured = git.capture(&slot, with.repo.tip()).expect("a capture");
        let changed: Vec<String> = captured
            .changes
            .iter()
            .map(|c| c.path.to_string())
            .collect();
        assert!(
            changed.iter().any(|path| path == expected),
            "{name}: {changed:?}"
        );
        git.prepare(&slot, with.repo.tip(), MAIN).expect("a slot");
        assert_eq!(text(slot.dir().join("libs/outer/lib")), "lib 1\n", "{name}");
        assert_eq!(
            text(slot.dir().join("libs/outer/deep/bottom")),
            "bottom 1\n",
            "{name}"
        );
        assert!(!slot.dir().join("libs/outer/new").exists(), "{name}");
        assert_eq!(with.changed(&git, &slot), [""; 0], "{name}");
        git.prepare(&slot, with.repo.tip(), MAIN).expect("a slot");
    }
}

#[test]
fn what_commands_change_in_a_submodule_is_named_and_put_back() {
    let with = WithSubmodules::new();
    let (git, slot) = with.slot();
    let outer = slot.dir().join("libs/outer");
    write(&outer.join("lib"), "other\n");
    write(&outer.join("built/x"), "kept between commands\n");
    write(&outer.join("deep/new"), "x\n");
    let changed = git.changed_since_prepared(&slot).expect("a comparison");
    assert_eq!(changed, ["libs/outer/lib".into()]);
    git.restore(&slot, with.repo.tip(), true).expect("restored");
    assert_eq!(text(outer.join("lib")), "lib 1\n");
    assert!(outer.join("built/x").exists());
    assert!(!outer.join("deep/new").exists());
    assert_eq!(git_in(&outer, &["status", "--porcelain"]), "");
}

#[test]
fn a_slot_follows_a_submodule_to_another_commit_and_away() {
    let with = WithSubmodules::new();
    let (git, slot) = with.slot();
    let first = with.repo.tip();
    let inner = with.repo.root().join("libs/outer");
    write(&inner.join("lib"), "lib 2\n");
    super::support::commit_in(&inner);
    let second = with.repo.commit_all("a newer one");
    with.repo.git(&["rm", "-q", "-f", "libs/outer"]);
    let third = with.repo.commit_all("none");
    for (commit, expected) in [
        (second, "lib 2\n"),
        (first, "lib 1\n"),
        (third, ""),
        (second, "lib 2\n"),
    ] {
        git.prepare(&slot, commit, MAIN).expect("a slot");
        let link = git_in(&with.repo.root(), &["ls-tree", &commit.hex(), "libs/outer"]);
        assert_eq!(slot.absent_submodules(), [], "{link}");
        assert_eq!(text(slot.dir().join("libs/outer/lib")), expected, "{link}");
    }
}

#[test]
fn a_submodule_that_nobody_fetched_leaves_its_place_empty_and_is_named() {
    let with = WithSubmodules::new();
    with.repo
        .git(&["submodule", "--quiet", "deinit", "-f", "--all"]);
    std::fs::remove_dir_all(with.repo.root().join(".git/modules")).expect("removed");
    let (git, slot) = with.slot();
    assert_eq!(slot.absent_submodules(), ["libs/outer".into()]);
    assert!(slot.dir().join("libs/outer").is_dir());
    assert_eq!(with.changed(&git, &slot), [""; 0]);
    let traits = git.traits_at(with.repo.tip()).expect("traits");
    assert_eq!(traits.absent_submodules, ["libs/outer"]);
}
