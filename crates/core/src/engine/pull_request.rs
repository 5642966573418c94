//! Title and body of a finished feature's pull request: what was built, what showed it, what it cost.

use super::coverage::RequirementCoverage;
use super::evidence::{counted, one_line};
use super::log_reader::{Log, LoggedAttempt};
use super::witness::witness_record;
use super::{inherited_cases, open_notices};
use crate::model::feature::Feature;
use crate::model::id::short_id;
use crate::model::layout;
use crate::model::money::{KnownCost, usd};
use crate::model::short_title::short_title;
use crate::model::unit::Unit;
use crate::model::verification::Verification;
use std::fmt::Write;

/// The text of a pull request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PullRequest {
    /// The request's title, in one line.
    pub title: String,
    /// The whole body, as Markdown.
    pub body: String,
}

/// Returns the pull request of a feature; `coverage` is how its requirements' checks ended.
pub fn of_feature(
    feature: &Feature,
    verification: &Verification,
    coverage: &[RequirementCoverage],
) -> PullRequest {
    let front = &feature.plan.front;
    let name = feature.name();
    let title = feature.plan.title();
    let title = title.map_or_else(|| name.clone(), |whole| short_title(&whole));
    let goal = front.roadmap_goal.as_ref().map_or("", |g| g.value.trim());
    let log = feature.others.get(layout::EVENTS);
    let attempts = log.map_or_else(Vec::new, |b| Log::parse(b).attempts());
    let mut body = format!(
        "{goal}\n\n{}{}{}{}{}{}\nEvery unit landed in a commit of its own, after its commands had passed on exactly that tree; the commits' trailers name them.\n\nFeature: {name}\n",
        units(feature, &attempts),
        requirements(coverage),
        cost(feature, &attempts),
        unusual(feature),
        inherited(feature, verification),
        unwitnessed(feature),
    );
    if let Some(issue) = &front.issue {
        let place = issue.value.trim();
        writeln!(body, "Closes: {place}").expect("writing to a string");
    }
    PullRequest { title, body }
}

/// Returns the pull request of one unit's commit, which is one of so many parts.
pub fn of_unit(feature: &Feature, unit: &str, (place, parts): (usize, usize)) -> PullRequest {
    let member = feature.member(unit);
    let what = member.as_ref().and_then(|m| m.unit).map(Unit::title);
    let local = short_id(unit);
    let mut body = format!(
        "Part {place} of {parts} of {}. Merge the parts in this order and without squashing: each commit is what was verified.\n",
        feature.name()
    );
    let checks = member.map_or_else(Vec::new, |m| check_names(m.unit));
    if !checks.is_empty() {
        write!(body, "\nIts checks: {}\n", checks.join(", ")).expect("writing to a string");
    }
    write!(body, "\nFeature: {unit}\n").expect("writing to a string");
    PullRequest {
        title: match what {
            Some(what) => format!("{local}: {}", one_line(&short_title(&what))),
            None => local.to_owned(),
        },
        body,
    }
}

/// The names of a unit's own checks, as code.
fn check_names(unit: Option<&Unit>) -> Vec<String> {
    let checks = unit.and_then(|u| u.front.checks.as_ref());
    checks
        .iter()
        .flat_map(|c| &c.value)
        .filter_map(|c| Some(format!("`{}`", c.value.name.as_ref()?.value)))
        .collect()
}

/// What no user has accepted yet of what was unusual.
fn unusual(feature: &Feature) -> String {
    let open = open_notices::of_gate(feature, None);
    if open.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = open
        .iter()
        .map(|notice| format!("- {}\n", one_line(&notice.to_string())))
        .collect();
    format!("\n## Unusual, and not yet accepted\n\n{}", lines.concat())
}

/// Cases that fail as they did before the work.
fn inherited(feature: &Feature, verification: &Verification) -> String {
    let inherited = inherited_cases::of_feature(feature, verification);
    if inherited.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = inherited
        .iter()
        .map(|found| format!("- {}\n", one_line(&found.to_string())))
        .collect();
    format!("\n## Inherited failures\n\n{}", lines.concat())
}

/// What no check sees, as far as that was looked for.
fn unwitnessed(feature: &Feature) -> String {
    let lines = witness_record::unwitnessed_lines(feature, None);
    if lines.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = lines
        .iter()
        .map(|l| format!("- {}\n", one_line(l)))
        .collect();
    format!("\n## Lines that no check sees\n\n{}", lines.concat())
}

fn units(feature: &Feature, attempts: &[LoggedAttempt]) -> String {
    let cell = |text: &str| text.replace('|', "\\|").replace('\n', " ");
    let mut text = String::from(
        "## Units\n\n| unit | what | status | checks | attempts | cost |\n|---|---|---|---|---|---|\n",
    );
    for member in feature.members() {
        let of_unit: Vec<&LoggedAttempt> =
            attempts.iter().filter(|a| a.unit == member.id()).collect();
        let cost = KnownCost::sum(of_unit.iter().map(|a| a.cost_usd));
        let checks = check_names(member.unit);
        writeln!(
            text,
            "| {} | {} | {} | {} | {} | {cost} |",
            short_id(member.id()),
            cell(&short_title(
                &member.unit.map(Unit::title).unwrap_or_default()
            )),
            member.status(),
            cell(&checks.join(", ")),
            of_unit.len(),
        )
        .expect("writing to a string");
    }
    text
}

fn requirements(coverage: &[RequirementCoverage]) -> String {
    let mut text = String::new();
    if !coverage.is_empty() {
        text.push_str("\n## Requirements\n\n");
    }
    for row in coverage {
        let mark = if row.covered { "x" } else { " " };
        let by: Vec<String> = row
            .proofs
            .iter()
            .map(|p| format!("`{}`", p.check))
            .collect();
        let by = if by.is_empty() {
            "no check".to_owned()
        } else {
            by.join(", ")
        };
        writeln!(text, "- [{mark}] {}: {} ({by})", row.requirement, row.text)
            .expect("writing to a string");
    }
    text
}

/// Of the units of the graph; what is unknown is stated, not left out.
fn cost(feature: &Feature, attempts: &[LoggedAttempt]) -> String {
    let of_plan = attempts
        .iter()
        .filter(|a| feature.member(&a.unit).is_some());
    let cost = KnownCost::sum(of_plan.map(|a| a.cost_usd));
    let failed = attempts.iter().filter(|a| !a.passed).count();
    let more = match (cost.usd, cost.unknown) {
        (Some(_), unknown @ 1..) => format!(", {} of unknown cost", counted(unknown, "attempt")),
        _ => String::new(),
    };
    let spent = match cost.usd {
        None if cost.unknown > 0 => "cost unknown".to_owned(),
        None => "no cost".to_owned(),
        Some(sum) => usd(sum),
    };
    format!(
        "\n## Cost\n\n{}, {failed} failed; {spent}{more}.\n",
        counted(attempts.len(), "attempt")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::test_snapshot::{FEATURE, snapshot};

    #[test]
    fn the_request_of_a_unit_has_its_place_its_name_and_its_checks() {
        let snapshot = snapshot("active | G1 open: T01 done check=c; T02 pending");
        for (unit, title, checks) in [
            ("T01", "T01: ", "\nIts checks: `c`\n"),
            ("T02", "T02: ", ""),
        ] {
            let id = format!("{FEATURE}/{unit}");
            let request = of_unit(&snapshot.feature, &id, (2, 3));
            assert!(request.title.starts_with(title), "{}", request.title);
            let body = format!(
                "Part 2 of 3 of {FEATURE}. Merge the parts in this order and without squashing: each commit is what was verified.\n{checks}\nFeature: {id}\n"
            );
            assert_eq!(request.body, body);
        }
        assert_eq!(of_unit(&snapshot.feature, "F/T99", (1, 1)).title, "T99");
    }
}
