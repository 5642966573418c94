//! What a unit asks of the system, counted: processes, flushes, looks at files. A regression shows here without a clock.

use super::{BINARY, Lab, command, make_executable, row, run};
use std::fs;

const FILES: usize = 1_000;

/// The name of each tracked file begins so.
const TRACKED: &str = "tracked-";

/// What is counted.
struct Count {
    what: &'static str,
    calls: &'static [&'static str],
    /// In which lines of the record.
    about: &'static str,
    per: f64,
    /// Without a sandbox, and with one.
    most: [f64; 2],
}

const COUNTED: [Count; 3] = [
    Count {
        what: "processes a unit",
        calls: &["execve"],
        about: "",
        per: 1.0,
        most: [9.0, 12.0],
    },
    Count {
        what: "flushes a unit",
        calls: &["fsync", "fdatasync", "sync_file_range", "syncfs"],
        about: "",
        per: 1.0,
        most: [16.0, 16.0],
    },
    Count {
        what: "looks at a tracked file a unit",
        calls: &["statx", "newfstatat", "lstat", "stat"],
        about: TRACKED,
        per: FILES as f64,
        most: [5.5, 2.5],
    },
];

/// Prints the counts of a further unit, without a sandbox and with one.
pub(super) fn unit_counts() {
    let has_strace = std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|dir| dir.join("strace").is_file()));
    if !has_strace {
        println!(
            "{:<52} not measured: strace is not here",
            "counts of a unit"
        );
        return;
    }
    for (at, sandbox) in ["off", "auto"].into_iter().enumerate() {
        let (few, many) = (calls(4, sandbox), calls(12, sandbox));
        for counted in COUNTED {
            let Count {
                what,
                calls: names,
                about,
                per,
                most,
            } = counted;
            let count = |calls: &str| {
                let is_one = |line: &&str| {
                    line.contains(about) && names.iter().any(|name| is_call(line, name))
                };
                calls.lines().filter(is_one).count() as f64
            };
            let a_unit = (count(&many) - count(&few)) / 8.0 / per;
            row(&format!("{what}, sandbox {sandbox}"), a_unit, "", most[at]);
        }
    }
}

/// Returns whether a line of the record is a call that succeeded.
fn is_call(line: &str, name: &str) -> bool {
    let call = line
        .split_once(' ')
        .map_or("", |(_, call)| call.trim_start());
    call.strip_prefix(name)
        .is_some_and(|rest| rest.starts_with('('))
        && !line.contains(" = -1 ")
}

/// Returns the record of a walk of so many units.
fn calls(units: usize, sandbox: &str) -> String {
    let lab = Lab::new();
    lab.agent("");
    let agent = lab.root.path().join("agent.sh");
    make_executable(&agent);
    for n in 0..FILES {
        lab.write(
            &format!("src/d{}/{TRACKED}{n}.txt", n % 20),
            &format!("file {n}\n"),
        );
    }
    lab.feature(1, units, "active", "pending");
    lab.commit();
    let record = lab.root.path().join("calls");
    let names: Vec<&str> = COUNTED
        .iter()
        .flat_map(|counted| counted.calls)
        .copied()
        .collect();
    let output = command("strace", &lab.repo())
        .args([
            "-f",
            "-qq",
            "-e",
            &format!("trace={}", names.join(",")),
            "-o",
        ])
        .arg(&record)
        .args([
            BINARY,
            "loop",
            "--sandbox",
            sandbox,
            "--agent",
            &format!("command:{}", agent.display()),
        ])
        .output()
        .unwrap();
    assert!(
        matches!(output.status.code(), Some(0 | 10)),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    drop(run("git", &["status"], &lab.repo()));
    fs::read_to_string(record).unwrap()
}
