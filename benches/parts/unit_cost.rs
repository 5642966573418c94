//! What a passing unit costs: the slope of a walk and its start apart, wall clock and processor time, on the memory disk
//! and on a disk, beside bare git and a plain script of the same steps. All contestants take turns in one run, so that
//! what else the machine does hits each of them; nothing is deleted before the end, for a disk pays for that later.

use super::walks::{Walk, WalkCost, median_of};
use super::{Lab, make_executable, ok, rounds, row, time};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

const UNITS: usize = 24;

/// What such a script does: the session, a look at what changed, the command, the status in the unit's file, an event, a
/// commit.
const SCRIPT: &str = r#"
import json, pathlib, re, subprocess, sys, time
agent, units = sys.argv[1], int(sys.argv[2])
def git(*args):
    return subprocess.run(["git", *args], check=True, capture_output=True, text=True).stdout
feature = next(pathlib.Path(".gatewalk/features").glob("*-0001-*"))
for number in range(1, units + 1):
    unit = feature / f"WU-{number:02}-work.md"
    text = unit.read_text()
    base = git("rev-parse", "HEAD").strip()
    git("status", "--porcelain")
    subprocess.run(["sh", agent], input=text, text=True, check=True)
    changed = git("status", "--porcelain").splitlines()
    subprocess.run(["sh", "-c", "test -f README"], check=True)
    unit.write_text(re.sub(r"(?m)^status: \w+$", "status: done", text, count=1))
    with open(feature / "events.jsonl", "a") as log:
        log.write(json.dumps({"unit": number, "base": base, "changed": changed, "at": time.time()}) + "\n")
    git("add", "-A")
    git("commit", "-q", "-m", f"unit {number}")
"#;

#[derive(Clone, Copy, PartialEq)]
enum Contestant {
    Bare,
    Script,
    Ours(&'static str),
}

const CONTESTANTS: [Contestant; 4] = [
    Contestant::Bare,
    Contestant::Script,
    Contestant::Ours("off"),
    Contestant::Ours("auto"),
];

/// Prints the figures of both disks, for a small repository and for one of 20,000 files.
pub(super) fn unit_cost() {
    let mut walked = Vec::new();
    for disk in disks() {
        for (files, most) in [(0, [3.0, 4.0]), (20_000, [1.5, 2.0])] {
            let labs = contest(&disk, files, most);
            // Memory is freed at once, and has no journal.
            if !disk.is_memory {
                walked.extend(labs);
            }
        }
    }
}

/// Where repositories are.
struct Disk {
    name: &'static str,
    place: PathBuf,
    is_memory: bool,
}

/// Returns the memory disk, where there is one, and the disk of temporary files.
fn disks() -> Vec<Disk> {
    let disk = |name, place: PathBuf, is_memory| Disk {
        name,
        place,
        is_memory,
    };
    let all = [
        disk("memory disk", "/dev/shm".into(), true),
        disk("disk", std::env::temp_dir(), false),
    ];
    let is_there = |disk: &Disk| tempfile::tempdir_in(&disk.place).is_ok();
    all.into_iter().filter(is_there).collect()
}

/// Lets every contestant walk the same units in turns, and prints what each took; returns the repositories.
fn contest(disk: &Disk, files: usize, most: [f64; 2]) -> Vec<Lab> {
    let mut costs: Vec<Vec<WalkCost>> = vec![Vec::new(); CONTESTANTS.len()];
    let mut labs = Vec::new();
    for _ in 0..rounds().div_ceil(3) {
        for (at, contestant) in CONTESTANTS.into_iter().enumerate() {
            let lab = lab(&disk.place, files);
            costs[at].push(cost(&lab, contestant));
            labs.push(lab);
        }
    }
    let size = match files {
        0 => "small repository".to_owned(),
        many => format!("{many} files"),
    };
    let unit = |at: usize| median_of(costs[at].iter().map(|c| c.unit));
    let (bare, script, disk) = (unit(0), unit(1), disk.name);
    println!("a unit of bare git, {size}, {disk}: {bare:.1} ms; of the script: {script:.1} ms");
    for (at, most) in [(2, most[0]), (3, most[1])] {
        let Contestant::Ours(sandbox) = CONTESTANTS[at] else {
            continue;
        };
        let what = format!("a passing unit, {size}, {disk}, sandbox {sandbox}");
        let cpu = median_of(costs[at].iter().map(|c| c.cpu));
        let start = median_of(costs[at].iter().map(|c| c.start));
        println!(
            "{what}: {:.1} ms, processor {cpu:.1} ms; start {start:.1} ms",
            unit(at)
        );
        row(&format!("{what}, of bare git"), unit(at) / bare, "x", most);
        row(
            &format!("{what}, of the script"),
            unit(at) / script,
            "x",
            1.0,
        );
    }
    labs
}

fn cost(lab: &Lab, contestant: Contestant) -> WalkCost {
    let agent = lab.root.path().join("agent.sh");
    match contestant {
        Contestant::Bare => WalkCost::of_units(bare(lab, &agent)),
        Contestant::Script => WalkCost::of_units(
            time(|| {
                let script = lab.root.path().join("script.py");
                fs::write(&script, SCRIPT).unwrap();
                let args = [
                    &*script.to_string_lossy(),
                    &agent.to_string_lossy(),
                    &UNITS.to_string(),
                ];
                ok("python3", &args, &lab.repo());
            }) / UNITS as u32,
        ),
        Contestant::Ours(sandbox) => Walk::start(lab, &agent, &["--sandbox", sandbox]).cost(UNITS),
    }
}

/// The floor: the session, `sh -c`, `git add -A`, `git commit`.
fn bare(lab: &Lab, agent: &Path) -> Duration {
    let repo = lab.repo();
    let took = time(|| {
        for unit in 0..UNITS {
            ok("sh", &[&agent.to_string_lossy()], &repo);
            ok("sh", &["-c", "test -f README"], &repo);
            ok("git", &["add", "-A"], &repo);
            ok(
                "git",
                &["commit", "-q", "-m", &format!("unit {unit}")],
                &repo,
            );
        }
    });
    took / UNITS as u32
}

fn lab(place: &Path, files: usize) -> Lab {
    let lab = Lab::new_in(place);
    lab.agent("");
    for n in 0..files {
        lab.write(
            &format!("src/d{}/f{n}.txt", n % 200),
            &format!("file {n}\n"),
        );
    }
    lab.feature(1, UNITS, "active", "pending");
    lab.commit();
    make_executable(&lab.root.path().join("agent.sh"));
    lab
}
