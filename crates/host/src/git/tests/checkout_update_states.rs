//! The user's checkout when a branch moves under it: a row for each state it can be in.

use super::support::{MAIN, Repo, land, new_commit, new_landing, write};
use crate::git::{Adopted, Git, GitPath};
use crate::test_files::write_program;
use gatewalk_core::driver::ports::CheckoutUpdate;
use gatewalk_core::object_id::ObjectId;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::time::Duration;

const START: &[(&str, &str)] = &[
    ("a", "a\n"),
    ("gone", "gone\n"),
    ("dir/x", "x\n"),
    ("turns/into", "a file\n"),
    ("script", "#!/bin/sh\n"),
    ("other", "other\n"),
    (".gitignore", "*.ign\n"),
];

/// Makes the commit that lands: a change, a removal, two additions, a directory that becomes a file, a mode, a link.
fn landing_tree(repo: &Repo, git: &Git) -> ObjectId {
    let slot = repo.slot(git);
    git.prepare(&slot, repo.tip(), MAIN).expect("a slot");
    let dir = slot.dir();
    write(&dir.join("a"), "A\n");
    fs::remove_file(dir.join("gone")).expect("removed");
    write(&dir.join("new"), "new\n");
    write(&dir.join("deep/new"), "deep\n");
    write(&dir.join("dir/x"), "X\n");
    fs::remove_dir_all(dir.join("turns")).expect("removed");
    write(&dir.join("turns"), "is a file\n");
    fs::set_permissions(dir.join("script"), fs::Permissions::from_mode(0o755)).expect("a mode");
    symlink("a", dir.join("link")).expect("a link");
    write(&dir.join("odd\nname"), "odd\n");
    write(&dir.join("-dash"), "dash\n");
    // A file the user's rules ignore, and the landing does not.
    write(&dir.join(".gitignore"), "*.ign\n!kept.ign\n");
    write(&dir.join("kept.ign"), "landed\n");
    git.capture(&slot, repo.tip()).expect("a capture").tree
}

/// What the user has done, the paths that must be kept, and the status afterwards (sorted, space-separated).
struct Row {
    name: &'static str,
    act: fn(&Repo),
    kept: &'static [&'static str],
    status: &'static [&'static str],
    /// Files that must have exactly this content afterwards; `None`: must not be there.
    files: &'static [(&'static str, Option<&'static str>)],
}

fn root(repo: &Repo, path: &str) -> std::path::PathBuf {
    repo.root().join(path)
}

fn remove(repo: &Repo, path: &str) {
    fs::remove_file(root(repo, path)).expect("removed");
}

const ROWS: &[Row] = &[
    Row {
        name: "clean",
        act: |_| {},
        kept: &[],
        status: &[],
        files: &[
            ("a", Some("A\n")),
            ("gone", None),
            ("deep/new", Some("deep\n")),
            ("turns", Some("is a file\n")),
        ],
    },
    Row {
        name: "touched but the same",
        act: |repo| {
            repo.write("a", "other\n");
            repo.write("a", "a\n");
            let later = std::time::SystemTime::now() + Duration::from_secs(60);
            fs::File::options()
                .write(true)
                .open(root(repo, "a"))
                .expect("a file")
                .set_modified(later)
                .expect("a time");
        },
        kept: &[],
        status: &[],
        files: &[("a", Some("A\n"))],
    },
    Row {
        name: "an edit elsewhere",
        act: |repo| repo.write("other", "mine\n"),
        kept: &[],
        status: &[" M other"],
        files: &[("other", Some("mine\n")), ("a", Some("A\n"))],
    },
    Row {
        name: "a staged edit elsewhere",
        act: |repo| {
            repo.write("other", "mine\n");
            repo.git(&["add", "other"]);
        },
        kept: &[],
        status: &["M  other"],
        files: &[("other", Some("mine\n")), ("a", Some("A\n"))],
    },
    Row {
        name: "an edit where the landing changed",
        act: |repo| repo.write("a", "mine\n"),
        kept: &["a"],
        status: &[" M a"],
        files: &[
            ("a", Some("mine\n")),
            ("dir/x", Some("X\n")),
            ("gone", None),
            ("new", Some("new\n")),
        ],
    },
    Row {
        name: "a staged edit where the landing changed",
        act: |repo| {
            repo.write("a", "mine\n");
            repo.git(&["add", "a"]);
        },
        kept: &["a"],
        status: &["M  a"],
        files: &[("a", Some("mine\n")), ("dir/x", Some("X\n"))],
    },
    Row {
        name: "staged and then edited again",
        act: |repo| {
            repo.write("a", "mine\n");
            repo.git(&["add", "a"]);
            repo.write("a", "and more\n");
        },
        kept: &["a"],
        status: &["MM a"],
        files: &[("a", Some("and more\n"))],
    },
    Row {
        name: "staged what lands",
        act: |repo| {
            repo.write("a", "A\n");
            repo.git(&["add", "a"]);
        },
        kept: &[],
        status: &[],
        files: &[("a", Some("A\n"))],
    },
    Row {
        name: "already has what lands, unstaged",
        act: |repo| repo.write("a", "A\n"),
        kept: &[],
        status: &[],
        files: &[("a", Some("A\n"))],
    },
    Row {
        name: "an edit of a file the landing removed",
        act: |repo| repo.write("gone", "mine\n"),
        kept: &["gone"],
        status: &["?? gone"],
        files: &[("gone", Some("mine\n")), ("a", Some("A\n"))],
    },
    Row {
        name: "removed a file the landing changed",
        act: |repo| remove(repo, "a"),
        kept: &["a"],
        status: &[" D a"],
        files: &[("a", None), ("dir/x", Some("X\n"))],
    },
    Row {
        name: "staged the removal of a file the landing changed",
        act: |repo| {
            repo.git(&["rm", "-q", "a"]);
        },
        kept: &["a"],
        status: &["D  a"],
        files: &[("a", None), ("dir/x", Some("X\n"))],
    },
    Row {
        name: "removed what the landing removed",
        act: |repo| remove(repo, "gone"),
        kept: &[],
        status: &[],
        files: &[("gone", None), ("a", Some("A\n"))],
    },
    Row {
        name: "untracked where the landing adds",
        act: |repo| repo.write("new", "mine\n"),
        kept: &["new"],
        status: &[" M new"],
        files: &[("new", Some("mine\n")), ("a", Some("A\n"))],
    },
    Row {
        name: "the same file untracked where the landing adds it",
        act: |repo| repo.write("new", "new\n"),
        kept: &[],
        status: &[],
        files: &[("new", Some("new\n")), ("a", Some("A\n"))],
    },
    Row {
        name: "another file staged where the landing adds",
        act: |repo| {
            repo.write("new", "mine\n");
            repo.git(&["add", "new"]);
        },
        kept: &["new"],
        status: &["M  new"],
        files: &[("new", Some("mine\n")), ("a", Some("A\n"))],
    },
    Row {
        name: "intent to add where the landing adds",
        act: |repo| {
            repo.write("new", "mine\n");
            repo.git(&["add", "-N", "new"]);
        },
        kept: &["new"],
        status: &[" M new"],
        files: &[("new", Some("mine\n")), ("a", Some("A\n"))],
    },
    Row {
        name: "ignored where the landing adds",
        act: |repo| repo.write("kept.ign", "mine\n"),
        kept: &["kept.ign"],
        status: &[" M kept.ign"],
        files: &[("kept.ign", Some("mine\n")), ("a", Some("A\n"))],
    },
    Row {
        name: "a file where the landing adds a directory",
        act: |repo| repo.write("deep", "mine\n"),
        kept: &["deep/new"],
        status: &[" D deep/new", "?? deep"],
        files: &[("deep", Some("mine\n")), ("a", Some("A\n"))],
    },
    Row {
        name: "a staged file where the landing adds a directory",
        act: |repo| {
            repo.write("deep", "mine\n");
            repo.git(&["add", "deep"]);
        },
        kept: &["deep/new"],
        status: &["A  deep", "D  deep/new"],
        files: &[("deep", Some("mine\n")), ("a", Some("A\n"))],
    },
    Row {
        name: "a directory where the landing adds a file",
        act: |repo| repo.write("new/mine", "mine\n"),
        kept: &["new"],
        status: &[" D new", "?? new/mine"],
        files: &[("new/mine", Some("mine\n")), ("a", Some("A\n"))],
    },
    Row {
        name: "an ignored file in a directory that becomes a file",
        act: |repo| repo.write("turns/x.ign", "mine\n"),
        kept: &["turns"],
        status: &[" D turns"],
        files: &[
            ("turns/x.ign", Some("mine\n")),
            ("turns/into", None),
            ("a", Some("A\n")),
        ],
    },
    Row {
        name: "a link to elsewhere where the landing adds a directory",
        act: |repo| {
            fs::create_dir(repo.dir.path().join("elsewhere")).expect("a directory");
            symlink("../elsewhere", root(repo, "deep")).expect("a link");
        },
        kept: &["deep/new"],
        status: &[" D deep/new", "?? deep"],
        files: &[("../elsewhere/new", None), ("a", Some("A\n"))],
    },
    Row {
        name: "made a changed file a link",
        act: |repo| {
            remove(repo, "a");
            symlink("other", root(repo, "a")).expect("a link");
        },
        kept: &["a"],
        status: &[" T a"],
        files: &[
            ("a", Some("other\n")),
            ("other", Some("other\n")),
            ("dir/x", Some("X\n")),
        ],
    },
    Row {
        name: "edited a file whose mode lands",
        act: |repo| repo.write("script", "mine\n"),
        kept: &["script"],
        status: &[" M script"],
        files: &[("script", Some("mine\n")), ("a", Some("A\n"))],
    },
    Row {
        name: "changed the mode of a changed file",
        act: |repo| {
            let all = fs::Permissions::from_mode(0o755);
            fs::set_permissions(root(repo, "a"), all).expect("a mode");
        },
        kept: &["a"],
        status: &[" M a"],
        files: &[("a", Some("a\n")), ("dir/x", Some("X\n"))],
    },
    Row {
        name: "a file hidden by skip-worktree",
        act: |repo| {
            repo.git(&["update-index", "--skip-worktree", "a"]);
            remove(repo, "a");
        },
        kept: &[],
        status: &[],
        files: &[("a", None), ("dir/x", Some("X\n"))],
    },
    Row {
        name: "an edit behind assume-unchanged",
        act: |repo| {
            repo.git(&["update-index", "--assume-unchanged", "a"]);
            repo.write("a", "mine\n");
        },
        kept: &["a"],
        status: &[" M a"],
        files: &[("a", Some("mine\n")), ("dir/x", Some("X\n"))],
    },
    Row {
        name: "an edit of a path with a newline",
        act: |repo| repo.write("odd\nname", "mine\n"),
        kept: &["odd\nname"],
        status: &[" M odd\nname"],
        files: &[("odd\nname", Some("mine\n")), ("-dash", Some("dash\n"))],
    },
    Row {
        name: "conflicts of a merge under way",
        act: |repo| {
            let blob = repo.git(&["hash-object", "-w", "other"]);
            let stages: String = (1..=3)
                .map(|stage| format!("100644 {} {stage}\ta\n", blob.trim()))
                .collect::<String>();
            let script = repo.dir.path().join("stages");
            write(&script, &format!("0 {} 0\ta\n{stages}", "0".repeat(40)));
            let mut command = std::process::Command::new("git");
            command
                .args(["update-index", "--index-info"])
                .current_dir(repo.root());
            command.stdin(fs::File::open(script).expect("a file"));
            assert!(command.status().expect("git runs").success());
            repo.write("a", "<<<<<<<\n");
        },
        kept: &["a"],
        status: &["UU a"],
        files: &[("a", Some("<<<<<<<\n")), ("dir/x", Some("X\n"))],
    },
    Row {
        name: "everything edited",
        act: |repo| {
            for path in [
                "a",
                "gone",
                "new",
                "dir/x",
                "turns/into",
                "script",
                "deep/new",
                "link",
                "-dash",
            ] {
                repo.write(path, "mine\n");
            }
        },
        kept: &[
            "-dash",
            "a",
            "deep/new",
            "dir/x",
            "gone",
            "link",
            "new",
            "script",
            "turns",
            "turns/into",
        ],
        status: &[
            " D turns",
            " M -dash",
            " M a",
            " M deep/new",
            " M dir/x",
            " M new",
            " M script",
            " T link",
            "?? gone",
            "?? turns/into",
        ],
        files: &[
            ("a", Some("mine\n")),
            ("turns/into", Some("mine\n")),
            ("link", Some("mine\n")),
        ],
    },
    Row {
        name: "a sparse index",
        act: |repo| {
            repo.git(&["sparse-checkout", "set", "--cone", "--sparse-index", "deep"]);
        },
        kept: &[],
        status: &[],
        files: &[("dir/x", None), ("a", Some("A\n"))],
    },
    Row {
        name: "a sparse index and an edit",
        act: |repo| {
            repo.git(&["sparse-checkout", "set", "--cone", "--sparse-index", "deep"]);
            repo.write("a", "mine\n");
        },
        kept: &["a"],
        status: &[" M a"],
        files: &[
            ("dir/x", None),
            ("a", Some("mine\n")),
            ("deep/new", Some("deep\n")),
        ],
    },
    Row {
        name: "a split index of another version",
        act: |repo| {
            repo.git(&["update-index", "--index-version", "4"]);
            repo.git(&["update-index", "--split-index"]);
            repo.write("a", "mine\n");
        },
        kept: &["a"],
        status: &[" M a"],
        files: &[("a", Some("mine\n")), ("dir/x", Some("X\n"))],
    },
];

fn status(repo: &Repo) -> Vec<String> {
    let text = repo.git(&["status", "--porcelain", "-z", "-uall", "--no-renames"]);
    let mut lines: Vec<String> = text
        .split('\0')
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect();
    lines.sort();
    lines
}

fn check(row: &Row) {
    let repo = Repo::with(START);
    let git = repo.open();
    let tree = landing_tree(&repo, &git);
    (row.act)(&repo);
    let followed = land(&git, &new_landing(repo.tip(), tree)).1;
    assert_eq!(followed.not_followed, None, "{}", row.name);
    let kept: Vec<String> = row
        .kept
        .iter()
        .map(|path| GitPath::from(*path).to_shown())
        .collect();
    assert_eq!(followed.kept, kept, "{}: kept", row.name);
    for (path, content) in row.files {
        assert_eq!(repo.read(path).as_deref(), *content, "{}: {path}", row.name);
    }
    let before = status(&repo);
    assert_eq!(before, row.status, "{}: status", row.name);
    assert!(
        !repo.root().join(".git/index.lock").exists(),
        "{}",
        row.name
    );
    // Following once more, as after a crash, changes nothing.
    let again = git.follow(MAIN, repo.id("HEAD~1"), repo.tip());
    assert_eq!(again.not_followed, None, "{}", row.name);
    assert_eq!(status(&repo), before, "{}: followed twice", row.name);
    for (path, content) in row.files {
        assert_eq!(
            repo.read(path).as_deref(),
            *content,
            "{}: {path}, followed twice",
            row.name
        );
    }
    let strays: Vec<String> = walkdir::WalkDir::new(repo.root())
        .into_iter()
        .filter_map(Result::ok)
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with(".gatewalk-") || name.starts_with(".merge_file"))
        .collect();
    assert!(strays.is_empty(), "{}: {strays:?}", row.name);
}

#[test]
#[ignore = "long"]
fn the_checkout_follows_except_where_the_user_edited() {
    for row in ROWS {
        check(row);
    }
}

#[test]
fn a_checkout_of_another_branch_or_a_detached_one_is_left_alone() {
    for move_away in [
        ["checkout", "-q", "-b", "elsewhere"],
        ["checkout", "-q", "--detach", "HEAD"],
    ] {
        let repo = Repo::with(START);
        let git = repo.open();
        let tree = landing_tree(&repo, &git);
        repo.git(&move_away);
        assert_eq!(
            land(&git, &new_landing(repo.tip(), tree)).1,
            CheckoutUpdate::default()
        );
        assert_eq!(
            (repo.read("a").as_deref(), status(&repo)),
            (Some("a\n"), Vec::new())
        );
        assert_eq!(git.recover_follow().expect("nothing to do"), None);
    }
}

#[test]
fn a_held_index_is_reported_and_followed_up_later() {
    let repo = Repo::with(START);
    let git = repo.open();
    let tree = landing_tree(&repo, &git);
    let lock = repo.root().join(".git/index.lock");
    write(&lock, "");
    let followed = land(&git, &new_landing(repo.tip(), tree)).1;
    let problem = followed.not_followed.expect("the index is held");
    assert!(
        problem.contains("index.lock") && problem.contains("git read-tree -m -u"),
        "{problem}"
    );
    assert_eq!(repo.read("a").as_deref(), Some("a\n"));
    assert!(
        lock.exists(),
        "the lock of another git is not ours to remove"
    );
    fs::remove_file(&lock).expect("released");
    // A second landing on top, and then the start-up of the next run.
    repo.write("other", "mine\n");
    let edits = [crate::git::TreeEdit {
        path: "b".into(),
        content: Some((0o100_644, b"b\n".as_slice().into())),
    }];
    let next = git.edit_tree(repo.tip(), &edits).expect("a tree");
    let followed = land(&git, &new_landing(repo.tip(), next)).1;
    assert_eq!(followed.not_followed, None);
    assert_eq!(
        (repo.read("a").as_deref(), repo.read("b").as_deref()),
        (Some("A\n"), Some("b\n"))
    );
    assert_eq!(status(&repo), [" M other"]);
    assert_eq!(git.recover_follow().expect("nothing to do"), None);
}

#[test]
fn a_crash_between_the_swap_and_the_checkout_is_finished_at_the_next_start() {
    let repo = Repo::with(START);
    let git = repo.open();
    let tree = landing_tree(&repo, &git);
    let (old, new) = {
        let tip = repo.tip();
        (
            tip,
            git.commit(new_commit(tree, tip, "land")).expect("a commit"),
        )
    };
    // Before the swap: the record is dropped and nothing moves.
    git.intend_follow(MAIN, old, new)
        .expect("recorded")
        .expect("checked out here");
    assert_eq!(repo.open().recover_follow().expect("recovered"), None);
    assert_eq!((repo.tip(), status(&repo)), (old, Vec::new()));
    // After the swap, with the lock and half the files written by the run that was killed.
    git.intend_follow(MAIN, old, new)
        .expect("recorded")
        .expect("checked out here");
    assert!(git.cas_ref(MAIN, new, Some(old)).expect("moved"));
    write(&repo.root().join(".git/index.lock"), "gatewalk\n");
    repo.write("a", "A\n");
    repo.write("new", "new\n");
    remove(&repo, "gone");
    repo.write("other", "mine\n");
    let followed = repo
        .open()
        .recover_follow()
        .expect("recovered")
        .expect("something to do");
    assert_eq!((followed.kept, followed.not_followed), (Vec::new(), None));
    assert_eq!(status(&repo), [" M other"]);
    assert_eq!(repo.read("deep/new").as_deref(), Some("deep\n"));
    assert_eq!(repo.open().recover_follow().expect("recovered"), None);
}

#[test]
fn the_users_line_endings_and_filters_are_honoured() {
    let repo = Repo::with(START);
    repo.git(&["config", "core.autocrlf", "true"]);
    repo.git(&["config", "filter.shout.smudge", "tr a-z A-Z"]);
    repo.git(&["config", "filter.shout.clean", "tr A-Z a-z"]);
    let git = repo.open();
    let slot = repo.slot(&git);
    git.prepare(&slot, repo.tip(), MAIN).expect("a slot");
    write(&slot.dir().join(".gitattributes"), "*.loud filter=shout\n");
    write(&slot.dir().join("x.loud"), "quiet\n");
    let tree = git.capture(&slot, repo.tip()).expect("a capture").tree;
    repo.write("new", "unrelated\n");
    land(&git, &new_landing(repo.tip(), tree));
    assert_eq!(repo.read("x.loud").as_deref(), Some("QUIET\r\n"));
    assert_eq!(status(&repo), ["?? new"]);
}

#[test]
fn hooks_and_monitors_of_the_repository_do_not_run() {
    let repo = Repo::with(START);
    let git = repo.open();
    let tree = landing_tree(&repo, &git);
    let marker = repo.dir.path().join("it-ran");
    let script = format!("#!/bin/sh\ntouch {}\n", marker.display());
    for hook in [
        "reference-transaction",
        "post-checkout",
        "post-index-change",
        "pre-commit",
        "post-commit",
    ] {
        let path = repo.root().join(".git/hooks").join(hook);
        write_program(&path, &script);
    }
    let monitor = repo.root().join(".git/monitor");
    write_program(&monitor, &script);
    repo.git(&["config", "core.fsmonitor", &monitor.display().to_string()]);
    let _ = fs::remove_file(&marker);
    git.status(&"".into()).expect("a status");
    assert_eq!(
        land(&git, &new_landing(repo.tip(), tree)).1.kept,
        Vec::<String>::new()
    );
    assert!(!marker.exists());
}

#[test]
fn a_branch_is_checked_out_only_when_that_disturbs_nothing() {
    let feature = "refs/heads/feat/x";
    type State<'a> = (&'a str, fn(&Repo), Option<&'a str>);
    let rows: [State<'_>; 7] = [
        ("clean", |_| {}, None),
        (
            "an edit elsewhere",
            |repo| repo.write("other", "mine\n"),
            None,
        ),
        (
            "an edit in the way",
            |repo| repo.write("a", "mine\n"),
            Some("edits"),
        ),
        (
            "untracked in the way",
            |repo| repo.write("new", "mine\n"),
            Some("edits"),
        ),
        (
            "ignored in the way",
            |repo| repo.write("kept.ign", "mine\n"),
            Some("edits"),
        ),
        (
            "detached",
            |repo| drop(repo.git(&["checkout", "-q", "--detach"])),
            Some("detached"),
        ),
        (
            "a merge under way",
            |repo| write(&repo.root().join(".git/MERGE_HEAD"), "x"),
            Some("git merge"),
        ),
    ];
    for (name, act, left) in rows {
        let repo = Repo::with(START);
        let git = repo.open();
        let tree = landing_tree(&repo, &git);
        let tip = git
            .commit(new_commit(tree, repo.tip(), "feature"))
            .expect("a commit");
        git.ensure_branch(feature, tip).expect("a branch");
        act(&repo);
        let before = (status(&repo), repo.tip());
        match (git.adopt(feature).expect("an answer"), left) {
            (Adopted::Switched(followed), None) => {
                assert_eq!(
                    (followed.kept, followed.not_followed),
                    (Vec::new(), None),
                    "{name}"
                );
                assert_eq!((status(&repo), repo.tip()), (before.0, tip), "{name}");
                assert_eq!(
                    repo.git(&["symbolic-ref", "HEAD"]).trim(),
                    feature,
                    "{name}"
                );
                assert_eq!(
                    git.adopt(feature).expect("an answer"),
                    Adopted::Already,
                    "{name}"
                );
            }
            (Adopted::Left(reason), Some(word)) => {
                assert!(reason.contains(word), "{name}: {reason}");
                assert_eq!((status(&repo), repo.tip()), before, "{name}");
            }
            (other, _) => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn an_edit_made_at_the_very_moment_survives() {
    // The exchange is tried against a file that is not what was looked at.
    let dir = tempfile::TempDir::new().expect("a directory");
    let at = |name: &str| dir.path().join(name);
    let read = |path: &Path| fs::read_to_string(path).ok();
    write(&at("new"), "landed\n");
    write(&at("file"), "looked at\n");
    let seen = super::super::file_swap::look_at(&at("file"));
    write(&at("file"), "saved since\n");
    assert!(!super::super::file_swap::exchange(&at("new"), &at("file"), &seen).expect("an answer"));
    assert_eq!(read(&at("file")).as_deref(), Some("saved since\n"));
    assert!(
        !super::super::file_swap::move_aside(&at("file"), &at("taken"), &seen).expect("an answer")
    );
    assert_eq!(read(&at("file")).as_deref(), Some("saved since\n"));
    assert!(!super::super::file_swap::put_new(&at("new"), &at("file")).expect("an answer"));
    assert_eq!(read(&at("file")).as_deref(), Some("saved since\n"));
    let seen = super::super::file_swap::look_at(&at("file"));
    assert!(super::super::file_swap::exchange(&at("new"), &at("file"), &seen).expect("an answer"));
    assert_eq!(read(&at("file")).as_deref(), Some("landed\n"));
}
