//! The connections under way: at most so many, and where one too many comes, the one that is longest in sending its request
//! makes room. So nobody who opens connections and stays silent keeps others out.

use std::collections::VecDeque;
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The most requests that are answered at the same time; open pages do not count.
const MOST_REQUESTS: usize = 128;

/// The connections under way.
#[derive(Default)]
pub(super) struct Connections {
    under_way: AtomicUsize,
    arriving: Mutex<ArrivingRequests>,
}

/// Those whose request is not complete, the oldest first.
#[derive(Default)]
struct ArrivingRequests {
    last: u64,
    streams: VecDeque<(u64, TcpStream)>,
}

/// A connection that is counted until this goes, whatever became of it.
pub(super) struct CountedConnection {
    all: Arc<Connections>,
    number: u64,
}

impl Connections {
    /// Counts a connection; none where so many are being answered that it must be refused.
    pub(super) fn admit(self: &Arc<Self>, stream: &TcpStream) -> Option<CountedConnection> {
        let own = stream.try_clone().ok()?;
        let mut arriving = self.arriving.lock().unwrap_or_else(PoisonError::into_inner);
        if self.under_way.load(Ordering::SeqCst) >= MOST_REQUESTS {
            let (_, slowest) = arriving.streams.pop_front()?;
            // Its thread reads the end of it, and goes.
            drop(slowest.shutdown(Shutdown::Both));
        }
        arriving.last += 1;
        let number = arriving.last;
        arriving.streams.push_back((number, own));
        self.under_way.fetch_add(1, Ordering::SeqCst);
        Some(CountedConnection {
            all: Arc::clone(self),
            number,
        })
    }
}

impl CountedConnection {
    /// Notes that the request is complete: from here on it is answered.
    pub(super) fn arrived(&self) {
        let arriving = &self.all.arriving;
        let mut arriving = arriving.lock().unwrap_or_else(PoisonError::into_inner);
        arriving
            .streams
            .retain(|(number, _)| *number != self.number);
    }
}

impl Drop for CountedConnection {
    fn drop(&mut self) {
        self.arrived();
        self.all.under_way.fetch_sub(1, Ordering::SeqCst);
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
        let all = Arc::new(Connections::default());
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
}
