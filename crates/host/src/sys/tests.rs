use super::{Detach, Program, start};
use rustix::process::{WaitOptions, waitpid};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Permissions};
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Starts a program and returns what it printed, errors with it, and its exit code.
fn output(
    name: &str,
    args: &[&str],
    directory: &Path,
    path: Option<&str>,
) -> io::Result<(String, Option<i32>)> {
    let nothing = File::open("/dev/null").unwrap();
    let (mut out, end) = io::pipe().unwrap();
    let args: Vec<OsString> = args.iter().map(OsString::from).collect();
    let path = path.map(|path| ("PATH".into(), path.into()));
    let env: Vec<_> = path
        .into_iter()
        .chain([("WORD".into(), "a = b".into())])
        .collect();
    let started = start(&Program {
        name: OsStr::new(name),
        args: &args,
        directory,
        env: &env,
        streams: [nothing.as_fd(), end.as_fd(), end.as_fd()],
        detach: Detach::default(),
    });
    drop(end);
    let pid = started?;
    let mut text = String::new();
    out.read_to_string(&mut text).unwrap();
    let (_, status) = waitpid(Some(pid), WaitOptions::empty()).unwrap().unwrap();
    Ok((text, status.exit_status()))
}

#[test]
fn a_program_is_found_as_the_system_finds_it() {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name);
    let write = |name: &str, text: &str, mode| {
        fs::create_dir_all(at(name).parent().unwrap()).unwrap();
        fs::write(at(name), text).unwrap();
        fs::set_permissions(at(name), Permissions::from_mode(mode)).unwrap();
    };
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
    let said = |text: &str| Ok((text.to_owned(), Some(0)));
    type Row<'a> = (
        &'a str,
        Option<String>,
        Result<(String, Option<i32>), io::ErrorKind>,
    );
    let rows: [Row<'_>; 14] = [
        ("hello", Some(place(&["one", "two"])), said("one 1 x y\n")),
        (
            "hello",
            Some(place(&["nowhere", "file", "two"])),
            said("two\n"),
        ),
        ("hello", Some(place(&["closed", "two"])), said("two\n")),
        ("hello", Some(place(&["broken", "two"])), said("two\n")),
        ("hello", Some(place(&["bare", "two"])), said("bare 1 x y\n")),
        (
            "hello",
            Some(place(&["closed"])),
            Err(io::ErrorKind::PermissionDenied),
        ),
        (
            "hello",
            Some(place(&["closed", "nowhere"])),
            Err(io::ErrorKind::PermissionDenied),
        ),
        (
            "hello",
            Some(place(&["nowhere"])),
            Err(io::ErrorKind::NotFound),
        ),
        ("hello", None, Err(io::ErrorKind::NotFound)),
        ("echo", None, said("x y\n")),
        (&absolute, None, said("one 1 x y\n")),
        // From where it starts, not from where we are.
        ("one/hello", None, said("one 1 x y\n")),
        (
            "file",
            Some(place(&[""])),
            Err(io::ErrorKind::PermissionDenied),
        ),
        ("hel\0lo", None, Err(io::ErrorKind::InvalidInput)),
    ];
    for (name, path, wanted) in rows {
        let got = output(name, &["x y"], root.path(), path.as_deref());
        assert_eq!(got.map_err(|e| e.kind()), wanted, "{name} in {path:?}");
    }
    let gone = output("echo", &[], &at("nowhere"), None);
    assert_eq!(gone.unwrap_err().kind(), io::ErrorKind::NotFound);
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_starts_with_no_signal_blocked_and_in_a_session_of_its_own() {
    const BROKEN_PIPE: u64 = 1 << 12;
    let show = "echo \"Word: $WORD\"; exec cat /proc/self/status /proc/self/stat";
    let (text, _) = output("sh", &["-c", show], Path::new("/"), Some("/bin:/usr/bin")).unwrap();
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
    let root = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let directory = root.path();
            scope.spawn(move || {
                for round in 0..50 {
                    let word = format!("{thread} {round} {}", "x".repeat(round * 100));
                    let said = output("echo", &[&word], directory, None).unwrap();
                    assert_eq!(said, (format!("{word}\n"), Some(0)));
                    let gone = output("no-such-program", &[&word], directory, None);
                    assert_eq!(gone.unwrap_err().kind(), io::ErrorKind::NotFound);
                }
            });
        }
    });
}
