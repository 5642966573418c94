//! Repositories that are more than files: submodules, filters.

use super::world::{BRANCH, World, after_shell, good, text, two_units_with};

fn sh(world: &World, script: &str) {
    let output = world.command("sh").args(["-ec", script]).output().unwrap();
    assert!(output.status.success(), "{script}: {}", text(&output));
}

const ORACLE: &str =
    "code:\n  - name: needs it\n    command: grep -q one sub/lib && grep -q deep sub/inner/file\n";

/// A repository with a submodule at `sub`, which has one at `inner`; the oracle reads both.
fn with_submodules(session: &str) -> World {
    let world = two_units_with(&[session, &good("T01")]);
    world.write(".gatewalk/verification.yml", ORACLE);
    sh(
        &world,
        "allow='-c protocol.file.allow=always'
        git init -q -b main ../deep; cd ../deep; echo deep > file; git add -A; git commit -qm deep
        git init -q -b main ../lib; cd ../lib; echo one > lib; git $allow submodule --quiet add ../deep inner; git add -A; git commit -qm lib
        cd ../repo; git $allow submodule --quiet add ../lib sub; git $allow submodule --quiet update --init --recursive; git add -A; git commit -qm sub",
    );
    world
}

#[test]
fn sessions_and_the_oracle_find_the_files_of_submodules_without_a_network() {
    let session = "grep one sub/lib && git -C sub log --oneline && git submodule update --init --recursive && test -z \"$(git status --porcelain)\"";
    for confined in [true, false] {
        let world = with_submodules(&after_shell("T01", session));
        sh(&world, "rm -rf ../deep ../lib");
        let output = match confined {
            true => world.walk(),
            false => world.walk_unconfined(),
        };
        let shown = text(&output);
        assert_eq!(output.status.code(), Some(0), "{shown}");
        assert!(!shown.contains("submodule"), "{shown}");
        for id in ["T01", "T02"] {
            let landed = world.git(&["show", &format!("{BRANCH}:{id}.txt")]);
            assert_eq!(landed, "whole\n");
        }
        assert_eq!(world.git(&["status", "--porcelain"]), "");
    }
}

#[test]
fn a_submodule_that_the_checkout_lacks_is_named_with_the_command_that_brings_it() {
    let world = with_submodules(&good("T01"));
    sh(
        &world,
        "git submodule --quiet deinit -f --all; rm -rf .git/modules",
    );
    let output = world.walk();
    let shown = text(&output);
    assert_ne!(output.status.code(), Some(0), "{shown}");
    let remedy = "git submodule update --init --recursive";
    assert!(shown.contains(remedy), "{shown}");
    let mut doctor = world.command(super::world::PROGRAM);
    let doctor = text(&doctor.arg("doctor").output().unwrap());
    assert!(doctor.contains(remedy), "{doctor}");
    sh(
        &world,
        &format!(
            "export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=protocol.file.allow GIT_CONFIG_VALUE_0=always; {remedy} -q"
        ),
    );
    let output = world.walk();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
}
