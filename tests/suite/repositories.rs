//! Repositories that are more than files: submodules, filters.

use super::runner_places::Places;
use super::world::{
    BRANCH, Unit, World, after_shell, ended, expect_same, good, text, two_units, two_units_with,
};

const ORACLE: &str =
    "code:\n  - name: needs it\n    command: grep -q one sub/lib && grep -q deep sub/inner/file\n";

/// A repository with a submodule at `sub`, which has one at `inner`; the oracle reads both.
fn with_submodules(session: &str) -> World {
    let world = two_units_with(&[session, &good("T01")]);
    world.write(".gatewalk/verification.yml", ORACLE);
    world.sh("allow='-c protocol.file.allow=always'
        git init -q -b main ../deep; cd ../deep; echo deep > file; git add -A; git commit -qm deep
        git init -q -b main ../lib; cd ../lib; echo one > lib; git $allow submodule --quiet add ../deep inner; git add -A; git commit -qm lib
        cd ../repo; git $allow submodule --quiet add ../lib sub; git $allow submodule --quiet update --init --recursive; git add -A; git commit -qm sub",
    );
    world
}

#[test]
#[ignore = "long"]
fn sessions_and_the_oracle_find_the_files_of_submodules_without_a_network() {
    let session = "grep one sub/lib && git -C sub log --oneline && git submodule update --init --recursive && test -z \"$(git status --porcelain)\"";
    for confined in [true, false] {
        let world = with_submodules(&after_shell("T01", session));
        world.sh("rm -rf ../deep ../lib");
        let output = match confined {
            true => world.walk(),
            false => world.walk_unconfined(),
        };
        let shown = text(&output);
        assert_eq!(output.status.code(), Some(0), "{shown}");
        // A session that takes long enough is shown at work, with its command.
        let mut said = shown.lines().filter(|line| !line.contains(session));
        assert!(!said.any(|line| line.contains("submodule")), "{shown}");
        for id in ["T01", "T02"] {
            let landed = world.git(&["show", &format!("{BRANCH}:{id}.txt")]);
            assert_eq!(landed, "whole\n");
        }
        assert_eq!(world.git(&["status", "--porcelain"]), "");
    }
}

#[test]
fn runners_are_not_sent_the_files_of_submodules_and_judge_nothing_that_has_some() {
    let world = with_submodules(&good("T01"));
    Places::of(&world)
        .pipe("big", "")
        .pipe("jury", "    slots: 0\n    judges: true\n")
        .define();
    let told = "runners are not sent the files of submodules: sub";
    let walk = |more: &[&str]| {
        let mut driver = world.driver(&world.root.join("sessions"));
        text(
            &driver
                .args(["--runner", "big,jury"])
                .args(more)
                .output()
                .unwrap(),
        )
    };
    let shown = walk(&["--dry-run"]);
    assert!(shown.contains(told), "{shown}");
    let shown = walk(&[]);
    assert!(shown.contains("is done") && shown.contains(told), "{shown}");
    assert!(shown.contains("judging stays here"), "{shown}");
    let of_checkout = "your checkout does not have";
    assert!(!shown.contains(of_checkout), "home's has it: {shown}");
    let judged = text(&world.run(&["attempts", "show", "FEAT-2026-0001/T01"]));
    assert!(judged.contains("runner    big"), "{judged}");
    assert!(!judged.contains("judged on"), "{judged}");
    // Without files of submodules here there is nothing that a runner would lack.
    let plain = world
        .driver(&world.root.join("sessions"))
        .arg("--dry-run")
        .output();
    assert!(!text(&plain.unwrap()).contains(told));
}

#[test]
fn a_submodule_that_the_checkout_lacks_is_named_with_the_command_that_brings_it() {
    let world = with_submodules(&good("T01"));
    world.sh("git submodule --quiet deinit -f --all; rm -rf .git/modules");
    let output = world.walk();
    let shown = text(&output);
    assert_ne!(output.status.code(), Some(0), "{shown}");
    let remedy = "git submodule update --init --recursive";
    assert!(shown.contains(remedy), "{shown}");
    let doctor = text(&world.run(&["doctor"]));
    assert!(doctor.contains(remedy), "{doctor}");
    let lint = text(&world.run(&["lint"]));
    assert!(lint.contains("this repository has submodules"), "{lint}");
    world.sh(&format!(
            "export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=protocol.file.allow GIT_CONFIG_VALUE_0=always; {remedy} -q"
        ),
    );
    let output = world.walk();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
}

/// Ends a walk whose first session writes a file that attributes give the filter `name`.
fn filtered(name: &str, settings: &str) -> (World, std::process::Output) {
    let world = two_units_with(&[&after_shell("T01", "echo BIG > a.bin")]);
    world.write(".gitattributes", format!("*.bin filter={name}\n"));
    world.sh(&format!(
        "{settings}\ngit add -A; git commit -qm attributes"
    ));
    let output = world.walk();
    (world, output)
}

#[test]
#[ignore = "long"]
fn a_filter_that_is_not_required_stores_what_lands_as_git_would_and_says_so_where_it_cannot() {
    for (name, settings, stored, said) in [
        (
            "mine",
            "git config filter.mine.clean 'sed s/BIG/small/'",
            "small\n",
            "",
        ),
        (
            "mine",
            "git config filter.mine.clean 'false'",
            "BIG\n",
            "its filter `mine` failed",
        ),
        (
            "mine",
            "git config filter.mine.clean 'no-such-program'",
            "BIG\n",
            "its filter `mine` failed",
        ),
        ("mine", "", "BIG\n", "your git has no such filter"),
    ] {
        let (world, output) = filtered(name, settings);
        let shown = text(&output);
        assert_eq!(output.status.code(), Some(0), "{settings}: {shown}");
        let landed = world.git(&["show", &format!("{BRANCH}:a.bin")]);
        assert_eq!(landed, stored, "{settings}");
        assert!(shown.contains(said), "{settings}: {shown}");
        assert_eq!(
            shown.contains("is stored as it is"),
            !said.is_empty(),
            "{shown}"
        );
    }
}

#[test]
fn without_git_lfs_no_file_of_its_lands_in_place_of_its_pointer() {
    let (world, output) = filtered("lfs", "");
    let shown = text(&output);
    assert_eq!(output.status.code(), Some(5), "{shown}");
    assert!(shown.contains("git lfs install"), "{shown}");
    let lint = text(&world.run(&["lint"]));
    assert!(lint.contains("files with a filter (lfs)"), "{lint}");
    let doctor = text(&world.run(&["doctor"]));
    assert!(doctor.contains("git lfs install"), "{doctor}");
    world.sh(
        "git config filter.lfs.clean 'sed s/BIG/pointer/'; git config filter.lfs.required true",
    );
    let output = world.walk();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let landed = world.git(&["show", &format!("{BRANCH}:a.bin")]);
    assert_eq!(landed, "pointer\n");
}

#[test]
fn a_base_that_is_red_for_pointers_of_git_lfs_says_so() {
    let world = two_units();
    world.write(".gitattributes", "*.bin filter=lfs diff=lfs -text\n");
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n";
    world.write("a.bin", pointer);
    let needs = "code:\n  - {name: tests, command: grep -q BIG a.bin}\n";
    world.write(".gatewalk/verification.yml", needs);
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "a large file"]);
    let shown = ended(
        &world.walk(),
        11,
        "the pointers of git-lfs, not its files (a.bin)",
    );
    assert!(shown.contains("already red before any work"), "{shown}");
    // What set-up writes over a tracked file is gone before a command runs.
    world.git(&["switch", "-q", BRANCH]);
    world.write(
        ".gatewalk/verification.yml",
        format!("setup: echo BIG > a.bin\n{needs}"),
    );
    world.git(&["commit", "-qam", "a set-up"]);
    let walked = text(&world.walk());
    assert!(
        walked.contains("`setup` changes tracked files (a.bin)"),
        "{walked}"
    );
}

/// What git-lfs does of storing and writing a file, for machines without it.
const LFS: &str = r#"#!/bin/sh
common=$(cd "$(git rev-parse --git-common-dir)" && pwd)
store=$(git config lfs.storage || echo "$common/lfs")/objects
read=$(mktemp)
cat > "$read"
trap 'rm "$read"' EXIT
at() { echo "$store/$(echo "$1" | cut -c 1-2)/$(echo "$1" | cut -c 3-4)"; }
id=$(sed -n 's/^oid sha256://p' "$read")
if [ "$1" = clean ] && [ -z "$id" ]; then
  id=$( (sha256sum "$read" 2> /dev/null || shasum -a 256 "$read") | cut -d ' ' -f 1)
  mkdir -p "$(at "$id")"
  cp "$read" "$(at "$id")/$id"
  printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n' "$id" "$(wc -c < "$read")"
elif [ "$1" = smudge ] && [ -f "$(at "$id")/$id" ]; then
  cat "$(at "$id")/$id"
else
  cat "$read"
fi
"#;

/// A repository with a large file, `a.bin`, which the oracle reads, and one session for each of two units.
fn with_large_file(sessions: [&str; 2]) -> World {
    let world = World::with_units(&[
        Unit::with("T01", &[&after_shell("T01", sessions[0])]),
        Unit {
            after: &["T01"],
            ..Unit::with("T02", &[&after_shell("T02", sessions[1])])
        },
    ]);
    let program = world.root.join("large files");
    std::fs::write(&program, LFS).unwrap();
    world.write(".gitattributes", "*.bin filter=lfs diff=lfs -text\n");
    world.write("a.bin", "BIG\n");
    world.write(
        ".gatewalk/verification.yml",
        "code:\n  - {name: tests, command: grep -q BIG a.bin}\n",
    );
    let program = program.display();
    world.sh(&format!(
            "chmod +x '{program}'; for way in clean smudge; do git config filter.lfs.$way \"'{program}' $way %f\"; done
            git config filter.lfs.required true; git add -A; git commit -qm 'a large file'"
        ),
    );
    world
}

#[test]
#[ignore = "long"]
fn files_of_git_lfs_are_whole_in_slots_and_land_as_pointers() {
    let reads = "grep -q BIG a.bin && test -z \"$(git status --porcelain)\"";
    for confined in [true, false] {
        let world = with_large_file([
            &format!("{reads} && echo BIG two > a.bin && echo new > b.bin"),
            "grep -q two a.bin && grep -q new b.bin && touch a.bin && rm b.bin && echo c > c.bin",
        ]);
        let output = match confined {
            true => world.walk(),
            false => world.walk_unconfined(),
        };
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
        for file in ["a.bin", "c.bin"] {
            let landed = world.git(&["show", &format!("{BRANCH}:{file}")]);
            assert!(landed.starts_with("version https://git-lfs"), "{landed}");
        }
        assert_eq!(world.read("a.bin"), "BIG two\n");
        assert_eq!(world.read("c.bin"), "c\n");
        assert_eq!(world.uncommitted(), [""; 0]);
        let second = world.git(&["show", "--name-only", "--format=", &format!("{BRANCH}~1")]);
        assert!(
            !second.contains("a.bin"),
            "touched is not changed: {second}"
        );
    }
}

#[test]
fn a_file_of_git_lfs_that_this_machine_lacks_is_named_and_is_whole_once_it_is_here() {
    let world = with_large_file(["grep -q BIG a.bin", "grep -q BIG a.bin"]);
    world.sh("mv .git/lfs ../elsewhere");
    let shown = ended(&world.walk(), 11, "not its files (a.bin)");
    assert!(shown.contains("git lfs pull"), "{shown}");
    world.sh("mv ../elsewhere .git/lfs");
    let output = world.walk();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
}

#[test]
fn a_file_of_git_lfs_that_a_submodule_lacks_is_named_with_the_command_that_brings_it() {
    let world = two_units();
    world.sh("allow='-c protocol.file.allow=always'; lfs='*.bin filter=lfs diff=lfs -text'
        pointer() { printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%064d\\nsize 12\\n' 7 > deep.bin; }
        git init -q -b main ../deep; cd ../deep; echo \"$lfs\" > .gitattributes; pointer; git add -A; git commit -qm deep
        git init -q -b main ../lib; cd ../lib; echo one > lib; git $allow submodule --quiet add ../deep inner; git add -A; git commit -qm lib
        cd ../repo; git $allow submodule --quiet add ../lib sub; git $allow submodule --quiet update --init --recursive; git add -A; git commit -qm sub",
    );
    world.write(
        ".gatewalk/verification.yml",
        "code:\n  - {name: tests, command: grep -q BIG sub/inner/deep.bin}\n",
    );
    world.git(&["commit", "-qam", "an oracle"]);
    let remedy = "git submodule foreach --recursive git lfs pull";
    let named = "not its files (sub/inner/deep.bin)";
    let shown = ended(&world.walk(), 11, named);
    assert!(shown.contains(remedy), "{shown}");
    assert!(!shown.contains("&& git lfs pull"), "{shown}");
    let doctor = text(&world.run(&["doctor"]));
    assert!(
        doctor.contains("in place of files of git-lfs: sub/inner/deep.bin"),
        "{doctor}"
    );
    assert!(doctor.contains(remedy), "{doctor}");
}

#[test]
fn what_set_up_leaves_that_git_does_not_ignore_stays_where_it_is_needed_and_out_of_the_work() {
    let changed = after_shell("T01", "test -f made/kept && echo changed > made/changed");
    let world = two_units_with(&[&changed]);
    let setup = "mkdir -p made && echo kept > made/kept && echo set-up > made/changed && echo more >> README.md";
    let needs = "grep -q kept made/kept && git diff --quiet";
    world.write(
        ".gatewalk/verification.yml",
        format!("setup: {setup}\ncode:\n  - {{name: first, command: {needs}}}\n  - {{name: second, command: {needs}}}\n"),
    );
    world.git(&["commit", "-qam", "a set-up"]);
    let output = world.walk();
    let shown = text(&output);
    assert_eq!(output.status.code(), Some(0), "{shown}");
    assert!(shown.contains("made/changed, made/kept"), "{shown}");
    let changed = |unit: &str| {
        let id = world.git(&["log", "--format=%H", "--grep", unit, BRANCH, "--", "*.txt"]);
        world.git(&[
            "show",
            "--name-only",
            "--format=",
            id.trim(),
            "--",
            ".",
            ":!.gatewalk",
        ])
    };
    assert_eq!(changed("FEAT-2026-0001/T01"), "T01.txt\nmade/changed\n");
    assert_eq!(changed("FEAT-2026-0001/T02"), "T02.txt\n");
}

/// A pointer of content that nobody has.
const NOWHERE: &str =
    "printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%064d\\nsize 12\\n' 7";

#[test]
#[ignore = "long"]
fn what_git_lfs_keeps_is_judged_as_the_files_that_it_is() {
    let secret = "ghp_16C7e42F292c6912E7710c838347\
                  Ae178B4a";
    for (session, refused) in [
        (format!("echo {secret} > b.bin"), "failed (secret)"),
        (format!("echo {secret} >> a.bin"), "a.bin:2 (github-token"),
        (format!("{NOWHERE} > b.bin"), "failed (missing_large_file)"),
        (format!("{NOWHERE} > a.bin"), "failed (missing_large_file)"),
        (
            "echo '*.sh filter=lfs' >> .gitattributes; echo exit 0 > check.sh".to_owned(),
            "failed (oracle_modified)",
        ),
    ] {
        let world = with_large_file([&session, "true"]);
        world.sh("rm ../sessions/T02*");
        let shown = text(&world.walk());
        assert!(shown.contains(refused), "{session}: {shown}");
        assert_eq!(
            world.git(&["diff", "--stat", "main", BRANCH, "--", "*.bin"]),
            ""
        );
    }
}

/// Has a repository's files kept as `git lfs install` says, by a program that tells of each call.
fn with_plain_lfs(world: &World, sessions: &World) -> std::process::Command {
    let bin = world.root.join("bin");
    std::fs::create_dir(&bin).unwrap();
    let told = LFS.replacen(
        '\n',
        &format!("\necho \"$1\" >> '{}/calls'\n", world.root.display()),
        1,
    );
    std::fs::write(bin.join("git-lfs"), told).unwrap();
    world.sh("chmod +x ../bin/git-lfs; git config filter.lfs.clean 'git-lfs clean -- %f'
        git config filter.lfs.smudge 'git-lfs smudge -- %f'; git config filter.lfs.process 'git-lfs filter-process'",
    );
    let mut driver = world.driver(&sessions.root.join("sessions"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::iter::once(bin).chain(std::env::split_paths(&path));
    driver.env("PATH", std::env::join_paths(path).unwrap());
    driver
}

#[test]
fn a_pointer_whose_file_is_not_here_may_move_and_nobody_is_asked_for_the_file() {
    let world = with_large_file([
        "mv a.bin moved.bin && cp moved.bin copy.bin && echo new > new.bin",
        "test -f moved.bin",
    ]);
    world.sh("echo 'code: [{name: tests, command: test -f README.md}]' > .gatewalk/verification.yml; git commit -qam tests
        rm -r .git/lfs; git show HEAD:a.bin > a.bin",
    );
    let output = with_plain_lfs(&world, &world).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let moved = world.git(&["show", &format!("{BRANCH}:moved.bin")]);
    assert_eq!(world.read("moved.bin"), moved, "a pointer here as well");
    assert_eq!(world.read("new.bin"), "new\n");
    let new = world.git(&["show", &format!("{BRANCH}:new.bin")]);
    assert!(
        new.contains("oid sha256:7aa7a5359173d05b63cfd682e3c38487f3cb4f7f1d60659fe59fab1505977d4c"),
        "{new}"
    );
    assert!(!world.root.join("calls").exists());
}

#[test]
#[ignore = "long"]
fn files_of_git_lfs_are_whole_on_a_runner_and_go_there_once() {
    let clean = "case $PWD in *far-*) touch a.bin && test -z \"$(git status --porcelain)\" ;; esac";
    let world = with_large_file([
        &format!("grep -q BIG a.bin && {clean} && echo BIG two >> a.bin && echo new > b.bin"),
        "grep -q two a.bin && grep -q new b.bin && mv b.bin moved.bin && echo c > c.bin",
    ]);
    world
        .sh("(echo BIG; head -c 300000 /dev/urandom) > a.bin; git add -A; git commit -qm 'larger'");
    let here = world.fork();
    ended(
        &with_plain_lfs(&here, &world).output().unwrap(),
        0,
        "is done",
    );
    for (runners, judge) in [
        ("big", ""),
        ("big,jury", "    slots: 0\n    judges: true\n"),
    ] {
        let there = world.fork();
        let sent = there.root.join("sent");
        std::fs::create_dir(&sent).unwrap();
        let places = Places::of(&there);
        let home = places.home("big").display().to_string();
        let line = format!(
            "[sh, -c, \"tee {}/$$ | HOME={home} {{far}}\"]",
            sent.display()
        );
        let places = places.runner("big", &line, "");
        match judge {
            "" => places.define(),
            judge => places.pipe("jury", judge).define(),
        }
        let mut driver = with_plain_lfs(&there, &world);
        ended(
            &driver.args(["--runner", runners]).output().unwrap(),
            0,
            "is done",
        );
        expect_same(runners, &there.history(), &here.history());
        assert_eq!(there.read("moved.bin"), "new\n");
        assert!(there.read("a.bin").ends_with("BIG two\n"));
        let contacts = std::fs::read_dir(&sent).unwrap();
        let sizes = contacts.map(|entry| entry.unwrap().metadata().unwrap().len());
        let mut sizes: Vec<u64> = sizes.collect();
        sizes.sort_unstable();
        assert!(
            matches!(sizes[..], [small, large] if small < 64 << 10 && large > 300_000),
            "{sizes:?}"
        );
        assert!(!there.root.join("calls").exists());
        let judged = there.run(&["attempts", "show", "FEAT-2026-0001/T02"]);
        let judge = if judge.is_empty() {
            "runner    big"
        } else {
            "judged on jury"
        };
        ended(&judged, 0, judge);
    }
}

#[test]
#[ignore = "long"]
fn many_files_of_git_lfs_need_no_process_each() {
    let world = with_large_file([
        "grep -q 'file 60' d/60.bin && for i in $(seq 60); do echo $i > $i.bin; done",
        "grep -q 60 60.bin",
    ]);
    world.sh("mkdir d; for i in $(seq 60); do echo \"file $i\" > d/$i.bin; done; git add -A; git commit -qm many",
    );
    let output = with_plain_lfs(&world, &world).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert_eq!(world.read("60.bin"), "60\n");
    assert!(!world.root.join("calls").exists());
    assert!(
        world
            .git(&["show", &format!("{BRANCH}:60.bin")])
            .starts_with("version")
    );
}
