//! A damaged, unusual or failing world: each a clear message and a defined exit code, and a plain
//! re-run once it is mended.

use super::sample::sample;
use super::world::{BRANCH, PROGRAM, Unit, World, good, text, two_units};
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const FEATURE: &str = ".gatewalk/features/FEAT-2026-0001-greetings";

/// No panic, no raw debug text, and a reason that is a sentence.
#[track_caller]
fn is_clear(name: &str, output: &Output) {
    let said = text(output);
    for raw in [
        "panicked",
        "RUST_BACKTRACE",
        "Os {",
        "Some(",
        "Error {",
        "kind:",
        "a bug in Gatewalk",
    ] {
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!said.contains(raw), "{name}: `{raw}` in {said}");
    }
    let code = output.status.code();
    let defined = [0, 3, 4, 5, 6, 10, 11, 12, 130, 143];
    assert!(code.is_some_and(|c| defined.contains(&c)), "{name}: {said}");
    if code != Some(0) {
        assert!(!output.stderr.is_empty(), "{name} says nothing");
    }
}

#[track_caller]
fn all_is_done(name: &str, world: &World, output: &Output) {
    assert_eq!(output.status.code(), Some(0), "{name}: {}", text(output));
    for id in ["T01", "T02"] {
        assert_eq!(
            world.git(&["show", &format!("{BRANCH}:{id}.txt")]),
            "whole\n",
            "{name}"
        );
        let search = format!("--grep=^Feature: FEAT-2026-0001/{id}$");
        let commits = world.git(&["log", "--format=%H", &search, BRANCH]);
        assert_eq!(commits.lines().count(), 1, "{name}: one commit for {id}");
        let unit = world.git(&["show", &format!("{BRANCH}:{FEATURE}/WU-{id}.md")]);
        assert!(
            unit.contains("attempts: 1\n"),
            "{name}: nothing else is charged: {unit}"
        );
    }
    let found = world.try_git(&["fsck", "--no-dangling", "--no-progress"]);
    assert!(found.is_some(), "{name}: damage");
}

/// A state of the repository before the run.
struct State {
    name: &'static str,
    /// Makes it, in the repository.
    script: &'static str,
    exit: i32,
    says: &'static str,
    /// Mends it; then a plain run does the whole job.
    mend: &'static str,
}

const STATES: &[State] = &[
    State {
        name: "in the middle of a merge on another branch",
        script: "git checkout -qb side; git commit -q --allow-empty -m s; git checkout -q main; git commit -q --allow-empty -m m; git merge -q --no-ff --no-commit side 2>/dev/null",
        exit: 0,
        says: "a `git merge` is under way",
        mend: "",
    },
    State {
        name: "in the middle of a merge on the feature's branch",
        script: "git branch feat/FEAT-2026-0001-greetings; git checkout -qb side; git commit -q --allow-empty -m s; git checkout -q feat/FEAT-2026-0001-greetings; git commit -q --allow-empty -m m; git merge -q --no-ff --no-commit side 2>/dev/null",
        exit: 5,
        says: "git merge --continue",
        mend: "git merge --abort",
    },
    State {
        name: "in the middle of a rebase of the feature's branch",
        script: "git checkout -qb feat/FEAT-2026-0001-greetings; echo a > README.md; git commit -qam a; git checkout -q main; echo b > README.md; git commit -qam b; git checkout -q feat/FEAT-2026-0001-greetings; git rebase -q main 2>/dev/null || true",
        exit: 5,
        says: "git rebase --abort",
        mend: "git rebase --abort",
    },
    State {
        name: "in the middle of a cherry-pick on the feature's branch",
        script: "git checkout -qb feat/FEAT-2026-0001-greetings; git branch side; echo a > README.md; git commit -qam a; git checkout -q side; echo b > README.md; git commit -qam b; git checkout -q feat/FEAT-2026-0001-greetings; git cherry-pick side 2>/dev/null || true",
        exit: 5,
        says: "git cherry-pick --abort",
        mend: "git cherry-pick --abort",
    },
    State {
        name: "bisecting",
        script: "git commit -q --allow-empty -m 2; git commit -q --allow-empty -m 3; git bisect start -q HEAD HEAD~2 >/dev/null",
        exit: 0,
        says: "a `git bisect` is under way",
        mend: "",
    },
    State {
        name: "detached",
        script: "git checkout -q --detach",
        exit: 0,
        says: "`HEAD` is detached",
        mend: "",
    },
    State {
        name: "no commit yet",
        script: "git checkout -q --orphan fresh",
        exit: 5,
        says: "no commit yet",
        mend: "git checkout -qf main",
    },
    State {
        name: "no repository",
        script: "mv .git ../git",
        exit: 5,
        says: "git init",
        mend: "mv ../git .git",
    },
    State {
        name: "a repository without a work tree",
        script: "git config core.bare true",
        exit: 5,
        says: "work tree",
        mend: "git config core.bare false",
    },
    State {
        name: "no HEAD",
        script: "mv .git/HEAD ../HEAD",
        exit: 6,
        says: "damaged",
        mend: "mv ../HEAD .git/HEAD",
    },
    State {
        name: "a HEAD of zeros",
        script: "cp .git/HEAD ../HEAD; printf '\\0\\0\\0\\0' > .git/HEAD",
        exit: 6,
        says: "damaged",
        mend: "mv ../HEAD .git/HEAD",
    },
    State {
        name: "a broken configuration",
        script: "cp .git/config ../config; echo '[core' >> .git/config",
        exit: 5,
        says: "config",
        mend: "mv ../config .git/config",
    },
    State {
        name: "a missing commit",
        script: "c=$(git rev-parse HEAD); mv .git/objects/$(echo $c | cut -c1-2) ../lost; git rev-parse HEAD > ../name",
        exit: 6,
        says: "git fsck",
        mend: "mv ../lost .git/objects/$(cut -c1-2 ../name)",
    },
    State {
        name: "a missing file of the plan",
        script: "c=$(git rev-parse HEAD:.gatewalk/features/FEAT-2026-0001-greetings/PLAN.md); f=.git/objects/$(echo $c | cut -c1-2)/$(echo $c | cut -c3-); echo $f > ../name; mv $f ../lost",
        exit: 6,
        says: "git fsck",
        mend: "mv ../lost $(cat ../name)",
    },
    State {
        name: "a torn object",
        script: "c=$(git rev-parse HEAD:check.sh); f=.git/objects/$(echo $c | cut -c1-2)/$(echo $c | cut -c3-); echo $f > ../name; cp $f ../whole; chmod +w $f; printf x > $f",
        exit: 6,
        says: "git fsck",
        mend: "cp ../whole $(cat ../name)",
    },
    State {
        name: "an index of zeros",
        script: "cp .git/index ../index; head -c 200 /dev/zero > .git/index",
        exit: 5,
        says: "index",
        mend: "mv ../index .git/index",
    },
    State {
        name: "no index",
        script: "cp .git/index ../index; rm .git/index",
        exit: 3,
        says: "uncommitted edits",
        mend: "mv ../index .git/index",
    },
    State {
        name: "the index held by another git",
        script: "touch .git/index.lock",
        exit: 0,
        says: "another git holds",
        mend: "",
    },
    State {
        name: "the feature's branch held by another git",
        script: "git branch feat/FEAT-2026-0001-greetings; touch .git/refs/heads/feat/FEAT-2026-0001-greetings.lock",
        exit: 5,
        says: ".lock",
        mend: "rm -f .git/refs/heads/feat/FEAT-2026-0001-greetings.lock",
    },
    State {
        name: "a branch where the feature's directory of branches goes",
        script: "git branch feat",
        exit: 5,
        says: "feat",
        mend: "git branch -q -D feat",
    },
    State {
        name: "a tag of the branch's name",
        script: "git tag feat/FEAT-2026-0001-greetings",
        exit: 0,
        says: "",
        mend: "git tag -d feat/FEAT-2026-0001-greetings >/dev/null",
    },
    State {
        name: "a file where the runtime state goes",
        script: "touch .git/gatewalk",
        exit: 5,
        says: ".git/gatewalk",
        mend: "rm .git/gatewalk",
    },
    State {
        name: "a directory where the lock goes",
        script: "mkdir -p .git/gatewalk/lock",
        exit: 5,
        says: "lock",
        mend: "rmdir .git/gatewalk/lock",
    },
    State {
        name: "garbage in every file of the runtime state",
        script: "mkdir -p .git/gatewalk/in-flight .git/gatewalk/slots/0; for f in lock family.lock follow.json in-flight/0.json slots/0/setup user-index; do head -c 300 /dev/urandom > .git/gatewalk/$f; done",
        exit: 0,
        says: "",
        mend: "",
    },
    State {
        name: "a file where slots go",
        script: "mkdir -p ../home/.cache; touch ../home/.cache/gatewalk",
        exit: 5,
        says: ".cache/gatewalk",
        mend: "rm ../home/.cache/gatewalk",
    },
    State {
        name: "commits from the future",
        script: "GIT_AUTHOR_DATE='2099-01-01T00:00:00Z' GIT_COMMITTER_DATE='2099-01-01T00:00:00Z' git commit -q --amend --no-edit; touch -d 2099-01-01 README.md check.sh",
        exit: 0,
        says: "",
        mend: "",
    },
    State {
        name: "an alternate object store that is gone",
        script: "echo /nowhere/objects > .git/objects/info/alternates",
        exit: 5,
        says: "alternate object path",
        mend: "rm .git/objects/info/alternates",
    },
    State {
        name: "signing that does not work",
        script: "git config commit.gpgsign true; git config gpg.program /nowhere",
        exit: 5,
        says: "signing does not work",
        mend: "git config commit.gpgsign false",
    },
    State {
        name: "replaced and grafted history",
        script: "git commit -q --allow-empty -m two; git replace HEAD HEAD~1; git config core.replaceRefs true",
        exit: 0,
        says: "",
        mend: "",
    },
];

#[test]
#[ignore = "long"]
fn every_state_has_a_message_and_a_code_and_a_rerun_after_mending_does_the_job() {
    let check = |state: &State| {
        let name = state.name;
        let world = two_units();
        world.sh(state.script);
        let output = world.walk_unconfined();
        is_clear(name, &output);
        let said = text(&output);
        assert_eq!(output.status.code(), Some(state.exit), "{name}: {said}");
        assert!(
            said.contains(state.says),
            "{name}: no `{}` in {said}",
            state.says
        );
        world.sh(state.mend);
        let output = if state.exit == 0 {
            output
        } else {
            world.walk_unconfined()
        };
        all_is_done(name, &world, &output);
    };
    // All that are tried, so that one failure does not hide another.
    let failed: Vec<&str> = sample("states", STATES, 5)
        .into_iter()
        .filter(|state| std::panic::catch_unwind(|| check(state)).is_err())
        .map(|state| state.name)
        .collect();
    assert!(failed.is_empty(), "{failed:?}");
}

/// Ways to make the repository another kind of repository; each does the whole job.
const KINDS: &[(&str, &str)] = &[
    (
        "SHA-256",
        "rm -rf .git; git init -q -b main --object-format=sha256; git add -A; git commit -qm start",
    ),
    (
        "reftable",
        "rm -rf .git; git init -q -b main --ref-format=reftable; git add -A; git commit -qm start",
    ),
    (
        "SHA-256 and reftable",
        "rm -rf .git; git init -q -b main --object-format=sha256 --ref-format=reftable; git add -A; git commit -qm start",
    ),
    (
        "shallow",
        "git commit -q --allow-empty -m two; mv ../repo ../full; git clone -q --depth 1 \"file://$PWD/../full\" ../repo 2>/dev/null || git clone -q --depth 1 \"file://$(cd ../full && pwd)\" ../repo",
    ),
    ("packed", "git gc -q; git pack-refs --all"),
    (
        "partial names",
        "git config core.abbrev 4; git config core.quotePath false; git config status.short true; git config color.ui always; git config core.pager false",
    ),
    (
        "odd settings",
        "git config core.autocrlf input; git config merge.conflictStyle zdiff3; git config diff.noprefix true; git config diff.external false; git config core.fsmonitor /nowhere; git config core.hooksPath /nowhere; git config log.showSignature true; git config core.untrackedCache true; git config index.version 4; git config feature.manyFiles true; git config submodule.recurse true; git config diff.renames copies; git config status.renames copies",
    ),
    ("split index", "git update-index --split-index"),
    (
        "separate git directory",
        "git init -q --separate-git-dir=../elsewhere",
    ),
];

#[test]
#[ignore = "long"]
fn every_kind_of_repository_is_driven() {
    for (name, script) in KINDS {
        let world = two_units();
        let at = world.repo();
        world.sh(script);
        assert!(at.exists());
        let output = world.walk_unconfined();
        is_clear(name, &output);
        all_is_done(name, &world, &output);
        assert_eq!(
            world.git(&["-c", "status.short=false", "status", "--porcelain"]),
            "",
            "{name}"
        );
    }
}

#[test]
fn a_linked_worktree_is_driven_where_it_is() {
    let world = two_units();
    let other = world.root.join("other");
    world.git(&[
        "worktree",
        "add",
        "-q",
        "-b",
        "here",
        other.to_str().unwrap(),
    ]);
    let sessions = world.root.join("sessions");
    let output = world
        .unconfined(&sessions)
        .current_dir(&other)
        .output()
        .unwrap();
    all_is_done("linked", &world, &output);
    let there = std::fs::read_to_string(other.join("T02.txt")).unwrap();
    assert_eq!(there, "whole\n", "its checkout follows");
    assert!(
        !world.repo().join("T02.txt").exists(),
        "the other one does not"
    );
    assert_eq!(world.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_submodules_checkout_is_driven_like_any_other() {
    let world = two_units();
    let outer = world.root.join("outer");
    world.sh("git init -q -b main ../outer; cd ../outer; git commit -q --allow-empty -m outer; git -c protocol.file.allow=always submodule --quiet add ../repo sub; git commit -qm sub",
    );
    let output = world
        .unconfined(&world.root.join("sessions"))
        .current_dir(outer.join("sub"))
        .output()
        .unwrap();
    is_clear("submodule", &output);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let inner = std::fs::read_to_string(outer.join("sub/T02.txt")).unwrap();
    assert_eq!(inner, "whole\n");
}

#[test]
#[ignore = "long"]
fn the_environment_changes_nothing() {
    let rows: &[&[(&str, &str)]] = &[
        &[("GIT_DIR", "/nowhere")],
        &[("GIT_WORK_TREE", "/"), ("GIT_DIR", "/tmp")],
        &[("GIT_INDEX_FILE", "/nowhere/index")],
        &[
            ("GIT_OBJECT_DIRECTORY", "/nowhere"),
            ("GIT_ALTERNATE_OBJECT_DIRECTORIES", "/nowhere"),
        ],
        &[("GIT_NAMESPACE", "x"), ("GIT_COMMON_DIR", "/nowhere")],
        &[
            ("GIT_CONFIG_COUNT", "1"),
            ("GIT_CONFIG_KEY_0", "core.bare"),
            ("GIT_CONFIG_VALUE_0", "true"),
        ],
        &[("GIT_CONFIG_PARAMETERS", "'core.worktree=/nowhere'")],
        &[
            ("GIT_TRACE", "1"),
            ("GIT_TRACE2", "1"),
            ("GIT_CURL_VERBOSE", "1"),
        ],
        &[
            ("GIT_EXTERNAL_DIFF", "false"),
            ("GIT_PAGER", "false"),
            ("GIT_EDITOR", "false"),
            ("PAGER", "false"),
        ],
        &[("GIT_LITERAL_PATHSPECS", "1"), ("GIT_ICASE_PATHSPECS", "1")],
        &[
            ("GIT_QUARANTINE_PATH", "/nowhere"),
            ("GIT_PREFIX", "x/"),
            ("GIT_CEILING_DIRECTORIES", "/"),
        ],
        &[
            ("GIT_DEFAULT_HASH", "sha256"),
            ("GIT_DEFAULT_REF_FORMAT", "reftable"),
        ],
        &[
            ("GIT_ATTR_SOURCE", "HEAD~9"),
            ("GIT_NO_REPLACE_OBJECTS", "1"),
            ("GIT_FLUSH", "0"),
        ],
        &[
            ("LC_ALL", "de_DE.UTF-8"),
            ("LANGUAGE", "de"),
            ("LANG", "de_DE.UTF-8"),
        ],
        &[("LC_ALL", "tr_TR.UTF-8")],
        &[("LC_ALL", "C"), ("TZ", "Pacific/Kiritimati")],
        &[
            ("TZ", "nonsense"),
            ("TMPDIR", "/nowhere"),
            ("COLUMNS", "0"),
            ("TERM", "dumb"),
        ],
        &[
            ("POSIXLY_CORRECT", "1"),
            ("GREP_OPTIONS", "-v"),
            ("CDPATH", "/tmp"),
            ("ENV", "/nowhere"),
            ("BASH_ENV", "/nowhere"),
        ],
    ];
    for row in sample("environments", rows, 3) {
        let world = two_units();
        let mut command = world.unconfined(&world.root.join("sessions"));
        let output = command.envs(row.iter().copied()).output().unwrap();
        let name = format!("{row:?}");
        is_clear(&name, &output);
        all_is_done(&name, &world, &output);
        assert_eq!(world.git(&["status", "--porcelain"]), "", "{name}");
    }
}

#[test]
fn a_missing_git_or_home_is_reported() {
    let world = two_units();
    let sessions = world.root.join("sessions");
    let empty = world.root.join("empty");
    std::fs::create_dir(&empty).unwrap();
    let output = world
        .unconfined(&sessions)
        .env("PATH", &empty)
        .output()
        .unwrap();
    is_clear("no git", &output);
    assert_eq!(output.status.code(), Some(5), "{}", text(&output));
    assert!(text(&output).contains("git"), "{}", text(&output));
    let output = world
        .unconfined(&sessions)
        .env_remove("HOME")
        .output()
        .unwrap();
    is_clear("no home", &output);
    all_is_done("no home", &world, &output);
}

/// Runs as another user where the tests run as root: permissions mean nothing to root.
fn as_nobody(world: &World, sessions: &Path) -> Option<Command> {
    let is_root = rustix::process::geteuid().is_root();
    let mut command = world.unconfined(sessions);
    if is_root {
        let found = Command::new("setpriv").arg("--version").output();
        if !found.is_ok_and(|o| o.status.success()) {
            return None;
        }
        let args: Vec<_> = command.get_args().map(ToOwned::to_owned).collect();
        let mut other = world.command("setpriv");
        other
            .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
            .arg(PROGRAM)
            .args(args);
        command = other;
    }
    Some(command)
}

#[test]
#[ignore = "long"]
fn a_directory_that_cannot_be_written_is_reported() {
    let rows: [(&str, &str, i32, &str); 3] = [
        ("the git directory", "chmod -R a-w .git", 5, "ermission"),
        (
            "the object store",
            "mkdir -p .git/gatewalk; chmod -R a-w .git/objects",
            5,
            "objects",
        ),
        (
            "the checkout",
            "chmod -R a-w .",
            0,
            "your checkout stays as it is",
        ),
    ];
    for (name, script, exit, says) in rows {
        let world = two_units();
        let sessions = world.root.join("sessions");
        let Some(mut command) = as_nobody(&world, &sessions) else {
            println!("SKIPPED: as root and without `setpriv` no directory is read-only");
            return;
        };
        world.sh("chmod -R a+rX ..; chmod a+rwx .. ../home");
        let script = format!(
            "{script}; {}",
            if exit == 0 { "chmod -R u+w .git" } else { ":" }
        );
        world.sh(&script);
        if rustix::process::geteuid().is_root() {
            world.sh("chown -R 65534:65534 ..");
        }
        let reachable = Command::new("setpriv")
            .args([
                "--reuid=65534",
                "--regid=65534",
                "--clear-groups",
                PROGRAM,
                "--version",
            ])
            .output();
        if rustix::process::geteuid().is_root() && !reachable.is_ok_and(|o| o.status.success()) {
            println!("SKIPPED: another user cannot reach the program under test");
            return;
        }
        let output = command.output().unwrap();
        is_clear(name, &output);
        let said = text(&output);
        assert_eq!(output.status.code(), Some(exit), "{name}: {said}");
        assert!(said.contains(says), "{name}: no `{says}` in {said}");
        world.sh("chmod -R u+w .");
        let Some(mut command) = as_nobody(&world, &sessions) else {
            return;
        };
        let output = command.output().unwrap();
        if exit != 0 {
            assert_eq!(output.status.code(), Some(0), "{name}: {}", text(&output));
        }
    }
}

/// One kind of failing system call.
struct Fault {
    calls: &'static str,
    how: &'static str,
    /// The N that are tried; all with `GATEWALK_FAULTS=full`, that one with a number.
    sample: &'static [u32],
}

const FAULTS: &[Fault] = &[
    Fault {
        calls: "write,pwrite64",
        how: "error=ENOSPC",
        sample: &[1, 2, 3, 6, 15],
    },
    Fault {
        calls: "write,pwrite64",
        how: "error=EIO",
        sample: &[1, 5, 12],
    },
    Fault {
        calls: "fsync,fdatasync",
        how: "error=EIO",
        sample: &[1, 2, 3],
    },
    Fault {
        calls: "rename,renameat,renameat2",
        how: "error=ENOSPC",
        sample: &[1, 2, 3, 5],
    },
    Fault {
        calls: "rename,renameat,renameat2",
        how: "signal=KILL",
        sample: &[1, 2, 3, 5, 8],
    },
    Fault {
        calls: "link,linkat,unlink,unlinkat",
        how: "error=EIO",
        sample: &[1, 2, 4, 7],
    },
    Fault {
        calls: "mkdir,mkdirat",
        how: "error=ENOSPC",
        sample: &[1, 2, 4],
    },
    Fault {
        calls: "clone,clone3,fork,vfork",
        how: "error=EAGAIN",
        sample: &[1, 3, 8, 20],
    },
];

/// Seconds until an answer of git that the fault swallowed is given up on.
const GIT_DEADLINE: &str = "15";

/// Runs the driver and all it starts with the N-th such call of every process failing; returns what
/// it said, whether anything was hit, and whether what was hit is the very line that says why.
fn run_with(world: &World, fault: &Fault, n: u32) -> (Output, bool, bool) {
    let log = world.root.join("strace");
    let driver = world.unconfined(&world.root.join("sessions"));
    let args: Vec<_> = driver.get_args().map(ToOwned::to_owned).collect();
    let output = world
        .command("strace")
        .args(["-f", "-qq", "--seccomp-bpf", "-e", "signal=none"])
        .arg("-o")
        .arg(&log)
        .arg("-e")
        .arg(format!("trace={}", fault.calls))
        .arg("-e")
        .arg(format!("inject={}:{}:when={n}", fault.calls, fault.how))
        .arg(PROGRAM)
        .args(args)
        .env("GATEWALK_TEST_GIT_DEADLINE", GIT_DEADLINE)
        .output()
        .unwrap();
    let log = std::fs::read_to_string(&log).unwrap_or_default();
    let hit = log.contains("INJECTED") || log.contains("killed by SIGKILL");
    let mute = |line: &str| line.contains(" write(2, ") && line.contains("INJECTED");
    let muted = log.lines().any(mute);
    (output, hit, muted)
}

#[test]
#[ignore = "long"]
fn a_failing_system_call_anywhere_is_a_clear_stop_and_a_plain_rerun_does_the_job() {
    let there = Command::new("strace").arg("-V").output();
    if !there.is_ok_and(|o| o.status.success()) {
        println!("SKIPPED: `strace` is not installed; no system call was made to fail");
        return;
    }
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while let Some(fault) = FAULTS.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let rows = inject(fault);
                    found.lock().unwrap().extend(rows);
                }
            });
        }
    });
    let rows = found.into_inner().unwrap();
    let wrong: Vec<&str> = rows.iter().filter_map(|row| row.as_deref()).collect();
    println!(
        "injected faults: {} of {} runs ended clearly and were finished by a plain re-run",
        rows.len() - wrong.len(),
        rows.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Tries one kind of fault at each N that is asked for; returns what was wrong with each run.
fn inject(fault: &Fault) -> Vec<Option<String>> {
    let size = std::env::var("GATEWALK_FAULTS").unwrap_or_default();
    let numbers: Vec<u32> = match &*size {
        "full" => (1..=400).collect(),
        "" => fault.sample.to_vec(),
        one => vec![one.parse().expect("`full` or a number")],
    };
    let mut rows = Vec::new();
    for n in numbers {
        let world = two_units();
        let (output, hit, muted) = run_with(&world, fault, n);
        let name = format!("{} {} at {n}", fault.calls, fault.how);
        let excused = muted || fault.how == "signal=KILL";
        rows.push(check(&world, &name, &output, excused));
        if !hit {
            break;
        }
    }
    rows
}

fn check(world: &World, name: &str, output: &Output, excused: bool) -> Option<String> {
    let verdict = std::panic::catch_unwind(|| {
        let silent = output.stderr.is_empty() || output.status.code().is_none_or(|c| c == 137);
        if !(excused && silent) {
            is_clear(name, output);
        }
        let mut again = world.walk_unconfined();
        // An attempt that the fault itself made fail may have been charged and the unit parked.
        if again.status.code() == Some(11) {
            drop(world.run(&["unblock", "T01", "--reason", "there is space again"]));
            drop(world.run(&["unblock", "T02", "--reason", "there is space again"]));
            again = world.walk_unconfined();
        }
        if again.status.code() == Some(3) && text(&again).contains("(done)") {
            // The fault came after the last commit.
        } else {
            assert_eq!(
                again.status.code(),
                Some(0),
                "{name}: {}\n-- then {}",
                text(output),
                text(&again)
            );
        }
        for id in ["T01", "T02"] {
            let file = world.try_git(&["show", &format!("{BRANCH}:{id}.txt")]);
            assert_eq!(file.as_deref(), Some("whole\n"), "{name}: {}", text(&again));
            let search = format!("--grep=^Feature: FEAT-2026-0001/{id}$");
            let commits = world.git(&["log", "--format=%H", &search, BRANCH]);
            assert_eq!(commits.lines().count(), 1, "{name}: one commit for {id}");
        }
        let found = world.try_git(&["fsck", "--no-dangling", "--no-progress"]);
        assert!(found.is_some(), "{name}: damage");
        assert_eq!(
            world.git(&["status", "--porcelain"]),
            "",
            "{name}: {}\n-- then {}",
            text(output),
            text(&again)
        );
    });
    let panic = verdict.err()?;
    let why = panic.downcast_ref::<String>().cloned();
    Some(why.unwrap_or_else(|| name.to_owned()))
}

/// Returns the body of each test module that the page may name, by the path before the name.
fn source_of(path: &str) -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = if let Some(module) = path.strip_prefix("host::") {
        format!(
            "crates/host/src/{}.rs",
            module.split("::apart").next()?.replace("::", "/")
        )
    } else {
        format!("tests/suite/{path}.rs")
    };
    let directory = match path {
        "simulator" => "crates/core/tests/simulator/main.rs".to_owned(),
        _ => format!("tests/suite/{path}/mod.rs"),
    };
    std::fs::read_to_string(root.join(file))
        .or_else(|_| std::fs::read_to_string(root.join(directory)))
        .ok()
}

#[test]
fn every_row_of_the_fault_table_names_a_test_that_is_there() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/faults.md");
    let page = std::fs::read_to_string(page).unwrap();
    let rows = page
        .lines()
        .filter(|l| l.starts_with("| ") && !l.starts_with("| what happens"));
    let mut count = 0;
    for row in rows {
        let name = row.trim_end_matches([' ', '|']).rsplit('`').nth(1);
        let (path, test) = name.and_then(|n| n.rsplit_once("::")).expect(row);
        let source = source_of(path).unwrap_or_else(|| panic!("no `{path}`: {row}"));
        let tests = source.split("#[test]").skip(1);
        let found = tests
            .filter_map(|after| {
                after
                    .lines()
                    .map(str::trim)
                    .find(|line| line.starts_with("fn "))
            })
            .any(|line| line.starts_with(&format!("fn {test}()")));
        assert!(found, "no test `{test}` in `{path}`: {row}");
        count += 1;
    }
    assert!(count > 20, "{count} rows");
}

#[test]
fn old_attempts_are_let_go_of_and_never_the_newest() {
    let bad = good("T01").replace("      whole", "      half");
    let world = World::with_units(&[
        Unit {
            id: "T01",
            sessions: &[&bad, &good("T01")],
            ..Unit::default()
        },
        Unit {
            id: "T02",
            after: &["T01"],
            front: "max_attempts: 1\n",
            sessions: &[&bad.replace("T01", "T02")],
        },
    ]);
    let refs = || {
        let refs = world.git(&[
            "for-each-ref",
            "--format=%(refname)",
            "refs/gatewalk/attempts",
        ]);
        refs.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let prune = |more: &[&str]| {
        let mut args = vec!["attempts", "--prune", "--older-than", "0d"];
        args.extend_from_slice(more);
        let output = world.run(&args);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
        text(&output)
    };
    assert_eq!(world.walk_unconfined().status.code(), Some(11));
    assert_eq!(refs().len(), 3);
    prune(&["--keep", "1"]);
    assert_eq!(refs().len(), 3, "a gate that is open still counts them");
    drop(world.run(&["unblock", "T02", "--reason", "again"]));
    std::fs::write(world.root.join("sessions/T02.yml"), good("T02")).unwrap();
    std::fs::remove_file(world.root.join("sessions/T02.1.yml")).unwrap();
    let output = world.walk_unconfined();
    assert_eq!(output.status.code(), Some(10), "{}", text(&output));
    let output = world.run(&["arm"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let all = refs();
    assert_eq!(all.len(), 4);
    let said = prune(&["--keep", "1", "--dry-run"]);
    assert!(said.contains("2 attempts would be let go"), "{said}");
    assert_eq!(refs(), all);
    assert!(
        text(&world.run(&["attempts", "--prune"])).contains("0 attempts"),
        "all are young"
    );
    prune(&["--keep", "2"]);
    assert_eq!(refs(), all);
    prune(&["--keep", "1"]);
    let left = refs();
    let newest = ["T01/2", "T02/2"].map(|n| format!("refs/gatewalk/attempts/FEAT-2026-0001/{n}"));
    assert_eq!(left, newest);
    let logs = world.repo().join(".git/gatewalk/logs/FEAT-2026-0001_T01");
    assert!(!logs.join("1").exists() && logs.join("2").exists());
}
