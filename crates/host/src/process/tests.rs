//! Real programs, real `sh`. What a test must not find is looked for by a pid the program wrote.

use super::*;
use crate::lock::ProcessTreeLock;
use crate::procfs;
use std::fs;
use std::time::Instant;

mod ahead;
mod starting;

/// A scratch directory, a marker nobody else has, and a way to run `sh` there.
struct Fixture {
    dir: tempfile::TempDir,
    marker: Marker,
    stop: StopFlag,
}

impl Fixture {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let marker = Marker::new(&dir.path().to_string_lossy(), "run/1");
        Fixture {
            dir,
            marker,
            stop: StopFlag::new().unwrap(),
        }
    }

    fn spec(&self, script: &str) -> CommandSpec {
        CommandSpec {
            program: "sh".into(),
            args: vec!["-c".into(), script.into()],
            cwd: self.dir.path().into(),
            env: vec![("PATH".into(), std::env::var_os("PATH").unwrap())],
            stdin: Stdin::Null,
            marker: self.marker.clone(),
            inherit: None,
            wrapper: None,
        }
    }

    fn program<'a>(&'a self, spec: &'a CommandSpec, limits: &'a Limits) -> ProgramRun<'a> {
        ProgramRun {
            spec,
            limits,
            log: None,
            stop: &self.stop,
        }
    }

    fn capture(&self, script: &str, limits: &Limits) -> CapturedOutput {
        run_capture(&self.program(&self.spec(script), limits))
    }

    /// Returns the pids the script wrote into the file.
    fn pids(&self, file: &str) -> Vec<i32> {
        let text = fs::read_to_string(self.dir.path().join(file)).unwrap_or_default();
        text.split_ascii_whitespace()
            .map(|pid| pid.parse().unwrap())
            .collect()
    }
}

fn quick() -> Limits {
    Limits {
        wall: Some(Duration::from_secs(60)),
        grace: Duration::from_millis(300),
        ..Limits::default()
    }
}

fn is_alive(pid: i32) -> bool {
    procfs::stat(pid).is_some_and(|stat| stat.is_alive())
}

/// Waits for another process's doing; the bound only ends a test that fails anyway.
fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !holds() {
        assert!(Instant::now() < deadline, "never happened: {what}");
        std::thread::yield_now();
    }
}

#[test]
fn exit_codes_and_signals_are_distinguished() {
    let fixture = Fixture::new();
    for (script, want) in [
        ("exit 0", ProcessEnd::Exited(0)),
        ("exit 7", ProcessEnd::Exited(7)),
        ("kill -9 $$", ProcessEnd::Signaled(9)),
        ("nonsense-7251 2>/dev/null", ProcessEnd::Exited(127)),
    ] {
        let outcome = fixture.capture(script, &quick()).outcome;
        assert_eq!(
            (outcome.ended, outcome.strays, outcome.survivors),
            (want, 0, 0),
            "{script}"
        );
    }
}

#[test]
fn a_program_that_cannot_start_is_reported_with_the_reason() {
    let fixture = Fixture::new();
    let plain = fixture.dir.path().join("plain");
    fs::write(&plain, "no program").unwrap();
    let with = |change: &dyn Fn(&mut CommandSpec)| {
        let mut spec = fixture.spec("true");
        change(&mut spec);
        run_capture(&fixture.program(&spec, &quick())).outcome.ended
    };
    for (name, missing, ended) in [
        (
            "nonsense-7251",
            true,
            with(&|spec| spec.program = "nonsense-7251".into()),
        ),
        (
            "gone",
            false,
            with(&|spec| spec.cwd = "/nonsense/gone".into()),
        ),
        (
            "plain",
            false,
            with(&|spec| spec.program = plain.clone().into()),
        ),
        (
            "input",
            false,
            with(&|spec| spec.stdin = Stdin::File("/nonsense".into())),
        ),
        ("nul", false, with(&|spec| spec.args = vec!["\0".into()])),
    ] {
        let ProcessEnd::SpawnFailed {
            missing: is_missing,
            message,
        } = ended
        else {
            panic!("{name}: {ended:?}")
        };
        assert_eq!(is_missing, missing, "{name}: {message}");
        assert!(message.starts_with("cannot "), "{message}");
    }
}

#[test]
fn a_program_gets_its_input_and_only_the_environment_it_was_given() {
    let fixture = Fixture::new();
    let file = fixture.dir.path().join("in");
    fs::write(&file, "from a file").unwrap();
    for (stdin, want) in [
        (Stdin::Null, String::new()),
        (Stdin::File(file), "from a file".into()),
        (Stdin::Bytes(b"bytes".to_vec()), "bytes".into()),
        (Stdin::Bytes(vec![b'x'; 1 << 20]), "x".repeat(CAPTURE * 2)),
    ] {
        let mut spec = fixture.spec("cat");
        spec.stdin = stdin;
        let captured = run_capture(&fixture.program(&spec, &quick()));
        assert_eq!(
            captured
                .stdout
                .to_text()
                .replace("\n… 917504 bytes cut …\n", ""),
            want
        );
    }
    let mut spec = fixture.spec("exec env");
    spec.stdin = Stdin::Bytes(vec![b'x'; 1 << 20]);
    let env = run_capture(&fixture.program(&spec, &quick()))
        .stdout
        .to_text();
    let mut names: Vec<&str> = env
        .lines()
        .filter_map(|line| Some(line.split_once('=')?.0))
        .collect();
    names.retain(|name| !["PWD", "SHLVL", "_", "OLDPWD"].contains(name));
    names.sort_unstable();
    assert_eq!(
        names,
        [MARKER_VARIABLE, "PATH"],
        "and a program that ignores its input does not block us"
    );
}

#[test]
fn a_program_has_no_terminal_to_hang_on() {
    let captured = Fixture::new().capture("read answer < /dev/tty", &quick());
    assert!(
        matches!(captured.outcome.ended, ProcessEnd::Exited(code) if code != 0),
        "{:?}",
        captured.outcome
    );
}

#[test]
fn head_and_tail_of_each_stream_are_kept() {
    let fixture = Fixture::new();
    let captured = fixture.capture(
        "echo first; yes | head -c 1000000; echo last; echo oops >&2",
        &quick(),
    );
    let text = captured.stdout.to_text();
    assert!(text.starts_with("first\n") && text.ends_with("last\n") && text.contains("bytes cut"));
    assert_eq!(captured.outcome.stdout_bytes, 1_000_011);
    assert_eq!(captured.stderr.to_text(), "oops\n");
    assert_eq!(captured.outcome.stderr_tail, b"oops\n");
}

/// Runs the script and checks that afterwards no process of it is alive, and how it ended.
fn check_tree(name: &str, script: &str, limits: &Limits, want: &ProcessEnd) -> ProcessOutcome {
    let fixture = Fixture::new();
    let started = Instant::now();
    let outcome = fixture.capture(script, limits).outcome;
    assert_eq!(&outcome.ended, want, "{name}: {outcome:?}");
    assert_eq!(outcome.survivors, 0, "{name}: {outcome:?}");
    let pids = fixture.pids("pids");
    assert!(
        !pids.is_empty(),
        "{name}: the script did not come far enough"
    );
    for pid in pids {
        assert!(!is_alive(pid), "{name}: {pid} is alive");
    }
    assert_eq!(orphans::find(&fixture.marker.owner, None), [], "{name}");
    assert!(
        started.elapsed() < Duration::from_secs(40),
        "{name} took {:?}",
        started.elapsed()
    );
    outcome
}

/// A daemon in a session of its own, without environment, terminal or descriptors.
const DAEMON: &str = "setsid env -i PATH=\"$PATH\" sh -c \
    'cd / && exec <&- >&- 2>&- 3>&-; sleep 300 & echo $! >>'\"$PWD\"'/pids; trap \"\" TERM; wait' & \
    until [ -s pids ]; do sleep 0.01; done";

#[cfg(target_os = "linux")]
#[test]
fn nothing_a_program_leaves_behind_survives_it() {
    let exited = ProcessEnd::Exited(3);
    for (name, strays, script) in [
        (
            "same group",
            1,
            "sleep 300 & echo $! >pids; exit 3".to_owned(),
        ),
        (
            "own session",
            1,
            "setsid sleep 300 & echo $! >pids; exit 3".into(),
        ),
        (
            "twice removed",
            1,
            "(setsid sh -c 'sleep 300 & echo $! >pids') ; exit 3".into(),
        ),
        (
            "own group by job control",
            1,
            "set -m; sleep 300 & echo $! >pids; exit 3".into(),
        ),
        (
            "stopped",
            1,
            "sleep 300 & echo $! >pids; kill -STOP $!; exit 3".into(),
        ),
        (
            "deaf",
            1,
            "(trap '' TERM HUP INT; exec sleep 300) & echo $! >pids; exit 3".into(),
        ),
        ("daemon", 2, format!("{DAEMON}; exit 3")),
    ] {
        let outcome = check_tree(name, &script, &quick(), &exited);
        assert!(outcome.strays >= strays, "{name}: {outcome:?}");
    }
}

/// Takes bytes, and says whether that was all.
struct Heard(bool);

impl ByteSink for Heard {
    fn stdout(&mut self, _: &[u8]) -> Flow {
        Flow::Continue
    }

    fn tick(&mut self) -> Flow {
        Flow::Continue
    }

    fn has_all(&self) -> bool {
        self.0
    }
}

/// As `ssh` leaves the connection that others share.
#[cfg(target_os = "linux")]
#[test]
fn what_others_may_share_goes_on_once_all_was_said_and_the_rest_ends() {
    let script = "setsid sleep 300 & echo $! >daemon; sleep 300 & echo $! >rest; until [ \"$(cut -d' ' -f6 /proc/$(cat daemon)/stat)\" = $(cat daemon) ]; do :; done";
    for (name, all) in [("in the middle", false), ("at the end", true)] {
        let fixture = Fixture::new();
        let ran = run_bytes(
            &fixture.program(&fixture.spec(script), &quick()),
            &mut Heard(all),
        );
        assert_eq!(ran.ended, ProcessEnd::Exited(0), "{name}: {ran:?}");
        let [daemon, rest] = ["daemon", "rest"].map(|file| fixture.pids(file)[0]);
        assert_eq!((is_alive(daemon), is_alive(rest)), (all, false), "{name}");
        orphans::end(&fixture.marker.owner, None, Duration::ZERO);
        assert!(!is_alive(daemon), "{name}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_limit_ends_the_whole_tree_whatever_it_ignores() {
    let limits = Limits {
        wall: Some(Duration::from_millis(700)),
        ..quick()
    };
    for (name, script) in [
        ("plain", "echo $$ >pids; sleep 300".to_owned()),
        (
            "deaf",
            "echo $$ >pids; trap '' TERM INT HUP; while :; do sleep 1; done".into(),
        ),
        (
            "deaf in two sessions",
            format!("echo $$ >pids; {DAEMON}; trap '' TERM; while :; do sleep 1; done"),
        ),
        ("stopped", "echo $$ >pids; kill -STOP $$".into()),
    ] {
        check_tree(name, &script, &limits, &ProcessEnd::WallLimit);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_tree_that_keeps_forking_is_caught() {
    let storm = "printf '%s\\n' 'sh ./next & exit' >next; printf '%s\\n' 'setsid sh ./hop & exit' >hop; echo $$ >pids;";
    for (name, script) in [
        (
            "a chain in one group",
            format!("{storm} sh ./next & exit 3"),
        ),
        ("a chain of sessions", format!("{storm} sh ./hop & exit 3")),
        (
            "a growing tree",
            format!(
                "{storm} (for i in 1 2 3 4; do while :; do sleep 9 & sleep 0.05; done & done) & exit 3"
            ),
        ),
    ] {
        check_tree(name, &script, &quick(), &ProcessEnd::Exited(3));
    }
}

#[test]
fn a_child_that_holds_the_pipe_does_not_hold_us() {
    let fixture = Fixture::new();
    let started = Instant::now();
    let captured = fixture.capture("sleep 300 & echo hi", &quick());
    assert_eq!(captured.stdout.to_text(), "hi\n");
    assert_eq!(captured.outcome.ended, ProcessEnd::Exited(0));
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_process_of_somebody_else_is_left_alone() {
    let mut neighbour = std::process::Command::new("sleep")
        .arg("300")
        .spawn()
        .unwrap();
    let fixture = Fixture::new();
    fixture.capture("sleep 300 & exit 0", &quick());
    assert_eq!(
        orphans::end(&fixture.marker.owner, None, Duration::ZERO),
        orphans::Sweep::default()
    );
    assert!(neighbour.try_wait().unwrap().is_none());
    // A pid with another start time is another process: recycled. Pid 1 is never opened.
    let pid = i32::try_from(neighbour.id()).unwrap();
    if let Some(stat) = procfs::stat(pid) {
        assert!(descendants::open_verified(pid, stat.start).is_some());
        assert!(descendants::open_verified(pid, stat.start + 1).is_none());
        assert!(descendants::open_verified(1, procfs::stat(1).map_or(0, |s| s.start)).is_none());
    }
    neighbour.kill().unwrap();
    neighbour.wait().unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn trees_that_run_at_once_do_not_end_each_other() {
    let fixtures: Vec<Fixture> = (0..6).map(|_| Fixture::new()).collect();
    std::thread::scope(|scope| {
        for (nr, fixture) in fixtures.iter().enumerate() {
            scope.spawn(move || {
                for _ in 0..4 {
                    let script = format!("{DAEMON}; setsid sleep 0.1; exit {nr}");
                    let outcome = fixture.capture(&script, &quick()).outcome;
                    assert_eq!(
                        outcome.ended,
                        ProcessEnd::Exited(i32::try_from(nr).unwrap())
                    );
                    assert_eq!(orphans::find(&fixture.marker.owner, None), []);
                    assert!(fixture.pids("pids").iter().all(|&pid| !is_alive(pid)));
                    fs::remove_file(fixture.dir.path().join("pids")).unwrap();
                }
            });
        }
    });
}

#[test]
fn silence_is_only_an_end_when_nothing_is_going_on() {
    /// Reports a change every time it is asked, or never.
    struct Activity(u64, bool);
    impl Sink for Activity {
        fn stdout_line(&mut self, _: &[u8], _: bool) -> Flow {
            Flow::Continue
        }
        fn activity(&mut self) -> u64 {
            self.0 += u64::from(self.1);
            self.0
        }
    }
    let check = |name, script, busy_percent, changes, want| {
        let limits = Limits {
            wall: Some(Duration::from_millis(2500)),
            idle: Some(Duration::from_millis(800)),
            busy_percent,
            ..quick()
        };
        let fixture = Fixture::new();
        let mut sink = Activity(0, changes);
        let outcome = run(&fixture.program(&fixture.spec(script), &limits), &mut sink);
        assert_eq!(outcome.ended, want, "{name}");
    };
    let talk = "while :; do echo x; sleep 0.1; done";
    let mutter = "while :; do echo x >&2; sleep 0.1; done";
    let spin = "while :; do :; done";
    std::thread::scope(|scope| {
        for (name, script, busy, changes, want) in [
            (
                "silent",
                "sleep 300",
                Some(10),
                false,
                ProcessEnd::IdleLimit,
            ),
            (
                "stops talking",
                "echo hi; sleep 300",
                Some(10),
                false,
                ProcessEnd::IdleLimit,
            ),
            ("talks", talk, None, false, ProcessEnd::WallLimit),
            (
                "talks on stderr",
                mutter,
                None,
                false,
                ProcessEnd::WallLimit,
            ),
            (
                "changes files",
                "sleep 300",
                None,
                true,
                ProcessEnd::WallLimit,
            ),
            (
                "spins, which does not count",
                spin,
                None,
                false,
                ProcessEnd::IdleLimit,
            ),
            #[cfg(target_os = "linux")]
            (
                "works in silence",
                spin,
                Some(1),
                false,
                ProcessEnd::WallLimit,
            ),
        ] {
            scope.spawn(move || check(name, script, busy, changes, want));
        }
    });
}

#[test]
fn a_sink_sees_every_line_and_can_end_the_run() {
    struct Until(Vec<Vec<u8>>);
    impl Sink for Until {
        fn stdout_line(&mut self, line: &[u8], _: bool) -> Flow {
            self.0.push(line.to_vec());
            if line == b"enough" {
                Flow::Stop(SinkStop::Budget)
            } else {
                Flow::Continue
            }
        }
    }
    let fixture = Fixture::new();
    let mut sink = Until(Vec::new());
    let script = "trap 'echo bye; printf end; exit 0' TERM; printf 'a\\0\\377\\n'; echo enough; while :; do sleep 0.01; done";
    let outcome = run(&fixture.program(&fixture.spec(script), &quick()), &mut sink);
    assert_eq!(outcome.ended, ProcessEnd::LimitHit(SinkStop::Budget));
    assert_eq!(sink.0, [&b"a\0\xff"[..], b"enough", b"bye", b"end"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_panic_in_a_sink_leaves_nothing_alive() {
    struct Panics;
    impl Sink for Panics {
        fn stdout_line(&mut self, _: &[u8], _: bool) -> Flow {
            panic!("on purpose");
        }
    }
    let fixture = Fixture::new();
    let spec = fixture.spec("setsid sleep 300 & echo $! $$ >pids; echo line; exec sleep 300");
    let result = std::panic::catch_unwind(|| {
        run(
            &ProgramRun {
                spec: &spec,
                limits: &quick(),
                log: None,
                stop: &StopFlag::new().unwrap(),
            },
            &mut Panics,
        )
    });
    assert!(result.is_err());
    assert_eq!(
        fixture
            .pids("pids")
            .iter()
            .filter(|&&pid| is_alive(pid))
            .count(),
        0
    );
    assert_eq!(orphans::find(&fixture.marker.owner, None), []);
}

#[test]
fn a_marker_is_one_word_of_a_lineage_and_its_tag_belongs_to_its_owner() {
    let marker = Marker::new("/home/é/repo", "FEAT-2026-0001/T01,x=1\n#2");
    assert_eq!(marker.value(), "-home---repo.FEAT-2026-0001-T01-x-1--2");
    for (value, names) in [
        ("a.1", true),
        ("outer.7,a.1", true),
        ("a.1,inner.3", true),
        ("a.12", false),
        ("xa.1", false),
        ("", false),
    ] {
        assert_eq!(
            Marker::names(value.as_bytes(), &Marker::new("a", "1").value()),
            names,
            "{value}"
        );
    }
    let [one, two, other] = [("a", "1"), ("a", "2"), ("b", "1")].map(|(o, r)| Marker::new(o, r));
    assert!(one.owns_tag(two.tag()) && !one.owns_tag(other.tag()) && one.tag() != two.tag());
}

#[test]
fn the_first_stop_asks_and_the_second_kills() {
    let deaf = "echo ready >ready; trap '' TERM; while :; do sleep 1; done";
    let limits = Limits {
        grace: Duration::from_secs(600),
        ..quick()
    };
    let fixture = Fixture::new();
    let ready = fixture.dir.path().join("ready");
    std::thread::scope(|scope| {
        let run = scope.spawn(|| fixture.capture(deaf, &limits).outcome);
        eventually("the program started", || ready.exists());
        fixture.stop.request(15);
        fixture.stop.request(15);
        let outcome = run.join().unwrap();
        assert_eq!(outcome.ended, ProcessEnd::Cancelled);
        assert!(outcome.duration < Duration::from_secs(60));
    });
    fs::remove_file(&ready).unwrap();
    assert_eq!(
        fixture.capture("echo >ready", &limits).outcome.ended,
        ProcessEnd::Cancelled
    );
    assert!(!ready.exists(), "a raised flag starts nothing");
}

#[test]
fn the_log_is_capped_and_a_log_that_cannot_be_written_fails_nothing() {
    let fixture = Fixture::new();
    let log = fixture.dir.path().join("logs/1.log");
    let limits = Limits {
        log_head: 100,
        log_tail: 50,
        ..quick()
    };
    let script = "echo out; head -c 100000 /dev/zero; echo end";
    let outcome = run(
        &ProgramRun {
            spec: &fixture.spec(script),
            limits: &limits,
            log: Some(&log),
            stop: &fixture.stop,
        },
        &mut (),
    );
    assert_eq!(outcome.log_error, None);
    let text = fs::read(&log).unwrap();
    assert!(
        text.len() < 200 && text.ends_with(b"end\n"),
        "{} bytes",
        text.len()
    );
    assert!(String::from_utf8_lossy(&text).contains("bytes cut"));

    let outcome = run(
        &ProgramRun {
            spec: &fixture.spec("exit 4"),
            limits: &limits,
            log: Some(&log.join("no")),
            stop: &fixture.stop,
        },
        &mut (),
    );
    assert_eq!(outcome.ended, ProcessEnd::Exited(4));
    assert!(outcome.log_error.is_some());
}

/// The same binary as a driver of its own, to be killed, stopped or measured from outside.
#[cfg(target_os = "linux")]
mod apart {
    use super::*;
    use crate::signals;
    use rustix::process::{Pid, Signal, kill_process};
    use std::process::{Child, Command, Stdio};

    const SCRIPT: &str = "TEST_SCRIPT";

    fn driver(fixture: &Fixture, script: &str) -> Child {
        Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "process::tests::apart::a_driver"])
            .env(SCRIPT, script)
            .current_dir(&fixture.dir)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    }

    /// Not a test: the other process. Writes how its run ended, and its peak memory, into files.
    #[test]
    #[ignore = "started by the tests beside it"]
    fn a_driver() {
        let Some(script) = std::env::var_os(SCRIPT) else {
            return;
        };
        let dir = std::env::current_dir().unwrap();
        let lock = ProcessTreeLock::acquire(&dir.join("family.lock")).unwrap();
        let stop = signals::install().unwrap();
        let spec = CommandSpec {
            program: "sh".into(),
            args: vec!["-c".into(), script],
            marker: Marker::new(&dir.to_string_lossy(), "run/1"),
            cwd: dir.clone(),
            env: vec![("PATH".into(), std::env::var_os("PATH").unwrap())],
            stdin: Stdin::Null,
            inherit: Some(lock.file()),
            wrapper: None,
        };
        let limits = Limits {
            grace: Duration::from_secs(600),
            idle: Some(Duration::from_secs(20)),
            ..Limits::default()
        };
        let outcome = run(
            &ProgramRun {
                spec: &spec,
                limits: &limits,
                log: Some(&dir.join("log")),
                stop: &stop,
            },
            &mut (),
        );
        let status = fs::read_to_string("/proc/self/status").unwrap();
        let peak = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))
            .unwrap();
        fs::write(dir.join("peak"), peak.replace("kB", "").trim()).unwrap();
        fs::write(dir.join("out"), outcome.stdout_bytes.to_string()).unwrap();
        fs::write(
            dir.join("ended"),
            format!("{:?} {:?}", outcome.ended, stop.exit()),
        )
        .unwrap();
    }

    fn pid(child: &Child) -> Pid {
        Pid::from_child(child)
    }

    #[test]
    fn after_a_killed_driver_the_next_one_finds_and_ends_exactly_its_trees() {
        let fixture = Fixture::new();
        let owner = &fixture.marker.owner;
        let lock = fixture.dir.path().join("family.lock");
        let script = format!(
            "{DAEMON}; setsid sleep 300 & echo $! >>pids; (trap '' TERM; exec sleep 300) & echo $! >>pids; \
             echo $$ >leader; exec sleep 300"
        );
        let mut driver = driver(&fixture, &script);
        eventually("the process tree is complete", || {
            !fixture.pids("leader").is_empty()
        });
        driver.kill().unwrap();
        driver.wait().unwrap();
        let leader = fixture.pids("leader")[0];
        eventually("the leader is signalled that the driver died", || {
            !is_alive(leader)
        });
        assert!(ProcessTreeLock::still_alive(&lock));
        let pids = fixture.pids("pids");
        let found: Vec<i32> = orphans::find(owner, None).iter().map(|o| o.pid).collect();
        assert_eq!(pids.len(), 3);
        assert!(
            pids.iter().all(|pid| found.contains(pid)),
            "{pids:?} in {found:?}"
        );
        assert_eq!(orphans::find("somebody-else", None), []);

        let sweep = orphans::end(owner, Some(&lock), Duration::from_millis(200));
        assert!(sweep.found >= 3 && sweep.survivors == 0, "{sweep:?}");
        assert!(pids.iter().all(|&pid| !is_alive(pid)));
        assert!(!ProcessTreeLock::still_alive(&lock));
    }

    #[test]
    fn the_lock_alone_gives_a_process_away() {
        let fixture = Fixture::new();
        let path = fixture.dir.path().join("family.lock");
        fs::write(&path, "").unwrap();
        let mut unmarked = Command::new("flock")
            .args(["--shared", "--no-fork"])
            .arg(&path)
            .args(["sh", "-c", "echo >held; exec sleep 300"])
            .current_dir(&fixture.dir)
            .spawn()
            .unwrap();
        eventually("it holds the lock", || {
            fixture.dir.path().join("held").exists()
        });
        assert_eq!(orphans::find(&fixture.marker.owner, None), []);
        assert_eq!(
            orphans::end(&fixture.marker.owner, Some(&path), Duration::from_secs(9)).found,
            1
        );
        assert!(!unmarked.wait().unwrap().success());
    }

    #[test]
    fn ctrl_z_pauses_the_tree_and_sigterm_ends_it() {
        let fixture = Fixture::new();
        let mut driver = driver(
            &fixture,
            "trap 'echo asked >asked; exit 0' TERM; echo $$ >pids; while :; do sleep 0.02; done",
        );
        eventually("the program started", || !fixture.pids("pids").is_empty());
        let leader = fixture.pids("pids")[0];
        // A shell whose child was stopped between vfork and exec waits uninterruptibly: `D`.
        let stands = |pid| procfs::stat(pid).is_some_and(|stat| matches!(stat.state, b'T' | b'D'));
        let driver_pid = pid(&driver).as_raw_pid();
        kill_process(pid(&driver), Signal::TSTP).unwrap();
        eventually("both stand still", || stands(driver_pid) && stands(leader));
        kill_process(pid(&driver), Signal::CONT).unwrap();
        eventually("both go on", || !stands(driver_pid) && !stands(leader));
        kill_process(pid(&driver), Signal::TERM).unwrap();
        assert!(driver.wait().unwrap().success());
        assert!(fixture.dir.path().join("asked").exists());
        let ended = fs::read_to_string(fixture.dir.path().join("ended")).unwrap();
        assert_eq!(ended, "Cancelled Some(Terminated)");
    }

    #[test]
    fn a_second_ctrl_c_does_not_wait_for_the_grace() {
        let fixture = Fixture::new();
        let mut driver = driver(
            &fixture,
            "trap '' TERM; setsid sh -c 'trap \"\" TERM; echo $$ >pids; sleep 300'",
        );
        eventually("the program started", || !fixture.pids("pids").is_empty());
        kill_process(pid(&driver), Signal::INT).unwrap();
        std::thread::yield_now();
        kill_process(pid(&driver), Signal::INT).unwrap();
        // Two signals before the thread looks are one: ask again until it ends, as a user would.
        eventually("it ended", || {
            let _ = kill_process(pid(&driver), Signal::INT);
            driver.try_wait().unwrap().is_some()
        });
        let ended = fs::read_to_string(fixture.dir.path().join("ended"));
        let program = fixture.pids("pids")[0];
        assert!(!is_alive(program), "{ended:?}: {:?}", procfs::stat(program));
        assert_eq!(ended.unwrap(), "Cancelled Some(Interrupted)");
    }

    #[test]
    fn memory_stays_bounded_whatever_is_printed() {
        for (name, bytes, script) in [
            (
                "many lines",
                200_000_000,
                "yes 'a line of some length, again and again' | head -c 200000000",
            ),
            (
                "one line of NULs",
                100_000_000,
                "head -c 100000000 /dev/zero",
            ),
            (
                "both streams",
                50_000_000,
                "yes | head -c 50000000 & yes | head -c 50000000 >&2; wait",
            ),
        ] {
            let fixture = Fixture::new();
            assert!(driver(&fixture, script).wait().unwrap().success());
            let number = |file: &str| {
                fs::read_to_string(fixture.dir.path().join(file))
                    .unwrap()
                    .parse::<u64>()
                    .unwrap()
            };
            assert_eq!(number("out"), bytes, "{name}");
            assert!(number("peak") < 32 * 1024, "{name}: {} KiB", number("peak"));
            assert!(fs::metadata(fixture.dir.path().join("log")).unwrap().len() < 11 * 1024 * 1024);
        }
    }
}

/// Some programs do not wait for their reader, and end.
#[cfg(target_os = "linux")]
#[test]
fn what_is_printed_while_its_reader_is_at_work_is_not_lost() {
    struct AtWork(std::path::PathBuf);
    impl Sink for AtWork {
        fn stdout_line(&mut self, line: &[u8], _: bool) -> Flow {
            if line == b"ready" {
                fs::write(self.0.join("go"), "\n").unwrap();
                fs::read(self.0.join("over")).unwrap();
            }
            Flow::Continue
        }
    }
    let fixture = Fixture::new();
    let script = "mkfifo go over; echo ready; read -r _ <go; \
        dd if=/dev/zero bs=600000 count=1 oflag=nonblock 2>errors; echo $? >status; echo >over";
    let outcome = run(
        &fixture.program(&fixture.spec(script), &quick()),
        &mut AtWork(fixture.dir.path().to_owned()),
    );
    let read = |file| fs::read_to_string(fixture.dir.path().join(file)).unwrap();
    assert_eq!(read("status"), "0\n", "{}", read("errors"));
    assert_eq!(outcome.stdout_bytes, "ready\n".len() as u64 + 600_000);
}

#[test]
fn a_command_whose_sandbox_failed_before_it_is_started_again_and_one_that_began_is_not() {
    for (fails, began, starts, ended) in [
        (0, true, 1, Some(7)),
        (2, true, 3, Some(7)),
        (0, false, 5, None),
        (9, false, 5, None),
    ] {
        let fixture = Fixture::new();
        let status = WrapperStatus::new().unwrap();
        let report = format!("/dev/fd/{}", status.descriptor());
        let begin = match began {
            true => format!("echo '{{\"exit-code\": 7}}' >>{report}"),
            false => "true".to_owned(),
        };
        let script = format!(
            "echo x >>starts; test $(wc -l <starts) -gt {fails} || {{ echo broken >&2; exit 1; }}; {begin}; exit 7"
        );
        let mut spec = fixture.spec(&script);
        spec.wrapper = Some(Arc::new(status));
        let outcome = run_capture(&fixture.program(&spec, &quick())).outcome;
        let row = format!("{fails} {began}: {:?}", outcome.ended);
        let is_code = |code| outcome.ended == ProcessEnd::Exited(code);
        match ended {
            Some(code) => assert!(is_code(code), "{row}"),
            None => assert!(
                matches!(outcome.ended, ProcessEnd::SpawnFailed { .. }),
                "{row}"
            ),
        }
        let started = fs::read_to_string(fixture.dir.path().join("starts")).unwrap();
        assert_eq!(started.lines().count(), starts, "{row}");
    }
}
