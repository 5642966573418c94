//! One attempt: how it ended, the commands that judged it, what was unusual, its diff, its transcript, its prompt.

use super::diff_table::{Commenting, diff};
use super::{badge, duration, moment, money, number};
use crate::serve::attention::{list, text};
use maud::{Markup, html};
use serde_json::Value;

/// The most characters of a prompt that is shown.
const PROMPT_LIMIT: usize = 400_000;

pub(super) fn show(record: &Value, commenting: &Commenting<'_>) -> Markup {
    let judgement = &record["judgement"];
    html! {
        section {
            h2 { "Attempt " (record["number"]) }
            (facts(record))
            (reported(&record["session"]))
            (unusual(judgement))
            (commands(judgement))
            @if let Some(evidence) = judgement["evidence"].as_str() {
                details open {
                    summary { "Evidence for the next attempt" }
                    pre tabindex="0" { (evidence.trim()) }
                }
            }
        }
        (unwitnessed(judgement))
        section #diff {
            h2 { "What it changed" }
            (diff(record, commenting))
        }
        section {
            h2 { "What the session was given and did" }
            @match record["prompt"].as_str() {
                Some(prompt) => (prompt_section("Its prompt, as sent", prompt)),
                None => p .empty { "The prompt is not kept on this machine any more." },
            }
            (transcript(record))
        }
    }
}

fn facts(record: &Value) -> Markup {
    let figures = &record["figures"];
    let judgement = &record["judgement"];
    let outcome = match judgement["passed"].as_bool() {
        Some(true) => "passed".to_owned(),
        Some(false) => text(judgement, "failure_class").replace('_', " "),
        None => "not judged yet".to_owned(),
    };
    let seconds = figures["duration_seconds"].as_f64().unwrap_or(0.0);
    html! {
        dl .facts {
            div { dt { "Outcome" } dd { (outcome) } }
            div { dt { "Agent" } dd { (text(record, "agent")) @if let Some(model) = record["model"].as_str() { " (" (model) ")" } } }
            div { dt { "Started" } dd { (moment(text(record, "started_at"))) } }
            div { dt { "Session" } dd { (text(&record["session"], "class").replace('_', " ")) ", " (duration(seconds)) } }
            div { dt { "Cost" } dd { (money(&figures["cost_usd"])) } }
            @if let Some(tokens) = number(&figures["output_tokens"]) { div { dt { "Tokens out" } dd { (tokens) } } }
            div { dt { "Confined by" } dd { (record["isolation"].as_str().unwrap_or("unknown")) } }
            div { dt { "Kept at" } dd { code { (text(record, "kept_at")) } } }
        }
    }
}

/// What the session says of its own work: advice only.
fn reported(session: &Value) -> Markup {
    let lists = [
        ("Criteria, as it says", "criteria"),
        ("Left to others", "follow_ups"),
        ("Notes", "notes"),
    ];
    html! {
        @for key in ["summary", "blocked_reason", "last_words"] {
            @if let Some(said) = session[key].as_str().filter(|said| !said.is_empty()) { p .why { (said) } }
        }
        @for (title, key) in lists {
            @let items = list(session, key);
            @if !items.is_empty() {
                details {
                    summary { (title) " (" (items.len()) ")" }
                    ul { @for item in items.iter().filter_map(Value::as_str) { li { (item) } } }
                }
            }
        }
    }
}

fn unusual(judgement: &Value) -> Markup {
    let all = list(judgement, "unusual")
        .iter()
        .chain(list(judgement, "notices"));
    let mut lines: Vec<&str> = all.filter_map(Value::as_str).collect();
    lines.dedup();
    html! {
        @if !lines.is_empty() {
            div .notice .warn {
                p { strong { "What was unusual" } }
                ul { @for line in lines { li { (line) } } }
            }
        }
    }
}

fn commands(judgement: &Value) -> Markup {
    let all = list(judgement, "commands");
    html! {
        @if all.is_empty() {
            p .empty { "No command judged it." }
        } @else {
            div .scroll tabindex="0" role="region" aria-label="Commands that judged it" {
                table {
                    thead { tr { th scope="col" { "Command" } th scope="col" { "Verdict" } th scope="col" { "Exit" } th scope="col" { "Time" } } }
                    tbody {
                        @for command in all {
                            tr {
                                th scope="row" {
                                    (text(command, "name")) br; code { (text(command, "command")) }
                                    (printed(command))
                                }
                                td { (badge(text(command, "verdict"))) @if let Some(note) = command["note"].as_str() { " " (note) } }
                                td { @match command["exit"].as_i64() { Some(code) => (code), None => "ended" } }
                                td { (format!("{:.1} s", command["seconds"].as_f64().unwrap_or(0.0))) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// What a command printed, to be opened.
fn printed(command: &Value) -> Markup {
    let output = text(command, "output").trim_end();
    html! {
        @if !output.is_empty() {
            details { summary { "What " code { (text(command, "name")) } " printed" } pre .log tabindex="0" { (output) } }
        }
    }
}

/// Lines that no check misses when they are taken back.
fn unwitnessed(judgement: &Value) -> Markup {
    let lines = list(&judgement["witness"], "unwitnessed");
    html! {
        @if !lines.is_empty() {
            section .notice .warn {
                h2 { "Lines that no check sees" }
                ul {
                    @for line in lines {
                        li { code { (text(line, "path")) ":" (line["first"]) } " " (text(line, "text")) }
                    }
                }
            }
        }
    }
}

fn transcript(record: &Value) -> Markup {
    let Some(lines) = record["transcript"].as_array() else {
        return html! { p .empty { "Its log is not kept on this machine any more." } };
    };
    html! {
        details {
            summary { "What it said and did (" (lines.len()) " lines)" }
            pre .log tabindex="0" { @for line in lines.iter().filter_map(Value::as_str) { (line) "\n" } }
        }
    }
}

/// Returns a prompt that can be opened.
pub(super) fn prompt_section(title: &str, prompt: &str) -> Markup {
    let cut: String = prompt.chars().take(PROMPT_LIMIT).collect();
    html! {
        details {
            summary { (title) " (" (prompt.len().div_ceil(4)) " tokens, about)" }
            pre tabindex="0" { (cut) }
            @if cut.len() < prompt.len() { p .meta { "cut here" } }
        }
    }
}
