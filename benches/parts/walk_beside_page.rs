//! A walk while people look on: how much longer it takes beside a page that many have open.

use super::page_times::Served;
use super::walks::Walk;
use super::{Lab, make_executable, median, row};
use std::io::Read;
use std::net::{Shutdown, TcpStream};
use std::thread::JoinHandle;
use std::time::Duration;

/// How many have the page open.
const CLIENTS: usize = 200;

/// A session that needs one processor for about a second.
const WORK: &str = "i=0; while [ $i -lt 900000 ]; do i=$((i+1)); done";

const UNITS: usize = 8;

/// Walks alone and beside the page in turn.
pub(super) fn walk_beside_page() {
    let (mut alone, mut looked_at, mut served) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..super::rounds().min(5) {
        alone.push(walk(0).0);
        let (took, server) = walk(CLIENTS);
        looked_at.push(took);
        served.push(server);
    }
    let ratio = median(looked_at) / median(alone);
    let server = median(served);
    let what = format!(
        "a walk beside a page that {CLIENTS} have open, of one alone ({server:.0} ms of processor for the page)"
    );
    row(&what, ratio, "x", 1.02);
}

/// Returns how long a walk takes beside such a page, and the processor time of the server meanwhile.
fn walk(clients: usize) -> (Duration, Duration) {
    let lab = Lab::new();
    lab.agent(WORK);
    let agent = lab.root.path().join("agent.sh");
    make_executable(&agent);
    lab.feature(1, UNITS, "active", "pending");
    lab.commit();
    let served = (clients > 0).then(|| Served::new(&lab));
    let pages: Vec<OpenPage> = served
        .iter()
        .flat_map(|served| (0..clients).map(|_| OpenPage::new(served)))
        .collect();
    let spent = || served.as_ref().map_or(0.0, Served::processor_time);
    let before = spent();
    let walk = Walk::start(&lab, &agent, &[]);
    let server = spent() - before;
    let told: usize = pages.into_iter().map(OpenPage::close).sum();
    assert!(
        told >= 2 * clients,
        "{clients} pages heard of {told} states"
    );
    let duration = |milliseconds: f64| Duration::from_secs_f64(milliseconds / 1000.0);
    (duration(walk.milliseconds()), duration(server))
}

/// What a browser does with a page that is open: it listens, and asks for the page again when something changed.
struct OpenPage {
    stream: TcpStream,
    listener: JoinHandle<usize>,
}

impl OpenPage {
    fn new(served: &Served) -> OpenPage {
        let ask = served.client();
        let stream = ask("/events");
        let mut events = stream.try_clone().unwrap();
        let listener = std::thread::spawn(move || {
            // They stand for browsers on machines of their own.
            let _refused = rustix::process::setpriority_process(None, 19);
            let (mut buffer, mut told) = ([0; 4096], 0);
            while let Ok(read) = events.read(&mut buffer)
                && read > 0
            {
                let text = String::from_utf8_lossy(&buffer[..read]);
                if text.contains("data:") {
                    // The first word is of the state that the page was drawn in.
                    if told > 0 {
                        ask("/").read_to_end(&mut Vec::new()).unwrap();
                    }
                    told += 1;
                }
            }
            told
        });
        OpenPage { stream, listener }
    }

    /// Returns how many changes it was told of.
    fn close(self) -> usize {
        self.stream.shutdown(Shutdown::Both).unwrap();
        self.listener.join().unwrap()
    }
}
