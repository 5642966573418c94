//! Real programs, real `sh`. What a test must not find is looked for by a pid the program wrote.

use super::*;
use crate::effects::lock::FamilyLock;
use std::fs;
use std::time::Instant;

/// A scratch directory, a marker nobody else has, and a way to run `sh` there.
struct Bench {
    dir: tempfile::TempDir,
    marker: Marker,
    stop: StopFlag,
}

impl Bench {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let marker = Marker::new(&dir.path().to_string_lossy(), "run/1");
        Bench {
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
        }
    }

    fn capture(&self, script: &str, limits: &Limits) -> Captured {
        run_capture(&self.spec(script), limits, None, &self.stop)
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
fn exit_codes_and_signals_are_told_apart() {
    let bench = Bench::new();
    for (script, want) in [
        ("exit 0", Ended::Exited(0)),
        ("exit 7", Ended::Exited(7)),
        ("kill -9 $$", Ended::Signaled(9)),
        ("nonsense-7251 2>/dev/null", Ended::Exited(127)),
    ] {
        let outcome = bench.capture(script, &quick()).outcome;
        assert_eq!(
            (outcome.ended, outcome.strays, outcome.survivors),
            (want, 0, 0),
            "{script}"
        );
    }
}

#[test]
fn a_program_that_cannot_start_says_why() {
    let bench = Bench::new();
    let plain = bench.dir.path().join("plain");
    fs::write(&plain, "no program").unwrap();
    let with = |change: &dyn Fn(&mut CommandSpec)| {
        let mut spec = bench.spec("true");
        change(&mut spec);
        run_capture(&spec, &quick(), None, &bench.stop)
            .outcome
            .ended
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
        let Ended::SpawnFailed {
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
    let bench = Bench::new();
    let file = bench.dir.path().join("in");
    fs::write(&file, "from a file").unwrap();
    for (stdin, want) in [
        (Stdin::Null, String::new()),
        (Stdin::File(file), "from a file".into()),
        (Stdin::Bytes(b"bytes".to_vec()), "bytes".into()),
        (Stdin::Bytes(vec![b'x'; 1 << 20]), "x".repeat(CAPTURE * 2)),
    ] {
        let mut spec = bench.spec("cat");
        spec.stdin = stdin;
        let captured = run_capture(&spec, &quick(), None, &bench.stop);
        assert_eq!(
            captured
                .stdout
                .to_text()
                .replace("\n… 917504 bytes cut …\n", ""),
            want
        );
    }
    let mut spec = bench.spec("exec env");
    spec.stdin = Stdin::Bytes(vec![b'x'; 1 << 20]);
    let env = run_capture(&spec, &quick(), None, &bench.stop)
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
    let captured = Bench::new().capture("read answer < /dev/tty", &quick());
    assert!(
        matches!(captured.outcome.ended, Ended::Exited(code) if code != 0),
        "{:?}",
        captured.outcome
    );
}

#[test]
fn head_and_tail_of_each_stream_are_kept() {
    let bench = Bench::new();
    let captured = bench.capture(
        "echo first; yes | head -c 1000000; echo last; echo oops >&2",
        &quick(),
    );
    let text = captured.stdout.to_text();
    assert!(text.starts_with("first\n") && text.ends_with("last\n") && text.contains("bytes cut"));
    assert_eq!(captured.outcome.stdout_bytes, 1_000_011);
    assert_eq!(captured.stderr.to_text(), "oops\n");
    assert_eq!(captured.outcome.stderr_tail, b"oops\n");
    assert!(captured.both.to_text().contains("oops"));
}
