//! kill -9 in the middle of what is confined, at a session and at a command of the oracle: nothing of it lives on,
//! the work is kept and uncharged, and a plain re-run makes the commits of a run that nobody disturbed.

use super::processes::{children, eventually};
use super::world::{BRANCH, World, after_shell, text, two_units};
use rustix::process::{Pid, Signal, kill_process};
use std::process::{Child, Stdio};

/// Who is killed.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Victim {
    Driver,
    DriverAndWatchdog,
}

/// What is at work then.
#[derive(Debug, Clone, Copy, PartialEq)]
enum During {
    Session,
    Command,
}

/// A shell text that starts a daemon, a deaf child and a plain one, says so in the slot once all are there, and
/// stays. Every one of them carries `mark` in its command line.
pub(crate) fn family(mark: &str) -> String {
    let stay = "while :; do sleep 0.1; done";
    format!(
        "setsid sh -c 'touch up.1; {stay}' '{mark}' & \
         sh -c 'trap \"\" TERM INT HUP; touch up.2; {stay}' '{mark}' & \
         (sh -c 'touch up.3; {stay}' '{mark}' &) ; \
         until [ -e up.1 ] && [ -e up.2 ] && [ -e up.3 ]; do sleep 0.01; done; \
         rm up.1 up.2 up.3; touch at-work; wait"
    )
}

/// A mark that no other process of this machine carries.
pub(crate) fn mark(world: &World) -> String {
    format!("family-of-{}", world.root.display()).replace('/', "_")
}

/// Who carries the mark, other than what confines them: that has ended when they have.
pub(crate) fn alive(mark: &str) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let pids = processes.filter_map(|entry| entry.file_name().into_string().ok());
    pids.filter(|pid| pid.bytes().all(|b| b.is_ascii_digit()))
        .filter(|pid| {
            // A zombie has no command line.
            let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            line.windows(mark.len()).any(|w| w == mark.as_bytes())
        })
        .collect()
}

/// A world that stays in the middle of its first session or of its first command, as long as nobody says `go`.
fn world(during: During) -> World {
    let world = two_units();
    std::fs::create_dir(world.root.join("flags")).unwrap();
    let stay = format!(
        "[ -e $HOME/../flags/go ] || {{ {}; }}",
        family(&mark(&world))
    );
    match during {
        During::Session => {
            let session = after_shell("T01", &format!("echo half > T01.txt; {stay}"));
            std::fs::write(world.root.join("sessions/T01.1.yml"), session).unwrap();
        }
        During::Command => {
            let check = world.read("check.sh");
            world.write("check.sh", format!("[ ! -e T01.txt ] || {stay}\n{check}"));
            world.git(&["commit", "-qam", "an oracle that stays"]);
        }
    }
    world
}

pub(crate) fn is_at_work(world: &World) -> bool {
    let slots = walkdir::WalkDir::new(world.root.join("home/.cache/gatewalk"));
    let mut entries = slots.into_iter().filter_map(Result::ok);
    entries.any(|entry| entry.file_name() == "at-work")
}

fn kill(mut driver: Child, victim: Victim) {
    if victim == Victim::DriverAndWatchdog {
        for child in children(&driver.id().to_string()) {
            let line = std::fs::read(format!("/proc/{child}/cmdline")).unwrap_or_default();
            if line.windows(12).any(|w| w == b"watch-driver") {
                let pid = Pid::from_raw(child.parse().unwrap()).unwrap();
                kill_process(pid, Signal::KILL).unwrap();
            }
        }
    }
    driver.kill().unwrap();
    driver.wait().unwrap();
}

fn check(during: During, victim: Victim) {
    let name = format!("{victim:?} during a {during:?}");
    let world = world(during);
    let mark = mark(&world);
    let undisturbed = world.fork();
    std::fs::create_dir(undisturbed.root.join("flags")).unwrap();
    let sessions = world.root.join("sessions");
    let driver = world
        .driver(&sessions)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    eventually(&format!("{name}: at work"), || is_at_work(&world));
    assert!(alive(&mark).len() >= 3, "{name}: {:?}", alive(&mark));
    kill(driver, victim);
    if victim == Victim::Driver {
        eventually(&format!("{name}: nobody is left"), || {
            alive(&mark).is_empty()
        });
    }
    std::fs::write(world.root.join("flags/go"), "").unwrap();
    let output = world.driver(&sessions).output().unwrap();
    let said = text(&output);
    assert_eq!(output.status.code(), Some(0), "{name}: {said}");
    assert_eq!(alive(&mark), Vec::<String>::new(), "{name}: {said}");
    assert_eq!(world.git(&["status", "--porcelain"]), "", "{name}: {said}");
    let kept = world.git(&["for-each-ref", "refs/gatewalk"]);
    if during == During::Session {
        let file = world.git(&[
            "show",
            "refs/gatewalk/uncharged/FEAT-2026-0001/T01/1:T01.txt",
        ]);
        assert_eq!(file, "half\n", "{name}: what it left is kept: {kept}");
    }
    let unit = format!("{BRANCH}:.gatewalk/features/FEAT-2026-0001-greetings/WU-T01.md");
    let unit = world.git(&["show", &unit]);
    assert!(unit.contains("attempts: 1\n"), "{name}: charged: {unit}");
    // The same sessions and the same flag, of its own, in a copy where nothing was ever killed.
    std::fs::write(undisturbed.root.join("flags/go"), "").unwrap();
    let output = undisturbed.driver(&sessions).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{name}: {}", text(&output));
    assert_eq!(world.history(), undisturbed.history(), "{name}");
}

#[test]
#[ignore = "long"]
fn nothing_confined_outlives_a_killed_driver() {
    let rows = [During::Session, During::Command]
        .map(|d| [Victim::Driver, Victim::DriverAndWatchdog].map(|victim| (d, victim)));
    std::thread::scope(|scope| {
        for (during, victim) in rows.into_iter().flatten() {
            scope.spawn(move || check(during, victim));
        }
    });
}

/// A re-check holds the proof of life as every family does, and carries the marks; it is nobody's leftover.
#[test]
fn a_recheck_beside_a_run_that_starts_is_left_alone() {
    let world = super::world::two_units();
    let flags = world.root.join("flags");
    std::fs::create_dir(&flags).unwrap();
    let check = world.read("check.sh");
    let stay = format!(
        "if [ -e '{0}/stay' ]; then touch at-work; until [ -e '{0}/go' ]; do sleep 0.02; done; fi",
        flags.display()
    );
    world.write("check.sh", format!("{stay}\n{check}"));
    world.git(&["commit", "-qam", "an oracle that can stay"]);
    let output = world.walk_unconfined();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    std::fs::write(flags.join("stay"), "").unwrap();
    let recheck = world
        .command(super::world::PROGRAM)
        .args(["verify", "FEAT-2026-0001/T01", "--sandbox", "off"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    eventually("the re-check is at work", || is_at_work(&world));
    // It has nothing to do, but it starts as every run does.
    let output = world
        .unconfined(&world.root.join("sessions"))
        .args(["--feature", "FEAT-2026-0001"])
        .output()
        .unwrap();
    let said = text(&output);
    assert!(!said.contains("left behind"), "{said}");
    std::fs::write(flags.join("go"), "").unwrap();
    let output = recheck.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}\n{said}", text(&output));
}
