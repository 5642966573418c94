//! Many new files by one session, beside `git add` and `git commit` of the same files.

use super::{BINARY, Lab, make_executable, median, ok, rounds, row, run, time};
use std::fs;
use std::time::Duration;

const FILES: usize = 20_000;

/// A session that writes the files, a hundred to a directory, and beside itself how many nanoseconds that took.
const SESSION: &str = r#"#!/bin/sh
begun=$(date +%s%N)
cat >/dev/null
mkdir -p out; echo work > out/1.txt
for d in $(seq 0 199); do
  mkdir -p "new/$d"
  for n in $(seq 0 99); do echo "line $d $n of a file that a session wrote" > "new/$d/$n.txt"; done
done
echo $(($(date +%s%N) - begun)) > "$0.took"
"#;

pub(super) fn new_files() {
    let (mut ours, mut bare) = (Vec::new(), Vec::new());
    for _ in 0..rounds().div_ceil(5) {
        let lab = Lab::new();
        let agent = lab.root.path().join("agent.sh");
        fs::write(&agent, SESSION).unwrap();
        make_executable(&agent);
        lab.feature(1, 1, "active", "pending");
        lab.commit();
        let plain = lab.root.path().join("plain");
        fs::create_dir(&plain).unwrap();
        ok("git", &["init", "-q", "-b", "main"], &plain);
        ok(agent.to_str().unwrap(), &[], &plain);
        bare.push(time(|| {
            ok("git", &["add", "-A"], &plain);
            ok("git", &["commit", "-q", "-m", "files"], &plain);
        }));
        let named = format!("command:{}", agent.display());
        let took = time(|| {
            let args = ["loop", "--sandbox", "off", "--agent", &named];
            let output = run(BINARY, &args, &lab.repo());
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(
                output.status.code().is_some_and(|c| c == 0 || c == 10),
                "{said}"
            );
        });
        // Writing takes another time in each place: only the session's own is no part of the unit.
        let session = fs::read_to_string(lab.root.path().join("agent.sh.took")).unwrap();
        let session = Duration::from_nanos(session.trim().parse().unwrap());
        ours.push(took.checked_sub(session).unwrap());
    }
    let (ours, bare) = (median(ours), median(bare));
    row(
        &format!("a unit of {FILES} new files, its session apart (bare: {bare:.0})"),
        ours,
        "ms",
        bare * 3.0,
    );
}
