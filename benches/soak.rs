//! A long walk, and the same walk killed again and again: the same history, a driver that does not grow,
//! and nothing left behind.
//!
//! `cargo bench -- soak`; `GATEWALK_SOAK_UNITS` sets how many units are walked (a thousand take minutes,
//! some thousands hours), `GATEWALK_SOAK_SEED` where the driver is killed. It panics on what must hold.

use super::{BINARY, Lab, command, ok, row, run};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

const FEATURE: &str = ".gatewalk/features/FEAT-2026-0001-bench";
const BRANCH: &str = "feat/FEAT-2026-0001-bench";

/// Prints what a long walk costs, and that kills do not change what comes of it.
pub(super) fn soak() {
    let number = |name: &str, else_: u64| {
        let text = std::env::var(name).ok();
        text.and_then(|n| n.parse().ok()).unwrap_or(else_)
    };
    let units = number("GATEWALK_SOAK_UNITS", 200) as usize;
    let mut dice = Dice(number("GATEWALK_SOAK_SEED", 1));
    let calm = lab(units);
    let started = Instant::now();
    let life = Life::start(&calm).until_it_ends();
    assert_eq!(life.exit, Some(0), "the undisturbed walk");
    let calm_time = started.elapsed();
    let growth = life.growth();
    let what = format!("soak, {units} units: the driver's memory grows");
    // What it knows of each unit and the log it appends to do grow; a session's output must not stay.
    let allowed = 4.0 + units as f64 / 64.0;
    row(&what, growth.memory_kib / 1024.0, "MB", allowed);
    row(
        "soak: descriptors more than at first",
        growth.descriptors,
        "",
        0.0,
    );

    let flat = growth.memory_kib / 1024.0 <= allowed && growth.descriptors <= 0.0;
    assert!(flat, "the driver grows as it walks");

    let shaken = lab(units);
    let started = Instant::now();
    let (mut kills, mut peak) = (0, life.peak_kib());
    let end = loop {
        let mut life = Life::start(&shaken);
        // Counted in what the driver tells and not in time, so that a slow machine gets as far.
        if !life.listen(Some(dice.below(30))) {
            break life;
        }
        std::thread::sleep(Duration::from_micros(dice.below(30_000)));
        life.kill();
        kills += 1;
        peak = peak.max(life.peak_kib());
        assert!(kills < 20 * units + 100, "it comes to no end");
    };
    assert_eq!(end.exit, Some(0), "the walk that was killed {kills} times");
    let mut again = Life::start(&shaken);
    again.listen(None);
    row("soak: the driver's peak", peak / 1024.0, "MB", 64.0);
    assert!(peak < 64.0 * 1024.0, "{peak} KiB");
    let (want, got) = (history(&calm), history(&shaken));
    let differs = want.lines().zip(got.lines()).find(|(a, b)| a != b);
    assert!(want == got, "kills changed the history: {differs:?}");
    assert_eq!(left_at_work(&shaken), Vec::<String>::new(), "still alive");
    println!(
        "soak: {units} units in {:.0} s, and killed {kills} times in {:.0} s: the same history, nothing left at work",
        calm_time.as_secs_f64(),
        started.elapsed().as_secs_f64(),
    );
}

/// Small, and the same everywhere.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }
}

/// A feature of so many units; every seventh needs a second attempt, every fifth leaves a daemon.
fn lab(units: usize) -> Lab {
    let lab = Lab::new();
    lab.write(".gatewalk/verification.yml", "code:\n  - {name: whole, command: \"! grep -rq half out\"}\ndoc:\n  - {name: whole, command: \"! grep -rq half out\"}\n");
    lab.write("out/0.txt", "whole\n");
    lab.feature(1, units, "active", "pending");
    let sessions = lab.root.path().join("sessions");
    fs::create_dir(&sessions).unwrap();
    for unit in 1..=units {
        let session = |word: &str, daemon: &str| {
            format!(
                "steps:\n{daemon}  - write: out/{unit}.txt\n    content: |\n      {word}\nusage: {{input_tokens: 10, output_tokens: 5, cost_usd: 0.01}}\nresult:\n  status: complete\n  summary: Done.\n"
            )
        };
        let daemon = match unit % 5 {
            0 => "  - shell: \"setsid sleep 3000 & sleep 3000 &\"\n",
            _ => "",
        };
        let write = |number: u32, text: String| {
            fs::write(sessions.join(format!("T{unit:02}.{number}.yml")), text).unwrap();
        };
        let first = if unit % 7 == 0 { "half" } else { "whole" };
        write(1, session(first, daemon));
        write(2, session("whole", daemon));
    }
    lab.commit();
    lab
}

/// One driver's life, and what it held while it told its news.
struct Life {
    driver: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
    samples: Vec<Sample>,
    exit: Option<i32>,
}

#[derive(Clone, Copy, Default)]
struct Sample {
    memory_kib: f64,
    peak_kib: f64,
    descriptors: f64,
}

impl Life {
    fn start(lab: &Lab) -> Life {
        let sessions = lab.root.path().join("sessions");
        let mut driver = command(BINARY, &lab.repo())
            .args(["loop", "--feature", "FEAT-2026-0001", "--json", "--agent"])
            .arg(format!("script:{}", sessions.display()))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        Life {
            driver,
            lines,
            samples: Vec::new(),
            exit: None,
        }
    }

    /// Listens to so many lines, or to the end; returns whether the driver is still there.
    fn listen(&mut self, most: Option<u64>) -> bool {
        let mut heard = 0;
        while most.is_none_or(|most| heard < most) {
            let Some(Ok(line)) = self.lines.next() else {
                self.exit = self.driver.wait().unwrap().code();
                return false;
            };
            heard += 1;
            if line.contains("\"landed\"") {
                self.samples.extend(sample(self.driver.id()));
            }
        }
        true
    }

    fn until_it_ends(mut self) -> Life {
        self.listen(None);
        self
    }

    fn kill(&mut self) {
        self.driver.kill().unwrap();
        self.driver.wait().unwrap();
    }

    fn peak_kib(&self) -> f64 {
        self.samples.iter().map(|s| s.peak_kib).fold(0.0, f64::max)
    }

    /// Returns how much more the last quarter of the landings held than the second one, which is warm.
    fn growth(&self) -> Sample {
        let quarter = self.samples.len() / 4;
        assert!(quarter > 3, "{} landings were seen", self.samples.len());
        let of = |samples: &[Sample], pick: fn(&Sample) -> f64| {
            let mut values: Vec<f64> = samples.iter().map(pick).collect();
            values.sort_by(f64::total_cmp);
            values[values.len() / 2]
        };
        let (early, late) = (
            &self.samples[quarter..2 * quarter],
            &self.samples[3 * quarter..],
        );
        let more = |pick| of(late, pick) - of(early, pick);
        Sample {
            memory_kib: more(|s| s.memory_kib),
            peak_kib: 0.0,
            descriptors: more(|s| s.descriptors),
        }
    }
}

fn sample(pid: u32) -> Option<Sample> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let figure = |key: &str| {
        let line = status.lines().find(|line| line.starts_with(key))?;
        line.split_whitespace().nth(1)?.parse::<f64>().ok()
    };
    Some(Sample {
        memory_kib: figure("VmRSS:")?,
        peak_kib: figure("VmHWM:")?,
        descriptors: fs::read_dir(format!("/proc/{pid}/fd")).ok()?.count() as f64,
    })
}

/// Returns every commit in words: its message, the product's files with their content's id, the plan's files
/// by name; and the plan's files as they are in the end, without what hangs on the time.
fn history(lab: &Lab) -> String {
    let git = |args: &[&str]| {
        let output = run("git", args, &lab.repo());
        assert!(output.status.success(), "git {args:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let mut text = String::new();
    let range = format!("main..{BRANCH}");
    let format = "--format=# %s%n%(trailers:key=Feature)%(trailers:key=Attempt)";
    for line in git(&["log", "--reverse", "--raw", "--no-abbrev", format, &range]).lines() {
        match line.split_once('\t') {
            Some((_, path)) if path.starts_with(".gatewalk/") => text.push_str(path),
            _ => text.push_str(line),
        }
        text.push('\n');
    }
    let names = git(&["ls-tree", "--name-only", &format!("{BRANCH}:{FEATURE}")]);
    for name in names.lines().filter(|name| name.ends_with(".md")) {
        let file = git(&["show", &format!("{BRANCH}:{FEATURE}/{name}")]);
        let lines = file.lines().filter(|line| !line.contains("duration"));
        lines.for_each(|line| text.extend([line, "\n"]));
    }
    ok(
        "git",
        &["fsck", "--no-dangling", "--no-progress"],
        &lab.repo(),
    );
    text
}

/// Returns the processes that work in this lab.
fn left_at_work(lab: &Lab) -> Vec<String> {
    let root = lab.root.path().canonicalize().unwrap();
    let home = format!("HOME={}", root.display());
    let works_here = |process: &Path| {
        let cwd = fs::read_link(process.join("cwd")).is_ok_and(|cwd| cwd.starts_with(&root));
        let environ = fs::read(process.join("environ")).unwrap_or_default();
        cwd || String::from_utf8_lossy(&environ).contains(&home)
    };
    let processes = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    processes
        .map(|entry| entry.path())
        .filter(|path| path.join("environ").exists() && works_here(path))
        .map(|path| {
            let line = fs::read(path.join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).replace('\0', " ")
        })
        .filter(|line| !line.is_empty())
        .collect()
}
