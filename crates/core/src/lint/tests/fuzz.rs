//! Bounded fuzzing of reading and linting: examples of the pages, damaged at random, and inputs
//! made to be deep or huge. `GATEWALK_FUZZ_SEED` repeats a run, `GATEWALK_FUZZ_SECONDS` makes it
//! longer.

use super::{all_cases, example_plan, lint, show};
use crate::lint::{Options, fix};
use crate::model::document::MAX_FILE_BYTES;
use crate::model::layout::Layout;
use crate::model::workspace::{FileSet, Workspace};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Says how to repeat what panics.
struct Seed(u64);

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("GATEWALK_FUZZ_SEED={} shows it again", self.0);
        }
    }
}

/// A small generator: what matters is that a seed gives the same bytes everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
}

/// Pieces that mean something to YAML or Markdown.
const PIECES: [&[u8]; 40] = [
    b"---\n",
    b"\n---",
    b"```yaml\n",
    b"```",
    b"gates:\n",
    b"  - gate: ",
    b"    work_units:\n",
    b"      - id: ",
    b"depends_on: [",
    b"]",
    b"[",
    b"{",
    b"}",
    b": ",
    b":",
    b"- ",
    b"\n",
    b"\r\n",
    b"\t",
    b"    ",
    b"#",
    b" # ",
    b"\"",
    b"'",
    b"|",
    b">-",
    b"&a ",
    b"*a",
    b"!!str ",
    b"<<: ",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\xe2\x80\xae",
    b"\0",
    b"1e999",
    b"-1",
    b"<!-- gatewalk: allow ",
    b"-->",
    b"../",
    b"FEAT-2026-0001/T01",
];

fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len() + 1);
        let to = (at + random.below(20)).min(bytes.len());
        match random.below(5) {
            0 => drop(bytes.drain(at..to)),
            1 => drop(bytes.splice(at..at, PIECES[random.below(PIECES.len())].iter().copied())),
            2 => drop(bytes.splice(at..to, PIECES[random.below(PIECES.len())].iter().copied())),
            3 => {
                let copy = bytes[at..to].repeat(1 + random.below(30));
                drop(bytes.splice(at..at, copy));
            }
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = random.next() as u8;
                }
            }
        }
    }
}

fn spans_lie_inside(files: &FileSet) {
    for d in lint(files) {
        for place in std::iter::once(&d.primary).chain(&d.related) {
            let Some(bytes) = files.get(&*place.path) else {
                continue;
            };
            let text = String::from_utf8_lossy(bytes);
            let inside = text.get(place.span.clone()).is_some();
            assert!(
                inside,
                "outside of {}: {}",
                place.path,
                show(std::slice::from_ref(&d))
            );
        }
    }
}

#[test]
fn damaged_plans_are_read_linted_and_fixed_without_a_panic() {
    let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    let wanted = number("GATEWALK_FUZZ_SEED");
    let end = Instant::now() + Duration::from_secs(number("GATEWALK_FUZZ_SECONDS").unwrap_or(1));
    let cases = all_cases();
    let mut seed = wanted.unwrap_or(1);
    loop {
        let _shown = Seed(seed);
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let mut files = cases[random.below(cases.len())].1.files.clone();
        for bytes in files.values_mut() {
            if random.below(3) == 0 {
                let mut new = bytes.to_vec();
                damage(&mut new, &mut random);
                *bytes = Arc::from(new);
            }
        }
        let start = Instant::now();
        spans_lie_inside(&files);
        let fixed = fix::fix(Layout::Gatewalk, &files, &Options::default(), |_, fix| {
            fix.safe
        });
        let mut once = files.clone();
        once.extend(fixed.files);
        let again = fix::fix(Layout::Gatewalk, &once, &Options::default(), |_, fix| {
            fix.safe
        });
        assert!(
            again.files.is_empty(),
            "fixing twice differs: {:?}",
            again.files.keys()
        );
        assert!(start.elapsed() < Duration::from_secs(20), "it hangs");
        if wanted.is_some() || Instant::now() > end {
            return;
        }
        seed += 1;
    }
}

#[test]
fn a_file_taken_up_alone_is_read_as_the_whole_would_be() {
    take_up_alone(1..60);
}

#[test]
#[ignore = "long"]
fn more_files_taken_up_alone_are_read_as_the_whole_would_be() {
    take_up_alone(60..150);
}

fn take_up_alone(seeds: std::ops::Range<u64>) {
    let cases = all_cases();
    for seed in seeds {
        let _shown = Seed(seed);
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let mut files = cases[random.below(cases.len())].1.files.clone();
        let mut kept = Workspace::parse(Layout::Gatewalk, &files);
        for _ in 0..4 {
            let at = random.below(files.len());
            let path = files.keys().nth(at).unwrap().clone();
            if random.below(8) == 0 {
                files.remove(&path);
            } else {
                let mut new = files[&path].to_vec();
                damage(&mut new, &mut random);
                files.insert(path.clone(), Arc::from(new));
            }
            kept.replace_file(&files, &path);
            let fresh = Workspace::parse(Layout::Gatewalk, &files);
            let options = Options::default();
            assert_eq!(
                crate::lint::run(&kept, &options),
                crate::lint::run(&fresh, &options),
                "after {path}"
            );
            if files.is_empty() {
                break;
            }
        }
    }
}

#[test]
fn deep_and_huge_inputs_are_refused_at_once() {
    const UNIT: &str = ".gatewalk/features/FEAT-2026-0001-export/WU-01-export.md";
    const PLAN: &str = ".gatewalk/features/FEAT-2026-0001-export/PLAN.md";
    let front = |yaml: &str| format!("---\n{yaml}\n---\n\n# X\n");
    let graph = |yaml: &str| {
        format!("---\nfeature_id: FEAT-2026-0001\n---\n\n```yaml\ngates:\n{yaml}\n```\n")
    };
    let many = |line: &str, n: usize| line.repeat(n);
    let rows: Vec<(&str, &str, String, &str)> = vec![
        (
            "deep flow",
            UNIT,
            front(&format!("id: {}", "[".repeat(200_000))),
            "GW1",
        ),
        ("deep mappings", UNIT, front(&"{a: ".repeat(100_000)), "GW1"),
        ("deep blocks", UNIT, front(&"- ".repeat(100_000)), "GW1"),
        (
            "deep graph",
            PLAN,
            graph(&format!("  - gate: {}", "[".repeat(200_000))),
            "GW1",
        ),
        (
            "deep graph blocks",
            PLAN,
            graph(&"- ".repeat(100_000)),
            "GW1",
        ),
        (
            "an unclosed quote",
            UNIT,
            front(&format!("id: \"{}", "x".repeat(900_000))),
            "GW1",
        ),
        (
            "a huge body",
            UNIT,
            front("id: a") + &many("word ", MAX_FILE_BYTES / 5 + 1),
            "GW114",
        ),
        (
            "many keys",
            UNIT,
            front(
                &(0..20_000)
                    .map(|n| format!("k{n}: 1\n"))
                    .collect::<String>(),
            ),
            "GW1",
        ),
    ];
    for (what, path, text, code) in rows {
        let mut files = example_plan::base();
        files.insert(path.to_owned(), Arc::from(text.into_bytes()));
        // Three times at most: other tests run beside this one, and it is not optimised. What it takes in a release is measured
        // by the bench.
        let time = |_| {
            let start = Instant::now();
            let found = lint(&files);
            assert!(
                found.iter().any(|d| d.code.starts_with(code)),
                "{what} is taken"
            );
            start.elapsed()
        };
        let soon = (0..3).map(time).find(|took| *took < Duration::from_secs(5));
        println!("{what}: {soon:?}");
        assert!(soon.is_some(), "{what} takes too long");
    }
    // Markdown that is deep or long is taken, and at a bounded price.
    let base = String::from_utf8(example_plan::base()[UNIT].to_vec()).unwrap();
    for (what, body) in [
        ("quotes", "> ".repeat(50_000)),
        ("brackets", "[".repeat(100_000)),
        ("links", "[a](".repeat(50_000)),
        ("ticks", (1..600).map(|n| "`".repeat(n) + " ").collect()),
        ("stars", "*a ".repeat(50_000)),
        (
            "lists",
            (0..500).map(|n| " ".repeat(n * 2) + "- a\n").collect(),
        ),
        ("fences", "```yaml\ngates:\n```\n".repeat(2_000)),
        ("html", "<!-- ".repeat(50_000)),
        ("headings", "# a\n".repeat(20_000)),
    ] {
        let mut files = example_plan::base();
        files.insert(
            UNIT.to_owned(),
            Arc::from(format!("{base}\n{body}\n").into_bytes()),
        );
        let start = Instant::now();
        spans_lie_inside(&files);
        let took = start.elapsed();
        println!("{what}: {took:?}");
        assert!(took < Duration::from_secs(20), "{what} took {took:?}");
    }
}
