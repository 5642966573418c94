//! A user's verbs in odd states of the repository: each does its job or says why not with a defined exit code, all
//! or nothing; what is the user's stays; and once the state is mended the same command does the job.

use super::sample::is_full;
use super::world::{BRANCH, PROGRAM, Unit, World, after_shell, good, text};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Output;

const FEATURE: &str = ".gatewalk/features/FEAT-2026-0001-greetings";

/// A command of a user's, and how to see that it did its job.
struct Verb {
    args: &'static [&'static str],
    /// Before the odd state.
    prepare: &'static str,
    /// A shell text that succeeds once the job is done, and not before.
    done: &'static str,
    /// The file of the plan that it edits; empty where it edits none.
    edits: &'static str,
    /// Whether it commits.
    commits: bool,
}

macro_rules! on_branch {
    ($file:literal, $has:literal) => {
        concat!(
            "git show feat/FEAT-2026-0001-greetings:.gatewalk/features/FEAT-2026-0001-greetings/",
            $file,
            " | grep -q '",
            $has,
            "'"
        )
    };
}

macro_rules! in_feature {
    ($file:literal) => {
        concat!(".gatewalk/features/FEAT-2026-0001-greetings/", $file)
    };
}

const VERBS: &[Verb] = &[
    Verb {
        args: &["arm", "FEAT-2026-0001/T01"],
        prepare: "",
        done: on_branch!("WU-T01.md", "^status: pending"),
        edits: in_feature!("WU-T01.md"),
        commits: true,
    },
    Verb {
        args: &["new", "unit", "One more"],
        prepare: "",
        done: "ls .gatewalk/features/*/WU-*-one-more.md && grep -q one-more .gatewalk/features/*/PLAN.md",
        edits: in_feature!("PLAN.md"),
        commits: false,
    },
    Verb {
        args: &["unblock", "FEAT-2026-0001/T02", "--reason", "so"],
        prepare: "",
        done: on_branch!("WU-T02.md", "^status: pending"),
        edits: in_feature!("WU-T02.md"),
        commits: true,
    },
    Verb {
        args: &["init"],
        prepare: "git checkout -q main; git rm -rq .gatewalk; git commit -qm none",
        done: "[ -e .gatewalk/verification.yml ] && [ -e .gatewalk/templates/WU.md ]",
        edits: "",
        commits: false,
    },
    Verb {
        args: &["done", "FEAT-2026-0001/T03", "--evidence", "see"],
        prepare: "",
        done: on_branch!("WU-T03.md", "^status: done"),
        edits: in_feature!("WU-T03.md"),
        commits: true,
    },
    Verb {
        args: &["new", "feature", "Something else"],
        prepare: "",
        done: "id=$(ls .gatewalk/features | grep something-else | tail -n 1 | cut -c1-14); [ -n \"$id\" ] && grep -q \"$id\" .gatewalk/roadmap.md",
        edits: ".gatewalk/roadmap.md",
        commits: false,
    },
    Verb {
        args: &["abandon", "FEAT-2026-0001/T04", "--reason", "so"],
        prepare: "",
        done: on_branch!("WU-T04.md", "^status: abandoned"),
        edits: in_feature!("WU-T04.md"),
        commits: true,
    },
    Verb {
        args: &["upgrade"],
        prepare: "",
        done: "[ -e .gatewalk/templates/WU.md ] && [ -e .gatewalk/rules/scope.md ]",
        edits: "",
        commits: false,
    },
    Verb {
        args: &["attempts", "recover", "FEAT-2026-0001/T02", "1"],
        prepare: "",
        done: "git rev-parse -q --verify refs/heads/attempt/FEAT-2026-0001/T02/1",
        edits: "",
        commits: false,
    },
];

/// A state of the repository.
struct State {
    name: &'static str,
    script: &'static str,
    mend: &'static str,
    /// How a verb that commits ends, and what it says then.
    exit: i32,
    says: &'static str,
    /// How one that only writes files ends.
    plain: i32,
}

const STATE: State = State {
    name: "",
    script: "",
    mend: "",
    exit: 0,
    says: "",
    plain: 0,
};

/// `$EDITS` is the file the verb edits.
const STATES: &[State] = &[
    State {
        name: "the user's work of every kind",
        script: "echo a >> README.md; git add README.md; echo b >> README.md; echo n > new; echo s > staged; git add staged; echo i > soon; git add -N soon; printf x > \"$(printf '\\377')\"; echo z > check2; git add check2; rm check2",
        ..STATE
    },
    State {
        name: "in the middle of a merge on the feature's branch",
        script: "git branch -q side; echo m > m; git add m; git commit -qm m; git checkout -q side; echo s > s; git add s; git commit -qm s; git checkout -q -; git merge -q --no-ff --no-commit side",
        mend: "git commit -qm merged",
        exit: 5,
        says: "a `git merge` is under way",
        ..STATE
    },
    State {
        name: "in the middle of a merge with conflicts elsewhere",
        script: "git checkout -q -b one; echo o > README.md; git commit -qam o; git checkout -q -b two HEAD~1; echo t > README.md; git commit -qam t; git merge -q one || true",
        mend: "git checkout -q --ours README.md; git add README.md; git commit -qm merged",
        ..STATE
    },
    State {
        name: "in the middle of a rebase of the feature's branch",
        script: "git branch -q side HEAD~1; echo a > README.md; git commit -qam a; git checkout -q side; echo b > README.md; git commit -qam b; git checkout -q feat/FEAT-2026-0001-greetings; git rebase -q side || true",
        mend: "git rebase --abort 2>/dev/null || true",
        exit: 5,
        says: "git rebase --abort",
        ..STATE
    },
    State {
        name: "detached",
        script: "git checkout -q --detach",
        ..STATE
    },
    State {
        name: "no commit yet",
        script: "git symbolic-ref HEAD > ../head; git checkout -q --orphan fresh",
        mend: "git symbolic-ref HEAD $(cat ../head)",
        exit: 5,
        says: "no commit yet",
        ..STATE
    },
    State {
        name: "the index held by another git",
        script: "touch .git/index.lock",
        mend: "rm .git/index.lock",
        ..STATE
    },
    State {
        name: "the feature's branch held by another git",
        script: "mkdir -p .git/refs/heads/feat; touch .git/refs/heads/feat/FEAT-2026-0001-greetings.lock",
        mend: "rm .git/refs/heads/feat/FEAT-2026-0001-greetings.lock",
        exit: 5,
        says: ".lock",
        ..STATE
    },
    State {
        name: "the feature's branch checked out elsewhere",
        script: "git checkout -q main 2>/dev/null; git worktree add -q ../elsewhere feat/FEAT-2026-0001-greetings",
        mend: "git worktree remove ../elsewhere",
        exit: 5,
        says: "is checked out in the worktree",
        ..STATE
    },
    State {
        name: "an edit of the very file",
        script: "[ -z \"$EDITS\" ] || echo mine >> \"$EDITS\"",
        mend: "[ -z \"$EDITS\" ] || git add \"$EDITS\"; git commit -q --allow-empty -m mine",
        exit: 3,
        says: "uncommitted edits",
        ..STATE
    },
    State {
        name: "a staged edit of the very file",
        script: "[ -z \"$EDITS\" ] || { echo mine >> \"$EDITS\"; git add \"$EDITS\"; }",
        mend: "git commit -q --allow-empty -m mine",
        exit: 3,
        says: "uncommitted edits",
        ..STATE
    },
    State {
        name: "the very file removed from the index",
        script: "[ -z \"$EDITS\" ] || git rm -q --cached \"$EDITS\"",
        mend: "git reset -q",
        says: "stay beside what landed",
        ..STATE
    },
    State {
        name: "a damaged index",
        script: "cp .git/index ../index; head -c 200 /dev/zero > .git/index",
        mend: "mv ../index .git/index",
        says: "your checkout stays as it is",
        ..STATE
    },
    State {
        name: "a file where the runtime state goes",
        script: "rm -rf .git/gatewalk; touch .git/gatewalk",
        mend: "rm .git/gatewalk",
        exit: 5,
        says: ".git/gatewalk",
        ..STATE
    },
    State {
        name: "another program's temporary files",
        script: "touch .gatewalk-x.tmp .gatewalk/.gatewalk-x.tmp 2>/dev/null || true",
        ..STATE
    },
    State {
        name: "bisecting",
        script: "git bisect start -q HEAD HEAD~1 >/dev/null 2>&1 || git bisect start -q >/dev/null",
        mend: "git bisect reset >/dev/null 2>&1",
        ..STATE
    },
];

/// One draft, one parked with an attempt, one of a user's, one that waits.
fn world() -> World {
    let bad = good("T02").replace("      whole", "      half");
    let world = World::with_units(&[
        Unit::with("T01", &[]),
        Unit {
            id: "T02",
            front: "max_attempts: 1\n",
            sessions: &[&bad],
            ..Unit::default()
        },
        Unit::with("T03", &[]),
        Unit {
            id: "T04",
            after: &["T01"],
            ..Unit::default()
        },
    ]);
    let replace = |unit: &str, from: &str, to: &str| {
        let path = format!("{FEATURE}/WU-{unit}.md");
        world.write(&path, world.read(&path).replace(from, to));
    };
    replace("T01", "status: pending", "status: draft");
    replace("T03", "type: implementation", "type: human");
    world.git(&["commit", "-qam", "a plan"]);
    let output = world.walk_unconfined();
    assert_eq!(output.status.code(), Some(11), "{}", text(&output));
    world
}

fn sh(world: &World, verb: &Verb, script: &str) -> Output {
    let mut command = world.command("sh");
    command.args(["-ec", script]).env("EDITS", verb.edits);
    command.output().unwrap()
}

#[track_caller]
fn must(world: &World, verb: &Verb, script: &str) {
    let output = sh(world, verb, script);
    assert!(output.status.success(), "{script}: {}", text(&output));
}

/// Everything there is: what a verb that refuses leaves as it was.
#[derive(Debug, PartialEq)]
struct View {
    head: String,
    refs: String,
    index: Vec<u8>,
    stash: String,
    config: String,
    files: BTreeMap<PathBuf, Vec<u8>>,
}

/// The entries of an index that are not the plan's, or all of them.
fn index(world: &World, all: bool) -> Vec<u8> {
    let output = world
        .command("git")
        .args(["ls-files", "-s", "-v", "-z"])
        .output()
        .unwrap();
    let records = output.stdout.split(|b| *b == 0);
    let plan = |record: &[u8]| record.windows(11).any(|w| w == b"\t.gatewalk/");
    let kept = records.filter(|r| all || !plan(r));
    kept.collect::<Vec<_>>().join(&b"\n"[..])
}

fn view(world: &World, all: bool) -> View {
    let refs = world.git(&["for-each-ref"]);
    let own = |line: &&str| {
        all || !(line.contains(BRANCH)
            || line.contains("/attempt/")
            || line.contains("refs/gatewalk"))
    };
    let root = world.repo();
    let entries = walkdir::WalkDir::new(&root)
        .into_iter()
        .filter_entry(|e| e.file_name() != ".git")
        .map(Result::unwrap);
    let files = entries
        .filter(|e| !e.file_type().is_dir())
        .filter(|e| all || !e.path().starts_with(root.join(".gatewalk")))
        // `init` may add a block there, and the landed work comes with the branch.
        .filter(|e| all || (e.file_name() != ".gitignore"))
        // What a killed command was preparing.
        .filter(|e| all || !e.path().to_string_lossy().contains("/.gatewalk-"))
        .map(|e| (e.path().to_path_buf(), std::fs::read(e.path()).unwrap()))
        .collect();
    let head = if all {
        world.read(".git/HEAD")
    } else {
        String::new()
    };
    View {
        head,
        refs: refs.lines().filter(own).collect::<Vec<_>>().join("\n"),
        index: index(world, all),
        stash: world.git(&["stash", "list"]),
        config: world.read(".git/config"),
        files,
    }
}

#[track_caller]
fn is_clear(name: &str, output: &Output) {
    let said = String::from_utf8_lossy(&output.stderr);
    for raw in [
        "panicked",
        "RUST_BACKTRACE",
        "Os {",
        "Some(",
        "kind:",
        "a bug in Gatewalk",
        "internal",
    ] {
        assert!(!said.contains(raw), "{name}: `{raw}` in {said}");
    }
    if !output.status.success() {
        assert!(said.contains("error: "), "{name}: no reason: {said}");
    }
}

fn check(world: &World, verb: &Verb, state: &State) {
    let name = format!("{:?}, {}", verb.args, state.name);
    let world = world.fork();
    let is_done = || sh(&world, verb, verb.done).status.success();
    must(&world, verb, verb.prepare);
    assert!(!is_done(), "{name}: before");
    must(&world, verb, state.script);
    if verb.args == ["init"] && world.repo().join(".gatewalk").exists() {
        // The state brings the other branch's plan.
        return;
    }
    let (all, theirs) = (view(&world, true), view(&world, false));
    let output = world.run(verb.args);
    let said = text(&output);
    is_clear(&name, &output);
    let want = if verb.commits {
        state.exit
    } else {
        state.plain
    };
    let code = output.status.code();
    if verb.commits {
        assert_eq!(code, Some(want), "{name}: {said}");
        assert!(
            said.contains(state.says),
            "{name}: no `{}`: {said}",
            state.says
        );
    }
    if code == Some(0) {
        assert!(is_done(), "{name}: not done: {said}");
        assert_eq!(view(&world, false), theirs, "{name}: {said}");
    } else {
        let defined = [3, 4, 5, 6].contains(&code.unwrap_or_default());
        assert!(defined, "{name}: {said}");
        assert_eq!(view(&world, true), all, "{name}: half done: {said}");
    }
    must(&world, verb, state.mend);
    if code != Some(0) {
        let output = world.run(verb.args);
        assert!(
            output.status.success() && is_done(),
            "{name}, again: {}",
            text(&output)
        );
    }
    if verb.commits && !state.says.starts_with("kept") {
        // Whatever comes next, the checkout follows what it could not follow before.
        let output = world.run(verb.args);
        assert_eq!(
            output.status.code(),
            Some(3),
            "{name}, twice: {}",
            text(&output)
        );
        let status = world.git(&["status", "--porcelain", "--untracked-files=no", FEATURE]);
        assert_eq!(status, "", "{name}: {said}");
    }
    let found = world.try_git(&["fsck", "--no-dangling", "--no-progress"]);
    assert!(found.is_some(), "{name}: damage");
}

/// Every verb in every state with `GATEWALK_ODD_VERBS=full`; otherwise each second state with one verb that commits or
/// writes, or each with two where the long tables are asked for, always the same ones.
#[test]
fn a_verb_in_an_odd_state_does_its_job_or_nothing_and_says_why() {
    let full = std::env::var("GATEWALK_ODD_VERBS").is_ok_and(|v| v == "full");
    let world = world();
    let mut rows = Vec::new();
    for (n, state) in STATES.iter().enumerate() {
        for (m, verb) in VERBS.iter().enumerate() {
            let [first, second] = [n, n + 3].map(|shift| m == shift % VERBS.len());
            if full || is_full() && (first || second) || first && n % 2 == 0 {
                rows.push((verb, state));
            }
        }
    }
    let next = std::sync::atomic::AtomicUsize::new(0);
    let failures = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((verb, state)) =
                    rows.get(next.fetch_add(1, std::sync::atomic::Ordering::SeqCst))
                {
                    let run = std::panic::AssertUnwindSafe(|| check(&world, verb, state));
                    if std::panic::catch_unwind(run).is_err() {
                        let name = format!("{:?}, {}", verb.args, state.name);
                        failures.lock().unwrap().push(name);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    println!(
        "odd states: {} of {} held",
        rows.len() - failures.len(),
        rows.len()
    );
    assert!(failures.is_empty(), "{failures:#?}");
}

/// Kills a verb at every so many of its effects; what is run next, the same command, finds nothing half done.
#[test]
#[ignore = "long"]
fn a_verb_that_is_killed_anywhere_is_done_or_not_begun_and_the_same_again_does_it() {
    if !cfg!(any(debug_assertions, feature = "test-fakes")) {
        println!("SKIPPED: a release build without the feature `test-fakes` has no crash points");
        return;
    }
    let full = std::env::var("GATEWALK_ODD_VERBS").is_ok_and(|v| v == "full");
    let start = world();
    let mut killed = 0;
    for verb in VERBS {
        let (world, log) = (start.fork(), start.root.join("points"));
        must(&world, verb, verb.prepare);
        drop(std::fs::remove_file(&log));
        let output = world
            .command(PROGRAM)
            .args(verb.args)
            .env("GATEWALK_TEST_POINTS", &log)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", text(&output));
        let points = std::fs::read_to_string(&log)
            .unwrap_or_default()
            .lines()
            .count();
        assert!(points > 0, "{:?}", verb.args);
        // From the end, where the branch has moved and the checkout has not followed.
        let stride = if full { 1 } else { points.div_ceil(3) };
        for point in (1..=points).rev().step_by(stride) {
            let name = format!("{:?}, killed at {point} of {points}", verb.args);
            let world = start.fork();
            must(&world, verb, verb.prepare);
            let commits = || {
                world
                    .git(&["rev-list", "--count", BRANCH])
                    .trim()
                    .parse::<u32>()
                    .unwrap()
            };
            let (before, theirs) = (commits(), view(&world, false));
            let output = world
                .command(PROGRAM)
                .args(verb.args)
                .env("GATEWALK_TEST_KILL_AT", point.to_string())
                .output()
                .unwrap();
            assert_eq!(output.status.code(), None, "{name}: {}", text(&output));
            killed += 1;
            let done = sh(&world, verb, verb.done).status.success();
            let output = world.run(verb.args);
            let said = text(&output);
            is_clear(&name, &output);
            let again = output.status.code();
            // A second unit or feature of the same name is what was asked for.
            let twice = verb.args[0] == "new" || verb.args[0] == "upgrade";
            let want = if done && !twice { 3 } else { 0 };
            assert_eq!(again, Some(want), "{name}: {said}");
            assert!(
                sh(&world, verb, verb.done).status.success(),
                "{name}: {said}"
            );
            assert_eq!(view(&world, false), theirs, "{name}: {said}");
            if verb.commits {
                assert_eq!(commits(), before + 1, "{name}: {said}");
                assert_eq!(world.git(&["status", "--porcelain"]), "", "{name}: {said}");
            }
            let found = world.try_git(&["fsck", "--no-dangling", "--no-progress"]);
            assert!(found.is_some(), "{name}: damage");
        }
    }
    println!("verbs killed at {killed} points: all done by the same command again");
}

/// The N-th call of a kind fails, in the program and in every git it starts.
#[test]
#[ignore = "long"]
fn a_verb_on_a_full_disk_is_done_or_not_begun() {
    let there = std::process::Command::new("strace").arg("-V").output();
    if !there.is_ok_and(|o| o.status.success()) {
        println!("SKIPPED: `strace` is not installed; no system call was made to fail");
        return;
    }
    let full = std::env::var("GATEWALK_ODD_VERBS").is_ok_and(|v| v == "full");
    let start = world();
    let kinds = [
        ("write,pwrite64,mkdir,mkdirat", "ENOSPC", [1, 2, 4]),
        ("rename,renameat,renameat2,link,linkat", "ENOSPC", [1, 2, 3]),
        ("fsync,fdatasync", "EIO", [1, 2, 3]),
    ];
    let mut held = 0;
    for (v, verb) in VERBS.iter().enumerate() {
        for (k, (calls, error, some)) in kinds.iter().enumerate() {
            let numbers: Vec<u32> = match full {
                true => (1..40).collect(),
                false => vec![some[(v + k) % some.len()]],
            };
            for n in numbers {
                let name = format!("{:?}, {calls} {error} at {n}", verb.args);
                let world = start.fork();
                must(&world, verb, verb.prepare);
                let (all, theirs) = (view(&world, true), view(&world, false));
                let log = world.root.join("strace");
                let output = world
                    .command("strace")
                    .args(["-f", "-qq", "--seccomp-bpf", "-e", "signal=none", "-o"])
                    .arg(&log)
                    .arg("-e")
                    .arg(format!("trace={calls}"))
                    .arg("-e")
                    .arg(format!("inject={calls}:error={error}:when={n}"))
                    .arg(PROGRAM)
                    .args(verb.args)
                    .output()
                    .unwrap();
                let log = std::fs::read_to_string(&log).unwrap_or_default();
                let said = text(&output);
                let mute = |l: &str| l.contains(" write(2, ") && l.contains("INJECTED");
                if !log.lines().any(mute) {
                    is_clear(&name, &output);
                }
                let code = output.status.code();
                assert!([0, 3, 5, 6].map(Some).contains(&code), "{name}: {said}");
                let done = sh(&world, verb, verb.done).status.success();
                if done {
                    assert_eq!(view(&world, false), theirs, "{name}: {said}");
                } else {
                    assert_ne!(code, Some(0), "{name}: {said}");
                    assert_eq!(view(&world, true), all, "{name}: half done: {said}");
                    let output = world.run(verb.args);
                    assert!(output.status.success(), "{name}, again: {}", text(&output));
                    assert!(
                        sh(&world, verb, verb.done).status.success(),
                        "{name}, again"
                    );
                }
                held += 1;
                if !log.contains("INJECTED") {
                    break;
                }
            }
        }
    }
    println!("verbs on a failing disk: {held} held");
}

/// A driver stands in the middle of a session while a user decides about other units of the same feature.
#[test]
fn verbs_beside_a_driver_at_work_on_the_same_feature_all_count() {
    let world = World::with_units(&["T01", "T02", "T03", "T04"].map(|id| Unit {
        id,
        ..Unit::default()
    }));
    let go = world.root.join("flags/go");
    std::fs::create_dir(world.root.join("flags")).unwrap();
    let wait = format!(
        "touch at-work; until [ -e '{}' ]; do sleep 0.02; done; rm at-work",
        go.display()
    );
    std::fs::write(
        world.root.join("sessions/T04.1.yml"),
        after_shell("T04", &wait),
    )
    .unwrap();
    std::fs::write(world.root.join("sessions/T01.1.yml"), good("T01")).unwrap();
    let replace = |unit: &str, from: &str, to: &str| {
        let path = format!("{FEATURE}/WU-{unit}.md");
        world.write(&path, world.read(&path).replace(from, to));
    };
    replace("T01", "status: pending", "status: draft");
    replace("T02", "status: pending", "status: draft");
    replace("T03", "type: implementation", "type: human");
    world.git(&["commit", "-qam", "a plan"]);
    let driver = world
        .unconfined(&world.root.join("sessions"))
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let slots = || walkdir::WalkDir::new(world.root.join("home/.cache/gatewalk")).into_iter();
    let patience = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while !slots()
        .filter_map(Result::ok)
        .any(|e| e.file_name() == "at-work")
    {
        assert!(std::time::Instant::now() < patience, "never at work");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let verbs: [&[&str]; 3] = [
        &["arm", "FEAT-2026-0001/T01"],
        &["done", "FEAT-2026-0001/T03", "--evidence", "see"],
        &["abandon", "FEAT-2026-0001/T02", "--reason", "so"],
    ];
    // At the same time, as people at several terminals would.
    std::thread::scope(|scope| {
        for args in verbs {
            let world = &world;
            scope.spawn(move || {
                let output = world.run(args);
                assert!(output.status.success(), "{args:?}: {}", text(&output));
            });
        }
    });
    std::fs::write(&go, "").unwrap();
    let output = driver.wait_with_output().unwrap();
    let said = text(&output);
    assert_eq!(output.status.code(), Some(10), "{said}");
    for (id, status) in [
        ("T01", "done"),
        ("T02", "abandoned"),
        ("T03", "done"),
        ("T04", "done"),
    ] {
        let unit = world.git(&["show", &format!("{BRANCH}:{FEATURE}/WU-{id}.md")]);
        assert!(
            unit.contains(&format!("\nstatus: {status}\n")),
            "{id}: {unit}\n{said}"
        );
    }
    assert_eq!(world.git(&["status", "--porcelain"]), "", "{said}");
    assert!(!said.contains("kept your version"), "{said}");
}
