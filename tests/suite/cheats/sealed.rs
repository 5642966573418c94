//! The directories of other features, which are read-only mounts to sessions and commands where many files are in them.

use super::super::world::{BRANCH, PROGRAM, World, text};
use super::{Case, FEATURE, Want, world};
use std::path::{Path, PathBuf};
use std::process::Stdio;

const OTHER: &str = ".gatewalk/features/FEAT-2026-0002-other";

/// Another feature with enough files, and a command that does what the session does before it judges.
const BASE: &str = r#"
O=.gatewalk/features/FEAT-2026-0002-other; mkdir -p $O/notes
sed 's/-0001/-0002/; s/^status: .*/status: done/; s/WU-01-answer/WU-01-other/' .gatewalk/features/FEAT-2026-0001-answer/PLAN.md > $O/PLAN.md
sed 's/^status: .*/status: passed/' .gatewalk/features/FEAT-2026-0001-answer/GATE-01.md > $O/GATE-01.md
sed 's/-0001/-0002/; s/^status: .*/status: done/' .gatewalk/features/FEAT-2026-0001-answer/WU-01-answer.md > $O/WU-01-other.md
for n in $(seq 300); do echo note > $O/notes/$n.txt; done
sed -i 's/command: pytest -q/command: "test ! -f attack.sh || sh attack.sh; pytest -q"/' .gatewalk/verification.yml
"#;

/// Ways to change what is sealed, by name; what a way brings about is written down.
const WAYS: &[(&str, &str)] = &[
    ("append", "echo x >> $O/PLAN.md"),
    ("new file", "echo x > $O/new.md"),
    ("new feature", "mkdir .gatewalk/features/FEAT-2026-0003-new"),
    ("remove", "rm -f $O/PLAN.md"),
    ("move out", "mv $O/notes/1.txt moved"),
    ("move over", "cp README.md over && mv over $O/PLAN.md"),
    ("link over", "ln -sf /etc/passwd $O/PLAN.md"),
    ("mode", "chmod 755 $O/PLAN.md"),
    ("times", "touch $O/PLAN.md"),
    ("hard link", "ln $O/PLAN.md linked"),
    ("hard link into the own one", "ln $O/PLAN.md $F/linked"),
    ("cut", "truncate -s 0 $O/PLAN.md"),
    ("in place", "sed -i s/done/active/ $O/PLAN.md"),
    ("move the feature", "mv $O aside"),
    ("move the features", "mv .gatewalk/features aside"),
    (
        "move the own one",
        "python3 -c \"import os; os.rename('$F', 'aside')\"",
    ),
    (
        "shared memory",
        "python3 -c \"import mmap; f = open('$O/PLAN.md', 'r+b'); mmap.mmap(f.fileno(), 0)[0] = 120\"",
    ),
    (
        "unmount",
        "unshare -Urm sh -c \"umount -l .gatewalk/features; echo x >> $O/PLAN.md\"",
    ),
    (
        "mount again",
        "unshare -Urm sh -c \"mount -o remount,bind,rw .gatewalk/features; echo x >> $O/PLAN.md\"",
    ),
    (
        "mount below",
        "unshare -Urm sh -c \"mkdir -p m; mount --bind . m; echo x >> m/$O/PLAN.md\"",
    ),
    (
        "mount beside",
        "unshare -Urm sh -c \"mkdir -p m; mount --rbind . m; echo x >> m/$O/PLAN.md\"",
    ),
];

fn sealed_world(session: &str) -> World {
    world(&Case {
        name: "",
        front: "max_attempts: 1\n",
        base: BASE,
        session: session.to_owned().leak(),
        want: Want::Done,
    })
}

fn walk(world: &World) -> String {
    let mut path = world.root.join("bin").into_os_string();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let agent = format!("command:sh {}", world.root.join("agent.sh").display());
    let output = world
        .command(PROGRAM)
        .env("PATH", path)
        .args(["loop", "--sandbox", "auto", "--agent", &agent])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    text(&output)
}

fn is_done(world: &World) -> bool {
    let unit = world.try_git(&["show", &format!("{BRANCH}:{FEATURE}/WU-01-answer.md")]);
    unit.is_some_and(|unit| unit.contains("\nstatus: done\n"))
}

/// Returns the slots that a walk worked in.
fn slots(world: &World) -> Vec<PathBuf> {
    let all = world.root.join("home/.cache/gatewalk/slots");
    let below = walkdir::WalkDir::new(all).min_depth(2).max_depth(2);
    below
        .into_iter()
        .map(|entry| entry.unwrap().into_path())
        .collect()
}

fn has_bubblewrap() -> bool {
    Path::new("/usr/bin/bwrap").exists()
}

#[test]
fn no_session_and_no_command_changes_another_feature() {
    if !has_bubblewrap() {
        return;
    }
    let ways = WAYS.iter().map(|(name, way)| {
        let way = way.replace("$O", OTHER).replace("$F", FEATURE);
        format!("( ( {way} ) 2>/dev/null && echo {name} >> reached )\n")
    });
    let attack = ways.collect::<String>();
    let session = format!(
        "cat > attack.sh <<'END'\n{attack}rm -rf m over aside moved linked\nEND\nsh attack.sh\nrm -f reached\nsh attack.sh\nmkdir -p src; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py\ngit checkout -q HEAD -- {FEATURE}\nexit 0"
    );
    let world = sealed_world(&session);
    let said = walk(&world);
    let reached = world.try_git(&[
        "show",
        "refs/gatewalk/attempts/FEAT-2026-0001/T01/1:reached",
    ]);
    assert_eq!(reached, None, "{said}");
    let differs = world.git(&["diff", "--name-only", "main", BRANCH, "--", OTHER]);
    assert_eq!(differs, "", "{said}");
    let slots = slots(&world);
    assert!(slots.len() >= 2, "{slots:?}");
    for slot in slots {
        let same = world
            .command("diff")
            .arg("-r")
            .arg(world.repo().join(OTHER))
            .arg(slot.join(OTHER))
            .output()
            .unwrap();
        assert!(same.status.success(), "{}", text(&same));
    }
    assert!(is_done(&world), "{said}");
}

#[test]
#[ignore = "long"]
fn another_directory_in_the_place_of_the_features_is_seen() {
    if !has_bubblewrap() {
        return;
    }
    let work = "mkdir -p src; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py";
    for (name, done, session) in [
        (
            "another",
            false,
            "mv .gatewalk aside; mkdir .gatewalk; cp -r aside/. .gatewalk; echo x >> $O/PLAN.md; rm -rf aside",
        ),
        ("a link", false, "mv .gatewalk aside; ln -s aside .gatewalk"),
        ("none", false, "mv .gatewalk ../gone || mv .gatewalk aside"),
        (
            "the same, moved and back",
            true,
            "mv .gatewalk aside; mv aside .gatewalk",
        ),
        ("work in the own one", false, "echo x >> $F/PLAN.md"),
    ] {
        let session = session.replace("$O", OTHER).replace("$F", FEATURE);
        let world = sealed_world(&format!("{session}\n{work}\nexit 0"));
        let said = walk(&world);
        assert_eq!(is_done(&world), done, "{name}: {said}");
    }
}
