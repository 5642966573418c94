//! The far end's lease: its standard input. While home is heard of, work goes on; when the input ends, or is silent for too
//! long, everything that was started ends, and so does this process, whatever it is waiting for.

use crate::process::orphans;
use crate::runner::frames::{self, Frame, FrameKind};
use crate::stop_flag::StopFlag;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::parallel::locked;
use rustix::process::Signal;
use std::io::{self, Stdout, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The lease until home has said how long it is.
const FIRST: Duration = Duration::from_secs(60);
/// How long looks and beats pause until then: the lease may be a short one.
const FIRST_PAUSE: Duration = Duration::from_millis(300);
/// How many looks and beats go into a lease.
const BEATS: u32 = 6;
/// Frames that wait to be taken: pieces of a pack, above all.
const QUEUE: usize = 64;
/// How long work may take to end in order once the lease is over.
const GRACE: Duration = Duration::from_secs(5);

/// The way home.
#[derive(Clone)]
pub(super) struct FarOut(Arc<Mutex<Stdout>>);

impl FarOut {
    /// Says that a far end is here, behind whatever a shell or an engine printed.
    fn begin(&self) -> io::Result<()> {
        let mut out = locked(&self.0);
        out.write_all(frames::PREAMBLE).and_then(|()| out.flush())
    }

    pub(super) fn send(&self, kind: FrameKind, content: &[u8]) -> io::Result<()> {
        frames::write(&mut *locked(&self.0), kind, content)
    }

    pub(super) fn send_frame(&self, frame: &Frame) -> Result<()> {
        self.send(frame.kind, &frame.content)
            .map_err(|e| Error::environment(format!("home does not listen any more: {e}")))
    }
}

/// Whose processes end with the lease: the owner's name, and the lock they hold.
type Family = (String, PathBuf);

struct LeaseState {
    heard: Mutex<Instant>,
    /// None until home has said how long it is.
    limit: Mutex<Option<Duration>>,
    family: Mutex<Option<Family>>,
    finished: AtomicBool,
    stop: StopFlag,
}

/// A lease that is held.
#[derive(Clone)]
pub(super) struct Lease(Arc<LeaseState>);

impl Lease {
    /// Begins to listen and to beat; returns what home says, one frame at a time.
    pub(super) fn begin(stop: &StopFlag) -> Result<(Lease, FarOut, Receiver<Frame>)> {
        let lease = Lease(Arc::new(LeaseState {
            heard: Mutex::new(Instant::now()),
            limit: Mutex::default(),
            family: Mutex::default(),
            finished: AtomicBool::default(),
            stop: stop.clone(),
        }));
        let out = FarOut(Arc::new(Mutex::new(io::stdout())));
        let (said, says) = mpsc::sync_channel(QUEUE);
        // Dropped by the listener's end: then the two others wake.
        let (_over, ends) = mpsc::channel::<()>();
        let (_silent, beats_end) = mpsc::channel::<()>();
        let (listener, looker, beater) = (lease.clone(), lease.clone(), lease.clone());
        let (beat_out, greets) = (out.clone(), out.clone());
        thread("lease", move || {
            let _both = (_over, _silent);
            listener.listen(&greets, said);
        })?;
        thread("lease-time", move || looker.watch(&ends))?;
        thread("beats", move || beater.beat(&beat_out, &beats_end))?;
        Ok((lease, out, says))
    }

    /// Sets how long home may be silent.
    pub(super) fn set_limit(&self, limit: Duration) {
        *locked(&self.0.limit) = Some(limit);
    }

    /// Names whose processes end with it.
    pub(super) fn covers(&self, owner: String, lock: PathBuf) {
        *locked(&self.0.family) = Some((owner, lock));
    }

    /// Notes that everything was said: home closing the pipe is in order now.
    pub(super) fn finish(&self) {
        self.0.finished.store(true, Ordering::SeqCst);
    }

    fn is_finished(&self) -> bool {
        self.0.finished.load(Ordering::SeqCst)
    }

    fn limit(&self) -> Duration {
        locked(&self.0.limit).unwrap_or(FIRST)
    }

    fn pause(&self) -> Duration {
        let limit = *locked(&self.0.limit);
        limit.map_or(FIRST_PAUSE, |limit| limit / BEATS)
    }

    /// Listens to home. An engine may start this program first and connect it afterwards, and lose what was said meanwhile:
    /// so the first word is said once home was heard, or never will be.
    fn listen(&self, out: &FarOut, said: SyncSender<Frame>) {
        let mut stdin = io::stdin().lock();
        let mut silent = true;
        let mut greet = || {
            // Home that does not listen ends the lease.
            drop(std::mem::take(&mut silent).then(|| out.begin()));
        };
        // What is no frame is no word of home's: the lease is over as well.
        let _ended = frames::read_all(
            &mut stdin,
            &mut || {
                greet();
                *locked(&self.0.heard) = Instant::now();
            },
            &mut |frame| frame.kind == FrameKind::Beat || said.send(frame).is_ok(),
        );
        greet();
        // Who waits for more need not wait.
        drop(said);
        self.end();
    }

    fn watch(&self, ends: &Receiver<()>) {
        while ends.recv_timeout(self.pause()) == Err(RecvTimeoutError::Timeout) {
            if self.is_finished() {
                return;
            }
            if locked(&self.0.heard).elapsed() > self.limit() {
                self.end();
                return;
            }
        }
    }

    fn beat(&self, out: &FarOut, ends: &Receiver<()>) {
        while ends.recv_timeout(self.pause()) == Err(RecvTimeoutError::Timeout) {
            if self.is_finished() {
                return;
            }
            // Home that was not heard yet is not told to go on waiting: nothing of its may ever come through.
            if locked(&self.0.limit).is_some() && out.send(FrameKind::Beat, b"").is_err() {
                return;
            }
        }
    }

    /// Ends everything, this process last; nothing that hangs can keep it.
    fn end(&self) {
        if self.is_finished() {
            return;
        }
        let signal = Signal::TERM.as_raw();
        self.0.stop.request(signal);
        self.0.stop.request(signal);
        let since = Instant::now();
        while since.elapsed() < GRACE {
            if self.is_finished() {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let family = locked(&self.0.family).take();
        if let Some((owner, lock)) = family {
            orphans::end(&owner, Some(&lock), Duration::ZERO);
        }
        #[expect(
            clippy::disallowed_methods,
            reason = "the main thread may hang on a pipe that nobody reads"
        )]
        std::process::exit(1);
    }
}

fn thread(name: &str, run: impl FnOnce() + Send + 'static) -> Result<()> {
    std::thread::Builder::new()
        .name(name.to_owned())
        .spawn(run)
        .map(drop)
        .map_err(|e| Error::environment(format!("cannot start a thread: {e}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_lease_is_kept_from_the_moment_home_names_it() {
        let lease = Lease(Arc::new(LeaseState {
            heard: Mutex::new(Instant::now()),
            limit: Mutex::default(),
            family: Mutex::default(),
            finished: AtomicBool::default(),
            stop: StopFlag::new().unwrap(),
        }));
        let shortest = Duration::from_secs(2);
        assert!(lease.pause() < shortest, "a beat comes before it is over");
        assert_eq!(lease.limit(), FIRST);
        lease.set_limit(shortest);
        assert_eq!(lease.limit(), shortest);
        assert_eq!(lease.pause(), shortest / BEATS);
    }
}
