//! How a program is found, and what it has when it starts.

use super::*;
use crate::test_files::write_with_mode;

/// Starts a program with this `PATH`; returns what it printed, or how it ended where that is not in order.
fn run(
    fixture: &Fixture,
    name: &str,
    args: &[&str],
    path: Option<&str>,
) -> Result<String, ProcessEnd> {
    let path = path.map(|path| ("PATH".into(), path.into()));
    let word = ("WORD".into(), "a = b".into());
    let spec = CommandSpec {
        program: name.into(),
        args: args.iter().map(Into::into).collect(),
        env: path.into_iter().chain([word]).collect(),
        ..fixture.spec("")
    };
    let captured = run_capture(&fixture.program(&spec, &quick()));
    match captured.outcome.ended {
        ProcessEnd::Exited(0) => Ok(captured.stdout.to_text()),
        other => Err(other),
    }
}

#[test]
fn a_program_is_found_as_the_system_finds_it() {
    let fixture = Fixture::new();
    let at = |name: &str| fixture.dir.path().join(name);
    let write = |name: &str, text: &str, mode| write_with_mode(&at(name), text, mode);
    write("one/hello", "#!/bin/sh\necho one $# $1\n", 0o755);
    write("two/hello", "#!/bin/sh\necho two\n", 0o755);
    write("closed/hello", "#!/bin/sh\n", 0o644);
    write("bare/hello", "echo bare $# $1\n", 0o755);
    write("broken/hello", "#!/nowhere/sh\n", 0o755);
    write("file", "", 0o644);
    let place = |names: &[&str]| {
        let names = names.iter().map(|name| match *name {
            "" => String::new(),
            name => at(name).display().to_string(),
        });
        names.collect::<Vec<_>>().join(":")
    };
    let absolute = at("one/hello").display().to_string();
    let said = |text: &str| Ok(text.to_owned());
    let (missing, denied, zero) = (
        (true, "o such file"),
        (false, "ermission denied"),
        (false, "nul byte"),
    );
    let rows = [
        ("hello", Some(place(&["one", "two"])), said("one 1 x y\n")),
        (
            "hello",
            Some(place(&["nowhere", "file", "two"])),
            said("two\n"),
        ),
        ("hello", Some(place(&["closed", "two"])), said("two\n")),
        ("hello", Some(place(&["broken", "two"])), said("two\n")),
        ("hello", Some(place(&["bare", "two"])), said("bare 1 x y\n")),
        ("hello", Some(place(&["closed"])), Err(denied)),
        ("hello", Some(place(&["closed", "nowhere"])), Err(denied)),
        ("hello", Some(place(&["nowhere"])), Err(missing)),
        ("hello", None, Err(missing)),
        ("echo", None, said("x y\n")),
        (&absolute, None, said("one 1 x y\n")),
        // From where it starts, not from where we are.
        ("one/hello", None, said("one 1 x y\n")),
        ("file", Some(place(&[""])), Err(denied)),
        ("hel\0lo", None, Err(zero)),
    ];
    for (name, path, wanted) in rows {
        let got = run(&fixture, name, &["x y"], path.as_deref());
        match (got, wanted) {
            (Ok(got), Ok(wanted)) => assert_eq!(got, wanted, "{name} in {path:?}"),
            (Err(ProcessEnd::SpawnFailed { missing, message }), Err((wanted, why))) => {
                assert_eq!(missing, wanted, "{name} in {path:?}: {message}");
                assert!(message.contains(why), "{name} in {path:?}: {message}");
            }
            (got, wanted) => panic!("{name} in {path:?}: {got:?}, not {wanted:?}"),
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_starts_with_no_signal_blocked_and_in_a_session_of_its_own() {
    const BROKEN_PIPE: u64 = 1 << 12;
    let show = "echo \"Word: $WORD\"; exec cat /proc/self/status /proc/self/stat";
    let text = run(&Fixture::new(), "sh", &["-c", show], Some("/bin:/usr/bin")).unwrap();
    let line = |name: &str| {
        let mut lines = text.lines().filter_map(|line| line.split_once(':'));
        lines.find(|(found, _)| *found == name).unwrap().1.trim()
    };
    let mask = |name| u64::from_str_radix(line(name), 16).unwrap();
    assert_eq!(mask("SigBlk"), 0, "{text}");
    assert_eq!(mask("SigIgn") & BROKEN_PIPE, 0, "{text}");
    let stat: Vec<&str> = text.lines().last().unwrap().split(' ').collect();
    assert_eq!([stat[4], stat[5]], [stat[0]; 2], "{text}");
    assert_eq!(line("Word"), "a = b");
    // And ours are as they were: a thread that starts a program hears signals afterwards.
    let own = fs::read_to_string("/proc/thread-self/status").unwrap();
    assert!(own.contains("SigBlk:\t0000000000000000"), "{own}");
}

#[test]
fn programs_start_from_many_threads_while_others_use_memory() {
    std::thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || {
                let fixture = Fixture::new();
                for round in 0..30 {
                    let word = format!("{thread} {round} {}", "x".repeat(round * 100));
                    let said = run(&fixture, "echo", &[&word], None);
                    assert_eq!(said, Ok(format!("{word}\n")));
                    let gone = run(&fixture, "no-such-program", &[&word], None);
                    assert!(matches!(
                        gone,
                        Err(ProcessEnd::SpawnFailed { missing: true, .. })
                    ));
                }
            });
        }
    });
}
