//! Title and body of a finished feature's pull request: what was built, what showed it, what it cost.

use super::coverage::Row;
use super::log::Log;
use crate::model::feature::Feature;
use crate::model::layout;
use crate::model::unit::Unit;
use std::fmt::Write;

/// What a pull request says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PullRequest {
    /// One line.
    pub title: String,
    /// Markdown.
    pub body: String,
}

/// Returns the pull request of a feature; `coverage` is what its requirements' checks say.
pub fn of_feature(feature: &Feature, coverage: &[Row]) -> PullRequest {
    let front = &feature.plan.front;
    let name = feature.name();
    let title = front
        .title
        .as_ref()
        .map_or(name.as_str(), |t| t.value.trim());
    let goal = front.roadmap_goal.as_ref().map_or("", |g| g.value.trim());
    let mut body = format!(
        "{goal}\n\n## Units\n\n| unit | what | status | checks | attempts | cost |\n|---|---|---|---|---|---|\n"
    );
    let log = feature.others.get(layout::EVENTS);
    let attempts = log.map_or_else(Vec::new, |b| Log::parse(b).attempts());
    let (mut total, mut unknown) = (0.0, 0);
    for member in feature.members() {
        let of_unit: Vec<_> = attempts.iter().filter(|a| a.unit == member.id()).collect();
        unknown += of_unit.iter().filter(|a| a.cost_usd.is_none()).count();
        let known: Vec<f64> = of_unit.iter().filter_map(|a| a.cost_usd).collect();
        let cost: f64 = known.iter().sum();
        total += cost;
        let checks: Vec<String> = member
            .unit
            .and_then(|u| u.front.checks.as_ref())
            .iter()
            .flat_map(|c| &c.value)
            .filter_map(|c| Some(format!("`{}`", c.value.name.as_ref()?.value)))
            .collect();
        let cell = |text: &str| text.replace('|', "\\|").replace('\n', " ");
        writeln!(
            body,
            "| {} | {} | {} | {} | {} | {} |",
            member.id().rsplit('/').next().unwrap_or_default(),
            cell(&member.unit.map(Unit::title).unwrap_or_default()),
            member.status(),
            cell(&checks.join(", ")),
            of_unit.len(),
            if known.is_empty() {
                "–".to_owned()
            } else {
                format!("${cost:.2}")
            },
        )
        .expect("writing to a string");
    }
    if !coverage.is_empty() {
        body.push_str("\n## Requirements\n\n");
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
            writeln!(body, "- [{mark}] {}: {} ({by})", row.requirement, row.text)
                .expect("writing to a string");
        }
    }
    let failed = attempts.iter().filter(|a| !a.passed).count();
    let more = if unknown > 0 {
        format!(", {unknown} attempts of unknown cost")
    } else {
        String::new()
    };
    write!(
        body,
        "\n## Cost\n\n{} attempts, {failed} of them failed; ${total:.2}{more}.\n\nEvery unit landed in a commit of its own, after its commands had passed on exactly that tree; the commits' trailers say which.\n\nFeature: {name}\n",
        attempts.len(),
    )
    .expect("writing to a string");
    if let Some(issue) = &front.issue {
        let place = issue.value.trim();
        writeln!(body, "Closes: {place}").expect("writing to a string");
    }
    PullRequest {
        title: title.to_owned(),
        body,
    }
}
