//! Where a test may kill the driver: a counted point before and after every effect. And how long it waits for git.
//!
//! Only in builds with debug assertions or the feature `test-fakes`; elsewhere nothing of it exists.
//! `GATEWALK_TEST_KILL_AT=<n>` ends this process with SIGKILL at its n-th point, from 1;
//! `GATEWALK_TEST_PANIC_IN=<name>` panics at the points of that name, in whichever thread comes there;
//! `GATEWALK_TEST_POINTS=<file>` writes the points' names down, a line each;
//! `GATEWALK_TEST_GIT_DEADLINE=<seconds>` is the deadline of git's calls;
//! `GATEWALK_TEST_FREE_SPACE=<bytes>` is what the disk seems to have free.

use std::time::Duration;

/// Counts a point where a test may have asked for the driver's death.
#[cfg(any(debug_assertions, feature = "test-fakes"))]
pub(crate) fn point(name: &str) {
    use std::io::Write;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    static KILL_AT: OnceLock<Option<u64>> = OnceLock::new();
    static PANIC_IN: OnceLock<Option<String>> = OnceLock::new();
    static LOG: OnceLock<Option<std::path::PathBuf>> = OnceLock::new();
    static PASSED: AtomicU64 = AtomicU64::new(0);

    let panic_in = PANIC_IN.get_or_init(|| std::env::var("GATEWALK_TEST_PANIC_IN").ok());
    assert!(
        panic_in.as_deref() != Some(name),
        "a test asked for a panic at `{name}`"
    );
    let kill_at = KILL_AT.get_or_init(|| {
        let text = std::env::var("GATEWALK_TEST_KILL_AT").ok()?;
        text.parse().ok()
    });
    let log = LOG.get_or_init(|| std::env::var_os("GATEWALK_TEST_POINTS").map(Into::into));
    if kill_at.is_none() && log.is_none() {
        return;
    }
    let number = PASSED.fetch_add(1, Ordering::SeqCst) + 1;
    if let Some(path) = log {
        // A point that is not written down shows as a wrong count in the test.
        let file = std::fs::File::options()
            .append(true)
            .create(true)
            .open(path);
        let _ = file.and_then(|mut file| file.write_all(format!("{number} {name}\n").as_bytes()));
    }
    if *kill_at == Some(number) {
        let own = rustix::process::getpid();
        let _ = rustix::process::kill_process(own, rustix::process::Signal::KILL);
        // The signal is on its way; nothing more may happen here.
        loop {
            std::thread::park();
        }
    }
}

/// Passes a point: nothing.
#[cfg(not(any(debug_assertions, feature = "test-fakes")))]
#[inline(always)]
pub(crate) fn point(_: &str) {}

/// Returns the deadline of git's calls: an injected fault can swallow an answer, and the wait for it proves nothing.
#[cfg(any(debug_assertions, feature = "test-fakes"))]
pub(crate) fn git_deadline(usual: Duration) -> Duration {
    let seconds = std::env::var("GATEWALK_TEST_GIT_DEADLINE").ok();
    let seconds = seconds.and_then(|text| text.parse().ok());
    seconds.map_or(usual, Duration::from_secs)
}

/// Returns the deadline of git's calls.
#[cfg(not(any(debug_assertions, feature = "test-fakes")))]
#[inline(always)]
pub(crate) fn git_deadline(usual: Duration) -> Duration {
    usual
}

/// Performs one effect, with a point before and after it.
pub(crate) fn around<T>(name: &str, effect: impl FnOnce() -> T) -> T {
    point(name);
    let result = effect();
    point(name);
    result
}

/// Returns the free space of a disk, as a test wants it: a full disk is not to be had everywhere.
#[cfg(any(debug_assertions, feature = "test-fakes"))]
pub(crate) fn free_space(found: u64) -> u64 {
    let bytes = std::env::var("GATEWALK_TEST_FREE_SPACE").ok();
    bytes.and_then(|text| text.parse().ok()).unwrap_or(found)
}

/// Returns the free space of a disk.
#[cfg(not(any(debug_assertions, feature = "test-fakes")))]
#[inline(always)]
pub(crate) fn free_space(found: u64) -> u64 {
    found
}
