//! Huge pages of this program's memory. The allocator asks for them, which is worth it for a thousand plans; what only starts to
//! become another program would clear 2 MB for some words.

use rustix::io;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether this process does without them by its own choice.
static LEFT_OUT: AtomicBool = AtomicBool::new(false);

/// Does without them from here on; asked before anything is allocated.
pub fn leave_out_huge_pages() {
    if are_disabled().is_ok_and(|disabled| !disabled) && disable(true).is_ok() {
        LEFT_OUT.store(true, Ordering::Relaxed);
    }
}

/// Takes them again where they were left out, also for a program that this process becomes.
pub fn take_huge_pages() {
    if LEFT_OUT.swap(false, Ordering::Relaxed) {
        // They are a gain of time alone.
        let _ = disable(false);
    }
}

#[cfg(target_os = "linux")]
fn are_disabled() -> io::Result<bool> {
    rustix::thread::transparent_huge_pages_are_disabled()
}

#[cfg(target_os = "linux")]
fn disable(disabled: bool) -> io::Result<()> {
    rustix::thread::disable_transparent_huge_pages(disabled)
}

#[cfg(not(target_os = "linux"))]
fn are_disabled() -> io::Result<bool> {
    Ok(true)
}

#[cfg(not(target_os = "linux"))]
fn disable(_: bool) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_out_is_taken_again_and_nothing_else() {
        let before = are_disabled().unwrap();
        leave_out_huge_pages();
        assert!(are_disabled().unwrap());
        take_huge_pages();
        assert_eq!(are_disabled().unwrap(), before);
        disable(true).unwrap();
        leave_out_huge_pages();
        take_huge_pages();
        assert!(are_disabled().unwrap(), "the user left them out");
        disable(before).unwrap();
    }
}
