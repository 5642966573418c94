//! What is kept on the disk beside the repository: shown, bounded, given back.

use super::world::{PROGRAM, World, text, two_units};
use gatewalk_host::lock::{DriverLock, Holder};
use serde_json::Value;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

fn walked() -> World {
    let world = two_units();
    let output = world.walk();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    world
}

fn clean(world: &World, args: &[&str]) -> Value {
    let mut command = world.command(PROGRAM);
    let output = command
        .arg("clean")
        .arg("--json")
        .args(args)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn paths(rows: &Value, kind: &str) -> Vec<PathBuf> {
    let rows = rows.as_array().unwrap().iter();
    rows.filter(|row| row["kind"] == kind)
        .map(|row| PathBuf::from(row["path"].as_str().unwrap()))
        .collect()
}

fn state(world: &World) -> PathBuf {
    world.root.join("repo/.git/gatewalk")
}

#[test]
fn clean_shows_what_would_go_and_then_frees_it_and_the_next_run_fills_it_again() {
    let world = walked();
    let shown = clean(&world, &["--dry-run"]);
    let slots = paths(&shown["freed"], "slot");
    assert!(slots.len() >= 2, "{shown}");
    assert!(slots.iter().all(|slot| slot.is_dir()), "{shown}");
    assert!(shown["bytes_freed"].as_u64().unwrap() > 0, "{shown}");
    let refs = world.git(&["for-each-ref"]);
    assert_eq!(clean(&world, &[])["freed"], shown["freed"]);
    assert!(slots.iter().all(|slot| !slot.exists()));
    assert_eq!(world.git(&["for-each-ref"]), refs);
    assert!(paths(&clean(&world, &[])["freed"], "slot").is_empty());
    let verified = world.run(&["verify", "FEAT-2026-0001/T01"]);
    assert_eq!(verified.status.code(), Some(0), "{}", text(&verified));
}

#[test]
fn the_slot_of_an_interrupted_session_stays_until_a_run_kept_what_it_left() {
    let world = walked();
    let note = serde_json::json!({
        "slot": 0, "unit": "FEAT-2026-0001/T09", "number": 1, "agent": "script", "started_at": "",
        "base": world.git(&["rev-parse", "HEAD"]).trim(), "tree": world.git(&["rev-parse", "HEAD^{tree}"]).trim(),
    });
    std::fs::create_dir_all(state(&world).join("in-flight")).unwrap();
    std::fs::write(state(&world).join("in-flight/0.json"), note.to_string()).unwrap();
    let shown = clean(&world, &[]);
    let kept = paths(&shown["kept"], "slot");
    assert_eq!(kept.len(), 1, "{shown}");
    assert!(kept[0].is_dir());
}

#[test]
fn clean_leaves_everything_alone_while_a_driver_is_at_work() {
    let world = walked();
    let lock = state(&world).join("lock");
    let held = DriverLock::acquire(&lock, &Holder::this("FEAT-2026-0001", "")).unwrap();
    let output = world.run(&["clean"]);
    assert_eq!(output.status.code(), Some(4), "{}", text(&output));
    assert!(text(&output).contains("gatewalk clean --dry-run"));
    assert!(!paths(&clean(&world, &["--dry-run"])["freed"], "slot").is_empty());
    drop(held);
}

#[test]
fn old_logs_go_and_old_attempts_of_passed_gates_only_when_asked() {
    let world = walked();
    let logs = paths(&clean(&world, &["--dry-run"])["kept"], "log");
    assert!(logs.len() >= 2, "{logs:?}");
    let long_ago = SystemTime::now() - Duration::from_secs(40 * 86_400);
    std::fs::File::open(&logs[0])
        .unwrap()
        .set_modified(long_ago)
        .unwrap();
    assert_eq!(paths(&clean(&world, &[])["freed"], "log"), logs[..1]);
    assert!(!logs[0].exists() && logs[1].exists());
    let older = clean(&world, &["--older", "0s"]);
    assert_eq!(paths(&older["freed"], "log"), logs[1..]);
    // The newest of each unit stays, whatever its age.
    assert!(paths(&older["freed"], "attempt").is_empty());
}

#[test]
fn what_a_kill_left_is_named_by_doctor_and_gone_after_the_next_run() {
    let world = two_units();
    std::fs::remove_file(world.root.join("sessions/T02.1.yml")).unwrap();
    world.walk();
    let owner = std::fs::read_dir(world.root.join("home/.cache/gatewalk/slots")).unwrap();
    let owner = owner.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let owner = owner.last().unwrap();
    let temporary = PathBuf::from("/tmp").join(format!("{}-0", &owner[..10]));
    // No process has so high a number.
    let dead = 999_999_999;
    let features = world
        .root
        .join("repo/.gatewalk/features/FEAT-2026-0001-greetings");
    let left = [
        state(&world).join(format!(".gatewalk-{dead}-aaa.tmp")),
        state(&world).join(format!("in-flight/.gatewalk-{dead}-aaa.tmp")),
        state(&world).join(format!("vault/config.{dead}.new")),
        state(&world).join(format!("tmp/blob-{dead}")),
        state(&world).join("slots/0/index.lock"),
        world.root.join(format!("repo/.gatewalk-{dead}-aaa.tmp")),
        features.join(format!(".gatewalk-{dead}-aaa.tmp")),
        temporary.join("file"),
    ];
    std::fs::create_dir_all(&temporary).unwrap();
    for file in &left {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, "x").unwrap();
    }
    // A living process is about to give this one its name.
    let living = state(&world).join(format!(".gatewalk-{}-aaa.tmp", std::process::id()));
    std::fs::write(&living, "x").unwrap();
    let doctor = text(&world.run(&["doctor"]));
    for file in &left {
        let named = if file.starts_with(&temporary) {
            &temporary
        } else {
            file
        };
        assert!(
            doctor.contains(named.to_str().unwrap()),
            "{}: {doctor}",
            file.display()
        );
    }
    world.walk();
    for file in &left {
        assert!(!file.exists(), "{}", file.display());
    }
    assert!(living.exists());
    assert!(!temporary.exists());
    let doctor = text(&world.run(&["doctor"]));
    assert!(
        doctor.contains("nothing is left of earlier runs"),
        "{doctor}"
    );
}
