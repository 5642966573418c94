//! Preparing slots and capturing what hostile or careless agents leave in them.

use super::support::{MAIN, Repo, commit_in, git_in, land, new_commit, new_landing, write};
use crate::git::capture::SlotCapture;
use crate::git::{
    Git, GitPath, KnownTree, Landed, MODE_EXECUTABLE, MODE_SYMLINK, Slot, SlotHistory,
    SlotPreparation, SlotTarget,
};
use crate::test_files::write_program;
use gatewalk_core::driver::ports::MergeOutcome;
use gatewalk_core::object_id::ObjectId;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

const FILES: &[(&str, &str)] = &[
    ("a.txt", "one\n"),
    ("src/lib.rs", "fn f() {}\n"),
    ("src/deep/x.rs", "x\n"),
    (".gitignore", "/target\n*.log\n"),
];

/// Makes a repository without a commit, with one file.
fn nested_repository(dir: &Path) {
    fs::create_dir_all(dir).expect("a directory");
    git_in(dir, &["init", "-q"]);
    write(&dir.join("file"), "x");
}

/// Everything in the slot except its `.git`: path, and content or link target.
fn files(dir: &Path) -> Vec<(String, String)> {
    let walk = walkdir::WalkDir::new(dir).sort_by_file_name();
    let entries = walk
        .into_iter()
        .filter_entry(|e| e.depth() != 1 || e.file_name() != ".git");
    entries
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file() || entry.file_type().is_symlink())
        .map(|entry| {
            let name = entry
                .path()
                .strip_prefix(dir)
                .expect("inside")
                .display()
                .to_string();
            let content = match fs::read_link(entry.path()) {
                Ok(target) => format!("-> {}", target.display()),
                Err(_) => fs::read_to_string(entry.path()).unwrap_or_default(),
            };
            (name, content)
        })
        .collect()
}

fn pristine() -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = FILES
        .iter()
        .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
        .collect();
    all.sort();
    all
}

struct Fixture {
    repo: Repo,
    git: Git,
    slot: Slot,
    tip: ObjectId,
}

impl Fixture {
    fn new() -> Fixture {
        let repo = Repo::with(FILES);
        let (git, tip) = (repo.open(), repo.tip());
        let slot = repo.slot(&git);
        assert_eq!(
            git.prepare(&slot, tip, MAIN).expect("a slot"),
            SlotPreparation::Fresh
        );
        Fixture {
            repo,
            git,
            slot,
            tip,
        }
    }

    fn dir(&self) -> &Path {
        self.slot.dir()
    }

    fn prepare(&self) -> SlotPreparation {
        self.git
            .prepare(&self.slot, self.tip, MAIN)
            .expect("a slot")
    }

    fn capture(&self) -> SlotCapture {
        self.git.capture(&self.slot, self.tip).expect("a capture")
    }

    fn changed(&self) -> String {
        paths(&self.capture())
    }
}

fn paths(captured: &SlotCapture) -> String {
    captured
        .changes
        .iter()
        .map(|change| change.path.to_string())
        .collect::<Vec<_>>()
        .join(" ")
}

type Act = fn(&Path);

/// What an agent does with a program of its own, given the slot and a command that leaves a trace.
type Plant = fn(&Path, &str);

type Damage = fn(&Fixture);

#[test]
#[ignore = "long"]
fn whatever_an_agent_did_the_next_attempt_starts_from_the_commit() {
    let rows: [(&str, Act); 17] = [
        ("nothing", |_| {}),
        ("edits a file", |d| write(&d.join("a.txt"), "two\n")),
        ("deletes a file", |d| {
            fs::remove_file(d.join("src/lib.rs")).expect("removed")
        }),
        ("deletes a directory", |d| {
            fs::remove_dir_all(d.join("src")).expect("removed")
        }),
        ("leaves files", |d| write(&d.join("src/new/left.txt"), "x")),
        ("makes a file a directory", |d| {
            fs::remove_file(d.join("a.txt")).expect("removed");
            write(&d.join("a.txt/inside"), "x");
        }),
        ("makes a directory a file", |d| {
            fs::remove_dir_all(d.join("src")).expect("removed");
            write(&d.join("src"), "x");
        }),
        ("makes a directory a link to elsewhere", |d| {
            fs::rename(d.join("src"), d.join("../elsewhere")).expect("moved");
            symlink("../elsewhere", d.join("src")).expect("a link");
        }),
        ("makes a file a link", |d| {
            fs::remove_file(d.join("a.txt")).expect("removed");
            symlink("/etc/hostname", d.join("a.txt")).expect("a link");
        }),
        ("removes .git", |d| {
            fs::remove_dir_all(d.join(".git")).expect("removed")
        }),
        ("makes .git a file", |d| {
            fs::remove_dir_all(d.join(".git")).expect("removed");
            write(&d.join(".git"), "gitdir: /nowhere\n");
        }),
        ("nests a repository in a new directory", |d| {
            nested_repository(&d.join("nested"));
        }),
        ("nests a repository in a tracked directory", |d| {
            git_in(&d.join("src"), &["init", "-q"]);
        }),
        ("plants a .git file in a tracked directory", |d| {
            write(&d.join("src/deep/.git"), "gitdir: /tmp\n");
        }),
        ("changes modes", |d| {
            let mode = |path: &str, mode| {
                fs::set_permissions(d.join(path), fs::Permissions::from_mode(mode))
                    .expect("a mode");
            };
            mode("a.txt", 0o755);
            mode("src/lib.rs", 0o000);
            mode("src/deep", 0o500);
        }),
        ("leaves a pipe and odd names", |d| {
            rustix::fs::mknodat(
                rustix::fs::CWD,
                d.join("fifo"),
                rustix::fs::FileType::Fifo,
                rustix::fs::Mode::RUSR,
                0,
            )
            .expect("a pipe");
            write(&d.join("-rf"), "x");
            write(&d.join("new\nline"), "x");
        }),
        ("commits everything and switches branches", |d| {
            write(&d.join("b.txt"), "b");
            git_in(d, &["checkout", "-q", "-b", "elsewhere"]);
            commit_in(d);
        }),
    ];
    for (name, act) in rows {
        let fixture = Fixture::new();
        write(&fixture.dir().join("target/debug/out"), "build output");
        act(fixture.dir());
        fixture.capture();
        assert_eq!(fixture.prepare(), SlotPreparation::Incremental, "{name}");
        let mut expected = pristine();
        expected.push(("target/debug/out".to_owned(), "build output".to_owned()));
        assert_eq!(files(fixture.dir()), expected, "{name}");
        assert_eq!(
            git_in(fixture.dir(), &["status", "--porcelain"]),
            "",
            "{name}"
        );
        assert_eq!(
            git_in(fixture.dir(), &["rev-parse", "HEAD"]).trim(),
            fixture.tip.hex(),
            "{name}"
        );
        assert_eq!(fixture.changed(), "", "{name}");
    }
}

#[test]
fn damage_to_the_slot_or_its_index_is_repaired() {
    let rows: [(&str, Damage, SlotPreparation); 6] = [
        (
            "slot gone",
            |b| fs::remove_dir_all(b.dir()).expect("removed"),
            SlotPreparation::Fresh,
        ),
        (
            "slot a link",
            |b| {
                let mut away = b.dir().with_file_name("away");
                while away.exists() {
                    away.set_extension("more");
                }
                fs::rename(b.dir(), &away).expect("moved");
                symlink(&away, b.dir()).expect("a link");
            },
            SlotPreparation::Fresh,
        ),
        (
            "index gone",
            |b| fs::remove_file(b.slot.index().file().expect("an index")).expect("removed"),
            SlotPreparation::Incremental,
        ),
        (
            "index torn",
            |b| write(b.slot.index().file().expect("an index"), "DIRC"),
            SlotPreparation::Incremental,
        ),
        (
            "index emptied",
            |b| write(b.slot.index().file().expect("an index"), ""),
            SlotPreparation::Incremental,
        ),
        (
            "lock left",
            |b| write(&b.slot.state().join("index.lock"), ""),
            SlotPreparation::Incremental,
        ),
    ];
    for (name, damage, expected) in rows {
        let fixture = Fixture::new();
        write(&fixture.dir().join("a.txt"), "two\n");
        damage(&fixture);
        assert_eq!(fixture.prepare(), expected, "{name}");
        assert_eq!(files(fixture.dir()), pristine(), "{name}");
        // Another process knows nothing of what this one wrote.
        let later = fixture.repo.open();
        damage(&fixture);
        later
            .prepare(&fixture.repo.slot(&later), fixture.tip, MAIN)
            .expect("a slot");
        assert_eq!(
            files(fixture.dir()),
            pristine(),
            "{name}, in a later process"
        );
    }
}

#[test]
fn an_index_that_lies_about_the_files_is_not_trusted() {
    let fixture = Fixture::new();
    write(&fixture.dir().join("a.txt"), "evil\n");
    let trusted = fixture.git.state_dir().join("vault");
    let mut lie = std::process::Command::new("git");
    lie.args(["update-index", "--assume-unchanged", "a.txt"])
        .current_dir(fixture.dir());
    lie.env("GIT_DIR", trusted)
        .env("GIT_WORK_TREE", fixture.dir())
        .env(
            "GIT_INDEX_FILE",
            fixture.slot.index().file().expect("an index"),
        );
    assert!(lie.status().expect("git runs").success());
    fixture.prepare();
    assert_eq!(files(fixture.dir()), pristine());
}

#[test]
fn a_slot_moves_to_another_commit() {
    let fixture = Fixture::new();
    fixture.repo.write("a.txt", "newer\n");
    fs::remove_file(fixture.repo.root().join("src/lib.rs")).expect("removed");
    symlink("a.txt", fixture.repo.root().join("link")).expect("a link");
    let next = fixture.repo.commit_all("next");
    fixture
        .git
        .prepare(&fixture.slot, next, "refs/heads/feature/long")
        .expect("a slot");
    assert_eq!(
        git_in(fixture.dir(), &["status", "--porcelain", "--branch"]),
        "## feature/long\n"
    );
    assert_eq!(
        fs::read_link(fixture.dir().join("link")).expect("a link"),
        Path::new("a.txt")
    );
    assert_eq!(
        git_in(fixture.dir(), &["log", "--format=%s"]),
        "next\nstart\n"
    );
    assert_eq!(git_in(fixture.dir(), &["remote"]), "");
}

/// The plants that a git trusting the slot would have run.
const RUN_BY_PLAIN_GIT: [&str; 6] = [
    "fsmonitor",
    "filter with attributes",
    "filter with info/attributes",
    "hooks",
    "hooks path",
    "include",
];

#[test]
#[ignore = "long"]
fn nothing_planted_in_a_slot_runs_or_counts() {
    let rows: [(&str, Plant); 11] = [
        ("fsmonitor", |d, run| {
            git_in(d, &["config", "core.fsmonitor", run]);
        }),
        ("filter with attributes", |d, run| {
            git_in(d, &["config", "filter.evil.clean", run]);
            git_in(d, &["config", "filter.evil.smudge", run]);
            git_in(d, &["config", "filter.evil.process", run]);
            write(&d.join(".gitattributes"), "* filter=evil\n");
        }),
        ("filter with info/attributes", |d, run| {
            git_in(d, &["config", "filter.evil.clean", run]);
            write(&d.join(".git/info/attributes"), "* filter=evil\n");
        }),
        ("hooks", |d, run| {
            for hook in [
                "post-index-change",
                "pre-commit",
                "reference-transaction",
                "post-checkout",
            ] {
                let hook = d.join(".git/hooks").join(hook);
                write_program(&hook, &format!("#!/bin/sh\n{run}\n"));
            }
        }),
        ("hooks path", |d, run| {
            let hook = d.join("hooks/post-index-change");
            write_program(&hook, &format!("#!/bin/sh\n{run}\n"));
            git_in(d, &["config", "core.hooksPath", "hooks"]);
        }),
        ("alias", |d, run| {
            for command in ["add", "write-tree", "read-tree", "clean", "cat-file"] {
                git_in(
                    d,
                    &["config", &format!("alias.{command}"), &format!("!{run}")],
                );
            }
        }),
        ("include", |d, run| {
            write(&d.join("more"), &format!("[core]\n\tfsmonitor = {run}\n"));
            git_in(d, &["config", "include.path", "../more"]);
        }),
        ("work tree elsewhere", |d, _| {
            git_in(d, &["config", "core.worktree", "/"]);
        }),
        ("external diff and textconv", |d, run| {
            git_in(d, &["config", "diff.external", run]);
            git_in(d, &["config", "diff.evil.textconv", run]);
            write(&d.join(".gitattributes"), "* diff=evil\n");
        }),
        ("nested repository with a monitor", |d, run| {
            nested_repository(&d.join("nested"));
            commit_in(&d.join("nested"));
            git_in(&d.join("nested"), &["config", "core.fsmonitor", run]);
        }),
        ("repository in a tracked directory", |d, run| {
            git_in(&d.join("src"), &["init", "-q"]);
            git_in(&d.join("src"), &["config", "core.fsmonitor", run]);
        }),
    ];
    for (name, plant) in rows {
        let fixture = Fixture::new();
        let marker = fixture.repo.dir.path().join("it-ran");
        let script = fixture.repo.dir.path().join("evil.sh");
        let text = format!("#!/bin/sh\ntouch {}\ncat\n", marker.display());
        write_program(&script, &text);
        plant(fixture.dir(), &script.display().to_string());
        write(&fixture.dir().join("a.txt"), "work\n");
        if RUN_BY_PLAIN_GIT.contains(&name) {
            git_in(fixture.dir(), &["add", "-A"]);
            assert!(
                marker.exists(),
                "{name}: the plant is not live, so the row proves nothing"
            );
        }
        let _ = fs::remove_file(&marker);
        let captured = fixture.capture();
        assert!(!marker.exists(), "{name}: ran in the capture");
        let text = fixture
            .git
            .file_at(captured.tree, &"a.txt".into())
            .expect("a read");
        assert_eq!(text.as_deref(), Some(b"work\n".as_slice()), "{name}");
        fixture
            .git
            .patch_text(fixture.tip, captured.tree, 1 << 20)
            .expect("a patch");
        fixture
            .git
            .pin(
                "refs/gatewalk/attempts/X/1",
                new_commit(captured.tree, fixture.tip, "x"),
            )
            .expect("a pin");
        fixture.prepare();
        assert!(!marker.exists(), "{name}: ran afterwards");
        assert_eq!(files(fixture.dir()), pristine(), "{name}");
        let config = fs::read_to_string(fixture.dir().join(".git/config")).expect("a file");
        assert!(
            !config.contains("evil") && !config.contains("more"),
            "{name}: {config}"
        );
    }
}

#[test]
fn a_repository_planted_in_a_submodules_place_does_not_run() {
    let repo = Repo::with(FILES);
    let commit = repo.tip();
    repo.git(&[
        "update-index",
        "--add",
        "--cacheinfo",
        &format!("160000,{commit},vendor/lib"),
    ]);
    repo.git(&["commit", "-q", "-m", "a submodule"]);
    let (git, tip) = (repo.open(), repo.tip());
    let slot = repo.slot(&git);
    git.prepare(&slot, tip, MAIN).expect("a slot");
    let place = slot.dir().join("vendor/lib");
    nested_repository(&place);
    commit_in(&place);
    let marker = repo.dir.path().join("it-ran");
    git_in(
        &place,
        &[
            "config",
            "core.fsmonitor",
            &format!("touch {}; false", marker.display()),
        ],
    );
    write(&slot.dir().join("a.txt"), "work\n");
    let captured = git.capture(&slot, tip).expect("a capture");
    assert!(!marker.exists(), "the submodule's configuration ran");
    let changed: Vec<String> = captured
        .changes
        .iter()
        .map(|change| change.path.to_string())
        .collect();
    let shown = ["a.txt", "vendor/lib", "vendor/lib/file"];
    assert_eq!(
        changed, shown,
        "what it holds is kept, and the guards see it"
    );
    assert_eq!(captured.nested_repositories, [GitPath::from("vendor/lib")]);
    git.prepare(&slot, tip, MAIN).expect("a slot");
    assert!(!marker.exists());
}

#[test]
#[ignore = "long"]
fn everything_that_can_be_stored_is_captured() {
    let rows: [(&str, Act, &str); 14] = [
        ("an edit", |d| write(&d.join("a.txt"), "two\n"), "a.txt"),
        (
            "a deletion",
            |d| fs::remove_dir_all(d.join("src")).expect("removed"),
            "src/deep/x.rs src/lib.rs",
        ),
        (
            "odd names",
            |d| {
                for name in [
                    "-rf",
                    "with space",
                    "e\u{301}",
                    "\u{e9}",
                    ":(top)x",
                    "*",
                    "\"quoted\"",
                ] {
                    write(&d.join(name), "x");
                }
            },
            "\"quoted\" * -rf :(top)x e\u{301} with space \u{e9}",
        ),
        (
            "ignored files stay out",
            |d| {
                write(&d.join("target/out"), "x");
                write(&d.join("deep/x.log"), "x");
            },
            "",
        ),
        (
            "a nested repository's files",
            |d| {
                nested_repository(&d.join("nested"));
                commit_in(&d.join("nested"));
            },
            "nested/file",
        ),
        (
            "a nested repository without a commit",
            |d| {
                nested_repository(&d.join("nested"));
            },
            "nested/file",
        ),
        (
            "a repository in a repository",
            |d| {
                for place in ["one", "one/two"] {
                    nested_repository(&d.join(place));
                    commit_in(&d.join(place));
                }
            },
            "one/file one/two/file",
        ),
        (
            "a file in place of a directory",
            |d| {
                fs::remove_dir_all(d.join("src")).expect("removed");
                write(&d.join("src"), "x");
            },
            "src src/deep/x.rs src/lib.rs",
        ),
        (
            "a pipe in place of a file",
            |d| {
                fs::remove_file(d.join("a.txt")).expect("removed");
                let fifo = rustix::fs::FileType::Fifo;
                rustix::fs::mknodat(
                    rustix::fs::CWD,
                    d.join("a.txt"),
                    fifo,
                    rustix::fs::Mode::RUSR,
                    0,
                )
                .expect("a pipe");
                write(&d.join("b.txt"), "x");
            },
            "a.txt b.txt",
        ),
        (
            "no repository at all",
            |d| {
                fs::remove_dir_all(d.join(".git")).expect("removed");
                write(&d.join("b.txt"), "x");
            },
            "b.txt",
        ),
        (
            "an encoding the file does not have",
            |d| {
                write(
                    &d.join(".gitattributes"),
                    "*.bin working-tree-encoding=UTF-16\n",
                );
                fs::write(d.join("x.bin"), [0xff, 0xff, 0x00, 0xd8, 0x01]).expect("a file");
            },
            ".gitattributes x.bin",
        ),
        (
            "a name git refuses",
            |d| {
                write(&d.join("git~1"), "x");
                write(&d.join("b.txt"), "x");
            },
            "b.txt",
        ),
        (
            "a commit of its own and more edits",
            |d| {
                write(&d.join("b.txt"), "x");
                commit_in(d);
                write(&d.join("c.txt"), "x");
            },
            "b.txt c.txt",
        ),
        (
            "an agent that tells git to ignore its edit",
            |d| {
                git_in(d, &["update-index", "--assume-unchanged", "a.txt"]);
                git_in(d, &["update-index", "--skip-worktree", "src/lib.rs"]);
                write(&d.join("a.txt"), "two\n");
                write(&d.join("src/lib.rs"), "two\n");
            },
            "a.txt src/lib.rs",
        ),
    ];
    for (name, act, expected) in rows {
        let fixture = Fixture::new();
        act(fixture.dir());
        let before = files(fixture.dir());
        let first = fixture.capture();
        assert_eq!(paths(&first), expected, "{name}");
        let listed = fixture
            .git
            .diff(fixture.tip, first.tree)
            .expect("a difference");
        assert_eq!(
            listed, first.changes,
            "{name}: the tree is what the changes lead to"
        );
        // Another process, which did not prepare the slot, finds the same.
        let later = fixture.repo.open();
        let again = later
            .capture(&fixture.repo.slot(&later), fixture.tip)
            .expect("a capture");
        assert_eq!(
            (again.tree, again.changes),
            (first.tree, first.changes),
            "{name}"
        );
        let kept: Vec<_> = files(fixture.dir())
            .into_iter()
            .filter(|(path, _)| !path.contains(".git/"))
            .collect();
        let wanted: Vec<_> = before
            .into_iter()
            .filter(|(path, _)| !path.contains(".git/") && path != "a.txt")
            .collect();
        for file in wanted {
            assert!(
                kept.contains(&file),
                "{name}: {} is gone from the slot",
                file.0
            );
        }
    }
}

#[test]
fn what_is_not_captured_is_named() {
    let fixture = Fixture::new();
    fs::remove_file(fixture.dir().join("a.txt")).expect("removed");
    let fifo = rustix::fs::FileType::Fifo;
    let place = fixture.dir().join("a.txt");
    rustix::fs::mknodat(rustix::fs::CWD, place, fifo, rustix::fs::Mode::RUSR, 0).expect("a pipe");
    write(&fixture.dir().join("git~1"), "x");
    let captured = fixture.capture();
    assert_eq!(
        captured.skipped,
        [GitPath::from("a.txt"), GitPath::from("git~1")]
    );
    write(&fixture.dir().join("deep/.gitignore"), "hidden\n/made/\n");
    assert!(!captured.ignore_rules_changed);
    let captured = fixture.capture();
    assert!(captured.ignore_rules_changed && captured.newly_ignored.is_empty());
    for path in ["hidden", "deep/hidden", "deep/made/a", "deep/made/b"] {
        write(&fixture.dir().join(path), "x");
    }
    let ignored = fixture.capture().newly_ignored;
    assert_eq!(
        ignored,
        [GitPath::from("deep/hidden"), GitPath::from("deep/made/")]
    );
}

#[test]
fn modes_links_and_bytes_are_captured_as_they_are() {
    let fixture = Fixture::new();
    let all = fs::Permissions::from_mode(0o755);
    fs::set_permissions(fixture.dir().join("a.txt"), all).expect("a mode");
    symlink("/etc/passwd", fixture.dir().join("link")).expect("a link");
    fs::write(fixture.dir().join("crlf"), b"a\r\nb\r\n\0\xff").expect("a file");
    let captured = fixture.capture();
    let found: Vec<(String, u32)> = captured
        .changes
        .iter()
        .map(|change| {
            (
                change.path.to_string(),
                change.new.expect("still there").mode,
            )
        })
        .collect();
    let expected = [
        ("a.txt", MODE_EXECUTABLE),
        ("crlf", super::super::MODE_FILE),
        ("link", MODE_SYMLINK),
    ];
    assert_eq!(found, expected.map(|(path, mode)| (path.to_owned(), mode)));
    let bytes = fixture
        .git
        .file_at(captured.tree, &"crlf".into())
        .expect("a read");
    assert_eq!(bytes.as_deref(), Some(b"a\r\nb\r\n\0\xff".as_slice()));
}

#[test]
fn the_history_in_a_slot_is_judged_without_trusting_it() {
    type Row<'a> = (&'a str, &'a dyn Fn(&Path), SlotHistory);
    let rows: [Row<'_>; 9] = [
        ("untouched", &|_| {}, SlotHistory::AtBase),
        ("a commit", &commit_in, SlotHistory::Descends),
        (
            "a commit on another branch",
            &|d| {
                git_in(d, &["checkout", "-q", "-b", "other"]);
                commit_in(d);
            },
            SlotHistory::Descends,
        ),
        (
            "packed refs",
            &|d| {
                commit_in(d);
                git_in(d, &["pack-refs", "--all"]);
            },
            SlotHistory::Descends,
        ),
        (
            "detached",
            &|d| {
                git_in(d, &["checkout", "-q", "--detach"]);
            },
            SlotHistory::AtBase,
        ),
        (
            "rewound",
            &|d| {
                git_in(d, &["reset", "-q", "--hard", "HEAD~1"]);
            },
            SlotHistory::Diverged,
        ),
        (
            "an orphan",
            &|d| {
                git_in(d, &["checkout", "-q", "--orphan", "fresh"]);
                commit_in(d);
            },
            SlotHistory::Diverged,
        ),
        (
            "removed",
            &|d| fs::remove_dir_all(d.join(".git")).expect("removed"),
            SlotHistory::Missing,
        ),
        (
            "a path out of the directory",
            &|d| write(&d.join(".git/HEAD"), "ref: ../../../x\n"),
            SlotHistory::Missing,
        ),
    ];
    for (name, act, expected) in rows {
        let repo = Repo::with(FILES);
        repo.write("a.txt", "second\n");
        let tip = repo.commit_all("second");
        let git = repo.open();
        let slot = repo.slot(&git);
        git.prepare(&slot, tip, MAIN).expect("a slot");
        act(slot.dir());
        let history = git.capture(&slot, tip).expect("a capture").history;
        assert_eq!(history, expected, "{name}");
    }
}

#[test]
fn the_users_own_excludes_hold_in_a_slot() {
    let repo = Repo::with(FILES);
    write(&repo.root().join(".git/info/exclude"), "/.env\n");
    let (git, tip) = (repo.open(), repo.tip());
    let slot = repo.slot(&git);
    git.prepare(&slot, tip, MAIN).expect("a slot");
    write(&slot.dir().join(".env"), "SECRET=1");
    assert!(
        git.capture(&slot, tip)
            .expect("a capture")
            .changes
            .is_empty()
    );
    assert_eq!(git_in(slot.dir(), &["status", "--porcelain"]), "");
    git.prepare(&slot, tip, MAIN).expect("a slot");
    assert!(slot.dir().join(".env").exists(), "ignored files are kept");
}

#[test]
fn a_slot_that_is_gone_or_leads_elsewhere_is_captured_as_empty() {
    type Row = (&'static str, fn(&Path));
    let rows: [Row; 2] = [
        ("removed", |_| {}),
        ("a link", |d| symlink("/etc", d).expect("a link")),
    ];
    for (name, act) in rows {
        let fixture = Fixture::new();
        fs::remove_dir_all(fixture.dir()).expect("removed");
        act(fixture.dir());
        let captured = fixture.capture();
        assert_eq!(captured.changes.len(), FILES.len(), "{name}");
        assert!(
            captured.changes.iter().all(|change| change.new.is_none()),
            "{name}"
        );
        assert_eq!(captured.history, SlotHistory::Missing, "{name}");
    }
}

#[test]
fn names_that_are_not_utf_8_are_captured_landed_and_followed() {
    use std::os::unix::ffi::OsStrExt;
    let fixture = Fixture::new();
    let name = std::ffi::OsStr::from_bytes(b"odd\xff\n\"name");
    fs::write(fixture.dir().join(name), "x").expect("a file");
    fs::write(fixture.repo.root().join("a.txt"), "mine\n").expect("an edit, for the slow path");
    write(&fixture.dir().join("a.txt"), "theirs\n");
    let captured = fixture.capture();
    assert_eq!(captured.changes[1].path.as_bytes(), name.as_bytes());
    let (_, followed) = land(&fixture.git, &new_landing(fixture.tip, captured.tree));
    assert_eq!(
        (followed.kept, followed.not_followed),
        (vec!["a.txt".to_owned()], None)
    );
    assert_eq!(
        fs::read_to_string(fixture.repo.root().join(name))
            .ok()
            .as_deref(),
        Some("x")
    );
    assert_eq!(fixture.repo.git(&["status", "--porcelain"]), " M a.txt\n");
}

#[test]
fn two_slots_work_at_once() {
    let repo = Repo::with(FILES);
    let (git, tip) = (repo.open(), repo.tip());
    std::thread::scope(|scope| {
        for number in 0..4 {
            let (git, dir) = (git.clone(), repo.dir.path().join(format!("slots/{number}")));
            scope.spawn(move || {
                let slot = git.slot(&number.to_string(), &dir).expect("a slot");
                git.prepare(&slot, tip, MAIN).expect("prepared");
                write(&dir.join(format!("own-{number}")), "x");
                let captured = git.capture(&slot, tip).expect("a capture");
                assert_eq!(paths(&captured), format!("own-{number}"));
                let name = format!("refs/gatewalk/attempts/T{number}/1");
                let theirs = git
                    .pin(&name, new_commit(captured.tree, tip, "attempt"))
                    .expect("a pin");
                loop {
                    let now = git.resolve(MAIN).expect("read").expect("a tip");
                    let merged = git.merge_trees(tip, now, theirs).expect("a merge");
                    let MergeOutcome::Clean(tree) = merged else {
                        panic!("conflict: {merged:?}")
                    };
                    let landing = new_landing(now, tree);
                    if let Landed::Done { followed, .. } = git.land(&landing).expect("an answer") {
                        assert_eq!(followed.not_followed, None);
                        break;
                    }
                }
            });
        }
    });
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    assert_eq!(repo.git(&["rev-list", "--count", "HEAD"]).trim(), "5");
}

#[test]
fn a_shallow_clone_works_in_a_slot() {
    let repo = Repo::with(FILES);
    repo.write("a.txt", "second\n");
    repo.commit_all("second");
    let url = format!("file://{}", repo.root().display());
    git_in(
        repo.dir.path(),
        &["clone", "-q", "--depth", "1", &url, "shallow"],
    );
    let git = Git::discover(&repo.dir.path().join("shallow")).expect("a repository");
    assert!(git.is_shallow());
    let tip = git.head().expect("a head").commit.expect("a commit");
    let slot = repo.slot(&git);
    git.prepare(&slot, tip, MAIN).expect("a slot");
    assert_eq!(git_in(slot.dir(), &["log", "--format=%s"]), "second\n");
    write(&slot.dir().join("b.txt"), "x");
    assert_eq!(git.capture(&slot, tip).expect("a capture").changes.len(), 1);
    // The next attempt has the same git directory.
    let config = fs::File::open(slot.dir().join(".git/config")).expect("a file");
    git.prepare(&slot, tip, MAIN).expect("a slot");
    let after = fs::metadata(slot.dir().join(".git/config")).expect("a file");
    assert_eq!(after.ino(), config.metadata().expect("a file").ino());
    assert_eq!(git_in(slot.dir(), &["log", "--format=%s"]), "second\n");
}

#[test]
fn a_slot_over_the_repository_is_refused() {
    let repo = Repo::with(FILES);
    let git = repo.open();
    for place in [
        repo.root(),
        repo.root().join("sub"),
        repo.root().join(".git/x"),
        repo.dir.path().to_path_buf(),
    ] {
        let place = place.canonicalize().unwrap_or(place);
        assert!(git.slot("1", &place).is_err(), "{}", place.display());
    }
}

#[test]
fn a_slot_whose_files_are_known_moves_on_to_the_same_files_as_one_that_is_not() {
    // What the agent did, and what somebody did behind our back after the capture.
    let rows: [(&str, Act, Act); 6] = [
        ("nothing", |_| {}, |_| {}),
        (
            "edits",
            |d| {
                write(&d.join("a.txt"), "mine\n");
                write(&d.join("new/file"), "x");
                fs::remove_file(d.join("src/deep/x.rs")).expect("removed");
            },
            |_| {},
        ),
        (
            "hides files",
            |d| {
                write(&d.join(".gitignore"), "/target\n*.log\n/hidden\n");
                write(&d.join("hidden"), "x");
            },
            |_| {},
        ),
        (
            "shows files",
            |d| {
                write(&d.join("build.log"), "x");
                write(&d.join(".gitignore"), "/target\n");
            },
            |_| {},
        ),
        (
            "a changed file differs",
            |_| {},
            |d| write(&d.join("a.txt"), "behind"),
        ),
        (
            "a file is in the way",
            |_| {},
            |d| write(&d.join("landed"), "behind"),
        ),
    ];
    for (name, act, behind) in rows {
        let fixture = Fixture::new();
        let next = [("a.txt", "next\n"), ("landed", "landed\n")];
        for (path, text) in next {
            fixture.repo.write(path, text);
        }
        let next = fixture.repo.commit_all("next");
        act(fixture.dir());
        let captured = fixture.capture();
        behind(fixture.dir());
        let target = SlotTarget {
            tree: fixture.git.tree_of(next).expect("a tree"),
            commit: next,
            branch: MAIN,
        };
        let known = KnownTree {
            tree: captured.tree,
            swept: !captured.ignore_rules_changed,
            untrusted: false,
        };
        fixture
            .git
            .advance(&fixture.slot, known, target)
            .expect("a slot");
        let mut wanted = pristine();
        wanted.retain(|(path, _)| path != "a.txt");
        wanted.extend(
            [("a.txt", "next\n"), ("landed", "landed\n")].map(|(p, t)| (p.into(), t.into())),
        );
        wanted.sort();
        let mut found = files(fixture.dir());
        found.retain(|(path, _)| path != "build.log");
        found.sort();
        assert_eq!(found, wanted, "{name}");
        assert_eq!(
            fixture
                .git
                .capture(&fixture.slot, next)
                .expect("a capture")
                .changes,
            [],
            "{name}"
        );
    }
}

#[test]
fn a_slot_that_was_in_reach_is_looked_at_again() {
    let fixture = Fixture::new();
    let tip = fixture.repo.tip();
    let captured = fixture.capture();
    let file = fixture.dir().join("a.txt");
    let times = fs::metadata(&file).and_then(|m| m.modified());
    let before = fs::read(&file).expect("a file");
    write(&file, "poisoned");
    let touched = fs::File::options().write(true).open(&file);
    let touched = touched.and_then(|f| f.set_modified(times.expect("a time")));
    touched.expect("its old time");
    write(&fixture.dir().join("planted"), "x");
    let known = KnownTree {
        tree: captured.tree,
        swept: false,
        untrusted: true,
    };
    let target = SlotTarget {
        tree: captured.tree,
        commit: tip,
        branch: MAIN,
    };
    let advanced = fixture.git.advance(&fixture.slot, known, target);
    assert_eq!(advanced.expect("a slot"), SlotPreparation::Incremental);
    assert_eq!(fs::read(&file).expect("a file"), before);
    assert!(!fixture.dir().join("planted").exists());
}
