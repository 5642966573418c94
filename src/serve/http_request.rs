//! One request, read with a limit on everything: its head, its body, and the time both may take.
//!
//! The head is parsed by `httparse`. What this server never needs is refused, not half understood: a body of unknown
//! length, a target that is no path, a header that must be there once and is there twice.

use std::io::Read;
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// The most bytes of a request line with its headers.
const HEAD_LIMIT: usize = 16 << 10;
/// A request with more headers than this is refused.
const HEADER_LIMIT: usize = 64;
/// The most bytes of a form.
const BODY_LIMIT: usize = 64 << 10;
/// How long a request may take to arrive.
const ARRIVAL: Duration = Duration::from_secs(8);

/// How long, and how many bytes, the rest of a refused request is passed over.
const FAREWELL: Duration = Duration::from_secs(2);
const FAREWELL_LIMIT: usize = 32 << 20;

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    Get,
    Post,
}

/// Names with their values, in the order they came.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Fields(Vec<(String, String)>);

impl Fields {
    pub(super) fn parse(encoded: &[u8]) -> Fields {
        Fields(form_urlencoded::parse(encoded).into_owned().collect())
    }

    /// Returns whether it can be what somebody typed: no word of a command holds a zero.
    fn is_text(&self) -> bool {
        let has_zero = |text: &String| text.contains('\0');
        !self.0.iter().any(|(n, v)| has_zero(n) || has_zero(v))
    }

    /// Returns the value of a name, if it has one and says something.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(n, _)| n == name);
        found.map(|(_, v)| v.trim()).filter(|v| !v.is_empty())
    }
}

/// A request that could be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HttpRequest {
    pub(super) method: Method,
    /// Whether only the head of the answer is wanted.
    pub(super) only_head: bool,
    /// The path, as it stands in the target.
    pub(super) path: String,
    pub(super) query: Fields,
    pub(super) host: Option<String>,
    pub(super) origin: Option<String>,
    pub(super) cookies: Option<String>,
    /// The fields of a form that was sent.
    pub(super) form: Fields,
}

impl HttpRequest {
    /// Returns whether it opens the stream of events.
    pub(super) fn opens_events(&self) -> bool {
        self.path == "/events" && self.method == Method::Get && !self.only_head
    }
}

/// Why a request cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UnreadableRequest {
    /// Its head or its body is larger than anything that is needed.
    TooLarge,
    /// It did not arrive in time.
    TooSlow,
    /// It asks for something else than a page or a form.
    OtherMethod,
    /// What it sends is no form.
    OtherContent,
    /// It is not HTTP as a browser speaks it.
    Malformed,
    /// The other end is gone.
    Gone,
}

/// Reads one request, all of it in memory, within the limits above.
pub(super) fn read(stream: &mut TcpStream) -> Result<HttpRequest, UnreadableRequest> {
    let deadline = Instant::now() + ARRIVAL;
    let mut bytes = Vec::new();
    let (mut request, body_at, length) = loop {
        if let Some(head) = parse_head(&bytes)? {
            break head;
        }
        if bytes.len() >= HEAD_LIMIT {
            return Err(UnreadableRequest::TooLarge);
        }
        read_more(stream, &mut bytes, deadline)?;
    };
    while bytes.len() < body_at + length {
        read_more(stream, &mut bytes, deadline)?;
    }
    request.form = Fields::parse(&bytes[body_at..body_at + length]);
    match request.query.is_text() && request.form.is_text() {
        true => Ok(request),
        false => Err(UnreadableRequest::Malformed),
    }
}

/// Passes over the rest of a request that was refused: a connection that ends with bytes unread takes the answer along.
pub(super) fn pass_over(stream: &mut TcpStream) {
    let deadline = Instant::now() + FAREWELL;
    let mut passed = 0;
    if stream.shutdown(Shutdown::Write).is_err() {
        return;
    }
    let mut bytes = Vec::new();
    while passed < FAREWELL_LIMIT && read_more(stream, &mut bytes, deadline).is_ok() {
        passed += bytes.len();
        bytes.clear();
    }
}

fn read_more(
    stream: &mut TcpStream,
    bytes: &mut Vec<u8>,
    deadline: Instant,
) -> Result<(), UnreadableRequest> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(UnreadableRequest::TooSlow);
    }
    let mut buffer = [0; 4096];
    let set = stream.set_read_timeout(Some(left));
    match set.and_then(|()| stream.read(&mut buffer)) {
        Ok(0) => Err(UnreadableRequest::Gone),
        Ok(read) => {
            bytes.extend_from_slice(&buffer[..read]);
            Ok(())
        }
        Err(e) => match e.kind() {
            std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut => {
                Err(UnreadableRequest::TooSlow)
            }
            std::io::ErrorKind::Interrupted => Ok(()),
            _ => Err(UnreadableRequest::Gone),
        },
    }
}

/// Returns the request without its form, where its body starts, and how long that is; none while the head goes on.
fn parse_head(bytes: &[u8]) -> Result<Option<(HttpRequest, usize, usize)>, UnreadableRequest> {
    let mut headers = [httparse::EMPTY_HEADER; HEADER_LIMIT];
    let mut head = httparse::Request::new(&mut headers);
    let body_at = match head.parse(bytes) {
        Ok(httparse::Status::Complete(at)) => at,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => return Err(UnreadableRequest::TooLarge),
        Err(_) => return Err(UnreadableRequest::Malformed),
    };
    if body_at > HEAD_LIMIT {
        return Err(UnreadableRequest::TooLarge);
    }
    let (method, only_head) = match head.method {
        Some("GET") => (Method::Get, false),
        Some("HEAD") => (Method::Get, true),
        Some("POST") => (Method::Post, false),
        _ => return Err(UnreadableRequest::OtherMethod),
    };
    let target = head.path.unwrap_or_default();
    if !target.starts_with('/') {
        return Err(UnreadableRequest::Malformed);
    }
    if once(head.headers, "transfer-encoding")?.is_some() {
        return Err(UnreadableRequest::Malformed);
    }
    let length = body_length(head.headers)?;
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let request = HttpRequest {
        method,
        only_head,
        path: path.to_owned(),
        query: Fields::parse(query.as_bytes()),
        host: once(head.headers, "host")?,
        origin: once(head.headers, "origin")?,
        cookies: once(head.headers, "cookie")?,
        form: Fields::default(),
    };
    Ok(Some((request, body_at, length)))
}

/// Returns how long the body is, if it is one that is read.
fn body_length(headers: &[httparse::Header<'_>]) -> Result<usize, UnreadableRequest> {
    let is_number =
        |digits: &String| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    let length: usize = match once(headers, "content-length")? {
        None => 0,
        Some(digits) if is_number(&digits) => {
            digits.parse().map_err(|_| UnreadableRequest::TooLarge)?
        }
        Some(_) => return Err(UnreadableRequest::Malformed),
    };
    if length > BODY_LIMIT {
        return Err(UnreadableRequest::TooLarge);
    }
    let content = once(headers, "content-type")?.filter(|_| length > 0);
    let is_form = |content: &String| {
        let kind = content.split(';').next().unwrap_or_default().trim();
        kind.eq_ignore_ascii_case("application/x-www-form-urlencoded")
    };
    match content.as_ref().is_none_or(is_form) {
        true => Ok(length),
        false => Err(UnreadableRequest::OtherContent),
    }
}

/// Returns the one value of a header; two of them are no request.
fn once(headers: &[httparse::Header<'_>], name: &str) -> Result<Option<String>, UnreadableRequest> {
    let mut values = headers
        .iter()
        .filter(|header| header.name.eq_ignore_ascii_case(name));
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(one), None) => match std::str::from_utf8(one.value) {
            Ok(text) => Ok(Some(text.trim().to_owned())),
            Err(_) => Err(UnreadableRequest::Malformed),
        },
        (Some(_), Some(_)) => Err(UnreadableRequest::Malformed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(text: &str) -> Result<Option<(HttpRequest, usize, usize)>, UnreadableRequest> {
        parse_head(text.as_bytes())
    }

    #[test]
    fn a_request_is_its_path_its_fields_and_who_asks() {
        let text =
            "GET /unit?id=F%2FT01&repo=a+b HTTP/1.1\r\nhost: localhost:1\r\nCookie: x=y\r\n\r\n";
        let (request, body_at, length) = head(text).unwrap().unwrap();
        assert_eq!((body_at, length), (text.len(), 0));
        assert_eq!((request.method, &*request.path), (Method::Get, "/unit"));
        assert_eq!(request.query.get("id"), Some("F/T01"));
        assert_eq!(request.query.get("repo"), Some("a b"));
        assert_eq!(request.query.get("none"), None);
        assert_eq!(request.host.as_deref(), Some("localhost:1"));
        assert_eq!(request.cookies.as_deref(), Some("x=y"));
    }

    #[test]
    fn what_is_not_needed_is_refused() {
        use UnreadableRequest::{Malformed, OtherMethod, TooLarge};
        let many = "x: y\r\n".repeat(HEADER_LIMIT + 1);
        let rows = [
            ("PUT / HTTP/1.1\r\n\r\n".to_owned(), OtherMethod),
            ("OPTIONS / HTTP/1.1\r\n\r\n".to_owned(), OtherMethod),
            ("GET http://other/ HTTP/1.1\r\n\r\n".to_owned(), Malformed),
            (
                "GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n".to_owned(),
                Malformed,
            ),
            (
                "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n".to_owned(),
                Malformed,
            ),
            (
                "POST / HTTP/1.1\r\ncontent-length: -1\r\n\r\n".to_owned(),
                Malformed,
            ),
            (
                "POST / HTTP/1.1\r\ncontent-length: 9999999\r\n\r\n".to_owned(),
                TooLarge,
            ),
            (
                format!(
                    "POST / HTTP/1.1\r\ncontent-length: {}\r\n\r\n",
                    "9".repeat(40)
                ),
                TooLarge,
            ),
            (format!("GET / HTTP/1.1\r\n{many}\r\n"), TooLarge),
            ("nonsense\r\n\r\n".to_owned(), Malformed),
        ];
        for (text, want) in rows {
            assert_eq!(head(&text), Err(want), "{text}");
        }
        assert_eq!(head("GET / HTTP/1.1\r\nhost: a\r\n"), Ok(None));
    }
}
