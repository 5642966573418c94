//! A file that shows that a driver is alive, and since when nothing has happened: `$GIT_DIR/gatewalk/heartbeat`.
//!
//! It is written anew every few seconds. One that is old means that the driver is gone or hangs; one that is fresh, with
//! an old `last_event_at`, means that it works in silence.

use gatewalk_core::parallel::locked;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// The file, in the runtime state's directory.
pub const FILE: &str = "heartbeat";

/// How often it is written.
const BEAT: Duration = Duration::from_secs(5);

/// What the driver does, as far as it matters from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DriverActivity {
    /// Sessions or commands run.
    Working,
    /// It waits for an agent.
    Waiting,
    /// The run is over.
    Stopped,
}

impl DriverActivity {
    fn word(self) -> &'static str {
        match self {
            DriverActivity::Working => "working",
            DriverActivity::Waiting => "waiting",
            DriverActivity::Stopped => "stopped",
        }
    }
}

struct LastEvent {
    activity: DriverActivity,
    at: jiff::Timestamp,
}

/// Writes the file until it is dropped.
pub struct Heartbeat {
    last: Arc<Mutex<LastEvent>>,
    path: PathBuf,
    stop: Option<Sender<()>>,
    writer: Option<JoinHandle<()>>,
}

impl Heartbeat {
    /// Starts writing; a file that cannot be written is no reason to stop.
    pub fn start(state_dir: &Path) -> Heartbeat {
        let path = state_dir.join(FILE);
        let last = Arc::new(Mutex::new(LastEvent {
            activity: DriverActivity::Working,
            at: jiff::Timestamp::now(),
        }));
        let (stop, stopped) = channel::<()>();
        let (seen, file) = (last.clone(), path.clone());
        let beat = move || {
            while stopped.recv_timeout(BEAT) == Err(RecvTimeoutError::Timeout) {
                write(&file, &seen);
            }
        };
        write(&path, &last);
        let writer = std::thread::Builder::new().spawn(beat).ok();
        Heartbeat {
            last,
            path,
            stop: Some(stop),
            writer,
        }
    }

    /// Notes that something happened.
    pub fn note(&self, activity: DriverActivity) {
        let mut last = locked(&self.last);
        *last = LastEvent {
            activity,
            at: jiff::Timestamp::now(),
        };
    }
}

impl Drop for Heartbeat {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(writer) = self.writer.take() {
            // It ends at once: its channel is closed.
            drop(writer.join());
        }
        self.note(DriverActivity::Stopped);
        write(&self.path, &self.last);
    }
}

fn write(path: &Path, last: &Mutex<LastEvent>) {
    let last = locked(last);
    let text = json!({
        "pid": std::process::id(), "at": jiff::Timestamp::now().to_string(),
        "activity": last.activity.word(), "last_event_at": last.at.to_string(),
    });
    let new = path.with_extension("new");
    // Losing a beat is harmless: the next one comes soon.
    drop(std::fs::write(&new, format!("{text}\n")).and_then(|()| std::fs::rename(&new, path)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_there_from_the_start_and_shows_at_the_end_that_it_is_over() {
        let dir = tempfile::tempdir().unwrap();
        let read = || {
            let text = std::fs::read_to_string(dir.path().join(FILE)).unwrap();
            let beat: serde_json::Value = serde_json::from_str(&text).unwrap();
            beat["activity"].as_str().unwrap().to_owned()
        };
        let heartbeat = Heartbeat::start(dir.path());
        assert_eq!(read(), "working");
        heartbeat.note(DriverActivity::Waiting);
        drop(heartbeat);
        assert_eq!(read(), "stopped");
    }
}
