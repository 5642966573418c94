//! What agents do to a walk, and what a person sees of it: recordings, the live view, outcomes.

use crate::world::{PROGRAM, Unit, World, good, text};
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

#[test]
fn a_recorded_feature_walks_again_to_the_same_history() {
    let first = World::example();
    let fresh = first.fork();
    let walk = |world: &World, sessions: &std::path::Path| {
        for _ in 0..8 {
            let output = world.driver(sessions).output().unwrap();
            match output.status.code() {
                Some(10) => assert!(world.run(&["arm"]).status.success()),
                Some(0) => return,
                _ => panic!("{}", text(&output)),
            }
        }
        panic!("the feature never ended");
    };
    walk(&first, &first.root.join("answered"));
    let tape = first.root.join("tape");
    let feature = "FEAT-2026-0001";
    let record = [
        "attempts",
        "record",
        "--feature",
        feature,
        "--to",
        tape.to_str().unwrap(),
    ];
    let output = first.run(&record);
    assert!(output.status.success(), "{}", text(&output));
    let again = first.run(&record);
    assert_eq!(
        again.status.code(),
        Some(2),
        "nothing is overwritten: {}",
        text(&again)
    );
    walk(&fresh, &tape);
    // The commits, and every file of the last one but those that hold times and the agent's name.
    let landed = |world: &World| {
        let branch = crate::world::BRANCH;
        let subjects = world.git(&["log", "--format=%s", branch]);
        let tree = world.git(&["ls-tree", "-r", branch]);
        let timed = |line: &&str| line.contains("events.jsonl") || line.contains("/WU-");
        let files: Vec<&str> = tree.lines().filter(|line| !timed(line)).collect();
        format!("{subjects}{}", files.join("\n"))
    };
    assert_eq!(landed(&fresh), landed(&first));
}

#[test]
fn every_kind_of_change_survives_a_recording() {
    let shell = "printf 'whole\\n' > T01.txt; printf 'a\\377\\000' > binary; mkdir -p deep/er; \
                 printf 'no newline' > 'deep/er/with space'; ln -s ../T01.txt deep/link; chmod +x run.sh; \
                 rm README.md; mkdir README.md; printf '%s\\n' '  : odd' '' > README.md/inside; \
                 rm -r folder; printf 'file\\n' > folder; printf 'text\\n' > link; \
                 awk 'BEGIN { for (i = 0; i < 9000; i++) print \"long line \" i }' > large";
    let session = format!(
        "steps:\n  - shell: {}\nresult: complete\n",
        serde_json::to_string(&format!("rm link; {shell}")).unwrap()
    );
    let world = World::with_units(&[Unit {
        id: "T01",
        sessions: &[&session],
        ..Unit::default()
    }]);
    world.write("run.sh", "#!/bin/sh\n");
    world.write("folder/one", "1\n");
    std::os::unix::fs::symlink("run.sh", world.repo().join("link")).unwrap();
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "more"]);
    let fresh = world.fork();
    let output = world.walk();
    assert!(output.status.success(), "{}", text(&output));
    let tape = world.root.join("tape");
    let output = world.run(&[
        "attempts",
        "record",
        "T01",
        "--feature",
        "FEAT-2026-0001",
        "--to",
        tape.to_str().unwrap(),
    ]);
    assert!(output.status.success(), "{}", text(&output));
    let output = fresh.driver(&tape).output().unwrap();
    assert!(output.status.success(), "{}", text(&output));
    let files = |world: &World| {
        let branch = crate::world::BRANCH;
        world.git(&[
            "ls-tree",
            "-r",
            branch,
            "--",
            "T01.txt",
            "binary",
            "deep",
            "run.sh",
            "README.md",
            "folder",
            "link",
            "large",
        ])
    };
    assert_eq!(files(&fresh), files(&world));
    assert_eq!(files(&world).lines().count(), 9);
}

#[test]
fn a_session_can_be_followed_while_it_runs_and_read_afterwards() {
    let dir = tempfile::tempdir().unwrap();
    let go = dir.path().join("go");
    let session = format!(
        "steps:\n  - say: I begin.\n  - shell: \"while ! test -e '{}'; do sleep 0.05; done\"\n  - write: T01.txt\n    content: |\n      whole\n  - say: I am done.\nresult: complete\n",
        go.display()
    );
    let world = World::with_units(&[Unit {
        id: "T01",
        sessions: &[&session],
        ..Unit::default()
    }]);
    let mut driver = world.driver(&world.root.join("sessions"));
    let mut driver = driver
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut news = BufReader::new(driver.stderr.take().unwrap()).lines();
    let shell = news.find(|line| line.as_ref().unwrap().contains("… shell"));
    assert!(shell.is_some(), "the session never began");
    let follow = |world: &World| {
        let mut command = world.command(PROGRAM);
        command
            .args(["attempts", "show", "T01", "--follow"])
            .stdout(Stdio::piped());
        command
    };
    let mut follower = follow(&world).spawn().unwrap();
    let mut lines = BufReader::new(follower.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "I begin.");
    assert!(lines.next().unwrap().unwrap().contains("→ shell while"));
    std::fs::File::create(&go).unwrap().write_all(b"x").unwrap();
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert!(rest.iter().any(|line| line == "I am done."), "{rest:?}");
    assert!(follower.wait().unwrap().success());
    news.for_each(drop);
    assert!(driver.wait().unwrap().success());
    let output = follow(&world)
        .args(["--feature", "FEAT-2026-0001"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success() && said.starts_with("I begin.\n") && said.contains("I am done."),
        "{said}"
    );
}

#[test]
fn what_a_session_does_is_one_timestamped_line_with_its_figures() {
    let session = good("T01").replacen("steps:\n", "steps:\n  - shell: sleep 1\n", 1);
    let world = World::with_units(&[Unit {
        id: "T01",
        sessions: &[&session],
        ..Unit::default()
    }]);
    let output = world.walk();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = regex::Regex::new(r"(?m)^\d\d:\d\d:\d\d  T01  … shell sleep 1 \(\ds\)$").unwrap();
    assert!(line.is_match(&said), "{said}");
    assert!(
        !said.contains('\x1b'),
        "no escapes without a terminal: {said}"
    );
}
