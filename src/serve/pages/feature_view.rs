//! A feature: what to do next, its gates and units drawn, what shows its requirements, and what was unusual.

use super::feature_decisions::{decisions, question_words, report_words};
use super::home_page::session_card;
use super::{
    Crumb, PageFrame, address, badge, command, feature_link, moment, money, prose, shown_title,
    unit_link,
};
use crate::report::timeline::{attempts_over_time, bars, duration, waits_by_cause};
use crate::serve::attention::{is_driven, list, text};
use crate::serve::http_request::Fields;
use crate::serve::page_facts::{PageResult, feature, repository, status_about, wanted};
use crate::serve::unit_graph::{draw, state};
use crate::serve::{ServedRepository, Site};
use gatewalk_core::engine::feature_report::FeatureReport;
use gatewalk_core::model::id::short_id;
use maud::{Markup, html};
use serde_json::{Value, json};

/// Returns the way back to a feature.
pub(super) fn crumb(repository: &ServedRepository, id: &str) -> Crumb {
    Crumb {
        name: short_id(id).to_owned(),
        link: feature_link(repository, id),
    }
}

pub(in crate::serve) fn show(site: &Site, frame: &PageFrame, query: &Fields) -> PageResult {
    let repository = repository(site, query)?;
    let id = wanted(query, "id")?;
    let status = status_about(site, repository, id)?;
    let shown = feature(&status, id)?;
    let title = shown["title"].as_str().unwrap_or(id);
    let crumbs = [crumb(repository, id)];
    let first = html! {
        header .head {
            h1 { (shown_title(title)) }
            p .meta { (badge(text(shown, "status"))) " " (id) " · branch " code { (text(shown, "branch")) } }
        }
        (next_steps(shown))
    };
    frame.begin(title, &crumbs, &first);
    let words = ["status", "--coverage", "--json", "--feature", id];
    let questions = question_words(id);
    repository.fetch_together(&site.runner, &[&words, &questions, &report_words(id)]);
    // Shown beside the rest: a coverage that cannot be read is only not shown.
    let coverage = repository.json(&site.runner, &words).ok();
    let middle = html! {
        (first)
        (decisions(site, frame, repository, (&status, shown)))
        (sessions(repository, &status, id))
        (notices(shown))
        section {
            h2 { "Gates and units" }
            @if list(shown, "units").is_empty() { p .empty { "Its plan has no unit that can be read." } } @else {
                (draw(shown, |unit| unit_link(repository, unit)))
                (units(repository, shown))
            }
        }
        (time_and_cost(site, repository, id))
        @if let Some(coverage) = &coverage { (requirements(repository, coverage)) }
        (not_run(shown))
    };
    Ok(frame.page(title, &crumbs, &middle))
}

fn next_steps(feature: &Value) -> Markup {
    let steps = list(feature, "next_steps");
    html! {
        section .next {
            h2 { "What to do next" }
            @if steps.is_empty() { p .empty { "Nothing is left to do here." } }
            ul .plain {
                @for step in steps.iter().filter_map(Value::as_str) {
                    li { @if step.starts_with("gatewalk ") { (command(step)) } @else { (prose(step)) } }
                }
            }
        }
    }
}

fn sessions(repository: &ServedRepository, status: &Value, id: &str) -> Markup {
    let own = format!("{id}/");
    let sessions = list(status, "sessions").iter();
    let sessions: Vec<_> = sessions
        .filter(|session| text(session, "unit").starts_with(&own))
        .collect();
    html! {
        @if is_driven(status, id) {
            section {
                h2 { "At work" }
                p .meta { "Run started " (moment(text(&status["driver"], "started_at"))) }
                ul .cards { @for session in sessions { (session_card(repository, session)) } }
            }
        }
    }
}

fn notices(feature: &Value) -> Markup {
    let unusual = list(feature, "notices");
    html! {
        @if !unusual.is_empty() {
            section .notice .warn {
                h2 { "Unusual landings, not accepted yet" }
                ul { @for notice in unusual.iter().filter_map(Value::as_str) { li { (notice) } } }
            }
        }
    }
}

/// The attempts over time, what was waited for, and the figures, as the report has them.
fn time_and_cost(site: &Site, repository: &ServedRepository, id: &str) -> Markup {
    // Shown beside the rest: a log that cannot be read is only not shown.
    let Ok(report) = repository.json(&site.runner, &report_words(id)) else {
        return html! {};
    };
    let Ok(report) = serde_json::from_value::<FeatureReport>(report["features"][0].clone()) else {
        return html! {};
    };
    let waits = waits_by_cause(&report.waits);
    let planned = Some(report.figures.planned_usd).filter(|usd| *usd > 0.0);
    let planned = planned.map(|usd| format!(" of ${usd:.2} planned"));
    html! {
        section {
            h2 { "Time and cost" }
            dl .facts {
                div { dt { "Cost" } dd { (money(&json!(report.figures.all.cost_usd))) (planned.unwrap_or_default()) } }
                div { dt { "Spent on failed attempts" } dd { (money(&json!(report.figures.wasted.cost_usd))) } }
                div { dt { "Agents at work" } dd { (duration(report.figures.all.seconds)) } }
                div { dt { "Attempts" } dd { (report.figures.all.attempts) ", " (report.figures.passed) " passed" } }
            }
            (attempts_over_time(&report))
            @if !waits.is_empty() { h3 { "Waiting, by cause" } (bars(&waits, duration)) }
            p { a href=(address("/report", &[("repo", &repository.name), ("id", id)])) { "Report" } " for people who were not there" }
        }
    }
}

fn units(repository: &ServedRepository, feature: &Value) -> Markup {
    html! {
        div .scroll tabindex="0" role="region" aria-label="Units" {
            table {
                thead {
                    tr {
                        th scope="col" { "Unit" } th scope="col" { "Gate" } th scope="col" { "Status" }
                        th scope="col" { "Attempts" } th scope="col" { "Cost" } th scope="col" { "Waits for" }
                    }
                }
                tbody { @for unit in list(feature, "units") { (unit_row(repository, unit)) } }
            }
        }
    }
}

fn unit_row(repository: &ServedRepository, unit: &Value) -> Markup {
    let id = text(unit, "id");
    let waits = list(unit, "waiting_for").iter().filter_map(Value::as_str);
    let waits: Vec<&str> = waits.map(short_id).collect();
    let tried = unit["attempts"].as_u64().unwrap_or(0);
    html! {
        tr {
            th scope="row" {
                a href=(unit_link(repository, id)) { (shown_title(unit["title"].as_str().unwrap_or(id))) }
                " " span .meta { (short_id(id)) }
            }
            td { (unit["gate"]) }
            td { (badge(state(unit))) }
            td { (tried) }
            td { @if tried > 0 { (money(&unit["cost_usd"])) } @else { "–" } }
            td { (waits.join(", ")) }
        }
    }
}

fn requirements(repository: &ServedRepository, coverage: &Value) -> Markup {
    let rows = list(coverage, "requirements");
    html! {
        @if !rows.is_empty() {
            section {
                h2 { "Requirements" }
                div .scroll tabindex="0" role="region" aria-label="Requirements" {
                    table {
                        thead { tr { th scope="col" { "Requirement" } th scope="col" { "Units" } th scope="col" { "Checks, on the tip" } th scope="col" { "Covered" } } }
                        tbody {
                            @for row in rows {
                                tr {
                                    th scope="row" { (text(row, "requirement")) " " span .meta .note { (text(row, "text")) } }
                                    td .links {
                                        @for unit in list(row, "units").iter().filter_map(Value::as_str) {
                                            a href=(unit_link(repository, unit)) { (short_id(unit)) } " "
                                        }
                                    }
                                    td {
                                        @for proof in list(row, "checks") {
                                            div { code { (text(proof, "check")) } " " (badge(&word(&proof["on_tip"]))) }
                                        }
                                    }
                                    td { @if row["covered"] == true { (badge("passes")) } @else { (badge("not yet")) } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn word(value: &Value) -> String {
    value.as_str().unwrap_or("unknown").to_owned()
}

fn not_run(feature: &Value) -> Markup {
    let rows = list(feature, "not_run");
    html! {
        @if !rows.is_empty() {
            section {
                h2 { "Not run on the tip" }
                ul { @for row in rows { li { code { (text(row, "name")) } " (" (text(row, "set")) "): " (text(row, "why")) } } }
            }
        }
    }
}
