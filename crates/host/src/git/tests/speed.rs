//! How long the steps of one passing unit take: printed, never asserted. Run with `--nocapture --include-ignored`.

use super::support::{MAIN, Repo, land, new_commit, new_landing, write};
use crate::git::{MODE_FILE, TreeEdit};
use std::time::Instant;

const ROUNDS: usize = 7;

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Runs the steps of a unit several times and prints the median of each, beside a bare `git add -A && git commit`.
fn measure(name: &str, count: usize) {
    let repo = Repo::init(&[]);
    for number in 0..count {
        repo.write(
            &format!("dir{}/sub{}/f{number}", number % 40, number % 400),
            &format!("content {number}\n"),
        );
    }
    repo.commit_all("start");
    let mut floor = Vec::new();
    for round in 0..ROUNDS {
        repo.write("dir0/sub0/f0", &format!("floor {round}\n"));
        let start = Instant::now();
        repo.git(&["add", "-A"]);
        repo.git(&["commit", "-q", "-m", "floor"]);
        floor.push(start.elapsed().as_secs_f64() * 1000.0);
    }
    let git = repo.open();
    let slot = repo.slot(&git);
    git.prepare(&slot, repo.tip(), MAIN).expect("a slot");
    let names = ["prepare", "capture", "pin", "tree", "land+follow", "all"];
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); names.len()];
    for round in 0..ROUNDS {
        let tip = repo.tip();
        let start = Instant::now();
        git.prepare(&slot, tip, MAIN).expect("a slot");
        let preparing = start.elapsed();
        write(
            &slot.dir().join("dir1/sub1/f1"),
            &format!("round {round}\n"),
        );
        write(&slot.dir().join(format!("dir1/new{round}")), "new\n");
        let start = Instant::now();
        let mut marks = vec![start.checked_sub(preparing).unwrap_or(start), start];
        let captured = git.capture(&slot, tip).expect("a capture");
        marks.push(Instant::now());
        git.pin(
            "refs/gatewalk/attempts/FEAT-2026-0001/T01/1",
            new_commit(captured.tree, tip, "attempt"),
        )
        .expect("a pin");
        marks.push(Instant::now());
        let put = |path: &str| TreeEdit {
            path: path.into(),
            content: Some((MODE_FILE, format!("{path} {round}").into_bytes().into())),
        };
        let edits = [
            put(".gatewalk/features/F/WU-01.md"),
            put(".gatewalk/features/F/events.jsonl"),
        ];
        let tree = git.edit_tree(captured.tree, &edits).expect("a tree");
        marks.push(Instant::now());
        land(&git, &new_landing(tip, tree));
        marks.push(Instant::now());
        for (step, pair) in marks.windows(2).enumerate() {
            times[step].push(pair[1].duration_since(pair[0]).as_secs_f64() * 1000.0);
        }
        times[names.len() - 1].push(
            marks[marks.len() - 1]
                .duration_since(marks[0])
                .as_secs_f64()
                * 1000.0,
        );
    }
    let mut line = format!("{name}: floor {:.1} ms", median(floor));
    for (step, all) in names.iter().zip(times) {
        line.push_str(&format!(", {step} {:.1}", median(all)));
    }
    println!("{line}");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
#[ignore = "a measurement: prints its figures"]
fn a_small_repository() {
    measure("20 files", 20);
}

#[test]
#[ignore = "a measurement: takes a while, prints its figures"]
fn a_large_repository() {
    measure("20,000 files", 20_000);
}
