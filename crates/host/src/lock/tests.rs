//! Two holders of one lock, dead ones, foreign ones and a lock file that somebody replaced.

use super::lock_holder::{Holder, LockError};
use super::*;
use gatewalk_core::error::Error;
use std::time::{Duration, Instant};

fn holder(feature: &str) -> Holder {
    Holder::this(feature, "2026-11-21T10:00:00Z")
}

#[test]
fn a_second_driver_learns_who_holds_the_lock_and_does_not_wait_for_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("gatewalk/lock");
    let first = DriverLock::acquire(&path, &holder("FEAT-2026-0001")).unwrap();
    // Whoever waited here would do so for ever.
    let Err(LockError::Held(Some(named))) = DriverLock::acquire(&path, &holder("FEAT-2026-0002"))
    else {
        panic!("two drivers hold the lock");
    };
    assert_eq!(named, holder("FEAT-2026-0001"));
    assert_eq!(DriverLock::holder(&path), Some(named.clone()));
    let error = Error::from(LockError::Held(Some(named)));
    assert_eq!(error.exit(), gatewalk_core::exit::Exit::Locked);
    assert!(
        error.to_string().contains("FEAT-2026-0001")
            && error.to_string().contains(&std::process::id().to_string())
    );

    drop(first);
    assert_eq!(DriverLock::holder(&path), None);
    assert_eq!(left_behind(&path), None);
    DriverLock::acquire(&path, &holder("FEAT-2026-0003")).unwrap();
}

#[test]
fn a_driver_that_died_is_known_to_the_next_one() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("lock");
    let dead = Holder {
        pid: 1,
        start: u64::MAX,
        ..holder("FEAT-2026-0001")
    };
    std::fs::write(&path, serde_json::to_vec(&dead).unwrap()).unwrap();
    assert!(dead.is_gone() || cfg!(not(target_os = "linux")));
    assert_eq!(left_behind(&path), Some(dead));
    drop(DriverLock::acquire(&path, &holder("x")).unwrap());
    assert_eq!(left_behind(&path), None);
}

#[test]
fn who_only_looks_whose_a_lock_is_keeps_no_driver_from_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("lock");
    let looking = File::create(&path).unwrap();
    looking.try_lock_shared().unwrap();
    std::thread::scope(|scope| {
        let (begun, begins) = std::sync::mpsc::channel();
        let driver = scope.spawn(|| {
            let begun = begun;
            begun.send(()).unwrap();
            DriverLock::acquire(&path, &holder("mine")).map(drop)
        });
        begins.recv().unwrap();
        // Not before it has tried once, as far as can be told from here.
        std::thread::yield_now();
        drop(looking);
        driver.join().unwrap().unwrap();
    });
}

#[test]
fn a_holder_that_is_gone_foreign_or_unreadable_is_recognised() {
    let foreign = Holder {
        host: "elsewhere".into(),
        ..holder("FEAT-2026-0001")
    };
    for (content, want) in [
        (serde_json::to_vec(&foreign).unwrap(), Some(foreign.clone())),
        (b"\xff\0{".to_vec(), None),
        (Vec::new(), None),
        (vec![b' '; 1 << 20], None),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        let held = DriverLock::acquire(&path, &holder("mine")).unwrap();
        std::fs::write(&path, content).unwrap();
        let Err(LockError::Held(named)) = DriverLock::acquire(&path, &holder("x")) else {
            panic!("not held")
        };
        assert_eq!(named, want);
        assert!(!Error::from(LockError::Held(named)).hints.is_empty());
        drop(held);
    }
    assert!(Error::from(LockError::Held(Some(foreign))).hints[0].contains("elsewhere"));
}

#[test]
fn a_symlink_in_the_place_of_the_lock_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("lock");
    std::os::unix::fs::symlink(dir.path().join("victim"), &path).unwrap();
    assert!(matches!(
        DriverLock::acquire(&path, &holder("x")),
        Err(LockError::Io(..))
    ));
    assert!(!dir.path().join("victim").exists());
}

#[test]
fn a_process_tree_lock_lives_as_long_as_any_copy_of_its_descriptor() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("family.lock");
    assert!(
        !ProcessTreeLock::still_alive(&path),
        "no file, no process tree"
    );
    let first = ProcessTreeLock::acquire(&path).unwrap();
    let second = ProcessTreeLock::acquire(&path).unwrap();
    let inherited = first.file();
    drop((first, second));
    assert!(ProcessTreeLock::still_alive(&path));
    drop(inherited);
    // A process that another test is just starting may hold copies until it is another program.
    let deadline = Instant::now() + Duration::from_secs(20);
    while ProcessTreeLock::still_alive(&path) {
        assert!(Instant::now() < deadline, "alive for ever");
        std::thread::yield_now();
    }
}
