//! The pages. Every text goes through `maud`, which escapes it; nothing here prints markup that it was given.

pub(super) mod action_page;
mod attempt_parts;
mod diff_table;
pub(super) mod error_page;
mod feature_decisions;
pub(super) mod feature_view;
pub(super) mod home_page;
pub(super) mod review_page;
mod unit_decisions;
pub(super) mod unit_view;

use super::ServedRepository;
use super::page_beginning::PageBeginning;
use super::page_facts::status_words;
use gatewalk_core::model::short_title::short_title;
use maud::{DOCTYPE, Markup, html};

/// What every page has around it.
#[derive(Debug)]
pub(super) struct PageFrame {
    /// Whether nothing can be decided here.
    pub(super) read_only: bool,
    /// The state that the page shows, by which it notices a newer one.
    pub(super) state: u64,
    /// What was just decided: the command, and what it printed.
    pub(super) done: Option<(String, String)>,
    /// What was sent of the page already.
    pub(super) ahead: PageBeginning,
}

/// A step on the way back to the first page.
pub(super) struct Crumb {
    pub(super) name: String,
    pub(super) link: String,
}

impl PageFrame {
    /// Returns a whole page; it fetches its middle anew when something changes.
    pub(super) fn page(&self, title: &str, crumbs: &[Crumb], middle: &Markup) -> Markup {
        let state = format!("{:x}", self.state);
        with_head(
            title,
            html! { body data-live=(state) { (self.body(crumbs, middle)) } },
        )
    }

    /// Sends a page's first section, while what follows is read.
    pub(super) fn begin(&self, title: &str, crumbs: &[Crumb], first: &Markup) {
        self.ahead.send(self.page(title, crumbs, first));
    }

    /// Returns a whole page that stays as it is.
    pub(super) fn still(&self, title: &str, middle: &Markup) -> Markup {
        with_head(title, html! { body { (self.body(&[], middle)) } })
    }

    fn body(&self, crumbs: &[Crumb], middle: &Markup) -> Markup {
        html! {
            a .skip href="#main" { "Skip to the content" }
            header .top {
                a .brand href="/" { "Gatewalk" }
                nav aria-label="Where you are" {
                    @for (at, crumb) in crumbs.iter().enumerate() {
                        a href=(crumb.link) aria-current=[(at + 1 == crumbs.len()).then_some("page")] { (crumb.name) }
                    }
                }
                @if self.read_only { span .badge { "read only" } }
                span #live .live role="status" {}
            }
            main #main tabindex="-1" {
                @if let Some((line, text)) = &self.done {
                    div .notice .good role="status" {
                        p { strong { "Done" } }
                        (command(line))
                        p .why { (text) }
                    }
                }
                (middle)
            }
        }
    }
}

/// Returns a whole page; `head` is what stands there beside what every page has.
fn document(head: Markup, body: Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                (head)
            }
            (body)
        }
    }
}

/// Returns a body below the head that every page of the site has.
fn with_head(title: &str, body: Markup) -> Markup {
    let head = html! {
        meta name="color-scheme" content="light dark";
        title { (short_title(title)) " · Gatewalk" }
        link rel="stylesheet" href="/page.css";
        link rel="icon" href="/icon.svg" type="image/svg+xml";
        script src="/page.js" defer {}
    };
    document(head, body)
}

/// Returns the page that a printed link opens: it goes on at once, to an address without the secret.
pub(super) fn welcome() -> Markup {
    let head = html! {
        meta http-equiv="refresh" content="0; url=/";
        title { "Gatewalk" }
        link rel="stylesheet" href="/page.css";
    };
    let body =
        html! { body { main { h1 { "You are in" } p { a href="/" { "Go on to the pages" } } } } };
    document(head, body)
}

/// Returns a title that can be taken in; a long one is whole where one points at it.
pub(super) fn shown_title(whole: &str) -> Markup {
    let short = short_title(whole);
    html! {
        @if short == whole { (whole) } @else { span title=(whole) { (short) } }
    }
}

/// Returns an address with fields.
pub(super) fn address(path: &str, fields: &[(&str, &str)]) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(fields);
    format!("{path}?{}", query.finish())
}

pub(super) fn feature_link(repository: &ServedRepository, id: &str) -> String {
    address("/feature", &[("repo", &repository.name), ("id", id)])
}

pub(super) fn unit_link(repository: &ServedRepository, id: &str) -> String {
    address("/unit", &[("repo", &repository.name), ("id", id)])
}

/// Returns a status as a badge.
pub(super) fn badge(status: &str) -> Markup {
    html! { span .badge .(status) { (status_words(status)) } }
}

/// Returns a sentence; what stands between backticks in it is code.
pub(super) fn prose(text: &str) -> Markup {
    let parts: Vec<&str> = text.split('`').collect();
    // One backtick too many is a character like others.
    let is_paired = parts.len() % 2 == 1;
    html! {
        @if is_paired {
            @for (at, part) in parts.iter().enumerate() {
                @if at % 2 == 1 { code { (part) } } @else { (part) }
            }
        } @else { (text) }
    }
}

/// Returns a command that can be copied.
pub(super) fn command(text: &str) -> Markup {
    html! {
        span .command {
            code tabindex="0" { (text) }
            button .copy type="button" data-copy=(text) hidden { "Copy" }
        }
    }
}

/// Returns a moment; the script shows how long ago it was.
pub(super) fn moment(at: &str) -> Markup {
    let shown = at
        .get(..16)
        .map_or(at.to_owned(), |at| at.replace('T', " "));
    html! { time datetime=(at) { (shown) " UTC" } }
}

/// Returns a stretch of time in words.
pub(super) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 60.0 => format!("{s:.0} s"),
        s if s < 3600.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// Returns money in words; unknown is not nothing.
pub(super) fn money(value: &serde_json::Value) -> String {
    gatewalk_core::model::money::usd_or_unknown(value.as_f64())
}

/// Returns a number with its thousands apart.
pub(super) fn number(value: &serde_json::Value) -> Option<String> {
    let digits = value.as_u64()?.to_string();
    let mut shown = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            shown.push('\u{202f}');
        }
        shown.push(digit);
    }
    Some(shown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_shown_is_text_whatever_it_holds() {
        let hostile = "</title><script>alert(1)</script>\"'&";
        let frame = PageFrame {
            read_only: false,
            state: 1,
            done: Some((hostile.to_owned(), hostile.to_owned())),
            ahead: PageBeginning::default(),
        };
        let crumbs = [Crumb {
            name: hostile.to_owned(),
            link: address("/unit", &[("id", hostile)]),
        }];
        let page = frame.page(
            hostile,
            &crumbs,
            &html! { (badge(hostile)) (command(hostile)) (moment(hostile)) },
        );
        let page = page.into_string();
        assert_eq!(page.matches("<script").count(), 1, "{page}");
        assert!(
            !page.contains("alert(1)</script>\"") && page.contains("&lt;script&gt;alert(1)"),
            "{page}"
        );
        assert!(page.contains("/unit?id=%3C%2Ftitle%3E"), "{page}");
    }

    #[test]
    fn code_in_a_sentence_is_code_and_still_text() {
        for (text, want) in [
            ("plain", "plain"),
            ("run `a <b>` now", "run <code>a &lt;b&gt;</code> now"),
            ("a ` alone", "a ` alone"),
        ] {
            assert_eq!(prose(text).into_string(), want);
        }
    }

    #[test]
    fn numbers_times_and_money_are_read_at_a_glance() {
        assert_eq!(
            number(&json!(1_234_567)).as_deref(),
            Some("1\u{202f}234\u{202f}567")
        );
        assert_eq!(number(&json!(123)).as_deref(), Some("123"));
        assert_eq!(number(&json!(null)), None);
        assert_eq!([5.0, 90.0, 7200.0].map(duration), ["5 s", "2 min", "2.0 h"]);
        assert!(money(&json!(null)).contains("unknown"));
    }
}
