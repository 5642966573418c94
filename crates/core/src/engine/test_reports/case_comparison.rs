//! What of a run is new, held against the base's: a unit may still fail what its base fails, and nothing else.

use super::TestReport;
use crate::engine::evidence::one_line;
use crate::model::report_settings::ReportFormat;

/// How many cases a sentence names.
const NAMED: usize = 20;

/// How the cases of a command are found and judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseRules {
    /// The command as declared.
    pub(crate) shell: String,
    /// The format of the report.
    pub(crate) format: ReportFormat,
    /// The file it is in; standard output without one.
    pub(crate) path: Option<String>,
    /// The only cases that may fail; without a list, all that fail on the base.
    pub(crate) known: Option<Vec<String>>,
    /// Whether cases may be gone: the unit declares that it changes tests.
    pub(crate) may_vanish: bool,
}

/// What the cases of a run come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CaseJudgement {
    /// It has no failure of its own; these are inherited.
    Passed(Vec<String>),
    /// It has, each a line.
    Failed(Vec<String>),
    /// It shows nothing, for this reason.
    Unproven(String),
}

/// Returns what the base fails and may not.
pub(crate) fn unlisted(base: &TestReport, rules: &CaseRules) -> Vec<String> {
    let allowed = |case: &str| match &rules.known {
        Some(known) => known.iter().any(|k| k == case),
        None => true,
    };
    let failed = base.failed().into_iter();
    failed
        .filter(|case| !allowed(case))
        .map(str::to_owned)
        .collect()
}

/// Judges a run by its cases and its exit code.
pub(crate) fn judge(
    base: &TestReport,
    work: &TestReport,
    exit: i32,
    rules: &CaseRules,
) -> CaseJudgement {
    if let Some(why) = work.without_cases() {
        return CaseJudgement::Unproven(why);
    }
    let unlisted = unlisted(base, rules);
    let (mut new, mut gone, mut inherited) = (Vec::new(), Vec::new(), Vec::new());
    for (name, counts) in &work.cases {
        let before = base.cases.get(name).copied().unwrap_or_default();
        let more = counts.failed > before.failed || counts.broken > before.broken;
        if more || counts.red() > 0 && unlisted.contains(name) {
            new.push(name.as_str());
        } else if counts.red() > 0 {
            inherited.push(name.clone());
        }
    }
    if !rules.may_vanish {
        for (name, counts) in &base.cases {
            let now = work.cases.get(name).map_or(0, |c| c.ran());
            if now < counts.ran() {
                gone.push(name.as_str());
            }
        }
    }
    let mut lines = Vec::new();
    lines.extend(named("fails and did not before", &new));
    lines.extend(named(
        "ran before and does not now (`touches_tests: true` in the unit declares that)",
        &gone,
    ));
    verdict(lines, exit, inherited)
}

/// Judges a run whose base shows nothing: what fails must be named by `known_failures`.
pub(crate) fn judge_alone(work: &TestReport, exit: i32, rules: &CaseRules) -> CaseJudgement {
    if let Some(why) = work.without_cases() {
        return CaseJudgement::Unproven(why);
    }
    let known = rules.known.as_deref().unwrap_or_default();
    let (inherited, new): (Vec<&str>, Vec<&str>) = work
        .failed()
        .into_iter()
        .partition(|case| known.iter().any(|k| k == case));
    let lines = named("fails, and its base shows nothing", &new);
    verdict(
        lines,
        exit,
        inherited.into_iter().map(str::to_owned).collect(),
    )
}

fn verdict(mut lines: Vec<String>, exit: i32, inherited: Vec<String>) -> CaseJudgement {
    if lines.is_empty() && exit != 0 && inherited.is_empty() {
        lines.push(unexplained(exit));
    }
    match lines.is_empty() {
        true => CaseJudgement::Passed(inherited),
        false => CaseJudgement::Failed(lines),
    }
}

/// Says that a red end has no case to it.
pub(crate) fn unexplained(exit: i32) -> String {
    format!("it ended with exit {exit}, and its report names no failed case")
}

/// Returns a line for each of some cases, and one for the rest.
fn named(what: &str, cases: &[&str]) -> Vec<String> {
    let shown = cases.iter().take(NAMED);
    let mut lines: Vec<String> = shown
        .map(|case| format!("{}: {what}", one_line(case)))
        .collect();
    if cases.len() > NAMED {
        lines.push(format!("and {} more: {what}", cases.len() - NAMED));
    }
    lines
}
