//! One response, with the headers that every response has, written in bounded time.

use maud::Markup;
use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// How long writing a response may take.
const DELIVERY: Duration = Duration::from_secs(30);
/// How many bytes are written at once.
const PIECE: usize = 64 << 10;

/// What a page may load: only what this server has, no script or style within the page, and no other site may frame it.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// How a request was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    Ok,
    SeeOther,
    BadRequest,
    Forbidden,
    NotFound,
    Conflict,
    TooSlow,
    TooLarge,
    OtherContent,
    Refused,
    OtherMethod,
    Failed,
    Busy,
}

impl Status {
    /// Returns its number and its words.
    pub(super) fn line(self) -> &'static str {
        match self {
            Status::Ok => "200 OK",
            Status::SeeOther => "303 See Other",
            Status::BadRequest => "400 Bad Request",
            Status::Forbidden => "403 Forbidden",
            Status::NotFound => "404 Not Found",
            Status::OtherMethod => "405 Method Not Allowed",
            Status::TooSlow => "408 Request Timeout",
            Status::Conflict => "409 Conflict",
            Status::TooLarge => "413 Content Too Large",
            Status::OtherContent => "415 Unsupported Media Type",
            Status::Refused => "422 Unprocessable Content",
            Status::Failed => "500 Internal Server Error",
            Status::Busy => "503 Service Unavailable",
        }
    }
}

/// Which parts of a response are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WrittenParts {
    All,
    Head,
    Body,
}

/// What is answered, all of it in memory.
#[derive(Debug, Clone)]
pub(super) struct Response {
    pub(super) status: Status,
    content: &'static str,
    body: Vec<u8>,
    /// Whether the body is all of it, so that its length can be named.
    is_whole: bool,
    written: WrittenParts,
    headers: Vec<(&'static str, String)>,
}

impl Response {
    /// Returns markup as a page of its own.
    pub(super) fn page(status: Status, page: Markup) -> Response {
        Response::new(
            status,
            "text/html; charset=utf-8",
            page.into_string().into(),
        )
    }

    /// Returns a file that a page loads, or data.
    pub(super) fn new(status: Status, content: &'static str, body: Vec<u8>) -> Response {
        Response {
            status,
            content,
            body,
            is_whole: true,
            written: WrittenParts::All,
            headers: vec![],
        }
    }

    /// Returns a page that something follows: it ends with its connection.
    pub(super) fn beginning(page: &str) -> Response {
        Response {
            is_whole: false,
            ..Response::page(Status::Ok, maud::PreEscaped(page.to_owned()))
        }
    }

    /// Returns what follows such a beginning.
    pub(super) fn rest(page: &str) -> Response {
        Response {
            written: WrittenParts::Body,
            ..Response::beginning(page)
        }
    }

    /// Returns what the stream of events would begin with.
    pub(super) fn event_head() -> Response {
        Response::new(Status::Ok, "text/event-stream", vec![])
    }

    /// Returns the way to another page.
    pub(super) fn see_other(to: &str) -> Response {
        Response::new(Status::SeeOther, "text/plain", vec![]).with("Location", to)
    }

    /// Leaves the body out where only the head is wanted.
    #[must_use]
    pub(super) fn only_head(self, only_head: bool) -> Response {
        match only_head {
            true => Response {
                written: WrittenParts::Head,
                ..self
            },
            false => self,
        }
    }

    /// Adds a header. What stands in it must be ours, never a request's.
    #[must_use]
    pub(super) fn with(mut self, name: &'static str, value: &str) -> Response {
        let line: String = value.chars().filter(|c| !c.is_control()).collect();
        self.headers.push((name, line));
        self
    }

    /// Writes it; an end that does not read is left alone.
    pub(super) fn write(&self, stream: &mut TcpStream) {
        let deadline = Instant::now() + DELIVERY;
        let mut bytes = match self.written {
            WrittenParts::Body => vec![],
            WrittenParts::All | WrittenParts::Head => self.head().into_bytes(),
        };
        if self.written != WrittenParts::Head {
            bytes.extend_from_slice(&self.body);
        }
        for piece in bytes.chunks(PIECE) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            let set = stream.set_write_timeout(Some(left));
            if set.and_then(|()| stream.write_all(piece)).is_err() {
                return;
            }
        }
    }

    /// The policy on referrers is not the strictest: with `no-referrer` a browser names no origin for the forms either.
    fn head(&self) -> String {
        let own = |name: &str| self.headers.iter().any(|(n, _)| *n == name);
        let length = match self.is_whole {
            true => format!("Content-Length: {}\r\n", self.body.len()),
            false => String::new(),
        };
        let mut head = format!(
            "HTTP/1.1 {}\r\nContent-Type: {}\r\n{length}Connection: close\r\n\
             X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nReferrer-Policy: same-origin\r\n\
             Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Resource-Policy: same-origin\r\n",
            self.status.line(),
            self.content,
        );
        if !own("Content-Security-Policy") {
            head += &format!("Content-Security-Policy: {POLICY}\r\n");
        }
        if !own("Cache-Control") {
            head += "Cache-Control: no-store\r\n";
        }
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        head + "\r\n"
    }
}

/// What opens a stream of events: a response without an end.
pub(super) const EVENT_STREAM: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n\
    Connection: close\r\nX-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: same-origin\r\n\r\n";
