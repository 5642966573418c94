//! The beginning of a page, sent while the rest of it is still read: in a repository of a thousand features a page's last
//! section takes several times as long as its first.

use super::http_response::{Response, Status};
use maud::Markup;
use std::cell::RefCell;
use std::net::TcpStream;

/// How every page ends.
pub(super) const PAGE_END: &str = "</main></body></html>";

/// What a browser has of a page already.
#[derive(Debug, Default)]
pub(super) struct PageBeginning {
    stream: Option<TcpStream>,
    sent: RefCell<String>,
}

impl PageBeginning {
    /// Returns a beginning that may be sent on a stream.
    pub(super) fn on(stream: &TcpStream) -> PageBeginning {
        PageBeginning {
            stream: stream.try_clone().ok(),
            sent: RefCell::default(),
        }
    }

    /// Sends a page but for its end, once. From here on the answer is that page, whatever follows.
    pub(super) fn send(&self, page: Markup) {
        let Some(stream) = &self.stream else { return };
        let Ok(mut stream) = stream.try_clone() else {
            return;
        };
        let mut page = page.into_string();
        if !self.sent.borrow().is_empty() || !page.ends_with(PAGE_END) {
            return;
        }
        page.truncate(page.len() - PAGE_END.len());
        // Without it the rest waits until the beginning is acknowledged.
        drop(stream.set_nodelay(true));
        Response::beginning(&page).write(&mut stream);
        self.sent.replace(page);
    }

    /// Returns what is still to be answered once a page is complete.
    pub(super) fn completed(&self, page: Markup) -> Response {
        match page.0.strip_prefix(self.sent.borrow().as_str()) {
            Some(rest) if rest.len() < page.0.len() => Response::rest(rest),
            _ => Response::page(Status::Ok, page),
        }
    }

    /// Returns what is still to be answered where the rest cannot be read; `None` where nothing was sent.
    pub(super) fn broken_off(&self, trouble: &Markup) -> Option<Response> {
        let is_sent = !self.sent.borrow().is_empty();
        is_sent.then(|| Response::rest(&format!("{}{PAGE_END}", trouble.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maud::PreEscaped;
    use std::io::Read;
    use std::net::TcpListener;

    fn page(middle: &str) -> Markup {
        PreEscaped(format!("<main>{middle}{PAGE_END}"))
    }

    /// Returns what a browser gets of a page whose beginning may be sent first.
    fn received(answer: impl FnOnce(&PageBeginning) -> Response) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut browser = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (mut server, _) = listener.accept().unwrap();
        answer(&PageBeginning::on(&server)).write(&mut server);
        drop(server);
        let mut text = String::new();
        browser.read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn a_page_is_the_same_whether_its_beginning_went_ahead_or_not() {
        let whole = received(|ahead| ahead.completed(page("one two")));
        assert!(whole.contains("Content-Length: "), "{whole}");
        let parted = received(|ahead| {
            ahead.send(page("one"));
            ahead.send(page("one again"));
            ahead.completed(page("one two"))
        });
        assert!(!parted.contains("Content-Length: "), "{parted}");
        let body = |text: &str| text.split_once("\r\n\r\n").map(|(_, body)| body.to_owned());
        assert_eq!(body(&parted), body(&whole));
        assert_eq!(body(&parted), Some(page("one two").0));
    }

    #[test]
    fn a_page_that_breaks_off_says_so_where_it_is() {
        let trouble = PreEscaped("<p>no".to_owned());
        let text = received(|ahead| {
            assert!(ahead.broken_off(&trouble).is_none());
            ahead.send(page("one"));
            ahead.broken_off(&trouble).expect("something was sent")
        });
        assert!(text.ends_with(&page("one<p>no").0), "{text}");
        assert_eq!(text.matches("HTTP/1.1").count(), 1);
    }
}
