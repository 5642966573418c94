//! What is shown where a page cannot be: what happened, and what to do.

use super::{PageFrame, command, document, prose};
use crate::serve::access::Refusal;
use crate::serve::http_request::UnreadableRequest;
use crate::serve::http_response::{Response, Status};
use crate::serve::style_policy;
use gatewalk_core::error::Error;
use maud::{Markup, html};

/// The style of a page for somebody who may load nothing else.
const STYLE: &str = ":root{color-scheme:light dark}body{font:1rem/1.6 system-ui,sans-serif;max-width:34rem;margin:18vh auto;padding:0 1rem}h1{font-size:1.5rem;line-height:1.2;margin:0 0 .5rem}";

/// A page for somebody who was not let in: it names nothing that is served.
fn bare(status: Status, title: &str, what: &str) -> Response {
    let head = html! { title { (title) } style { (STYLE) } };
    let body = html! { body { main { h1 { (title) } p { (prose(what)) } } } };
    let page = document(head, body);
    let policy = style_policy::only(STYLE);
    Response::page(status, page).with("Content-Security-Policy", &policy)
}

/// Refuses a method at an address that knows others.
pub(in crate::serve) fn other_method(allowed: &str) -> Response {
    let what = "This address is asked in another way.";
    bare(Status::OtherMethod, "Not understood", what).with("Allow", allowed)
}

pub(in crate::serve) fn refused(why: Refusal) -> Response {
    let what = match why {
        Refusal::ForeignHost => {
            "This name is not one of this server's. Open the link that `gatewalk serve` printed; for another name start it with `--host NAME --allow-remote`."
        }
        Refusal::ForeignOrigin => "A page of another site asked for this. Nothing was done.",
        Refusal::NoToken => {
            "Open the link that `gatewalk serve` printed: it carries the key to these pages."
        }
        Refusal::WrongToken => {
            "The key in this link is not the one of this server, which makes a new one each time it starts. Open the link that it printed last."
        }
    };
    bare(Status::Forbidden, "Not let in", what)
}

pub(in crate::serve) fn unreadable(why: UnreadableRequest) -> Response {
    let (status, what) = match why {
        UnreadableRequest::TooLarge => (
            Status::TooLarge,
            "The request is larger than anything these pages send.",
        ),
        UnreadableRequest::TooSlow => (Status::TooSlow, "The request did not arrive in time."),
        UnreadableRequest::OtherMethod => return other_method("GET, HEAD, POST"),
        UnreadableRequest::OtherContent => (
            Status::OtherContent,
            "Only forms are read, as these pages send them.",
        ),
        UnreadableRequest::Malformed | UnreadableRequest::Gone => (
            Status::BadRequest,
            "The request is not one that a browser sends.",
        ),
    };
    bare(status, "Not understood", what)
}

pub(in crate::serve) fn not_found(frame: &PageFrame, what: &str) -> Response {
    let middle = html! {
        h1 { "Not found" }
        p .sentence { (prose(what)) "." }
        p { a href="/" { "See what there is" } }
    };
    Response::page(Status::NotFound, frame.still("Not found", &middle))
}

/// Returns what a failed command says, with its help.
pub(in crate::serve) fn trouble(error: &Error) -> Markup {
    html! {
        div .notice .bad role="alert" {
            p { strong { (prose(&error.to_string())) } }
            @for hint in &error.hints { p { (prose(hint)) } }
        }
    }
}

pub(in crate::serve) fn failed(frame: &PageFrame, error: &Error) -> Response {
    let middle = html! {
        h1 { "This cannot be shown now" }
        (trouble(error))
        p { "Nothing was changed. In a terminal: " (command("gatewalk status")) }
        p { a href="/" { "Back to the first page" } }
    };
    Response::page(Status::Failed, frame.page("Cannot be shown", &[], &middle))
}
