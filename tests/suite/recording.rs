//! The picture in the README: a real session of the program, drawn as SVG. A test holds it against the program;
//! `GATEWALK_BLESS=1 cargo test --test suite recording::` draws it anew.
//!
//! Times, durations and commit ids are replaced by fixed ones, so that the same behaviour gives the same bytes.

use crate::cycle::Stage;
use regex::{Captures, Regex};
use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;

const PICTURE: &str = "docs/recording.svg";
const LINE: usize = 19;
const TOP: usize = 40;
const ROWS: usize = 30;
const COLUMNS: usize = 96;

/// What is typed, and the exit code it ends with.
const STORY: [(&str, i32); 5] = [
    ("gatewalk lint", 0),
    ("gatewalk loop --agent script:../sessions", 11),
    ("gatewalk answer 1 \"LC_ALL wins over LANG\"", 0),
    ("gatewalk loop --agent script:../sessions", 10),
    ("git log --oneline --no-decorate -n 5", 0),
];

/// Plays the story; returns its lines as a terminal of [`COLUMNS`] would show them.
fn played() -> Vec<String> {
    let stage = Stage::two_gates();
    let mut lines = Vec::new();
    for (command, exit) in STORY {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.push(format!("$ {command}"));
        let out = stage.shell(&format!("{command} 2>&1"));
        let text = String::from_utf8_lossy(&out.stdout).into_owned();
        assert_eq!(out.status.code(), Some(exit), "{command}: {text}");
        lines.extend(
            text.lines()
                .filter(|line| !line.is_empty())
                .map(str::to_owned),
        );
        if exit != 0 {
            lines.push(format!("(exit {exit})"));
        }
    }
    let mut steady = Steady::default();
    lines.iter().map(|line| cut(&steady.line(line))).collect()
}

/// Replaces what differs from run to run.
#[derive(Default)]
struct Steady {
    commits: HashMap<String, String>,
}

impl Steady {
    fn line(&mut self, line: &str) -> String {
        let clock = Regex::new(r"^\d\d:\d\d:\d\d  ").expect("valid");
        let seconds = Regex::new(r"\d+\.\ds\b").expect("valid");
        let commit = Regex::new(r"\b[0-9a-f]{10}\b|^[0-9a-f]{7}\b").expect("valid");
        let line = clock.replace(line, "");
        let line = seconds.replace_all(&line, "0.1s");
        let line = commit.replace_all(&line, |found: &Captures<'_>| self.commit(&found[0]));
        line.trim_end().to_owned()
    }

    /// Returns the same made-up id for the same commit, in its short and its long form.
    fn commit(&mut self, id: &str) -> String {
        let next = self.commits.len() as u64 + 1;
        let made_up = format!("{:010x}", next.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 24);
        let whole = self.commits.entry(id[..7].to_owned()).or_insert(made_up);
        whole[..id.len()].to_owned()
    }
}

fn cut(line: &str) -> String {
    match line.char_indices().nth(COLUMNS) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}

/// Returns the class that colours a line.
fn class(line: &str) -> &'static str {
    let words = |parts: &[&str]| parts.iter().any(|part| line.contains(part));
    match line {
        _ if line.starts_with("$ ") => "typed",
        _ if words(&["landed as", "no findings"]) => "good",
        _ if words(&["  fail ", "failed (", "parked", "needs you", "(exit "]) => "bad",
        _ if words(&["next: ", "review it"]) => "next",
        _ if words(&["  pass "]) => "pass",
        _ => "plain",
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// When each line appears, in milliseconds: a user types slowly, the program prints fast.
fn moments(lines: &[String]) -> Vec<usize> {
    let pause = |line: &String| if class(line) == "typed" { 1100 } else { 140 };
    let mut at = 0;
    lines
        .iter()
        .map(|line| {
            at += pause(line);
            at
        })
        .collect()
}

/// Returns the steps in which the window scrolls once it is full, as the body of a `@keyframes`.
fn scrolling(moments: &[usize]) -> String {
    let last = *moments.last().expect("the story has lines");
    let mut steps = String::from("0% { transform: translateY(0); }\n");
    for (row, at) in moments.iter().enumerate().skip(ROWS) {
        let (up, percent) = ((row + 1 - ROWS) * LINE, 100.0 * *at as f64 / last as f64);
        writeln!(steps, "{percent:.2}% {{ transform: translateY(-{up}px); }}")
            .expect("a string takes everything");
    }
    steps
}

/// Draws the lines one after the other in a window that scrolls; without animation it shows their end.
fn picture(lines: &[String]) -> String {
    let (width, height) = (24 + COLUMNS * 8 + 16, TOP + ROWS * LINE + 12);
    let (moments, end) = (moments(lines), lines.len().saturating_sub(ROWS) * LINE);
    let last = *moments.last().expect("the story has lines") as f64 / 1000.0;
    let steps = scrolling(&moments);
    let inside = ROWS * LINE + 8;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"Gatewalk walks a plan: units land, one is retried, one asks, the gate waits for a review\">\n<style>\n\
         text {{ font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #c9d1d9; white-space: pre; }}\n\
         .typed {{ fill: #ffffff; font-weight: bold; }} .good {{ fill: #7ee787; }} .pass {{ fill: #56a868; }}\n\
         .bad {{ fill: #ffa657; }} .next {{ fill: #79c0ff; }} .all {{ transform: translateY(-{end}px); }}\n\
         @keyframes show {{ from {{ opacity: 0; }} to {{ opacity: 1; }} }}\n@keyframes scroll {{\n{steps}}}\n\
         @media (prefers-reduced-motion: no-preference) {{ text {{ animation: show 0.05s linear both; }} .all {{ animation: scroll {last:.2}s step-end both; }} }}\n\
         </style>\n<rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#0d1117\"/>\n\
         <circle cx=\"22\" cy=\"20\" r=\"6\" fill=\"#ff5f56\"/><circle cx=\"42\" cy=\"20\" r=\"6\" fill=\"#ffbd2e\"/><circle cx=\"62\" cy=\"20\" r=\"6\" fill=\"#27c93f\"/>\n\
         <svg x=\"24\" y=\"{TOP}\" width=\"{}\" height=\"{inside}\"><g class=\"all\">\n",
        width - 24
    );
    for (row, (line, at)) in lines.iter().zip(&moments).enumerate() {
        let (y, class, delay) = ((row + 1) * LINE - 4, class(line), *at as f64 / 1000.0);
        writeln!(
            svg,
            "<text y=\"{y}\" class=\"{class}\" style=\"animation-delay:{delay:.2}s\">{}</text>",
            escaped(line)
        )
        .expect("a string takes everything");
    }
    svg.push_str("</g></svg>\n</svg>\n");
    svg
}

#[test]
#[ignore = "long"]
fn the_picture_in_the_readme_is_what_the_program_prints() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PICTURE);
    let want = picture(&played());
    if std::env::var_os("GATEWALK_BLESS").is_some() {
        std::fs::write(&path, want).expect("writable");
        return;
    }
    let drawn = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = |(a, b): &(&str, &str)| a != b;
    let first = drawn.lines().zip(want.lines()).find(differs);
    assert!(
        drawn == want,
        "{PICTURE} is not what the program prints: {first:?}; GATEWALK_BLESS=1 draws it anew"
    );
}
