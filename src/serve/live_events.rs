//! Server-sent events: every open page is told that something changed, and fetches itself anew.
//!
//! One thread serves all of them and looks at the disk only while a page is open. Looking takes at most a twentieth of the
//! time, however large a repository is, and so does reading what changed where that is quick: a run beside it has the rest. Of
//! more than thirty pages all hear of changes less often, of the most after five seconds.

use super::http_response::EVENT_STREAM;
use super::served_repository::ServedRepository;
use gatewalk_core::parallel::locked;
use std::io::Write;
use std::net::TcpStream;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How often is looked, at most.
const INTERVAL: Duration = Duration::from_millis(400);
/// How many times longer than a look the pause behind it is.
const REST: u32 = 20;
/// The same for reading what changed, where that takes long: it shows soon all the same.
const REST_AFTER_READING: u32 = 2;
/// The longest rest after reading that is kept for the sake of a run, so that a change shows within a second.
const LONGEST_REST: Duration = Duration::from_millis(700);
/// How much longer the rest after a change is for each page that fetches itself anew then: of a few nobody notices, of hundreds
/// a run beside them would.
const REST_PER_PAGE: Duration = Duration::from_millis(20);
/// How often an open page gets a sign of life, by which a closed one is noticed.
const BEAT: Duration = Duration::from_secs(15);
/// The most open pages.
const MOST_PAGES: usize = 256;

/// The streams of the pages that are open, by which they hear of changes.
#[derive(Default)]
pub(super) struct LiveEvents {
    streams: Mutex<Vec<TcpStream>>,
}

impl LiveEvents {
    /// Opens the stream of a page; the oldest goes where there are too many.
    pub(super) fn open(&self, mut stream: TcpStream, state: u64) {
        let greeting = format!("{EVENT_STREAM}retry: 2000\n{}", event(state));
        let opened = stream.write_all(greeting.as_bytes());
        // A page that does not read is dropped, never waited for.
        if opened.and_then(|()| stream.set_nonblocking(true)).is_err() {
            return;
        }
        let mut streams = locked(&self.streams);
        if streams.len() >= MOST_PAGES {
            streams.remove(0);
        }
        streams.push(stream);
    }

    fn send(&self, text: &str) {
        let mut streams = locked(&self.streams);
        streams.retain_mut(|stream| stream.write_all(text.as_bytes()).is_ok());
    }

    fn open_pages(&self) -> u32 {
        let streams = locked(&self.streams);
        u32::try_from(streams.len()).unwrap_or(u32::MAX)
    }

    /// Reports changes to the open pages, as long as the program runs; what they will ask for is read first, once.
    pub(super) fn report_changes(&self, repositories: &[ServedRepository], read: &dyn Fn()) -> ! {
        let mut shown = None;
        let mut beat = Instant::now();
        loop {
            let began = Instant::now();
            let mut pause = INTERVAL;
            let open_pages = self.open_pages();
            if open_pages > 0 {
                let state = state_of(repositories);
                pause = pause.max(began.elapsed() * REST);
                if shown.replace(state) != Some(state) {
                    let began = Instant::now();
                    read();
                    pause = pause.max(rest_after(began.elapsed(), open_pages));
                    self.send(&event(state));
                }
                if beat.elapsed() > BEAT {
                    self.send(": beat\n\n");
                    beat = Instant::now();
                }
            }
            std::thread::sleep(pause);
        }
    }
}

/// Returns how long nothing is looked at after a change that took so long to read and that so many pages hear of.
fn rest_after(took: Duration, open_pages: u32) -> Duration {
    let for_reading = (took * REST).min(LONGEST_REST);
    for_reading
        .max(took * REST_AFTER_READING)
        .max(REST_PER_PAGE * open_pages)
}

/// Returns a number for the state of all repositories.
pub(super) fn state_of(repositories: &[ServedRepository]) -> u64 {
    let looks = repositories.iter().map(ServedRepository::look);
    looks.fold(0, |all, look| all.rotate_left(7) ^ look.0)
}

fn event(state: u64) -> String {
    format!("data: {state:x}\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_shows_within_a_second_but_for_crowds_and_what_takes_long_to_read() {
        let ms = Duration::from_millis;
        for (took, pages, want) in [
            (ms(0), 1, ms(20)),
            (ms(20), 1, ms(400)),
            (ms(250), 1, ms(700)),
            (ms(1000), 1, ms(2000)),
            (ms(20), 30, ms(600)),
            (ms(20), 200, ms(4000)),
            (ms(0), u32::try_from(MOST_PAGES).unwrap(), ms(5120)),
        ] {
            assert_eq!(rest_after(took, pages), want, "{took:?}, {pages} pages");
        }
    }
}
