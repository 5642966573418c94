//! The Test Anything Protocol, with subtests as Node and Perl write them.

use super::{CaseEnd, ReadReport, TestReport, UnreadableReport, unreadable};
use regex::Regex;
use std::sync::LazyLock;

static POINT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(not )?ok\b(?:\s+(\d+))?(?:\s+-)?\s*(.*)$").expect("a constant pattern")
});
static PLAN: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^1\.\.(\d+)\b").expect("a constant pattern"));

/// One list of test points: the whole, or a subtest.
#[derive(Default)]
struct TapLevel {
    /// What it is called.
    name: Option<String>,
    /// How many points it announces.
    plan: Option<u64>,
    points: u64,
}

pub(super) fn read(text: &str) -> ReadReport {
    let mut report = TestReport::default();
    let mut levels = vec![TapLevel::default()];
    // The indentation at which a block of diagnostics ends.
    let mut block: Option<usize> = None;
    for line in text.lines() {
        let rest = line.trim_start();
        let indent = line.len() - rest.len();
        match block {
            Some(at) if rest.trim_end() == "..." && indent == at => {
                block = None;
                continue;
            }
            Some(_) => continue,
            None if rest.trim_end() == "---" && indent > 0 => {
                block = Some(indent);
                continue;
            }
            None => {}
        }
        if rest.starts_with("Bail out!") {
            return unreadable("the run bailed out");
        }
        let depth = indent / 4;
        if let Some(name) = rest.strip_prefix("# Subtest:") {
            open(&mut levels, depth + 1)?;
            let inner = levels.last_mut().expect("a level was just opened");
            inner.name = Some(name.trim().to_owned());
        } else if let Some(plan) = PLAN.captures(rest) {
            open(&mut levels, depth)?;
            let level = levels.last_mut().expect("a level was just opened");
            level.plan = plan[1].parse().ok();
        } else if let Some(point) = POINT.captures(rest) {
            open(&mut levels, depth)?;
            add(&mut report, &mut levels, &point);
        }
    }
    if block.is_some() {
        return unreadable("the report ends inside a block");
    }
    open(&mut levels, 0)?;
    match levels[0].plan {
        Some(plan) if plan == levels[0].points => Ok(report),
        Some(plan) => unreadable(format!(
            "the report announces {plan} points and has {}",
            levels[0].points
        )),
        None => unreadable("the report has no plan line `1..N`"),
    }
}

/// Makes a level the innermost one: deeper ones are over, and must have been whole.
fn open(levels: &mut Vec<TapLevel>, depth: usize) -> Result<(), UnreadableReport> {
    while levels.len() > depth + 1 {
        let over = levels.pop().expect("there is more than one");
        if over.plan.is_some_and(|plan| plan != over.points) {
            let name = over.name.unwrap_or_default();
            return unreadable(format!("the subtest `{name}` is not whole"));
        }
    }
    while levels.len() < depth + 1 {
        levels.push(TapLevel::default());
    }
    Ok(())
}

fn add(report: &mut TestReport, levels: &mut [TapLevel], point: &regex::Captures<'_>) {
    let text = &point[3];
    let (name, directive) = text.split_once(" # ").unwrap_or_else(|| {
        let alone = text.strip_prefix("# ");
        alone.map_or((text, ""), |directive| ("", directive))
    });
    let directive = directive.trim().to_ascii_uppercase();
    let end = match (point.get(1).is_some(), &directive) {
        (_, word) if word.starts_with("SKIP") => CaseEnd::Skipped,
        // What is yet to be done may fail.
        (_, word) if word.starts_with("TODO") => CaseEnd::Skipped,
        (true, _) => CaseEnd::Failed,
        (false, _) => CaseEnd::Passed,
    };
    let level = levels.last_mut().expect("there is always one");
    level.points += 1;
    let name = match name.trim() {
        "" => format!("#{}", point.get(2).map_or("", |number| number.as_str())),
        name => name.to_owned(),
    };
    let outer = levels.iter().filter_map(|level| level.name.as_deref());
    let path: Vec<&str> = outer.chain([name.as_str()]).collect();
    report.add(path.join(" > "), end);
}
