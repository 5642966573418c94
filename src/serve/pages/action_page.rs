//! The forms by which a user decides, each with the command that it equals, and the page of a decision that was refused.

use super::{PageFrame, command};
use crate::serve::ServedRepository;
use crate::serve::done_notes::Performed;
use crate::serve::http_response::{Response, Status};
use maud::{Markup, html};

/// A form: what it does, the command it equals, and its fields.
pub(super) struct ActionForm<'a> {
    pub(super) repository: &'a ServedRepository,
    pub(super) action: &'a str,
    /// What its button says.
    pub(super) button: &'a str,
    /// The command it equals, with `…` for what is typed.
    pub(super) line: String,
    /// Fields that are not typed.
    pub(super) hidden: Vec<(&'a str, &'a str)>,
    /// Whether it gives something up.
    pub(super) dangerous: bool,
}

impl ActionForm<'_> {
    /// Returns the form with its fields; the command alone where nothing can be decided.
    pub(super) fn with(&self, frame: &PageFrame, fields: &Markup) -> Markup {
        if frame.read_only {
            return html! { p { (command(&self.line)) } };
        }
        html! {
            form method="post" action="/decide" {
                input type="hidden" name="repo" value=(self.repository.name);
                input type="hidden" name="action" value=(self.action);
                @for (name, value) in &self.hidden { input type="hidden" name=(name) value=(value); }
                (fields)
                p .meta { "The same in a terminal:" }
                (command(&self.line))
                button .danger[self.dangerous] { (self.button) }
            }
        }
    }
}

/// Returns a field for a line of text.
pub(super) fn line_field(name: &str, id: &str, label: &str) -> Markup {
    html! {
        label for=(id) { (label) }
        input #(id) type="text" name=(name) required autocomplete="off" maxlength="4000";
    }
}

pub(in crate::serve) fn refused(frame: &PageFrame, status: Status, why: &str) -> Response {
    let middle = html! {
        h1 { "Not done" }
        div .notice .bad role="alert" { p { (why) } }
        p { a href="/" { "Back to the first page" } }
    };
    Response::page(status, frame.still("Not done", &middle))
}

/// Returns the page of a command that refused or failed.
pub(in crate::serve) fn failed(frame: &PageFrame, done: &Performed, back: &str) -> Response {
    let middle = html! {
        h1 { "Not done" }
        p { (command(&done.line)) }
        div .notice .bad role="alert" { pre { (done.text) } }
        p { a href=(back) { "Back" } }
    };
    Response::page(Status::Refused, frame.still("Not done", &middle))
}
