//! While a run goes on: its leases, each looked at again when it ends. A run whose lease is over ends, as by a signal.

use super::git::Git;
use super::shared_remote::last_seen;
use super::signals::StopFlag;
use gatewalk_core::engine::feature_lease::{LeaseStand, stand};
use jiff::Timestamp;
use signal_hook::consts::SIGTERM;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// How long between two looks at most.
const LOOK: Duration = Duration::from_secs(20);

/// What a run does about its leases in between: it renews them and pushes what landed.
pub type Renewal = Box<dyn Fn() + Send>;

/// Watches until it is dropped.
pub struct LeaseWatch {
    stop: Option<Sender<()>>,
    watcher: Option<JoinHandle<()>>,
}

impl LeaseWatch {
    /// Starts watching the leases of features that this clone holds; `renew` is called at every look.
    pub fn start(
        git: &Git,
        clone: String,
        features: Vec<String>,
        (flag, renew): (StopFlag, Option<Renewal>),
    ) -> LeaseWatch {
        let (stop, over) = channel::<()>();
        let git = git.clone();
        let watcher = std::thread::spawn(move || {
            loop {
                let ends = features.iter().filter_map(|feature| {
                    let lease = last_seen(&git, feature).ok().flatten();
                    let now = Timestamp::now();
                    match stand(lease.as_ref(), &clone, now) {
                        LeaseStand::Own => lease.map(|l| l.until.duration_since(now)),
                        LeaseStand::Free | LeaseStand::Foreign => Some(jiff::SignedDuration::ZERO),
                    }
                });
                let left = ends.min().and_then(|left| Duration::try_from(left).ok());
                let left = left.unwrap_or(LOOK).min(LOOK);
                if left.is_zero() {
                    flag.request(SIGTERM);
                    return;
                }
                match over.recv_timeout(left) {
                    Err(RecvTimeoutError::Timeout) => {}
                    Ok(()) | Err(RecvTimeoutError::Disconnected) => return,
                }
                if let Some(renew) = &renew {
                    renew();
                }
            }
        });
        LeaseWatch {
            stop: Some(stop),
            watcher: Some(watcher),
        }
    }
}

impl Drop for LeaseWatch {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(watcher) = self.watcher.take() {
            // A renewal that hangs is bounded by its own timeout.
            drop(watcher.join());
        }
    }
}
