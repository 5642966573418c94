//! The connections under way: at most so many. Where one more comes it waits for a moment, for a burst is over soon; after that
//! the one that is longest in sending its request makes room. So nobody who opens connections and stays silent keeps others out,
//! and hundreds of pages that fetch themselves anew at once are all answered.

use gatewalk_core::parallel::locked;
use std::collections::VecDeque;
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The most requests that are answered at the same time; open pages do not count.
const MOST_REQUESTS: usize = 128;

/// How long a connection may take to send its request while others wait.
const SILENCE: Duration = Duration::from_millis(300);
/// How long one waits while all that are under way are being answered: these may wait for one command.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// The connections under way.
pub(super) struct Connections {
    /// How long one waits for room.
    patience: Duration,
    state: Mutex<ConnectionCount>,
    /// One ended, or its request is complete.
    moved_on: Condvar,
}

#[derive(Default)]
struct ConnectionCount {
    under_way: usize,
    last: u64,
    /// Those whose request is not complete, the oldest first.
    arriving: VecDeque<ArrivingRequest>,
}

/// A connection whose request is not complete.
struct ArrivingRequest {
    number: u64,
    since: Instant,
    stream: TcpStream,
}

/// A connection that is counted until this goes, whatever became of it.
pub(super) struct CountedConnection {
    all: Arc<Connections>,
    number: u64,
}

impl Connections {
    /// Returns none under way yet.
    pub(super) fn new(patience: Duration) -> Connections {
        Connections {
            patience,
            state: Mutex::default(),
            moved_on: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, ConnectionCount> {
        locked(&self.state)
    }

    /// Counts a connection; none where so many are being answered that it must be refused.
    pub(super) fn admit(self: &Arc<Self>, stream: &TcpStream) -> Option<CountedConnection> {
        let own = stream.try_clone().ok()?;
        let mut state = self.room(self.state())?;
        state.last += 1;
        let number = state.last;
        state.arriving.push_back(ArrivingRequest {
            number,
            since: Instant::now(),
            stream: own,
        });
        state.under_way += 1;
        Some(CountedConnection {
            all: Arc::clone(self),
            number,
        })
    }

    /// Waits until there is room for one more; none where there is none soon.
    fn room<'a>(
        &self,
        mut state: MutexGuard<'a, ConnectionCount>,
    ) -> Option<MutexGuard<'a, ConnectionCount>> {
        let patience = Instant::now() + self.patience;
        while state.under_way >= MOST_REQUESTS {
            let now = Instant::now();
            let oldest = state.arriving.front().map(|one| one.since + SILENCE);
            if oldest.is_some_and(|until| until <= now) {
                let slowest = state.arriving.pop_front()?;
                // Its thread reads the end of it, and goes.
                drop(slowest.stream.shutdown(Shutdown::Both));
                break;
            }
            if patience <= now {
                return None;
            }
            let until = oldest.map_or(patience, |oldest| oldest.min(patience));
            let waited = self.moved_on.wait_timeout(state, until - now);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        Some(state)
    }
}

impl CountedConnection {
    /// Notes that the request is complete: from here on it is answered.
    pub(super) fn arrived(&self) {
        let number = self.number;
        let mut state = self.all.state();
        state.arriving.retain(|one| one.number != number);
    }
}

impl Drop for CountedConnection {
    fn drop(&mut self) {
        self.arrived();
        self.all.state().under_way -= 1;
        self.all.moved_on.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use std::net::TcpListener;

    #[test]
    fn the_longest_silence_makes_room_and_what_is_answered_does_not() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let connect = || {
            let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            (client, listener.accept().unwrap().0)
        };
        let all = Arc::new(Connections::new(SILENCE));
        let (_first, first) = connect();
        let answered = all.admit(&first).unwrap();
        answered.arrived();
        let (mut silent, second) = connect();
        let mut counted = vec![all.admit(&second).unwrap()];
        let (_other, other) = connect();
        counted.extend((2..MOST_REQUESTS).map(|_| all.admit(&other).unwrap()));
        counted.push(all.admit(&other).unwrap());
        assert_eq!(silent.read(&mut [0; 1]).unwrap(), 0);
        for one in &counted {
            one.arrived();
        }
        assert!(all.admit(&other).is_none());
        counted.truncate(1);
        assert!(all.admit(&other).is_some());
    }

    #[test]
    fn a_burst_waits_for_a_moment_and_is_answered() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let _client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let stream = listener.accept().unwrap().0;
        let all = Arc::new(Connections::new(PATIENCE));
        let mut full: Vec<_> = (0..MOST_REQUESTS)
            .map(|_| all.admit(&stream).unwrap())
            .collect();
        full.iter().for_each(CountedConnection::arrived);
        // Each is asked for before or after one ends: of so many, some come before.
        for _ in 0..MOST_REQUESTS {
            let answered = full.remove(0);
            let new = std::thread::scope(|scope| {
                scope.spawn(move || drop(answered));
                all.admit(&stream)
            });
            new.as_ref().unwrap().arrived();
            full.extend(new);
        }
    }
}
