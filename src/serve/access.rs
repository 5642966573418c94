//! Who is let in: a pure decision on one request.
//!
//! A page of another site can make a browser send requests here, and name this address as its own (DNS rebinding). So the
//! `Host` must be one of ours, an `Origin` must be the same, what changes something must have one, and everything but the
//! link that was printed needs the cookie that it gave.

use super::http_request::{HttpRequest, Method};
use gatewalk_host::access_token::AccessToken;

/// Names that mean this machine.
const LOOPBACK: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// Who is asked for what.
pub(crate) struct Gatekeeper {
    /// What the printed link carries.
    pub(crate) link: AccessToken,
    /// What the cookie carries.
    pub(crate) cookie: AccessToken,
    /// The port, which tells the cookies of two servers apart.
    pub(crate) port: u16,
    /// Names besides those of this machine under which it may be asked.
    pub(crate) hosts: Vec<String>,
}

/// What becomes of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Admission {
    /// It has the cookie.
    Granted,
    /// It has the link; it gets the cookie.
    FromLink,
    /// Answered with this refusal, and with nothing of the page.
    Refused(Refusal),
}

/// Why nobody is let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    ForeignHost,
    ForeignOrigin,
    NoToken,
    WrongToken,
}

impl Gatekeeper {
    /// Decides about a request.
    pub(super) fn decide(&self, request: &HttpRequest) -> Admission {
        let host = request.host.as_deref().unwrap_or_default();
        if !self.is_own(host) {
            return Admission::Refused(Refusal::ForeignHost);
        }
        let own_origins = [format!("http://{host}"), format!("https://{host}")];
        let origin_fits = match &request.origin {
            Some(origin) => own_origins.contains(origin),
            None => request.method == Method::Get,
        };
        if !origin_fits {
            return Admission::Refused(Refusal::ForeignOrigin);
        }
        let token = request.query.get("token");
        let is_link = request.method == Method::Get && token.is_some_and(|t| self.link.is(t));
        // The link comes first: who follows it again is led away from an address with the secret, too.
        match token {
            _ if is_link => Admission::FromLink,
            _ if self.has_cookie(request) => Admission::Granted,
            Some(_) => Admission::Refused(Refusal::WrongToken),
            None => Admission::Refused(Refusal::NoToken),
        }
    }

    /// Returns the name of the cookie; cookies do not know ports.
    pub(super) fn cookie_name(&self) -> String {
        format!("gatewalk_{}", self.port)
    }

    /// Returns whether a name, whatever port a tunnel gave it, is one of ours.
    fn is_own(&self, host: &str) -> bool {
        self.is_loopback(host)
            || self.hosts.iter().any(|own| {
                own.eq_ignore_ascii_case(host) || own.eq_ignore_ascii_case(name_of(host))
            })
    }

    /// Returns whether a name means this machine.
    pub(super) fn is_loopback(&self, host: &str) -> bool {
        LOOPBACK
            .iter()
            .any(|own| own.eq_ignore_ascii_case(name_of(host)))
    }

    fn has_cookie(&self, request: &HttpRequest) -> bool {
        let name = self.cookie_name();
        let pairs = request.cookies.as_deref().unwrap_or_default().split(';');
        pairs
            .filter_map(|pair| pair.trim().split_once('='))
            .any(|(n, value)| n == name && self.cookie.is(value))
    }
}

/// Returns a host without its port.
fn name_of(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::super::http_request::Fields;
    use super::*;

    fn keeper() -> Gatekeeper {
        let link = AccessToken::new().unwrap();
        Gatekeeper {
            cookie: link.derived("cookie"),
            link,
            port: 7777,
            hosts: vec!["desk.example".to_owned()],
        }
    }

    /// `method host origin cookie token`, `-` for none; `C` and `T` are the right ones.
    fn decided(row: &str) -> Admission {
        let keeper = keeper();
        let words: Vec<&str> = row.split_whitespace().collect();
        let [method, host, origin, cookie, token] = words[..] else {
            panic!("five words: {row}")
        };
        let given = |word: &str| (word != "-").then(|| word.to_owned());
        let token = token.replace('T', keeper.link.text());
        let cookie = cookie.replace('C', &format!("a=b; gatewalk_7777={}", keeper.cookie.text()));
        let query = match &*token {
            "-" => String::new(),
            token => format!("token={token}"),
        };
        keeper.decide(&HttpRequest {
            method: if method == "POST" {
                Method::Post
            } else {
                Method::Get
            },
            only_head: false,
            path: "/".to_owned(),
            query: Fields::parse(query.as_bytes()),
            host: given(host),
            origin: given(origin),
            cookies: given(&cookie),
            form: Fields::default(),
        })
    }

    #[test]
    fn only_the_link_and_then_the_cookie_from_our_own_pages_open_the_door() {
        use Admission::{FromLink, Granted, Refused};
        use Refusal::{ForeignHost, ForeignOrigin, NoToken, WrongToken};
        for (row, want) in [
            ("GET localhost:7777 - - T", FromLink),
            ("GET 127.0.0.1:7777 - C -", Granted),
            ("GET localhost:7777 - C T", FromLink),
            ("GET localhost:7777 - C wrong", Granted),
            ("POST localhost:7777 http://localhost:7777 C T", Granted),
            ("GET [::1]:7777 - C -", Granted),
            ("GET LOCALHOST:9000 - C -", Granted),
            ("GET desk.example - C -", Granted),
            (
                "GET desk.example:8443 https://desk.example:8443 C -",
                Granted,
            ),
            ("POST localhost:7777 http://localhost:7777 C -", Granted),
            ("GET localhost:7777 - - -", Refused(NoToken)),
            ("GET localhost:7777 - gatewalk_7777=x -", Refused(NoToken)),
            ("GET localhost:7777 - gatewalk_7777= -", Refused(NoToken)),
            ("GET localhost:7777 - - wrong", Refused(WrongToken)),
            (
                "POST localhost:7777 http://localhost:7777 - T",
                Refused(WrongToken),
            ),
            ("GET evil.example - C -", Refused(ForeignHost)),
            ("GET evil.example:7777 - C T", Refused(ForeignHost)),
            ("GET localhost.evil.example - C -", Refused(ForeignHost)),
            (
                "GET evil.example@localhost:7777 - C -",
                Refused(ForeignHost),
            ),
            ("GET - - C -", Refused(ForeignHost)),
            (
                "GET localhost:7777 http://evil.example C -",
                Refused(ForeignOrigin),
            ),
            ("GET localhost:7777 null C -", Refused(ForeignOrigin)),
            ("POST localhost:7777 - C -", Refused(ForeignOrigin)),
            (
                "POST localhost:7777 http://localhost:1 C -",
                Refused(ForeignOrigin),
            ),
            ("POST localhost:7777 null C -", Refused(ForeignOrigin)),
        ] {
            assert_eq!(decided(row), want, "{row}");
        }
    }
}
