//! Git commands that the user runs by hand in the middle of an attempt, with confined sessions and
//! with unconfined ones: nothing is lost, every stop says why, and a plain re-run does the job.

use super::sample::sample;
use super::world::{BRANCH, Unit, World, after_shell, good, text};
use std::io::{BufRead, BufReader, Read};
use std::process::{Output, Stdio};
use std::time::Duration;

/// What the user runs, in the repository.
struct Row {
    name: &'static str,
    /// Before the run, on the feature's branch.
    before: &'static str,
    /// While the session of this unit is at work.
    during: &'static str,
    script: &'static str,
    /// After a run that stopped.
    mend: &'static str,
    /// A file of theirs and what is in it when all is done; nothing where they took it away.
    mine: Option<(&'static str, &'static str)>,
    /// What the driver says.
    says: &'static str,
    /// How the run ends where sessions are not confined: nobody can know who did it.
    exit_unconfined: i32,
    /// How it ends where they are.
    exit_confined: i32,
}

const ROW: Row = Row {
    name: "",
    before: "",
    during: "T01",
    script: "",
    mend: "",
    mine: None,
    says: "",
    exit_unconfined: 0,
    exit_confined: 0,
};

const ROWS: &[Row] = &[
    Row {
        name: "amends with a new file",
        before: "git commit -q --allow-empty -m two",
        script: "echo mine > new; git add new; git commit -q --amend -m mine",
        mine: Some(("new", "mine\n")),
        ..ROW
    },
    Row {
        name: "amends the very first commit",
        script: "echo mine > new; git add new; git commit -q --amend -m mine",
        mine: Some(("new", "mine\n")),
        ..ROW
    },
    Row {
        name: "amends the message alone",
        before: "git commit -q --allow-empty -m two",
        script: "git commit -q --allow-empty --amend -m mine",
        ..ROW
    },
    Row {
        name: "amends what landed",
        during: "T02",
        script: "echo mine > new; git add new; git commit -q --amend --no-edit",
        mine: Some(("new", "mine\n")),
        ..ROW
    },
    Row {
        name: "takes a commit of theirs back",
        before: "echo two > two; git add two; git commit -qm two",
        script: "git reset -q --hard HEAD~1",
        exit_unconfined: 6,
        ..ROW
    },
    Row {
        name: "takes a landing back",
        during: "T02",
        script: "git reset -q --hard HEAD~1",
        exit_unconfined: 6,
        ..ROW
    },
    Row {
        name: "squashes their commits",
        before: "echo a > a; git add a; git commit -qm a; echo b > b; git add b; git commit -qm b",
        script: "git reset -q --soft HEAD~2; git commit -qm both",
        mine: Some(("b", "b\n")),
        ..ROW
    },
    Row {
        name: "deletes the branch",
        script: "git checkout -q main; git branch -q -D feat/FEAT-2026-0001-greetings",
        exit_unconfined: 6,
        exit_confined: 6,
        ..ROW
    },
    Row {
        name: "renames the branch",
        script: "git branch -m mine",
        exit_unconfined: 6,
        exit_confined: 6,
        ..ROW
    },
    Row {
        name: "checks another branch out",
        script: "git checkout -q main; echo mine > new",
        mine: Some(("new", "mine\n")),
        ..ROW
    },
    Row {
        name: "starts a branch and commits there",
        script: "git checkout -q -b mine; echo mine > new; git add new; git commit -qm mine",
        mine: Some(("new", "mine\n")),
        ..ROW
    },
    Row {
        name: "stashes an edit and a new file",
        script: "echo mine >> README.md; echo new > new; git stash -q -u",
        mine: Some(("README.md", "one\ntwo\nthree\n")),
        ..ROW
    },
    Row {
        name: "collects garbage",
        during: "T02",
        script: "git reflog expire --expire=now --all; git gc -q --prune=now",
        ..ROW
    },
    Row {
        name: "prunes work trees and packs refs",
        during: "T02",
        script: "git worktree prune --expire now; git pack-refs --all --prune; git repack -q -a -d",
        ..ROW
    },
    Row {
        name: "commits a plan that nobody can read",
        script: "echo 'gates: [' > .gatewalk/features/FEAT-2026-0001-greetings/PLAN.md; git commit -qam mine",
        mend: "git revert --no-edit HEAD >/dev/null",
        says: "the plan was changed while this run was at work",
        exit_unconfined: 3,
        exit_confined: 3,
        ..ROW
    },
    Row {
        name: "commits a plan whose graph cannot be read",
        during: "T02",
        script: "f=.gatewalk/features/FEAT-2026-0001-greetings/PLAN.md; sed 's/    work_units:/    work_units: {}/' $f > ../plan; cat ../plan > $f; git commit -qam mine",
        mend: "git revert --no-edit HEAD >/dev/null",
        says: "the plan was changed while this run was at work",
        exit_unconfined: 3,
        exit_confined: 3,
        ..ROW
    },
    Row {
        name: "commits another command of the oracle",
        script: "printf '  - name: more\\n    command: test -e check.sh\\n' >> .gatewalk/verification.yml; git commit -qam mine",
        says: "the merged work is verified",
        exit_unconfined: 6,
        ..ROW
    },
    Row {
        name: "commits another word in the unit at work",
        script: "echo 'More of it.' >> .gatewalk/features/FEAT-2026-0001-greetings/WU-T01.md; git commit -qam mine",
        says: "the merged work is verified",
        ..ROW
    },
    Row {
        name: "throws the runtime state away",
        during: "T02",
        script: "rm -rf .git/gatewalk",
        says: "was removed while this run was at work",
        exit_unconfined: 5,
        exit_confined: 5,
        ..ROW
    },
    Row {
        name: "throws the slots away",
        during: "T02",
        script: "rm -rf ../home/.cache/gatewalk",
        ..ROW
    },
    Row {
        name: "throws both away",
        during: "T02",
        script: "rm -rf .git/gatewalk ../home/.cache/gatewalk",
        says: "was removed while this run was at work",
        exit_unconfined: 5,
        exit_confined: 5,
        ..ROW
    },
    Row {
        name: "deletes the pins",
        during: "T02",
        script: "git for-each-ref --format='delete %(refname)' refs/gatewalk | git update-ref --stdin",
        ..ROW
    },
];

fn world(during: &str, go: &str) -> World {
    let unit = |id: &str| match id == during {
        true => after_shell(id, go),
        false => good(id),
    };
    let (first, second) = (unit("T01"), unit("T02"));
    World::with_units(&[
        Unit {
            id: "T01",
            sessions: &[&first, &good("T01")],
            ..Unit::default()
        },
        Unit {
            id: "T02",
            after: &["T01"],
            sessions: &[&second, &good("T02")],
            ..Unit::default()
        },
    ])
}

/// What a session does that waits for the user.
pub(crate) const WAIT: &str =
    "touch at-work; until [ -e $HOME/../go ]; do sleep 0.02; done; rm at-work";

/// Starts a driver, waits until the unit's session is at work, lets the user run a script, and waits for the end.
///
/// Returns what the driver said, and the commit the user was at when they were done.
pub(crate) fn act_during(
    world: &World,
    args: &[&str],
    (during, script): (&str, &str),
) -> (Output, String) {
    let sessions = world.root.join("sessions");
    let mut driver = world
        .driver(&sessions)
        .args(args)
        .arg("--json")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut news = BufReader::new(driver.stdout.take().unwrap());
    let (mut said, mut line) = (String::new(), String::new());
    let id = format!("FEAT-2026-0001/{during}");
    while news.read_line(&mut line).unwrap() > 0 {
        said.push_str(&line);
        if line.contains("\"dispatched\"") && line.contains(&id) {
            break;
        }
        line.clear();
    }
    assert!(!line.is_empty(), "{script}: {said}");
    // Told before it is started; what was looked at before its start must not be what the user does.
    while !is_at_work(world) {
        let ended = driver.try_wait().unwrap();
        assert!(ended.is_none(), "{script}: {said}");
        std::thread::sleep(Duration::from_millis(5));
    }
    world.sh(script);
    let made = world.git(&["rev-parse", "HEAD"]);
    std::fs::write(world.root.join("go"), "").unwrap();
    news.read_to_string(&mut said).unwrap();
    let mut output = driver.wait_with_output().unwrap();
    output.stdout = said.into_bytes();
    (output, made)
}

/// Whether a session said so, in its slot.
fn is_at_work(world: &World) -> bool {
    let slots = walkdir::WalkDir::new(world.root.join("home/.cache/gatewalk"));
    let mut entries = slots.into_iter().filter_map(Result::ok);
    entries.any(|entry| entry.file_name() == "at-work")
}

fn check(row: &Row, sandbox: &str) {
    let name = format!("{}, sandbox {sandbox}", row.name);
    let world = world(row.during, WAIT);
    world.sh(&format!("git checkout -q -b {BRANCH}; {}", row.before));
    let (output, made) = act_during(&world, &["--sandbox", sandbox], (row.during, row.script));
    let said = text(&output);
    let confined = !said.contains("isolation: none");
    let want = match confined {
        true => row.exit_confined,
        false => row.exit_unconfined,
    };
    assert_eq!(output.status.code(), Some(want), "{name}: {said}");
    if confined || row.exit_confined == row.exit_unconfined {
        assert!(
            said.contains(row.says),
            "{name}: no `{}` in {said}",
            row.says
        );
    }
    let output = match want {
        0 => output,
        _ => {
            world.sh(row.mend);
            world.walk_unconfined()
        }
    };
    assert_eq!(
        output.status.code(),
        Some(0),
        "{name}, again: {}",
        text(&output)
    );
    for id in ["T01", "T02"] {
        let landed = world.git(&["show", &format!("{BRANCH}:{id}.txt")]);
        assert_eq!(landed, "whole\n", "{name}: {id}");
    }
    let all = world.git(&["rev-list", "--all"]);
    assert!(all.contains(&made), "{name}: {made} is in no ref");
    if let Some((path, content)) = row.mine {
        assert_eq!(world.read(path), content, "{name}: {said}");
    }
    if row.name.contains("stash") {
        let stash = world.git(&["stash", "show", "--include-untracked", "--name-only"]);
        assert_eq!(stash, "README.md\nnew\n", "{name}");
    }
    let unit = format!(
        "{BRANCH}:.gatewalk/features/FEAT-2026-0001-greetings/WU-{}.md",
        row.during
    );
    let unit = world.git(&["show", &unit]);
    assert!(
        unit.contains("attempts: 1\n"),
        "{name} costs nothing: {unit}"
    );
    let found = world.try_git(&["fsck", "--no-dangling", "--no-progress"]);
    assert!(found.is_some(), "{name}: damage");
}

/// All that are tried, so that one failure does not hide another.
fn all(sandbox: &str) {
    let failed: Vec<&str> = sample("git commands", ROWS, 5)
        .into_iter()
        .filter(|row| std::panic::catch_unwind(|| check(row, sandbox)).is_err())
        .map(|row| row.name)
        .collect();
    assert!(failed.is_empty(), "{failed:?}");
}

#[test]
#[ignore = "long"]
fn the_users_git_is_at_liberty_during_a_confined_attempt() {
    all("auto");
}

#[test]
#[ignore = "long"]
fn the_users_git_is_at_liberty_during_an_unconfined_attempt() {
    all("off");
}
