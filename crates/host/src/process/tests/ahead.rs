//! Programs that become what was started before them.

use super::*;
use crate::process::standby::{Standby, StandbyStart};
use crate::test_files::{WAITS, write_program, write_waiting_program};
use std::io::Read;
use std::path::PathBuf;

/// What `write_waiting_program` runs; nothing where this is only one test of many.
#[test]
fn what_waits_becomes_the_program() {
    if std::env::var_os(WAITS).is_some() {
        panic!("{:?}", await_program());
    }
}

/// A program that reports as bubblewrap does, and says that it was the one.
fn wrapper(fixture: &Fixture) -> PathBuf {
    let path = fixture.dir.path().join("wrapper");
    let text = "#!/bin/sh
echo x >>starts
report=/dev/fd/$2; shift 2
\"$@\"
code=$?
echo \"{\\\"exit-code\\\": $code}\" >>$report
exit $code
";
    write_program(&path, text);
    path
}

fn started(fixture: &Fixture, wrapper: &Path) -> std::io::Result<Standby> {
    let waiting = fixture.dir.path().join("waiting");
    write_waiting_program(&waiting);
    Standby::start(&StandbyStart {
        wrapper: wrapper.as_os_str(),
        args: &[waiting.into()],
        cwd: fixture.dir.path(),
        marker: Marker::new(&fixture.marker.owner, "standby"),
        resources: quick().resources,
    })
}

/// Returns a command behind the wrapper, for which one waits.
fn behind(fixture: &Fixture, wrapper: &Path, standby: Standby, script: &str) -> CommandSpec {
    let status = WrapperStatus::new().unwrap();
    let words: Vec<OsString> = ["/bin/sh", "-c", script].map(OsString::from).into();
    let args = status.arguments().into_iter().chain(words.clone());
    CommandSpec {
        program: wrapper.into(),
        args: args.collect(),
        wrapper: Some(Arc::new(
            status.with_standby(Some(StandbyCommand { standby, words })),
        )),
        ..fixture.spec("")
    }
}

fn starts(fixture: &Fixture) -> usize {
    let text = fs::read_to_string(fixture.dir.path().join("starts"));
    text.unwrap_or_default().lines().count()
}

#[test]
fn a_program_that_something_waited_for_runs_as_one_that_was_started() {
    let fixture = Fixture::new();
    let wrapper = wrapper(&fixture);
    let (mut end, kept) = std::io::pipe().unwrap();
    let script = "cat; echo \"$WORD\" >&2; pwd >where; echo $GATEWALK_RUN >marker; env >env; grep -c realtime /proc/self/limits >tag; exit 7";
    let spec = CommandSpec {
        stdin: Stdin::Bytes(b"read".to_vec()),
        env: vec![
            ("PATH".into(), "/bin:/usr/bin".into()),
            ("WORD".into(), "a = b\n".into()),
        ],
        inherit: Some(Arc::new(std::os::fd::OwnedFd::from(kept).into())),
        ..behind(
            &fixture,
            &wrapper,
            started(&fixture, &wrapper).unwrap(),
            script,
        )
    };
    let captured = run_capture(&fixture.program(&spec, &quick()));
    assert_eq!(
        captured.outcome.ended,
        ProcessEnd::Exited(7),
        "{captured:?}"
    );
    assert_eq!(starts(&fixture), 1, "what waited was not used");
    let said = [captured.stdout.to_text(), captured.stderr.to_text()];
    assert_eq!(said, ["read", "a = b\n\n"]);
    let read = |name: &str| fs::read_to_string(fixture.dir.path().join(name)).unwrap();
    assert_eq!(
        Path::new(read("where").trim()),
        fixture.dir.path().canonicalize().unwrap()
    );
    assert!(read("marker").trim().ends_with(&fixture.marker.value()));
    assert!(
        !read("env").contains(WAITS),
        "what waited leaves its variables"
    );
    drop(spec);
    let mut left = Vec::new();
    end.read_to_end(&mut left).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_that_something_waited_for_is_known_by_its_tag_and_holds_what_it_is_given() {
    let fixture = Fixture::new();
    let wrapper = wrapper(&fixture);
    let standby = started(&fixture, &wrapper).unwrap();
    let lock = fixture.dir.path().join("lock");
    let script = format!(
        "ls -l /proc/$$/fd | grep -c '{}$' >held; echo $$ >pid; env -i sleep 60 & wait",
        lock.display()
    );
    let spec = CommandSpec {
        inherit: Some(Arc::new(fs::File::create(&lock).unwrap())),
        ..behind(&fixture, &wrapper, standby, &script)
    };
    let stop = fixture.stop.clone();
    std::thread::scope(|scope| {
        let running = scope.spawn(|| run_capture(&fixture.program(&spec, &quick())).outcome);
        eventually("it runs", || !fixture.pids("pid").is_empty());
        let pid = fixture.pids("pid")[0];
        eventually("its child runs", || !procfs::children(pid).is_empty());
        for pid in procfs::children(pid).into_iter().chain([pid]) {
            assert_eq!(procfs::tag(pid), Some(fixture.marker.tag()), "{pid}");
        }
        stop.request(rustix::process::Signal::TERM.as_raw());
        assert_eq!(running.join().unwrap().ended, ProcessEnd::Cancelled);
        assert!(!is_alive(pid));
    });
    let held = fs::read_to_string(fixture.dir.path().join("held")).unwrap();
    assert_eq!(held.trim(), "1");
}

#[test]
fn what_is_gone_or_limited_otherwise_is_not_waited_for() {
    let fixture = Fixture::new();
    let wrapper = wrapper(&fixture);
    for (what, limits) in [
        ("gone", quick()),
        (
            "limited otherwise",
            Limits {
                resources: Resources {
                    processes: Some(1_000),
                    ..quick().resources
                },
                ..quick()
            },
        ),
    ] {
        drop(fs::remove_file(fixture.dir.path().join("starts")));
        let standby = started(&fixture, &wrapper).unwrap();
        if what == "gone" {
            standby.kill();
        }
        let spec = behind(&fixture, &wrapper, standby, "exit 7");
        let outcome = run_capture(&fixture.program(&spec, &limits)).outcome;
        assert_eq!(outcome.ended, ProcessEnd::Exited(7), "{what}");
        assert_eq!(starts(&fixture), 2, "{what}");
    }
}

#[test]
fn what_cannot_become_its_program_is_started_as_if_nothing_had_waited() {
    let fixture = Fixture::new();
    let wrapper = wrapper(&fixture);
    let write = |name: &str, text: &str| {
        let path = fixture.dir.path().join(name);
        write_program(&path, text);
        path.into_os_string()
    };
    // The wrapper is a shell, which says that it started what it could not.
    for (word, starts_wanted, code) in [
        (write("broken", "#!/nowhere/sh\n"), 2, 127),
        (write("bare", "exit 7\n"), 1, 7),
    ] {
        drop(fs::remove_file(fixture.dir.path().join("starts")));
        let standby = started(&fixture, &wrapper).unwrap();
        let status = WrapperStatus::new().unwrap();
        let words = vec![word];
        let args = status.arguments().into_iter().chain(words.clone());
        let spec = CommandSpec {
            program: wrapper.clone().into(),
            args: args.collect(),
            wrapper: Some(Arc::new(
                status.with_standby(Some(StandbyCommand { standby, words })),
            )),
            ..fixture.spec("")
        };
        let outcome = run_capture(&fixture.program(&spec, &quick())).outcome;
        assert_eq!(outcome.ended, ProcessEnd::Exited(code));
        assert_eq!(starts(&fixture), starts_wanted);
    }
}

#[test]
fn what_does_not_come_to_wait_is_an_error_and_what_is_not_needed_ends() {
    let fixture = Fixture::new();
    assert!(started(&fixture, Path::new("/bin/true")).is_err());
    assert!(started(&fixture, Path::new("/no/such/program")).is_err());
    let standby = started(&fixture, &wrapper(&fixture)).unwrap();
    let pid = standby.pid();
    assert!(is_alive(pid));
    standby.discard();
    assert!(!is_alive(pid));
}
