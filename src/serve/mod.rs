//! `gatewalk serve`: pages of one repository or several, for a browser on this machine.
//!
//! A page is rendered from what this program's own commands print with `--json`, and a decision made on a page is a command
//! of this program, run as it is shown: no second way to the files exists. Everything here is bounded: requests by size and
//! time, connections and commands by number, what is kept by count. Deliberately absent: sessions of users, uploads,
//! keeping a connection for a second request, and anything from another host.

mod access;
pub(crate) mod attention;
mod code_colours;
mod connections;
mod decisions;
mod diff_lines;
mod done_notes;
mod http_request;
mod http_response;
mod live_events;
mod page_beginning;
mod page_facts;
mod pages;
mod rendered_pages;
mod routes;
mod served_repository;
mod steering;
mod style_policy;
mod unit_graph;

pub(crate) use access::Gatekeeper;
pub(crate) use served_repository::{BoundedCommands, ServedRepository};

use access::{Admission, Refusal};
use connections::{Connections, CountedConnection};
use done_notes::DoneNotes;
use gatewalk_host::own_program::yield_thread;
use http_request::{Method, UnreadableRequest};
use http_response::{Response, Status};
use live_events::LiveEvents;
use page_beginning::PageBeginning;
use rendered_pages::RenderedPages;
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

/// The stack of a thread that answers one.
const STACK: usize = 1 << 20;

/// What is served, and to whom.
pub(crate) struct Site {
    pub(crate) repositories: Vec<ServedRepository>,
    pub(crate) runner: BoundedCommands,
    pub(crate) keeper: Gatekeeper,
    /// Whether nothing can be decided here.
    pub(crate) read_only: bool,
    live: LiveEvents,
    notes: DoneNotes,
    rendered: RenderedPages,
}

impl Site {
    /// Returns a site that nobody has visited.
    pub(crate) fn new(
        repositories: Vec<ServedRepository>,
        runner: BoundedCommands,
        keeper: Gatekeeper,
        read_only: bool,
    ) -> Site {
        Site {
            repositories,
            runner,
            keeper,
            read_only,
            live: LiveEvents::default(),
            notes: DoneNotes::default(),
            rendered: RenderedPages::default(),
        }
    }

    /// Starts to answer, on threads of its own, as long as the program runs.
    pub(crate) fn start(self, listener: TcpListener) -> std::io::Result<()> {
        let site = Arc::new(self);
        let reporter = Arc::clone(&site);
        let thread = |name: &str| {
            std::thread::Builder::new()
                .name(name.to_owned())
                .stack_size(STACK)
        };
        thread("live").spawn(move || {
            yield_thread();
            let warm_up = || reporter.warm_up();
            warm_up();
            let live = &reporter.live;
            live.report_changes(&reporter.repositories, &warm_up)
        })?;
        thread("accept").spawn(move || {
            let connections = Arc::new(Connections::new(connections::PATIENCE));
            for stream in listener.incoming() {
                let Ok(stream) = stream else {
                    // Out of descriptors: those that are open end soon.
                    std::thread::sleep(Duration::from_millis(50));
                    continue;
                };
                accept(&site, &connections, stream);
            }
        })?;
        Ok(())
    }

    /// Asks for what every page is made from, so that it is there when a page asks. What fails says so then.
    fn warm_up(&self) {
        for repository in &self.repositories {
            drop(page_facts::status(self, repository));
        }
    }

    /// Reads a request and answers it.
    fn answer(&self, connection: &CountedConnection, mut stream: TcpStream) {
        let request = match http_request::read(&mut stream) {
            Ok(request) => request,
            Err(UnreadableRequest::Gone) => return,
            Err(why) => {
                pages::error_page::unreadable(why).write(&mut stream);
                return http_request::pass_over(&mut stream);
            }
        };
        connection.arrived();
        // What a user decides may start a run, which gets what it would have without us.
        if request.method == Method::Get {
            yield_thread();
        }
        let response = match self.keeper.decide(&request) {
            Admission::Refused(why) => refused(why),
            Admission::FromLink => self.welcome(&request),
            Admission::Granted if request.opens_events() => {
                let state = live_events::state_of(&self.repositories);
                return self.live.open(stream, state);
            }
            Admission::Granted => {
                let ahead = match request.only_head {
                    true => PageBeginning::default(),
                    false => PageBeginning::on(&stream),
                };
                routes::respond(self, &request, ahead)
            }
        };
        response.only_head(request.only_head).write(&mut stream);
    }

    /// Gives the cookie to who has the link. The page goes on by itself, so that the link is not kept in the address.
    fn welcome(&self, request: &http_request::HttpRequest) -> Response {
        let host = request.host.as_deref().unwrap_or_default();
        // Beyond this machine a browser sends it back over TLS alone.
        let secure = match self.keeper.is_loopback(host) {
            true => "",
            false => "; Secure",
        };
        let cookie = format!(
            "{}={}; Path=/; HttpOnly; SameSite=Strict{secure}",
            self.keeper.cookie_name(),
            self.keeper.cookie.text()
        );
        Response::page(Status::Ok, pages::welcome()).with("Set-Cookie", &cookie)
    }
}

fn refused(why: Refusal) -> Response {
    pages::error_page::refused(why)
}

/// Answers a connection on a thread of its own, or refuses it where there are too many.
fn accept(site: &Arc<Site>, connections: &Arc<Connections>, mut stream: TcpStream) {
    let Some(connection) = connections.admit(&stream) else {
        let busy = b"too many requests at once\n".into();
        drop(stream.set_nonblocking(true));
        Response::new(Status::Busy, "text/plain", busy).write(&mut stream);
        return http_request::pass_over(&mut stream);
    };
    let site = Arc::clone(site);
    let spawned = std::thread::Builder::new()
        .name("request".to_owned())
        .stack_size(STACK)
        .spawn(move || site.answer(&connection, stream));
    // Out of threads: the connection ends, which is all that can be done for it.
    drop(spawned);
}
