//! The first page: what waits for the user, what is at work, what is next, and every feature.

use super::error_page::trouble;
use super::{
    PageFrame, badge, command, duration, feature_link, moment, money, number, shown_title,
    unit_link,
};
use crate::serve::attention::{self, Attention, list, text};
use crate::serve::page_facts::{PageResult, status};
use crate::serve::{ServedRepository, Site};
use gatewalk_core::error::Result;
use gatewalk_core::model::id::short_id;
use maud::{Markup, html};
use serde_json::{Value, json};
use std::sync::Arc;

/// The most features that are named as next.
const MOST_NEXT: usize = 12;

/// A repository with its status.
struct ShownRepository<'a> {
    repository: &'a ServedRepository,
    status: Result<Arc<Value>>,
    attention: Attention,
}

pub(in crate::serve) fn show(site: &Site, frame: &PageFrame) -> PageResult {
    let shown: Vec<ShownRepository<'_>> = site
        .repositories
        .iter()
        .map(|repository| {
            let status = status(site, repository);
            let attention = status.as_ref().map(|s| attention::of_repository(s));
            ShownRepository {
                repository,
                attention: attention.unwrap_or_default(),
                status,
            }
        })
        .collect();
    let waiting: usize = shown.iter().map(|s| s.attention.waiting.len()).sum();
    let title = match waiting {
        0 => "Nothing needs you".to_owned(),
        1 => "One thing needs you".to_owned(),
        n => format!("{n} things need you"),
    };
    let several = shown.len() > 1;
    let first = html! {
        h1 { (title) }
        @for one in &shown {
            @if let Err(error) = &one.status {
                h2 { (one.repository.name) }
                (trouble(error))
            }
        }
        (waiting_list(&shown, several))
        (at_work(&shown))
        (next(&shown, several))
    };
    // What needs the user is not kept waiting by a list of thousands.
    frame.begin(&title, &[], &first);
    let middle = html! {
        (first)
        @for one in &shown {
            @if let Ok(status) = &one.status { (features(one.repository, status, several)) }
        }
    };
    Ok(frame.page(&title, &[], &middle))
}

fn waiting_list(shown: &[ShownRepository<'_>], several: bool) -> Markup {
    let all = shown.iter().flat_map(|one| {
        one.attention
            .waiting
            .iter()
            .map(move |item| (one.repository, item))
    });
    if all.clone().next().is_none() {
        return Markup::default();
    }
    html! {
        ul .cards aria-label="What needs you" {
            @for (repository, item) in all {
                @let link = match &item.unit {
                    Some(unit) => unit_link(repository, unit),
                    None => feature_link(repository, &item.feature),
                };
                li .card .needs {
                    h2 { a href=(link) { (shown_title(&item.title)) } }
                    p .meta {
                        @if several { (repository.name) " · " }
                        (item.unit.as_deref().unwrap_or(&item.feature))
                        @if let Some(since) = &item.since { " · stopped " (moment(since)) }
                    }
                    p .why .sentence { (item.why) }
                    p { (command(&item.command)) }
                }
            }
        }
    }
}

fn at_work(shown: &[ShownRepository<'_>]) -> Markup {
    let driven: Vec<_> = shown
        .iter()
        .filter_map(|one| Some((one.repository, one.status.as_ref().ok()?)))
        .filter(|(_, status)| status["driver"].is_object())
        .collect();
    html! {
        section aria-labelledby="at-work" {
            h2 #at-work { "At work" }
            @if driven.is_empty() { p .empty { "No run is at work." } }
            @for (repository, status) in driven {
                @let driver = &status["driver"];
                p .meta {
                    (text(driver, "feature")) " · run started " (moment(text(driver, "started_at")))
                    " · process " (driver["pid"]) " on " (text(driver, "host"))
                }
                ul .cards {
                    @for session in list(status, "sessions") { (session_card(repository, session)) }
                    @if list(status, "sessions").is_empty() {
                        li .card { p { "No session runs: the driver prepares, judges or lands." } }
                    }
                }
            }
        }
    }
}

/// Returns what a session that runs does now.
pub(super) fn session_card(repository: &ServedRepository, session: &Value) -> Markup {
    let unit = text(session, "unit");
    html! {
        li .card .works {
            h3 { a href=(unit_link(repository, unit)) { (unit) } " attempt " (session["attempt"]) }
            (session_facts(session))
        }
    }
}

/// Returns the figures of a session that runs.
pub(super) fn session_facts(session: &Value) -> Markup {
    let doing = format!("{} {}", text(session, "tool"), text(session, "detail"));
    html! {
        @if doing.trim().is_empty() { p { "thinking" } } @else { p .doing { (doing.trim()) } }
        dl .facts {
            div { dt { "Agent" } dd { (text(session, "agent")) } }
            @if let Some(seconds) = session["seconds"].as_f64() {
                div { dt { "Time" } dd { (duration(seconds)) } }
            }
            @if let Some(tokens) = number(&session["output_tokens"]) {
                div { dt { "Tokens out" } dd { (tokens) } }
            }
            @if session["cost_usd"].is_number() {
                div { dt { "Cost" } dd { (money(&session["cost_usd"])) } }
            }
        }
    }
}

fn next(shown: &[ShownRepository<'_>], several: bool) -> Markup {
    let all: Vec<_> = shown
        .iter()
        .flat_map(|one| {
            one.attention
                .next
                .iter()
                .map(move |item| (one.repository, item))
        })
        .collect();
    html! {
        section aria-labelledby="next" {
            h2 #next { "Next" }
            @if all.is_empty() { p .empty { "Nothing is ready to run." } }
            ul .rows {
                @for (repository, item) in all.iter().take(MOST_NEXT) {
                    li {
                        a href=(feature_link(repository, &item.feature)) { (shown_title(&item.title)) }
                        span .meta { @if several { (repository.name) " · " } (item.feature) }
                        (command(&item.command))
                    }
                }
            }
            @if all.len() > MOST_NEXT { p .meta { "and " (all.len() - MOST_NEXT) " more, in the list below" } }
        }
    }
}

fn features(repository: &ServedRepository, status: &Value, several: bool) -> Markup {
    let all = list(status, "features");
    let title = match several {
        true => format!("Features of {}", repository.name),
        false => "Features".to_owned(),
    };
    let done = |feature: &Value| {
        let units = list(feature, "units");
        let done = units.iter().filter(|u| text(u, "status") == "done").count();
        format!("{done} of {}", units.len())
    };
    html! {
        section {
            h2 { (title) }
            @if all.is_empty() {
                p .empty { "No feature yet." }
                p { (command("gatewalk new feature \"TITLE\"")) }
            } @else {
                div .scroll tabindex="0" role="region" aria-label=(title) {
                    table {
                        thead { tr { th scope="col" { "Feature" } th scope="col" { "Status" } th scope="col" { "Units done" } th scope="col" { "Cost" } } }
                        tbody {
                            @for feature in all {
                                @let id = text(feature, "feature");
                                tr {
                                    th scope="row" {
                                        a href=(feature_link(repository, id)) { (shown_title(feature["title"].as_str().unwrap_or(id))) }
                                        " " span .meta { (short_id(id)) }
                                    }
                                    td { (badge(text(feature, "status"))) }
                                    td { (done(feature)) }
                                    td { (cost(list(feature, "units"))) }
                                }
                            }
                        }
                    }
                }
            }
            @for directory in list(status, "uncommitted").iter().filter_map(Value::as_str) {
                p .meta { (directory) " is not committed, so nothing runs it." }
            }
        }
    }
}

/// Returns what units have cost; what is not known is not nothing.
fn cost(units: &[Value]) -> String {
    let tried = || units.iter().filter(|u| u["attempts"].as_u64() > Some(0));
    let known: f64 = tried().filter_map(|u| u["cost_usd"].as_f64()).sum();
    match tried().any(|u| u["cost_usd"].is_null()) {
        _ if tried().next().is_none() => "–".to_owned(),
        true if known > 0.0 => format!("over {}", money(&json!(known))),
        true => money(&Value::Null),
        false => money(&json!(known)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cost_of_a_feature_is_as_much_as_is_known_of_it() {
        let unit =
            |attempts: u64, cost: Option<f64>| json!({"attempts": attempts, "cost_usd": cost});
        let zero = money(&json!(0.0));
        for (units, want) in [
            (vec![], "–"),
            (vec![unit(0, None)], "–"),
            (vec![unit(1, Some(0.0))], &*zero),
            (
                vec![unit(1, Some(1.0)), unit(2, Some(0.5)), unit(0, None)],
                "$1.50",
            ),
            (vec![unit(1, None)], "unknown"),
            (vec![unit(1, Some(1.0)), unit(1, None)], "over $1.00"),
        ] {
            assert_eq!(cost(&units), want);
        }
    }
}
