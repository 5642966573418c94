//! Discovering, reading, editing trees, committing, refs.

use super::support::{MAIN, Repo, git_in, land, new_commit, new_landing, write};
use crate::git::{
    Git, GitPath, Landed, Landing, MODE_FILE, MODE_GITLINK, Operation, PinWrite, RefFormat,
    TreeEdit, Version,
};
use gatewalk_core::driver::ports::MergeOutcome;
use gatewalk_core::error::ErrorKind;
use gatewalk_core::object_id::ObjectFormat;

#[test]
fn every_kind_of_repository_is_discovered_read_and_landed_on() {
    let rows: [(&[&str], ObjectFormat, RefFormat); 4] = [
        (&[], ObjectFormat::Sha1, RefFormat::Files),
        (
            &["--object-format=sha256"],
            ObjectFormat::Sha256,
            RefFormat::Files,
        ),
        (
            &["--ref-format=reftable"],
            ObjectFormat::Sha1,
            RefFormat::Reftable,
        ),
        (
            &["--object-format=sha256", "--ref-format=reftable"],
            ObjectFormat::Sha256,
            RefFormat::Reftable,
        ),
    ];
    for (options, objects, refs) in rows {
        let repo = Repo::init(options);
        let git = repo.open();
        assert_eq!(
            (git.object_format(), git.ref_format()),
            (objects, refs),
            "{options:?}"
        );
        let unborn = git.head().expect("a head");
        assert_eq!(
            (unborn.branch.as_deref(), unborn.commit),
            (Some(MAIN), None),
            "{options:?}"
        );
        repo.write("a.txt", "one\n");
        repo.write("dir/b.txt", "two\n");
        let tip = repo.commit_all("start");
        assert_eq!(git.head().expect("a head").commit, Some(tip), "{options:?}");

        let slot = repo.slot(&git);
        git.prepare(&slot, tip, MAIN).expect("a slot");
        assert_eq!(
            git_in(slot.dir(), &["status", "--porcelain"]),
            "",
            "{options:?}"
        );
        assert_eq!(
            git_in(slot.dir(), &["log", "--format=%s"]),
            "start\n",
            "{options:?}"
        );
        write(&slot.dir().join("dir/b.txt"), "two more\n");
        let captured = git.capture(&slot, tip).expect("a capture");
        let (commit, followed) = land(&git, &new_landing(tip, captured.tree));
        assert_eq!(followed.kept, [""; 0], "{options:?}");
        assert_eq!(
            (repo.tip(), repo.read("dir/b.txt").as_deref()),
            (commit, Some("two more\n")),
            "{options:?}"
        );
        assert_eq!(repo.git(&["status", "--porcelain"]), "", "{options:?}");
        assert_eq!(repo.git(&["fsck", "--strict"]), "", "{options:?}");
    }
}

#[test]
fn what_is_not_a_usable_repository_is_recognised() {
    let outside = tempfile::TempDir::new().expect("a directory");
    let bare = Repo::with(&[("a", "a")]);
    git_in(outside.path(), &["init", "-q", "--bare", "bare.git"]);
    let rows = [
        (outside.path().to_path_buf(), "not in a git repository"),
        (outside.path().join("bare.git"), "bare repository"),
        (bare.root().join(".git"), "bare repository"),
    ];
    for (place, expected) in rows {
        let error = Git::discover(&place).expect_err("not usable");
        assert_eq!(error.kind, ErrorKind::Environment);
        assert!(error.to_string().contains(expected), "{error}");
        assert!(!error.hints.is_empty(), "{error}");
    }
}

#[test]
fn a_linked_work_tree_has_its_own_head_and_shares_the_rest() {
    let repo = Repo::with(&[("a", "a")]);
    repo.git(&["worktree", "add", "-q", "../linked", "-b", "side"]);
    let linked = Git::discover(&repo.dir.path().join("linked")).expect("a repository");
    assert!(linked.is_linked_work_tree());
    assert_eq!(
        linked.head().expect("a head").branch.as_deref(),
        Some("refs/heads/side")
    );
    assert_eq!(
        linked.common_dir(),
        repo.root().canonicalize().expect("a path").join(".git")
    );
    let uses = linked.branch_uses().expect("a look");
    let others: Vec<_> = uses.work_trees_on(MAIN).collect();
    assert_eq!(others, [repo.root().canonicalize().expect("a path")]);
    assert!(uses.work_trees_on("refs/heads/side").next().is_none());
}

/// Prepares, captures and lands one change in whatever checkout this is, and returns its status afterwards.
fn land_one(root: &std::path::Path, slot_dir: &std::path::Path) -> String {
    // A clone has no identity of its own.
    git_in(root, &["config", "user.name", "Ada"]);
    git_in(root, &["config", "user.email", "ada@example.org"]);
    let git = Git::discover(root).expect("a repository");
    let head = git.head().expect("a head");
    let (branch, tip) = (
        head.branch.expect("a branch"),
        head.commit.expect("a commit"),
    );
    let slot = git.slot("1", slot_dir).expect("a slot");
    git.prepare(&slot, tip, &branch).expect("a slot");
    write(&slot.dir().join("landed"), "landed\n");
    let tree = git.capture(&slot, tip).expect("a capture").tree;
    let landing = Landing {
        branch: &branch,
        ..new_landing(tip, tree)
    };
    let (commit, followed) = land(&git, &landing);
    assert_eq!((followed.kept, followed.not_followed), (Vec::new(), None));
    assert_eq!(git_in(root, &["rev-parse", "HEAD"]).trim(), commit.hex());
    assert_eq!(
        std::fs::read_to_string(root.join("landed")).ok().as_deref(),
        Some("landed\n")
    );
    git_in(root, &["status", "--porcelain"])
}

// Other systems refuse such a name.
#[cfg(target_os = "linux")]
#[test]
fn a_branch_is_held_by_a_work_tree_whose_path_is_no_text() {
    let repo = Repo::with(&[("a", "a")]);
    let odd = repo
        .root()
        .with_file_name(GitPath::new(*b"odd\xff").as_path());
    std::fs::create_dir(&odd).expect("a directory");
    let git_dir = format!("--git-dir={}", repo.root().join(".git").display());
    let add = [&git_dir, "worktree", "add", "-q", "tree", "-b", "side"];
    git_in(&odd, &add);
    let uses = repo.open().branch_uses().expect("a look");
    let found: Vec<_> = uses.work_trees_on("refs/heads/side").collect();
    assert_eq!(found, [odd.join("tree")]);
    let refused = uses.refuse_if_checked_out_elsewhere("refs/heads/side");
    assert!(refused.is_err());
}

#[test]
fn linked_work_trees_and_submodules_are_landed_on_like_any_other() {
    let repo = Repo::with(&[("a", "a")]);
    repo.git(&["worktree", "add", "-q", "../linked", "-b", "side"]);
    let linked = repo.dir.path().join("linked");
    assert_eq!(land_one(&linked, &repo.dir.path().join("slots/linked")), "");
    assert_eq!(
        repo.git(&["status", "--porcelain"]),
        "",
        "the other work tree is untouched"
    );

    let inner = Repo::with(&[("b", "b")]);
    let url = inner.root().display().to_string();
    repo.git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "add",
        "-q",
        &url,
        "sub",
    ]);
    repo.commit_all("a submodule");
    let sub = repo.root().join("sub");
    git_in(&sub, &["checkout", "-q", "-B", "main"]);
    let git = Git::discover(&sub).expect("a repository");
    assert!(!git.is_linked_work_tree());
    assert_eq!(land_one(&sub, &repo.dir.path().join("slots/sub")), "");
    assert_eq!(repo.git(&["status", "--porcelain"]), " M sub\n");
}

#[test]
fn a_submodule_that_lands_is_followed_without_touching_its_checkout() {
    let repo = Repo::with(&[("a", "a"), ("other", "o")]);
    let (git, tip) = (repo.open(), repo.tip());
    let link = |oid| {
        Some(Version {
            mode: MODE_GITLINK,
            oid,
        })
    };
    let with = |from, oid| {
        git.edit_versions(from, &[(&"sub".into(), link(oid))])
            .expect("a tree")
    };
    let tree = git.tree_of(tip).expect("a tree");
    let first = git
        .commit(new_commit(with(tree, tip), tip, "add"))
        .expect("a commit");
    let second = git
        .commit(new_commit(with(tree, first), first, "move"))
        .expect("a commit");
    for (edit, status) in [(false, ""), (true, " M other\n")] {
        repo.git(&["reset", "-q", "--hard", &tip.hex()]);
        if edit {
            repo.write("other", "mine");
        }
        for (old, new) in [(tip, first), (first, second)] {
            assert!(git.cas_ref(MAIN, new, Some(old)).expect("moved"));
            let followed = git.follow(MAIN, old, new);
            assert_eq!(followed.not_followed, None);
            assert_eq!(
                repo.git(&["status", "--porcelain"]),
                status,
                "edited: {edit}"
            );
        }
    }
}

#[test]
fn a_command_under_way_is_recognised() {
    let repo = Repo::with(&[("a", "1\n")]);
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("a", "2\n");
    repo.commit_all("side");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("a", "3\n");
    repo.commit_all("main");
    let git = repo.open();
    assert_eq!(git.operation(), None);
    let rows = [
        ("merge", Operation::Merge, "merge"),
        ("rebase", Operation::Rebase, "rebase"),
        ("cherry-pick", Operation::CherryPick, "cherry-pick"),
    ];
    for (command, expected, abort) in rows {
        let mut run = std::process::Command::new("git");
        let output = run
            .args([command, "side"])
            .current_dir(repo.root())
            .output()
            .expect("git runs");
        assert!(
            !output.status.success(),
            "{command} must stop at a conflict"
        );
        assert_eq!(git.operation(), Some(expected));
        repo.git(&[abort, "--abort"]);
    }
}

#[test]
fn a_tree_is_edited_in_place() {
    let repo = Repo::with(&[("a", "a"), ("d/x", "x"), ("d/e/y", "y"), ("f", "f")]);
    let git = repo.open();
    let put = |path: &str, text: &str| TreeEdit {
        path: path.into(),
        content: Some((MODE_FILE, text.as_bytes().into())),
    };
    let drop = |path: &str| TreeEdit {
        path: path.into(),
        content: None,
    };
    let rows: [(Vec<TreeEdit>, &str); 8] = [
        (vec![], "a d/e/y d/x f"),
        (vec![put("d/e/y", "new")], "a d/e/y d/x f"),
        (vec![drop("d/e/y")], "a d/x f"),
        (vec![drop("d/e/y"), drop("d/x")], "a f"),
        (vec![put("new/deep/z", "z")], "a d/e/y d/x f new/deep/z"),
        (vec![put("f/g", "g")], "a d/e/y d/x f/g"),
        (vec![put("d", "file")], "a d f"),
        (vec![drop("not/there"), drop("f/below")], "a d/e/y d/x f"),
    ];
    for (edits, expected) in rows {
        let tree = git.edit_tree(repo.tip(), &edits).expect("a tree");
        let listed = repo.git(&["ls-tree", "-r", "--name-only", &tree.hex()]);
        assert_eq!(
            listed.split_whitespace().collect::<Vec<_>>().join(" "),
            expected,
            "{edits:?}"
        );
        let names: Vec<String> = git
            .list_tree(tree, &"".into())
            .expect("a list")
            .iter()
            .map(|entry| entry.path.to_string())
            .collect();
        assert_eq!(names.join(" "), expected, "{edits:?}");
        for edit in &edits {
            let found = git.file_at(tree, &edit.path).expect("a read");
            assert_eq!(
                found,
                edit.content.as_ref().map(|(_, bytes)| bytes.to_vec()),
                "{}",
                edit.path
            );
        }
    }
    for path in ["", "/a", "a//b", "../a", "x/.git/config"] {
        assert!(
            git.edit_tree(repo.tip(), &[put(path, "")]).is_err(),
            "{path}"
        );
    }
    let all: Vec<TreeEdit> = ["a", "d/x", "d/e/y", "f"].map(drop).into();
    let empty = git.edit_tree(repo.tip(), &all).expect("a tree");
    assert_eq!(repo.git(&["ls-tree", "-r", &empty.hex()]), "");
}

#[test]
fn a_difference_is_the_one_git_reports() {
    let repo = Repo::with(&[
        ("a", "a"),
        ("d/x", "x"),
        ("d/e/y", "y"),
        ("f", "f"),
        ("link", "l"),
    ]);
    let before = repo.tip();
    std::fs::remove_file(repo.root().join("f")).expect("removed");
    repo.write("f/inside", "now a directory");
    repo.write("d/x", "other");
    repo.write("new\nline", "odd");
    std::fs::remove_file(repo.root().join("link")).expect("removed");
    std::os::unix::fs::symlink("a", repo.root().join("link")).expect("a link");
    let after = repo.commit_all("after");
    let git = repo.open();
    let changes = git.diff(before, after).expect("a difference");
    let ours: Vec<String> = changes
        .iter()
        .map(|change| {
            let letter = match (change.old, change.new) {
                (None, _) => 'A',
                (_, None) => 'D',
                (Some(old), Some(new)) if old.mode & 0o170_000 != new.mode & 0o170_000 => 'T',
                _ => 'M',
            };
            format!("{letter} {}", change.path)
        })
        .collect();
    let text = repo.git(&[
        "diff-tree",
        "-r",
        "-z",
        "--no-renames",
        "--name-status",
        &before.hex(),
        &after.hex(),
    ]);
    let fields: Vec<&str> = text.split('\0').collect();
    let theirs: Vec<String> = fields
        .chunks_exact(2)
        .map(|pair| format!("{} {}", pair[0], pair[1]))
        .collect();
    assert_eq!(ours, theirs);
    assert!(git.diff(after, after).expect("a difference").is_empty());
    let (patch, cut) = git.patch_text(before, after, 1 << 20).expect("a patch");
    assert!(String::from_utf8_lossy(&patch).contains("+other") && !cut);
    let (short, cut) = git.patch_text(before, after, 40).expect("a patch");
    assert!(short.len() <= 40 && cut);
}

#[test]
fn the_key_of_a_product_leaves_out_what_runs_read_of_the_state_directory() {
    let plan = ".gatewalk/features/FEAT-2026-0001-x/PLAN.md";
    let repo = Repo::with(&[("a", "a"), (plan, "1"), ("sub/.gatewalk/features/p", "1")]);
    let git = repo.open();
    let key = || git.product_key(repo.tip(), ".gatewalk").expect("a key");
    for (path, is_product) in [
        (plan, false),
        (".gatewalk/verification.yml", false),
        (".gatewalk/rules/own.md", false),
        (".gatewalk/LEARNINGS.md", false),
        (".gatewalk/checks/links.sh", true),
        (".gatewalk/own.yml", true),
        ("sub/.gatewalk/features/p", true),
        ("a", true),
    ] {
        let before = key();
        repo.write(path, "2");
        repo.commit_all(path);
        assert_eq!(key() != before, is_product, "{path}");
    }
}

#[test]
fn refs_move_only_from_their_expected_value() {
    let repo = Repo::with(&[("a", "1")]);
    let first = repo.tip();
    repo.write("a", "2");
    let second = repo.commit_all("second");
    let git = repo.open();
    let name = "refs/heads/feature/x";
    assert!(git.cas_ref(name, first, None).expect("created"));
    assert!(!git.cas_ref(name, second, None).expect("refused: it exists"));
    assert!(
        !git.cas_ref(name, second, Some(second))
            .expect("refused: it is elsewhere")
    );
    assert_eq!(git.resolve(name).expect("read"), Some(first));
    assert!(git.cas_ref(name, second, Some(first)).expect("moved"));
    assert!(!git.delete_ref(name, first).expect("refused: it moved"));
    assert!(git.delete_ref(name, second).expect("deleted"));
    assert_eq!(git.resolve(name).expect("read"), None);
    assert_eq!(
        git.ensure_branch(name, first).expect("a branch"),
        (first, true)
    );
    assert_eq!(
        git.ensure_branch(name, second).expect("a branch"),
        (first, false)
    );
    let error = git
        .cas_ref("refs/heads/feature/x/y", first, None)
        .expect_err("a file is in the way");
    assert!(error.to_string().contains("feature/x"), "{error}");
}

#[test]
fn pins_are_listed_with_everything_in_their_message() {
    let repo = Repo::with(&[("a", "1")]);
    let git = repo.open();
    let (tip, tree) = (repo.tip(), git.tree_of(repo.tip()).expect("a tree"));
    let message = "attempt 1\n\nfirst line\n\nTrailer: value\nOther: ümlaut";
    git.pin(
        "refs/gatewalk/attempts/FEAT-2026-0001/T01/2",
        new_commit(tree, tip, "attempt 2"),
    )
    .expect("a pin");
    git.pin(
        "refs/gatewalk/attempts/FEAT-2026-0001/T01/1",
        new_commit(tree, tip, message),
    )
    .expect("a pin");
    let pins = git.list_pins("refs/gatewalk/attempts/").expect("a list");
    let names: Vec<&str> = pins
        .iter()
        .map(|pin| pin.name.rsplit('/').next().expect("a number"))
        .collect();
    assert_eq!(names, ["1", "2"]);
    assert_eq!((pins[0].message.trim_end(), pins[0].tree), (message, tree));
    assert!(
        git.list_pins("refs/gatewalk/interrupted/")
            .expect("a list")
            .is_empty()
    );
    let author = repo.git(&[
        "log",
        "-1",
        "--format=%an <%ae> %ad",
        "--date=raw",
        &pins[0].commit.hex(),
    ]);
    assert_eq!(author.trim(), "Op Erator <op@example.org> 1700000000 +0100");
}

#[test]
fn merges_are_clean_or_name_the_paths() {
    let repo = Repo::with(&[
        ("a", "1\n2\n3\n4\n5\n"),
        ("b", "b\n"),
        (".gitattributes", "* merge=evil\n"),
    ]);
    let base = repo.tip();
    let git = repo.open();
    let marker = repo.dir.path().join("driver-ran");
    repo.git(&[
        "config",
        "merge.evil.driver",
        &format!("touch {}; exit 0", marker.display()),
    ]);
    let put = |text: &str| TreeEdit {
        path: "a".into(),
        content: Some((MODE_FILE, text.as_bytes().into())),
    };
    let make = |text: &str| {
        let tree = git.edit_tree(base, &[put(text)]).expect("a tree");
        git.commit(new_commit(tree, base, "side"))
            .expect("a commit")
    };
    let (top, bottom, clash) = (
        make("0\n2\n3\n4\n5\n"),
        make("1\n2\n3\n4\n6\n"),
        make("9\n2\n3\n4\n5\n"),
    );
    let MergeOutcome::Clean(tree) = git.merge_trees(base, top, bottom).expect("a merge") else {
        panic!("conflict")
    };
    assert_eq!(
        git.file_at(tree, &"a".into()).expect("a read").as_deref(),
        Some(b"0\n2\n3\n4\n6\n".as_slice())
    );
    let conflict = git.merge_trees(base, top, clash).expect("a merge");
    assert_eq!(conflict, MergeOutcome::Conflict(vec!["a".into()]));
    assert!(!marker.exists(), "the repository's merge driver ran");
    assert!(
        git.is_ancestor(base, top).expect("an answer")
            && !git.is_ancestor(top, bottom).expect("an answer")
    );
}

#[test]
fn pins_go_with_a_landing_or_stay_away_with_it() {
    let repo = Repo::with(&[("a", "1")]);
    let (git, tip) = (repo.open(), repo.tip());
    let tree = git.tree_of(tip).expect("a tree");
    let name = "refs/gatewalk/attempts/X/1".to_owned();
    let pins = [PinWrite {
        name: name.clone(),
        tree,
        parent: tip,
        message: "kept".to_owned(),
    }];
    let land = |message: &str| {
        let landing = Landing {
            message,
            pins: &pins,
            ..new_landing(tip, tree)
        };
        git.land(&landing).expect("an answer")
    };
    let Landed::Done { commit, pinned, .. } = land("landed") else {
        panic!("the branch is where it was");
    };
    assert_eq!(git.ref_value(&name).expect("a ref"), Some(pinned[0]));
    assert_eq!(git.ref_value(MAIN).expect("a ref"), Some(commit));
    assert!(git.delete_ref(&name, pinned[0]).expect("deleted"));
    assert_eq!(land("late"), Landed::Moved { now: Some(commit) });
    assert_eq!(git.ref_value(&name).expect("no ref"), None);
}

#[test]
fn a_landing_on_a_branch_that_moved_changes_nothing() {
    let repo = Repo::with(&[("a", "1")]);
    let (git, tip) = (repo.open(), repo.tip());
    repo.write("a", "2");
    let moved = repo.commit_all("by the user");
    let tree = git.tree_of(tip).expect("a tree");
    assert_eq!(
        git.land(&new_landing(tip, tree)).expect("an answer"),
        Landed::Moved { now: Some(moved) }
    );
    assert_eq!(
        (repo.tip(), repo.git(&["status", "--porcelain"])),
        (moved, String::new())
    );
    assert_eq!(git.recover_follow().expect("nothing to do"), None);
}

/// Returns the processes that work in a directory or below it.
#[cfg(target_os = "linux")]
fn processes_in(directory: &std::path::Path) -> Vec<rustix::process::Pid> {
    let all = std::fs::read_dir("/proc").expect("Linux").flatten();
    all.filter_map(|entry| {
        let pid = entry.file_name().to_str()?.parse().ok()?;
        let works_there = std::fs::read_link(entry.path().join("cwd")).ok()?;
        let there = works_there.starts_with(directory);
        there.then(|| rustix::process::Pid::from_raw(pid))?
    })
    .collect()
}

#[test]
#[cfg(target_os = "linux")]
fn a_helper_that_was_killed_is_replaced() {
    let repo = Repo::with(&[("a", "1")]);
    let git = repo.open();
    let with = |name: &str| {
        let edit = TreeEdit {
            path: name.into(),
            content: Some((MODE_FILE, name.as_bytes().into())),
        };
        new_landing(
            repo.tip(),
            git.edit_tree(repo.tip(), &[edit]).expect("a tree"),
        )
    };
    land(&git, &with("b"));
    let helpers = processes_in(git.git_dir());
    assert_eq!(helpers.len(), 3);
    for pid in helpers {
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).expect("killed");
    }
    let landing = with("c");
    // Whether a ref was moved is not known then: that is not done twice by itself.
    git.land(&landing).expect_err("no answer");
    let (commit, _) = land(&git, &landing);
    assert!(git.file_at(commit, &"c".into()).expect("a read").is_some());
}

#[test]
fn a_call_beyond_its_deadline_is_stopped() {
    let repo = Repo::with(&[("a", "1")]);
    let git = repo.open().with_deadline(std::time::Duration::ZERO);
    let error = git.status(&"".into()).expect_err("too slow");
    assert!(
        error.to_string().contains("did not end within its time"),
        "{error}"
    );
}

#[test]
fn damage_is_an_integrity_error_with_a_hint() {
    let repo = Repo::with(&[("a", "1")]);
    let tree = repo.id("HEAD^{tree}").hex();
    let object = repo
        .root()
        .join(".git/objects")
        .join(&tree[..2])
        .join(&tree[2..]);
    std::fs::remove_file(object).expect("removed");
    let git = repo.open();
    let error = git.files_under(repo.tip(), "").expect_err("damaged");
    assert_eq!(error.kind, ErrorKind::Integrity, "{error}");
    assert!(
        error.hints.iter().any(|hint| hint.contains("git fsck")),
        "{error:?}"
    );
}

#[test]
#[ignore = "long"]
fn watched_refs_are_what_git_lists_wherever_they_are_stored() {
    for options in [
        &[][..],
        &["--object-format=sha256"],
        &["--ref-format=reftable"],
    ] {
        let repo = Repo::init(options);
        repo.write("a", "1");
        repo.commit_all("start");
        let rows: [&[&str]; 8] = [
            &["update-ref", "refs/stash", "HEAD"],
            &["branch", "feature/deep/one"],
            &["tag", "-a", "v1", "-m", "annotated"],
            &["pack-refs", "--all"],
            &[
                "commit",
                "-q",
                "--allow-empty",
                "-m",
                "the packed main is old now",
            ],
            &["branch", "-D", "feature/deep/one"],
            &["pack-refs", "--all"],
            &["symbolic-ref", "refs/heads/other-name", "refs/heads/main"],
        ];
        for row in rows {
            repo.git(row);
            let listed = repo.git(&[
                "for-each-ref",
                "--format=%(refname) %(objectname)",
                "refs/heads",
                "refs/tags",
                "refs/stash",
            ]);
            let found = repo.open().watched_refs().expect("refs");
            let found: Vec<String> = found
                .iter()
                .map(|(name, oid)| format!("{name} {oid}"))
                .collect();
            assert_eq!(
                found,
                listed.lines().collect::<Vec<_>>(),
                "{options:?} {row:?}"
            );
            let few = [
                "main",
                "feature/deep/one",
                "other-name",
                "none",
                "main^{tree}",
                "a\nb",
            ];
            let few = few.map(str::to_owned).into_iter();
            // So many that those which are not there are not asked of git.
            let many = (0..40).flat_map(|n| [format!("none-{n}"), format!("main/{n}")]);
            let names: Vec<String> = few
                .clone()
                .chain(many.chain(few))
                .map(|n| format!("refs/heads/{n}"))
                .collect();
            let mut values = repo.open().ref_values(&names).expect("values");
            let one_by_one = names.iter().map(|n| repo.open().ref_value(n));
            values.extend(one_by_one.map(|value| value.expect("a value")));
            for (name, value) in names.iter().chain(&names).zip(values) {
                let line = listed.lines().find(|l| l.starts_with(&format!("{name} ")));
                let want = line.and_then(|l| l.split(' ').nth(1)).map(str::to_owned);
                assert_eq!(
                    value.map(|oid| oid.hex()),
                    want,
                    "{options:?} {row:?} {name}"
                );
            }
        }
    }
}

#[test]
fn an_object_that_does_not_match_its_name_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let repo = Repo::init(&[]);
    repo.write("judge", "cargo test\n");
    repo.commit_all("start");
    repo.write("easy", "true\n");
    let file = |name: &str| {
        let id = repo.git(&["rev-parse", name]);
        let (directory, rest) = id.trim().split_at(2);
        repo.root().join(".git/objects").join(directory).join(rest)
    };
    repo.git(&["hash-object", "-w", "easy"]);
    let easy = repo.git(&["hash-object", "easy"]);
    let (forged, judge) = (file(easy.trim()), file("HEAD:judge"));
    let head = repo.tip();
    let path = GitPath::new("judge");
    let read = || repo.open().file_at(head, &path);
    assert_eq!(read().expect("whole"), Some(b"cargo test\n".to_vec()));
    std::fs::set_permissions(&judge, PermissionsExt::from_mode(0o644)).expect("its owner");
    std::fs::copy(forged, judge).expect("copied");
    let error = read().expect_err("it says something else now");
    assert_eq!(
        error.kind,
        gatewalk_core::error::ErrorKind::Integrity,
        "{error:?}"
    );
}
