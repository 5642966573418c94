//! A unit: why it stands where it stands, what its sessions were given and did, and what each left.

use super::attempt_parts::{self, prompt_section};
use super::diff_table::Commenting;
use super::home_page::session_facts;
use super::unit_decisions::decisions;
use super::{
    Crumb, PageFrame, badge, command, feature_view, moment, money, prose, shown_title, unit_link,
};
use crate::serve::attention::{list, text};
use crate::serve::http_request::Fields;
use crate::serve::page_facts::{NoPage, PageResult, repository, status_about, wanted};
use crate::serve::unit_graph::state;
use crate::serve::{ServedRepository, Site};
use gatewalk_core::model::id::short_id;
use maud::{Markup, html};
use serde_json::Value;
use std::sync::Arc;

pub(in crate::serve) fn show(site: &Site, frame: &PageFrame, query: &Fields) -> PageResult {
    let repository = repository(site, query)?;
    let id = wanted(query, "id")?;
    let of = id.rsplit_once('/').map_or(id, |(feature, _)| feature);
    let all = status_about(site, repository, of)?;
    let (feature, unit) = find(&all, id)?;
    let name = text(feature, "feature");
    let title = unit["title"].as_str().unwrap_or(id);
    let here = Crumb {
        name: short_id(id).to_owned(),
        link: unit_link(repository, id),
    };
    let crumbs = [feature_view::crumb(repository, name), here];
    let first = head(unit);
    // Whether there is an attempt that was asked for is not known yet.
    if query.get("attempt").is_none() && query.get("file").is_none() {
        frame.begin(title, &crumbs, &first);
    }
    let why_words = ["why", "--json", "--", id];
    let words = ["attempts", "list", "--json", "--feature", name];
    fetch(site, repository, (unit, query), &[&why_words, &words]);
    let why = repository.json(&site.runner, &why_words).ok();
    let attempts = repository.json(&site.runner, &words)?;
    let own = of_unit(&attempts, "attempts", id);
    let chosen = choice(&own, query)?;
    let record = match chosen {
        Some(number) => Some(attempt(site, repository, (id, number), query.get("file"))?),
        None => None,
    };
    let prompt = match &record {
        None if text(unit, "type") != "human" => next_prompt(site, repository, id),
        _ => None,
    };
    let running = of_unit(&all, "sessions", id);
    let middle = html! {
        (first)
        @if let Some(why) = &why { (reasons(why)) }
        (decisions(site, frame, repository, (feature, unit)))
        @for session in &running { (live(session)) }
        @if let Some(record) = &record {
            (attempt_list(repository, id, &own, chosen))
            (attempt_parts::show(record, &Commenting { frame, repository, unit, attempt: chosen.unwrap_or(0), at: query.get("at"), file: query.get("file") }))
        } @else {
            @if running.is_empty() { p .empty { "Nothing has been tried yet." } }
        }
        @let reads = if running.is_empty() { "What its first session will read" } else { "What its session reads" };
        @if let Some(text) = prompt { (prompt_section(reads, &text)) }
    };
    Ok(frame.page(title, &crumbs, &middle))
}

/// Returns the entries of a list that are of a unit.
fn of_unit<'v>(value: &'v Value, name: &str, id: &str) -> Vec<&'v Value> {
    let entries = list(value, name).iter();
    entries.filter(|entry| entry["unit"] == id).collect()
}

fn head(unit: &Value) -> Markup {
    let id = text(unit, "id");
    html! {
        header .head {
            h1 { (shown_title(unit["title"].as_str().unwrap_or(id))) }
            p .meta {
                (badge(state(unit))) " " (id) " · gate " (unit["gate"]) " · " (text(unit, "type"))
                @if let Some(since) = unit["since"].as_str() { " · stopped " (moment(since)) }
            }
        }
    }
}

/// Starts what the page of a unit is made from at the same time: the last attempt is mostly the one that is shown.
fn fetch(
    site: &Site,
    repository: &ServedRepository,
    (unit, query): (&Value, &Fields),
    others: &[&[&str]],
) {
    let id = text(unit, "id");
    let last = unit["attempts"].as_u64().unwrap_or(0).to_string();
    let (shown, prompt) = (attempt_words(id, &last), prompt_words(id));
    let mut all = others.to_vec();
    match (&*last, text(unit, "type")) {
        _ if query.get("attempt").is_some() || query.get("file").is_some() => {}
        ("0", "human") => {}
        ("0", _) => all.push(&prompt),
        _ => all.push(&shown),
    }
    repository.fetch_together(&site.runner, &all);
}

/// Finds a unit among the features of a status.
fn find<'a>(status: &'a Value, id: &str) -> Result<(&'a Value, &'a Value), NoPage> {
    let units = list(status, "features").iter().flat_map(|feature| {
        list(feature, "units")
            .iter()
            .map(move |unit| (feature, unit))
    });
    let mut named = units.filter(|(_, unit)| unit["id"] == id);
    named
        .next()
        .ok_or_else(|| NoPage::NotFound(format!("there is no unit `{id}` here")))
}

/// Returns the attempt that is meant: the last where none is named.
fn choice(own: &[&Value], query: &Fields) -> Result<Option<u64>, NoPage> {
    let Some(named) = query.get("attempt") else {
        return Ok(own.last().and_then(|attempt| attempt["number"].as_u64()));
    };
    let number = named.parse::<u64>().ok();
    let known = number.filter(|n| own.iter().any(|attempt| attempt["number"] == *n));
    match known {
        Some(number) => Ok(Some(number)),
        None => Err(NoPage::NotFound(format!(
            "there is no attempt `{named}` of this unit"
        ))),
    }
}

pub(super) fn attempt(
    site: &Site,
    repository: &ServedRepository,
    (id, number): (&str, u64),
    file: Option<&str>,
) -> Result<Arc<Value>, NoPage> {
    let number = number.to_string();
    let only = file.map(|path| format!("--file={path}"));
    let mut words: Vec<&str> = attempt_words(id, &number).to_vec();
    if let Some(only) = &only {
        words.insert(2, only);
    }
    Ok(repository.json(&site.runner, &words)?)
}

/// The command that shows an attempt with all it left.
fn attempt_words<'a>(id: &'a str, number: &'a str) -> [&'a str; 9] {
    [
        "attempts",
        "show",
        "--json",
        "--prompt",
        "--diff",
        "--transcript",
        "--",
        id,
        number,
    ]
}

/// The command that shows what the next session of a unit will read.
fn prompt_words(id: &str) -> [&str; 4] {
    ["prompt", "--json", "--", id]
}

/// Returns what the first session of a unit will read.
fn next_prompt(site: &Site, repository: &ServedRepository, id: &str) -> Option<String> {
    let shown = repository.json(&site.runner, &prompt_words(id)).ok()?;
    shown["text"].as_str().map(str::to_owned)
}

/// Returns why a unit stands where it stands, and what can be done.
fn reasons(why: &Value) -> Markup {
    let brief = &why["brief"];
    let lines = |key: &str| -> Vec<String> {
        let items = list(brief, key).iter().filter_map(Value::as_str);
        // What stood as a heading in the evidence is a sentence here.
        let plain = |line: &str| line.strip_prefix("## ").unwrap_or(line).to_owned();
        items.map(plain).collect()
    };
    html! {
        section .next {
            h2 { (text(brief, "what")) }
            @for line in lines("failed") {
                @match line.strip_prefix("- ") {
                    Some(item) => ul { li .why { (prose(item)) } },
                    None => p .why { (prose(&line)) },
                }
            }
            @if let Some(next) = brief["next"].as_str() { p { (command(next)) } }
            @let options = lines("options");
            @if !options.is_empty() {
                details {
                    summary { "Other ways on" }
                    ul { @for option in options { li { (prose(&option)) } } }
                }
            }
        }
    }
}

fn live(session: &Value) -> Markup {
    html! {
        section .card .works {
            h2 { "Attempt " (session["attempt"]) " runs" }
            (session_facts(session))
            pre .log tabindex="0" aria-label="The last lines of the session" {
                @for line in list(session, "last_lines").iter().filter_map(Value::as_str) { (line) "\n" }
            }
        }
    }
}

fn attempt_list(
    repository: &ServedRepository,
    id: &str,
    own: &[&Value],
    chosen: Option<u64>,
) -> Markup {
    html! {
        nav .tabs aria-label="Attempts" {
            @for attempt in own {
                @let number = attempt["number"].as_u64();
                @let passed = attempt["judgement"]["passed"].as_bool();
                @let word = match passed { Some(true) => "passed", Some(false) => "failed", None => "not judged" };
                a href=(format!("{}&attempt={}", unit_link(repository, id), attempt["number"]))
                    aria-current=[(number == chosen).then_some("page")] {
                    "Attempt " (attempt["number"]) ": " (word)
                    @let cost = &attempt["figures"]["cost_usd"];
                    @if cost.is_number() { ", " (money(cost)) } @else { ", cost unknown" }
                }
            }
        }
    }
}
